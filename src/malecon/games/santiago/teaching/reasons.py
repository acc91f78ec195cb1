"""Which events of a line are worth a sentence in Santiago de Cuba, and how far a line goes: through the next turn."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.bots.reasons.game_reasons import MissedDelivery, NotableEvent
from malecon.games.santiago import events as ev
from malecon.games.santiago import tiles
from malecon.games.santiago.names import goods as goods_name
from malecon.kernel.journal import Event
from malecon.kernel.verbs import Position

__all__ = ["Horizon", "goods_name", "missed_deliveries", "notable"]

FROM_ZORRO = ev.FROM_CUBAN + tiles.ZORRO
#: What an event is worth to the seat it happens to, roughly in points.
WORTH = {
    ev.SEIZED: 3.0,
    ev.STAYED: -1.5,
    ev.INACTIVE: -1.5,
    ev.NOTHING_LEFT: -1.5,
}


class Horizon:
    """A line ends when the seat's next turn is over."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._had_turn = False

    def reached(self, events: Sequence[Event]) -> bool:
        for event in events:
            if event.kind == ev.TURN:
                if self._had_turn:
                    return True
                self._had_turn = event.seat == self._seat
        return False


def notable(event: Event, before: Position) -> NotableEvent | None:
    kind, seat = event.kind, event.seat
    if kind in WORTH:
        about = event.thing if kind == ev.SEIZED else -1
        return NotableEvent((kind, seat, about), seat, WORTH[kind])
    if kind == ev.DELIVERED:
        value = tiles.WOOD_VALUE if event.other else int(before.value)
        return NotableEvent((kind, seat, event.thing, event.other), seat, float(event.amount * value))
    if kind == ev.POINTS and event.thing == ev.FROM_OWNING:
        return NotableEvent((kind, seat, event.thing), seat, float(event.amount))
    if event.amount < 0 and (event.other if kind == ev.GOODS else event.thing) == FROM_ZORRO:
        return NotableEvent((kind, seat, FROM_ZORRO), seat, -1.2)
    if kind in (ev.PESOS, ev.POINTS, ev.GOODS) and event.amount > 0:
        source = event.other if kind == ev.GOODS else event.thing
        pesos_for_points = (kind, source) == (ev.PESOS, ev.FROM_BUILDING + tiles.CASINO)
        if ev.FROM_BUILDING <= source < ev.FROM_DRIVE and not pesos_for_points:  # a building was used
            return NotableEvent(("used", seat, source), seat, 1.0 + event.amount / 2)
    return None


def missed_deliveries(
    start: Position, before: Position, after: Position, event: Event, seat: int
) -> list[MissedDelivery]:
    if event.kind != ev.SAILED or event.amount != start.ship:
        return []
    held = [min(int(before.goods[seat, good]), int(after.goods[seat, good])) for good in range(tiles.WOOD)]
    return [MissedDelivery(event.amount, good, n) for good, n in enumerate(held) if n and start.demand[good] > 0]
