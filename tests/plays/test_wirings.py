"""Plays hold in whatever way the box is wired, and tell the very same events."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli.main import main

HERE = Path(__file__).parent
CHOSEN = (
    "all-at-once", "all-tiles-lost", "battle-pass", "bouncing-everywhere", "change-of-mind",
    "dead-sensor-open", "display-absent", "faults", "no-dice", "power-cut-in-a-complete-move",
    "quick-hands", "worked-turn",
)  # fmt: skip
WIRINGS = {
    "mcp23017": ("tiles.driver=mcp23017",),
    "mcp23017-interrupt": ("tiles.driver=mcp23017", "expander.interrupt=4", "lamps.driver=mcp23017"),
    "serial": ("tiles.driver=serial", "lamps.driver=serial", "buzzer.driver=serial"),
    "sh1106": ("display.controller=sh1106",),
}
Run = Callable[..., list[dict[str, Any]]]


def play(name: str, *settings: str) -> tuple[int, str]:
    """The exit code, and what was printed."""
    import contextlib
    import io

    options = [word for setting in settings for word in ("--set", setting)]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["bench", str(HERE / f"{name}.play"), "--json", *options])
    return code, out.getvalue() if code == 0 else err.getvalue()


def game(printed: str) -> list[dict[str, Any]]:
    """The events without moments and how a device was lost; lamps and buzzer hang on some ways only."""
    events = [json.loads(line) for line in printed.splitlines()]
    return [
        {**event, "t": 0, "reason": event.get("reason") if event["event"] != "device_lost" else ""}
        for event in events
        if event["event"] != "screen" and event.get("device") not in ("lamps", "buzzer")
    ]


@cache
def usual(name: str) -> str:
    """What the usual wiring tells."""
    code, printed = play(name)
    assert code == 0, printed
    return printed


@pytest.mark.parametrize("name", ["battle-pass", "bouncing-everywhere", "faults", "quick-hands"])
def test_with_the_buttons_on_the_pico_too(name: str) -> None:
    code, printed = play(name, "tiles.driver=serial", "dice.source=serial")
    assert code == 0, printed
    assert game(printed) == game(usual(name))


@pytest.mark.parametrize("wiring", WIRINGS)
@pytest.mark.parametrize("name", CHOSEN)
def test_a_play_holds_and_tells_the_same(name: str, wiring: str) -> None:
    code, printed = play(name, *WIRINGS[wiring])
    assert code == 0, printed
    assert game(printed) == game(usual(name))
