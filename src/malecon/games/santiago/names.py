"""The English names of everything in Santiago de Cuba, as phrases that `words` can translate. No sentences."""

from __future__ import annotations

from malecon.kernel.common.naming import GOODS, GOODS_COUNTED
from malecon.kernel.common.naming import pesos as pesos
from malecon.kernel.common.naming import points as points
from malecon.kernel.phrases import Phrase

CUBANS = (
    Phrase("Pedro", context="cuban"),
    Phrase("Maria", context="cuban"),
    Phrase("José", context="cuban"),
    Phrase("Martinez", context="cuban"),
    Phrase("Conchita", context="cuban"),
    Phrase("El Zorro", context="cuban"),
    Phrase("Miguel", context="cuban"),
    Phrase("Pablo", context="cuban"),
    Phrase("Alonso", context="cuban"),
)
BUILDINGS = (
    Phrase("Bank", context="building"),
    Phrase("Church", context="building"),
    Phrase("Distillery", context="building"),
    Phrase("Cigar factory", context="building"),
    Phrase("Black market", context="building"),
    Phrase("Sawmill", context="building"),
    Phrase("Café", context="building"),
    Phrase("Customs office", context="building"),
    Phrase("Casino", context="building"),
    Phrase("Harbormaster’s office", context="building"),
    Phrase("Office", context="building"),
    Phrase("Newspaper", context="building"),
)
BUILDINGS_AS_SUBJECT = (
    Phrase("the Bank", context="subject"),
    Phrase("the Church", context="subject"),
    Phrase("the Distillery", context="subject"),
    Phrase("the Cigar factory", context="subject"),
    Phrase("the Black market", context="subject"),
    Phrase("the Sawmill", context="subject"),
    Phrase("the Café", context="subject"),
    Phrase("the Customs office", context="subject"),
    Phrase("the Casino", context="subject"),
    Phrase("the Harbormaster’s office", context="subject"),
    Phrase("the Office", context="subject"),
    Phrase("the Newspaper", context="subject"),
)
BUILDINGS_AS_OBJECT = (
    Phrase("the Bank", context="object"),
    Phrase("the Church", context="object"),
    Phrase("the Distillery", context="object"),
    Phrase("the Cigar factory", context="object"),
    Phrase("the Black market", context="object"),
    Phrase("the Sawmill", context="object"),
    Phrase("the Café", context="object"),
    Phrase("the Customs office", context="object"),
    Phrase("the Casino", context="object"),
    Phrase("the Harbormaster’s office", context="object"),
    Phrase("the Office", context="object"),
    Phrase("the Newspaper", context="object"),
)
TO_BUILDINGS = (
    Phrase("to the Bank", context="building"),
    Phrase("to the Church", context="building"),
    Phrase("to the Distillery", context="building"),
    Phrase("to the Cigar factory", context="building"),
    Phrase("to the Black market", context="building"),
    Phrase("to the Sawmill", context="building"),
    Phrase("to the Café", context="building"),
    Phrase("to the Customs office", context="building"),
    Phrase("to the Casino", context="building"),
    Phrase("to the Harbormaster’s office", context="building"),
    Phrase("to the Office", context="building"),
    Phrase("to the Newspaper", context="building"),
)
OF_BUILDINGS = (
    Phrase("of the Bank", context="building"),
    Phrase("of the Church", context="building"),
    Phrase("of the Distillery", context="building"),
    Phrase("of the Cigar factory", context="building"),
    Phrase("of the Black market", context="building"),
    Phrase("of the Sawmill", context="building"),
    Phrase("of the Café", context="building"),
    Phrase("of the Customs office", context="building"),
    Phrase("of the Casino", context="building"),
    Phrase("of the Harbormaster’s office", context="building"),
    Phrase("of the Office", context="building"),
    Phrase("of the Newspaper", context="building"),
)
AT_BUILDINGS = (
    Phrase("at the Bank", context="building"),
    Phrase("at the Church", context="building"),
    Phrase("at the Distillery", context="building"),
    Phrase("at the Cigar factory", context="building"),
    Phrase("at the Black market", context="building"),
    Phrase("at the Sawmill", context="building"),
    Phrase("at the Café", context="building"),
    Phrase("at the Customs office", context="building"),
    Phrase("at the Casino", context="building"),
    Phrase("at the Harbormaster’s office", context="building"),
    Phrase("at the Office", context="building"),
    Phrase("at the Newspaper", context="building"),
)
FLOWERS = (
    Phrase("white", context="flower"),
    Phrase("yellow", context="flower"),
    Phrase("blue", context="flower"),
    Phrase("red", context="flower"),
)


def cuban(tile: int) -> Phrase:
    return CUBANS[tile]


def building(tile: int) -> Phrase:
    """A building's bare name, as on its tile."""
    return BUILDINGS[tile]


def the_building(tile: int) -> Phrase:
    """As the subject of a sentence: the Bank is …"""
    return BUILDINGS_AS_SUBJECT[tile]


def a_building(tile: int) -> Phrase:
    """As the object of a verb: Red seizes the Bank."""
    return BUILDINGS_AS_OBJECT[tile]


def to_building(tile: int) -> Phrase:
    return TO_BUILDINGS[tile]


def of_building(tile: int) -> Phrase:
    return OF_BUILDINGS[tile]


def at_building(tile: int) -> Phrase:
    return AT_BUILDINGS[tile]


def good(kind: int) -> Phrase:
    return GOODS[kind]


def goods(kind: int, n: int) -> Phrase:
    return GOODS_COUNTED[kind].fill(n=n)


def flower(kind: int) -> Phrase:
    return FLOWERS[kind]
