"""An SH1106 OLED controller and its 128 x 64 glass, by the data sheet (Sino Wealth, V2.3).

Like the SSD1306 but for its memory of 132 columns, of which the glass shows 2 to 129, and for its
addressing: a page, and a column in two halves, which goes on to the end of the page and stays there.
"""

from __future__ import annotations

from sim.devices.oled_chip import HEIGHT, PAGES, WIDTH, OledChip

_COLUMNS = 132
_FIRST_SHOWN = 2  # segment of the glass's first column

# Opcode -> number of arguments (command table).
_ARGUMENTS = {
    **dict.fromkeys(range(0x00, 0x20), 0),  # column, low and high half
    **dict.fromkeys(range(0x30, 0x34), 0),  # pump voltage
    **dict.fromkeys(range(0x40, 0x80), 0),  # start line
    0x81: 1,  # contrast
    0xA0: 0, 0xA1: 0,  # segment remap
    0xA4: 0, 0xA5: 0,  # entire display on
    0xA6: 0, 0xA7: 0,  # reverse
    0xA8: 1,  # multiplex ratio
    0xAD: 1,  # DC-DC
    0xAE: 0, 0xAF: 0,  # off, on
    **dict.fromkeys(range(0xB0, 0xB8), 0),  # page
    0xC0: 0, 0xC8: 0,  # scan direction
    0xD3: 1,  # offset
    0xD5: 1, 0xD9: 1, 0xDB: 1,  # clock, precharge, VCOM: no effect on what is lit
    0xDA: 1,  # COM pads
    0xE3: 0,  # NOP
}  # fmt: skip
_NOT_SEEN = frozenset({*range(0x30, 0x34), 0xD5, 0xD9, 0xDB, 0xE3})


class Sh1106(OledChip):
    """The chip on a module that is lit by its DC-DC converter."""

    ARGUMENTS = _ARGUMENTS

    def reset(self) -> None:
        """Power on: the registers' reset values, and noise in the RAM."""
        self._power_on(PAGES * _COLUMNS, contrast=0x80)
        self._column = self._page = 0
        self._start_line = self._offset = 0
        self._lines = HEIGHT
        self._com_pads = 0x12
        self._is_reverse = self._is_all_lit = False
        self._is_pumped = True
        self._is_remapped = self._is_scanned_back = False

    def pixels(self) -> bytes:
        """What is seen: 64 rows of 16 bytes, the left pixel in the highest bit; upright after A1 and C8.

        Glass for pads in sequence (DA 02), or of another number of lines, is not sold with this chip.
        """
        rows = []
        for y in range(HEIGHT):
            row = 0
            if self._is_on and self._is_pumped and self._com_pads & 0x10 and self._lines == HEIGHT:
                row = self._row(y)
            rows.append(row.to_bytes(WIDTH // 8))
        return b"".join(rows)

    def _row(self, y: int) -> int:
        if self._is_all_lit:
            return (1 << WIDTH) - 1
        com = y if self._is_scanned_back else HEIGHT - 1 - y
        page, bit = divmod((com + self._offset + self._start_line) % HEIGHT, 8)
        lit = 0
        for x in range(WIDTH):
            segment = x + _FIRST_SHOWN
            column = segment if self._is_remapped else _COLUMNS - 1 - segment
            lit = lit << 1 | (self._ram[page * _COLUMNS + column] >> bit & 1)
        return lit ^ ((1 << WIDTH) - 1) if self._is_reverse else lit

    def _write_ram(self, data: bytes) -> None:
        if self._pending and data:
            self._refuse()
        for byte in data:
            if self._column < _COLUMNS:
                self._ram[self._page * _COLUMNS + self._column] = byte
                self._column += 1

    def _do(self, opcode: int, arguments: list[int]) -> bool:
        match opcode, arguments:
            case low, [] if low < 0x10:
                self._column = self._column & 0xF0 | low
            case high, [] if high < 0x20:
                self._column = (high & 0x0F) << 4 | self._column & 0x0F
            case line, [] if 0x40 <= line < 0x80:
                self._start_line = line & 0x3F
            case page, [] if 0xB0 <= page < 0xB8:
                self._page = page & 0x07
            case 0x81, [contrast]:
                self._contrast = contrast
            case 0xA0 | 0xA1, []:
                self._is_remapped = opcode == 0xA1
            case 0xA4 | 0xA5, []:
                self._is_all_lit = opcode == 0xA5
            case 0xA6 | 0xA7, []:
                self._is_reverse = opcode == 0xA7
            case 0xA8, [last_line]:
                self._lines = (last_line & 0x3F) + 1
            case 0xAD, [mode]:
                self._is_pumped = mode == 0x8B
            case 0xAE | 0xAF, []:
                self._is_on = opcode == 0xAF
            case 0xC0 | 0xC8, []:
                self._is_scanned_back = opcode == 0xC8
            case 0xD3, [offset]:
                self._offset = offset & 0x3F
            case 0xDA, [pads]:
                self._com_pads = pads
            case _:
                assert opcode in _NOT_SEEN
        return True
