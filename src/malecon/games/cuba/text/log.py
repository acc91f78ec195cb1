"""The story of a game of Cuba: each move and all that came of it, as sentences. Reads events, adds none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from malecon.games.cuba import events as ev
from malecon.games.cuba import moves, names, tiles
from malecon.games.cuba.position import TRADE
from malecon.games.cuba.text.deeds import Scene, tell_deed
from malecon.kernel.game import Name
from malecon.kernel.journal import Event
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.kernel.view import Outcome
from malecon.text.game_text import tell_usual_result
from malecon.text.lists import commas, listed


def tell_move(
    before: Position, after: Position, code: int, events: Sequence[Event], seats: Sequence[Name]
) -> list[Phrase]:
    scene = Scene(before, after, moves.NOTATION.read(code), events, seats)
    lines = tell_deed(scene)
    for number, event in enumerate(events):
        consequence = CONSEQUENCES.get(event.kind)
        line = None if consequence is None else consequence(scene, event, number)
        if line is not None:
            lines.append(line)
    return lines


def tell_event(
    before: Position, after: Position, code: int, events: Sequence[Event], number: int, seats: Sequence[Name]
) -> Phrase | None:
    """Return the one sentence that tells an event of a move: its own, or that of the deed it is part of."""
    scene = Scene(before, after, moves.NOTATION.read(code), events, seats)
    consequence = CONSEQUENCES.get(events[number].kind)
    line = None if consequence is None else consequence(scene, events[number], number)
    return line or next(iter(tell_deed(scene)), None)


def _is_first(scene: Scene, number: int) -> bool:
    """Return whether no event before had the same kind and, of pesos and points, the same source."""
    event = scene.events[number]
    by_source = event.kind in (ev.PESOS, ev.POINTS)
    return not any(e.kind == event.kind and (not by_source or e.thing == event.thing) for e in scene.events[:number])


def _shares(scene: Scene, events: Sequence[Event], amount: Callable[[int], Phrase]) -> Name:
    """Return who has how much: Blue 2 points, Red 1 point."""
    return commas([say("{who} {share}", who=scene.seats[e.seat], share=amount(e.amount)) for e in events])


# --- rounds and ships


def _round(scene: Scene, event: Event, number: int) -> Phrase:
    return say("Round {number}: {who} plays first.", number=event.amount, who=scene.seats[event.seat])


def _sailed(scene: Scene, event: Event, number: int) -> Phrase:
    if event.other == ev.FULL:
        return say("The ship at berth {berth} sails, fully loaded.", berth=event.amount)
    return say("The ship at berth {berth} sails: its time is up.", berth=event.amount)


def _arrived(scene: Scene, event: Event, number: int) -> Phrase | None:
    """New ships are told one by one, the others that move up together."""
    if _is_new(scene, event):
        if event.amount == tiles.HIGH_SEA:
            return say("A ship appears on the high seas: {spaces}.", spaces=names.spaces(event.thing))
        return say("A ship docks at berth {berth}: {spaces}.", berth=event.amount, spaces=names.spaces(event.thing))
    if any(e.kind == ev.ARRIVED and not _is_new(scene, e) for e in scene.events[:number]):
        return None
    return say("The other ships move up.") if scene.has(ev.SAILED) else say("The ships move up.")


def _is_new(scene: Scene, event: Event) -> bool:
    return event.thing not in scene.before.ship_at.tolist()


def _nothing_left(scene: Scene, event: Event, number: int) -> Phrase:
    return say("The supply has no {good} left.", good=names.good(event.thing))


# --- parliament


def _starter(scene: Scene, event: Event, number: int) -> Phrase:
    who = scene.seats[event.seat]
    if scene.before.starter == event.seat:
        return say("{who} remains the starting player.", who=who)
    return say("{who} becomes the starting player.", who=who)


def _votes(scene: Scene, event: Event, number: int) -> Phrase | None:
    if not _is_first(scene, number):
        return None
    votes = [
        say("{who} ({character}, {votes})",
            who=scene.seats[e.seat], character=names.character(e.thing), votes=names.votes(e.amount))
        for e in scene.all(ev.VOTES)
    ]  # fmt: skip
    if scene.before.law[tiles.OTHER] == tiles.CORRUPTION:
        return say("Parliament votes, and nobody may bid: {votes}.", votes=commas(votes))
    return say("Parliament meets: {votes}.", votes=commas(votes))


def _bids(scene: Scene, event: Event, number: int) -> Phrase | None:
    if not _is_first(scene, number):
        return None
    bids = _shares(scene, scene.all(ev.BID), names.pesos)
    return say("The second bids: {bids}.", bids=bids) if event.thing else say("The bids: {bids}.", bids=bids)


def _tied(scene: Scene, event: Event, number: int) -> Phrase | None:
    """Whether there is a second bid depends on there being money for one."""
    if not _is_first(scene, number):
        return None
    who, votes = commas([scene.seats[e.seat] for e in scene.all(ev.TIED)]), names.votes(event.amount)
    if scene.has(ev.WON):
        return say("Tied at {votes}, with no pesos left to bid: {who}.", votes=votes, who=who)
    return say("Tied at {votes}, and bidding again: {who}.", votes=votes, who=who)


def _won(scene: Scene, event: Event, number: int) -> Phrase:
    who, votes = scene.seats[event.seat], names.votes(event.amount)
    if scene.after.votes[: scene.after.players].tolist().count(event.amount) > 1:
        text = say("{who} wins the vote with {votes}: tied with others, but first in turn order.")
        return text.fill(who=who, votes=votes)
    return say("{who} wins the vote with {votes}.", who=who, votes=votes)


# --- laws


def _paid(scene: Scene, event: Event, number: int) -> Phrase:
    who = scene.seats[event.seat]
    source = ev.FROM_TAX if event.thing == tiles.TAX else ev.FROM_DUTY
    given = scene.lost(source, seat=event.seat)
    gain = [names.points(tiles.TAX_POINTS if event.thing == tiles.TAX else tiles.DUTY_POINTS)]
    if event.thing == tiles.TAX:
        if not given:
            return say("{who} owes no tax and gets {gain}.", who=who, gain=listed(gain))
        return say("{who} pays {given} in tax and gets {gain}.", who=who, given=listed(given), gain=listed(gain))
    extra = scene.gained(ev.FROM_BOTH, seat=event.seat)
    if extra:
        text = say("{who} pays {given} in duty and gets {gain}, and {extra} more for paying both tax and duty.")
        return text.fill(who=who, given=listed(given), gain=listed(gain), extra=listed(extra))
    return say("{who} pays {given} in duty and gets {gain}.", who=who, given=listed(given), gain=listed(gain))


def _refused(scene: Scene, event: Event, number: int) -> Phrase:
    text = say("{who} does not pay the tax.") if event.thing == tiles.TAX else say("{who} does not pay the duty.")
    return text.fill(who=scene.seats[event.seat])


def _unable(scene: Scene, event: Event, number: int) -> Phrase | None:
    """Those who follow one another are named together."""
    seats = [e.seat for e in scene.all(ev.UNABLE, event.thing)]
    if event.seat != seats[0]:
        return None
    who = commas([scene.seats[seat] for seat in seats])
    taxed = event.thing == tiles.TAX
    if len(seats) > 1:
        text = say("Unable to pay the tax: {who}.") if taxed else say("Unable to pay the duty: {who}.")
    else:
        text = say("{who} cannot pay the tax.") if taxed else say("{who} cannot pay the duty.")
    return text.fill(who=who)


def _points(scene: Scene, event: Event, number: int) -> Phrase | None:
    """Tell points that come to everybody at once."""
    if event.thing not in (ev.FROM_SUBSIDY, ev.FROM_FINAL_BUILDINGS) or not _is_first(scene, number):
        return None
    gains = _shares(scene, scene.all(ev.POINTS, event.thing), names.points)
    if event.thing == ev.FROM_SUBSIDY:
        law = names.law(tiles.SUBSIDY, int(scene.after.law[tiles.SUBSIDY]))
        return say("{law}: {gains}.", law=law, gains=gains)
    return say("For buildings: {gains}.", gains=gains)


def _market(scene: Scene, event: Event, number: int) -> Phrase | None:
    """Tell what a law moves; what the merchant moves is the deed."""
    if scene.before.phase == TRADE or not _is_first(scene, number):
        return None
    goods = listed([names.goods(e.thing, abs(e.amount)) for e in scene.all(ev.MARKET)])
    if event.amount < 0:
        return say("The Shortage law takes {goods} off the market.", goods=goods)
    return say("The Surplus law brings {goods} onto the market.", goods=goods)


# --- the end


def _goods(scene: Scene, event: Event, number: int) -> Phrase | None:
    """Tell which crops were lost because they were not stored."""
    if event.other != ev.FROM_END_OF_ROUND:
        return None
    if any(e.kind == ev.GOODS and (e.seat, e.other) == (event.seat, event.other) for e in scene.events[:number]):
        return None
    lost = listed(scene.lost(ev.FROM_END_OF_ROUND, seat=event.seat))
    return say("{who} loses {goods} from the yard.", who=scene.seats[event.seat], goods=lost)


def _game_over(scene: Scene, event: Event, number: int) -> Phrase:
    return say("The game is over.")


#: Events without an entry are part of the deed's own sentence.
CONSEQUENCES: Mapping[int, Callable[[Scene, Event, int], Phrase | None]] = {
    ev.POINTS: _points,
    ev.GOODS: _goods,
    ev.MARKET: _market,
    ev.NOTHING_LEFT: _nothing_left,
    ev.ROUND: _round,
    ev.SAILED: _sailed,
    ev.ARRIVED: _arrived,
    ev.STARTER: _starter,
    ev.VOTES: _votes,
    ev.BID: _bids,
    ev.TIED: _tied,
    ev.WON: _won,
    ev.PAID: _paid,
    ev.REFUSED: _refused,
    ev.UNABLE: _unable,
    ev.GAME_OVER: _game_over,
}


def tell_result(outcome: Outcome, seats: Sequence[Name]) -> list[Phrase]:
    winner, points = seats[outcome.winners[0]], names.points(outcome.points[outcome.winners[0]])
    text = say("{winner} wins with {points}: tied on points, but with more pesos.")
    return tell_usual_result(outcome, seats) or [text.fill(winner=winner, points=points)]
