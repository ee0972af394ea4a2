"""What goes out: everything that the table's core ever asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from firmware_host.games.coach import Coach
from firmware_host.games.counsel import Review, Slip
from firmware_host.games.game import Game
from firmware_host.games.records import Record
from firmware_host.table.history import History
from firmware_host.table.view import View


class Saying:
    """Base of the public events that are not kept in the journal."""

    __slots__ = ()
    event: ClassVar[str]

    def to_fields(self) -> dict[str, Any]:
        """The public fields, ready for JSON."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        return {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}


@dataclass(frozen=True, slots=True)
class RollWanted(Saying):
    """``player`` may roll; ``dice``: the allowed numbers of dice."""

    event: ClassVar[str] = "roll_wanted"
    player: str
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RollRefused(Saying):
    """A roll was not accepted.

    ``reason``: ``not_wanted``, ``wrong_number_of_dice``, ``tiles_do_not_add_up``, ``no_dice``: the source
    is lost or saw none; or another code of the camera's, such as ``cocked``.
    """

    event: ClassVar[str] = "roll_refused"
    reason: str


@dataclass(frozen=True, slots=True)
class PutRight(Saying):
    """Box and game disagree: tiles to open and to shut."""

    event: ClassVar[str] = "put_right"
    open: tuple[int, ...]
    shut: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChipsPutRight(Saying):
    """Board and game disagree: chips to place, as ``r0c1 green``, squares to clear before, as ``r0c1``."""

    event: ClassVar[str] = "put_right"
    place: tuple[str, ...]
    lift: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Righted(Saying):
    """Box and game agree again."""

    event: ClassVar[str] = "righted"


@dataclass(frozen=True, slots=True)
class LostSaid(Saying):
    """A device does not answer; said once."""

    event: ClassVar[str] = "device_lost"
    device: str
    reason: str


@dataclass(frozen=True, slots=True)
class BackSaid(Saying):
    """A device answers again; said once."""

    event: ClassVar[str] = "device_back"
    device: str
    reason: str


@dataclass(frozen=True, slots=True)
class Chances(Saying):
    """Each player's chance to win the match, 0 to 1; ``errors``: standard errors, where it was sampled."""

    event: ClassVar[str] = "chances"
    chances: Mapping[str, float] = field(hash=False)
    errors: Mapping[str, float] = field(hash=False)

    def to_fields(self) -> dict[str, Any]:
        """Rounded: nobody needs more."""
        both = {"chances": self.chances, "errors": self.errors}
        rounded = {key: {name: round(p, 4) for name, p in of.items()} for key, of in both.items()}
        return {key: of for key, of in rounded.items() if of}


@dataclass(frozen=True, slots=True)
class Reviewed(Saying):
    """What ``player`` gave away in the turn that has just ended, in points; ``worst``: the dearest slip."""

    event: ClassVar[str] = "reviewed"
    player: str
    cost: float
    worst: Slip | None

    @classmethod
    def of(cls, review: Review) -> Reviewed:
        """What is to be said of ``review``."""
        return cls(review.player, review.cost, review.worst)

    def to_fields(self) -> dict[str, Any]:
        """``worst``: what was made and what was best, tiles or a number of dice, and its cost."""
        said: dict[str, Any] = {"player": self.player, "cost": round(self.cost, 3)}
        if self.worst is not None:
            key = "dice" if self.worst.is_dice else "shut"
            made, best = list(self.worst.made), list(self.worst.best)
            said["worst"] = {key: made, "best": best, "cost": round(self.worst.cost, 3)}
        return said


@dataclass(frozen=True, slots=True)
class Keep:
    """Write ``records`` to the journal as one step that begins at ``seq``, before anything else is shown.

    ``after``: the history with them.
    """

    seq: int
    records: tuple[Record, ...]
    after: History


@dataclass(frozen=True, slots=True)
class Say:
    """Tell the listeners."""

    saying: Saying


@dataclass(frozen=True, slots=True)
class Show:
    """Put ``view`` on the display."""

    view: View


@dataclass(frozen=True, slots=True)
class Answered:
    """To the phone that asked with ``number``: it is done, or the ``problem``."""

    number: int
    problem: str


@dataclass(frozen=True, slots=True)
class WantRoll:
    """Ask the dice source for a throw of ``count`` dice."""

    count: int


@dataclass(frozen=True, slots=True)
class AwaitThrow:
    """Have the camera watch for a throw of ``count`` dice by people; 0: no longer."""

    count: int


@dataclass(frozen=True, slots=True)
class WakeAt:
    """Send a ``Tick`` at ``at`` (seconds, monotonic); replaces the last wish; None: no wish."""

    at: float | None


@dataclass(frozen=True, slots=True)
class Ask:
    """Reckon what ``coach`` is to say about ``game``; ``Advised`` with the same ``seq`` brings it.

    A newer question makes an older one idle.
    """

    seq: int
    game: Game
    coach: Coach


Effect = Keep | Say | Show | Answered | WantRoll | AwaitThrow | WakeAt | Ask
