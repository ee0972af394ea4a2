"""``boxkeeper doctor``: looks at a computer and what is wired to it, and says what is wrong.

Nothing is changed, nothing is claimed for longer than a look, and nothing can hang it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from firmware_host.config import Config
from firmware_host.findings import Finding, Grade
from hardware.doctor import computer, wires
from hardware.doctor.place import Place

__all__ = ["PROBES", "Place", "examine"]

PROBE_S = 10.0  # a Pi Zero needs two seconds for its libraries; a bus held down, one for its time-out

Probe = Callable[[Place, Config], Iterator[Finding]]
PROBES: tuple[tuple[str, Probe], ...] = (
    ("board", computer.board),
    ("system", computer.system),
    ("python", computer.python),
    ("service", computer.service),
    ("pins", wires.pins),
    ("i2c", wires.i2c),
    ("serial", wires.serial),
    ("camera", wires.camera),
    ("power", computer.power),
    ("disk", computer.disk),
    ("clock", computer.clock),
)


def examine(config: Config, place: Place | None = None, probe_s: float = PROBE_S) -> Iterator[Finding]:
    """What each probe finds, as soon as it is known; a probe that takes over ``probe_s`` seconds is left."""
    looked_at = place or Place()
    for part, probe in PROBES:
        yield from _bounded(part, probe, looked_at, config, probe_s)


def _bounded(part: str, probe: Probe, place: Place, config: Config, probe_s: float) -> list[Finding]:
    found: list[Finding] = []

    def look() -> None:
        try:
            found.extend(probe(place, config))
        except Exception as error:  # noqa: BLE001 - whatever a driver raises, the other probes go on
            text = f"cannot be looked at ({type(error).__name__}: {error})"
            found.append(Finding(part, Grade.WRONG, text, "try it again with sudo"))

    # A daemon: a driver that never returns cannot be stopped, and must not hold up the end.
    thread = threading.Thread(target=look, name=part, daemon=True)
    thread.start()
    thread.join(probe_s)
    if thread.is_alive():
        text = f"no answer within {probe_s:g} s: a driver or a bus hangs"
        return [*found, Finding(part, Grade.WRONG, text, "unplug what was wired last, restart, try again")]
    return found
