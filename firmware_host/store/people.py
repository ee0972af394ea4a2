"""People's names: whoever is new gets a name that nobody has."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable

from firmware_host.config_values import LONGEST_NAME, NAMES
from firmware_host.errors import RuleError
from firmware_host.games.names import likeness
from firmware_host.games.opponents import PREFIX


def clean(typed: str) -> str:
    """The name that ``typed`` is: composed (NFC), trimmed, 1 to 20 characters of any script.

    Raises RuleError for what is no name.
    """
    try:
        name = str(NAMES.read([typed])[0])
    except ValueError as error:
        name = unicodedata.normalize("NFC", typed.strip())
        why = str(error).removeprefix(f"{name!r} ") or NAMES.allowed
        raise RuleError(f"{typed!r} is no name: {why}") from None
    if name.startswith(PREFIX):
        raise RuleError(f"{typed!r} is no name: {PREFIX} stands before whom the box plays")
    return name


def alike(typed: str, known: Iterable[str]) -> str | None:
    """Who of ``known`` has this name, or one that differs only in case or width; None: nobody.

    >>> alike("ann", ["Bob", "Ann"])
    'Ann'
    """
    name = clean(typed)
    people = list(known)
    if name in people:
        return name
    return next((person for person in people if likeness(person) == likeness(name)), None)


def new_name(typed: str, known: Iterable[str]) -> str:
    """The shown name of a new person who typed this: as typed, or numbered where it is taken.

    >>> new_name("Ann", ["Bob", "Ann"]), new_name("ann", ["Ann", "Ann 2"])
    ('Ann 2', 'ann 3')
    """
    name = clean(typed)
    taken = {likeness(person) for person in known}
    shown, number = name, 1
    while likeness(shown) in taken:
        number += 1
        shown = f"{_cut(name, LONGEST_NAME - len(f' {number}'))} {number}"
    return shown


def seats(typed: Iterable[str], known: Callable[[str], str] = str) -> tuple[str, ...]:
    """The seats of those who were ``typed``, people by their shown names, ``bot:good`` and the like as it is.

    ``known``: the name that somebody goes by who typed this.  Who has the name of an earlier seat, or one
    like it, is told apart by a number: "Ann", "Ann 2".
    """
    seated: list[str] = []
    for name in typed:
        seated.append(name if name.startswith(PREFIX) else new_name(known(name), seated))
    return tuple(seated)


def _cut(name: str, length: int) -> str:
    """The first ``length`` characters, without a joiner that joins nothing any more."""
    return name[:length].rstrip(" \u200d\u200c")
