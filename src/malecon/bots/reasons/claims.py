"""Claims: what sets two lines apart, each a sentence with the events that prove it. Nothing is searched here.

A claim says what happens in one line and not, or less, in the other. It is only made if it speaks for the better
move, except the price: what the better move costs at first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from malecon.bots.reasons.game_reasons import MissedDelivery, game_reasons
from malecon.kernel.common.holdings import GOODS, PESOS, POINTS
from malecon.kernel.common.naming import pesos, points
from malecon.kernel.journal import Event
from malecon.kernel.line import Line
from malecon.kernel.phrases import Phrase, say
from malecon.text import describe_move
from malecon.text.game_text import text_of
from malecon.text.lists import listed

#: The two lines of a comparison.
BETTER = 0
OTHER = 1
#: Smaller differences of points are not mentioned.
FEWEST_POINTS = 2
#: Smaller differences of goods and pesos are not mentioned.
FEWEST_HOLDINGS = 2
#: What a good or a peso is worth, in points.
HOLDING_WORTH = 0.6


class Evidence(NamedTuple):
    """An event of a line: which of the two lines, the index of the move, and the event's number there."""

    line: int
    step: int
    number: int


@dataclass(frozen=True)
class Claim:
    """A sentence about two lines. `amounts` are what it says of the better line and of the other."""

    kind: str  # points, rival, holdings, only, missed, price
    key: tuple[Hashable, ...]  # equal for the same claim about other lines
    seat: int
    amounts: tuple[int, int]
    evidence: tuple[Evidence, ...]
    text: Phrase
    worth: float


def compare(better: Line, other: Line) -> list[Claim]:
    """Return every claim for the better line, the weightiest first; then what it costs, if anything."""
    claims = [*_points(better, other), *_holdings(better, other), *_only(better, other), *_missed(better, other)]
    return sorted(claims, key=lambda claim: (claim.kind == "price", -claim.worth))


def _events(line: Line) -> Iterator[tuple[int, int, Event]]:
    """Yield every event of a line, with the index of its move and its number there."""
    for index, step in enumerate(line.steps):
        for number, event in enumerate(step.events):
            yield index, number, event


def _label(line: Line) -> Phrase:
    return describe_move(line.view(line.first_seat, 0), line.moves[0])


def _total(line: Line, seat: int, kind: int, thing: int | None = None) -> tuple[int, list[tuple[int, int]]]:
    """Return what a seat gained in a line, and by which events."""
    places, total = [], 0
    for index, number, event in _events(line):
        if event.kind == kind and event.seat == seat and thing in (None, event.thing):
            total += event.amount
            places.append((index, number))
    return total, places


def _points(better: Line, other: Line) -> Iterator[Claim]:
    """Yield claims on the mover's own points, and on those of the rival who gains most by the other line."""
    rivals = []
    for seat in range(len(better.names)):
        (more, here), (less, there) = _total(better, seat, POINTS), _total(other, seat, POINTS)
        evidence = (*(Evidence(BETTER, *at) for at in here), *(Evidence(OTHER, *at) for at in there))
        gaps = {"who": better.names[seat], "better": _label(better), "other": _label(other)}
        difference = more - less if seat == better.first_seat else less - more
        if min(more, less) < 0:  # losses are not mentioned
            continue
        text = say("In the line after “{better}”, {who} gets {more}; in the line after “{other}”, {less}.")
        if seat == better.first_seat and difference <= -FEWEST_POINTS:
            price = say("It costs something at first: after “{better}”, {who} gets {more}, after “{other}”, {less}.")
            sentence = price.fill(more=points(more), less=points(less), **gaps)
            yield Claim("price", ("price",), seat, (more, less), evidence, sentence, float(difference))
        elif difference >= FEWEST_POINTS:
            sentence = text.fill(more=points(more), less=points(less), **gaps)
            kind = "points" if seat == better.first_seat else "rival"
            worth = difference if kind == "points" else difference / max(1, len(better.names) - 1)
            claim = Claim(kind, (kind, seat), seat, (more, less), evidence, sentence, float(worth))
            if kind == "points":
                yield claim
            else:
                rivals.append(claim)
    yield from sorted(rivals, key=lambda claim: -claim.worth)[:1]


