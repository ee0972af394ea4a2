"""``wiring.md`` and its diagrams: what their sources say, and nothing that is not so."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from firmware_host.cli.main import COMMANDS
from firmware_host.config import KEYS
from hardware.diagrams import FOLDER, diagram, draw, texts
from hardware.diagrams import main as diagrams_main
from hardware.ways import WAYS, Way
from hardware.wiring_page import document, table

TOP = Path(__file__).resolve().parents[2]
every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.key)


def test_wiring_md_is_what_its_source_says() -> None:
    text = (TOP / "wiring.md").read_text(encoding="utf-8")
    assert text == document(), "write it anew: python -m hardware.pinmap --write"


@pytest.mark.parametrize("module", ["hardware.pinmap", "hardware.diagrams"])
def test_the_module_prints_it(module: str) -> None:
    done = subprocess.run([sys.executable, "-m", module], cwd=TOP, capture_output=True, text=True, check=True)
    wanted = {"hardware.pinmap": document(), "hardware.diagrams": "---\n".join(map(diagram, WAYS))}
    assert done.stdout == wanted[module]


def test_the_text_is_plain_ascii_so_that_any_terminal_can_print_it() -> None:
    assert document().isascii()


@every_way
def test_each_way_has_its_table_and_its_diagram(way: Way) -> None:
    text = document()
    assert table(way) in text
    assert f"(docs/wiring/{way.key}.svg)" in text
    assert len(table(way).splitlines()) == len(way.leads) + 2


def test_settings_and_commands_that_it_names_exist() -> None:
    text = document()
    sections = {key.partition(".")[0] for key in KEYS}
    named = re.findall(r"`(\w+\.\w+)(?: =|`)", text)
    assert {key for key in named if key.partition(".")[0] in sections} <= set(KEYS)
    assert len(set(named) & set(KEYS)) > 10
    assert set(re.findall(r"boxkeeper (\w+)", text)) - {"run"} <= set(COMMANDS)


@every_way
def test_the_stored_input_of_each_diagram_is_what_the_wiring_says(way: Way) -> None:
    stored = (FOLDER / f"{way.key}.yml").read_text(encoding="utf-8")
    assert stored == diagram(way), "draw it anew: python -m hardware.diagrams --write"


@every_way
def test_each_stored_picture_names_every_wire(way: Way) -> None:
    drawn = texts((FOLDER / f"{way.key}.svg").read_text(encoding="utf-8"))
    # WireViz writes "part:pin" at each end of a wire.
    assert sum(":" in text for text in drawn) >= 2 * len(way.leads)


@every_way
def test_a_picture_drawn_anew_has_the_same_words(way: Way, tmp_path: Path) -> None:
    if find_spec("wireviz") is None or shutil.which("dot") is None:
        pytest.skip("drawing needs WireViz and dot: pip install 'boxkeeper[diagrams]', apt install graphviz")
    source = tmp_path / f"{way.key}.yml"
    source.write_text(diagram(way), encoding="utf-8")
    drawn = draw(source, tmp_path).read_text(encoding="utf-8")
    stored = (FOLDER / f"{way.key}.svg").read_text(encoding="utf-8")
    assert texts(drawn) == texts(stored), "draw it anew: python -m hardware.diagrams --write"


def test_no_picture_is_left_of_a_way_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {way.key for way in WAYS}


def test_wrong_use_is_told_and_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert diagrams_main(["--wrote"]) == 2
    assert capsys.readouterr().err == "usage: python -m hardware.diagrams [--write]\n"
