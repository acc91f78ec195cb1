"""The English names of everything in Cuba, as phrases that `words` can translate. No sentences."""

from __future__ import annotations

from malecon.games.cuba import tiles
from malecon.kernel.common import naming
from malecon.kernel.common.naming import pesos as pesos
from malecon.kernel.common.naming import points as points
from malecon.kernel.phrases import Phrase, counted, say

CHARACTERS = (
    Phrase("Worker", context="character"),
    Phrase("Merchant", context="character"),
    Phrase("Architect", context="character"),
    Phrase("Foreman", context="character"),
    Phrase("Mayor", context="character"),
)
CHARACTERS_AS_SUBJECT = (
    Phrase("the Worker", context="character"),
    Phrase("the Merchant", context="character"),
    Phrase("the Architect", context="character"),
    Phrase("the Foreman", context="character"),
    Phrase("the Mayor", context="character"),
)
CHARACTERS_AS_OBJECT = (
    Phrase("the Worker", context="object"),
    Phrase("the Merchant", context="object"),
    Phrase("the Architect", context="object"),
    Phrase("the Foreman", context="object"),
    Phrase("the Mayor", context="object"),
)
BUILDINGS = (
    Phrase("Cement works", context="building"),
    Phrase("Sawmill", context="building"),
    Phrase("Golf course", context="building"),
    Phrase("Monastery", context="building"),
    Phrase("Rum café", context="building"),
    Phrase("Cigar café", context="building"),
    Phrase("Small office", context="building"),
    Phrase("Large office", context="building"),
    Phrase("Hotel", context="building"),
    Phrase("Hostel", context="building"),
    Phrase("Trading house", context="building"),
    Phrase("Farm shop", context="building"),
    Phrase("Materials depot", context="building"),
    Phrase("Small bank", context="building"),
    Phrase("Large bank", context="building"),
    Phrase("Black market", context="building"),
    Phrase("Cigar factory", context="building"),
    Phrase("Distillery", context="building"),
    Phrase("Church", context="building"),
    Phrase("Town hall", context="building"),
    Phrase("Dam", context="building"),
    Phrase("Lighthouse", context="building"),
    Phrase("Warehouse", context="building"),
    Phrase("Printed warehouse", context="building"),
)
BUILDINGS_AS_SUBJECT = (
    Phrase("the Cement works", context="subject"),
    Phrase("the Sawmill", context="subject"),
    Phrase("the Golf course", context="subject"),
    Phrase("the Monastery", context="subject"),
    Phrase("the Rum café", context="subject"),
    Phrase("the Cigar café", context="subject"),
    Phrase("the Small office", context="subject"),
    Phrase("the Large office", context="subject"),
    Phrase("the Hotel", context="subject"),
    Phrase("the Hostel", context="subject"),
    Phrase("the Trading house", context="subject"),
    Phrase("the Farm shop", context="subject"),
    Phrase("the Materials depot", context="subject"),
    Phrase("the Small bank", context="subject"),
    Phrase("the Large bank", context="subject"),
    Phrase("the Black market", context="subject"),
    Phrase("the Cigar factory", context="subject"),
    Phrase("the Distillery", context="subject"),
    Phrase("the Church", context="subject"),
    Phrase("the Town hall", context="subject"),
    Phrase("the Dam", context="subject"),
    Phrase("the Lighthouse", context="subject"),
    Phrase("the Warehouse", context="subject"),
    Phrase("the Printed warehouse", context="subject"),
)
BUILDINGS_AS_OBJECT = (
    Phrase("the Cement works", context="object"),
    Phrase("the Sawmill", context="object"),
    Phrase("the Golf course", context="object"),
    Phrase("the Monastery", context="object"),
    Phrase("the Rum café", context="object"),
    Phrase("the Cigar café", context="object"),
    Phrase("the Small office", context="object"),
    Phrase("the Large office", context="object"),
    Phrase("the Hotel", context="object"),
    Phrase("the Hostel", context="object"),
    Phrase("the Trading house", context="object"),
    Phrase("the Farm shop", context="object"),
    Phrase("the Materials depot", context="object"),
    Phrase("the Small bank", context="object"),
    Phrase("the Large bank", context="object"),
    Phrase("the Black market", context="object"),
    Phrase("the Cigar factory", context="object"),
    Phrase("the Distillery", context="object"),
    Phrase("the Church", context="object"),
    Phrase("the Town hall", context="object"),
    Phrase("the Dam", context="object"),
    Phrase("the Lighthouse", context="object"),
    Phrase("the Warehouse", context="object"),
    Phrase("the Printed warehouse", context="object"),
)
AT_BUILDINGS = (
    Phrase("at the Cement works", context="building"),
    Phrase("at the Sawmill", context="building"),
    Phrase("at the Golf course", context="building"),
    Phrase("at the Monastery", context="building"),
    Phrase("at the Rum café", context="building"),
    Phrase("at the Cigar café", context="building"),
    Phrase("at the Small office", context="building"),
    Phrase("at the Large office", context="building"),
    Phrase("at the Hotel", context="building"),
    Phrase("at the Hostel", context="building"),
    Phrase("at the Trading house", context="building"),
    Phrase("at the Farm shop", context="building"),
    Phrase("at the Materials depot", context="building"),
    Phrase("at the Small bank", context="building"),
    Phrase("at the Large bank", context="building"),
    Phrase("at the Black market", context="building"),
    Phrase("at the Cigar factory", context="building"),
    Phrase("at the Distillery", context="building"),
    Phrase("at the Church", context="building"),
    Phrase("at the Town hall", context="building"),
    Phrase("at the Dam", context="building"),
    Phrase("at the Lighthouse", context="building"),
    Phrase("at the Warehouse", context="building"),
    Phrase("at the Printed warehouse", context="building"),
)
GOODS = (
    *naming.GOODS,
    Phrase("stone", context="good"),
    Phrase("water", context="good"),
)
GOODS_COUNTED = (
    *naming.GOODS_COUNTED,
    counted("{n} stone", "{n} stone", 1, "good").with_symbol("stone"),
    counted("{n} water", "{n} water", 1, "good").with_symbol("water"),
)
FIELDS = {
    tiles.YIELDLESS: Phrase("printed warehouse", context="field"),
    tiles.SUGAR: Phrase("sugar field", context="field"),
    tiles.CITRUS: Phrase("citrus grove", context="field"),
    tiles.TOBACCO: Phrase("tobacco field", context="field"),
    tiles.WOOD: Phrase("forest", context="field"),
    tiles.STONE: Phrase("mountain", context="field"),
    tiles.WATER: Phrase("lake", context="field"),
}
GROUPS = (
    Phrase("tax", context="group"),
    Phrase("duty", context="group"),
    Phrase("subsidy", context="group"),
    Phrase("other law", context="group"),
)
LAWS = (
    (
        Phrase("Tax of 1 peso", context="law"),
        Phrase("Tax of 2 pesos", context="law"),
        Phrase("Tax of 3 pesos", context="law"),
        Phrase("Tax of 4 pesos", context="law"),
        Phrase("Tax of 5 pesos", context="law"),
        Phrase("Tax of 1 peso per building", context="law"),
    ),
    (
        Phrase("Duty of 1 citrus fruit", context="law"),
        Phrase("Duty of 1 sugar cane", context="law"),
        Phrase("Duty of 1 tobacco", context="law"),
        Phrase("Duty of 1 water", context="law"),
        Phrase("Duty of 2 materials", context="law"),
        Phrase("Duty of 2 crops", context="law"),
    ),
    (
        Phrase("Subsidy for buildings", context="law"),
        Phrase("Subsidy for material fields", context="law"),
        Phrase("Subsidy for crop fields", context="law"),
        Phrase("Subsidy for water", context="law"),
        Phrase("Subsidy for votes", context="law"),
        Phrase("Subsidy for pesos", context="law"),
    ),
    (
        Phrase("Shortage law", context="law"),
        Phrase("Surplus law", context="law"),
        Phrase("Drought law", context="law"),
        Phrase("Building law", context="law"),
        Phrase("Harbour law", context="law"),
        Phrase("Corruption law", context="law"),
    ),
)


