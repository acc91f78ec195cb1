"""Random games, for properties that must hold in all of them, whatever the game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from malecon import games
from malecon.kernel import verbs
from malecon.kernel.randomness import below, randomness
from malecon.match import Match
from tests.games.table import Table

LONGEST_GAME = 5_000  # moves; a random game has some 300, one of Cuba with five players some 450


@st.composite
def options(draw: st.DrawFn, game: str) -> dict[str, bool | str]:
    return {name: draw(st.sampled_from(option.choices)) for name, option in games.get(game).options.items()}


@st.composite
def matches(draw: st.DrawFn, game: str, **fixed: bool | str) -> tuple[Match, Iterator[str]]:
    """A new match with a seed, and the choices that random players will make in it until it ends."""
    kind = games.get(game)
    players = draw(st.integers(kind.fewest_players, kind.most_players))
    match = Match(game, players, seed=draw(st.integers(0, 2**64 - 1)), options=draw(options(game)) | fixed)
    first = draw(st.lists(st.integers(0, 255), max_size=30))
    return match, choices(match, first, draw(st.integers(0, 2**32)))


def choices(match: Match, first: list[int], seed: int) -> Iterator[str]:
    """What to push next: the given choices, then random ones. Each must be pushed before the next is asked for."""
    random = randomness(seed)
    numbers = iter(first)
    while not match.is_over:
        legal = match.legal_moves
        number = next(numbers, None)
        yield str(legal[below(random, len(legal)) if number is None else number % len(legal)])
        assert len(match) < LONGEST_GAME, "this game does not end"


def play_out(table: Table, decisions: int, seed: int) -> Iterator[Match]:
    """Go on with random moves, chance's too; yields the match before each."""
    random = randomness(seed)
    names = table.match.game.notation.names()
    for _ in range(decisions):
        if table.match.is_over:
            return
        yield table.match
        codes = table.match.legal_moves.codes
        table.match.push(names[codes[below(random, len(codes))]])


def legal_codes(match: Match, position) -> list[int]:
    out = np.empty(match.game.most_legal, np.int16)
    return out[: verbs.legal(position, out)].tolist()
