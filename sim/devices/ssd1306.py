"""An SSD1306 OLED controller and its 128 x 64 glass, by the data sheet (rev 1.1).

It takes what an I2C master writes and says what a person sees.  Scrolling is
parsed but does not move the picture: the simulated chip has no clock.
"""

from __future__ import annotations

from enum import IntEnum

from sim.devices.oled_chip import HEIGHT, PAGES, WIDTH, OledChip

# Opcode -> number of arguments: the command table (9), and the charge pump's (application note, 2.1).
_ARGUMENTS = {
    **dict.fromkeys(range(0x00, 0x20), 0),  # page mode: start column, low and high half
    0x20: 1,  # addressing mode
    0x21: 2,  # column window
    0x22: 2,  # page window
    0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x2E: 0, 0x2F: 0, 0xA3: 2,  # scrolling
    **dict.fromkeys(range(0x40, 0x80), 0),  # start line
    0x81: 1,  # contrast
    0x8D: 1,  # charge pump
    0xA0: 0, 0xA1: 0,  # segment remap
    0xA4: 0, 0xA5: 0,  # entire display on
    0xA6: 0, 0xA7: 0,  # inverse
    0xA8: 1,  # multiplex ratio
    0xAE: 0, 0xAF: 0,  # display off, on
    **dict.fromkeys(range(0xB0, 0xB8), 0),  # page mode: page
    0xC0: 0, 0xC8: 0,  # COM scan direction
    0xD3: 1,  # offset
    0xD5: 1, 0xD9: 1, 0xDB: 1,  # clock, precharge, VCOMH: no effect on what is lit
    0xDA: 1,  # COM pins
    0xE3: 0,  # NOP
}  # fmt: skip

# Known commands that do not change what is seen here: scrolling, timing, NOP.
_NOT_SEEN = frozenset({0x26, 0x27, 0x29, 0x2A, 0x2E, 0x2F, 0xA3, 0xD5, 0xD9, 0xDB, 0xE3})

# For each bit: translates a page's bytes into its binary digits.
_DIGITS = [bytes(ord("1") if byte >> bit & 1 else ord("0") for byte in range(256)) for bit in range(8)]


class Addressing(IntEnum):
    """How the RAM pointer moves on after a byte (10.1.3)."""

    HORIZONTAL = 0  # along the columns of the window, then to its next page
    VERTICAL = 1  # down the pages of the window, then to its next column
    PAGE = 2  # along the columns of one page


