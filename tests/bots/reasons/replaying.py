"""Replays the lines that sentences cite, move by move, and finds each claim in what happened there."""

from __future__ import annotations

from malecon.bots.reasons import Claim, Explanation
from malecon.games.cuba import arrays
from malecon.games.cuba import tiles as cuba_tiles
from malecon.kernel import verbs
from malecon.kernel.common.holdings import GOODS, PESOS, POINTS
from malecon.kernel.journal import events, new_journal
from malecon.kernel.line import Line
from malecon.kernel.view import legal_codes
from malecon.text import LANGUAGES, translate
from malecon.text.game_text import text_of


def replay(line: Line):
    """Every move of a line with the table before and after it and its events, each checked to be legal."""
    position, steps = line.start.copy(), []
    for code in line.moves:
        assert code in legal_codes(line.game, position)
        before, journal = position.copy(), new_journal()
        verbs.play_logged(position, code, journal)
        steps.append((before, code, events(journal), position.copy()))
    return steps


def check(why: Explanation) -> int:
    """Check every claim of an explanation; how many there were."""
    lines = (why.better, why.other)
    assert lines[0].start.tobytes() == lines[1].start.tobytes()
    played = [replay(line) for line in lines]
    for claim in why.claims:
        assert claim.evidence
        assert claim.worth > 0 or claim.kind == "price"
        cited = [played[at.line][at.step][2][at.number] for at in claim.evidence]
        CHECKS[claim.kind](why, claim, played, cited)
        assert "{" not in "".join(translate(claim.text, language) for language in LANGUAGES)
    return len(why.claims)


def _sum(made, seat: int, kind: int, thing: int | None = None) -> int:
    return sum(
        event.amount
        for _, _, happened, _ in made
        for event in happened
        if event.kind == kind and event.seat == seat and thing in (None, event.thing)
    )


def _points(why: Explanation, claim: Claim, played, cited) -> None:
    sums = tuple(_sum(made, claim.seat, POINTS) for made in played)
    assert claim.amounts == sums
    assert all(event.kind == POINTS and event.seat == claim.seat for event in cited)
    assert [claim.text.gaps[gap].gaps["n"] for gap in ("more", "less")] == list(sums)
    if claim.kind == "points":
        assert claim.seat == why.better.first_seat
        assert sums[0] > sums[1]
    elif claim.kind == "rival":
        assert claim.seat != why.better.first_seat
        assert sums[0] < sums[1]
    else:
        assert claim.seat == why.better.first_seat
        assert sums[0] < sums[1]


def _holdings(why: Explanation, claim: Claim, played, cited) -> None:
    sums = []
    for made, gap in zip(played, ("more", "less"), strict=True):
        goods = {event.thing for _, _, happened, _ in made for event in happened if event.kind == GOODS}
        changes = [_sum(made, claim.seat, PESOS), *(_sum(made, claim.seat, GOODS, good) for good in sorted(goods))]
        sums.append(sum(changes))
        # The numbers that the sentence names are the gains, one for one.
        assert _numbers(claim.text.gaps.get(gap)) == [n for n in changes if n > 0]
    assert claim.amounts == tuple(sums)
    assert sums[0] > sums[1]


def _numbers(phrase) -> list[int]:
    if phrase is None:
        return []
    if "n" in phrase.gaps:
        return [phrase.gaps["n"]]
    return [n for gap in ("first", "next", "last") if gap in phrase.gaps for n in _numbers(phrase.gaps[gap])]


def _only(why: Explanation, claim: Claim, played, cited) -> None:
    (at,), (event,) = claim.evidence, cited
    before, code, happened, after = played[at.line][at.step]
    sentence = text_of(why.better.game).tell_event(before, after, code, happened, at.number, why.better.names)
    assert claim.text.gaps["told"] == sentence
    assert sentence in text_of(why.better.game).tell_move(before, after, code, happened, why.better.names)
    # Nothing of the kind happens in the other line.
    kind, seat, *about = claim.key[2:]
    for _, _, others, _ in played[1 - at.line]:
        for other in others:
            if kind == "used":
                source = other.other if other.kind == GOODS else other.thing
                assert not (other.seat == seat and source == about[0] and other.amount > 0 and other.kind == event.kind)
            elif (other.kind, other.seat) == (kind, seat):
                assert about[0] not in (-1, other.thing) or other.amount != event.amount or other.other != event.other


def _missed(why: Explanation, claim: Claim, played, cited) -> None:
    (at,), (event,) = claim.evidence, cited
    game, start, seat = why.other.game.name, why.other.start, why.other.first_seat
    before, _, _, after = played[at.line][at.step]
    good, held = claim.amounts
    assert claim.text.gaps["goods"].gaps["n"] == held > 0
    if game == "santiago":
        assert start.demand[good] > 0
        assert event.amount == start.ship
        assert before.goods[seat, good] >= held
        assert after.goods[seat, good] >= held
    else:
        berth = start.ship_at.tolist().index(event.thing)
        assert arrays.SHIP_WANTS[event.thing][good] > start.cargo[berth, good]
        for position in (before, after):
            stored = int(position.stored[seat, good]) if good < len(cuba_tiles.CROPS) else 0
            assert int(position.yard[seat, good]) + stored >= held


CHECKS = {
    "points": _points,
    "rival": _points,
    "price": _points,
    "holdings": _holdings,
    "only": _only,
    "missed": _missed,
}
