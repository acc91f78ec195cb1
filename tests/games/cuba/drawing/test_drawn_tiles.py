"""Single tiles of Cuba: one for everything that has a name, and colours that can be read on them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from malecon import drawing
from malecon.drawing.palette import COLOURS
from malecon.games import cuba
from malecon.games.cuba import arrays, tiles
from malecon.games.cuba.drawing import KINDS
from malecon.games.cuba.drawing.parliament import GROUP_COLOURS
from malecon.text import LANGUAGES, translate
from malecon.text import glossary as text_glossary
from tests.drawing.contrast import contrast


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tile_stands_alone(language: str) -> None:
    glossary = text_glossary(cuba.GAME)
    for kind in set(KINDS) - {"ships"}:
        for key, entry in glossary[kind].items():
            root = ElementTree.fromstring(drawing.tile("cuba", kind, key, language, 120))
            assert root.get("width") == "120"
            assert translate(entry.name, language) in root.get("aria-label", "")
            assert not [element for element in root.iter() if element.get("id")]
            assert all(element.get("href", "")[3:] in drawing.SYMBOLS for element in root.iter("use"))
    for key in glossary["goods"]:
        assert drawing.tile("cuba", "goods", key, language, 24) == drawing.symbol(key, 24)


def test_every_ship_stands_alone() -> None:
    for ship, key in enumerate(tiles.SHIP_KEYS):
        root = ElementTree.fromstring(drawing.tile("cuba", "ships", key, "en", 160))
        shown = [element.get("href", "")[3:] for element in root.iter("use")]
        expected = [good for good, n in zip(tiles.TRADE_GOODS, arrays.SHIP_WANTS[ship], strict=True) for _ in range(n)]
        assert shown == expected


@pytest.mark.parametrize("night", [False, True])
def test_text_stands_out(night: bool) -> None:
    small = [("text", "paper"), ("plaster", "deep"), ("plaster", "sea"), ("text", "lot"), ("text", "plaza")]
    small += [("text", "kerb"), ("ink", "sun"), ("chalk", "street")]
    for least, pairs in ((4.1, small), (3.0, [(written, ground) for ground, written in GROUP_COLOURS.values()])):
        for written, ground in pairs:
            assert contrast(COLOURS[written][night], COLOURS[ground][night]) >= least, (written, ground)
