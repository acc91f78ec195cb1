"""What every game here says alike: pesos and points, and why a move is refused that takes what somebody has not got."""

from __future__ import annotations

from typing import Protocol

from malecon.kernel.phrases import Phrase, counted, say


class Goods(Protocol):
    """What a game calls its goods, by their number: a module of names will do."""

    def good(self, kind: int) -> Phrase: ...
    def goods(self, kind: int, n: int) -> Phrase: ...


def pesos(n: int) -> Phrase:
    return counted("{n} peso", "{n} pesos", n)


def points(n: int) -> Phrase:
    return counted("{n} point", "{n} points", n)


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
