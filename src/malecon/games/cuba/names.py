"""The English names of everything in Cuba, as phrases that `words` can translate. No sentences."""

from __future__ import annotations

from malecon.games.cuba import tiles
from malecon.kernel.phrases import Phrase, counted, say

CHARACTERS = ("Worker", "Merchant", "Architect", "Foreman", "Mayor")
BUILDINGS = (
    "Cement works",
    "Sawmill",
    "Golf course",
    "Monastery",
    "Rum café",
    "Cigar café",
    "Small office",
    "Large office",
    "Hotel",
    "Hostel",
    "Ware shop",
    "Crop shop",
    "Material shop",
    "Small bank",
    "Large bank",
    "Black market",
    "Cigar factory",
    "Distillery",
    "Church",
    "Town hall",
    "Dam",
    "Lighthouse",
    "Warehouse",
    "Printed warehouse",
)
GOODS = ("sugar cane", "citrus fruit", "tobacco", "rum", "cigars", "wood", "stone", "water")
GOODS_COUNTED = (
    ("{n} sugar cane", "{n} sugar cane"),
    ("{n} citrus fruit", "{n} citrus fruits"),
    ("{n} tobacco", "{n} tobacco"),
    ("{n} rum", "{n} rum"),
    ("{n} cigar", "{n} cigars"),
    ("{n} wood", "{n} wood"),
    ("{n} stone", "{n} stone"),
    ("{n} water", "{n} water"),
)
FIELDS = {
    tiles.YIELDLESS: "printed warehouse",
    tiles.SUGAR: "sugar field",
    tiles.CITRUS: "citrus grove",
    tiles.TOBACCO: "tobacco field",
    tiles.WOOD: "forest",
    tiles.STONE: "mountain",
    tiles.WATER: "lake",
}
GROUPS = ("tax", "duty", "subsidy", "other law")
LAWS = (
    (
        "Tax of 1 peso",
        "Tax of 2 pesos",
        "Tax of 3 pesos",
        "Tax of 4 pesos",
        "Tax of 5 pesos",
        "Tax of 1 peso per building",
    ),
    (
        "Duty of 1 citrus fruit",
        "Duty of 1 sugar cane",
        "Duty of 1 tobacco",
        "Duty of 1 water",
        "Duty of 2 materials",
        "Duty of 2 crops",
    ),
    (
        "Subsidy for buildings",
        "Subsidy for material fields",
        "Subsidy for crop fields",
        "Subsidy for water",
        "Subsidy for votes",
        "Subsidy for pesos",
    ),
    (
        "Shortage law",
        "Surplus law",
        "Drought law",
        "Building law",
        "Harbour law",
        "Corruption law",
    ),
)
COLOURS = ("Blue", "Red", "Yellow", "Green", "Purple")


def character(card: int) -> Phrase:
    """A character's bare name, as on the card."""
    return Phrase(CHARACTERS[card], context="character")


def the_character(card: int) -> Phrase:
    """As the subject of a sentence: the Mayor is …"""
    return Phrase(f"the {CHARACTERS[card]}", context="character")


def a_character(card: int) -> Phrase:
    """As the object of a verb: Red plays the Mayor."""
    return Phrase(f"the {CHARACTERS[card]}", context="object")


def building(tile: int) -> Phrase:
    """A building's bare name, as on its tile."""
    return Phrase(BUILDINGS[tile], context="building")


def the_building(tile: int) -> Phrase:
    """As the subject of a sentence: the Hotel is …"""
    return Phrase(f"the {BUILDINGS[tile]}", context="subject")


def a_building(tile: int) -> Phrase:
    """As the object of a verb: Red builds the Hotel."""
    return Phrase(f"the {BUILDINGS[tile]}", context="object")


def at_building(tile: int) -> Phrase:
    return Phrase(f"at the {BUILDINGS[tile]}", context="building")


def good(kind: int) -> Phrase:
    return Phrase(GOODS[kind], context="good")


def goods(kind: int, n: int) -> Phrase:
    return counted(*GOODS_COUNTED[kind], n, context="good")


def field(kind: int) -> Phrase:
    """What a field of the plantation shows, by the good it gives."""
    return Phrase(FIELDS[kind], context="field")


def group(kind: int) -> Phrase:
    return Phrase(GROUPS[kind], context="group")


def law(kind: int, card: int) -> Phrase:
    return Phrase(LAWS[kind][card], context="law")


def spaces(ship: int) -> Phrase:
    """What a ship has spaces for: 2 sugar cane, 1 tobacco, 2 cigars."""
    listed, *others = [goods(kind, int(n)) for kind, n in enumerate(tiles.SHIP_WANTS[ship]) if n]
    for other in others:
        listed = say("{first}, {next}", first=listed, next=other)
    return listed


def place(berth: int) -> Phrase:
    """Where a ship lies."""
    if berth == tiles.HIGH_SEA:
        return Phrase("on the high sea", context="place")
    return Phrase("at berth {berth}", {"berth": berth}, context="place")


def pesos(n: int) -> Phrase:
    return counted("{n} peso", "{n} pesos", n)


def points(n: int) -> Phrase:
    return counted("{n} point", "{n} points", n)


def votes(n: int) -> Phrase:
    return counted("{n} vote", "{n} votes", n)


def everything() -> list[Phrase]:
    """Every name there is, for the catalogs."""
    found = [field(kind) for kind in FIELDS] + [group(i) for i in range(len(GROUPS))]
    found += [law(i, card) for i, cards in enumerate(LAWS) for card in range(len(cards))]
    for i in range(len(CHARACTERS)):
        found += [character(i), the_character(i), a_character(i)]
    for i in range(len(BUILDINGS)):
        found += [building(i), the_building(i), a_building(i), at_building(i)]
    for i in range(len(tiles.GOODS)):
        found += [good(i), goods(i, 1)]
    return [*found, place(tiles.HIGH_SEA), place(1), pesos(1), points(1), votes(1)]