def _holdings(better: Line, other: Line) -> Iterator[Claim]:
    """Yield a claim on the goods and pesos that the mover gains by the end of each line."""
    seat, sums, gains_of, evidence = better.first_seat, [0, 0], list[list[Phrase]](), list[Evidence]()
    for which, line in enumerate((better, other)):
        gains = []
        total, places = _total(line, seat, PESOS)
        if total > 0:
            gains.append(pesos(total))
        sums[which] += total
        kinds = sorted({event.thing for _, _, event in _events(line) if event.kind == GOODS and event.seat == seat})
        for kind in kinds:
            n, more = _total(line, seat, GOODS, kind)
            name = game_reasons(line.game).goods_name(kind, n)
            if n > 0 and name is not None:
                gains.append(name)
            sums[which] += n
            places += more
        gains_of.append(gains)
        evidence += [Evidence(which, *at) for at in places]
    if sums[BETTER] - sums[OTHER] < FEWEST_HOLDINGS or not gains_of[BETTER]:
        return
    gaps = {"who": better.names[seat], "better": _label(better), "other": _label(other)}
    if gains_of[OTHER]:
        text = say(
            "At the end of the line after “{better}”, {who} has {more} more than now; at the end of the line after "
            "“{other}”, {less}."
        ).fill(less=listed(gains_of[OTHER]), **gaps)
    else:
        text = say(
            "At the end of the line after “{better}”, {who} has {more} more than now; at the end of the line after "
            "“{other}”, nothing."
        ).fill(**gaps)
    worth = HOLDING_WORTH * (sums[BETTER] - sums[OTHER])
    text = text.fill(more=listed(gains_of[BETTER]))
    yield Claim("holdings", ("holdings",), seat, (sums[BETTER], sums[OTHER]), tuple(evidence), text, worth)


def _only(better: Line, other: Line) -> Iterator[Claim]:
    """Yield a claim for every event that happens in one line only and speaks for the better one."""
    lines = (better, other)
    notable = [_notable(line) for line in lines]
    for which, line in enumerate(lines):
        for key, (index, number, seat, worth) in notable[which].items():
            for_mover = worth if seat == better.first_seat else -worth / max(1, len(better.names) - 1)
            favours = for_mover if which == BETTER else -for_mover
            # What the mover gains by the first move itself, its label says.
            if favours <= 0 or key in notable[1 - which] or (index == 0 and worth > 0):
                continue
            step = line.step(index)
            event_text = text_of(line.game).tell_event(
                step.before, step.after, step.code, step.events, number, line.names
            )
            if event_text is None:
                continue
            text = say("Only after “{move}”: {told}", move=_label(line), told=event_text)
            evidence = (Evidence(which, index, number),)
            yield Claim("only", ("only", which, *key), seat, _sides(which, 1), evidence, text, favours)


def _notable(line: Line) -> dict[tuple[Hashable, ...], tuple[int, int, int, float]]:
    """Return the notable events of a line by their keys: where each is first seen, for whom, and its total worth."""
    notable: dict[tuple[Hashable, ...], tuple[int, int, int, float]] = {}
    for index, number, event in _events(line):
        note = game_reasons(line.game).notable(event, line.step(index).before)
        if note is not None:
            first_index, first_number, seat, worth = notable.get(note.key, (index, number, note.seat, 0.0))
            notable[note.key] = first_index, first_number, seat, worth + note.worth
    return notable


def _missed(better: Line, other: Line) -> Iterator[Claim]:
    """Yield a claim for every ship that sails without the mover's goods in the other line, but not in the better."""
    reasons, seat = game_reasons(better.game), better.first_seat
    in_better = {(delivery.ship, delivery.good) for _, _, delivery in _missed_deliveries(better)}
    for index, number, delivery in _missed_deliveries(other):
        goods = reasons.goods_name(delivery.good, delivery.held)
        if (delivery.ship, delivery.good) in in_better or goods is None:
            continue
        text = say("In the line after “{other}”, {ship} sails while {who} still holds {goods}.").fill(
            other=_label(other), ship=reasons.ship_name(delivery.ship), who=other.names[seat], goods=goods
        )
        amounts, evidence = (delivery.good, delivery.held), (Evidence(OTHER, index, number),)
        yield Claim("missed", ("missed", delivery.good), seat, amounts, evidence, text, 1.5 * delivery.held)


def _missed_deliveries(line: Line) -> list[tuple[int, int, MissedDelivery]]:
    """Return the goods that the mover was left with when ships sailed, with the index and number of the event."""
    reasons, start = game_reasons(line.game), line.start
    return [
        (index, number, delivery)
        for index, number, event in _events(line)
        for delivery in reasons.missed_deliveries(
            start, line.step(index).before, line.step(index).after, event, line.first_seat
        )
    ]


def _sides(which: int, amount: int) -> tuple[int, int]:
    return (amount, 0) if which == BETTER else (0, amount)
