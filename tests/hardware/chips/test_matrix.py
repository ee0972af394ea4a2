"""36 switches with diodes: every square by itself, no ghosts, a chip that forgets."""

from __future__ import annotations

import errno

import pytest
from chip_rigs import ADDRESS, MatrixRig
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from firmware_host.table.events import COVERED


def expected(squares: set[int]) -> tuple[int, ...]:
    return tuple(COVERED if square in squares else 0 for square in range(36))


def test_an_empty_board_is_empty() -> None:
    assert MatrixRig().open().read() == expected(set())


def test_each_square_is_its_own_whatever_the_colour() -> None:
    rig = MatrixRig()
    board = rig.open()
    for square in range(36):
        rig.board.place(square, ("green", "blue", "red")[square % 3], is_turned=square % 2 == 1)
        assert board.read() == expected({square})
        rig.board.lift(square)


def test_three_corners_of_a_rectangle_make_no_fourth() -> None:
    rig = MatrixRig()
    board = rig.open()
    for square in (0, 3, 18):
        rig.board.place(square, "green")
    assert board.read() == expected({0, 3, 18})


@settings(deadline=None)
@given(st.sets(st.integers(0, 35)))
def test_every_board_is_read_as_it_lies(squares: set[int]) -> None:
    rig = MatrixRig()
    for square in squares:
        rig.board.place(square, "blue")
    assert rig.open().read() == expected(squares)


def test_a_replacement_cannot_be_seen() -> None:
    rig = MatrixRig()
    board = rig.open()
    rig.board.place(5, "green")
    before = board.read()
    rig.board.lift(5)
    rig.board.place(5, "blue")
    assert board.read() == before


def test_a_chip_that_was_reset_is_set_up_again() -> None:
    rig = MatrixRig()
    board = rig.open()
    rig.board.place(5, "green")
    rig.circuit.chip.reset()
    assert board.read() == expected({5})


def test_a_chip_that_does_not_answer_is_not_found_and_one_that_goes_is_lost() -> None:
    rig = MatrixRig()
    board = rig.open()
    rig.bus.detach(ADDRESS)
    with pytest.raises(DeviceLostError, match="0x22"):
        board.read()
    with pytest.raises(DeviceNotFoundError, match="0x22"):
        rig.open()
    rig.bus.attach(ADDRESS, rig.circuit)
    assert rig.open().read() == expected(set())


def test_a_bus_that_hangs_in_the_middle_of_a_scan_is_a_lost_device() -> None:
    rig = MatrixRig()
    board = rig.open()
    rig.bus.fail_after(7, errno.ETIMEDOUT)
    with pytest.raises(DeviceLostError):
        board.read()


def test_it_is_polled_and_closing_twice_is_quiet() -> None:
    board = MatrixRig().open()
    board.watch(lambda: None)
    assert board.poll_s <= 0.05
    assert board.note == ""
    assert board.measure_rest(8) == ()
    board.close()
    board.close()