class Ssd1306(OledChip):
    """The chip on a module without its own 12 V, as sold for I2C: lit only by the charge pump."""

    ARGUMENTS = _ARGUMENTS

    def reset(self) -> None:
        """Power on: the registers' reset values (8.5 and 9), and noise in the RAM."""
        # In the order of the segment outputs: the remap acts when data is written (10.1.8).
        self._power_on(PAGES * WIDTH, contrast=0x7F)
        self._addressing = Addressing.PAGE
        self._columns, self._pages = (0, WIDTH - 1), (0, PAGES - 1)
        self._start_column = 0
        self._column = self._page = 0
        self._start_line = self._offset = 0
        self._lines = HEIGHT
        self._com_pins = 0x12
        self._is_pumped = self._is_inverse = self._is_all_lit = False
        self._is_remapped = self._is_scanned_back = False

    def pixels(self) -> bytes:
        """What is seen: 64 rows of 16 bytes, the left pixel in the highest bit, 1 is lit.

        The glass is mounted, as on the usual module, so that segment 127 is left
        and COM63 on top: upright after A1 and C8.
        """
        rows = [bytes(WIDTH // 8)] * HEIGHT
        if self._is_on and self._is_pumped:
            for com in range(HEIGHT):
                # 10.1.15, tables 10-1 and 10-2: which row drives which COM line.
                scanned = self._lines - 1 - com if self._is_scanned_back else com
                row = (scanned + self._offset) % HEIGHT
                if row < self._lines:
                    rows[HEIGHT - 1 - self._glass_line(com)] = self._row(row)
        return b"".join(rows)

    def _row(self, row: int) -> bytes:
        """The 128 pixels of a row that is scanned."""
        if self._is_all_lit:
            return b"\xff" * (WIDTH // 8)
        page, bit = divmod((row + self._start_line) % HEIGHT, 8)
        segments = self._ram[page * WIDTH : (page + 1) * WIDTH]
        lit = int(segments[::-1].translate(_DIGITS[bit]), 2)
        if self._is_inverse:
            lit ^= (1 << WIDTH) - 1
        return lit.to_bytes(WIDTH // 8)

    def _glass_line(self, com: int) -> int:
        """Where a COM line ends up on a glass made for pins in the alternative order (10.1.18)."""
        pin = com // 2 + 32 * (com % 2) if self._com_pins & 0x10 else com
        if self._com_pins & 0x20:
            pin ^= 32
        return 2 * (pin % 32) + pin // 32

    def _write_ram(self, data: bytes) -> None:
        if self._pending:
            self._refuse()
        for byte in data:
            segment = WIDTH - 1 - self._column if self._is_remapped else self._column
            self._ram[self._page * WIDTH + segment] = byte
            self._advance()

    def _advance(self) -> None:
        """Move the pointer on by one (10.1.3)."""
        if self._addressing is Addressing.PAGE:
            self._column = self._column + 1 if self._column < WIDTH - 1 else self._start_column
        elif self._addressing is Addressing.HORIZONTAL:
            self._column, wrapped = _next(self._column, self._columns)
            if wrapped:
                self._page, _ = _next(self._page, self._pages)
        else:
            self._page, wrapped = _next(self._page, self._pages)
            if wrapped:
                self._column, _ = _next(self._column, self._columns)

    def _do(self, opcode: int, arguments: list[int]) -> bool:
        return self._address(opcode, arguments) or self._configure(opcode, arguments)

    def _address(self, opcode: int, arguments: list[int]) -> bool:
        """Do the command if it moves the RAM pointer and is allowed (10.1.1 to 10.1.5, 10.1.13)."""
        in_page_mode = self._addressing is Addressing.PAGE
        match opcode, arguments:
            case 0x20, [mode] if mode & 3 in tuple(Addressing):
                self._addressing = Addressing(mode & 3)
            case 0x21, [first, last] if not in_page_mode and first <= last < WIDTH:
                self._columns, self._column = (first, last), first
            case 0x22, [first, last] if not in_page_mode and first <= last < PAGES:
                self._pages, self._page = (first, last), first
            case low, [] if low < 0x10 and in_page_mode:
                self._column = self._start_column = self._start_column & 0x70 | low
            case high, [] if 0x10 <= high < 0x20 and in_page_mode:
                self._column = self._start_column = (high & 0x07) << 4 | self._start_column & 0x0F
            case page, [] if 0xB0 <= page < 0xB8 and in_page_mode:
                self._page = page & 0x07
            case _:
                return False
        return True

    def _configure(self, opcode: int, arguments: list[int]) -> bool:
        """Do the command if it is one of the others (10.1.6 on) and is allowed."""
        match opcode, arguments:
            case line, [] if 0x40 <= line < 0x80:
                self._start_line = line & 0x3F
            case 0x81, [contrast]:
                self._contrast = contrast
            case 0x8D, [pump]:
                self._is_pumped = bool(pump & 0x04)
            case 0xA0 | 0xA1, []:
                self._is_remapped = opcode == 0xA1
            case 0xA4 | 0xA5, []:
                self._is_all_lit = opcode == 0xA5
            case 0xA6 | 0xA7, []:
                self._is_inverse = opcode == 0xA7
            case 0xA8, [last_line] if last_line & 0x3F >= 15:
                self._lines = (last_line & 0x3F) + 1
            case 0xAE | 0xAF, []:
                self._is_on = opcode == 0xAF
            case 0xC0 | 0xC8, []:
                self._is_scanned_back = opcode == 0xC8
            case 0xD3, [offset]:
                self._offset = offset & 0x3F
            case 0xDA, [pins]:
                self._com_pins = pins
            case _:
                return opcode in _NOT_SEEN
        return True


def _next(pointer: int, window: tuple[int, int]) -> tuple[int, bool]:
    """The pointer after this one in a window, and whether it went back to the window's start."""
    first, last = window
    return (first, True) if pointer == last else (pointer + 1, False)
