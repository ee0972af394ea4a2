"""This computer as the doctor sees it, and what programs tell where files do not."""

from __future__ import annotations

import grp
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.config import Config
from firmware_host.findings import Grade
from hardware.doctor import Place
from hardware.doctor.computer import power
from hardware.doctor.place import group_of, installed_version, output_of


@pytest.mark.parametrize(
    ("said", "grade", "text"),
    [
        ("throttled=0x0", Grade.OK, "the voltage is good"),
        ("throttled=0x50005", Grade.WRONG, "too low now"),
        ("throttled=0x50000", Grade.WARNING, "too low since the start"),
        ("throttled=0x80008", Grade.WARNING, "too hot"),
        ("VCHI initialization failed", Grade.WARNING, "not known"),
        (None, Grade.WARNING, "not known"),
    ],
)
def test_where_the_kernel_does_not_tell_vcgencmd_is_asked(
    tmp_path: Path, said: str | None, grade: Grade, text: str
) -> None:
    place = replace(Place(tmp_path), output=lambda command: said if command[0] == "vcgencmd" else None)
    (finding,) = power(place, Config())
    assert finding.grade is grade
    assert text in finding.text


def test_a_program_that_is_missing_fails_or_hangs_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.doctor.place.PROGRAM_S", 0.2)
    assert output_of(["no-such-program"]) is None
    assert output_of([sys.executable, "-c", "raise SystemExit(1)"]) is None
    assert output_of([sys.executable, "-c", "import time; time.sleep(60)"]) is None
    monkeypatch.setattr("hardware.doctor.place.PROGRAM_S", 30)
    assert output_of([sys.executable, "-c", "print(' yes ')"]) == "yes"


def test_versions_and_groups_are_those_of_the_system(tmp_path: Path) -> None:
    assert installed_version("pytest") == pytest.__version__
    assert installed_version("no-such-package") is None
    assert group_of(tmp_path) == grp.getgrgid(tmp_path.stat().st_gid).gr_name


def test_who_has_a_file_open_is_named(tmp_path: Path) -> None:
    file = tmp_path / "gpiochip0"
    file.touch()
    code = "import sys; file = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        program.stdout.readline()
        holders = list(Place().holders(str(file)))
        program.communicate()
    assert [holder.rpartition(" ")[2] for holder in holders] == [str(program.pid)]


@pytest.mark.parametrize(
    ("words", "is_service"),
    [
        (("/opt/boxkeeper/bin/python", "/opt/boxkeeper/bin/boxkeeper", "run"), True),
        (("/opt/boxkeeper/bin/boxkeeper", "run", "--config", "/etc/boxkeeper.toml"), True),
        (("python3", "-m", "firmware_host", "run"), True),
        (("/opt/boxkeeper/bin/python", "/opt/boxkeeper/bin/boxkeeper", "doctor"), False),
        (("vim", "boxkeeper", "notes"), False),
        (("",), False),
    ],
)
def test_the_service_is_known_by_its_command_line(
    tmp_path: Path, words: tuple[str, ...], is_service: bool
) -> None:
    process = tmp_path / "proc" / "77"
    process.mkdir(parents=True)
    (process / "cmdline").write_text("\0".join(words) + "\0")
    assert Place(tmp_path).service() == (77 if is_service else None)


def test_a_file_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    assert Place(tmp_path).read("/etc/os-release") is None
    os.mkdir(tmp_path / "etc")
    assert Place(tmp_path).read("/etc") is None
