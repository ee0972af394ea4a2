"""What is kept, as text for other programs: tables as CSV, or all of it as JSON."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from firmware_host.store.looking import looking
from firmware_host.store.tables import COLUMNS, Span, table

WHAT = tuple(COLUMNS)
FORMATS: Mapping[str, str] = MappingProxyType({"csv": "text/csv; charset=utf-8", "json": "application/json"})
"""Each format, and its media type."""
# What a spreadsheet runs when a cell begins with it, full-width forms included (OWASP, CSV injection).
_RUN = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")

Row = dict[str, Any]


def rows(db: sqlite3.Connection | None, what: str) -> Iterable[Row]:
    """The rows of table ``what``; none without a store."""
    span = Span.of(db) if db is not None else None
    return table(db, what, span) if db is not None and span is not None else ()


def exported(store: Path, what: str, kind: str) -> str:
    """Table ``what`` of the store as ``csv`` or ``json``; empty where nobody has played.

    Raises JournalError where the store cannot be read.
    """
    out = io.StringIO(newline="")
    write = write_csv if kind == "csv" else write_json
    if not store.is_file():
        write(out, what, ())
    else:
        with looking(store) as db:
            write(out, what, rows(db, what))
    return out.getvalue()


def write_json(out: TextIO, _what: str, rows: Iterable[Row]) -> None:
    """A list, an object a line."""
    before = "["
    for row in rows:
        out.write(f"{before}\n{json.dumps(row, ensure_ascii=False)}")
        before = ","
    out.write("[]" if before == "[" else "\n]")


def write_csv(out: TextIO, what: str, rows: Iterable[Row]) -> None:
    """The columns of table ``what``, then a line a row."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS[what])
    writer.writerows(map(_cell, row.values()) for row in rows)


def _cell(value: Any) -> Any:
    match value:
        case bool():
            return int(value)
        case list() if all(isinstance(item, int) for item in value):
            return " ".join(map(str, value))
        case list() | dict():
            return json.dumps(value, ensure_ascii=False)
        case str() if value.startswith(_RUN):
            return f"'{value}"
    return value
