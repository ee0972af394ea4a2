"""A picture against the empty tray, and the parts of it where dice may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.camera_pose import through
from hardware.dice.images import connected, square, without_holes
from hardware.dice.reading import Reason

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.difference import Island
    from hardware.dice.rig import Rig

    Floats = NDArray[np.float64]
    Image = NDArray[np.uint8]

_SMALL = 0.12  # of an upper face: less than that is no die, nor a part of one that matters
_JOIN = 0.22  # of the edge: what is closer together is looked at together
_LARGEST_HOLE = 0.17  # upper faces: the largest pip
_LARGEST = 6.0  # upper faces: more than the outlines of two dice, each with two side faces in view
_FINE_EDGE_PX = 30.0  # below this the picture is enlarged, so that a pip is more than four pixels wide


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A part of the scene with changes close together: origin in the picture, scale, and cut-outs at that
    scale.
    """

    origin: tuple[int, int]
    scale: float
    patch: Image
    expected: Image  # the empty tray in the same light
    sure: Image
    changed: Image
    edge_px: float  # in the cut-out

    @property
    def face_px(self) -> float:
        """The area of an upper face, in pixels of the cut-out."""
        return self.edge_px**2

    def part_around(self, polygons: Sequence[Floats], room: float) -> Group:
        """The part that holds polygons of the picture and ``room`` edges around them."""
        points = self.to_cut_out(np.concatenate(polygons))
        low = np.maximum(points.min(axis=0) - room * self.edge_px, 0)
        high = points.max(axis=0) + room * self.edge_px
        # whole pixels of the picture, so that the origin stays one
        x0, y0 = (int(v // self.scale) for v in low)
        rows = slice(int(y0 * self.scale), int(high[1]) + 1)
        columns = slice(int(x0 * self.scale), int(high[0]) + 1)
        return replace(
            self,
            origin=(self.origin[0] + x0, self.origin[1] + y0),
            patch=self.patch[rows, columns],
            expected=self.expected[rows, columns],
            sure=self.sure[rows, columns],
            changed=self.changed[rows, columns],
        )

    def to_cut_out(self, points: Floats) -> Floats:
        """Points of the picture as points of the cut-out."""
        return np.asarray((points - np.array(self.origin) + 0.5) * self.scale - 0.5, np.float64)

    def to_picture(self, points: Floats) -> Floats:
        """Points of the cut-out as points of the picture."""
        return np.asarray((points + 0.5) / self.scale - 0.5 + np.array(self.origin), np.float64)


def find_groups(island: Island, sure: Image, rig: Rig) -> list[Group] | Reason:
    """What surely changed (255) in a part of the picture, in groups; a reason where one is too large for
    dice.
    """
    import cv2

    middle = rig.background.edge_px
    opened = cv2.morphologyEx(sure, cv2.MORPH_OPEN, square(3))
    reach = max(3, round(_JOIN * middle)) | 1
    joined = cv2.dilate(opened, square(reach))
    labels, stats = connected(joined)
    areas = np.bincount(labels[opened > 0], minlength=len(stats))
    groups: list[Group] = []
    for label, (x, y, w, h, _) in enumerate(stats.tolist()):
        if label == 0 or areas[label] < _SMALL / 2 * middle**2:
            continue
        edge = _edge_at_px(rig, island.origin[0] + x + w / 2, island.origin[1] + y + h / 2)
        if areas[label] < _SMALL * edge**2:
            continue
        if areas[label] > _LARGEST * edge**2 or max(w, h) > 5.5 * edge:
            return Reason.OCCLUDED
        groups.append(_cut_out(island, sure, labels == label, (x, y, w, h), edge))
    return groups


def _cut_out(
    island: Island, sure: Image, own: NDArray[np.bool_], box: tuple[int, int, int, int], edge: float
) -> Group:
    import cv2

    x, y, w, h = box
    margin = round(edge * 0.6)
    height, width = sure.shape
    x0, y0 = max(x - margin, 0), max(y - margin, 0)
    x1, y1 = min(x + w + margin, width), min(y + h + margin, height)
    part = (slice(y0, y1), slice(x0, x1))
    sure = np.where(own[part], sure[part], 0).astype(np.uint8)
    sure = without_holes(sure, _LARGEST_HOLE * edge**2)  # a dark pip may be no darker than a shadow
    patch, expected, changed = island.image[part], island.expected[part], island.changed[part]
    scale = 2.0 if edge < _FINE_EDGE_PX else 1.0
    if scale > 1:
        size = (int(patch.shape[1] * scale), int(patch.shape[0] * scale))
        patch = np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_CUBIC), np.uint8)
        expected = np.asarray(cv2.resize(expected, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        sure, changed = (
            np.where(cv2.resize(mask, size, interpolation=cv2.INTER_LINEAR) > 127, 255, 0).astype(np.uint8)
            for mask in (sure, changed)
        )
    return Group(
        (island.origin[0] + x0, island.origin[1] + y0), scale, patch, expected, sure, changed, edge * scale
    )


def edge_at_mm(rig: Rig, x: float, y: float) -> float:
    """The length in pixels of a die's edge at that place of the floor, on its upper face."""
    pose, half = rig.pose, rig.die_edge_mm / 2
    ends = np.array(
        [[x - half, y, 2 * half], [x + half, y, 2 * half], [x, y - half, 2 * half], [x, y + half, 2 * half]]
    )
    px = pose.project(ends)
    return float(np.sqrt(np.hypot(*(px[1] - px[0])) * np.hypot(*(px[3] - px[2]))))


def _edge_at_px(rig: Rig, px: float, py: float) -> float:
    x, y = through(rig.on_upper_faces, np.array([[px, py]]))[0]
    return edge_at_mm(rig, float(x), float(y))
