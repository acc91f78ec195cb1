"""Scores of decided tables, and the standings of a tournament. Pure functions of numbers.

The score at a table is the share of opponents who come in behind; a tie counts half. Among equal scores the criteria in
`CRITERIA` decide, one after the other; the last is a lot, drawn from the seed of the tournament.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

SCORE = "score"
OPPONENTS = "opponents"
DIRECT = "direct"
SHARE = "share"
LOT = "lot"
#: What decides, in this order.
CRITERIA = (SCORE, OPPONENTS, DIRECT, SHARE, LOT)
ZERO = Fraction(0)


@dataclass(frozen=True)
class DecidedTable:
    """A decided table: for each entrant, the place and the points in the game."""

    entrants: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class StandingsLine:
    """A line of the standings. `decided` is the criterion that put it behind the line above; empty if scores differ."""

    place: int
    entrant: int
    score: Fraction
    opponents: Fraction
    direct: int
    share: Fraction
    games: int
    byes: int
    decided: str = ""


def beaten(places: Sequence[int]) -> tuple[int, ...]:
    """Return the half opponents that each seat has beaten: two for each who came in behind, one for each tie."""
    return tuple(sum(2 * (other > own) + (other == own) for other in places) - 1 for own in places)


def scores(places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the share of opponents that each seat has beaten."""
    return tuple(Fraction(half, 2 * (len(places) - 1)) for half in beaten(places))


def standings(
    entrants: Iterable[int], games: Sequence[DecidedTable], free: Sequence[tuple[int, Fraction]], seed: str
) -> list[StandingsLine]:
    """Return the standings. `free` are the byes and walkovers, with what each of them counts."""
    everybody = list(entrants)
    score: defaultdict[int, Fraction] = defaultdict(Fraction)
    share: defaultdict[int, Fraction] = defaultdict(Fraction)
    played: Counter[int] = Counter()
    for game in games:
        won = sum(max(0, points) for points in game.points)
        for entrant, own_score, points in zip(game.entrants, scores(game.places), game.points, strict=True):
            score[entrant] += own_score
            share[entrant] += Fraction(max(0, points), won) if won else ZERO
            played[entrant] += 1
    for entrant, worth in free:
        score[entrant] += worth
    opponents: defaultdict[int, Fraction] = defaultdict(Fraction)
    for game in games:
        together = sum((score[entrant] for entrant in game.entrants), ZERO)
        for entrant in game.entrants:
            opponents[entrant] += (together - score[entrant]) / (len(game.entrants) - 1)
    byes = Counter(entrant for entrant, _ in free)

    def by_score(entrant: int) -> tuple[Fraction, Fraction]:
        return score[entrant], opponents[entrant]

    lines: list[StandingsLine] = []
    for _, tied in groupby(sorted(everybody, key=by_score, reverse=True), key=by_score):
        group = list(tied)
        direct = _direct(group, games)
        group.sort(key=lambda entrant: (-direct[entrant], -share[entrant], _lot(seed, entrant)))
        for entrant in group:
            line = StandingsLine(
                len(lines) + 1,
                entrant,
                score[entrant],
                opponents[entrant],
                direct[entrant],
                share[entrant],
                played[entrant],
                byes[entrant],
            )
            lines.append(_with_reason(line, lines[-1] if lines else None))
    return lines


def _direct(group: Sequence[int], games: Iterable[DecidedTable]) -> dict[int, int]:
    """Return, for a tied group, how many times more often each came in ahead of the others than behind."""
    balance = dict.fromkeys(group, 0)
    for game in games if len(group) > 1 else ():
        places = [
            (entrant, place) for entrant, place in zip(game.entrants, game.places, strict=True) if entrant in balance
        ]
        for entrant, place in places:
            balance[entrant] += sum((other > place) - (other < place) for _, other in places)
    return balance


def _lot(seed: str, entrant: int) -> bytes:
    return hashlib.blake2b(f"{seed} {entrant}".encode()).digest()


def _with_reason(line: StandingsLine, above: StandingsLine | None) -> StandingsLine:
    if above is None or above.score != line.score:
        return line
    compared = ((OPPONENTS, "opponents"), (DIRECT, "direct"), (SHARE, "share"))
    reason = next((name for name, field in compared if getattr(above, field) != getattr(line, field)), LOT)
    return StandingsLine(**vars(line) | {"decided": reason})
