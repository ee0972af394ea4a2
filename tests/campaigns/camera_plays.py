"""Plays all plays of some folders with the dice read by the simulated camera; exit 1 if one does not hold.

    python tests/campaigns/camera_plays.py tests/plays [FOLDER ...]

Left out are plays that choose the source of their dice themselves, and those of other games.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from firmware_host.cli.main import main as boxkeeper

_LEFT_OUT = re.compile(r"^\s*set (dice\.source|rules\.game)\b", re.MULTILINE)


def main(argv: Sequence[str] | None = None) -> int:
    """Play, and print a line for each that does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    args = parser.parse_args(argv)
    plays = [path for folder in args.folders for path in sorted(folder.glob("*.play"))]
    played = [path for path in plays if not _LEFT_OUT.search(path.read_text(encoding="utf-8"))]
    start = time.perf_counter()
    fallen = sum(not _holds(path) for path in played)
    seconds = time.perf_counter() - start
    _say(
        f"{len(played)} plays with a camera ({len(plays) - len(played)} left out), {fallen} did not hold; "
        f"{seconds:.0f} s"
    )
    return int(fallen > 0)


def _holds(path: Path) -> bool:
    told = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(told):
        code = boxkeeper(["bench", str(path), "--set", "dice.source=camera"])
    if code:
        _say(told.getvalue().strip())
    return code == 0


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
