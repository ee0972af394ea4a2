"""Watchers of a page, each with a stream of its own: a process, so that they do not take the table's time.

Called with a port and how many.  It says ``ready`` when all have heard of the board; then each line that
comes in asks for the milliseconds that the boards since then took to each of them, as a JSON list.  A board
tells in ``sent`` when it was told (the system's monotonic clock).
"""

from __future__ import annotations

import asyncio
import json
import sys
import time


class Watchers:
    """``took_ms``: of each board to each watcher."""

    def __init__(self, port: int) -> None:
        self.took_ms: list[float] = []
        self.heard = 0
        self._port = port

    async def watch(self) -> None:
        """One stream."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(f"GET /stream HTTP/1.1\r\nhost: 127.0.0.1:{self._port}\r\n\r\n".encode())
        is_first, topic = True, b""
        while line := await reader.readline():
            if line.startswith(b"event: "):
                topic = line
            elif line.startswith(b"data: ") and topic == b"event: board\n":
                now = time.monotonic()
                self.heard += is_first
                if not is_first:
                    self.took_ms.append(1000 * (now - json.loads(line[6:])["sent"]))
                is_first = False


async def main(port: int, count: int) -> None:
    """Watch until the input ends."""
    watchers = Watchers(port)
    tasks = [asyncio.create_task(watchers.watch()) for _ in range(count)]
    while watchers.heard < count:
        await asyncio.sleep(0.05)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while await asyncio.to_thread(sys.stdin.readline):
        took, watchers.took_ms = watchers.took_ms, []
        sys.stdout.write(json.dumps(took) + "\n")
        sys.stdout.flush()
    for task in tasks:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
