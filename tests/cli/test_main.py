"""The command as a whole: which commands there are, and how they end."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from firmware_host import errors
from firmware_host.cli import legal
from firmware_host.cli.main import COMMANDS, main

ROOT = Path(__file__).parents[2]
LEGAL = ("legal", "123456789", "3", "5")


def command(*argv: str) -> list[str]:
    return [sys.executable, "-m", "firmware_host", *argv]


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    def run(_: object) -> int:
        raise error

    monkeypatch.setattr(legal, "run", run)
    return main(LEGAL)


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-h"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {name}" in out for name in COMMANDS)


@pytest.mark.parametrize(
    ("argv", "what"),
    [
        ([], "no command; allowed: "),
        (["legl"], "'legl' is no command, did you mean legal? allowed: "),
        (["--json", "legal"], "'--json' is no command"),
        (["prance"], "'prance' is no command; allowed: "),
    ],
)
def test_a_command_that_does_not_exist_is_wrong_use(
    capsys: pytest.CaptureFixture[str], argv: list[str], what: str
) -> None:
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"boxkeeper: {what}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.ConfigError, 2),
        (errors.RuleError, 2),
        (errors.PlayError, 2),
        (errors.JournalError, 1),
        (errors.DeviceNotFoundError, 1),
        (errors.DeviceLostError, 1),
        (errors.BoxkeeperError, 1),
        (OSError, 1),
    ],
)
def test_an_error_is_one_line_and_tells_wrong_use_from_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kind: type[Exception], code: int
) -> None:
    assert fail_with(monkeypatch, kind("what went wrong;\n  how to mend it")) == code
    assert capsys.readouterr().err == "boxkeeper: what went wrong; how to mend it\n"


def test_an_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert fail_with(monkeypatch, KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == ""


def test_our_own_faults_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        fail_with(monkeypatch, ZeroDivisionError())


def test_the_package_runs_as_the_command() -> None:
    done = subprocess.run(command(*LEGAL), cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("8\n1 7\n")


def test_a_reader_that_leaves_is_no_reason_to_complain() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            command(*LEGAL),
            cwd=ROOT,
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command(*LEGAL), cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    assert done.returncode == 1
    assert done.stderr.startswith("boxkeeper: ")
    assert done.stderr.count("\n") == 1


def test_a_command_is_imported_only_when_it_is_called() -> None:
    script = (
        "import sys; from firmware_host.cli.main import main; "
        "main(['legal', '123456789', '3', '5', '--json']); "
        "print(sorted({'gpiozero', 'luma', 'PIL', 'asyncio', 'sqlite3', 'firmware_host.cli.bench'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.endswith("\n[]\n")


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"boxkeeper {version('boxkeeper')}\n"


@pytest.mark.parametrize("name", ["doctor", "selftest"])
def test_a_fault_is_one_of_the_simulated_box(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--fault", "oled gone"]) == 2
    assert capsys.readouterr().err == "boxkeeper: --fault needs --bench\n"
