"""The foreman of Cuba (p. 8): every building in the figure's row and column, each once, or any single one."""

from __future__ import annotations

from malecon.games.cuba import arrays, moves, tiles
from malecon.games.cuba.events import USED
from malecon.games.cuba.position import DRAW_SHIP, NEXT_CARD, NONE, USE
from malecon.games.cuba.rules.buildings import list_uses, use
from malecon.games.cuba.rules.harbour import leaves_at_once
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Moves, Position


@kernel(inline=True)
def function_of(building: int) -> int:
    """Return the tile that a building works like: the printed warehouse works like the tile of that name."""
    return tiles.WAREHOUSE if building == tiles.PRINTED_WAREHOUSE else building


@kernel
def usable_buildings(position: Position) -> int:
    """Return a bit mask of the kinds the active seat may still use: those on the cross, at first all."""
    seat = int(position.active)
    fields = (1 << tiles.FIELDS) - 1 if position.used == 0 else int(arrays.CROSS[position.figure[seat]])
    fields &= ~int(position.used)
    kinds = 0
    for field in range(tiles.FIELDS):
        building = int(position.built[seat, field])
        if building >= 0 and fields >> field & 1:
            kinds |= 1 << function_of(building)
    return kinds


@kernel
def list_foremans_uses(position: Position, out: Moves | None) -> int:
    """List all uses that would do something, without `done`."""
    kinds = usable_buildings(position)
    count = 0
    for building in range(len(tiles.BUILDING_KEYS)):
        if kinds >> building & 1:
            count = list_uses(position, position.active, building, out, count)
    return count


@kernel
def field_to_use(position: Position, building: int) -> int:
    """Return where the used building stands; of two alike, one in the figure's row and column is used first."""
    seat = int(position.active)
    cross = int(arrays.CROSS[position.figure[seat]])
    used = int(position.used)
    elsewhere = NONE
    for field in range(tiles.FIELDS):
        if function_of(position.built[seat, field]) == building and not used >> field & 1:
            if cross >> field & 1:
                return field
            elsewhere = field
    return elsewhere


@kernel
def use_building(position: Position, move: int, journal: Journal | None) -> int:
    """Make one use. A building off the row and column is the only one for this card."""
    if move == moves.DONE:
        return NEXT_CARD
    seat = int(position.active)
    building = int(moves.BUILDING_USED[move])
    field = field_to_use(position, building)
    note(journal, USED, seat, 0, position.built[seat, field], field)
    position.used |= 1 << field
    berth = use(position, seat, building, move, journal)
    follows = USE if int(arrays.CROSS[position.figure[seat]]) >> field & 1 else NEXT_CARD
    if berth and leaves_at_once(position, berth, journal):
        position.resume = follows
        return DRAW_SHIP
    return follows
