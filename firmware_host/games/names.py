"""When two names are too alike for two people at one table."""

from __future__ import annotations

import unicodedata


def likeness(name: str) -> str:
    """The same for names that differ only in case or width.

    >>> likeness("ＡＮＮ") == likeness("Ann")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
