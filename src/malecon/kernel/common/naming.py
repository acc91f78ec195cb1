"""What the games here say alike: pesos, points, goods, and why a move is refused that takes what is not there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from malecon.kernel.phrases import Phrase, counted, say


@dataclass(frozen=True)
class GoodNames:
    """What a good is called: by itself, and with a number."""

    bare: Phrase
    counted: Phrase


# The goods that are the same in both games.
SUGAR = GoodNames(
    Phrase("sugar cane", context="good"),
    counted("{n} sugar cane", "{n} sugar cane", 1, "good").with_symbol("sugar"),
)
CITRUS = GoodNames(
    Phrase("citrus fruit", context="good"),
    counted("{n} citrus fruit", "{n} citrus fruits", 1, "good").with_symbol("citrus"),
)
TOBACCO = GoodNames(
    Phrase("tobacco", context="good"),
    counted("{n} tobacco", "{n} tobacco", 1, "good").with_symbol("tobacco"),
)
RUM = GoodNames(
    Phrase("rum", context="good"),
    counted("{n} rum", "{n} rum", 1, "good").with_symbol("rum"),
)
CIGARS = GoodNames(
    Phrase("cigars", context="good"),
    counted("{n} cigar", "{n} cigars", 1, "good").with_symbol("cigars"),
)
WOOD = GoodNames(
    Phrase("wood", context="good"),
    counted("{n} wood", "{n} wood", 1, "good").with_symbol("wood"),
)


class Goods(Protocol):
    """What a game calls its goods, by their number: a module of names will do."""

    def good(self, kind: int) -> Phrase: ...
    def goods(self, kind: int, n: int) -> Phrase: ...


def pesos(n: int) -> Phrase:
    return counted("{n} peso", "{n} pesos", n).with_symbol("peso")


def points(n: int) -> Phrase:
    return counted("{n} point", "{n} points", n).with_symbol("point")


def none_held(names: Goods, kind: int) -> Phrase:
    return say("you have no {good}", good=names.good(kind))


def too_few(names: Goods, kind: int, held: int) -> Phrase:
    return say("you have only {held}", held=names.goods(kind, held)) if held else none_held(names, kind)


def short_supply(names: Goods, kind: int, left: int) -> Phrase:
    if left:
        return say("the supply has only {left} left", left=names.goods(kind, left))
    return say("the supply has no {good} left", good=names.good(kind))


def too_dear(have: int, cost: int) -> Phrase:
    return say("you have {have}; this costs {cost}", have=pesos(have), cost=pesos(cost))
