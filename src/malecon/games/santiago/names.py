"""The English names of everything in Santiago de Cuba, as phrases that `words` can translate. No sentences."""

from __future__ import annotations

from malecon.games.santiago import tiles
from malecon.kernel.phrases import Phrase, counted

CUBANS = ("Pedro", "Maria", "José", "Martinez", "Conchita", "El Zorro", "Miguel", "Pablo", "Alonso")
BUILDINGS = (
    "Bank",
    "Church",
    "Distillery",
    "Cigar factory",
    "Black market",
    "Sawmill",
    "Café",
    "Customs office",
    "Casino",
    "Harbormaster’s office",
    "Office",
    "Newspaper",
)
GOODS = ("sugar cane", "citrus fruit", "tobacco", "rum", "cigars", "wood")
GOODS_COUNTED = (
    ("{n} sugar cane", "{n} sugar cane"),
    ("{n} citrus fruit", "{n} citrus fruits"),
    ("{n} tobacco", "{n} tobacco"),
    ("{n} rum", "{n} rum"),
    ("{n} cigar", "{n} cigars"),
    ("{n} wood", "{n} wood"),
)
FLOWERS = ("white", "yellow", "blue", "red")
COLOURS = ("Red", "Blue", "Yellow", "Green")


def cuban(tile: int) -> Phrase:
    return Phrase(CUBANS[tile], context="cuban")


def building(tile: int) -> Phrase:
    """A building's bare name, as on its tile."""
    return Phrase(BUILDINGS[tile], context="building")


def the_building(tile: int) -> Phrase:
    """As the subject of a sentence: the Bank is …"""
    return Phrase(f"the {BUILDINGS[tile]}", context="subject")


def a_building(tile: int) -> Phrase:
    """As the object of a verb: Red seizes the Bank."""
    return Phrase(f"the {BUILDINGS[tile]}", context="object")


def to_building(tile: int) -> Phrase:
    return Phrase(f"to the {BUILDINGS[tile]}", context="building")


def of_building(tile: int) -> Phrase:
    return Phrase(f"of the {BUILDINGS[tile]}", context="building")


def at_building(tile: int) -> Phrase:
    return Phrase(f"at the {BUILDINGS[tile]}", context="building")


def good(kind: int) -> Phrase:
    return Phrase(GOODS[kind], context="good")


def goods(kind: int, n: int) -> Phrase:
    return counted(*GOODS_COUNTED[kind], n, context="good")


def flower(kind: int) -> Phrase:
    return Phrase(FLOWERS[kind], context="flower")


def pesos(n: int) -> Phrase:
    return counted("{n} peso", "{n} pesos", n)


def points(n: int) -> Phrase:
    return counted("{n} point", "{n} points", n)


def everything() -> list[Phrase]:
    """Every name there is, for the catalogs."""
    found = [cuban(i) for i in range(len(CUBANS))] + [flower(i) for i in range(len(FLOWERS))]
    for i in range(len(BUILDINGS)):
        found += [building(i), the_building(i), a_building(i), to_building(i), of_building(i), at_building(i)]
    for i in range(len(tiles.GOODS)):
        found += [good(i), goods(i, 1)]
    return [*found, pesos(1), points(1)]
