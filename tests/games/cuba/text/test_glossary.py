"""Everything with a name in Cuba has an explanation, in every language; and every refusal can be said."""

import pytest

from malecon import games
from malecon.games.cuba import tiles
from malecon.games.cuba.position import OVER, PHASES
from malecon.games.cuba.rules.refusals import why_illegal
from malecon.text import glossary, sentence, translate
from tests.games.cuba.table import Table, with_card

GAME = games.get("cuba")
GLOSSARY = glossary(GAME)


def test_nothing_is_missing():
    laws = dict(zip(tiles.GROUP_KEYS, tiles.LAW_KEYS, strict=True))
    assert {kind: tuple(entries) for kind, entries in GLOSSARY.items()} == {
        "characters": tiles.CHARACTER_KEYS,
        "buildings": tiles.BUILDING_KEYS,
        "goods": tiles.GOOD_KEYS,
        "fields": ("warehouse", *tiles.CROPS, *tiles.MATERIALS),
        "berths": ("3", "2", "1", "0"),
        "groups": tiles.GROUP_KEYS,
        **laws,
        "phases": PHASES[: OVER + 1],
        "sources": ("start", *GAME.sources),
        "criteria": (*GAME.criteria, "shared"),
        "options": tuple(GAME.options),
        "plantations": GAME.options["plantations"].choices,
    }


@pytest.mark.parametrize(
    ("kind", "key", "language", "name", "text"),
    [
        ("buildings", "hotel", "en", "Hotel", "You get 2 points. Costs 2 wood, 2 stone and 1 water."),
        (
            "buildings", "golf course", "de", "Golfplatz",
            "Du verwandelst bis zu 4 Wasser in je 1 Siegpunkt. Kostet 2 Wasser.",
        ),
        (
            "buildings", "rum cafe", "es", "Café del ron",
            "Conviertes hasta 3 rones en 2 puntos por unidad. Cuesta 1 madera, 1 piedra y 1 agua.",
        ),
        ("berths", "3", "it", "Molo 3", "Ogni merce caricata qui dà 3 punti."),
        ("tax", "4", "de", "Steuer von 4 Pesos", "Zahle 4 Pesos und erhalte 2 Siegpunkte."),
        ("duty", "water", "es", "Tributo de 1 agua", "Paga 1 agua y recibe 2 puntos."),
        ("subsidy", "pesos", "en", "Subsidy for pesos", "You get 1 point for every 3 pesos you have, up to 7 points."),
        ("other", "drought", "it", "Legge sulla siccità",
         "L’Operaio raccoglie in un solo campo coltivato; in altri solo in cambio di acqua."),
        ("fields", "stone", "de", "Gebirge", "Ein Baustofffeld: Es bringt dem Arbeiter 1 Stein."),
        ("sources", "final buildings", "de", "Gebäude am Ende", "Am Ende ist jedes deiner Gebäude 2 Siegpunkte wert."),
    ],
)  # fmt: skip
def test_entries(kind, key, language, name, text):
    entry = GLOSSARY[kind][key]
    assert (translate(entry.name, language), translate(entry.text, language)) == (name, text)


def test_german_names_are_those_of_the_rulebook():
    def names(kind: str) -> str:
        return ", ".join(translate(entry.name, "de") for entry in GLOSSARY[kind].values())

    assert names("characters") == "Arbeiter, Händlerin, Architekt, Vorarbeiter, Bürgermeister"
    assert names("buildings") == (
        "Zementfabrik, Sägewerk, Golfplatz, Kloster, Rum-Café, Zigarren-Café, Kleines Kontor, Großes Kontor, Hotel, "
        "Herberge, Warenhaus, Rohstoffhaus, Baustoffhaus, Kleine Bank, Große Bank, Schwarzmarkt, Zigarrenfabrik, "
        "Schnapsbrennerei, Kirche, Rathaus, Staudamm, Leuchtturm, Lager"
    )
    assert names("groups") == "Steuergesetze, Abgabengesetze, Subventionsgesetze, Sonstige Gesetze"


def test_both_games_call_the_same_buildings_the_same():
    santiago = glossary(games.get("santiago"))["buildings"]
    same = {"black market": "market", "cigar factory": "factory"} | dict.fromkeys(("church", "distillery", "sawmill"))
    for key, other in same.items():
        assert GLOSSARY["buildings"][key].name == santiago[other or key].name


@pytest.mark.parametrize(
    ("language", "played", "has_none"),
    [
        ("en", "You have already played the Worker this round.", "You do not have the Golf course."),
        ("de", "Der Arbeiter ist diese Runde schon ausgespielt.", "Den Golfplatz hast du nicht."),
        ("es", "Ya has jugado el Obrero en esta ronda.", "No tienes el Campo de golf."),
        ("it", "Hai già giocato l’Operaio in questo round.", "Non hai il Campo da golf."),
    ],
)
def test_refusals_name_the_rule(language, played, has_none):
    def refusal(table: Table, move: str) -> str:
        return sentence(why_illegal(table.position, GAME.notation.code(move), table.match.names), language)

    assert refusal(Table().seat("blue", played="worker"), "worker") == played
    assert refusal(with_card("foreman", built={5: "hotel"}), "sprinkle 1 water") == has_none
