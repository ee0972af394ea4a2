"""The page's process, kept alive whatever the system says."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path
from typing import Any

import pytest

from firmware_host.web import process
from firmware_host.web.process import WebProcess


def test_a_process_that_cannot_be_started_is_a_line_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real, refusals = subprocess.Popen, [BlockingIOError(11, "Resource temporarily unavailable"),
                                        OSError(12, "Cannot allocate memory")]  # fmt: skip

    def popen(*args: Any, **more: Any) -> Any:
        if refusals:
            raise refusals.pop(0)
        return real(*args, **more)

    async def keep() -> None:
        page = WebProcess("127.0.0.1", 0, tmp_path, lambda number, what: started.set())
        started = asyncio.Event()  # the page tells which digits count as soon as it is there
        keeping = asyncio.create_task(page.keep())
        async with asyncio.timeout(30):
            await started.wait()
        assert not keeping.done()
        keeping.cancel()
        await asyncio.wait([keeping])

    monkeypatch.setattr(process, "RESTART_S", 0.01)
    monkeypatch.setattr(process.subprocess, "Popen", popen)
    asyncio.run(keep())
    assert caplog.messages == [
        "no page: Resource temporarily unavailable; again in 0.01 s",
        "no page: Cannot allocate memory; again in 0.01 s",
    ]


def test_a_page_that_is_left_while_it_starts_ends_without_a_word(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def leave() -> None:
        page = WebProcess("127.0.0.1", 0, tmp_path, lambda number, what: None)
        keeping = asyncio.create_task(page.keep())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        keeping.cancel()
        await asyncio.wait([keeping])
        assert keeping.cancelled()

    asyncio.run(leave())
    assert capfd.readouterr().err == ""
