"""What hands do on the box, written down as a play that does the same again."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from firmware_host.config import Config
from sim.play import PRESS_S

if TYPE_CHECKING:
    from firmware_host.table.report import Report

REST_S = 2.0  # a play rests so long after each line
PAUSE_S = 10.0  # a longer one is written down: the table may have said something meanwhile
MOST_LINES = 5000
_STARTING_S = 3.0  # from the press of *next* to the match that it starts


class Recorder:
    """Lines of a play, which begins with the match that goes on; rematches belong to it.

    ``now``: seconds, monotonic.  ``lying``: lines that bring a fresh box to how it lies now.
    """

    def __init__(self, now: Callable[[], float], lying: Callable[[], list[str]]) -> None:
        self._now, self._lying = now, lying
        self._lines: list[str] = []
        self._acted_at: float | None = None
        self._was_flip = False
        self._is_by_hand = True

    def flipped(self, tile: int, to_open: bool) -> None:
        """A tile, by hand; quick ones share a line."""
        flip = f"{'open' if to_open else 'shut'} {tile}"
        last = self._acted_at
        if self._was_flip and last is not None and self._now() - last < REST_S and self._lines:
            self._lines[-1] += f", {flip}"
            self._acted_at = self._now()
            return
        self.add(flip)
        self._was_flip = True

    def pressed(self, button: str, for_s: float) -> None:
        """A button, pressed or held."""
        self.add(f"press {button}" if for_s <= 2 * PRESS_S else f"press {button} {round(for_s, 1)}s")

    def add(self, line: str) -> None:
        """Any other line, as it is written in a play."""
        last, self._acted_at, self._was_flip = self._acted_at, self._now(), False
        if len(self._lines) >= MOST_LINES:
            return
        if last is not None and (pause_s := self._acted_at - last) > PAUSE_S:
            self._lines.append(f"wait {round(pause_s - REST_S)}s")
        self._lines.append(line)

    def take_back(self, line: str) -> None:
        """``line`` was refused: it is not done in a play either."""
        for i in range(len(self._lines) - 1, -1, -1):
            if self._lines[i] == line:
                del self._lines[i]
                return

    def remark(self, text: str) -> None:
        """Something that no hand at the box can do: what holds at the end is left open."""
        self.add(f"# {text}")
        self._is_by_hand = False

    def heard(self, event: Mapping[str, Any]) -> None:
        """A public event: dice that chance threw, a match that nobody started with a button."""
        if event["event"] == "rolled" and event["source"] == "roller":
            self.threw(event["dice"])
        if event["event"] == "match_started" and not self._was_started_with_a_button:
            players = f"players {shlex.join(event['players'])}"
            self._is_by_hand = True
            self._lines = [*_settings(event["rules"]), players, *self._lying()]
            self._acted_at, self._was_flip = self._now(), False

    def play(self, report: Report) -> str:
        """All of it, and what holds at the end."""
        expectations = _expectations(report) if self._is_by_hand else []
        return "".join(f"{line}\n" for line in (*self._lines, *expectations))

    def threw(self, dice: Iterable[int]) -> None:
        """The press that threw these dice becomes the roll: another chance would throw others."""
        for i in range(len(self._lines) - 1, -1, -1):
            if self._lines[i].startswith(("press roll", "roll ")):
                self._lines[i] = f"roll {' '.join(map(str, dice))}"
                return

    @property
    def _was_started_with_a_button(self) -> bool:
        is_fresh = self._acted_at is not None and self._now() - self._acted_at < _STARTING_S
        return is_fresh and self._lines[-1].startswith("press next")


def _settings(rules: Mapping[str, Any]) -> list[str]:
    """A ``set`` for each key that is not at its default, those first that others depend on."""
    chips = {f"rules.{key}": value for key, value in Config().chip_rules.settings().items()}
    usual = {**Config().match_settings, **chips, "dice.source": Config().dice.source}
    changed = {key: rules[key] for key in usual if key in rules and rules[key] not in (None, usual[key])}
    keys = sorted(changed, key=lambda key: (key not in ("rules.game", "match.kind"), key))
    return [f"set {key} {_text(changed[key])}" for key in keys]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _expectations(report: Report) -> list[str]:
    if report.winners:
        return [f"expect winner {shlex.join(report.winners)}"]
    if not report.player:
        return []
    scores = [f"expect score {shlex.quote(name)} {total}" for name, total in report.totals]
    return [f"expect turn {shlex.quote(report.player)}", *scores]
