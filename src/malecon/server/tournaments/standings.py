"""What the games of a tournament are worth, and who stands where. Pure: numbers in, numbers out.

At a table one scores the share of the opponents who come in behind; a tie counts half. Equal scores are told apart by
the criteria in `CRITERIA`, one after the other; the last is a lot, which the seed of the tournament has drawn.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

#: What decides, in this order.
SCORE, OPPONENTS, DIRECT, SHARE, LOT = "score", "opponents", "direct", "share", "lot"
CRITERIA = (SCORE, OPPONENTS, DIRECT, SHARE, LOT)
ZERO = Fraction(0)


@dataclass(frozen=True)
class DecidedTable:
    """A table that has been decided: for each entrant there, the place and the points in the game."""

    entrants: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class StandingsLine:
    """A line of the standings. `decided`: what put it behind the line above; empty where their scores differ."""

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
    """For each seat, how many half opponents were beaten: two for each who came in behind, one for each tie."""
    return tuple(sum(2 * (other > mine) + (other == mine) for other in places) - 1 for mine in places)


def scores(places: Sequence[int]) -> tuple[Fraction, ...]:
    """For each seat, the share of the opponents who were beaten."""
    return tuple(Fraction(half, 2 * (len(places) - 1)) for half in beaten(places))


def standings(
    entrants: Iterable[int], games: Sequence[DecidedTable], free: Sequence[tuple[int, Fraction]], seed: str
) -> list[StandingsLine]:
    """Everybody in their order. `free`: byes and walkovers, with what each of them counts."""
    everybody = list(entrants)
    score: defaultdict[int, Fraction] = defaultdict(Fraction)
    share: defaultdict[int, Fraction] = defaultdict(Fraction)
    played: Counter[int] = Counter()
    for game in games:
        won = sum(max(0, points) for points in game.points)
        for entrant, mine, points in zip(game.entrants, scores(game.places), game.points, strict=True):
            score[entrant] += mine
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

    def known(entrant: int) -> tuple[Fraction, Fraction]:
        return score[entrant], opponents[entrant]

    lines: list[StandingsLine] = []
    for _, tied in groupby(sorted(everybody, key=known, reverse=True), key=known):
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
    """Among those who are tied so far: how many times more often each came in before one of the others than behind."""
    found = dict.fromkeys(group, 0)
    for game in games if len(group) > 1 else ():
        here = [(entrant, place) for entrant, place in zip(game.entrants, game.places, strict=True) if entrant in found]
        for entrant, place in here:
            found[entrant] += sum((other > place) - (other < place) for _, other in here)
    return found


def _lot(seed: str, entrant: int) -> bytes:
    return hashlib.blake2b(f"{seed} {entrant}".encode()).digest()


def _with_reason(line: StandingsLine, above: StandingsLine | None) -> StandingsLine:
    if above is None or above.score != line.score:
        return line
    compared = ((OPPONENTS, "opponents"), (DIRECT, "direct"), (SHARE, "share"))
    reason = next((name for name, field in compared if getattr(above, field) != getattr(line, field)), LOT)
    return StandingsLine(**vars(line) | {"decided": reason})
