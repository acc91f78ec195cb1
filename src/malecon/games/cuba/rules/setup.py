"""Before the first round of Cuba (pp. 4 and 5): the starting player, and everyone's two materials and two crops."""

from __future__ import annotations

from malecon.games.cuba import moves, tiles
from malecon.games.cuba.events import FROM_SETUP, take
from malecon.games.cuba.position import NEXT_ROUND, START_CROPS, START_MATERIALS
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal
from malecon.kernel.verbs import Moves, Position


@kernel(inline=True)
def list_starters(position: Position, out: Moves) -> int:
    for seat in range(position.players):
        out[seat] = moves.STARTER + seat
    return position.players


@kernel(inline=True)
def choose_starter(position: Position, move: int) -> int:
    position.starter = position.actor = move - moves.STARTER
    return START_MATERIALS


@kernel(inline=True)
def list_pairs(first: int, out: Moves) -> int:
    """List all pairs; the supply always has enough for everybody at the start."""
    for pair in range(len(tiles.PAIRS)):
        out[pair] = first + pair
    return len(tiles.PAIRS)


@kernel
def take_pair(position: Position, move: int, journal: Journal | None) -> None:
    seat = int(position.actor)
    take(position, seat, int(moves.PARTS[move, 0]), 1, FROM_SETUP, journal)
    take(position, seat, int(moves.PARTS[move, 1]), 1, FROM_SETUP, journal)


@kernel(inline=True)
def take_start_materials(position: Position, move: int, journal: Journal | None) -> int:
    take_pair(position, move, journal)
    return START_CROPS


@kernel(inline=True)
def take_start_crops(position: Position, move: int, journal: Journal | None) -> int:
    take_pair(position, move, journal)
    position.actor = (position.actor + 1) % position.players
    return NEXT_ROUND if position.actor == position.starter else START_MATERIALS
