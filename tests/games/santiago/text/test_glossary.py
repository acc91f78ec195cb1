"""Everything with a name has an explanation, in every language."""

import pytest

from malecon.games.santiago import tiles
from malecon.games.santiago.position import OVER, PHASES
from malecon.text import glossary, translate
from tests.text.phrases import GAME

GLOSSARY = glossary(GAME)


def test_nothing_is_missing():
    assert {kind: tuple(entries) for kind, entries in GLOSSARY.items()} == {
        "cubans": tiles.CUBAN_KEYS,
        "buildings": tiles.BUILDING_KEYS,
        "goods": tiles.GOOD_KEYS,
        "flowers": tiles.FLOWER_KEYS,
        "phases": PHASES[: OVER + 1],
        "sources": ("start", *GAME.sources),
        "criteria": (*GAME.criteria, "shared"),
        "options": tuple(GAME.options),
    }


@pytest.mark.parametrize(
    ("kind", "key", "language", "name", "text"),
    [
        ("cubans", "pedro", "en", "Pedro", "The tobacco merchant. You get 2 tobacco."),
        ("cubans", "martinez", "es", "Martínez", "El músico. Recibes 3 pesos."),
        ("buildings", "sawmill", "de", "Sägewerk", "Du verkaufst 1 Holz für 1 Siegpunkt und 1 Peso."),
        ("buildings", "distillery", "de", "Schnapsbrennerei", "Du machst aus beliebig viel Zuckerrohr Rum."),
        ("buildings", "bank", "it", "Banca", "Ricevi 2 pesos."),
        (
            "flowers", "white", "de", "weiß",
            "Pedro und Alonso schicken deine Figur zu einem Gebäude unter einer weißen Blume.",
        ),
        ("sources", "start", "de", "Startkapital", "Alle haben zu Beginn 2 Siegpunkte."),
        ("sources", "church", "en", "Church", "You get 1 point."),
    ],
)  # fmt: skip
def test_entries(kind, key, language, name, text):
    entry = GLOSSARY[kind][key]
    assert (translate(entry.name, language), translate(entry.text, language)) == (name, text)


@pytest.mark.parametrize(
    ("language", "names"),
    [
        (
            "de",
            "Bank Kirche Schnapsbrennerei Zigarrenfabrik Schwarzmarkt Sägewerk Café Zollamt Casino Hafenamt Kontor "
            "Zeitungsverlag",
        ),
        (
            "es",
            "Banco Iglesia Destilería Fábrica·de·tabacos Mercado·negro Aserradero Café Aduana Casino "
            "Oficina·portuaria Oficina Periódico",
        ),
        (
            "it",
            "Banca Chiesa Distilleria Fabbrica·di·sigari Mercato·nero Segheria Caffè Ufficio·doganale Casinò "
            "Capitaneria·di·porto Ufficio Editore·del·giornale",
        ),
    ],
)
def test_buildings_bear_the_names_of_the_rulebooks(language, names):
    own = [translate(entry.name, language) for entry in GLOSSARY["buildings"].values()]
    assert own == [name.replace("·", " ") for name in names.split()]
