"""What is worth a word in a line of Cuba, and how far a line goes: to the end of the round."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.bots.reasons.notes import Missed, Note
from malecon.games.cuba import events as ev
from malecon.games.cuba import tiles
from malecon.games.cuba.names import goods
from malecon.kernel.journal import Event
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position

__all__ = ["Horizon", "goods", "missed", "note", "ship"]

#: Kinds that mean the same to everybody: how much they are worth, in points or so, to the seat they happen to.
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
    """A line ends with the round; one that begins at its very end goes through the next."""

    NEXT_TO_NOTHING = 8

    def __init__(self, seat: int) -> None:
        self._moves = 0

    def reached(self, events: Sequence[Event]) -> bool:
        self._moves += 1
        return self._moves > self.NEXT_TO_NOTHING and any(event.kind == ev.ROUND for event in events)


def note(event: Event, before: Position) -> Note | None:
    kind, seat = event.kind, event.seat
    if kind == ev.STARTER and before.starter == seat:
        return None
    if kind in WORTH:
        return Note((kind, seat, event.thing if kind not in (ev.WON, ev.STARTER) else -1), seat, WORTH[kind])
    if kind == ev.LOADED:
        return Note((kind, seat, event.thing, event.other), seat, 1.5)
    if kind == ev.GOODS and event.amount < 0 and event.other == ev.FROM_END_OF_ROUND:
        return Note((kind, seat, event.other), seat, event.amount / 2)
    return None


def missed(start: Position, before: Position, after: Position, event: Event, seat: int) -> list[Missed]:
    if event.kind != ev.SAILED or event.thing not in start.ship_at.tolist():
        return []
    free = tiles.SHIP_WANTS[event.thing] - start.cargo[start.ship_at.tolist().index(event.thing)]
    goods = range(len(tiles.TRADE_GOODS))
    held = [min(int(ev.held(before, seat, good)), int(ev.held(after, seat, good))) for good in goods]
    return [Missed(event.amount, good, n) for good, n in enumerate(held) if n and free[good] > 0]


def ship(number: int) -> Phrase:
    """Ships have no numbers that people know, but berths do."""
    return say("the ship at berth {berth}", berth=number)
