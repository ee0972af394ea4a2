"""The bundled fonts are what the layout takes them for."""

from __future__ import annotations

import pytest

from firmware_host.screens.fonts import FOLDER, Font, can_draw, load, typeset

ALPHABETS = (
    "The quick brown fox jumps over the lazy dog 0123456789 .,:;!?'\"()&-+*/",
    "ÅÄÖåäöÉÈÊËéèêëÑñÇçßØøÆæŁłŐőŰűŠšŽžČčĞğİıŞşÞþÐð",
    "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюяЇїЄєҐґ",
    "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρστυφχψωςάέή",
)


@pytest.mark.parametrize("font", Font)
def test_each_sign_has_the_cell_that_the_layout_counts_with(font: Font) -> None:
    face = load(font)
    assert sum(face.getmetrics()) == font.height
    assert face.getmetrics()[0] == font.baseline
    assert {face.getlength(sign) for sign in "Wi…Ж1 "} == {float(font.width)}
    assert typeset("WW", font).size == (2 * font.width, font.height)


@pytest.mark.parametrize("font", Font)
@pytest.mark.parametrize("alphabet", ALPHABETS, ids=["ascii", "latin", "cyrillic", "greek"])
def test_the_alphabets_are_drawn_in_each_size(font: Font, alphabet: str) -> None:
    assert [sign for sign in alphabet if not can_draw(sign, font)] == []
    assert len({typeset(sign, font).tobytes() for sign in "ABCabc123"}) == 9


@pytest.mark.parametrize("font", Font)
@pytest.mark.parametrize("words", ["李", "😀", "שרה", "مرحبا", "\n", "\u200b", "\u0301", "\u00a0", "\x00"])
def test_what_cannot_be_drawn(font: Font, words: str) -> None:
    assert not can_draw(words, font)


@pytest.mark.parametrize("font", Font)
def test_black_on_white(font: Font) -> None:
    plain, inverse = typeset("NO", font), typeset("NO", font, is_inverse=True)
    assert inverse.width == plain.width + 1
    whites = [image.convert("L").histogram()[255] for image in (plain, inverse)]
    assert whites[0] > 0
    assert sum(whites) == inverse.width * inverse.height


def test_the_larger_sizes_have_the_same_signs() -> None:
    """can_draw asks one size for all of them."""
    missing = {font: typeset("\U0010fffe", font).tobytes() for font in Font}
    for code in range(0x21, 0x530):
        had = {typeset(chr(code), font).tobytes() != missing[font] for font in Font if font is not Font.TINY}
        assert len(had) == 1, hex(code)


def test_the_files_are_few_and_have_their_licence() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 400_000
    assert "SIL OPEN FONT LICENSE" in (FOLDER / "OFL.txt").read_text(encoding="utf-8")
    described = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert {font.file for font in Font} <= {path.name for path in FOLDER.iterdir()}
    assert "5x8.pcf.gz" in described
    assert "ter-u*b_unicode.pcf.gz" in described
