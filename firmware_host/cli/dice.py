"""``boxkeeper dice``: reads the dice on photos, or throws as a camera sees them."""

from __future__ import annotations

import argparse
import json
import sys
import time
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from firmware_host.cli import options
from firmware_host.errors import BoxkeeperError, DeviceNotFoundError

_GROUP, _NAME = "boxkeeper.dice", "camera"


class NoPictureError(BoxkeeperError):
    """A file that is no picture, nor meant to be one: a photo that is cut off is refused instead."""


def add_arguments(parser: options.Parser) -> None:
    """The photos, the rig that they are of, and how many dice there should be."""
    parser.description = (
        "Read the dice on photos; one line a photo. What is not certain is refused, with the reason."
    )
    parser.epilog = """examples:
  boxkeeper dice throw.jpg
  boxkeeper dice tray1.jpg tray2.jpg --rig rigs.json:table --json
  boxkeeper dice single.jpg --dice 1
  boxkeeper dice --watch                       throws before the calibrated camera, until Ctrl-C
  boxkeeper dice --fairness --device throws.mp4 --rig camera.toml"""
    parser.add_argument(
        "photos", type=Path, nargs="*", metavar="PHOTO", help="a picture file, such as a JPEG or PNG"
    )
    parser.add_argument(
        "--rig",
        metavar="FILE[:NAME]",
        help="the calibrated tray: a JSON list of rigs, or a TOML file, and the rig's name",
    )
    parser.add_argument(
        "--dice", type=int, choices=(1, 2), default=2, help="how many dice were thrown (default 2)"
    )
    live = parser.add_mutually_exclusive_group()
    live.add_argument("--watch", action="store_true", help="print each throw that the camera sees")
    live.add_argument(
        "--fairness", action="store_true", help="the same, and at the end how often each face came up"
    )
    parser.add_argument(
        "--device", metavar="DEVICE", help="in place of camera.device: a camera, a folder or a video"
    )
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Read each photo; a refusal is an answer too."""
    is_live = args.watch or args.fairness
    if is_live == bool(args.photos):
        raise options.UsageError("name photos, or --watch, or --fairness; see boxkeeper dice -h")
    config = options.load_config(args)
    reader = load_reader()
    reader.need_opencv()
    if is_live:
        from firmware_host.cli.dice_live import run_live

        return run_live(reader, config, args)
    rig = reader.load_rig(*reader.find_rig(args.rig)) if args.rig else None
    for path in args.photos:
        if not path.is_file():
            raise NoPictureError(f"{path}: there is no such file; name a picture")
    for path in args.photos:
        start = time.perf_counter()
        image = reader.load_image(path)
        if image is None and path.suffix.lower() not in reader.PICTURES:
            raise NoPictureError(f"{path}: is no picture")
        reading = reader.read_dice(image, rig, args.dice)
        ms = round(1e3 * (time.perf_counter() - start), 1)
        values = None if reading.values is None else list(reading.values)
        reason = None if reading.reason is None else str(reading.reason)
        if args.json:
            text = json.dumps({"file": str(path), "values": values, "reason": reason, "ms": ms})
        else:
            text = f"{path}: {reason if values is None else ' '.join(map(str, values))}"
        sys.stdout.write(f"{text}\n")
    return 0


def load_reader() -> Any:
    """The module that reads dice, found by entry point: this package knows no hardware."""
    for entry in entry_points(group=_GROUP, name=_NAME):
        return entry.load()
    raise DeviceNotFoundError("no reader of dice is installed: pip install 'boxkeeper[camera]'")
