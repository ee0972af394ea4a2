"""Sequence Dice once more, as plainly as it can be said: squares in a dictionary, lines walked step by step.

Shares nothing with the game but the letters of the colours.
"""

from __future__ import annotations

NUMBERS = (
    (2, 3, 4, 5, 6, 2),
    (6, 7, 8, 9, 7, 3),
    (5, 9, 12, 12, 8, 4),
    (4, 8, 12, 12, 9, 5),
    (3, 7, 9, 8, 7, 6),
    (2, 6, 5, 4, 3, 2),
)
Cell = tuple[int, int]
Chips = dict[Cell, str]
Act = tuple[str, Cell | None]

CELLS = [(row, column) for row in range(6) for column in range(6)]


def read(text: str) -> Chips:
    """The chips of a position's text."""
    rows = text.split("/")
    return {(row, column): rows[row][column] for row, column in CELLS if rows[row][column] != "."}


def write(chips: Chips) -> str:
    """The text of a position."""
    return "/".join("".join(chips.get((row, column), ".") for column in range(6)) for row in range(6))


def layout(chips: Chips) -> tuple[int, ...]:
    """By square 0 when empty, else 1, 2, 3 for the colours."""
    return tuple(1 + "gbr".index(chips[cell]) if cell in chips else 0 for cell in CELLS)


def legal(chips: Chips, colour: str, total: int) -> list[Act]:
    """Everything that ``colour`` may do with a roll of ``total``."""
    if total == 10:
        acts: list[Act] = []
        for cell in CELLS:
            row, column = cell
            if cell in chips and chips[cell] != colour and NUMBERS[row][column] not in (2, 12):
                acts.append(("remove", cell))
        return acts or [("pass", None)]
    matching = [(row, column) for row, column in CELLS if total in (11, NUMBERS[row][column])]
    empty = [cell for cell in matching if cell not in chips]
    if empty:
        return [("place", cell) for cell in empty]
    foreign = [cell for cell in matching if chips[cell] != colour]
    return [("replace", cell) for cell in foreign] if foreign else [("pass", None)]


def play(chips: Chips, colour: str, act: Act) -> Chips:
    """The chips after ``act``."""
    do, cell = act
    chips = dict(chips)
    if do == "remove":
        assert cell is not None
        del chips[cell]
    elif cell is not None:
        chips[cell] = colour
    return chips


def longest_run(chips: Chips, colour: str) -> int:
    """The most chips of ``colour`` next to each other in a straight line."""
    longest = 0
    for (row, column), lies in chips.items():
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            count = 0
            while lies == colour == chips.get((row + count * down, column + count * right)):
                count += 1
            longest = max(longest, count)
    return longest
