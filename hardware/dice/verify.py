"""The second look: each die that was found must hold against the picture in ways that did not find it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.arrange import Arrangement, Guess
from hardware.dice.blobs import Spot, without_lines
from hardware.dice.images import square, strongest
from hardware.dice.patterns import scores
from hardware.dice.reading import Die, Reason
from hardware.dice.smear import fits_moved, is_smeared
from hardware.dice.solids import Cube, filled, outline, upper_face

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.groups import Group
    from hardware.dice.rig import Rig

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]
    Image = NDArray[np.uint8]

_OFF_MM = 2.0  # how wrong the place of a die by a wall may be: corners, pips, the height of the camera
_SIDE = 32  # pixels of a face as it is compared with the patterns
# Correlation with the pattern of its value, and how much less the others must have: a perfect five has 0.89
# with a four.
_LEAST_FIT, _LEAST_LEAD = 0.6, 0.04
_CLEAR_FIT = 0.9  # nothing disturbs such a face
# Of the strongest and largest pip of a face: gloss makes one fainter, not smaller as well.
_LEAST_ALIKE = 0.35
# Errors of corners, pips and outline that are no tilt, in edges; and how far a blurred edge reaches in the
# picture.
_SLACK, _SOFT_PX = 0.035, 1.3
# Of an upper face: what surely changed on the floor beyond the cubes, and what is as the empty floor inside.
# Drawn pairs that lie flat have up to 0.029 of either, nearly all of them nothing.
_MOST_EXCESS, _MOST_LACK = 0.03, 0.03
_LEAST_BODY = 0.25  # of an upper face: less than that beside the pips is no body of a die
_SAME_COLOUR = 30.0  # levels: between die and tray, beside noise and grain nothing that is seen
_PIP_ROOM = 0.15  # edges around the middle of a pip
_ROUND, _AS_LARGE, _AS_CLEAR = 1.22, 0.85, 0.94  # a spot like the pips of a face
_AROUND, _CLEAR = 0.08, 0.4  # edges beside a pip its die is seen, so much of the contrast lighter or darker
_WAYS = np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)
# The same on the walls, in one piece: a varnished wall mirrors dice and takes their colour; a hand or a die
# is larger.
_MOST_ON_WALL = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class FoundDie:
    """A die, its cube, the group that it was found in, and whether its pips are darker than its body."""

    die: Die
    cube: Cube
    group: Group
    is_dark: bool


def doubt(
    group: Group, arrangement: Arrangement, spots: Sequence[Spot], rig: Rig
) -> tuple[list[FoundDie], Reason | None]:
    """The dice of a group, and why they are no answer; None where nothing speaks against them."""
    if not arrangement.guesses:
        return [], unread(group, spots, rig)
    found: list[FoundDie] = []
    reason: Reason | None = None
    for guess in arrangement.guesses:
        die, why = _face_doubt(group, guess, spots, rig)
        found.append(FoundDie(die, guess.cube, group, spots[guess.spots[0]].is_dark))
        reason = reason or why
    reason = _fit_doubt(group, arrangement.guesses, rig) or reason
    if reason is None and _has_pips_left(group, arrangement.guesses, spots):
        reason = Reason.DISAGREE
    if reason is None and any(_holds(group, rival, spots, rig) for rival in arrangement.rivals):
        reason = Reason.TOUCHING_AMBIGUOUS
    return found, reason


def _holds(group: Group, guesses: Sequence[Guess], spots: Sequence[Spot], rig: Rig) -> bool:
    """Whether nothing speaks against dice that nearly were taken."""
    return (
        not _has_pips_left(group, guesses, spots)
        and all(_face_doubt(group, guess, spots, rig)[1] is None for guess in guesses)
        and _fit_doubt(group, guesses, rig) is None
    )


def unread(group: Group, spots: Sequence[Spot], rig: Rig) -> Reason | None:
    """Why nothing in a group was taken for a die; None where it is no more than a reflection on a wall."""
    on_floor, off_floor = excess(group, (), rig)
    if on_floor <= _MOST_EXCESS and off_floor <= _MOST_ON_WALL:
        return None
    pips_px = sum(np.pi / 4 * spot.diameter_px**2 for spot in spots)
    if not spots or np.count_nonzero(group.sure) - pips_px < _LEAST_BODY * group.face_px:
        return Reason.LOW_CONTRAST
    return Reason.COCKED if len(spots) > 1 else Reason.DISAGREE


def is_off_floor(cube: Cube, rig: Rig) -> bool:
    """Whether a cube would stand on a wall, or outside."""
    x, y = rig.floor_mm[0] / 2 + _OFF_MM, rig.floor_mm[1] / 2 + _OFF_MM
    return bool((np.abs(cube.footprint()) > (x, y)).any())


def _has_pips_left(group: Group, guesses: Sequence[Guess], spots: Sequence[Spot]) -> bool:
    """Whether a spot in no face is as round, large and clear as the pips of one, on all sides: those of side
    faces, seen from aside and in other light, are less so.
    """
    claimed = {i for guess in guesses for i in guess.spots}
    for guess in guesses:
        own = [spots[i] for i in guess.spots]
        middle = len(own) // 2
        size = sorted(s.diameter_px for s in own)[middle]
        contrast = sorted(s.contrast for s in own)[middle]
        if any(
            i not in claimed
            and not spot.is_parted
            and spot.is_dark == own[0].is_dark
            and spot.elongation < _ROUND
            and spot.diameter_px > _AS_LARGE * size
            and spot.contrast > _AS_CLEAR * contrast
            and _has_body_around(group, spot)
            for i, spot in enumerate(spots)
        ):
            return True
    return False


def _has_body_around(group: Group, spot: Spot) -> bool:
    """Whether a spot is as clear on all sides: what lies between a die and its shadow is not."""
    reach = spot.diameter_px / 2 + _AROUND * group.edge_px
    xs, ys = (np.round(at + reach * way).astype(int) for at, way in zip((spot.x, spot.y), _WAYS, strict=True))
    height, width = group.patch.shape[:2]
    if xs.min() < 0 or ys.min() < 0 or xs.max() >= width or ys.max() >= height:
        return False
    off = group.patch[ys, xs].astype(np.float32) - group.patch[round(spot.y), round(spot.x)]
    return bool(((off if spot.is_dark else -off).max(axis=1) > _CLEAR * spot.contrast).all())


def _face_doubt(group: Group, guess: Guess, spots: Sequence[Spot], rig: Rig) -> tuple[Die, Reason | None]:
    pips = face_map(group, guess, spots, rig)
    fits = scores(pips)
    if fits.max() < _CLEAR_FIT:
        fits = max((fits, scores(without_lines(pips, _SIDE))), key=lambda f: float(f.max()))
    fit = float(fits[guess.value - 1])
    outer = outline(guess.cube, rig.pose)
    die = Die(
        guess.value,
        (guess.cube.x, guess.cube.y),
        float(np.rad2deg(guess.cube.yaw) % 90),
        guess.cube.edge,
        max(0.0, min(1.0, fit)),
        tuple((float(x), float(y)) for x, y in outer),
    )
    if is_smeared(pips, guess.value, guess.sites) or fits_moved(pips, guess.value):
        return die, Reason.MOVING
    if np.delete(fits, guess.value - 1).max() > fit - _LEAST_LEAD or fit < _LEAST_FIT:
        return die, Reason.DISAGREE
    strengths, sizes = zip(*((spots[i].contrast, spots[i].diameter_px) for i in guess.spots), strict=True)
    if min(strengths) * min(sizes) < _LEAST_ALIKE * max(strengths) * max(sizes):
        return die, Reason.DISAGREE  # a pip of a side face, smaller and in other light, is none of them
    return die, None


def face_map(group: Group, guess: Guess, spots: Sequence[Spot], rig: Rig) -> Floats32:
    """The upper face, straightened (32 x 32): 1 where it is as its pips, 0 where as its body."""
    import cv2

    corners = (upper_face(guess.cube, rig.pose) - np.array(group.origin) + 0.5) * group.scale - 0.5
    ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * _SIDE - 0.5
    turn = cv2.getPerspectiveTransform(corners.astype(np.float32), ends.astype(np.float32))
    face = cv2.warpPerspective(group.patch, turn, (_SIDE, _SIDE), flags=cv2.INTER_LINEAR).astype(np.float32)
    body = _median(face[4:-4, 4:-4].reshape(-1, 3))
    own = [spots[i] for i in guess.spots]
    off = body - face if own[0].is_dark else face - body
    contrast = sorted(spot.contrast for spot in own)[len(own) // 2]
    return np.clip(strongest(off) / contrast, 0, 1).astype(np.float32)


def _median(rows: Floats32) -> Floats32:
    """The median of each column."""
    half = len(rows) // 2
    return np.asarray(np.partition(rows, half, axis=0)[half], np.float32)


def _fit_doubt(group: Group, guesses: Sequence[Guess], rig: Rig) -> Reason | None:
    """Whether what changed has the outline of these cubes, seen from that camera."""
    on_floor, off_floor = excess(group, [guess.cube for guess in guesses], rig)
    if on_floor > _MOST_EXCESS or any(lack(group, guess, rig) > _MOST_LACK for guess in guesses):
        return Reason.COCKED
    return Reason.ON_RIM if off_floor > _MOST_ON_WALL else None


def excess(group: Group, cubes: Sequence[Cube], rig: Rig) -> tuple[float, float]:
    """What surely changed beyond the cubes, in upper faces: on the floor in all, on the walls the largest
    piece.
    """
    import cv2

    shape = group.sure.shape[:2]
    union = np.zeros(shape, np.uint8)
    for cube in cubes:
        union |= filled(outline(cube, rig.pose), shape, group.origin, group.scale)
    far = cv2.distanceTransform(cv2.bitwise_not(union), cv2.DIST_L2, 3)
    beyond = cv2.compare(far, _SLACK * group.edge_px + _SOFT_PX * group.scale, cv2.CMP_GT) & group.sure
    # no slivers of a blurred edge
    beyond = cv2.morphologyEx(beyond, cv2.MORPH_OPEN, square(3))
    floor = filled(rig.floor_px, shape, group.origin, group.scale)
    on_floor, on_walls = cv2.countNonZero(beyond & floor), beyond & ~floor
    largest = 0
    if cv2.countNonZero(on_walls):
        _, _, pieces, _ = cv2.connectedComponentsWithStats(on_walls)
        largest = int(pieces[1:, cv2.CC_STAT_AREA].max())
    return on_floor / group.face_px, largest / group.face_px


def lack(group: Group, guess: Guess, rig: Rig) -> float:
    """How much of an upper face is as the empty floor, left out: what is near its edges and pips, and
    where the floor has the die's colour.
    """
    import cv2

    corners = upper_face(guess.cube, rig.pose)
    top = filled(corners, group.sure.shape[:2], group.origin, group.scale)
    across, along = corners[1] - corners[0], corners[3] - corners[0]
    middle = corners.mean(axis=0)
    radius = round((_PIP_ROOM if guess.value > 1 else 1.6 * _PIP_ROOM) * group.edge_px)
    pips = group.to_cut_out(middle + np.array(guess.sites) @ np.array([across, along]))
    for x, y in np.round(pips).astype(int).tolist():
        cv2.circle(top, (x, y), radius, 0, -1)
    side = 2 * round(_SLACK * group.edge_px + _SOFT_PX * group.scale) + 1
    top = cv2.erode(top, square(side))
    is_seen = group.changed | group.sure
    if not (top & ~is_seen).any():
        return 0.0
    if (top & is_seen).any():
        body = _median(group.patch[(top & is_seen) > 0].astype(np.float32))
        top[np.abs(group.expected - body).max(axis=2) < _SAME_COLOUR] = 0
    return float(cv2.countNonZero(top & ~is_seen)) / group.face_px
