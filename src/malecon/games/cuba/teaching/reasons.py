"""Which events of a line are worth a sentence in Cuba, and how far a line goes: to the end of the round."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.bots.reasons.game_reasons import MissedDelivery, NotableEvent
from malecon.games.cuba import arrays, tiles
from malecon.games.cuba import events as ev
from malecon.games.cuba.names import goods as goods_name
from malecon.kernel.journal import Event
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position

__all__ = ["Horizon", "goods_name", "missed_deliveries", "notable", "ship_name"]

#: What an event is worth to the seat it happens to, roughly in points.
WORTH = {
    ev.BUILT: 3.0,
    ev.USED: 1.5,
    ev.FORWENT: -2.0,
    ev.IDLE: -3.0,
    ev.WON: 4.0,
    ev.STARTER: 1.0,
    ev.VETOED: 1.5,
    ev.CALLED: 1.5,
    ev.REFUSED: -1.0,
    ev.UNABLE: -2.5,
    ev.PAID: 1.0,
}


class Horizon:
    """A line ends with the round, or with the next one if it begins shortly before the end of a round."""

    FEWEST_MOVES = 8

    def __init__(self, seat: int) -> None:
        self._moves = 0

    def reached(self, events: Sequence[Event]) -> bool:
        self._moves += 1
        return self._moves > self.FEWEST_MOVES and any(event.kind == ev.ROUND for event in events)


def notable(event: Event, before: Position) -> NotableEvent | None:
    kind, seat = event.kind, event.seat
    if kind == ev.STARTER and before.starter == seat:
        return None
    if kind in WORTH:
        return NotableEvent((kind, seat, event.thing if kind not in (ev.WON, ev.STARTER) else -1), seat, WORTH[kind])
    if kind == ev.LOADED:
        return NotableEvent((kind, seat, event.thing, event.other), seat, 1.5)
    if kind == ev.GOODS and event.amount < 0 and event.other == ev.FROM_END_OF_ROUND:
        return NotableEvent((kind, seat, event.other), seat, event.amount / 2)
    return None


def missed_deliveries(
    start: Position, before: Position, after: Position, event: Event, seat: int
) -> list[MissedDelivery]:
    if event.kind != ev.SAILED or event.thing not in start.ship_at.tolist():
        return []
    free = arrays.SHIP_WANTS[event.thing] - start.cargo[start.ship_at.tolist().index(event.thing)]
    goods = range(len(tiles.TRADE_GOODS))
    held = [min(int(ev.held(before, seat, good)), int(ev.held(after, seat, good))) for good in goods]
    return [MissedDelivery(event.amount, good, n) for good, n in enumerate(held) if n and free[good] > 0]


def ship_name(number: int) -> Phrase:
    """Return the ship by its berth: players know ships by no other number."""
    return say("the ship at berth {berth}", berth=number)
