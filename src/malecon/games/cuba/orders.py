"""What Cuba asks several seats in turn or all at once, and the standing orders that can answer.

Envoys and bids lie face down until everybody has chosen: all are asked together. Goods at the start, tax and duty are
asked openly; nobody's answer changes what another can choose or what it costs.
"""

from __future__ import annotations

from malecon.games.cuba import arrays, moves, names, tiles
from malecon.games.cuba.events import held
from malecon.games.cuba.position import BID, ENVOY, PAY_DUTY, PAY_TAX, SECOND_BID, START_CROPS, START_MATERIALS
from malecon.games.cuba.rules.laws import can_pay_duty, tax_due
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.positions import as_array
from malecon.kernel.questions import Order, OrderKind, SharedQuestion, asked_as_actor
from malecon.kernel.verbs import Position
from malecon.text.lists import commas

#: The goods that a duty can ask for.
DUTIABLE = tuple(good for good in tiles.GOOD_KEYS if any(good in law.goods for law in tiles.GROUPS[tiles.DUTY].laws))
#: More pesos than any tax.
MOST_PESOS = int(arrays.TAX_PESOS.max()) * (tiles.FIELDS + 1)


def _from(position: Position, first: int) -> list[int]:
    return [(first + i) % int(position.players) for i in range(int(position.players))]


def _up_to_starter(position: Position) -> list[int]:
    """Return the seats from the actor on, up to the last before the starting player."""
    seats = _from(position, int(position.actor))
    starter = int(position.starter)
    return seats if seats[0] == starter else seats[: seats.index(starter)]


def _without_materials(position: Position) -> tuple[int, ...]:
    if position.phase == START_MATERIALS:
        return tuple(_up_to_starter(position))
    return tuple(_up_to_starter(position)[1:]) if position.phase == START_CROPS else ()


def _without_crops(position: Position) -> tuple[int, ...]:
    return tuple(_up_to_starter(position)) if position.phase in (START_MATERIALS, START_CROPS) else ()


def _without_envoy(position: Position) -> tuple[int, ...]:
    return tuple(_up_to_starter(position)) if position.phase == ENVOY else ()


def _bidders_in(position: Position, phase: int) -> tuple[int, ...]:
    if position.phase != phase:
        return ()
    return tuple(seat for seat in _from(position, int(position.starter)) if int(position.bidders) >> seat & 1)


def _still_taxed(position: Position) -> tuple[int, ...]:
    if position.phase != PAY_TAX:
        return ()
    seats = _from(position, int(position.starter))[int(position.step) :]
    return tuple(seat for seat in seats if 0 < tax_due(position, seat) <= position.pesos[seat])


def _still_dutiable(position: Position) -> tuple[int, ...]:
    """Return who will be asked for the duty; while the tax is asked for, the duty is known already."""
    if position.phase not in (PAY_TAX, PAY_DUTY):
        return ()
    asked = int(position.step) if position.phase == PAY_DUTY else 0
    return tuple(seat for seat in _from(position, int(position.starter))[asked:] if can_pay_duty(position, seat))


def _asked_for_tax(position: Position, seat: int) -> Position:
    """Return the position in which a seat is asked for the tax, or the duty: so many were asked before."""
    position = as_array(position)[0]
    position.phase, position.actor = PAY_TAX, seat
    position.step = _from(position, int(position.starter)).index(seat)
    return position


def _asked_for_duty(position: Position, seat: int) -> Position:
    position = _asked_for_tax(position, seat)
    position.phase = PAY_DUTY
    return position


def _due(position: Position) -> int:
    return int(tax_due(position, int(position.actor)))


# --- tax


def _pay_tax(position: Position, order: Order) -> int | None:
    return moves.PAY_TAX if _due(position) <= order.limit else None


def _refuse_tax(position: Position, order: Order) -> int | None:
    return moves.REFUSE_TAX if _due(position) >= order.limit else None


# --- duty


def _goods_of_duty(position: Position) -> tuple[str, ...]:
    return tiles.GROUPS[tiles.DUTY].laws[int(position.law[tiles.DUTY])].goods


def _held(position: Position, good: str) -> int:
    return int(held(position, int(position.actor), tiles.GOOD_KEYS.index(good)))


