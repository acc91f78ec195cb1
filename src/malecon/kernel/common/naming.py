"""What the games here say alike: pesos, points, goods, and why a move is refused that takes what is not there."""

from __future__ import annotations

from typing import Protocol

from malecon.kernel.phrases import Phrase, counted, say

#: The goods that are the same in both games, in the order of their numbers.
GOODS = (
    Phrase("sugar cane", context="good"),
    Phrase("citrus fruit", context="good"),
    Phrase("tobacco", context="good"),
    Phrase("rum", context="good"),
    Phrase("cigars", context="good"),
    Phrase("wood", context="good"),
)
GOODS_COUNTED = (
    counted("{n} sugar cane", "{n} sugar cane", 1, "good").with_symbol("sugar"),
    counted("{n} citrus fruit", "{n} citrus fruits", 1, "good").with_symbol("citrus"),
    counted("{n} tobacco", "{n} tobacco", 1, "good").with_symbol("tobacco"),
    counted("{n} rum", "{n} rum", 1, "good").with_symbol("rum"),
    counted("{n} cigar", "{n} cigars", 1, "good").with_symbol("cigars"),
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
