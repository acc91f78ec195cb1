"""The names of things in Cuba by their numbers, read from their records; and where ships lie."""

from __future__ import annotations

from malecon.games.cuba import tiles
from malecon.kernel.common.naming import pesos as pesos
from malecon.kernel.common.naming import points as points
from malecon.kernel.phrases import Phrase, counted, say


def character(card: int) -> Phrase:
    """Return a character's bare name, as on the card."""
    return tiles.CHARACTERS[card].name


def the_character(card: int) -> Phrase:
    """Return its name as the subject of a sentence: the Mayor is …"""
    return tiles.CHARACTERS[card].as_subject


def a_character(card: int) -> Phrase:
    """Return its name as the object of a verb: Red plays the Mayor."""
    return tiles.CHARACTERS[card].as_object


def building(tile: int) -> Phrase:
    """Return a building's bare name, as on its tile."""
    return tiles.STANDING[tile].name


def the_building(tile: int) -> Phrase:
    """Return its name as the subject of a sentence: the Hotel is …"""
    return tiles.STANDING[tile].as_subject


def a_building(tile: int) -> Phrase:
    """Return its name as the object of a verb: Red builds the Hotel."""
    return tiles.STANDING[tile].as_object


def at_building(tile: int) -> Phrase:
    return tiles.STANDING[tile].at


def good(kind: int) -> Phrase:
    return tiles.GOODS[kind].names.bare


def goods(kind: int, n: int) -> Phrase:
    return tiles.GOODS[kind].names.counted.fill(n=n)


def field(good: int) -> Phrase:
    """Return what a field of the plantation shows, by the good it gives."""
    key = "" if good == tiles.YIELDLESS else tiles.GOOD_KEYS[good]
    return next(kind.name for kind in tiles.FIELD_KINDS if kind.good == key)


def group(kind: int) -> Phrase:
    return tiles.GROUPS[kind].name


def law(kind: int, card: int) -> Phrase:
    return tiles.GROUPS[kind].laws[card].name


def spaces(ship: int) -> Phrase:
    """Return what a ship has spaces for: 2 sugar cane, 1 tobacco, 2 cigars."""
    listed, *others = [goods(kind, n) for kind, n in enumerate(tiles.SHIP_CARDS[ship].wants) if n]
    for other in others:
        listed = say("{first}, {next}", first=listed, next=other)
    return listed


def place(berth: int) -> Phrase:
    """Return where a ship lies."""
    if berth == tiles.HIGH_SEA:
        return Phrase("on the high seas", context="place")
    return Phrase("at berth {berth}", {"berth": berth}, context="place")


def votes(n: int) -> Phrase:
    return counted("{n} vote", "{n} votes", n)
