"""The display in its worker: it is drawn as fast as it can, and the latest wins."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware_host.errors import DeviceError
from firmware_host.screens.picture import draw
from firmware_host.screens.text import lines
from firmware_host.service.supervise import Supervised
from firmware_host.table.view import Brightness, Scene, View

if TYPE_CHECKING:
    from firmware_host.ports import Display

NAME = "display"
PROBES_A_REFRESH = 6  # a panel that was without power for a moment answers, but is dark
PROBE_S = 10.0  # a panel that shows the same for long is asked whether it is still there
_CONTRAST = {Brightness.FULL: 255, Brightness.DIM: 1}


class Panel:
    """Shows the latest view.  ``shown`` gets the text of each picture that reached the panel."""

    def __init__(
        self,
        open_display: Callable[[], Display | None],
        back: Callable[[str], None],
        lost: Callable[[str, str], None],
        shown: Callable[[tuple[str, ...]], None],
        *,
        blank_at_exit: bool,
    ) -> None:
        self.lines: tuple[str, ...] = ()  # what the panel last received; empty while it is gone
        self._back, self._lost, self._shown = back, lost, shown
        self._view = View(Scene.TITLE)
        self._changed = asyncio.Event()
        self._is_known = asyncio.Event()  # a picture got there, or there is nothing to draw on
        self._device = Supervised(
            NAME, lambda: _Drawer(open_display(), blank_at_exit), self._opened, self._gone
        )

    @property
    def is_current(self) -> bool:
        """The panel shows the latest view, or there is none to show it."""
        return not self._changed.is_set() or self._device.device is None

    @property
    def view(self) -> View:
        """The latest view, on the panel or on its way there."""
        return self._view

    async def first_picture(self) -> None:
        """Return when a picture has reached the panel, or when it is known that there is none."""
        await self._is_known.wait()

    def show(self, view: View) -> None:
        """Show ``view`` when the panel is ready for it; a later one may overtake it."""
        self._view = view
        self._changed.set()

    async def keep(self) -> None:
        """Open the display and draw until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._device.keep())
            tasks.create_task(self._draw())

    async def finish(self) -> None:
        """Bring the last view to the panel."""
        self._changed.set()  # drawing it may have begun and been cancelled
        await self._draw_latest()

    async def close(self) -> None:
        """Let go of the panel: dark, or with its last picture, as configured."""
        await self._device.close()

    def _opened(self, _drawer: _Drawer) -> None:
        self._back(NAME)
        self._changed.set()

    def _gone(self, reason: str) -> None:
        self._is_known.set()
        self.lines = ()
        self._lost(NAME, reason)

    async def _draw(self) -> None:
        while True:
            # Not wait_for: before Python 3.12 it loses a cancellation that comes together with the change.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PROBE_S):
                    await self._changed.wait()
            await self._draw_latest()

    async def _draw_latest(self) -> None:
        drawer, view, is_probe = self._device.device, self._view, not self._changed.is_set()
        self._changed.clear()
        if drawer is None:
            return
        job = drawer.probe if is_probe else lambda: drawer.draw(view)
        try:
            shown = await asyncio.get_running_loop().run_in_executor(self._device.worker, job)
        except DeviceError as error:
            self._device.fail(str(error))
            return
        self._is_known.set()
        if shown != self.lines:
            self.lines = shown
            self._shown(shown)


class _Drawer:
    """The display's side of the worker: draws views, and only in that thread."""

    def __init__(self, display: Display | None, blank_at_exit: bool) -> None:
        self._display, self._blank_at_exit = display, blank_at_exit
        self._brightness = Brightness.FULL
        self._shown: tuple[str, ...] = ()
        self._probes = 0

    def draw(self, view: View) -> tuple[str, ...]:
        """Put ``view`` on the panel; returns its text, nothing where there is no panel."""
        if self._display is None:
            return ()
        if view.brightness is not Brightness.OFF:
            self._display.show(draw(view))
        if view.brightness is not self._brightness:
            self._display.power(view.brightness is not Brightness.OFF)
            self._display.dim(_CONTRAST.get(view.brightness, 0))
            self._brightness = view.brightness
        self._shown = lines(view)
        return self._shown

    def probe(self) -> tuple[str, ...]:
        """Say something short to the panel, to hear whether it is still there; now and then say all anew."""
        self._probes += 1
        if self._display is not None and self._brightness is not Brightness.OFF:
            if self._probes % PROBES_A_REFRESH:
                self._display.dim(_CONTRAST[self._brightness])
            else:
                self._display.refresh()
        return self._shown

    def close(self) -> None:
        """Let go of the panel, dark or with its last picture as configured."""
        if self._display is not None:
            self._display.close(self._blank_at_exit)
