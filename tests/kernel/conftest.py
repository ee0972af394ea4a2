"""Runs these tests in a kernel of their own: collected and reported here, run in the guest.

``BOXKEEPER_KERNEL=try`` asks for it, and skips with a reason where it cannot be had; with
``BOXKEEPER_KERNEL=require`` that fails.  All chosen tests run in one boot a backend, before any other test.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "rig")]
pytest.register_assert_rewrite("running_table", "service_process")

from header import Header  # noqa: E402 - found by the line above
from panel_bus import PanelBus  # noqa: E402
from rig import BACKENDS, Guest, KernelMissing, backend_of, console  # noqa: E402

IN_GUEST = os.environ.get("BOXKEEPER_GUEST", "")
ASKED = os.environ.get("BOXKEEPER_KERNEL", "")
OUT = Path("/run/out")


class Outcome:
    """Of the boot: ``reports`` by node id, or why there are none."""

    reports: dict[str, list[dict[str, Any]]]
    guest: Guest
    lacking = ""

    def __init__(self) -> None:
        self.reports, self.guest = {}, Guest()


_OUTCOME = pytest.StashKey[Outcome]()


def _is_here(item: pytest.Item) -> bool:
    return HERE in item.path.parents


def pytest_collection_finish(session: pytest.Session) -> None:
    """Boot, where it was asked for."""
    outcome = session.config.stash[_OUTCOME] = Outcome()
    tests = [item.nodeid for item in session.items if _is_here(item)]
    if IN_GUEST or not ASKED or not tests or session.config.option.collectonly:
        return
    try:
        outcome.guest.build()
    except KernelMissing as error:
        outcome.lacking = str(error)
    else:
        outcome.reports = outcome.guest.run(tests)


def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Say what the guest reported of ``item``; without a report it runs here, and says why it cannot."""
    reports = item.config.stash[_OUTCOME].reports.get(item.nodeid)
    if not reports or not _is_here(item):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for data in reports:
        report = item.config.hook.pytest_report_from_serializable(config=item.config, data=data)
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In the guest: keep each report for the host."""
    report = yield
    if IN_GUEST:
        data = item.config.hook.pytest_report_to_serializable(config=item.config, report=report)
        with (OUT / "reports.jsonl").open("a") as file:
            file.write(json.dumps(data, default=str) + "\n")
    return report


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The times, and what tests measured."""
    outcome = config.stash.get(_OUTCOME, None)
    if outcome is None or not outcome.reports:
        return
    terminalreporter.section("a kernel of its own")
    for step, seconds in outcome.guest.seconds.items():
        terminalreporter.line(f"{seconds:7.1f} s  {step}")
    for nodeid, reports in outcome.reports.items():
        figures = [f"{name} {value}" for report in reports for name, value in report["user_properties"]]
        figures = list(dict.fromkeys(figures))
        seconds = sum(report["duration"] for report in reports)
        name = nodeid.rpartition("::")[2]
        terminalreporter.line(f"{seconds:7.1f} s    {backend_of(nodeid)}: {name}  {', '.join(figures)}")


@pytest.fixture(autouse=True)
def _only_in_the_guest(request: pytest.FixtureRequest) -> None:
    if IN_GUEST:
        return
    lacking = request.config.stash[_OUTCOME].lacking
    if not ASKED:
        pytest.skip("needs a kernel of its own: BOXKEEPER_KERNEL=try builds and boots one")
    if not lacking:
        said = console(backend_of(request.node.nodeid))
        pytest.fail(f"the guest did not report of it; its console:\n{said}")
    if ASKED == "require":
        pytest.fail(f"no kernel of its own: {lacking}")
    pytest.skip(f"no kernel of its own: {lacking}")


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    """How pins are reached: each in a run of its own, with the environment for it."""
    return str(request.param)


@pytest.fixture
def header() -> Iterator[Header]:
    """The 40-pin header of a Pi, all lines high."""
    header = Header()
    yield header
    header.close()


@pytest.fixture
def bus() -> Iterator[PanelBus]:
    """The I2C bus 1, with a panel on it."""
    bus = PanelBus()
    yield bus
    bus.plug()
