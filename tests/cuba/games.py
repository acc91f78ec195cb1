"""Random games and random positions of Cuba, for properties that must hold in all of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from cuba.table import Table
from malecon import games
from malecon.games.cuba import tiles
from malecon.kernel import verbs
from malecon.kernel.randomness import below, randomness
from malecon.match import Match

GAME = games.get("cuba")
NAMES = GAME.notation.names()
LONGEST_GAME = 5_000  # moves; a random game of five has some 450


@st.composite
def options(draw: st.DrawFn) -> dict[str, bool | str]:
    return {name: draw(st.sampled_from(option.choices)) for name, option in GAME.options.items()}


@st.composite
def matches(draw: st.DrawFn, **fixed: bool | str) -> tuple[Match, Iterator[str]]:
    """A new match with a seed, and the choices that random players will make in it until it ends."""
    chosen = draw(options()) | fixed
    match = Match("cuba", draw(st.integers(2, 5)), seed=draw(st.integers(0, 2**64 - 1)), options=chosen)
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
    """A position that could stand on a table, however unlikely: somebody is about to play a card."""
    players = draw(st.integers(2, 5))
    table = Table(players, **draw(options().filter(lambda chosen: not chosen["envoys"])))
    position = table.position
    position.round_number = draw(st.integers(1, 6))
    for group in range(4):
        position.law[group] = draw(st.integers(0 if group < 2 else -1, 5))
    position.vetoed_before = draw(st.integers(-1, 3))
    position.material_picked, position.crop_picked = draw(st.booleans()), draw(st.booleans())
    position.not_built, position.not_shipped = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    ships = draw(st.permutations(range(tiles.SHIPS)))
    position.ship_at[:] = ships[:4]
    if position.round_number == 1 and draw(st.booleans()):
        position.ship_at[3] = -1
    lying = [ship for ship in ships if ship not in position.ship_at]
    position.queued = draw(st.integers(0, len(lying)))
    position.queue[:] = -1
    position.queue[: position.queued] = lying[: position.queued]
    position.unseen_ships = sum(1 << ship for ship in lying[position.queued :])
    left = tiles.PIECES.astype(int)
    for good in range(len(tiles.GOODS)):
        if good < 5:
            position.market[good] = draw(st.integers(0, tiles.MARKET_SPACES[good]))
            left[good] -= position.market[good]
            for berth in (1, 2, 3):
                if position.ship_at[berth] >= 0:
                    most = min(left[good], tiles.SHIP_WANTS[position.ship_at[berth], good])
                    position.cargo[berth, good] = draw(st.integers(0, most))
                    left[good] -= position.cargo[berth, good]
        for seat in range(players):
            position.yard[seat, good] = draw(st.integers(0, min(left[good], 5)))
            left[good] -= position.yard[seat, good]
            if good < 3:
                position.stored[seat, good] = draw(st.integers(0, min(left[good], 3)))
                left[good] -= position.stored[seat, good]
        position.supply[good] = left[good]
    for seat in range(players):
        position.pesos[seat] = draw(st.sampled_from([0, 1, 2, 5, 9, 14, 120]))
        position.points[seat] = draw(st.integers(0, 90))
        position.figure[seat] = draw(st.integers(0, 11))
        for field in draw(st.lists(st.integers(1, 11), max_size=6, unique=True)):
            building = draw(st.integers(0, len(tiles.BUILDINGS) - 1))
            if position.buildings_left[building]:
                position.built[seat, field] = building
                position.buildings_left[building] -= 1
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


def goods_held(position) -> np.ndarray:
    """What every seat has of every good, in yard and warehouse."""
    total = position.yard.astype(int)
    total[:, :3] += position.stored
    return total


def holdings(position) -> np.ndarray:
    """Pesos, points and goods of every seat, one row each."""
    return np.column_stack([position.pesos, position.points, goods_held(position)]).astype(int)


def legal_codes(position) -> list[int]:
    out = np.empty(GAME.most_legal, np.int16)
    return out[: verbs.legal(position, out)].tolist()
