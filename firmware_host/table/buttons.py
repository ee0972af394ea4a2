"""Presses and holds out of the buttons' levels."""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_host.table.debounce import Debounced, Levels
from firmware_host.table.events import Button, ButtonPressed

DEBOUNCE_S = 0.02  # tactile switches settle within 5-10 ms
HOLD_S = 1.0


@dataclass(frozen=True, slots=True)
class Buttons:
    """``down_since``: by button, when it went down; None while it is up or its hold was told."""

    levels: Debounced = Debounced(DEBOUNCE_S)  # noqa: RUF009 (a frozen value)
    down_since: tuple[float | None, ...] = (None,) * len(Button)

    @property
    def due(self) -> float | None:
        """When something is to be told if nothing changes."""
        holds = [since + HOLD_S for since in self.down_since if since is not None]
        return min([*holds, *([self.levels.due] if self.levels.due is not None else [])], default=None)

    def read(self, levels: Levels | None, now: float) -> tuple[Buttons, tuple[ButtonPressed, ...]]:
        """After ``levels`` were read, or (None) after time has passed.

        A hold is told while the button is still down; a press when it is let go.
        A button that is down at the start is not told: somebody leans on the box.
        """
        is_first = not self.levels.stable
        after = self.levels.at(now) if levels is None else self.levels.read(levels, now)
        if after is self.levels and self.down_since == _ALL_UP:
            return self, ()
        presses: list[ButtonPressed] = []
        down_since = list(self.down_since)
        for button in Button:
            was = not is_first and self.levels.stable[button]
            is_down, since = after.stable[button], down_since[button]
            if since is not None and (now >= since + HOLD_S or not is_down):
                presses.append(ButtonPressed(button, held=now >= since + HOLD_S))
                down_since[button] = None
            elif is_down and not was and not is_first:
                down_since[button] = after.since[button]
        return replace(self, levels=after, down_since=tuple(down_since)), tuple(presses)


_ALL_UP = (None,) * len(Button)
