"""A diagram for each way of wiring, drawn by WireViz from the leads in ``ways``.

``python -m hardware.diagrams --write`` makes ``docs/wiring`` anew: for each way the input
of WireViz and the picture it draws; it needs ``pip install 'boxkeeper[diagrams]'`` and
the program ``dot`` and DejaVu Sans (Debian: graphviz, fonts-dejavu-core).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hardware.pinmap import BUTTON_PINS
from hardware.ways import BOARDS, MULTIPLEXERS, WAYS, End, Lead, Way

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "wiring"

_GROUPS = {
    "tile": "hall switches", "lamp": "lamps",
    "sensor": "linear hall sensors", "row": "rows", "column": "columns",
}  # fmt: skip
_RAILS = {"all tiles": "hall switches", "all lamps": "lamps", "all sensors": "linear hall sensors"}
_BUTTONS = (*BUTTON_PINS, "all buttons")
_TYPES = {
    "Pi": "Raspberry Pi, 40-pin header",
    "MCP23017": "MCP23017, 28-pin case, address 0x20",
    "MCP23017 (lamps)": "MCP23017, 28-pin case, address 0x21",
    "MCP23017 (chips)": "MCP23017, 28-pin case, address 0x22",
    "MCP3008": "MCP3008, 16-pin case",
    **dict.fromkeys((*MULTIPLEXERS, "all CD74HC4067"), "24-pin case"),
    "Pico": "Raspberry Pi Pico",
    "hall switches": "DRV5033, one a tile",
    "linear hall sensors": "DRV5055A3 or SS49E, one a square",
    "rows": "of six switches",
    "columns": "of six switches",
    "push buttons": "close when pressed",
    "lamps": "beside the tiles",
    "buzzer": "passive piezo",
    "OLED": "128 x 64 pixels",
    "USB cable": "that carries data",
}
# Graphviz makes room by the first of these that it finds; who looks at the picture may have another, and
# hardly one is wider.
_FONTS = "DejaVu Sans,Verdana,sans-serif"
# WireViz' colour codes (IEC 60757): 3.3 V red, 5 V orange, ground black, signals in turn.
_SIGNALS = ("BN", "YE", "GN", "BU", "VT", "GY", "WH", "PK", "TQ")
_SUPPLIES = {"3.3 V": "RD", "3V3": "RD", "VBUS": "OG", "GND": "BK", "VSS": "BK"}


def diagram(way: Way) -> str:
    """The input of WireViz for ``way``, in YAML."""
    cables: dict[tuple[str, str], list[Lead]] = {}
    for lead in way.leads:
        cables.setdefault((_group(lead.a), lead.b.part), []).append(lead)
    names = dict.fromkeys((*(group for group, _ in cables), *(board for _, board in cables)))
    content: dict[str, Any] = {
        "metadata": {"title": way.title},
        "options": {"bgcolor": "WH", "fontname": _FONTS},
        "connectors": {name: _connector(way, name) for name in names},
        "cables": {
            f"W{i}": {"category": "bundle", "colors": _colours(leads), "show_name": False}
            for i, leads in enumerate(cables.values(), 1)
        },
        "connections": [
            [
                {group: [_pin(lead.a, lead.through) for lead in leads]},
                {f"W{i}": list(range(1, len(leads) + 1))},
                {board: [_pin(lead.b) for lead in leads]},
            ]
            for i, ((group, board), leads) in enumerate(cables.items(), 1)
        ],
    }
    return "\n".join(_yaml(content)) + "\n"


def _group(end: End) -> str:
    """The connector that a contact is drawn at: all hall switches are one."""
    kind, _, number = end.part.partition(" ")
    if end.part in _BUTTONS:
        return "push buttons"
    if kind in _GROUPS and number:
        return _GROUPS[kind]
    return _RAILS.get(end.part, end.part)


def _pin(end: End, through: str = "") -> str | int:
    """A pin of a board by its number, of a part by its name: "tile 4", "+ (all)", "DIN, 330 Ohm"."""
    if end.part in BOARDS:
        return end.pin or end.contact
    contact = {"OUT": "", "all switches": "", "one leg": "", "other leg": "GND"}.get(end.contact, end.contact)
    if end.part.startswith("all "):
        return f"{contact}, pin {end.pin} (all)" if end.pin else f"{contact} (all)"
    own = "" if end.part == _group(end) else end.part
    return f"{own} {contact}".strip() + (f", {through}" if through else "")


def _connector(way: Way, name: str) -> dict[str, Any]:
    ends = [(_pin(end, through), end.contact) for end, through in _ends(way) if _group(end) == name]
    connector: dict[str, Any] = {"type": _TYPES[name], "show_pincount": False}
    if name in BOARDS:
        pins = sorted(dict(ends).items(), key=lambda pin: (isinstance(pin[0], str), pin[0]))
        notes = [f"{end.contact}: {through}" for end, through in _ends(way) if end.part == name and through]
        connector |= {"pins": [pin for pin, _ in pins], "pinlabels": [contact for _, contact in pins]}
        return connector | ({"notes": "; ".join(dict.fromkeys(notes))} if notes else {})
    return connector | {"pins": list(dict.fromkeys(pin for pin, _ in ends))}


def _ends(way: Way) -> Iterator[tuple[End, str]]:
    """Both ends of each wire, and what is soldered into it at that end."""
    for lead in way.leads:
        yield lead.a, lead.through
        yield lead.b, ""


def _colours(leads: Sequence[Lead]) -> list[str]:
    signals = 0
    colours = []
    for lead in leads:
        colour = _SUPPLIES.get(lead.b.contact)
        if colour is None:
            colour = _SIGNALS[signals % len(_SIGNALS)]
            signals += 1
        colours.append(colour)
    return colours


def _yaml(value: Any, indent: int = 0) -> Iterator[str]:
    """``value`` as YAML in blocks; lists of plain values on one line."""
    space = "  " * indent
    if isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(item, Mapping) or (isinstance(item, list) and item and not _is_plain(item)):
                yield f"{space}{json.dumps(key)}:"
                yield from _yaml(item, indent + 1)
            else:
                yield f"{space}{json.dumps(key)}: {json.dumps(item)}"
    else:
        for item in value:
            first, *rest = _yaml(item, indent + 1) if not _is_plain(item) else [json.dumps(item)]
            yield f"{space}- {first.lstrip()}"
            yield from rest


def _is_plain(value: Any) -> bool:
    """Whether it can stand on one line."""
    return not isinstance(value, Mapping | list) or (
        isinstance(value, list) and all(isinstance(item, str | int) for item in value)
    )


def texts(svg: str) -> list[str]:
    """All words of a picture, sorted: what does not depend on where they are drawn."""
    return sorted(re.findall(r"<text[^>]*>([^<]+)</text>", svg))


def draw(source: Path, folder: Path) -> Path:
    """Let WireViz draw the input ``source`` into ``folder``; the picture's path.

    Raises OSError or subprocess.SubprocessError where WireViz or dot is missing or fails.
    """
    command = [sys.executable, "-m", "wireviz.wv_cli", "-f", "s", "-o", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return folder / f"{source.stem}.svg"


def main(arguments: list[str]) -> int:
    """Print the inputs, or with ``--write`` put them and their pictures into the checkout."""
    if arguments == ["--write"]:
        FOLDER.mkdir(parents=True, exist_ok=True)
        for way in WAYS:
            source = FOLDER / f"{way.key}.yml"
            source.write_text(diagram(way), encoding="utf-8")
            draw(source, FOLDER)
    elif not arguments:
        sys.stdout.write("---\n".join(map(diagram, WAYS)))
    else:
        sys.stderr.write("usage: python -m hardware.diagrams [--write]\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
