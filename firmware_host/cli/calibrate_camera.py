"""``boxkeeper calibrate camera``: from the empty tray and one throw of known dice to a rig."""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware_host.cli import options
from firmware_host.cli.dice import load_reader
from firmware_host.errors import ConfigError
from firmware_host.screens.words import say

_SIZE = (640, 480)  # of the pictures, where the camera may choose
_SETTLE, _EMPTY, _TRIES = 30, 5, 12  # frames: until exposure has settled, kept, and looked at for a throw
_GO_ON, _GIVE_UP = "go", "quit"


def add_arguments(parser: options.Parser) -> None:
    """What is calibrated, and what is known of tray and dice."""
    parser.description = (
        "Calibrate the camera above the tray, step by step: it is to see the empty tray, then one throw of "
        "dice that you tell it.  What should be better (light, place, size) is said."
    )
    parser.epilog = """examples:
  boxkeeper calibrate camera --floor 200x150 --die 16
  boxkeeper calibrate camera --floor 200x150 --die 16 --corners "52,40 598,38 610,447 41,450\""""
    parser.add_argument(
        "--floor",
        type=_floor,
        required=True,
        metavar="LxW",
        help="length and width of the tray's floor in mm",
    )
    parser.add_argument("--die", type=_edge, required=True, metavar="MM", help="the edge of a die in mm")
    parser.add_argument(
        "--corners",
        type=_corners,
        metavar="'X,Y X,Y X,Y X,Y'",
        help="the floor's corners in the picture, in pixels, in order around it; else they are looked for",
    )
    parser.add_argument(
        "--view",
        type=_angle,
        metavar="DEGREES",
        help="how wide the lens sees from left to right, by its data sheet; else as the Pi's own cameras "
        "have it, or estimated from the corners",
    )
    parser.add_argument(
        "--device", metavar="DEVICE", help="in place of camera.device: a camera, a folder or a video"
    )
    parser.add_argument("--out", type=Path, metavar="FILE.toml", help="in place of camera.rig")
    options.add_settings(parser)


def run(args: argparse.Namespace) -> int:
    """Guide through it; 1 where it was given up or the floor was not found."""
    config = options.load_config(args)
    reader = load_reader()
    reader.need_opencv()
    path = args.out or Path(config.camera_rig)
    if path.suffix.lower() != ".toml":
        raise ConfigError(f"{path}: a calibration is written as TOML; name a file such as camera.toml")
    frames = reader.open_frames(args.device or config.camera.device, _SIZE, {})
    try:
        return _Guide(reader, frames, args, path).lead()
    finally:
        frames.close()


