# The pins of a Raspberry Pi Pico (or Pico 2).  Only this file knows them; hardware/ways.py shows the wires.
"""The board: twelve tiles, three buttons, a buzzer, a strip of lamps."""

from firmware import Pins
from machine import PWM, WDT, Pin
from neopixel import NeoPixel

TILE_PINS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)  # tile 1 first
BUTTON_PINS = (12, 13, 14)  # roll, next, back
BUZZER_PIN = 15
LAMP_PIN = 16
WATCHDOG_MS = 2000
_LIT = (40, 28, 8)  # of 255: a warm light, 12 lamps below 100 mA
_DARK = (0, 0, 0)
_DUTIES = (0, 400, 32768)  # of 65536, by volume: off, low, high; a square wave is loudest at a half


class Board(Pins):
    """The pins; every input is pulled up, and pulled low by what is wired to it."""

    abilities = f"t{len(TILE_PINS)},b{len(BUTTON_PINS)},l{len(TILE_PINS)},z1"

    def __init__(self) -> None:
        """Take the pins; the watchdog is not started yet."""
        self._tiles = [Pin(number, Pin.IN, Pin.PULL_UP) for number in TILE_PINS]
        self._buttons = [Pin(number, Pin.IN, Pin.PULL_UP) for number in BUTTON_PINS]
        self._buzzer = PWM(Pin(BUZZER_PIN))
        self._buzzer.duty_u16(0)
        self._strip = NeoPixel(Pin(LAMP_PIN), len(TILE_PINS))
        self._watchdog: WDT | None = None
        self.lamps(0)

    def read(self) -> tuple[int, int]:
        """The lines that are high: tiles, buttons; the first of each is the lowest bit."""
        return _mask(self._tiles), _mask(self._buttons)

    def lamps(self, mask: int) -> None:
        """Light the lamps of these tiles; tile 1 is the lowest bit, and first on the strip."""
        for i in range(len(TILE_PINS)):
            self._strip[i] = _LIT if mask >> i & 1 else _DARK
        self._strip.write()

    def tone(self, hz: int, volume: int) -> None:
        """Hum at ``hz``; 0: be quiet.  ``volume``: 1 low, 2 high."""
        if 20 <= hz <= 20000:
            self._buzzer.freq(hz)
            self._buzzer.duty_u16(_DUTIES[min(volume, 2)])
        else:
            self._buzzer.duty_u16(0)

    def is_prompt_wanted(self) -> bool:
        """Whether *back* is held while it starts: then MicroPython's prompt comes up instead."""
        return not self._buttons[2].value()

    def feed(self) -> None:
        """The loop goes on: without this for two seconds the chip resets."""
        if self._watchdog is None:
            self._watchdog = WDT(timeout=WATCHDOG_MS)
        self._watchdog.feed()


def _mask(pins: list[Pin]) -> int:
    levels = 0
    for i in range(len(pins)):
        levels |= pins[i].value() << i
    return levels
