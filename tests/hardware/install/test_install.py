"""What is installed on a Pi: the script, the unit and the udev rules, as far as they can be judged at rest.

``tests/campaigns/install.py`` runs the script in a Debian of its own.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

INSTALL = Path(__file__).parents[3] / "hardware" / "install"
UNIT = (INSTALL / "boxkeeper.service").read_text()
SETTINGS = [tuple(line.split("=", 1)) for line in UNIT.splitlines() if re.match(r"\w+=", line)]
EXPOSURE_AT_MOST = 30  # tenths


def run(*command: str) -> subprocess.CompletedProcess[str]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.fixture
def unit(tmp_path: Path) -> str:
    """The unit, as if the program it starts were installed."""
    path = tmp_path / "boxkeeper.service"
    path.write_text(UNIT.replace("/opt/boxkeeper/bin/boxkeeper", "/bin/true"))
    return str(path)


def test_the_unit_is_one(unit: str) -> None:
    done = run("systemd-analyze", "verify", unit)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_fault_26_the_unit_is_hardened_and_yet_has_its_devices(unit: str) -> None:
    done = run(
        "systemd-analyze", "security", "--offline=true", "--no-pager",
        f"--threshold={EXPOSURE_AT_MOST}", unit,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.splitlines()[-1]
    allowed = {value for name, value in SETTINGS if name == "DeviceAllow"}
    assert {"char-gpiochip rw", "char-i2c rw", "char-ttyACM rw", "/dev/gpiomem rw"} <= allowed
    assert "PrivateDevices" not in dict(SETTINGS)


def test_fault_25_the_bus_is_wanted_and_nothing_is_required() -> None:
    names = [name for name, _ in SETTINGS]
    assert ("Wants", "modprobe@i2c_dev.service") in SETTINGS
    assert not {"Requires", "Requisite", "BindsTo", "PartOf"} & set(names)


def test_the_service_says_itself_that_it_is_ready_and_alive() -> None:
    assert dict(SETTINGS)["Type"] == "notify"
    assert int(dict(SETTINGS)["WatchdogSec"]) > 0


def test_fault_19_the_rules_name_the_groups_of_lines_buses_and_serial_ports() -> None:
    rules = (INSTALL / "70-boxkeeper.rules").read_text()
    found = dict(re.findall(r'SUBSYSTEM=="([\w-]+)".*GROUP="(\w+)"', rules))
    assert found == {"gpio": "gpio", "i2c-dev": "i2c", "tty": "dialout"}


def test_the_script_is_clean() -> None:
    done = run("shellcheck", str(INSTALL / "install.sh"))
    assert (done.returncode, done.stdout) == (0, "")


def test_what_is_installed_has_the_page() -> None:
    script = (INSTALL / "install.sh").read_text()
    assert "local copy extras=web\n" in script
    assert '--upgrade "${copy}[$extras]"' in script
    assert re.search(r"import .*\bsegno\b.*\bstarlette\b.*\buvicorn\b", script)


def test_a_dry_run_says_what_it_would_do_and_needs_no_root() -> None:
    if shutil.which("dpkg-query") is None:
        pytest.skip("this is no Debian")
    done = run("bash", str(INSTALL / "install.sh"), "--dry-run")
    if "is missing" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert (done.returncode, done.stderr) == (0, "")
    *steps, last = done.stdout.splitlines()
    assert all(line.startswith(("would ", "no config.txt")) for line in steps)
    assert last == "Nothing was done."


@pytest.mark.parametrize("option", ["--purge", "yes"])
def test_an_option_that_is_none_is_one_line(option: str) -> None:
    done = run("bash", str(INSTALL / "install.sh"), option)
    assert done.returncode == 1
    assert done.stderr == f"install.sh: {option} is no option; allowed: --dry-run, --uninstall, --help\n"
