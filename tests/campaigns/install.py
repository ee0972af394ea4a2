"""Installs Boxkeeper in a Debian of its own, as a builder does: twice, broken and mended, taken away again.

    python tests/campaigns/install.py

Needs root, debootstrap, what ``tests/kernel`` needs, and the network for Debian's packages.  The
Debian, of the same release as this one, is made once in ``build/install``; raspi-config and
config.txt are as Raspberry Pi OS has them.  At last it is booted, with the kernel of
``tests/kernel``: the unit as it is hardened gets its lines and its bus, and a service that hangs is
started anew.  Prints each step with its time.  Exit 0: all held; 1: one did not.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/kernel/rig"))

import rig  # noqa: E402 - found by the line above

BUILD = ROOT / "build" / "install"
BASE, BOX, WHEELS = BUILD / "base", BUILD / "root", BUILD / "wheels"
INCLUDED = "systemd,systemd-sysv,udev,kmod,python3"  # what a Pi has anyway; python3-venv apt must bring
# Where the script may leave anything.
WATCHED = ("etc", "opt", "usr/local", "boot", "home", "root")
# What apt and useradd rewrite by themselves; accounts are looked at one by one.
NOT_OURS = (
    "etc/passwd", "etc/group", "etc/shadow", "etc/gshadow", "etc/subuid", "etc/subgid", "etc/ld.so.cache",
)  # fmt: skip
# What packages make of themselves when apt brings them; they stay.
FROM_PACKAGES = ("etc/alternatives", "etc/ca-certificates", "etc/ssl")
# Runs in the booted box, once all is started: what became of the service, then the end.
REPORT = """#!/bin/sh
{
  for i in $(seq 300); do systemctl is-active --quiet boxkeeper && break; sleep 1; done
  sleep 5
  systemctl show boxkeeper -p ActiveState,NRestarts,WatchdogTimestampMonotonic
  head -c 3000 /sys/kernel/debug/i2c_recorder/writes | wc -c
  kill -STOP $(systemctl show boxkeeper -p MainPID --value)
  for i in $(seq 300); do systemctl show boxkeeper -p NRestarts --value | grep -q 0 || break; sleep 1; done
  systemctl show boxkeeper -p NRestarts
  journalctl -u boxkeeper -o cat
} >/srv/report 2>&1
systemctl poweroff --force
"""
REPORT_UNIT = """[Service]
ExecStart=/srv/report.sh
[Install]
WantedBy=multi-user.target
"""
# The board's revision, in the /proc of its own that the unit has; all else is as installed.
DROP_IN = "[Service]\nBindReadOnlyPaths=/srv/cpuinfo:/proc/cpuinfo\n"
CONFIG_TXT = "# For more options see the documentation\n#dtparam=i2c_arm=on\n\n[cm4]\notg_mode=1\n"
RASPI_CONFIG = """#!/bin/sh
# The two calls of raspi-config that install.sh makes.
f=/boot/firmware/config.txt
case "$2 $3" in
  "get_i2c ") if grep -q '^dtparam=i2c_arm=on' $f; then echo 0; else echo 1; fi ;;
  "do_i2c 0") sed -i 's/^#*dtparam=i2c_arm=.*/dtparam=i2c_arm=on/' $f ;;
  "do_i2c 1") sed -i 's/^dtparam=i2c_arm=.*/#dtparam=i2c_arm=on/' $f ;;
