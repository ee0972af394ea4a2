"""The service as a play drives it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware_host.config import Config, Settings
from firmware_host.errors import RuleError
from firmware_host.ports import Backend
from firmware_host.service.runner import Listener, Runner, match_wanted

if TYPE_CHECKING:
    from firmware_host.service.main_loop import Clock
    from firmware_host.table.report import Report


class BenchTable:
    """The service as a play drives it."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        listener: Listener,
        joined: Callable[[Runner], None] | None = None,
    ) -> None:
        """``joined``: gets each new service; then a first match is started as well, as ``run`` does."""
        self._settings, self._clock, self._listener = settings, clock, listener
        self._joined = joined
        self._runner: Runner | None = None
        self._task: asyncio.Task[None] | None = None

    def configure(self, key: str, value: str) -> None:
        """Change a setting for the next start; a contradiction shows then."""
        self._settings = self._settings.with_setting(key, value)

    @property
    def config(self) -> Config:
        """The settings in force."""
        return self._settings.build()

    async def power_on(self, backend: Backend) -> None:
        """Start the service."""
        config, first_match = self.config, None
        self._runner = Runner(backend, config, self._clock, self._listener)
        if self._joined is not None:
            self._joined(self._runner)
            with contextlib.suppress(
                RuleError
            ):  # others are to play by these rules: they are still to be named
                first_match = match_wanted(config, config.players)
        self._task = asyncio.create_task(self._runner.run(first_match))

    async def power_off(self) -> None:
        """Pull the plug."""
        task, runner, self._task, self._runner = self._task, self._runner, None, None
        if task is None or runner is None:
            return
        # A journal that is being opened in its worker would stay open: here no process ends with the power.
        opened = asyncio.create_task(runner.is_ready.wait())
        await asyncio.wait([task, opened], return_when=asyncio.FIRST_COMPLETED)
        for one in (task, opened):
            one.cancel()
        await asyncio.wait([task, opened])

    def start_match(self, players: tuple[str, ...], preset: str = "") -> None:
        """Start a match by the settings in force, with ``preset`` among them from now on.

        Raises RuleError or ConfigError, and changes nothing, where these players cannot play it so.
        """
        settings = self._settings.with_setting("rules.preset", preset) if preset else self._settings
        wanted = match_wanted(settings.build(), players)
        self._settings = settings
        if self._runner is not None:
            self._runner.post(wanted)

    @property
    def is_at_rest(self) -> bool:
        """Nothing is under way in the service."""
        if self._task is not None and self._task.done():
            self._task.result()  # it never ends by itself: if it did, show why
        return self._runner is None or self._runner.is_at_rest

    def report(self) -> Report:
        """What the table holds and waits for."""
        from firmware_host.table.report import Report, report  # late: the first picture goes without it

        is_loaded = self._runner is not None and self._runner.is_ready.is_set()
        return report(self._runner.session) if self._runner is not None and is_loaded else Report()

    def lines(self) -> tuple[str, ...]:
        """The text that the panel last received."""
        return self._runner.panel.lines if self._runner is not None else ()
