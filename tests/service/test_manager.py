"""What systemd hears: ready once the table runs, alive only from a loop that works, stopping at the end."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.config import Config, DisplayConfig, StoreConfig
from firmware_host.service.manager import ServiceManager
from firmware_host.service.runner import Runner
from hardware.backend import DeviceSet
from sim.buses import SimBuses, header_lines
from sim.clock import VirtualClock, VirtualLoop
from sim.world import World

WATCHDOG_S = 20.0


class Listening:
    """A manager that listens at ``address``."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address.replace("@", "\0", 1))
        self.socket.setblocking(False)

    def heard(self) -> list[str]:
        """What was said since the last look."""
        said = []
        while True:
            try:
                said.append(self.socket.recv(100).decode())
            except BlockingIOError:
                return said


@pytest.fixture(params=["path", "abstract"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "notify") if request.param == "path" else f"@boxkeeper-test-{os.getpid()}"


@pytest.fixture
def systemd(address: str) -> Iterator[Listening]:
    listening = Listening(address)
    yield listening
    listening.socket.close()


def manager_at(address: str, **more: str) -> ServiceManager:
    return ServiceManager.from_environment({"NOTIFY_SOCKET": address, **more})


def test_each_saying_is_one_datagram(systemd: Listening, address: str) -> None:
    manager = manager_at(address, WATCHDOG_USEC="20000000", WATCHDOG_PID=str(os.getpid()))
    manager.ready()
    manager.alive(0)
    manager.stopping()
    assert systemd.heard() == ["READY=1", "WATCHDOG=1", "STOPPING=1"]


def test_alive_is_said_no_more_often_than_is_of_use(systemd: Listening, address: str) -> None:
    manager = ServiceManager(address, WATCHDOG_S)
    for tenth in range(int(WATCHDOG_S * 10)):
        manager.alive(tenth / 10)
    assert systemd.heard() == ["WATCHDOG=1"] * 4


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"},
    ],
)
def test_without_a_watchdog_of_ours_alive_is_not_said(
    systemd: Listening, address: str, environment: dict[str, str]
) -> None:
    manager_at(address, **environment).alive(0)
    assert systemd.heard() == []


def test_nobody_who_listens_is_no_trouble(tmp_path: Path) -> None:
    for manager in (
        ServiceManager(),
        ServiceManager.from_environment({}),
        manager_at(str(tmp_path / "gone")),
    ):
        manager.ready()
        manager.stopping()


def test_a_manager_that_does_not_read_holds_nothing_up(systemd: Listening, address: str) -> None:
    manager = ServiceManager(address)
    for _ in range(10_000):  # more than any queue of datagrams holds
        manager.ready()


class Room:
    """A simulated box whose service has a manager."""

    def __init__(self, folder: Path, address: str) -> None:
        self.config = replace(Config(), store=StoreConfig(folder), display=DisplayConfig(controller="none"))
        loop = asyncio.get_running_loop()
        self.world = World(loop, self.config.rules.tiles)
        buttons = {name: getattr(self.config.buttons, name) for name in ("roll", "next", "back")}
        buses = SimBuses(self.world, header_lines(self.world, self.config.tiles.pins, buttons))
        self.backend = DeviceSet(self.config, buses, self.world.chance)
        manager = ServiceManager(address, WATCHDOG_S)
        self.runner = Runner(self.backend, self.config, VirtualClock(loop), lambda _: None, manager)
        self.task = asyncio.create_task(self.runner.run())


def run(scene: Callable[[], Awaitable[None]]) -> None:
    async def run_scene() -> None:
        await scene()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(run_scene())


def test_an_idle_table_is_ready_alive_and_stopping(systemd: Listening, address: str, tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path / "store", address)
        await asyncio.sleep(1)
        assert systemd.heard() == ["READY=1", "WATCHDOG=1"]
        for _ in range(10):
            await asyncio.sleep(WATCHDOG_S)
            assert set(systemd.heard()) == {"WATCHDOG=1"}
        room.runner.stop()
        await room.task
        assert systemd.heard()[-1] == "STOPPING=1"

    run(scene)


def test_a_main_loop_that_is_stuck_is_not_alive(
    systemd: Listening, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        room = Room(tmp_path / "store", address)
        await asyncio.sleep(WATCHDOG_S)
        stuck = asyncio.Event()

        async def hang(*_: object) -> None:
            await stuck.wait()

        monkeypatch.setattr("firmware_host.service.main_loop.MainLoop._work_off", hang)
        await asyncio.sleep(WATCHDOG_S)
        systemd.heard()
        await asyncio.sleep(10 * WATCHDOG_S)
        assert systemd.heard() == []
        room.task.cancel()
        await asyncio.wait([room.task])

    run(scene)
