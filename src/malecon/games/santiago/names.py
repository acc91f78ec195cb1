"""The names of things in Santiago de Cuba by their numbers, read from their records."""

from __future__ import annotations

from malecon.games.santiago import tiles
from malecon.kernel.common.naming import pesos as pesos
from malecon.kernel.common.naming import points as points
from malecon.kernel.phrases import Phrase


def cuban(tile: int) -> Phrase:
    return tiles.CUBANS[tile].name


def building(tile: int) -> Phrase:
    """Return a building's bare name, as on its tile."""
    return tiles.BUILDINGS[tile].name


def the_building(tile: int) -> Phrase:
    """Return its name as the subject of a sentence: the Bank is …"""
    return tiles.BUILDINGS[tile].as_subject


def a_building(tile: int) -> Phrase:
    """Return its name as the object of a verb: Red seizes the Bank."""
    return tiles.BUILDINGS[tile].as_object


def to_building(tile: int) -> Phrase:
    return tiles.BUILDINGS[tile].to


def of_building(tile: int) -> Phrase:
    return tiles.BUILDINGS[tile].of


def at_building(tile: int) -> Phrase:
    return tiles.BUILDINGS[tile].at


def good(kind: int) -> Phrase:
    return tiles.GOODS[kind].names.bare


def goods(kind: int, n: int) -> Phrase:
    return tiles.GOODS[kind].names.counted.fill(n=n)


def flower(kind: int) -> Phrase:
    return tiles.FLOWERS[kind].name
