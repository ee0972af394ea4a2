"""What the command needs to read dice, in one place; the entry point ``camera`` of ``boxkeeper.dice``
names it.
"""

from hardware.dice.images import load_image, need_opencv
from hardware.dice.pips import read_dice
from hardware.dice.rig import load_rig

__all__ = ["load_image", "load_rig", "need_opencv", "read_dice"]
