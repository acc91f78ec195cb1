"""Symbols and single tiles: each its own shape, each there for everything that has a name."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from malecon import drawing
from malecon.drawing.palette import COLOURS
from malecon.games import santiago
from malecon.games.santiago import tiles
from malecon.text import LANGUAGES, translate
from malecon.text import glossary as text_glossary
from tests.drawing.contrast import contrast


def test_symbols_differ_in_shape_not_only_in_colour() -> None:
    shapes = [re.sub(r' class="[^"]*"', "", drawn) for drawn in drawing.SYMBOLS.values()]
    assert len(set(shapes)) == len(shapes)


def test_there_is_a_symbol_for_every_good_and_flower_of_both_games() -> None:
    assert {*tiles.GOOD_KEYS, "stone", "water", *tiles.FLOWER_KEYS, "peso", "point"} <= set(drawing.SYMBOLS)


def test_a_symbol_between_words() -> None:
    root = ElementTree.fromstring(drawing.symbol("rum", 20))
    assert root.get("width") == "20"
    assert root.get("aria-hidden") == "true"
    assert root[0].get("href") == "#m-rum"
    with pytest.raises(KeyError):
        drawing.symbol("gold bars")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tile_stands_alone(language: str) -> None:
    glossary = text_glossary(santiago.GAME)
    for kind in ("cubans", "buildings"):
        for key, entry in glossary[kind].items():
            root = ElementTree.fromstring(drawing.tile("santiago", kind, key, language, 120))
            assert root.get("width") == "120"
            assert translate(entry.name, language) in root.get("aria-label", "")
            assert not [element for element in root.iter() if element.get("id")]
    for kind in ("goods", "flowers"):
        for key in glossary[kind]:
            assert drawing.tile("santiago", kind, key, language, 24) == drawing.symbol(key, 24)


@pytest.mark.parametrize("night", [False, True])
def test_text_stands_out(night: bool) -> None:
    def colour(name: str) -> str:
        return COLOURS[name][night]

    small = [("text", "paper"), ("muted", "paper"), ("ink", "chalk"), ("ink", "sun"), ("ink", "plaster")]
    small += [("plaster", "deep"), ("chalk", "street"), ("text", "plaza")]
    dice = [("ink", "chalk"), ("ink", "orange"), ("chalk", "palm"), ("chalk", "bottle"), ("chalk", "ink")]
    for least, pairs in ((4.5, small), (3, dice)):
        for written, ground in pairs:
            assert contrast(colour(written), colour(ground)) >= least, (written, ground)
