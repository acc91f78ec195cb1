"""Who meets whom in a round and on which seats: a Swiss, or a round robin of tables. Pure: numbers in, numbers out.

Opponents who have met are kept apart as far as possible; among such pairings, equals in the standings meet. Nobody has
more than one bye more than anybody else. The same numbers and seed give the same round.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

#: Tries at a pairing in which nobody meets again, and swaps that are looked at in all of them.
TRIES, MOST_SWAPS = 24, 400_000
#: Beginnings that are tried for a round robin of larger tables; the shortest one is played.
PLANS = 12
Group = tuple[int, ...]
Cost = Callable[[Sequence[int]], tuple[int, int]]


@dataclass(frozen=True)
class Round:
    """The tables of a round, entrants in the order of seats; who has a bye; whose opponents have all withdrawn."""

    tables: tuple[Group, ...]
    byes: Group = ()
    walkovers: Group = ()


def table_sizes(entrants: int, wanted: int, fewest: int, most: int) -> Group:
    """How large the tables are if so many play, the largest first; those who are left over have a bye.

    Tables of two stay so. Others may have one seat more, or fewer, where that saves byes, within the game's limits.
    Where there are too few for that, all play at one table.
    """
    if entrants < fewest:
        return ()
    smallest = max(fewest, min(wanted - 1, 3))  # six at tables of five: two of three
    allowed = list(range(smallest, min(wanted + 1, most) + 1)) if wanted > 2 else [wanted]
    if entrants < min(allowed):
        return (entrants,)
    # by number of players: the fewest byes, then the sizes that differ least from what is wanted
    best: list[tuple[int, int, Group]] = [(0, 0, ())]
    for players in range(1, entrants + 1):
        byes, strange, sizes = best[players - 1]
        options = [(byes + 1, strange, sizes)]
        for size in allowed:
            if size <= players:
                byes, strange, sizes = best[players - size]
                options.append((byes, strange + (size - wanted) ** 2, (*sizes, size)))
        best.append(min(options, key=lambda option: option[:2]))
    return tuple(sorted(best[entrants][2], reverse=True))


def swiss_round(
    ranked: Sequence[int],
    scores: Mapping[int, Fraction],
    past: Sequence[Round],
    sizes: Sequence[int],
    seed: int,
) -> Round:
    """The next round of a Swiss for those who are still in it, the first in the standings first."""
    byes = _byes(ranked, past, len(ranked) - sum(sizes))
    playing = [entrant for entrant in ranked if entrant not in byes]
    groups = _grouped(playing, sizes, _meetings(past), scores, random.Random(seed))
    return _seated(groups, byes, past, random.Random(seed))


def round_robin(
    entrants: Sequence[int], wanted: int, fewest: int, most: int, times: int, seed: int
) -> tuple[Round, ...]:
    """All rounds of a round robin, in which everybody meets everybody at least so many times."""
    if len(entrants) < fewest:
        return ()
    if wanted == 2 and fewest <= 2:
        return _in_circles(entrants, times, seed)
    sizes = table_sizes(len(entrants), wanted, fewest, most)
    plans = (_plan(entrants, sizes, times, random.Random(f"{seed} {number}")) for number in range(PLANS))
    return min(plans, key=lambda plan: (len(plan), _repeats(plan)))


def without(planned: Round, gone: Collection[int], fewest: int) -> Round:
    """A planned round without those who have withdrawn. Whoever has nobody left to play with has a walkover."""
    left = [tuple(entrant for entrant in table if entrant not in gone) for table in planned.tables]
    return Round(
        tuple(table for table in left if len(table) >= fewest),
        tuple(entrant for entrant in planned.byes if entrant not in gone),
        tuple(entrant for table in left if len(table) < fewest for entrant in table),
    )


# --- inside


def _byes(ranked: Sequence[int], past: Sequence[Round], wanted: int) -> Group:
    """Who has a bye: of those who have had the fewest, the last in the standings."""
    had = Counter(entrant for one in past for entrant in one.byes)
    order = sorted(range(len(ranked)), key=lambda rank: (had[ranked[rank]], -rank))
    return tuple(ranked[rank] for rank in order[:wanted])


def _meetings(past: Iterable[Round]) -> Counter[tuple[int, int]]:
    """How often each two have met, the smaller number first."""
    return Counter(pair for one in past for table in one.tables for pair in combinations(sorted(table), 2))


def _repeats(plan: Iterable[Round]) -> int:
    return sum(times - 1 for times in _meetings(plan).values())


def _grouped(
    playing: Sequence[int],
    sizes: Sequence[int],
    met: Counter[tuple[int, int]],
    scores: Mapping[int, Fraction],
    chance: random.Random,
) -> list[Group]:
    """Those who play, at tables: as few as possible meet again, then those with like scores meet."""
    unlike = {entrant: int(24 * scores.get(entrant, Fraction(0))) for entrant in playing}

    def cost(table: Sequence[int]) -> tuple[int, int]:
        again = far = 0
        for one, other in combinations(table, 2):
            again += met[(one, other) if one < other else (other, one)]
            far += (unlike[one] - unlike[other]) ** 2
        return again, far

    left = MOST_SWAPS
    best: tuple[tuple[int, int], list[list[int]]] | None = None
    order = list(playing)
    for _ in range(TRIES):
        tables, start = [], 0
        for size in sizes:
            tables.append(order[start : start + size])
            start += size
        left = _improve(tables, cost, left)
        total = _added(cost(table) for table in tables)
        if best is None or total < best[0]:
            best = total, tables
        if best[0][0] == 0 or left <= 0:
            break
        chance.shuffle(order)
    assert best is not None
    return [tuple(table) for table in best[1]]


def _added(costs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    again = far = 0
    for one, other in costs:
        again, far = again + one, far + other
    return again, far


def _improve(tables: list[list[int]], cost: Cost, left: int) -> int:
    """Swap two at a time while that makes a pairing better; how many swaps may still be looked at."""
    places = [(number, seat) for number, table in enumerate(tables) for seat in range(len(table))]
    costs = [cost(table) for table in tables]
    better = True
    while better and left > 0:
        better = False
        for (one, a), (other, b) in combinations(places, 2):
            if one == other:
                continue
            left -= 1
            mine, theirs = tables[one], tables[other]
            mine[a], theirs[b] = theirs[b], mine[a]
            new = cost(mine), cost(theirs)
            if _added(new) < _added((costs[one], costs[other])):
                costs[one], costs[other] = new
                better = True
            else:
                mine[a], theirs[b] = theirs[b], mine[a]
    return left


def _seated(groups: Iterable[Group], byes: Group, past: Sequence[Round], chance: random.Random) -> Round:
    """Give everybody the seat on which they have sat least; lots decide where that leaves a choice."""
    sat = Counter((entrant, seat) for one in past for table in one.tables for seat, entrant in enumerate(table))
    tables = []
    for group in groups:
        drawn = list(group)
        chance.shuffle(drawn)
        orders = permutations(drawn)
        tables.append(min(orders, key=lambda order: sum(sat[entrant, seat] ** 2 for seat, entrant in enumerate(order))))
    return Round(tuple(tables), byes)


def _in_circles(entrants: Sequence[int], times: int, seed: int) -> tuple[Round, ...]:
    """A round robin of two: one stays, the others walk round the tables. An odd one out has a bye."""
    chance = random.Random(seed)
    drawn: list[int | None] = list(entrants)
    chance.shuffle(drawn)
    circle = drawn if len(drawn) % 2 == 0 else [None, *drawn]
    half = len(circle) // 2
    rounds: list[Round] = []
    for _ in range(times * (len(circle) - 1)):
        pairs = list(zip(circle[:half], reversed(circle[half:]), strict=True))
        groups = [(one, other) for one, other in pairs if one is not None and other is not None]
        byes = tuple(entrant for pair in pairs if None in pair for entrant in pair if entrant is not None)
        rounds.append(_seated(groups, byes, rounds, chance))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(rounds)


def _plan(entrants: Sequence[int], sizes: Sequence[int], times: int, chance: random.Random) -> tuple[Round, ...]:
    """Rounds in which as few as possible meet again, until everybody has met everybody."""
    rounds: list[Round] = []
    order = list(entrants)
    met: Counter[tuple[int, int]] = Counter()
    while any(met[pair] < times for pair in combinations(sorted(entrants), 2)):
        chance.shuffle(order)
        byes = _byes(order, rounds, len(order) - sum(sizes))
        playing = [entrant for entrant in order if entrant not in byes]
        groups = _grouped(playing, sizes, met, {}, chance)
        rounds.append(_seated(groups, byes, rounds, chance))
        met = _meetings(rounds)
    return tuple(rounds)
