"""Claims: what sets two lines apart, each a sentence with the events that bear it out. Nothing is thought here.

A claim says what happens in one line and not, or less, in the other. It is only made where it speaks for the better
move, but for the one that owns up to what the better move costs at first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from malecon.bots.reasons.lines import Line
from malecon.bots.reasons.notes import Missed, notes_of
from malecon.kernel.common.holdings import GOODS, PESOS, POINTS
from malecon.kernel.common.naming import pesos, points
from malecon.kernel.journal import Event
from malecon.kernel.phrases import Phrase, say
from malecon.text import describe_move
from malecon.text.game_text import text_of
from malecon.text.lists import listed

#: The two lines of a comparison.
BETTER, OTHER = 0, 1
#: Differences of points, and of other holdings, that are worth a word.
FEWEST_POINTS, FEWEST_HOLDINGS = 2, 2
#: What a good or a peso counts for beside a point.
HOLDING_WORTH = 0.6


class Evidence(NamedTuple):
    """An event of a line: which of the two, at which move, and its number there."""

    line: int
    step: int
    number: int


@dataclass(frozen=True)
class Claim:
    """A sentence about two lines. `amounts` are what it says of the better line and of the other."""

    kind: str  # points, rival, holdings, only, missed, price
    key: tuple[Hashable, ...]  # the same claim about other lines has the same
    seat: int
    amounts: tuple[int, int]
    evidence: tuple[Evidence, ...]
    text: Phrase
    worth: float


def compare(better: Line, other: Line) -> list[Claim]:
    """All that can be said for the better line, the weightiest first; then what it costs, if anything."""
    found = [*_points(better, other), *_holdings(better, other), *_only(better, other), *_missed(better, other)]
    return sorted(found, key=lambda claim: (claim.kind == "price", -claim.worth))


def happened(line: Line) -> Iterator[tuple[int, int, Event]]:
    """Every event of a line, with its move and its number there."""
    for step, made in enumerate(line.steps):
        for number, event in enumerate(made.events):
            yield step, number, event


def _label(line: Line) -> Phrase:
    return describe_move(line.view(0), line.moves[0])


def _total(line: Line, seat: int, kind: int, thing: int | None = None) -> tuple[int, list[tuple[int, int]]]:
    """What a seat gained in a line, and where."""
    places, total = [], 0
    for step, number, event in happened(line):
        if event.kind == kind and event.seat == seat and thing in (None, event.thing):
            total += event.amount
            places.append((step, number))
    return total, places


def _points(better: Line, other: Line) -> Iterator[Claim]:
    """The mover's own points, and those of the rival to whom the other line gives most more."""
    rivals = []
    for seat in range(len(better.names)):
        (more, here), (less, there) = _total(better, seat, POINTS), _total(other, seat, POINTS)
        evidence = (*(Evidence(BETTER, *at) for at in here), *(Evidence(OTHER, *at) for at in there))
        gaps = {"who": better.names[seat], "better": _label(better), "other": _label(other)}
        difference = more - less if seat == better.seat else less - more
        if min(more, less) < 0:  # of losses nothing is said
            continue
        text = say("In the line after “{better}”, {who} gets {more}; in the line after “{other}”, {less}.")
        if seat == better.seat and difference <= -FEWEST_POINTS:
            price = say("It costs something at first: after “{better}”, {who} gets {more}, after “{other}”, {less}.")
            told = price.fill(more=points(more), less=points(less), **gaps)
            yield Claim("price", ("price",), seat, (more, less), evidence, told, float(difference))
        elif difference >= FEWEST_POINTS:
            told = text.fill(more=points(more), less=points(less), **gaps)
            kind = "points" if seat == better.seat else "rival"
            worth = difference if kind == "points" else difference / max(1, len(better.names) - 1)
            claim = Claim(kind, (kind, seat), seat, (more, less), evidence, told, float(worth))
            if kind == "points":
                yield claim
            else:
                rivals.append(claim)
    yield from sorted(rivals, key=lambda claim: -claim.worth)[:1]


