"""Where a picture looks like the body of a die of some colour, and not like the floor, lit or in shadow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.images import square

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.groups import Group

    Floats32 = NDArray[np.float32]
    Mask = NDArray[np.bool_]

_TELLING = np.deg2rad(5.0)  # between two colours: less may be the tint of the light
# A side face in the shade, in levels against the upper face: at gamma 2.2 a 14th of the light.
DARKEST_SIDE = 0.3


def body_mask(group: Group, colour: Floats32) -> Mask:
    """Where the cut-out looks like a face of that colour, lit or in the shade, and not like the floor, lit or
    in shadow.
    """
    image, floor = group.patch.astype(np.float32), group.expected.astype(np.float32)
    off_body, share = _off_line(image, colour)
    off_floor, light = _off_line(image, floor)
    norm, body_norm = _norm(floor), float(np.linalg.norm(colour))
    telling = floor @ colour < np.cos(_TELLING) * (norm * body_norm + 1e-6)
    by_colour = (off_body < off_floor) & (share > DARKEST_SIDE)
    by_level = np.where(
        norm < body_norm, (light > 1.1) & (share > DARKEST_SIDE), (share < 1.1) & (light < 0.5)
    )
    return np.asarray(np.where(telling, by_colour, by_level), np.bool_)


def with_pips(body: Mask, edge_px: float) -> Mask:
    """The same with the pips of side faces, which are holes in it."""
    import cv2

    size = max(3, round(edge_px * 0.2)) | 1
    return np.asarray(cv2.morphologyEx(body.astype(np.uint8), cv2.MORPH_CLOSE, square(size)) > 0)


def _off_line(image: Floats32, colour: Floats32) -> tuple[Floats32, Floats32]:
    """How far each pixel is from being that colour in weaker or stronger light, and how strong the light
    is.
    """
    share = np.asarray(dot(image, colour) / np.maximum(dot(colour, colour), 1.0), np.float32)
    return _norm(image - share[..., None] * colour), share


def _norm(image: Floats32) -> Floats32:
    return np.asarray(np.sqrt(dot(image, image)), np.float32)


def dot(one: Floats32, other: Floats32) -> Floats32:
    """The sum over the channels of a product; numpy takes several times as long along so short an axis."""
    product = one * other
    return np.asarray(product[..., 0] + product[..., 1] + product[..., 2], np.float32)
