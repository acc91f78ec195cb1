"""What Santiago de Cuba asks several seats in turn, and the standing orders that can answer.

What others give El Zorro changes nothing for the next; a delivery may leave less to deliver, so that an answer given
before it is worth nothing.
"""

from __future__ import annotations

from malecon.games.santiago import moves, names, tiles
from malecon.games.santiago.position import DELIVER, ZORRO
from malecon.games.santiago.rules.cubans import has_gift
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.questions import Order, OrderKind, SharedQuestion, asked_as_actor
from malecon.kernel.verbs import Position
from malecon.text.lists import commas

PESO, POINT, WOOD = "peso", "point", "wood"
GIFTS = (PESO, POINT, *tiles.DEMANDED)
LOADS = (*tiles.DEMANDED, WOOD)
#: More points than any delivery brings.
MOST_POINTS = tiles.HIGHEST_DEMAND * tiles.HIGHEST_VALUE + 1


def _from(position: Position, first: int) -> list[int]:
    return [(first + i) % int(position.players) for i in range(int(position.players))]


def _still_robbed(position: Position) -> tuple[int, ...]:
    if position.phase != ZORRO:
        return ()
    seats = _from(position, int(position.actor))
    robbed = seats[: seats.index(int(position.active))]
    return tuple(seat for seat in robbed if has_gift(position, seat))


def _still_delivering(position: Position) -> tuple[int, ...]:
    if position.phase != DELIVER:
        return ()
    return tuple(seat for seat in _from(position, int(position.actor)) if not int(position.passed) >> seat & 1)


def _name(thing: str) -> Phrase:
    if thing == PESO:
        return Phrase("a peso", context="gift")
    if thing == POINT:
        return Phrase("a point", context="gift")
    return names.good(tiles.GOOD_KEYS.index(thing))


# --- El Zorro


def _gift(thing: str) -> int:
    if thing == PESO:
        return moves.GIVE_PESO
    return moves.GIVE_POINT if thing == POINT else _code(f"give {thing}")


def _code(name: str) -> int:
    code = moves.NOTATION.code(name)
    assert code is not None, name
    return code


def _can_give(position: Position, thing: str) -> bool:
    seat = position.actor
    if thing == PESO:
        return bool(position.pesos[seat] > 0)
    if thing == POINT:
        return bool(position.points[seat] > 0)
    return bool(position.goods[seat, tiles.DEMANDED.index(thing)] > 0)


def _offer_gifts(position: Position) -> tuple[Order, ...]:
    return tuple(Order("give", (thing,)) for thing in GIFTS if _can_give(position, thing))


def _give(position: Position, order: Order) -> int | None:
    return next((_gift(thing) for thing in order.prefers if _can_give(position, thing)), None)


# --- deliveries


def _gain(position: Position, thing: str) -> tuple[int, int]:
    """Return the largest delivery of a good, and the points it brings; wood stands in for what is most in demand."""
    seat = position.actor
    if thing == WOOD:
        good = int(position.demand.argmax())
        units = min(int(position.demand[good]), int(position.goods[seat, tiles.WOOD]))
        if not units:
            return moves.PASS, 0
        return _code(f"deliver {units} wood {tiles.DEMANDED[good]}"), units * tiles.WOOD_VALUE
    good = tiles.DEMANDED.index(thing)
    units = min(int(position.demand[good]), int(position.goods[seat, good]))
    return (_code(f"deliver {units} {thing}"), units * int(position.value)) if units else (moves.PASS, 0)


def _best_gain(position: Position) -> int:
    return max(_gain(position, thing)[1] for thing in LOADS)


def _deliverable(position: Position) -> str:
    """Return what the actor could deliver: how much of each good, and of wood."""
    seat = position.actor
    held = [*map(int, position.goods[seat])]
    least = [min(int(demand), held[good]) for good, demand in enumerate(position.demand)]
    return " ".join(map(str, [*least, min(int(position.demand.max()), held[tiles.WOOD])]))


def _offer_delivery(position: Position) -> tuple[Order, ...]:
    gains = {thing: _gain(position, thing)[1] for thing in LOADS}
    return tuple(Order("deliver", (thing,), gains[thing]) for thing in LOADS if gains[thing] > 0)


def _deliver(position: Position, order: Order) -> int | None:
    """Return the first delivery that brings enough, else to pass; stop if one that is not listed brings enough."""
    for thing in order.prefers:
        move, gain = _gain(position, thing)
        if gain >= order.limit:
            return move
    others = (_gain(position, thing)[1] for thing in LOADS if thing not in order.prefers)
    return None if max(others, default=0) >= order.limit else moves.PASS


def _offer_pass(position: Position) -> tuple[Order, ...]:
    return (Order("pass", limit=_best_gain(position)),)


def _pass(position: Position, order: Order) -> int | None:
    return moves.PASS if _best_gain(position) <= order.limit else None


def _pass_until_change(position: Position, order: Order) -> int | None:
    """Pass while there is nothing to deliver that there was not when the order was given."""
    before, now = map(int, order.seen.split()), map(int, _deliverable(position).split())
    return moves.PASS if all(less <= more for less, more in zip(now, before, strict=True)) else None


#: Nobody remembers for a week what has gone behind a screen.
OPTIONS_OVER_DAYS = {"open_screens": True}
QUESTIONS = (
    SharedQuestion(
        "zorro",
        say("El Zorro"),
        ZORRO,
        _still_robbed,
        asked_as_actor(ZORRO),
        orders=(
            OrderKind(
                "give",
                _offer_gifts,
                _give,
                lambda order: say("Give El Zorro first: {things}", things=commas([*map(_name, order.prefers)])),
                say("you have nothing left of what you listed"),
                choices=GIFTS,
                choice_name=_name,
            ),
        ),
    ),
    SharedQuestion(
        "delivery",
        say("Delivery"),
        DELIVER,
        _still_delivering,
        asked_as_actor(DELIVER),
        cost=lambda position, code: int(position.value),
        orders=(
            OrderKind(
                "pass until change",
                lambda position: (Order("pass until change"),),
                _pass_until_change,
                lambda order: say("Pass until you can deliver something else"),
                say("you can deliver something that you could not deliver before"),
                seen=_deliverable,
            ),
            OrderKind(
                "pass",
                _offer_pass,
                _pass,
                lambda order: say("Pass every delivery that brings {points} at most", points=names.points(order.limit)),
                say("a delivery brings more than you were ready to pass"),
                limits=range(MOST_POINTS),
                limit_name=say("Points at most"),
            ),
            OrderKind(
                "deliver",
                _offer_delivery,
                _deliver,
                lambda order: say(
                    "Deliver in this order, while it brings {points} at least, else pass: {things}",
                    points=names.points(order.limit),
                    things=commas([*map(_name, order.prefers)]),
                ),
                say("something that you did not list is worth delivering"),
                choices=LOADS,
                limits=range(1, MOST_POINTS),
                choice_name=_name,
                limit_name=say("Points at least"),
            ),
        ),
    ),
)
