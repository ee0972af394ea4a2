"""Every play over every way to wire the box: ``python tests/campaigns/wirings.py [FOLDER or PLAY ...]``.

Without arguments the plays of ``tests/plays``.  Exit 1 where a play does not hold; its first line that does
not is printed.  ``--only KEY=VALUE`` (more than once) takes these wirings instead of all.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
from pathlib import Path

from firmware_host.cli.main import main as boxkeeper

PLAYS = Path(__file__).resolve().parents[1] / "plays"
WIRINGS: tuple[tuple[str, ...], ...] = (
    ("tiles.driver=mcp23017",),
    ("tiles.driver=mcp23017", "expander.interrupt=4"),
    ("tiles.driver=serial",),
    ("tiles.driver=serial", "dice.source=serial"),
    ("display.controller=sh1106",),
    ("display.controller=ssd1309",),
    # The chip board's select lines have the buzzer's usual pin.
    ("tiles.driver=mcp23017", "lamps.driver=mcp23017", "buzzer.driver=gpio", "buzzer.pin=27"),
    ("tiles.driver=serial", "lamps.driver=serial", "buzzer.driver=serial", "display.controller=sh1106"),
)


def can_be_played(play: Path, settings: tuple[str, ...]) -> bool:
    """With the buttons on the same cable, a box whose tiles' cable is out cannot be played on."""
    return "dice.source=serial" not in settings or "fault tiles gone" not in play.read_text(encoding="utf-8")


def holds(play: Path, settings: tuple[str, ...]) -> str:
    """Empty where ``play`` holds, else what was said."""
    said = io.StringIO()
    options = [word for setting in settings for word in ("--set", setting)]
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        code = boxkeeper(["bench", str(play), *options])
    return "" if code == 0 else said.getvalue().strip() or f"exit {code}"


def main() -> int:
    """Play all of it."""
    parser = argparse.ArgumentParser(prog="wirings", description="Every play over every way to wire the box.")
    parser.add_argument("plays", nargs="*", type=Path, default=[PLAYS], help="folders, or plays")
    parser.add_argument("--only", action="append", metavar="KEY=VALUE", help="one setting instead of all")
    args = parser.parse_args()
    plays = [play for path in args.plays for play in (sorted(path.glob("*.play")) or [path])]
    wirings = tuple((setting,) for setting in args.only) if args.only else WIRINGS
    failed = 0
    for settings in wirings:
        start = time.perf_counter()
        played = [play for play in plays if can_be_played(play, settings)]
        wrong = [said for play in played if (said := holds(play, settings))]
        failed += len(wrong)
        seconds = time.perf_counter() - start
        sys.stdout.write(
            f"{' '.join(settings)}: {len(played) - len(wrong)} of {len(played)} hold, {seconds:.0f} s\n"
        )
        for said in wrong:
            sys.stdout.write(f"    {said}\n")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
