"""Everything the table knows, as one immutable value."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.games.coach import Coach
from firmware_host.games.counsel import NOTHING_KNOWN, Counsel
from firmware_host.games.game import CHIPS, Target
from firmware_host.table.buttons import Buttons
from firmware_host.table.dialog import Dialog, SetUp, ShowPhone
from firmware_host.table.effects import Saying
from firmware_host.table.history import CAMERA, History
from firmware_host.table.sight import Sight
from firmware_host.table.situation import NOTHING, Free, Phase, Situation
from firmware_host.table.typing_dice import TypedDice
from firmware_host.table.view import Brightness, Notice, Scene, View

KEYPAD, NO_DICE = "keypad", "none"  # sources: real dice typed in; nobody knows the dice
CAMERA_DEVICE = "camera"  # as it is lost and found
TUMBLE_S = 0.8  # dice roll on the screen
TUMBLE_FRAME_S = 0.1
NOTICE_S = 4.0  # read twice at ease
HINT_S = 10.0  # long enough to find its tiles
REVIEW_S = 12.0  # two lines, read at ease while the box is opened again
AGAIN_AFTER_S = 2.0  # whoever pressed *next* once too often does not want another match
THINKS_S = 1.0  # who waits longer for the box to say what it plays wants to know why
STUCK_S = 10.0  # nobody needs so long to flip a tile, even eight of them
DIALOG_S = 30.0  # a dialog that nobody goes on with is left
PHONE_S = 120.0  # a phone is unlocked, its camera opened, four digits typed
BLINK_S = 0.5
BLINKS = 20  # then squares stay lit: whoever still looks has seen them
DIM_S = 600.0
SLEEP_S = 1800.0


@dataclass(frozen=True, slots=True)
class Session:
    """Everything the table knows.

    Kept: ``history``.  Of the hands: ``sight``, ``buttons``, ``asked`` (dice asked of the source, 0:
    none), ``awaited`` (dice that people are to throw before the camera, 0: none), ``refused`` (why the
    camera could not tell the last throw of those awaited), ``is_doubted`` (the player says that a tile is
    not seen), ``choice`` (which proposal is shown).  Of time: ``settled_at`` (when the present complete move
    was first seen), ``tumbled_at``, ``noticed_at``, ``situated_at`` (when the situation last changed),
    ``active_at``, ``hinted_at`` (a hint is shown since then), ``ended_at`` (the match has just ended, no
    other begins yet).
    Of the coach: ``asked_about`` (``seq``), ``asked_at`` (None: answered), ``counsel`` on the accepted state.
    ``people``: who is known, who played last first; ``newcomers``: who of them was not before this match.
    ``phone``: how the keeper's gets to the page, None where there is none.
    Told last: ``said``, ``view``, ``watched`` (dice that the camera watches for), ``wake_at``.
    """

    history: History = History()  # noqa: RUF009 (a frozen value)
    sight: Sight = Sight()  # noqa: RUF009
    buttons: Buttons = Buttons()  # noqa: RUF009
    lost: tuple[str, ...] = ()
    is_resuming: bool = False
    is_stopping: bool = False
    coach: Coach = Coach()  # noqa: RUF009
    house: SetUp = SetUp()  # noqa: RUF009
    setup: SetUp = SetUp()  # noqa: RUF009
    people: tuple[str, ...] = ()
    newcomers: tuple[str, ...] = ()
    phone: ShowPhone | None = None
    best: int | None = None
    dialog: Dialog | None = None
    typed: TypedDice | None = None
    asked: int = 0
    awaited: int = 0
    refused: str = ""
    is_doubted: bool = False
    choice: int = 0
    notice: Notice | None = None
    is_under_way: bool = False
    is_undone: bool = False
    settling: Target | None = None
    settled_at: float | None = None
    tumbled_at: float | None = None
    noticed_at: float = 0.0
    active_at: float = 0.0
    hinted_at: float | None = None
    ended_at: float | None = None
    asked_about: int = 0
    asked_at: float | None = None
    counsel: Counsel = NOTHING_KNOWN
    targets: tuple[Target, ...] = ()
    situation: Situation = NOTHING
    situated_at: float = 0.0
    said: Saying | None = None
    view: View = View(Scene.TITLE)  # noqa: RUF009
    watched: int = 0
    wake_at: float | None = None

    @property
    def is_pending(self) -> bool:
        """Something will happen by itself soon: a debounce, a settle, a throw, an animation."""
        waits = (self.sight.due, self.buttons.due, self.settled_at, self.tumbled_at, self.ended_at)
        return bool(self.asked) or any(at is not None for at in waits)

    @property
    def dialog_s(self) -> float:
        """How long the present dialog waits for somebody."""
        return PHONE_S if isinstance(self.dialog, ShowPhone) else DIALOG_S

    @property
    def source(self) -> str:
        """Where the dice of this match come from."""
        return str(self.history.settings.get("dice.source", self.house.source))

    @property
    def are_dice_typed(self) -> bool:
        """Real dice, and nobody but the buttons to tell them."""
        return self.source == KEYPAD or (self.source == CAMERA and CAMERA_DEVICE in self.lost)

    @property
    def free(self) -> Free:
        """Whether the match is played without known dice, and the turn has begun."""
        if self.source != NO_DICE:
            return Free.NO
        return Free.UNDER_WAY if self.is_under_way else Free.YES

    def is_stuck(self, now: float) -> bool:
        """The same tiles are to be put right for long: a sensor may be dead."""
        return self.situation.phase is Phase.PUT_RIGHT and now >= self.situated_at + STUCK_S

    def thinks_from(self) -> float | None:
        """From when on it is to be said that the box makes up its mind for a seat that it plays."""
        game = self.history.game
        if self.asked_at is None or game is None or not game.match.opponent:
            return None
        return self.asked_at + THINKS_S

    def blink(self, now: float) -> int:
        """How often marked squares of the chip board have gone dark and lit again; -1: they do not."""
        game = self.history.game
        blinks = self.situation.phase in (Phase.MOVE, Phase.PUT_RIGHT, Phase.OVER)
        if game is None or game.device != CHIPS or not blinks or now >= self.situated_at + BLINKS * BLINK_S:
            return -1
        # Counted with the very sums that are due, so that rounding cannot leave one due for ever.
        return sum(now >= self.situated_at + turn * BLINK_S for turn in range(1, BLINKS + 1))

    def shows_review(self, now: float) -> bool:
        """The turn that has just ended is still looked at."""
        is_quiet = self.situation.phase in (Phase.ROLL, Phase.OVER)
        return is_quiet and self.counsel.review is not None and now < self.situated_at + REVIEW_S

    def brightness(self, now: float) -> Brightness:
        """How bright the panel is to be after idling up to ``now``."""
        if now < self.active_at + DIM_S:
            return Brightness.FULL
        return Brightness.DIM if now < self.active_at + SLEEP_S else Brightness.OFF

    def next_due(self, now: float) -> float | None:
        """When something changes by itself if nothing comes in; None: never."""
        dues = [self.sight.due, self.buttons.due, self.settled_at]
        if (blink := self.blink(now)) >= 0:
            dues.append(self.situated_at + (blink + 1) * BLINK_S)
        if self.tumbled_at is not None:
            dues.append(self.tumbled_at + min(TUMBLE_S, self.tumble(now) * TUMBLE_FRAME_S))
        if self.notice is not None:
            dues.append(self.noticed_at + NOTICE_S)
        if self.situation.phase is Phase.PUT_RIGHT and now < self.situated_at + STUCK_S:
            dues.append(self.situated_at + STUCK_S)
        if (thinks_from := self.thinks_from()) is not None and now < thinks_from:
            dues.append(thinks_from)
        if self.hinted_at is not None:
            dues.append(self.hinted_at + HINT_S)
        if self.ended_at is not None:
            dues.append(self.ended_at + AGAIN_AFTER_S)
        if self.shows_review(now):
            dues.append(self.situated_at + REVIEW_S)
        if self.dialog is not None:
            dues.append(self.active_at + self.dialog_s)
        dues += [at for at in (self.active_at + DIM_S, self.active_at + SLEEP_S) if at > now]
        return min((due for due in dues if due is not None), default=None)

    def tumble(self, now: float) -> int:
        """The frame of the rolling animation, from 1; 0 when no dice roll."""
        if self.tumbled_at is None:
            return 0
        frames = range(round(TUMBLE_S / TUMBLE_FRAME_S))
        return sum(now >= self.tumbled_at + frame * TUMBLE_FRAME_S for frame in frames)
