"""What the tests that hold for every game ask of Santiago de Cuba: odd positions, what is always true and secret."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from malecon.games.santiago import arrays
from malecon.kernel import verbs
from tests.games.santiago.claims import CLAIMS
from tests.games.santiago.table import COLOURS, STREET, Table

__all__ = ["CLAIMS", "GAME", "SECRET", "holdings", "odd_tables", "rank", "scramble", "secrets", "sound"]

GAME = "santiago"
SECRET = {"open_screens": False}  # options under which there is something to hide


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


def holdings(position) -> np.ndarray:
    """Pesos, points and goods of every seat, one row each."""
    return np.column_stack([position.pesos, position.points, position.goods]).astype(int)


def sound(position) -> None:
    """What is true of every position there is."""
    players = int(position.players)
    assert (position.goods[:players].sum(axis=0) + position.supply == 8).all(), "8 of each kind"
    for name in ("supply", "demand", "pesos", "points", "goods", "markers", "face_down"):
        assert np.min(position[name]) >= 0, name
    assert (holdings(position)[players:] == 0).all(), "empty seats stay empty"
    assert 2 <= position.value <= 4
    assert 1 <= position.ship <= 8
    assert 0 <= position.car <= 9
    assert (position.ship == 8) == (verbs.actor(position) == verbs.NOBODY)
    assert position.face_down < 1 << 9
    assert (position.demand <= arrays.DICE.max(axis=1)).all()
    pieces = [piece for piece in position.piece[:players].tolist() if piece >= 0]
    assert len(set(pieces)) == len(pieces), "two pieces on one building"
    for seat in range(players):
        assert (position.owner == seat).sum() + position.markers[seat] == 3


def rank(position, seat: int) -> tuple[int, ...]:
    """What the rulebook ranks players by (p. 8)."""
    return int(position.points[seat]), int(position.goods[seat].sum()) % 3, int(position.pesos[seat])


def secrets(position) -> tuple[str, ...]:
    """What others may not know of a seat now."""
    return () if verbs.actor(position) == verbs.NOBODY else ("pesos", "points", "goods")


def scramble(position, seat: int, random: np.random.Generator) -> None:
    """Give a seat other secrets."""
    position.pesos[seat] = random.integers(0, 300)
    position.points[seat] = random.integers(0, 300)
    position.goods[seat] = random.integers(0, 9, 6)
