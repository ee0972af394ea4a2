# MicroPython starts this file at power-on.
"""Start the firmware on the board."""

import micropython
from board import Board
from firmware import run

board = Board()
if not board.is_prompt_wanted():
    micropython.kbd_intr(-1)  # a byte of noise must not end the program as Ctrl-C would
    run(board)
