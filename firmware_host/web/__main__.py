"""``python -m firmware_host.web LINK LISTEN STORE [bench]``: the page's process; the table starts it.

LINK and LISTEN are the numbers of open sockets: the wire to the table, and the port that is served.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from pathlib import Path

from firmware_host.web.server import serve


def main(link_fd: str, listen_fd: str, store_dir: str, *more: str) -> None:
    """Serve until the table is gone or says so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C reaches the whole group: the table ends us
    link, listening = (socket.socket(fileno=int(number)) for number in (link_fd, listen_fd))
    asyncio.run(serve(link, listening, Path(store_dir), is_bench="bench" in more))


if __name__ == "__main__":
    main(*sys.argv[1:])
