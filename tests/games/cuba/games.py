"""What the tests that hold for every game ask of Cuba: odd positions, what is always true and secret."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from malecon.games.cuba import arrays, tiles
from tests.games.cuba.claims import CLAIMS
from tests.games.cuba.table import Table
from tests.games.random_games import options

__all__ = ["CLAIMS", "GAME", "SECRET", "holdings", "odd_tables", "rank", "scramble", "secrets", "sound"]

GAME = "cuba"
SECRET = {"envoys": True}  # options under which there is something to hide


@st.composite
def odd_tables(draw: st.DrawFn) -> Table:
    """A position that could stand on a table, however unlikely: somebody is about to play a card."""
    players = draw(st.integers(2, 5))
    table = Table(players, **draw(options(GAME).filter(lambda chosen: not chosen["envoys"])))
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
    left = arrays.PIECES.astype(int)
    for good in range(len(tiles.GOOD_KEYS)):
        if good < 5:
            position.market[good] = draw(st.integers(0, arrays.MARKET_SPACES[good]))
            left[good] -= position.market[good]
            for berth in (1, 2, 3):
                if position.ship_at[berth] >= 0:
                    most = min(left[good], arrays.SHIP_WANTS[position.ship_at[berth], good])
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
            building = draw(st.integers(0, len(tiles.BUILDING_KEYS) - 1))
            if position.buildings_left[building]:
                position.built[seat, field] = building
                position.buildings_left[building] -= 1
    return table


def goods_held(position) -> np.ndarray:
    """What every seat has of every good, in yard and warehouse."""
    total = position.yard.astype(int)
    total[:, :3] += position.stored
    return total


def holdings(position) -> np.ndarray:
    """Pesos, points and goods of every seat, one row each."""
    return np.column_stack([position.pesos, position.points, goods_held(position)]).astype(int)


def sound(position) -> None:
    """What is true of every position there is."""
    players = int(position.players)
    pieces = goods_held(position).sum(axis=0) + position.supply
    pieces[:5] += position.market + position.cargo.sum(axis=0)
    assert pieces.tolist() == arrays.PIECES.tolist(), "no piece is lost or made"
    for name in ("supply", "market", "cargo", "yard", "stored", "pesos", "points", "buildings_left", "picks", "ripe"):
        assert np.min(position[name]) >= 0, name
    assert (position.market <= arrays.MARKET_SPACES).all()
    assert (holdings(position)[players:] == 0).all(), "empty seats stay empty"
    sound_buildings(position)
    sound_ships(position)
    sound_laws(position)
    assert 0 <= position.round_number <= 6
    for seat in range(players):
        assert 0 <= int(position.played[seat]).bit_count() <= 4
        assert 0 <= position.figure[seat] < 12


def sound_buildings(position) -> None:
    total = position.buildings_left.astype(int)
    for building in position.built[position.built >= 0]:
        if building < len(total):
            total[building] += 1
    if position.planned >= 0:
        total[position.planned] += 1
    assert total.tolist() == arrays.BUILDING_TILES.tolist()
    assert (position.built == tiles.PRINTED_WAREHOUSE).sum() == position.players


def sound_ships(position) -> None:
    ships = [ship for ship in position.ship_at.tolist() if ship >= 0]
    ships += position.queue[: position.queued].tolist()
    ships += [ship for ship in range(15) if position.unseen_ships >> ship & 1]
    assert sorted(ships) == list(range(15)), "fifteen ship cards"
    assert (position.queue[position.queued :] == -1).all()
    for berth in range(4):
        wants = arrays.SHIP_WANTS[position.ship_at[berth]] if position.ship_at[berth] >= 0 else np.zeros(5)
        assert (position.cargo[berth] <= wants).all()
    assert not position.cargo[tiles.HIGH_SEA].any()


def sound_laws(position) -> None:
    for group in range(4):
        unseen = int(position.unseen_laws[group])
        assert 0 <= unseen < 64
        if position.proposal[group] >= 0:
            assert not unseen >> int(position.proposal[group]) & 1
        assert -1 <= position.law[group] < 6


def rank(position, seat: int) -> tuple[int, ...]:
    """What the rulebook ranks players by (p. 12)."""
    return int(position.points[seat]), int(position.pesos[seat])


def secrets(position) -> tuple[str, ...]:
    """What others may not know of a seat now."""
    return (("envoy",) if position.face_down == 1 else ("bid",)) if position.face_down else ()


def scramble(position, seat: int, random: np.random.Generator) -> None:
    """Give a seat other secrets."""
    for name in secrets(position):
        position[name][seat] = random.integers(0, 5)
