"""What the command needs to read dice and to calibrate, in one place; the entry point ``camera`` of
``boxkeeper.dice`` names it.
"""

from hardware.dice.calibration import advice_on_light, advice_on_place, make_rig, save_picture, with_floor
from hardware.dice.floor import find_floor
from hardware.dice.frames import PICTURES, open_frames
from hardware.dice.images import load_image, need_opencv
from hardware.dice.pips import read_dice
from hardware.dice.rig import load_rig
from hardware.dice.rig_file import find_rig, known_focal, load_controls, save_rig
from hardware.dice.watch import Watch

__all__ = [
    "PICTURES", "Watch", "advice_on_light", "advice_on_place", "find_floor", "find_rig", "known_focal",
    "load_controls", "load_image", "load_rig", "make_rig", "need_opencv", "open_frames", "read_dice",
    "save_picture", "save_rig", "with_floor",
]  # fmt: skip
