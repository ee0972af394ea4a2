"""The link to the microcontroller: one port, one reader thread."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol

from firmware_host.errors import BoxkeeperError, DeviceError, DeviceLostError, DeviceNotFoundError
from hardware.link.conversation import Conversation, Greeted, LinkEvent, OtherVersion, Restarted, Stated
from hardware.mcu.wire import LAST_TOKEN

_log = logging.getLogger(__name__)

GREETINGS = 5  # a board that is just starting, or resets when its port is opened, hears one of them
GREETING_S = 0.4
SILENCE_S = 3.0  # the chip sends a state twice a second: it has stopped
# So much without one good line, sixty times the length of a state: the wire brings nothing but noise.
_MOST_NOISE = 2048


class Port(Protocol):
    """An open serial port; every call raises OSError once it has hung up."""

    @property
    def name(self) -> str:
        """As in /dev, for messages."""

    def read(self) -> bytes:
        """What has come, at least one byte; waits for it; empty only when the port was closed.

        TimeoutError after ``SILENCE_S`` without any.
        """

    def write(self, data: bytes) -> None:
        """Send ``data``."""

    def close(self) -> None:
        """Let go, and end a ``read`` that waits; quiet when called twice."""


def new_token() -> int:
    """A number that a chip which was not just greeted by us does not know."""
    return 1 + secrets.randbelow(LAST_TOKEN)


class Link:
    """An open port with a chip that has answered.  Any failure is final: it is closed and opened anew.

    ``users``: how many share it, kept by :class:`hardware.link.shared.SharedLink`.
    """

    def __init__(self, port: Port, token: Callable[[], int] = new_token) -> None:
        """Take over ``port``, greet the chip and wait for its first state.

        Raises DeviceNotFoundError if it does not answer, or speaks another version.
        """
        self.users = 0
        self._noise = 0  # bytes since the last line that counted
        self._port = port
        self._conversation = Conversation(token)
        self._lock = threading.Lock()  # around the conversation and all below
        self._state: Stated | None = None
        self._is_greeted = self._was_reset = False
        self._watchers: dict[object, tuple[Callable[[Stated], object], object, Callable[[], None]]] = {}
        self._why_lost = ""
        self._heard = threading.Event()  # something that decides how the start goes on
        self._other_version = ""
        threading.Thread(target=self._listen, name="serial", daemon=True).start()
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    @property
    def is_lost(self) -> bool:
        """It will not say anything any more."""
        return bool(self._why_lost)

    def state(self) -> Stated:
        """The levels as last heard; DeviceLostError if the link is lost."""
        with self._lock:
            if self._why_lost:
                raise DeviceLostError(f"{self._port.name}: {self._why_lost}")
            assert self._state is not None, "a link begins with a state"
            return self._state

    def watch(self, owner: object, part: Callable[[Stated], object], changed: Callable[[], None]) -> None:
        """Call ``changed``, in the reader's thread, when ``part`` of the state changes, and at the end."""
        with self._lock:
            last = part(self._state) if self._state is not None else None
            self._watchers[owner] = (part, last, changed)

    def forget(self, owner: object) -> None:
        """``owner`` watches no more."""
        with self._lock:
            self._watchers.pop(owner, None)

    def light(self, tiles: frozenset[int]) -> None:
        """Light exactly these lamps; DeviceLostError."""
        self._say(lambda conversation: conversation.light(tiles))

    def tone(self, hz: int, volume: int) -> None:
        """Hum; DeviceLostError."""
        self._say(lambda conversation: conversation.tone(hz, volume))

    def fail(self, reason: str) -> None:
        """Give the link up: whoever uses it next is told ``reason``."""
        with self._lock:
            self._why_lost = self._why_lost or reason
            watchers = tuple(self._watchers.values())
        self._heard.set()
        self._tell([changed for _, _, changed in watchers])
        self._port.close()

    def close(self) -> None:
        """Let go of the port; its reader ends by itself."""
        with self._lock:
            self._watchers.clear()
        self.fail("closed before")

    def _begin(self) -> None:
        for _ in range(GREETINGS):
            self._say(Conversation.greet)
            if self._heard.wait(GREETING_S):
                break
        if self._other_version:
            mend = "copy hardware/mcu to it again"
            raise DeviceNotFoundError(
                f"{self._port.name}: the board's firmware speaks version {self._other_version}: {mend}"
            )
        if self._why_lost:
            raise DeviceNotFoundError(f"{self._port.name}: {self._why_lost}")
        if self._state is None:
            mend = "is our firmware (hardware/mcu) on it?"
            raise DeviceNotFoundError(f"{self._port.name}: the board does not answer: {mend}")

    def _say(self, what: Callable[[Conversation], None]) -> None:
        with self._lock:
            if self._why_lost:
                raise DeviceLostError(f"{self._port.name}: {self._why_lost}")
            what(self._conversation)
            data = self._conversation.take_to_send()
        self._send(data)

    def _send(self, data: bytes) -> None:
        if data:
            try:
                self._port.write(data)
            except OSError as error:
                self.fail(_reason(error))
                raise DeviceLostError(f"{self._port.name}: {_reason(error)}") from error

    # The reader's thread

    def _listen(self) -> None:
        with suppress(DeviceError):  # what failed is said by whoever asks next
            while not self._why_lost:
                try:
                    data = self._port.read()
                except TimeoutError:
                    self.fail("the board says nothing any more")
                    return
                except OSError as error:
                    self.fail(_reason(error))
                    return
                if not data:
                    return
                self._hear(data)

    def _hear(self, data: bytes) -> None:
        with self._lock:
            self._noise += len(data)
            for event in self._conversation.feed(data):
                self._note(event)
            to_send = self._conversation.take_to_send()
            changed = self._changed()
        if self._was_reset:
            self.fail("the board was reset")
            return
        if self._noise > _MOST_NOISE:
            self.fail("nothing but noise comes from the board")
            return
        self._tell(changed)
        self._send(to_send)

    def _note(self, event: LinkEvent) -> None:
        self._noise = 0
        match event:
            case Stated():
                self._state = event
                self._heard.set()
            case Greeted():
                self._is_greeted = True
            case OtherVersion(version):
                self._other_version = version
                self._heard.set()
            case Restarted():
                self._was_reset = self._is_greeted  # before that it has only just been plugged in

    def _changed(self) -> list[Callable[[], None]]:
        """Whom the present state is news to."""
        told = []
        for owner, (part, last, changed) in self._watchers.items():
            now = part(self._state) if self._state is not None else None
            if now != last:
                self._watchers[owner] = (part, now, changed)
                told.append(changed)
        return told

    def _tell(self, watchers: Iterable[Callable[[], None]]) -> None:
        for changed in watchers:
            try:
                changed()
            except Exception:  # noqa: BLE001 - one thread serves all: the others go on
                _log.exception("what watches %s failed at a change", self._port.name)


def _reason(error: OSError) -> str:
    if isinstance(error, BoxkeeperError):
        return str(error)
    return f"hung up ({error.strerror or error})"