def character(card: int) -> Phrase:
    """A character's bare name, as on the card."""
    return CHARACTERS[card]


def the_character(card: int) -> Phrase:
    """As the subject of a sentence: the Mayor is …"""
    return CHARACTERS_AS_SUBJECT[card]


def a_character(card: int) -> Phrase:
    """As the object of a verb: Red plays the Mayor."""
    return CHARACTERS_AS_OBJECT[card]


def building(tile: int) -> Phrase:
    """A building's bare name, as on its tile."""
    return BUILDINGS[tile]


def the_building(tile: int) -> Phrase:
    """As the subject of a sentence: the Hotel is …"""
    return BUILDINGS_AS_SUBJECT[tile]


def a_building(tile: int) -> Phrase:
    """As the object of a verb: Red builds the Hotel."""
    return BUILDINGS_AS_OBJECT[tile]


def at_building(tile: int) -> Phrase:
    return AT_BUILDINGS[tile]


def good(kind: int) -> Phrase:
    return GOODS[kind]


def goods(kind: int, n: int) -> Phrase:
    return GOODS_COUNTED[kind].fill(n=n)


def field(kind: int) -> Phrase:
    """What a field of the plantation shows, by the good it gives."""
    return FIELDS[kind]


def group(kind: int) -> Phrase:
    return GROUPS[kind]


def law(kind: int, card: int) -> Phrase:
    return LAWS[kind][card]


def spaces(ship: int) -> Phrase:
    """What a ship has spaces for: 2 sugar cane, 1 tobacco, 2 cigars."""
    listed, *others = [goods(kind, int(n)) for kind, n in enumerate(tiles.SHIP_WANTS[ship]) if n]
    for other in others:
        listed = say("{first}, {next}", first=listed, next=other)
    return listed


def place(berth: int) -> Phrase:
    """Where a ship lies."""
    if berth == tiles.HIGH_SEA:
        return Phrase("on the high seas", context="place")
    return Phrase("at berth {berth}", {"berth": berth}, context="place")


def votes(n: int) -> Phrase:
    return counted("{n} vote", "{n} votes", n)
