"""Pairing of a round and its seats: a Swiss, or a round robin of tables. Pure functions of numbers.

Entrants who have met are kept apart as far as possible; among such pairings, those with like scores meet. No two
entrants differ by more than one bye. The same numbers and seed give the same round.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations

#: Attempts at a pairing in which nobody meets again.
MOST_ATTEMPTS = 24
#: Swaps that are evaluated in all attempts together.
MOST_SWAPS = 400_000
#: Plans that are made for a round robin of larger tables; the shortest one is played.
PLANS = 12
Group = tuple[int, ...]
Cost = Callable[[Sequence[int]], tuple[int, int]]


@dataclass(frozen=True)
class Round:
    """A round: its tables with entrants in the order of seats, its byes, and its walkovers."""

    tables: tuple[Group, ...]
    byes: Group = ()
    walkovers: Group = ()


def table_sizes(entrants: int, preferred: int, fewest: int, most: int) -> Group:
    """Return the sizes of the tables for a number of entrants, the largest first; the others have a bye.

    Tables of two stay so. Larger ones may have one seat more or fewer than preferred, within the game's limits, if that
    saves byes. If there are too few entrants for that, all play at one table.
    """
    if entrants < fewest:
        return ()
    smallest = max(fewest, min(preferred - 1, 3))  # six at tables of five: two of three
    allowed = list(range(smallest, min(preferred + 1, most) + 1)) if preferred > 2 else [preferred]
    if entrants < min(allowed):
        return (entrants,)
    # by number of players: the fewest byes, then the sizes that differ least from the preferred one
    best: list[tuple[int, int, Group]] = [(0, 0, ())]
    for players in range(1, entrants + 1):
        byes, deviation, sizes = best[players - 1]
        options = [(byes + 1, deviation, sizes)]
        for size in allowed:
            if size <= players:
                byes, deviation, sizes = best[players - size]
                options.append((byes, deviation + (size - preferred) ** 2, (*sizes, size)))
        best.append(min(options, key=lambda option: option[:2]))
    return tuple(sorted(best[entrants][2], reverse=True))


def swiss_round(
    ranked: Sequence[int],
    scores: Mapping[int, Fraction],
    past: Sequence[Round],
    sizes: Sequence[int],
    seed: int,
) -> Round:
    """Return the next round of a Swiss; `ranked` are the entrants who play, in the order of the standings."""
    byes = _byes(ranked, past, len(ranked) - sum(sizes))
    playing = [entrant for entrant in ranked if entrant not in byes]
    groups = _grouped(playing, sizes, _meetings(past), scores, random.Random(seed))
    return _seated(groups, byes, past, random.Random(seed))


def round_robin(
    entrants: Sequence[int], preferred: int, fewest: int, most: int, times: int, seed: int
) -> tuple[Round, ...]:
    """Return all rounds of a round robin, in which everybody meets everybody at least `times` times."""
    if len(entrants) < fewest:
        return ()
    if preferred == 2 and fewest <= 2:
        return _circle_rounds(entrants, times, seed)
    sizes = table_sizes(len(entrants), preferred, fewest, most)
    plans = (_plan(entrants, sizes, times, random.Random(f"{seed} {number}")) for number in range(PLANS))
    return min(plans, key=lambda plan: (len(plan), _repeats(plan)))


def without(planned: Round, gone: Collection[int], fewest: int) -> Round:
    """Return a planned round without those who have withdrawn. Entrants without opponents have a walkover."""
    left = [tuple(entrant for entrant in table if entrant not in gone) for table in planned.tables]
    return Round(
        tuple(table for table in left if len(table) >= fewest),
        tuple(entrant for entrant in planned.byes if entrant not in gone),
        tuple(entrant for table in left if len(table) < fewest for entrant in table),
    )


# --- inside


def _byes(ranked: Sequence[int], past: Sequence[Round], number: int) -> Group:
    """Return who has a bye: of those with the fewest so far, the last in the standings."""
    had = Counter(entrant for played in past for entrant in played.byes)
    order = sorted(range(len(ranked)), key=lambda rank: (had[ranked[rank]], -rank))
    return tuple(ranked[rank] for rank in order[:number])


def _meetings(past: Iterable[Round]) -> Counter[tuple[int, int]]:
    """Return how often each two have met, the smaller number first."""
    return Counter(pair for played in past for table in played.tables for pair in combinations(sorted(table), 2))


def _repeats(plan: Iterable[Round]) -> int:
    return sum(times - 1 for times in _meetings(plan).values())


def _grouped(
    playing: Sequence[int],
    sizes: Sequence[int],
    met: Counter[tuple[int, int]],
    scores: Mapping[int, Fraction],
    chance: random.Random,
) -> list[Group]:
    """Return tables at which as few as possible meet again and, second, entrants with like scores meet."""
    scaled = {entrant: int(24 * scores.get(entrant, Fraction(0))) for entrant in playing}

    def cost(table: Sequence[int]) -> tuple[int, int]:
        repeats = difference = 0
        for first, second in combinations(table, 2):
            repeats += met[(first, second) if first < second else (second, first)]
            difference += (scaled[first] - scaled[second]) ** 2
        return repeats, difference

    left = MOST_SWAPS
    best: tuple[tuple[int, int], list[list[int]]] | None = None
    order = list(playing)
    for _ in range(MOST_ATTEMPTS):
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
    repeats = difference = 0
    for repeats_here, difference_here in costs:
        repeats, difference = repeats + repeats_here, difference + difference_here
    return repeats, difference


def _improve(tables: list[list[int]], cost: Cost, left: int) -> int:
    """Swap two entrants at a time while that lowers the cost; return how many swaps may still be evaluated."""
    places = [(number, seat) for number, table in enumerate(tables) for seat in range(len(table))]
    costs = [cost(table) for table in tables]
    better = True
    while better and left > 0:
        better = False
        for (first, a), (second, b) in combinations(places, 2):
            if first == second:
                continue
            left -= 1
            one_table, other_table = tables[first], tables[second]
            one_table[a], other_table[b] = other_table[b], one_table[a]
            new = cost(one_table), cost(other_table)
            if _added(new) < _added((costs[first], costs[second])):
                costs[first], costs[second] = new
                better = True
            else:
                one_table[a], other_table[b] = other_table[b], one_table[a]
    return left


def _seated(groups: Iterable[Group], byes: Group, past: Sequence[Round], chance: random.Random) -> Round:
    """Return a round in which everybody has the seat they have had least often; ties are drawn by lot."""
    sat = Counter((entrant, seat) for played in past for table in played.tables for seat, entrant in enumerate(table))
    tables = []
    for group in groups:
        shuffled = list(group)
        chance.shuffle(shuffled)
        orders = permutations(shuffled)
        tables.append(min(orders, key=lambda order: sum(sat[entrant, seat] ** 2 for seat, entrant in enumerate(order))))
    return Round(tuple(tables), byes)


def _circle_rounds(entrants: Sequence[int], times: int, seed: int) -> tuple[Round, ...]:
    """Return a round robin of tables of two by the circle method. With an odd number, one entrant has a bye."""
    chance = random.Random(seed)
    shuffled: list[int | None] = list(entrants)
    chance.shuffle(shuffled)
    circle = shuffled if len(shuffled) % 2 == 0 else [None, *shuffled]
    half = len(circle) // 2
    rounds: list[Round] = []
    for _ in range(times * (len(circle) - 1)):
        pairs = list(zip(circle[:half], reversed(circle[half:]), strict=True))
        groups = [(first, second) for first, second in pairs if first is not None and second is not None]
        byes = tuple(entrant for pair in pairs if None in pair for entrant in pair if entrant is not None)
        rounds.append(_seated(groups, byes, rounds, chance))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(rounds)


def _plan(entrants: Sequence[int], sizes: Sequence[int], times: int, chance: random.Random) -> tuple[Round, ...]:
    """Return rounds in which as few as possible meet again, until everybody has met everybody `times` times."""
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
