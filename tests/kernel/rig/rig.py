"""The host's side: what a guest needs, the guest itself, and what its tests reported.

The guest's root is the host's, read-only, so the very files and environments of the checkout run
there.  A backend has an environment of its own: lgpio's, and rpi-lgpio's, which takes the name of
RPi.GPIO.
"""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

ROOT = Path(__file__).parents[3]
BUILD = ROOT / "build" / "kernel"
BACKENDS: Mapping[str, Sequence[str]] = MappingProxyType(
    {"lgpio": ("-e", ".[lgpio]"), "rpigpio": ("-e", ".", "rpi-lgpio")}
)
"""Backend -> what is installed into its environment."""

# Tool -> Debian's package of it.
_TOOLS = {
    "qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static", "cpio": "cpio", "depmod": "kmod",
    "gcc": "gcc", "make": "make", "xz": "xz-utils", "apt-get": "apt", "dpkg-deb": "dpkg",
}  # fmt: skip
_SOURCES = {"linux-headers-*-amd64": "linux-headers-amd64", "linux-source-*.tar.xz": "linux-source"}
# A Pi 3 B+, for what asks which board it is on; its header's chip has the label of the simulated one.
_REVISION = "a020d3"
BOOT_TIMEOUT_S = 1200


class KernelMissing(Exception):
    """There can be no guest here; says what is missing."""


def missing() -> str:
    """What must be installed before a guest can be built; empty: nothing."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        return f"a host of Linux on x86-64, this is {sys.platform} on {platform.machine()}"
    path = "/usr/sbin:/sbin"
    packages = [
        package
        for tool, package in _TOOLS.items()
        if not (shutil.which(tool) or shutil.which(tool, path=path))
    ]
    packages += [package for name, package in _SOURCES.items() if not list(Path("/usr/src").glob(name))]
    return f"apt-get install {' '.join(packages)}" if packages else ""


class Guest:
    """A kernel of its own, booted once a backend; ``seconds``: what each step took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def build(self) -> None:
        """Make kernel, modules and environments, as far as they are not there.

        Raises KernelMissing where that cannot be done.
        """
        self.build_kernel()
        for backend in BACKENDS:
            with self._timed(f"environment {backend}"):
                _environment(backend)

    def build_kernel(self) -> None:
        """The part of :meth:`build` that is no environment."""
        if lacking := missing():
            raise KernelMissing(lacking)
        with self._timed("kernel and modules"):
            _run([str(ROOT / "tests/kernel/rig/build.sh"), str(BUILD)])

    def run(self, tests: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
        """Run ``tests``, node ids, each with its backend, side by side; the reports by node id."""
        chosen = {backend: [test for test in tests if backend_of(test) == backend] for backend in BACKENDS}
        with ThreadPoolExecutor() as at_once:
            done = list(at_once.map(self._run_one, *zip(*filter(itemgetter(1), chosen.items()), strict=True)))
        reports: dict[str, list[dict[str, Any]]] = {}
        for report in chain.from_iterable(done):
            reports.setdefault(report["nodeid"], []).append(report)
        return reports

    def _run_one(self, backend: str, tests: Sequence[str]) -> list[dict[str, Any]]:
        out = out_of(backend)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        (out / "cpuinfo").write_text(cpuinfo())
        (out / "run.sh").write_text(_script(backend, tests))
        with self._timed(f"guest {backend}, boot to power-off"):
            boot(Path("/"), out / "console.log", out=out)
        reports = out / "reports.jsonl"
        return [json.loads(line) for line in reports.read_text().splitlines()] if reports.exists() else []

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.seconds[step] = time.monotonic() - began


def out_of(backend: str) -> Path:
    """The folder that the guest of ``backend`` writes to."""
    return BUILD / f"{backend}-out"


def console(backend: str) -> str:
    """What the guest of ``backend`` said last."""
    log = out_of(backend) / "console.log"
    return log.read_text(errors="replace")[-4000:] if log.exists() else ""


def python_of(backend: str) -> Path:
    """The interpreter of the environment of ``backend``."""
    return BUILD / backend / "bin" / "python"


def _environment(backend: str) -> None:
    made_from = hashlib.sha256(
        "\n".join((sys.version, *BACKENDS[backend], (ROOT / "pyproject.toml").read_text())).encode()
    ).hexdigest()
    stamp = BUILD / backend / "made_from"
    if stamp.exists() and stamp.read_text() == made_from:
        return
    shutil.rmtree(BUILD / backend, ignore_errors=True)
    _run([sys.executable, "-m", "venv", str(BUILD / backend)])
    _run(
        [
            str(python_of(backend)),
            "-m",
            "pip",
            "install",
            "-q",
            "pytest",
            "pytest-timeout",
            *BACKENDS[backend],
        ]
    )
    stamp.write_text(made_from)


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise KernelMissing(
            f"{shlex.join(command)} ended with {done.returncode}: {done.stderr.strip()[-2000:]}"
        )


def _script(backend: str, tests: Sequence[str]) -> str:
    """What the guest runs."""
    python = shlex.quote(str(python_of(backend)))
    return f"""\
mount --bind /run/out/cpuinfo /proc/cpuinfo
cd {shlex.quote(str(ROOT))}
export TMPDIR=/run/tmp HOME=/run PATH=/usr/bin:/bin:/usr/sbin:/sbin RPI_LGPIO_REVISION={_REVISION}
export BOXKEEPER_GUEST={backend} PYTHONDONTWRITEBYTECODE=1 PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
{python} -m pytest -p pytest_timeout --timeout 300 --color=no --confcutdir=tests/kernel {shlex.join(tests)}
"""


def backend_of(test: str) -> str:
    """The backend in whose environment ``test`` runs: the one it names, else the first."""
    return next((backend for backend in BACKENDS if f"[{backend}" in test), next(iter(BACKENDS)))


def cpuinfo() -> str:
    """This machine's /proc/cpuinfo with the revision of a Pi."""
    return f"{Path('/proc/cpuinfo').read_text()}Revision\t: {_REVISION}\n"


def boot(root: Path, log: Path, append: str = "", out: Path | None = None) -> None:
    """Boot with ``root``, read-only if the guest has ``out`` to write to; until it powers off.

    Whatever it ends with: ``log`` gets its console.  The guest's clock counts instructions, a billion a
    second (about what a core of a Pi 3 does), and real time only while it idles: on a busy host it runs
    for longer, and a finger that presses for 0.2 s there still does.
    """
    share = "local,security_model=none,multidevs=remap"
    command = [
        "qemu-system-x86_64", "-cpu", "max", "-icount", "shift=0", "-m", "768", "-no-reboot", "-nodefaults",
        "-display", "none", "-monitor", "none", "-serial", f"file:{log}",
        "-kernel", str(BUILD / "vmlinuz"), "-initrd", str(BUILD / "initrd"),
        "-append", f"console=ttyS0 quiet panic=-1 mitigations=off {append}",
        "-virtfs", f"{share},path={root},mount_tag=root" + (",readonly=on" if out else ""),
    ]  # fmt: skip
    if out is not None:
        command += ["-virtfs", f"{share},path={out},mount_tag=out"]
    subprocess.run(["timeout", str(BOOT_TIMEOUT_S), *command], stdin=subprocess.DEVNULL)