class _Guide:
    """Leads through the steps; each is repeated until it is good or given up."""

    def __init__(self, reader: Any, frames: Any, args: argparse.Namespace, path: Path) -> None:
        self._reader, self._frames, self._args, self._path = reader, frames, args, path

    def lead(self) -> int:
        """0: the rig is written."""
        _write("Take everything out of the tray, and your hands as well.")
        if not _enter():
            return 1
        empty = self._settled()
        while not _is_good(self._reader.advice_on_light(empty)):
            answer = _ask(f"Press Enter to look again, or type {_GO_ON} to go on as it is: ")
            if answer is None:
                return 1
            if answer == _GO_ON:
                break
            empty = self._settled()
        rig = self._rig(empty)
        if rig is None:
            return 1
        _is_good(self._reader.advice_on_place(rig))
        if not self._has_read(rig):
            return 1
        self._reader.save_rig(self._path, rig, self._frames.controls())
        _write(f"Calibrated: {self._path}. The table reads the dice with dice.source set to camera.")
        return 0

    def _settled(self) -> list[Any]:
        """Empty frames, with exposure, gain, white balance and focus held from then on."""
        if self._frames.is_live:
            for _ in range(_SETTLE):
                self._frames.read()
            self._frames.hold(self._frames.controls())
        return [frame for _ in range(_EMPTY) if (frame := self._frames.read()) is not None]

    def _rig(self, empty: list[Any]) -> Any:
        """The rig, with a picture to check it by; None where the floor is not found."""
        if not empty:
            raise ConfigError("there are no pictures of the empty tray: set camera.device")
        corners = self._args.corners
        if corners is None:
            _write("Looking for the floor of the tray ...")
            corners = self._reader.find_floor(empty, self._args.floor)
        picture = self._path.with_name(f"{self._path.stem}-check.jpg")
        if corners is None:
            self._reader.save_picture(picture, empty[0])
            _write(
                "The floor of the tray is not found: is all of it in view, and lit evenly? Else name its "
                f"four corners with --corners, in pixels of {picture}"
            )
            return None
        focal = self._focal(empty[0].shape[1::-1])
        rig = self._reader.make_rig("table", empty, corners, self._args.floor, self._args.die, focal)
        self._reader.save_picture(picture, self._reader.with_floor(rig))
        _write(
            f"Found. Check {picture}: the green line runs along the floor of the tray; else use --corners."
        )
        return rig

    def _focal(self, size: tuple[int, int]) -> float | None:
        """The focal length in pixels, as told, as the camera tells, or as the last calibration had it."""
        if self._args.view is not None:
            return size[0] / 2 / math.tan(math.radians(self._args.view) / 2)
        found = self._frames.focal_px() or self._reader.known_focal(self._path, size)
        if found is None:
            _write("The lens is not known, so its view is estimated; --view tells it, which reads more dice.")
            return None
        degrees = 2 * math.degrees(math.atan(size[0] / 2 / found))
        _write(f"The lens sees {degrees:.0f} degrees from left to right; if it does not, use --view.")
        return float(found)

    def _has_read(self, rig: Any) -> bool:
        """Whether a throw was read as it lies."""
        while True:
            answer = _ask(f"Throw two dice into the tray and type what they show, as 3 5 (or {_GIVE_UP}): ")
            if answer is None or answer == _GIVE_UP:
                return False
            values = tuple(sorted(int(digit) for digit in re.findall(r"[1-6]", answer)))
            if len(values) != 2:
                _write("Two numbers from 1 to 6, please.")
                continue
            reading = self._read(rig)
            if reading.values == values:
                _write("Read as they lie.")
                return True
            if reading.values is not None:
                seen = " ".join(map(str, reading.values))
                _write(f"The camera read {seen}: is the size of tray and dice right, and the green line?")
            else:
                why = say(f"refused.{reading.reason}") or str(reading.reason)
                _write(
                    f"Not read ({reading.reason}: {why.lower()}). Throw again; if it stays, check the line."
                )

    def _read(self, rig: Any) -> Any:
        """The first answer of some frames, else the last refusal."""
        reading = self._reader.read_dice(None, rig, 2)
        for _ in range(_TRIES):
            frame = self._frames.read()
            if frame is None:
                break
            reading = self._reader.read_dice(frame, rig, 2)
            if reading.values is not None:
                break
        return reading


def _is_good(advice: list[str]) -> bool:
    for line in advice:
        _write(f"To improve: {line}.")
    return not advice


def _enter() -> bool:
    return _ask("Press Enter: ") not in (None, _GIVE_UP)


def _ask(question: str) -> str | None:
    """The answer; None at the end of the input."""
    sys.stdout.write(question)
    sys.stdout.flush()
    line = sys.stdin.readline()
    return line.strip() if line else None


def _write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _numbers(text: str, count: int, allowed: str) -> list[float]:
    try:
        numbers = [float(part) for part in re.split(r"[,x\s]+", text.strip().lower())]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(0 <= number < math.inf for number in numbers):
        raise argparse.ArgumentTypeError(f"{text!r} is none of {allowed}")
    return numbers


def _sized(count: int, allowed: str) -> Callable[[str], list[float]]:
    def read(text: str) -> list[float]:
        numbers = _numbers(text, count, allowed)
        if min(numbers) <= 0:
            raise argparse.ArgumentTypeError(f"{text!r} is none of {allowed}")
        return numbers

    return read


def _floor(text: str) -> tuple[float, float]:
    length, width = _sized(2, "length and width in mm, such as 200x150")(text)
    return length, width


def _edge(text: str) -> float:
    return _sized(1, "an edge in mm, such as 16")(text)[0]


def _angle(text: str) -> float:
    allowed = "the degrees that the lens sees, 20 to 120"
    (degrees,) = _numbers(text, 1, allowed)
    if not 20 <= degrees <= 120:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {allowed}")
    return degrees


def _corners(text: str) -> list[tuple[float, float]]:
    numbers = _numbers(text, 8, "four corners, such as '52,40 598,38 610,447 41,450'")
    return list(zip(numbers[::2], numbers[1::2], strict=True))
