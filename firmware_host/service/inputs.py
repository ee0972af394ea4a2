"""A sensor's levels on their way into the loop: at every edge, and now and then without one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from firmware_host.errors import DeviceError
from firmware_host.ports import Levels, LevelSensor
from firmware_host.service.supervise import Supervised

_log = logging.getLogger(__name__)


class SensorWatch:
    """Reads a sensor when it is opened, at each edge, and every ``poll_s`` of it.

    An edge is only a reason to read all levels again; the slow re-read heals a lost edge.
    Reading may take a bus, so it is done in the device's worker; ``seen`` gets the levels, in the loop.
    """

    def __init__(
        self,
        name: str,
        open_sensor: Callable[[], LevelSensor],
        seen: Callable[[Levels], None],
        back: Callable[[str], None],
        lost: Callable[[str, str], None],
    ) -> None:
        self._name, self._seen, self._back = name, seen, back
        self._device = Supervised(
            name, lambda: _read_once(open_sensor()), self._opened, lambda reason: lost(name, reason)
        )
        self._poll: asyncio.TimerHandle | None = None
        self._reading: LevelSensor | None = None  # whose levels the worker is about to bring
        self._is_asked = False  # something changed since it began to

    async def keep(self) -> None:
        """Watch until cancelled."""
        await self._device.keep()

    async def close(self) -> None:
        """Let go of the lines."""
        if self._poll is not None:
            self._poll.cancel()
        await self._device.close()

    def _opened(self, sensor: LevelSensor) -> None:
        if sensor.note:
            _log.warning("%s: %s", self._name, sensor.note)
        self._back(self._name)
        loop = asyncio.get_running_loop()

        def edge() -> None:
            loop.call_soon_threadsafe(self._read, sensor)

        sensor.watch(edge)
        self._read_and_wait(sensor)

    def _read_and_wait(self, sensor: LevelSensor) -> None:
        if sensor is not self._device.device:
            return  # lost: the next one has a poll of its own
        self._read(sensor)
        loop = asyncio.get_running_loop()
        # All sensors are read in the same moments, so that an idle table wakes up once for all.
        moment = (round(loop.time() / sensor.poll_s) + 1) * sensor.poll_s
        self._poll = loop.call_at(moment, self._read_and_wait, sensor)

    def _read(self, sensor: LevelSensor) -> None:
        """Have ``sensor`` read; what asks while it is being read has it read once more."""
        if sensor is not self._device.device:
            return  # an edge of a sensor that was lost since
        if self._reading is sensor:
            self._is_asked = True
            return
        self._reading, self._is_asked = sensor, False
        job = asyncio.get_running_loop().run_in_executor(self._device.worker, sensor.read)
        job.add_done_callback(lambda done: self._was_read(sensor, done))

    def _was_read(self, sensor: LevelSensor, job: asyncio.Future[Levels]) -> None:
        if sensor is not self._device.device or job.cancelled():
            return
        self._reading = None
        try:
            levels = job.result()
        except DeviceError as error:
            if self._poll is not None:
                self._poll.cancel()
            self._device.fail(str(error))
            return
        self._seen(levels)
        if self._is_asked:
            self._read(sensor)


def _read_once(sensor: LevelSensor) -> LevelSensor:
    """``sensor``, when it can not only be opened but read."""
    try:
        sensor.read()
    except DeviceError:
        sensor.close()
        raise
    return sensor
