"""Shut the Box in one line of text, and back.

A box is a character a tile, its number or ``-`` when shut, 10 to 12 as ``A B C``:
``12-45-7--``.  A tile list is ``1-9`` or ``1,3,5,7,9``.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.errors import RuleError

HIGHEST_TILE = 12
_CHARACTERS = "-123456789ABC"  # by tile number


def tile_character(tile: int) -> str:
    """The character of ``tile`` (1..12)."""
    return _CHARACTERS[tile]


def format_box(tiles: Iterable[int], open_tiles: Iterable[int]) -> str:
    """One character a tile of ``tiles``.

    >>> format_box((1, 3, 12), (1, 12))
    '1-C'
    """
    are_open = set(open_tiles)
    return "".join(_CHARACTERS[tile] if tile in are_open else "-" for tile in tiles)


def parse_box(text: str, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """The open tiles of a box of ``tiles`` written as ``text``.

    Raises RuleError where the length or a character does not fit the tiles.

    >>> parse_box("1-c", (1, 3, 12))
    (1, 12)
    """
    if len(text) != len(tiles):
        raise RuleError(
            f"position {text!r} has {len(text)} characters, the tiles {format_tiles(tiles)} need {len(tiles)}"
        )
    open_tiles = []
    for character, tile in zip(text, tiles, strict=True):
        if character.upper() == _CHARACTERS[tile]:
            open_tiles.append(tile)
        elif character != "-":
            raise RuleError(
                f"position {text!r}: {character!r} where tile {tile} is {_CHARACTERS[tile]!r} or '-'"
            )
    return tuple(open_tiles)


def parse_tiles(text: str) -> tuple[int, ...]:
    """The tiles of a list such as ``1-9``, ``4-6,9`` or ``7``, ascending.

    Raises RuleError for an empty list, a double, or a number outside 1..12.

    >>> parse_tiles("1,3,5-7")
    (1, 3, 5, 6, 7)
    """
    tiles: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        try:
            low = int(first)
            high = int(last) if dash else low
        except ValueError:
            raise RuleError(f"tiles {text!r}: {part.strip()!r} is no tile; write 1-9 or 1,3,5") from None
        if not 1 <= low <= high <= HIGHEST_TILE:
            raise RuleError(f"tiles {text!r}: {part.strip()!r} is not within 1-{HIGHEST_TILE}")
        tiles.extend(range(low, high + 1))
    for tile in tiles:
        if tiles.count(tile) > 1:
            raise RuleError(f"tiles {text!r}: tile {tile} stands twice; each tile once")
    return tuple(sorted(tiles))


def format_tiles(tiles: tuple[int, ...]) -> str:
    """The shortest list that :func:`parse_tiles` reads back.

    >>> format_tiles((1, 2, 3, 5, 9))
    '1-3,5,9'
    """
    runs: list[list[int]] = []
    for tile in tiles:
        if runs and tile == runs[-1][-1] + 1:
            runs[-1].append(tile)
        else:
            runs.append([tile])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs)