def _offer_duties(position: Position) -> tuple[Order, ...]:
    """Return an order for each good that can be given first; the others follow if it takes more."""
    goods = [good for good in _goods_of_duty(position) if _held(position, good)]
    return tuple(Order("pay duty", (first, *(good for good in goods if good != first))) for first in goods)


def _pay_duty(position: Position, order: Order) -> int | None:
    """Return the payment with the goods that come first in the order; stop if these are not enough."""
    law = int(position.law[tiles.DUTY])
    goods = _goods_of_duty(position)
    units = [
        tiles.GOOD_KEYS.index(good) for good in order.prefers if good in goods for _ in range(_held(position, good))
    ]
    if arrays.DUTY_GOOD[law] != tiles.NOTHING:
        return moves.PAY_DUTY if units else None
    if len(units) < 2:
        return None
    names_of_pair = [tiles.GOOD_KEYS[good] for good in sorted(units[:2])]
    return moves.NOTATION.code(f"pay duty {names_of_pair[0]} {names_of_pair[1]}")


def _good(key: str) -> Phrase:
    return names.good(tiles.GOOD_KEYS.index(key))


TAX_ORDERS = (
    OrderKind(
        "pay tax",
        lambda position: (Order("pay tax", limit=_due(position)),),
        _pay_tax,
        lambda order: say("Pay the tax whenever it costs {pesos} at most", pesos=names.pesos(order.limit)),
        say("the tax costs more than you were ready to pay"),
        limits=range(1, MOST_PESOS),
        limit_name=say("Pesos at most"),
    ),
    OrderKind(
        "refuse tax",
        lambda position: (Order("refuse tax", limit=_due(position)),),
        _refuse_tax,
        lambda order: say("Refuse the tax whenever it costs {pesos} or more", pesos=names.pesos(order.limit)),
        say("the tax costs less than when you refused it"),
        limits=range(1, MOST_PESOS),
        limit_name=say("Pesos at least"),
    ),
)
DUTY_ORDERS = (
    OrderKind(
        "pay duty",
        _offer_duties,
        _pay_duty,
        lambda order: say(
            "Pay the duty whenever you can, with these goods in this order: {goods}",
            goods=commas([*map(_good, order.prefers)]),
        ),
        say("the duty cannot be paid with the goods that you listed"),
        choices=DUTIABLE,
        choice_name=_good,
    ),
    OrderKind(
        "refuse duty",
        lambda position: (Order("refuse duty"),),
        lambda position, order: moves.REFUSE_DUTY if str(position.law[tiles.DUTY]) == order.seen else None,
        lambda order: say("Refuse the duty while this law is in force"),
        say("another duty is in force"),
        seen=lambda position: str(position.law[tiles.DUTY]),
    ),
)
QUESTIONS = (
    SharedQuestion(
        "materials",
        say("Materials to start with"),
        START_MATERIALS,
        _without_materials,
        asked_as_actor(START_MATERIALS),
    ),
    SharedQuestion("crops", say("Crops to start with"), START_CROPS, _without_crops, asked_as_actor(START_CROPS)),
    SharedQuestion("envoy", say("Card for parliament"), ENVOY, _without_envoy, asked_as_actor(ENVOY), together=True),
    SharedQuestion(
        "bid", say("Bid"), BID, lambda position: _bidders_in(position, BID), asked_as_actor(BID), together=True
    ),
    SharedQuestion(
        "second bid",
        say("Second bid"),
        SECOND_BID,
        lambda position: _bidders_in(position, SECOND_BID),
        asked_as_actor(SECOND_BID),
        together=True,
    ),
    SharedQuestion(
        "tax",
        say("Tax"),
        PAY_TAX,
        _still_taxed,
        _asked_for_tax,
        cost=lambda position, code: _due(position),
        orders=TAX_ORDERS,
    ),
    SharedQuestion(
        "duty",
        say("Duty"),
        PAY_DUTY,
        _still_dutiable,
        _asked_for_duty,
        cost=lambda position, code: int(position.law[tiles.DUTY]),
        orders=DUTY_ORDERS,
    ),
)
