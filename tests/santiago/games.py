"""Random games and random positions of Santiago de Cuba, for properties that must hold in all of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from malecon import games
from malecon.kernel import verbs
from malecon.kernel.randomness import below, randomness
from malecon.match import Match
from santiago.table import COLOURS, STREET, Table

GAME = games.get("santiago")
NAMES = GAME.notation.names()
LONGEST_GAME = 5_000  # moves; a random game has some 300


@st.composite
def matches(draw: st.DrawFn, open_screens: bool | None = None) -> tuple[Match, Iterator[str]]:
    """A new match with a seed, and the choices that random players will make in it until it ends."""
    options = {"open_screens": draw(st.booleans()) if open_screens is None else open_screens}
    match = Match("santiago", draw(st.integers(2, 4)), seed=draw(st.integers(0, 2**64 - 1)), options=options)
    first = draw(st.lists(st.integers(0, 255), max_size=30))
    return match, choices(match, first, draw(st.integers(0, 2**32)))


def choices(match: Match, first: list[int], seed: int) -> Iterator[str]:
    """What to push next: the given choices, then random ones. Whoever iterates must push each."""
    random = randomness(seed)
    numbers = iter(first)
    while not match.is_over:
        legal = match.legal_moves
        number = next(numbers, None)
        yield str(legal[below(random, len(legal)) if number is None else number % len(legal)])
        assert len(match) < LONGEST_GAME, "this game does not end"


@st.composite
def odd_tables(draw: st.DrawFn) -> Table:
    """A position that could stand on a table, however unlikely: somebody is about to drive."""
    players = draw(st.integers(2, 4))
    table = Table(
        players, street=tuple(draw(st.permutations(STREET))), starter=draw(st.sampled_from(COLOURS[:players]))
    )
    position = table.position
    position.building_at[:] = draw(st.permutations(range(12)))
    position.car = draw(st.integers(0, 9))
    position.value = draw(st.integers(2, 4))
    position.ship = draw(st.integers(1, 7))
    position.face_down = draw(st.integers(0, 2**9 - 1))
    demand = draw(st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(any))
    position.left_out = draw(st.integers(0, 4))
    position.demand[:] = np.insert(demand, position.left_out, 0)
    pieces = draw(st.lists(st.integers(0, 11), min_size=players, max_size=players, unique=True))
    for seat in range(players):
        position.piece[seat] = draw(st.sampled_from([pieces[seat], pieces[seat], -1]))
        position.pesos[seat] = draw(st.integers(0, 45))
        position.points[seat] = draw(st.integers(0, 110))
        position.goods[seat] = draw(st.lists(st.integers(0, 8 // players), min_size=6, max_size=6))
    position.supply[:] = 8 - position.goods.sum(axis=0)
    for building in range(12):
        seat = draw(st.integers(-1, players - 1))
        if seat >= 0 and position.markers[seat]:
            position.owner[building] = seat
            position.markers[seat] -= 1
    return table


def play_out(table: Table, decisions: int, seed: int) -> Iterator[Match]:
    """Go on with random moves, chance's too; yields the match before each."""
    random = randomness(seed)
    for _ in range(decisions):
        if table.match.is_over:
            return
        yield table.match
        codes = table.match.legal_moves.codes
        table.match.push(NAMES[codes[below(random, len(codes))]])


def holdings(position) -> np.ndarray:
    """Pesos, points and goods of every seat, one row each."""
    return np.column_stack([position.pesos, position.points, position.goods]).astype(int)


def legal_codes(position) -> list[int]:
    out = np.empty(GAME.most_legal, np.int16)
    return out[: verbs.legal(position, out)].tolist()