def _holdings(better: Line, other: Line) -> Iterator[Claim]:
    """What the mover has more of at the end of a line than at its beginning."""
    seat, sums, told, evidence = better.seat, [0, 0], list[list[Phrase]](), list[Evidence]()
    for which, line in enumerate((better, other)):
        gains = []
        total, places = _total(line, seat, PESOS)
        if total > 0:
            gains.append(pesos(total))
        sums[which] += total
        kinds = sorted({event.thing for _, _, event in happened(line) if event.kind == GOODS and event.seat == seat})
        for kind in kinds:
            n, more = _total(line, seat, GOODS, kind)
            name = notes_of(line.game).goods(kind, n)
            if n > 0 and name is not None:
                gains.append(name)
            sums[which] += n
            places += more
        told.append(gains)
        evidence += [Evidence(which, *at) for at in places]
    if sums[BETTER] - sums[OTHER] < FEWEST_HOLDINGS or not told[BETTER]:
        return
    gaps = {"who": better.names[seat], "better": _label(better), "other": _label(other)}
    if told[OTHER]:
        text = say(
            "At the end of the line after “{better}”, {who} has {more} more than now; at the end of the line after "
            "“{other}”, {less}."
        ).fill(less=listed(told[OTHER]), **gaps)
    else:
        text = say(
            "At the end of the line after “{better}”, {who} has {more} more than now; at the end of the line after "
            "“{other}”, nothing."
        ).fill(**gaps)
    worth = HOLDING_WORTH * (sums[BETTER] - sums[OTHER])
    text = text.fill(more=listed(told[BETTER]))
    yield Claim("holdings", ("holdings",), seat, (sums[BETTER], sums[OTHER]), tuple(evidence), text, worth)


def _only(better: Line, other: Line) -> Iterator[Claim]:
    """What happens in one line and in no way in the other, and speaks for the better one."""
    lines = (better, other)
    noted = [_noted(line) for line in lines]
    for which, line in enumerate(lines):
        for key, (step, number, seat, worth) in noted[which].items():
            for_mover = worth if seat == better.seat else -worth / max(1, len(better.names) - 1)
            favours = for_mover if which == BETTER else -for_mover
            made = line.steps[step]
            if favours <= 0 or key in noted[1 - which] or (step == 0 and worth > 0):  # what one does, its label says
                continue
            told = text_of(line.game).tell_event(made.before, made.after, made.code, made.events, number, line.names)
            if told is None:
                continue
            text = say("Only after “{move}”: {told}", move=_label(line), told=told)
            evidence = (Evidence(which, step, number),)
            yield Claim("only", ("only", which, *key), seat, _sides(which, 1), evidence, text, favours)


def _noted(line: Line) -> dict[tuple[Hashable, ...], tuple[int, int, int, float]]:
    """What is worth a word, by what makes it the same in another line: where it is first seen, for whom, how much."""
    found: dict[tuple[Hashable, ...], tuple[int, int, int, float]] = {}
    for step, number, event in happened(line):
        note = notes_of(line.game).note(event, line.steps[step].before)
        if note is not None:
            known = found.get(note.key)
            found[note.key] = (
                (step, number, note.seat, note.worth) if known is None else (*known[:3], known[3] + note.worth)
            )
    return found


def _missed(better: Line, other: Line) -> Iterator[Claim]:
    """A ship that sails in the other line with the mover's goods still on land, and in the better one does not."""
    here = {(one.ship, one.good) for _, _, one in _missing(better)}
    notes, seat = notes_of(better.game), better.seat
    for step, number, one in _missing(other):
        goods = notes.goods(one.good, one.held)
        if (one.ship, one.good) in here or goods is None:
            continue
        text = say("In the line after “{other}”, {ship} sails while {who} still holds {goods}.")
        told = text.fill(other=_label(other), ship=notes.ship(one.ship), who=other.names[seat], goods=goods)
        evidence = (Evidence(OTHER, step, number),)
        yield Claim("missed", ("missed", one.good), seat, (one.good, one.held), evidence, told, 1.5 * one.held)


def _missing(line: Line) -> list[tuple[int, int, Missed]]:
    found = []
    for step, number, event in happened(line):
        made = line.steps[step]
        for one in notes_of(line.game).missed(line.start, made.before, made.after, event, line.seat):
            found.append((step, number, one))
    return found


def _sides(which: int, amount: int) -> tuple[int, int]:
    return (amount, 0) if which == BETTER else (0, amount)
