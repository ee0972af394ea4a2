"""Where the doctor looks: this computer, or a false one in a test."""

from __future__ import annotations

import grp
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.survey import LineInfo, SmBus, header_lines, open_smbus

if TYPE_CHECKING:
    from firmware_host.config import Config
    from firmware_host.ports import Backend

PROGRAM_S = 3.0  # for a program such as vcgencmd


def installed_version(distribution: str) -> str | None:
    """The version of an installed package, None where it is not installed."""
    from importlib.metadata import version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def output_of(command: Sequence[str]) -> str | None:
    """What a program prints; None where there is none, it fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROGRAM_S, check=True)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout.strip()


def group_of(path: Path) -> str:
    """The name of the group a file belongs to, its number where it has no name."""
    number = path.stat().st_gid
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _may_use(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)


def _free_bytes(path: Path) -> int:
    return shutil.disk_usage(path).free


def _real_backend(config: Config) -> Backend:
    from hardware.backend import open_backend

    return open_backend(config)


@dataclass(frozen=True)
class Place:
    """A computer.  ``root``: what its ``/proc``, ``/sys``, ``/dev`` and ``/etc`` are below."""

    root: Path = Path("/")
    python: tuple[int, ...] = sys.version_info[:3]
    bits: int = 64 if sys.maxsize > 2**32 else 32
    version: Callable[[str], str | None] = installed_version
    output: Callable[[Sequence[str]], str | None] = output_of
    group: Callable[[Path], str] = group_of
    may_use: Callable[[Path], bool] = _may_use
    free_bytes: Callable[[Path], int] = _free_bytes
    lines: Callable[[], tuple[str, Mapping[int, LineInfo]]] = header_lines
    smbus: Callable[[int], SmBus] = open_smbus
    backend: Callable[[Config], Backend] = _real_backend

    def path(self, name: str) -> Path:
        """Where the absolute path ``name`` is."""
        return self.root / name.lstrip("/")

    def read(self, name: str) -> str | None:
        """The text of a file, trimmed of blanks and zero bytes; None where it cannot be read."""
        try:
            return self.path(name).read_text(encoding="utf-8", errors="replace").strip(" \t\r\n\0")
        except OSError:
            return None

    def glob(self, pattern: str) -> list[Path]:
        """The paths that match an absolute pattern, sorted."""
        return sorted(self.root.glob(pattern.lstrip("/")))

    def shown(self, path: Path) -> str:
        """``path`` as its owner knows it."""
        return f"/{path.relative_to(self.root)}"

    def service(self) -> int | None:
        """The process that runs the table's service, None where none does.

        Every user may read the command lines of all.
        """
        for process in self.glob("/proc/[0-9]*"):
            words = (self.read(f"/proc/{process.name}/cmdline") or "").split("\0")
            names = [Path(word).name for word in words]
            is_ours = "boxkeeper" in names[:2] or "firmware_host" in words
            if is_ours and "run" in words:
                return int(process.name)
        return None

    def holders(self, name: str) -> Iterator[str]:
        """Programs that have the file ``name`` open, as far as we may look: "motion, pid 700"."""
        for process in self.glob("/proc/[0-9]*"):
            with suppress(OSError):
                if any(os.readlink(fd) == name for fd in (process / "fd").iterdir()):
                    yield f"{(process / 'comm').read_text().strip()}, pid {process.name}"
