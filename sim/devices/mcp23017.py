"""An MCP23017 port expander, by its data sheet (Microchip DS20001952D).

It takes what an I2C master writes and says what it reads; the pins are driven from outside.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

# Registers of one port, table 3-1.
IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO, OLAT = range(11)
_READ_ONLY = (INTF, INTCAP)
_BANK, _MIRROR, _SEQOP, _ODR = 0x80, 0x40, 0x20, 0x04
_PORTS = 2
_LAST_BANK_0 = 2 * OLAT + 1


class Mcp23017:
    """The chip; pin 0 is GPA0, pin 15 GPB7.  ``interrupt`` hears whether INTA is pulled low."""

    def __init__(self, seed: int = 0, interrupt: Callable[[bool], None] = lambda _: None) -> None:
        self._random = random.Random(seed)
        self._interrupt = interrupt
        self._lock = threading.RLock()  # the bus reads in one thread, hands drive the pins in another
        self._held = self._high = 0  # pins that something outside holds at a level, and those it holds high
        self.reset()

    def reset(self) -> None:
        """Power on, or RESET low for a moment: every register at its reset value (table 3-2)."""
        self._registers = [
            [0xFF if register == IODIR else 0 for register in range(11)] for _ in range(_PORTS)
        ]
        self._previous = [self._pins(port) for port in range(_PORTS)]
        self._pointer = 0
        self._interrupt(False)

    def drive(self, pin: int, is_high: bool | None) -> None:
        """Hold ``pin`` at a level; None: let it go, so that it follows its pull-up or floats."""
        bit = 1 << pin
        self.drive_pins(bit, bit if is_high is not None else 0, bit if is_high else 0)

    def drive_pins(self, pins: int, held: int, levels: int) -> None:
        """Of ``pins``, as bits: hold those of ``held`` at their ``levels``, let the others go."""
        with self._lock:
            self._held = self._held & ~pins | held & pins
            self._high = self._high & ~pins | levels & held & pins
            self._compare()

    @property
    def outputs(self) -> int:
        """The pins that are driven high by the chip, as bits."""
        a, b = self._registers
        return a[OLAT] & ~a[IODIR] | (b[OLAT] & ~b[IODIR]) << 8

    @property
    def sinks(self) -> int:
        """The pins that are driven low by the chip, as bits."""
        a, b = self._registers
        return ~(a[OLAT] | a[IODIR] | (b[OLAT] | b[IODIR]) << 8) & 0xFFFF

    @property
    def is_interrupting(self) -> bool:
        """Whether INTA is pulled low: something has changed and the port was not read since."""
        is_mirrored = bool(self._registers[0][IOCON] & _MIRROR)
        return bool(self._registers[0][INTF] or (is_mirrored and self._registers[1][INTF]))

    def write(self, payload: bytes) -> None:
        """One I2C write: the register's address, then values for it and those after it."""
        with self._lock:
            if payload:
                self._pointer = payload[0]
                for value in payload[1:]:
                    self._write(value)

    def read(self, length: int) -> bytes:
        """One I2C read from where the pointer is."""
        with self._lock:
            return bytes(self._read() for _ in range(length))

    def _where(self) -> tuple[int, int] | None:
        """Port and register at the pointer; None where there is none."""
        if self._registers[0][IOCON] & _BANK:
            port, register = self._pointer >> 4 & 1, self._pointer & 0x0F
            return (port, register) if register <= OLAT and self._pointer < 0x20 else None
        return (self._pointer & 1, self._pointer >> 1) if self._pointer <= _LAST_BANK_0 else None

    def _advance(self) -> None:
        if not self._registers[0][IOCON] & _SEQOP:
            self._pointer = self._pointer + 1 if self._pointer < _LAST_BANK_0 else 0

    def _write(self, value: int) -> None:
        where = self._where()
        if where is not None and where[1] not in _READ_ONLY:
            port, register = where
            if register == IOCON:  # one register at two addresses
                for each in self._registers:
                    each[IOCON] = value
            else:
                self._registers[port][OLAT if register == GPIO else register] = value
            if register == GPINTEN:
                self._previous[port] = self._pins(port)
        self._advance()
        self._compare()

    def _read(self) -> int:
        where = self._where()
        value = 0
        if where is not None:
            port, register = where
            if register == GPIO:
                value = self._pins(port) ^ self._registers[port][IPOL]
            else:
                value = self._registers[port][register]
            if register in (GPIO, INTCAP):
                self._previous[port] = self._pins(port)
                self._registers[port][INTF] = 0
                self._interrupt(self.is_interrupting)
        self._advance()
        return value

    def _pins(self, port: int) -> int:
        """The levels at the pins of ``port``: an output is what its latch says."""
        registers = self._registers[port]
        inputs, held = registers[IODIR], self._held >> 8 * port & 0xFF
        free = inputs & ~held
        levels = registers[OLAT] & ~inputs | self._high >> 8 * port & inputs | registers[GPPU] & free
        floating = free & ~registers[GPPU]
        return levels | self._random.getrandbits(8) & floating if floating else levels

    def _compare(self) -> None:
        """Interrupt on change (3.5.6): the first change is captured, and stays until the port is read."""
        for port, registers in enumerate(self._registers):
            if registers[INTF] or not registers[GPINTEN]:
                continue
            now = self._pins(port)
            other = (self._previous[port] & ~registers[INTCON]) | (registers[DEFVAL] & registers[INTCON])
            changed = (now ^ other) & registers[GPINTEN] & registers[IODIR]
            if changed:
                registers[INTF], registers[INTCAP] = changed, now
        self._interrupt(self.is_interrupting)
