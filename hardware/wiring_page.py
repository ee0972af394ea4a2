"""The text of ``wiring.md``, with a table for each way of wiring made from the data in ``ways``.

``python -m hardware.pinmap --write`` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from hardware.pinmap import drawing, wires
from hardware.ways import WAYS, End, Way


def document() -> str:
    """The text of ``wiring.md``."""
    parts = {way.key: section(way) for way in WAYS}
    return _DOCUMENT.format_map({"drawing": drawing(wires()), **{_field(key): parts[key] for key in parts}})


def section(way: Way) -> str:
    """A way's diagram, its settings and its table, in Markdown."""
    picture = f"![{way.title}](docs/wiring/{way.key}.svg)"
    return "\n\n".join((picture, _settings(way.settings), table(way)))


def table(way: Way) -> str:
    """Every wire of ``way`` as a table in Markdown."""
    rows = [("From", "To", "In the wire")]
    rows += [(_end(lead.a), _end(lead.b), lead.through) for lead in way.leads]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if not any(lead.through for lead in way.leads):
        rows, widths = [(a, b, "") for a, b, _ in rows], widths[:2]
    rows.insert(1, ("-" * widths[0], "-" * widths[1], "-" * widths[-1]))
    lines = (" | ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=False)) for row in rows)
    return "\n".join(f"| {line} |" for line in lines)


def _settings(settings: Mapping[str, str]) -> str:
    if not settings:
        return "Settings: none, the defaults are these wires."
    return "Settings: " + ", ".join(f"`{key} = {_toml(value)}`" for key, value in settings.items()) + "."


def _toml(value: str) -> str:
    return value if value.isdigit() or value.startswith("0x") else f'"{value}"'


def _end(end: End) -> str:
    pin = f", pin {end.pin}" if end.pin else ""
    return f"{end.part} {end.contact}{pin}"


def _field(key: str) -> str:
    return key.replace("-", "_")


_DOCUMENT = """\
# Wiring

How to wire a box: tiles on the Pi's own pins, on an expander or on a Pico; an OLED; and, if you like, a
lamp a tile and a buzzer. Take one way of each. Tables and diagrams are made from `hardware/pinmap.py` and
`hardware/ways.py` by `python -m hardware.pinmap --write` and `python -m hardware.diagrams --write`.

**Switch the Pi off and pull its plug before you wire. Everything here runs on 3.3 V: the Pi's and the
Pico's lines are not 5 V tolerant, and one wire from 5 V (pins 2 and 4) to a line may end it.**

`boxkeeper pinout --config FILE` draws the wires of *your* settings in the terminal.

## Parts

| Part | How many | Part number, and what matters |
| ---- | -------: | ----------------------------- |
| Raspberry Pi | 1 | any with 40 pins; the Zero 2 W is enough; 64-bit system |
| hall switch | a tile | DRV5033AJQLPG (three legs), DRV5033AJQDBZR (SOT-23); see below |
| magnet | a tile | neodymium disc, 5 or 6 mm wide, 2 or 3 mm thick |
| capacitor | a sensor | 100 nF ceramic, close to the sensor |
| push button | 3 | closes when pressed, for example 12 x 12 mm with a cap |
| OLED | 1 | 128 x 64, controller SSD1306, SH1106 or SSD1309; I2C (four pins) or SPI (seven) |
| *for the expander* | 1 | MCP23017-E/SP (28-pin case, I2C). Not MCP23S17: that is SPI |
| *for the Pico* | 1 | Raspberry Pi Pico or Pico 2 with MicroPython, and a USB cable **that carries data** |
| *for lamps* | a tile | a LED and 470 Ohm on a second MCP23017; or a strip of 12 WS2812B on the Pico |
| *for the buzzer* | 1 | passive piezo (no oscillator in it), 100 Ohm |
| *for chips with colours* | 36 | DRV5055A3QLPG (or SS49E); and 3 CD74HC4067, 1 MCP3008-I/P |
| *for chips without* | 36 | reed or micro switch and BAT85 each; 1 MCP23017-E/SP |
| *for the camera* | 1 | any camera module that `rpicam-hello` shows |

Which way? The Pi's own pins: fewest parts, 15 lines of 24. The expander: four wires from the Pi to the
tiles, and lines left for others. The Pico: one cable between box and Pi, which may stand a table away; and
it works with any computer that has USB.

### Hall switches: which, and which not

| Sensor | For tiles | Why |
| ------ | --------- | --- |
| DRV5033 | **yes** | runs from 2.5 V; looks all the time; either pole will do; open drain |
| DRV5032 | with care | looks only 5, 20 or 80 times a second by variant: take 20 or 80 |
| A3144, KY-003 with it | no | needs 4.5 V or more; on 5 V it must still be pulled up to 3.3 V, never to 5 V |
| US1881, many KY-003 | no | a latch: on until the other pole comes, so the tile never opens |

Of the DRV5033 take the version AJ (switches at 6.9 mT, lets go at 3.5 mT): FA is twice as sensitive (3.5
and 2 mT) and may see its neighbour's magnet. A latch is easily sold as a switch: bring a magnet and take it
away. If the output stays low it is a latch; `boxkeeper selftest` says "never releases".

### Magnets and polarity

- The sensor sits in the floor where the shut tile lies, the magnet in the tile right above it. Shut: the
  magnet is near and the sensor pulls its line to GND. Open: the pull-up holds the line at 3.3 V.
- The flat side of the magnet faces the flat side of the sensor, the one with the print. With a DRV5033
  either pole may be down; with a switch for one pole (A3144: the south pole to the print) only that one
  works: mark it before you glue.
- Try one tile before you drill twelve: shut, it must switch its own sensor with room to spare and no
  neighbour's. Open it by a third, and the sensor must have let go.

### 3.3 V and pull-ups

- The outputs are open drain: they pull down, and something must pull up, to **3.3 V**. `tiles.pull = "up"`
  (the default) uses the pull-ups in the Pi, the expander or the Pico: good for wires inside a box.
- For long wires, or beside motors and LED strips, fit 4.7 to 10 kOhm from each OUT to 3.3 V and set
  `tiles.pull = "external"`.
- Until the service has set the pull-ups, the Pi's lines from BCM 9 on are pulled down: they read 0 V, as if
  shut.
- All sensors share one wire to 3.3 V and one to GND, all buttons one to GND: run a rail along the box and
  branch from it. DRV5033, print towards you, TO-92: VCC, GND, OUT from the left; other cases and sensors
  differ, see the data sheet.

## The header

Seen from above, the header along the right edge of the board and the SD card at the top. Pin 1 is at the
top left; on the underside it is the one with the square pad. The usual box:

```
{drawing}
```

"BCM" is the number the software uses, "pin" is where you count on the board. Pins 27 and 28 belong to HATs.
An overlay or a HAT may hold a line of ours: `dtoverlay=w1-gpio` takes BCM 4, sound HATs and
`dtparam=i2s=on` take BCM 18 to 21, `dtoverlay=spi1-...` takes BCM 16 to 21. `boxkeeper doctor` names who
holds it.

## Tiles and buttons on the Pi's own pins

{tiles_gpio}

Other pins are set in the config: `tiles.pins` (tile = BCM number), `buttons.roll`, `buttons.next`,
`buttons.back`. A box with nine or ten tiles leaves the last ones out. Left free: pins 8 and 10 (UART), 19
to 26 except 20 and 22 (SPI), 12 and 32. Push buttons need no resistor: with four legs take two that lie
diagonally.

## Tiles on an MCP23017

{tiles_mcp23017}

GPA7 and GPB7 stay free: they may not be inputs (data sheet DS20001952D), and the config refuses them. INTA
is not needed: without it the chip is read 25 to 100 times a second, with it when a tile moves and once a
second. Address 0x20 is A0, A1 and A2 to GND. Other inputs: `expander.pins`; for a bus of its own
`expander.bus`.

## Tiles on a Pico

{tiles_serial}

Copy `hardware/mcu` to the Pico once, for example with `mpremote cp hardware/mcu/*.py :` and plug it in
anew. It is found by what it is, whatever port it is in. The buttons may also stay on the Pi: leave
`dice.source` out.

## OLED

**Read the names on the module: some have VCC and GND the other way round.** Feed it from 3.3 V: on 5 V it
may pull its lines up to 5 V. `display.controller` is what the seller names; `boxkeeper selftest oled` shows
a frame on all four edges: shifted by two columns, or torn, it is another one.

### On I2C

{oled_i2c}

SDA and SCL need no resistors of yours, the Pi has them on the board. The address is 0x3c, on some modules
0x3d (printed as 0x78 and 0x7a). Switch I2C on with `sudo raspi-config nonint do_i2c 0`;
`dtparam=i2c_arm_baudrate=400000` in `config.txt` makes it four times as fast. The installer does both.

### On SPI

{oled_spi}

Switch SPI on with `sudo raspi-config nonint do_spi 0`.

## Lamps

A lamp beside each tile that may be shut now.

### On an MCP23017

{lamps_mcp23017}

A second chip at 0x21 (A0 to VDD). The long leg of a LED is its plus. 470 Ohm at 3.3 V let some 3 mA
through, so that twelve lamps together stay below what the chip may give.

### On the Pico

{lamps_serial}

The strip runs on 5 V, its data on 3.3 V: the diode takes the supply down to 4.3 V, so that 3.3 V are surely
high for it.

## Buzzer

### On the Pi

{buzzer_gpio}

### On the Pico

{buzzer_serial}

## The board of Sequence Dice

6 x 6 squares, 30 mm or more from middle to middle, each with a recess that keeps a chip within 1 mm of its
middle. `r0c0` is the top left square. Round chips turn over: their magnet must lie in the middle of their
thickness.

### Chips with colours

{chips_hall}

Pin numbers are those of the bare chips, the CD74HC4067 with 24 pins; a breakout board prints the same names
in another order.

The sensors are linear: they tell how strong a magnet is, and either pole will do. Each colour has a magnet
of its own size, N35, its face 4 mm above the sensor:

| Chip | Magnet | Field | Taken for it |
| ----- | ---------- | ----: | -----------: |
| green | 3 x 1 mm | 13 mT | 8.5 to 16.5 |
| blue | 5 x 1 mm | 28 mT | 19.5 to 36 |
| red | 8 x 1.5 mm | 61 mT | 44 to 76 |

Below 4 mT a square is empty; any other field is *unknown*, and the table asks to put the square right. What
no sensor can tell: chips on top of each other (their fields add up, or take from each other: a red one
turned over on a green one looks green), two chips of one colour that changed places, and chips of another
pile with the same magnet.

`boxkeeper calibrate chips --config FILE`, the board empty, measures each sensor's rest and writes
`chips.rest`. An SS49E needs it (its rests differ by more than a green chip makes), a DRV5055A3 is better
with it. A sensor at a rail has no supply or no wire: the square is played on your word. The four select
lines are free beside an OLED on I2C and no buzzer on the Pi, else set `chips.select`. Switch SPI on with
`sudo raspi-config nonint do_spi 0`.

### Chips without colours

{chips_matrix}

Any switch that a chip closes: a reed switch below a magnet, a micro switch. The diodes keep three chips from
looking like four; take Schottky diodes, since the 0.6 V of others would be near what the MCP23017 still
takes for low. A chip's colour follows from whose turn it is; a replaced chip leaves the square covered as
before, so the table asks, and *next* says that it is done.

## The tray and the camera

Only for dice read by a camera; the box rolls without one.

- The tray: a plain, matt floor in one colour, unlike the dice and their pips; a rim of 20 to 30 mm in
  another colour, so that the floor's corners are seen. 200 x 150 mm is room enough for two dice of 16 mm.
- The camera looks straight down on the middle of the tray and sees all of the floor with a little rim; a
  die of 16 mm should be 30 pixels wide or more (640 x 480 pixels over 200 mm make 50). It must not move:
  screw it to an arm that stands on the tray, not on the table.
- Light from two sides, matt lamps, none mirrored in the dice; no sun. What the camera cannot tell it
  refuses, with the reason on the OLED.
- The lens of the Pi's Camera Modules 1 to 3 is known. Of any other, such as a wide one, tell the
  calibration how wide it sees from left to right (`--view 72`, in degrees, by its data sheet); else that is
  estimated from the corners of the tray, and a few more dice close to a wall are refused.
- The flat cable's contacts face the contacts of the plug; the Pi is off when you plug it.

## Before the plug goes in

With a multimeter, the Pi **not** powered:

1. No beep between 3.3 V and GND (pins 1 and 6), between 5 V and GND (2 and 6), between 5 V and 3.3 V (2 and
   1).
2. No beep between any line and 5 V; none between lines side by side.
3. VCC of every sensor beeps with pin 1 or 17, its GND with pin 39, its OUT with its own line and no other.
4. The OLED's VCC beeps with 3.3 V and its GND with GND: look at the names again.

Then with power, nothing running: 3.3 V between pins 1 and 6, and at every sensor; no line ever shows more.

## Before you close the box

```sh
boxkeeper doctor --config FILE            # what is there, what is missing, what mends it
boxkeeper selftest --config FILE          # every button, tile, lamp, the buzzer and the OLED, one by one
boxkeeper calibrate tiles --config FILE   # crossed wires? Flip the tiles in order, and the config follows
```

Stop the service before the last two: `sudo systemctl stop boxkeeper`.
"""
