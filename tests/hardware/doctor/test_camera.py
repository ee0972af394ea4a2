"""The camera, where the table reads its dice with one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from firmware_host.config import Config
from firmware_host.findings import Finding, Grade
from hardware.doctor.wires import camera
from sim.clock import VirtualLoop
from sim.workshop import Workshop


@pytest.fixture
def reading() -> Any:
    """A config, as far as the camera's probe looks at it."""
    return cast(Any, SimpleNamespace(dice=SimpleNamespace(source="camera")))


def looked(faults: list[str], config: Any) -> Iterator[Finding]:
    async def look() -> list[Finding]:
        with Workshop(Config(), faults) as workshop:
            return list(camera(workshop.place, config))

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        yield from runner.run(look())


@pytest.mark.parametrize(
    ("fault", "text", "mend"),
    [
        ("camera gone", "none is there", "camera_auto_detect=1"),
        ("camera held", "/dev/video0: busy, held by motion, pid 700", "stop that program"),
        ("camera denied", "no permission for /dev/video0", "usermod -aG video"),
    ],
)
def test_what_keeps_it_from_being_used_is_wrong(reading: Any, fault: str, text: str, mend: str) -> None:
    (finding,) = looked([fault], reading)
    assert (finding.grade, finding.text) == (Grade.WRONG, text)
    assert mend in finding.mend


def test_one_that_is_there_is_ok(reading: Any) -> None:
    assert list(looked([], reading)) == [Finding("camera", Grade.OK, "/dev/video0")]