esac
"""
PLAY = "players Ann Bob\nroll 4 5\nshut 9\nroll 3 5\nshut 5 3\nroll 6 6\nshut 8 4\nroll 2 3\n"
Snapshot = Mapping[str, str]


class Broken(Exception):
    """Something did not hold; says what."""


def main() -> int:
    if os.geteuid() != 0 or not shutil.which("debootstrap", path="/usr/sbin:/usr/bin:/sbin:/bin"):
        sys.stderr.write("install: needs root, and debootstrap (apt-get install debootstrap)\n")
        return 1
    if lacking := rig.missing():
        sys.stderr.write(f"install: the kernel that the box is booted with needs {lacking}\n")
        return 1
    try:
        with timed("a Debian"):
            make_base()
        with timed("wheels"):
            make_wheels()
        campaign()
    except (Broken, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"install: {error}\n")
        return 1
    sys.stdout.write("install: all held\n")
    return 0


def campaign() -> None:
    """Every step, in the order a builder may take them."""
    fresh()
    before = snapshot()
    with timed("dry run"):
        said = install("--dry-run")
        same(before, snapshot(), "after a dry run")
        check("would install python3-venv" in said and "would switch I2C on" in said, said)
    with timed("install"):
        install()
    installed = snapshot()
    look_around()
    with timed("install again"):
        said = install()
        same(installed, snapshot(), "after a second install")
        check(len(said.splitlines()) <= 3, f"the second install did more than the program:\n{said}")
    with timed("play"):
        play()
    with timed("break and repair"):
        break_it()
        said = install()
        same(installed, snapshot(), f"after a repair that said\n{said}")
        look_around()
    with timed("uninstall, dry"):
        install("--uninstall", "--dry-run")
        same(installed, snapshot(), "after an uninstall that was dry")
    with timed("uninstall, twice"):
        install("--uninstall")
        said = install("--uninstall")
        check(len(said.splitlines()) <= 2, f"the second uninstall found something to do:\n{said}")
        same(without_what_stays(before), without_what_stays(snapshot()), "after an uninstall")
        check("boxkeeper" not in (BOX / "etc/passwd").read_text(), "the user is still there")
        check((BOX / "var/lib/boxkeeper/boxkeeper.db").exists(), "the matches are gone")
    with timed("install after that"):
        install()
        same(installed, snapshot(), "after an install on old data")
        scores = as_user("boxkeeper scores --set store.dir=/var/lib/boxkeeper")
        check("Ann" in scores, f"the old match is not found: {scores}")
    with timed("boot it, hang it"):
        boot()


def boot() -> None:
    """Boot the box with its systemd: the service under its hardening, at real lines and a real bus."""
    rig.Guest().build_kernel()
    (BOX / "srv/cpuinfo").write_text(rig.cpuinfo())
    for path, content in (
        ("srv/report.sh", REPORT),
        ("etc/systemd/system/report.service", REPORT_UNIT),
        ("etc/systemd/system/boxkeeper.service.d/guest.conf", DROP_IN),
    ):
        file = BOX / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(content)
        file.chmod(0o755)
    inside("systemctl", "--quiet", "enable", "report")
    rig.boot(BOX, BUILD / "console.log", "boxkeeper.systemd systemd.mask=systemd-timesyncd.service")
    report = BOX / "srv/report"
    check(report.exists(), f"the box did not come up:\n{(BUILD / 'console.log').read_text()[-3000:]}")
    said = report.read_text()
    lines = said.splitlines()
    check("ActiveState=active" in lines and "NRestarts=0" in lines, f"the service does not run:\n{said}")
    check("3000" in lines, f"no picture reached the bus:\n{said}")
    check("NRestarts=1" in lines, f"a service that hangs is not started anew:\n{said}")
    check(not any(line.startswith("boxkeeper: no ") for line in lines), f"a device is shut out:\n{said}")


def make_base() -> None:
    """The Debian, once."""
    release = dict(
        line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line
    )
    if not (BASE / "made").exists():
        shutil.rmtree(BASE, ignore_errors=True)
        BUILD.mkdir(parents=True, exist_ok=True)
        include = f"--include={INCLUDED}"
        quietly("debootstrap", "--variant=minbase", include, release["VERSION_CODENAME"], str(BASE))
        (BASE / "made").touch()


def make_wheels() -> None:
    """What pip installs from, so that nothing depends on how this machine reaches its index."""
    shutil.rmtree(WHEELS, ignore_errors=True)
    wanted = (".[web,lgpio]", "setuptools>=64", "wheel")
    quietly(sys.executable, "-m", "pip", "wheel", "-qq", "-w", str(WHEELS), *wanted)
    for own in WHEELS.glob("boxkeeper-*.whl"):
        own.unlink()


def fresh() -> None:
    """A new Pi, with a checkout in its user's home."""
    if BOX.exists():
        shutil.rmtree(BOX)
    quietly("cp", "-a", "--reflink=auto", str(BASE), str(BOX))
    firmware = BOX / "boot/firmware"
    firmware.mkdir(parents=True)
    (firmware / "config.txt").write_text(CONFIG_TXT)
    script = BOX / "usr/bin/raspi-config"
    script.write_text(RASPI_CONFIG)
    script.chmod(0o755)
    for group in ("gpio", "i2c"):
        inside("groupadd", "--system", group)
    home = BOX / "home/builder/boxkeeper"
    home.mkdir(parents=True)
    for part in ("pyproject.toml", "README.md", "LICENSE", "firmware_host", "hardware", "sim"):
        quietly("cp", "-r", str(ROOT / part), str(home))
    for cache in list(home.rglob("__pycache__")):
        shutil.rmtree(cache)
    (home / "my.play").write_text(PLAY)
    shutil.copytree(WHEELS, BOX / "srv/wheels")
    shutil.copy("/etc/resolv.conf", BOX / "etc/resolv.conf")


