"""Magnets on the board: fields as physics has them, and what hands do with chips."""

from __future__ import annotations

import pytest

from sim.magnets import DISCS, FACE_MM, Board, Disc


def test_a_field_falls_with_depth_and_aside() -> None:
    disc = DISCS["blue"]
    below = [disc.field_mt(depth, 0.0) for depth in (1.0, 2.0, 4.0, 8.0, 16.0)]
    aside = [disc.field_mt(4.0, away) for away in (0.0, 1.0, 2.0, 4.0)]
    assert below == sorted(below, reverse=True)
    assert aside == sorted(aside, reverse=True)


def test_far_away_a_disc_is_a_dipole() -> None:
    disc = Disc(2.5, 1.0)
    near, far = disc.field_mt(100.0, 0.0), disc.field_mt(200.5, 0.0)
    assert near / far == pytest.approx(8.0, rel=0.02)


def test_a_larger_magnet_is_stronger() -> None:
    fields = [DISCS[colour].field_mt(FACE_MM, 0.0) for colour in ("green", "blue", "red")]
    assert fields == sorted(fields)


def test_a_chip_lies_on_top_of_another_and_all_are_lifted_together() -> None:
    board = Board()
    board.place(3, "green")
    board.place(3, "red")
    board.place(4, "blue")
    assert board.chips == {3: "red", 4: "blue"}
    assert board.covered == (0b11000, 0, 0, 0, 0, 0)
    board.lift(3)
    assert board.chips == {4: "blue"}
    assert board.covered == (0b10000, 0, 0, 0, 0, 0)
    assert abs(board.field_mt(3)) < 0.1


def test_a_chip_turned_over_turns_the_field_over() -> None:
    board, other = Board(), Board()
    board.place(0, "red")
    other.place(0, "red", is_turned=True)
    assert board.field_mt(0) == -other.field_mt(0) > 0
