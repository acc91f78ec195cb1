"""Games over days: questions that several seats are asked, the standing orders that may answer, options by default.

A game states them as data, in its module `orders`. Rules and records know nothing of this: an answer that was given
early, or by an order, is an ordinary move when its seat's turn comes. A game without that module asks only in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from malecon.kernel import registry
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.phrases import Phrase
from malecon.kernel.positions import as_array
from malecon.kernel.verbs import Position


@dataclass(frozen=True)
class Order:
    """A standing order. What it prefers, best first, its limit and what its giver saw mean what its kind says."""

    kind: str
    prefers: tuple[str, ...] = ()
    limit: int = 0
    seen: str = ""


@dataclass(frozen=True)
class OrderKind:
    """A kind of standing order. All its functions are given positions in which the seat of the order is the actor.

    `choose` returns the order's move; None if something has happened that its owner would want to know of: the order
    stops then, for the reason `stops`.
    """

    key: str
    offers: Callable[[Position], tuple[Order, ...]]  # the orders that can be given here with one click
    choose: Callable[[Position, Order], int | None]
    describe: Callable[[Order], Phrase]
    stops: Phrase
    choices: tuple[str, ...] = ()  # what an order of this kind may prefer
    limits: range = range(1)
    seen: Callable[[Position], str] | None = None  # what the giver of an order sees, if it depends on that
    choice_name: Callable[[str], Phrase] | None = None
    limit_name: Phrase | None = None  # None if the limit is not for people to change

    def is_valid(self, order: Order) -> bool:
        """Return whether an order is one of this kind: clients send them."""
        known = set(order.prefers) <= set(self.choices) and len(set(order.prefers)) == len(order.prefers)
        return (
            order.kind == self.key
            and known
            and bool(order.prefers) == bool(self.choices)
            and order.limit in self.limits
        )


@dataclass(frozen=True)
class SharedQuestion:
    """What several seats are asked in one phase.

    `waiting` returns the seats that are still to be asked if nothing changes; of other seats' holdings it needs nothing
    that a seat may not know, so that each seat can ask it about itself. `asked` returns the position in which a seat is
    asked. `cost` is a number that changes when a move costs something else than before. `together`: the answers lie
    face down, so that nobody learns anything from those before: all are asked at once.
    """

    key: str
    title: Phrase
    phase: int
    waiting: Callable[[Position], tuple[int, ...]]
    asked: Callable[[Position, int], Position]
    cost: Callable[[Position, int], int] = lambda position, code: 0
    together: bool = False
    orders: tuple[OrderKind, ...] = ()


def asked_as_actor(phase: int) -> Callable[[Position, int], Position]:
    """Return the `asked` of a game whose positions have the fields `phase` and `actor`, and need no other change."""

    def asked(position: Position, seat: int) -> Position:
        position = as_array(position)[0]
        position.phase, position.actor = phase, seat
        return position

    return asked


@cache
def _questions_of(name: str) -> tuple[SharedQuestion, ...]:
    return getattr(registry.component(name, "orders"), "QUESTIONS", ())


def questions_of(game: Game) -> tuple[SharedQuestion, ...]:
    """Return the questions of a game; none if it has no module `orders`."""
    return _questions_of(game.name)


def options_over_days(game: Game) -> Mapping[str, OptionValue]:
    """Return the options that a table has by default if its game takes days, where they differ from the usual ones."""
    options: Mapping[str, OptionValue] = getattr(registry.component(game.name, "orders"), "OPTIONS_OVER_DAYS", {})
    return options


def question_at(game: Game, position: Position, seat: int) -> SharedQuestion | None:
    """Return the question that a seat, the actor of the position, is asked there."""
    for question in questions_of(game):
        if int(position.phase) == question.phase and question.waiting(position)[:1] == (seat,):
            return question
    return None


def open_questions(game: Game, position: Position, seat: int) -> list[SharedQuestion]:
    """Return the questions that a seat is asked now or will be asked if nothing changes, in a view of that seat."""
    return [question for question in questions_of(game) if seat in question.waiting(position)]


def order_kind(game: Game, key: str) -> tuple[SharedQuestion, OrderKind] | None:
    """Return the kind of order with that key, and the question that it answers."""
    for question in questions_of(game):
        for kind in question.orders:
            if kind.key == key:
                return question, kind
    return None
