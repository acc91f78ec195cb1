"""Pairings and standings of tournaments: what must hold in every one of them, and small ones worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malecon.server.tournaments.pairing import Round, round_robin, swiss_round, table_sizes, without
from malecon.server.tournaments.standings import DecidedTable, beaten, scores, standings

HALF = Fraction(1, 2)


def players_of(round_: Round) -> list[int]:
    return [entrant for table in round_.tables for entrant in table] + [*round_.byes, *round_.walkovers]


def meetings(rounds: Sequence[Round]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for round_ in rounds for table in round_.tables for pair in combinations(table, 2))


@pytest.mark.parametrize(
    ("entrants", "preferred", "most", "sizes"),
    [
        (8, 4, 4, (4, 4)),
        (7, 4, 4, (4, 3)),
        (9, 4, 4, (3, 3, 3)),
        (9, 4, 5, (5, 4)),
        (5, 4, 4, (4,)),  # one has a bye: two tables of 3 and 2 would be too different
        (6, 4, 5, (3, 3)),
        (7, 3, 4, (4, 3)),
        (8, 3, 4, (3, 3, 2)),
        (7, 2, 4, (2, 2, 2)),  # those who want to play one against one do
        (3, 4, 4, (3,)),
        (2, 4, 4, (2,)),  # too few for anything else
        (1, 2, 4, ()),
        (6, 5, 5, (3, 3)),
        (7, 5, 5, (4, 3)),
        (11, 5, 5, (4, 4, 3)),
    ],
)
def test_sizes_of_tables(entrants: int, preferred: int, most: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(entrants, preferred, 2, most) == sizes


@given(st.integers(0, 60), st.integers(2, 5), st.integers(4, 5))
def test_sizes_fit_and_save_byes(entrants: int, preferred: int, most: int) -> None:
    sizes = table_sizes(entrants, min(preferred, most), 2, most)
    assert all(2 <= size <= most for size in sizes)
    left_over = entrants - sum(sizes)
    assert left_over >= 0
    if preferred > 2 and entrants > 5:
        assert left_over == 0
    elif entrants > 1:
        assert left_over <= 1


@given(st.data())
def test_what_holds_in_every_swiss(data: st.DataObject) -> None:
    number, preferred = data.draw(st.integers(2, 19)), data.draw(st.integers(2, 4))
    active = list(range(1, number + 1))
    past: list[Round] = []
    games: list[DecidedTable] = []
    free: list[tuple[int, Fraction]] = []
    for turn in range(data.draw(st.integers(1, 5))):
        if len(active) > 2 and data.draw(st.booleans()):
            active.remove(data.draw(st.sampled_from(active)))
        lines = standings(active, games, free, "seed")
        ranked = [line.entrant for line in lines]
        sizes = table_sizes(len(active), preferred, 2, 4)
        new = swiss_round(ranked, {line.entrant: line.score for line in lines}, past, sizes, turn)
        assert sorted(players_of(new)) == sorted(active)  # everybody once, and nobody who has withdrawn
        assert sorted(map(len, new.tables), reverse=True) == list(sizes)
        past.append(new)
        had = Counter(dict.fromkeys(active, 0))
        had.update(entrant for round_ in past for entrant in round_.byes if entrant in active)
        assert max(had.values()) - min(had.values()) <= 1
        again = swiss_round(ranked, {line.entrant: line.score for line in lines}, past[:-1], sizes, turn)
        assert again == new
        for table in new.tables:
            places = tuple(data.draw(st.permutations(range(1, len(table) + 1))))
            games.append(DecidedTable(table, places, tuple(50 - place for place in places)))
        free += [(entrant, Fraction(1)) for entrant in new.byes]


def fewest_repeats(entrants: tuple[int, ...], size: int, met: Counter[frozenset[int]]) -> int:
    """By trying all ways to seat everybody."""
    if not entrants:
        return 0
    first, rest = entrants[0], entrants[1:]
    repeats = []
    for others in combinations(rest, size - 1):
        here = sum(met[frozenset(pair)] for pair in combinations((first, *others), 2))
        left = tuple(entrant for entrant in rest if entrant not in others)
        repeats.append(here + fewest_repeats(left, size, met))
    return min(repeats)


@pytest.mark.parametrize(("number", "size", "rounds"), [(6, 2, 7), (8, 2, 9), (8, 4, 5), (9, 3, 6), (6, 3, 6)])
def test_as_few_as_possible_meet_again(number: int, size: int, rounds: int) -> None:
    for seed in range(5):
        past: list[Round] = []
        entrants = tuple(range(number))
        for turn in range(rounds):
            wins = {entrant: Fraction((entrant * 7 + seed) % 5 * turn, 2) for entrant in entrants}
            ranked = sorted(entrants, key=lambda entrant: -wins[entrant])
            fewest = fewest_repeats(entrants, size, meetings(past))
            new = swiss_round(ranked, wins, past, (size,) * (number // size), seed)
            before = meetings(past)
            assert sum(before[pair] for pair in meetings([new])) == fewest
            past.append(new)


def test_equals_meet_and_seats_change() -> None:
    wins = {entrant: Fraction(entrant // 4) for entrant in range(16)}
    ranked = sorted(wins, key=lambda entrant: -wins[entrant])
    first = swiss_round(ranked, wins, [], (4,) * 4, 1)
    assert [{entrant // 4 for entrant in table} for table in first.tables] == [{3}, {2}, {1}, {0}]
    past: list[Round] = []
    for turn in range(8):
        past.append(swiss_round(ranked, {}, past, (2,) * 8, turn))
    sat = Counter((entrant, seat) for round_ in past for table in round_.tables for seat, entrant in enumerate(table))
    assert all(abs(sat[entrant, 0] - sat[entrant, 1]) <= 2 for entrant in range(16))


def test_each_table_has_the_best_order_of_seats() -> None:
    past = [Round(((1, 2, 3),)), Round(((1, 3, 2),))]
    new = swiss_round([1, 2, 3], {}, past, (3,), 5)
    sat = Counter((entrant, seat) for round_ in past for table in round_.tables for seat, entrant in enumerate(table))
    costs = {order: sum(sat[round_, seat] for seat, round_ in enumerate(order)) for order in permutations((1, 2, 3))}
    assert costs[new.tables[0]] == min(costs.values()) == 1  # 2 and 3 have sat on the same two seats
    assert new.tables[0][0] != 1


@pytest.mark.parametrize("number", range(2, 14))
def test_a_round_robin_of_two(number: int) -> None:
    for times in (1, 2):
        plan = round_robin(range(number), 2, 2, 4, times, 3)
        assert len(plan) == times * (number - 1 if number % 2 == 0 else number)
        assert set(meetings(plan).values()) == {times}
        assert len(meetings(plan)) == number * (number - 1) // 2
        assert all(sorted(players_of(round_)) == list(range(number)) for round_ in plan)
        sat = Counter((round_[seat], seat) for each in plan for round_ in each.tables for seat in (0, 1))
        assert all(abs(sat[entrant, 0] - sat[entrant, 1]) <= 3 for entrant in range(number))


@pytest.mark.parametrize(("number", "preferred", "most"), [(4, 4, 4), (5, 4, 4), (7, 3, 4), (9, 3, 4), (12, 4, 5)])
def test_a_round_robin_of_larger_tables(number: int, preferred: int, most: int) -> None:
    plan = round_robin(range(number), preferred, 2, most, 1, 3)
    assert len(meetings(plan)) == number * (number - 1) // 2  # everybody has met everybody
    assert all(sorted(players_of(round_)) == list(range(number)) for round_ in plan)
    ideal = -(-(number - 1) // (preferred - 1))
    assert len(plan) <= 2 * ideal + 1
    had = Counter(dict.fromkeys(range(number), 0))
    had.update(entrant for round_ in plan for entrant in round_.byes)
    assert max(had.values()) - min(had.values()) <= 1


def test_those_who_withdraw_are_missing_from_the_plan() -> None:
    planned = Round(((1, 2), (3, 4, 5), (6, 7)), (8, 9))
    assert without(planned, {2, 4, 6, 7, 9}, 2) == Round(((3, 5),), (8,), (1,))


def test_scores_of_a_table() -> None:
    assert scores((1, 2)) == (1, 0)
    assert scores((2, 1, 3)) == (HALF, 1, 0)
    assert scores((1, 1, 3, 4)) == (Fraction(5, 6), Fraction(5, 6), Fraction(1, 3), 0)
    assert beaten((1, 1)) == (1, 1)


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5))
def test_a_table_gives_half_of_what_it_could(places: list[int]) -> None:
    assert sum(scores(places)) == Fraction(len(places), 2)


def test_standings_worked_out_by_hand() -> None:
    """1 beats 2, 3 beats 4; then 1 beats 3, 2 beats 4; then 3 and 2 tie."""
    games = [
        DecidedTable((1, 2), (1, 2), (30, 20)),
        DecidedTable((3, 4), (1, 2), (40, 10)),
        DecidedTable((1, 3), (1, 2), (25, 24)),
        DecidedTable((4, 2), (2, 1), (9, 18)),
        DecidedTable((2, 3), (1, 1), (20, 20)),
    ]
    table_order = standings([1, 2, 3, 4, 5], games, [(5, Fraction(1))], "seed")
    assert [(line.entrant, line.score) for line in table_order[:3]] == [
        (1, 2),
        (3, Fraction(3, 2)),
        (2, Fraction(3, 2)),
    ]
    assert table_order[1].opponents == table_order[2].opponents == Fraction(7, 2)  # both met 1, 4 and each other
    assert table_order[1].direct == table_order[2].direct == 0
    assert table_order[1].share > table_order[2].share
    assert [line.decided for line in table_order] == ["", "", "share", "", ""]
    assert [(line.entrant, line.byes, line.score) for line in table_order[3:]] == [(5, 1, 1), (4, 0, 0)]


def test_who_won_against_whom_decides_and_then_a_lot() -> None:
    games = [
        DecidedTable((1, 2), (2, 1), (1, 3)),
        DecidedTable((3, 4), (2, 1), (1, 1)),
        DecidedTable((1, 4), (1, 2), (1, 1)),
        DecidedTable((3, 2), (1, 2), (1, 1)),
    ]
    table_order = standings([1, 2, 3, 4], games, [], "a")
    assert {line.score for line in table_order} == {Fraction(1)}
    assert table_order[0].direct == table_order[1].direct == 0  # each won once against one of the others
    assert [line.decided for line in table_order[1:]].count("lot") >= 1
    orders = {tuple(line.entrant for line in standings([1, 2, 3, 4], games, [], str(seed))) for seed in range(20)}
    assert len(orders) > 1
    pair = [
        DecidedTable((1, 2), (2, 1), (3, 3)),
        DecidedTable((1, 3), (1, 2), (3, 3)),
        DecidedTable((2, 4), (2, 1), (3, 3)),
        DecidedTable((3, 4), (1, 1), (3, 3)),
    ]
    lines = standings([1, 2, 3, 4], pair, [], "a")
    assert [line.entrant for line in lines if line.score == 1] == [2, 1]


@given(st.data())
def test_standings_are_an_order_of_everybody(data: st.DataObject) -> None:
    games = []
    for _ in range(data.draw(st.integers(0, 8))):
        table = data.draw(st.lists(st.integers(1, 6), min_size=2, max_size=4, unique=True))
        places = data.draw(st.lists(st.integers(1, 4), min_size=len(table), max_size=len(table)))
        games.append(DecidedTable(tuple(table), tuple(places), tuple(10 * place for place in places)))
    table_order = standings(range(1, 7), games, [], "x")
    assert [line.place for line in table_order] == [1, 2, 3, 4, 5, 6]
    assert sorted(line.entrant for line in table_order) == [1, 2, 3, 4, 5, 6]
    assert all(better.score >= other.score for better, other in pairwise(table_order))
    assert sum(line.score for line in table_order) == sum(Fraction(len(game.entrants), 2) for game in games)
