"""The architect of Cuba (p. 8): one building onto the player's plantation, or a reward for going without."""

from __future__ import annotations

from malecon.games.cuba import arrays, moves, tiles
from malecon.games.cuba.events import BUILT, FORWENT, FROM_CHARACTER, spend
from malecon.games.cuba.position import NEXT_CARD, SITE
from malecon.kernel.common.holdings import change_pesos, change_points
from malecon.kernel.common.listing import put
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Moves, Position

SOURCE = FROM_CHARACTER + tiles.ARCHITECT


@kernel(inline=True)
def building_law_pesos(position: Position) -> int:
    return tiles.BUILDING_LAW_PESOS if position.law[tiles.OTHER] == tiles.BUILDING_LAW else 0


@kernel(inline=True)
def has_materials(position: Position, seat: int, building: int) -> bool:
    for material in range(len(tiles.MATERIALS)):
        if position.yard[seat, tiles.WOOD + material] < arrays.BUILDING_COST[building, material]:
            return False
    return True


@kernel
def list_buildings(position: Position, out: Moves | None) -> int:
    """List the buildings the active seat can pay for. A field for one is always free: six rounds, eleven fields."""
    seat = int(position.active)
    count = 0
    if position.pesos[seat] >= building_law_pesos(position):
        for building in range(len(tiles.BUILDING_KEYS)):
            if position.buildings_left[building] > 0 and has_materials(position, seat, building):
                count = put(out, count, moves.BUILD + building)
    return count


@kernel
def forgo_building(position: Position, journal: Journal | None) -> int:
    """Build nothing: the first two players in a round who choose this get points."""
    seat = int(position.active)
    note(journal, FORWENT, seat, 0, tiles.ARCHITECT, -1)
    reward = arrays.ARCHITECT_POINTS[position.not_built]
    if reward:
        position.not_built += 1
        change_points(position, seat, reward, SOURCE, journal)
    return NEXT_CARD


@kernel
def build(position: Position, move: int, journal: Journal | None) -> int:
    if move == moves.FORGO:
        return forgo_building(position, journal)
    seat = int(position.active)
    building = move - moves.BUILD
    for material in range(len(tiles.MATERIALS)):
        cost = arrays.BUILDING_COST[building, material]
        if cost:
            spend(position, seat, tiles.WOOD + material, cost, SOURCE, journal)
    pesos = building_law_pesos(position)
    if pesos:
        change_pesos(position, seat, -pesos, SOURCE, journal)
    position.buildings_left[building] -= 1
    position.planned = building
    return SITE


@kernel
def list_sites(position: Position, out: Moves) -> int:
    """List every field of the plantation without a building, the figure's among them."""
    seat = int(position.active)
    count = 0
    for field in range(tiles.FIELDS):
        if position.built[seat, field] < 0:
            out[count] = moves.SITE + field
            count += 1
    return count


@kernel(inline=True)
def place_building(position: Position, move: int, journal: Journal | None) -> int:
    field = move - moves.SITE
    position.built[position.active, field] = position.planned
    note(journal, BUILT, position.active, 0, position.planned, field)
    position.planned = tiles.NO_BUILDING
    return NEXT_CARD
