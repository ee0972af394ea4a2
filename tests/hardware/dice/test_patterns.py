"""Faces from the places of their pips."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="reading dice needs numpy: pip install 'boxkeeper[camera]'")

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hardware.dice.patterns import PATTERNS, find_faces, scores, templates, window


def face(value: int, spread: float, yaw: float, x: float, y: float, edge: float) -> np.ndarray:
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([[c, s], [-s, c]])
    return np.array(PATTERNS[value][0], float) * spread * edge @ turn + (x, y)


def found(points: np.ndarray, edge: float, sizes: float = 0.2) -> dict[int, list[tuple[float, float]]]:
    same = np.full(len(points), sizes)
    values: dict[int, list[tuple[float, float]]] = {}
    for one in find_faces(points, same, np.full(len(points), 100.0), edge):
        values.setdefault(one.value, []).append((one.x, one.y))
    return values


@given(
    st.integers(1, 6),
    st.floats(0.2, 0.3),
    st.floats(0, 2 * np.pi),
    st.floats(-100, 100),
    st.floats(-100, 100),
    st.floats(10, 60),
)
def test_a_face_is_found_however_it_lies(
    value: int, spread: float, yaw: float, x: float, y: float, edge: float
) -> None:
    places = found(face(value, spread, yaw, x, y, edge), edge)
    assert min(np.hypot(x - a, y - b) for a, b in places[value]) < 0.01 * edge


@given(st.integers(2, 6), st.floats(0, 6.3), st.data())
def test_a_face_with_a_pip_too_many_is_no_face_there(value: int, yaw: float, data: st.DataObject) -> None:
    points = face(value, 0.26, yaw, 0, 0, 16)
    u, v = data.draw(st.floats(-0.2, 0.2)), data.draw(st.floats(-0.2, 0.2))
    more = np.vstack([points, np.array([[u, v]]) * 16])
    gaps = np.hypot(*(points - more[-1]).T)
    if gaps.min() < 2.0:  # on a pip that is there
        return
    values = found(more, 16)
    assert all(np.hypot(a, b) > 1.6 for a, b in values.get(value, [])) or value + 1 in values


def test_faces_side_by_side_are_both_found() -> None:
    points = np.vstack([face(6, 0.26, 0.0, 0, 0, 16), face(6, 0.26, 0.0, 16, 0, 16)])
    places = found(points, 16)[6]
    for x in (0, 16):
        assert min(np.hypot(x - a, b) for a, b in places) < 0.1


def test_a_one_has_nothing_beside_it() -> None:
    assert list(found(np.array([[3.0, 4.0]]), 16)) == [1]
    assert 1 not in found(np.array([[3.0, 4.0], [6.0, 4.0]]), 16)


def test_pips_of_two_sizes_make_no_face() -> None:
    points = face(2, 0.26, 0.3, 0, 0, 16)
    assert not [f for f in find_faces(points, np.array([0.1, 0.3]), np.full(2, 100.0), 16) if f.value == 2]


@pytest.mark.parametrize("value", range(1, 7))
def test_each_template_fits_its_own_value_best(value: int) -> None:
    known = templates(32)
    for row in known.rows[known.values == value][::7]:
        picture = np.zeros((32, 32), np.float32)
        picture[window(32)] = row
        fits = scores(picture)
        assert int(fits.argmax()) + 1 == value
        assert fits.max() == pytest.approx(1, abs=1e-3)


def test_an_empty_face_fits_nothing() -> None:
    assert scores(np.zeros((32, 32), np.float32)).max() == 0