def install(*options: str) -> str:
    """Run the script as root in the box; what it said."""
    return inside("/home/builder/boxkeeper/hardware/install/install.sh", *options)


def inside(*command: str) -> str:
    """Run ``command`` as root in the box, with a /proc of its own; what it said."""
    mounted = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", mounted, str(BOX), *command],
        capture_output=True,
        text=True,
        env={
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL": "C.UTF-8", "HOME": "/root",
            "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/srv/wheels", "PIP_NO_CACHE_DIR": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
        },
    )  # fmt: skip
    if done.returncode:
        raise Broken(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def as_user(command: str) -> str:
    """Run ``command`` as the service's user does."""
    return inside("setpriv", "--reuid=boxkeeper", "--regid=boxkeeper", "--init-groups", "sh", "-c", command)


def look_around() -> None:
    """What an install must have brought."""
    groups = set(inside("id", "-nG", "boxkeeper").split())
    check(groups == {"boxkeeper", "gpio", "i2c", "dialout", "video"}, f"groups are {groups}")
    check("[[8]" in as_user("cd / && boxkeeper legal 123456789 3 5 --json"), "the command does not work")
    inside("/opt/boxkeeper/bin/python", "-c", "import segno, starlette, uvicorn")
    check(inside("systemctl", "is-enabled", "boxkeeper") == "enabled\n", "the service is not enabled")
    said = inside("sh", "-c", "systemd-analyze verify boxkeeper.service 2>&1")
    check(said == "", f"the unit as installed: {said}")
    config = (BOX / "boot/firmware/config.txt").read_text()
    check(config.count("dtparam=i2c_arm_baudrate=400000") == 1, f"config.txt:\n{config}")


def play() -> None:
    """A match is kept, by the service's user in the service's folder."""
    (BOX / "var/lib/boxkeeper").mkdir(exist_ok=True)
    inside("chown", "boxkeeper:boxkeeper", "/var/lib/boxkeeper")
    as_user("boxkeeper bench /home/builder/boxkeeper/my.play --set store.dir=/var/lib/boxkeeper")


def break_it() -> None:
    """What people and half an update do to an install."""
    shutil.rmtree(next((BOX / "opt/boxkeeper/lib").glob("python3*/site-packages/PIL")))
    (BOX / "etc/systemd/system/boxkeeper.service").unlink()
    (BOX / "etc/udev/rules.d/70-boxkeeper.rules").write_text("nonsense")
    (BOX / "usr/local/bin/boxkeeper").unlink()
    inside("gpasswd", "-d", "boxkeeper", "gpio")
    config = BOX / "boot/firmware/config.txt"
    config.write_text(config.read_text().replace("_baudrate=400000", "=on_baudrate=400000"))
    inside("chown", "-R", "root:root", "/var/lib/boxkeeper")


def snapshot() -> Snapshot:
    """Each watched file's content, but for bytecode and pip's own records of when and whence."""
    found = {}
    for top in WATCHED:
        for path in sorted((BOX / top).rglob("*")):
            name = str(path.relative_to(BOX))
            if path.is_symlink():
                found[name] = f"-> {os.readlink(path)}"
            elif path.is_file() and not _is_passing(name):
                found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def _is_passing(name: str) -> bool:
    if name.rstrip("-") in NOT_OURS or "__pycache__" in name or name.startswith("etc/apt"):
        return True
    return ".dist-info/" in name and name.rpartition("/")[2] in ("RECORD", "direct_url.json")


def without_what_stays(found: Snapshot) -> Snapshot:
    """Without the settings, and without what belongs to packages."""
    return {
        name: content
        for name, content in found.items()
        if name != "etc/boxkeeper.toml" and not name.startswith(FROM_PACKAGES)
    }


def same(expected: Snapshot, found: Snapshot, when: str) -> None:
    differing = sorted(
        name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name)
    )
    check(not differing, f"{when} these files differ: {differing[:20]}")


def check(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise Broken(otherwise)


def quietly(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def timed(step: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    sys.stdout.write(f"{time.monotonic() - began:6.1f} s  {step}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
