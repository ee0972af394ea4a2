"""A QR code of the page's address, small enough for the OLED."""

from __future__ import annotations

MOST_MODULES = 31  # of two pixels each, beside the digits


def qr_rows(url: str) -> tuple[str, ...]:
    """The rows, 1 is dark; without rows where the code would be too large, or segno is not installed.

    In capitals, where that means the same, a code needs a third fewer modules.
    """
    try:
        import segno
    except ModuleNotFoundError:
        return ()
    text = url if "[" in url else url.upper()
    for error in ("m", "l"):
        code = segno.make(text, error=error, micro=False, boost_error=False)
        rows = tuple("".join(map(str, row)) for row in code.matrix)
        if len(rows) <= MOST_MODULES:
            return rows
    return ()
