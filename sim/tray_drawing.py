"""Draws the parts of the tray: floor and walls, dice, shadows, hands; see :mod:`sim.tray`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sim.tray import Body, Tray

    Colour = tuple[float, float, float]
    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]

_FINE = 2  # dice are drawn at twice the size, then made smaller: smooth edges
_SKIN = (130.0, 160.0, 215.0)  # BGR
_HAND_MM = 40.0  # how high a hand is above the floor


def draw_tray(tray: Tray) -> Floats32:
    import cv2

    w, h = tray.image_size
    levels = np.empty((h, w, 3), np.float32)
    levels[:] = np.array(tray.table, np.float32) * tray.light.level(np.array([0.0, 0.0, 1.0]))
    height, thick = tray.wall_mm
    up = np.array([0.0, 0.0, 1.0])
    outer_low, outer = (rectangle(tray.floor_mm, thick, z) for z in (0.0, height))
    inner, floor = (rectangle(tray.floor_mm, 0.0, z) for z in (height, 0.0))
    normals = [np.array(n, float) for n in ((0, 1, 0), (-1, 0, 0), (0, -1, 0), (1, 0, 0))]
    quads: list[tuple[Floats, Colour, float]] = [
        (outer_low, tray.wall, tray.light.level(-up)),
        (outer, tray.wall, tray.light.level(up)),
    ]
    quads.append((inner, tray.floor, tray.light.level(up) * 0.5))
    quads.append((floor, tray.floor, tray.light.level(up)))
    for i, normal in enumerate(normals):
        j = (i + 1) % 4
        quads.append(
            (np.array([inner[i], inner[j], floor[j], floor[i]]), tray.wall, tray.light.level(normal))
        )
    for quad, colour, level in quads:
        mask = _polygon(tray.project(quad), (h, w))[..., None]
        levels = levels * (1 - mask) + np.array(colour, np.float32) * np.float32(level) * mask
    grain = cv2.GaussianBlur(
        np.random.default_rng(tray.seed).normal(size=(h, w)).astype(np.float32), (0, 0), 5, sigmaY=0.8
    )
    levels *= (1 + tray.grain * grain / max(float(grain.std()), 1e-6))[..., None]
    shade = _wall_shadows(tray)
    return np.asarray(levels * shade[..., None], np.float32)


def _wall_shadows(tray: Tray) -> Floats32:
    """What the walls keep from the floor."""
    import cv2

    w, h = tray.image_size
    height, _ = tray.wall_mm
    floor = _polygon(tray.project(rectangle(tray.floor_mm, 0.0, 0.0)), (h, w))
    x, y, z = tray.light.direction
    lit = rectangle(tray.floor_mm, 0.0, 0.0) - np.array([x, y, 0.0]) * height / z
    seen = _polygon(tray.project(lit), (h, w))
    soft = max(0.6, tray.light.soft_mm * height / 16 * tray.focal_px / tray.camera_mm[2])
    seen = cv2.GaussianBlur(seen, (0, 0), soft)
    return np.asarray(1 - floor * (1 - seen) * (1 - tray.light.shadow), np.float32)


def cast_shadow(tray: Tray, body: Body, levels: Floats32) -> None:
    import cv2

    corners = _corners(body, tray.die.edge_mm)
    x, y, z = tray.light.direction
    ground = corners - np.array([x, y, z]) * (corners[:, 2:] / z)
    ground[:, 2] = 0
    shape = levels.shape[:2]
    px = cv2.convexHull(tray.project(ground).astype(np.float32))[:, 0, :]
    touch = corners[corners[:, 2] < corners[:, 2].min() + 0.3 * tray.die.edge_mm].copy()
    touch[:, 2] = 0
    dark = (1 - tray.light.shadow) * _soft(px, shape, tray.light.soft_mm * tray.focal_px / tray.camera_mm[2])
    near = cv2.convexHull(tray.project(touch).astype(np.float32))[:, 0, :]
    contact = 0.6 * _soft(near, shape, 1.5 * tray.focal_px / tray.camera_mm[2])
    levels *= ((1 - dark) * (1 - np.maximum(contact - dark, 0) * (1 - dark)))[..., None]


def _soft(polygon: Floats, shape: tuple[int, ...], sigma: float) -> Floats32:
    """A polygon with soft edges; only the part of the picture around it is worked on."""
    import cv2

    out = np.zeros(shape[:2], np.float32)
    sigma = max(sigma, 0.6)
    x0, y0 = np.maximum(np.floor(polygon.min(axis=0) - 3 * sigma), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(polygon.max(axis=0) + 3 * sigma) + 1, (shape[1], shape[0])).astype(int)
    if x0 >= x1 or y0 >= y1:
        return out
    mask = _polygon(polygon - (x0, y0), (y1 - y0, x1 - x0))
    out[y0:y1, x0:x1] = cv2.GaussianBlur(mask, (0, 0), sigma)
    return out


def draw_die(tray: Tray, body: Body, levels: Floats32) -> None:
    smear = np.array(body.smear_mm)
    steps = max(1, min(12, round(float(np.linalg.norm(smear)) * tray.focal_px / tray.camera_mm[2])))
    ways = [np.array(body.centre) + smear * ((i + 0.5) / steps - 0.5) for i in range(steps)]
    px = np.vstack(
        [tray.project(_corners(replace(body, centre=tuple(way)), tray.die.edge_mm)) for way in ways]
    )
    h, w = levels.shape[:2]
    x0, y0 = np.maximum(np.floor(px.min(axis=0)) - 3, 0).astype(int)
    x1, y1 = np.minimum(np.ceil(px.max(axis=0)) + 4, (w, h)).astype(int)
    if x0 >= x1 or y0 >= y1:
        return
    size = (int(x1 - x0), int(y1 - y0))
    total, cover = np.zeros((size[1], size[0], 3), np.float32), np.zeros((size[1], size[0], 1), np.float32)
    for way in ways:
        picture, alpha = _die_layer(tray, replace(body, centre=tuple(way)), (int(x0), int(y0)), size)
        total += picture * alpha / steps
        cover += alpha / steps
    part = levels[y0:y1, x0:x1]
    part[:] = part * (1 - cover) + total


def _die_layer(
    tray: Tray, body: Body, origin: tuple[int, int], size: tuple[int, int]
) -> tuple[Floats32, Floats32]:
    """The die alone: its picture and how far it covers each pixel."""
    import cv2

    fine = (size[0] * _FINE, size[1] * _FINE)
    look, edge = tray.die, tray.die.edge_mm

    def to_fine(px: Floats) -> Floats32:
        return np.asarray((px - np.array(origin) + 0.5) * _FINE - 0.5, np.float32)

    hull = cv2.convexHull(to_fine(tray.project(_corners(body, edge))))[:, 0, :]
    width = tray.focal_px * _FINE * edge * look.bevel / tray.camera_mm[2]
    alpha = _rounded(_polygon(hull, (fine[1], fine[0])), width)
    rim = np.array(look.body, np.float32) * np.float32(
        0.5 * (1 + tray.light.level(np.array([0.0, 0.0, 1.0]))) * 0.85
    )
    picture = np.empty((fine[1], fine[0], 3), np.float32)
    picture[:] = rim
    eye = np.array(tray.camera_mm)
    bounce = 0.5 + 0.5 * np.array(tray.floor, np.float32) / 255
    for normal, corners, texture in tray.faces:
        out = body.turn @ normal
        at = corners @ body.turn.T * edge + np.array(body.centre)
        if out @ (eye - at.mean(axis=0)) <= 0:
            continue
        side = texture.shape[0]
        ends = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
        turn = cv2.getPerspectiveTransform(ends, to_fine(tray.project(at)))
        seen = cv2.warpPerspective(texture, turn, fine, flags=cv2.INTER_LINEAR).astype(np.float32)
        mask = seen[..., 3:] / 255
        level = tray.light.level(out)
        tint = 1 if out[2] > 0.9 else bounce + (1 - bounce) * max(0.0, float(out[2]))
        picture = picture * (1 - mask) + seen[..., :3] * np.float32(level) * np.float32(tint) * mask
    small = cv2.resize(np.dstack([picture * alpha[..., None], alpha]), size, interpolation=cv2.INTER_AREA)
    cover = small[..., 3:]
    return small[..., :3] / np.maximum(cover, 1e-3), cover


def draw_hand(tray: Tray, hand: Floats, levels: Floats32) -> None:
    import cv2

    above = np.hstack([hand, np.full((len(hand), 1), _HAND_MM)])
    x, y, z = tray.light.direction
    ground = above - np.array([x, y, z]) * (above[:, 2:] / z)
    shadow = _polygon(tray.project(ground), levels.shape[:2])
    shadow = cv2.GaussianBlur(shadow, (0, 0), 4)
    levels *= (1 - shadow * (1 - tray.light.shadow))[..., None]
    mask = cv2.GaussianBlur(_polygon(tray.project(above), levels.shape[:2]), (0, 0), 0.8)[..., None]
    levels[:] = levels * (1 - mask) + np.array(_SKIN, np.float32) * mask


def _corners(body: Body, edge: float) -> Floats:
    unit = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return np.asarray(unit @ body.turn.T * edge + np.array(body.centre))


def rectangle(size: tuple[float, float], margin: float, z: float) -> Floats:
    x, y = size[0] / 2 + margin, size[1] / 2 + margin
    return np.array([[-x, -y, z], [x, -y, z], [x, y, z], [-x, y, z]])


def _polygon(points: Floats, shape: tuple[int, ...]) -> Floats32:
    """1 inside a polygon, 0 outside, with smooth edges."""
    import cv2

    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return np.asarray(mask, np.float32) / np.float32(255)


def _rounded(mask: Floats32, radius: float) -> Floats32:
    """The mask with its corners rounded off."""
    import cv2

    size = 2 * int(radius) + 1
    if size < 3:
        return mask
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, disc), np.float32)
