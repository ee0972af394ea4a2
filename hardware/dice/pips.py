"""Reads dice off one picture: :func:`read_dice`, a pure function. Never wrong, then often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.dice.reading import Reading, Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.dice.rig import Rig

    Image = NDArray[np.uint8]


def read_dice(image: Image | None, rig: Rig | None = None, wanted: int = 2) -> Reading:
    """The ``wanted`` dice (1 or 2) in ``image`` (height x width x 3, BGR, uint8), or why there is no answer.

    With a rig: in millimetres, against its empty frames.  Without: by what dice look like alone.  Another
    number of dice than ``wanted`` is refused.  ``image`` None (a camera or file that gave none) is
    ``camera_failed``.

    Raises ValueError if ``wanted`` is neither 1 nor 2.
    """
    if wanted not in (1, 2):
        raise ValueError(f"one die or two are read, not {wanted!r}")
    if image is None or image.ndim != 3 or image.shape[2] != 3 or min(image.shape[:2]) < 32:
        return Reading(reason=Reason.CAMERA_FAILED)
    if rig is None:
        from hardware.dice.photo import read_photo

        return read_photo(image, wanted)
    from hardware.dice.tray import read_tray

    return read_tray(image, rig, wanted)
