"""The turn of Santiago de Cuba as a flat machine: what may be done in each phase, and which phase follows.

Each step returns the next phase; `settle` passes through the automatic ones. No step calls back into `play`.
"""

from __future__ import annotations

from malecon.games.santiago import arrays, moves, tiles
from malecon.games.santiago.events import FROM_OWNING, MOVED, STAYED, TURN
from malecon.games.santiago.position import (
    ALONSO,
    ARRIVE,
    CHOOSE_STARTER,
    DELIVER,
    DEMAND,
    DRIVE,
    END_OF_TURN,
    NEXT_TURN,
    OVER,
    PABLO,
    PLACE_BUILDINGS,
    PLACE_CUBANS,
    ROLL,
    USE,
    VISIT,
    ZORRO,
)
from malecon.games.santiago.rules.buildings import can_use, list_uses, use
from malecon.games.santiago.rules.cubans import (
    arrive,
    consult_alonso,
    drive,
    give,
    is_any_good_left,
    list_drives,
    list_gifts,
    list_goods_in_supply,
    list_legal_services,
    take_from_pablo,
)
from malecon.games.santiago.rules.ships import (
    count_goods,
    deliver,
    is_over,
    leave_out,
    list_deliveries,
    list_dice_to_leave,
    list_rolls,
    roll,
    start_rolling,
)
from malecon.kernel.common.holdings import change_points
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Moves, Position

# --- setup: chance lays out the tiles and names the starting player (pp. 2 and 3)


@kernel
def list_unplaced(placed: object, count: int, first: int, out: Moves) -> int:
    """List the tiles of 0 to count - 1 that do not lie on the board yet."""
    lying = 0
    for tile in placed:  # type: ignore[attr-defined]
        lying |= 1 << int(tile) + 1  # the first bit: empty sites and stops
    unplaced = 0
    for tile in range(count):
        out[unplaced] = first + tile
        unplaced += 1 - (lying >> tile + 1 & 1)
    return unplaced


@kernel(inline=True)
def list_starters(position: Position, out: Moves) -> int:
    for seat in range(position.players):
        out[seat] = moves.STARTER + seat
    return position.players


@kernel(inline=True)
def place_building(position: Position, move: int) -> int:
    position.building_at[position.step] = move - moves.PLACE_BUILDING
    position.step += 1
    if position.step < tiles.SITES:
        return PLACE_BUILDINGS
    position.step = 0
    return PLACE_CUBANS


@kernel(inline=True)
def place_cuban(position: Position, move: int) -> int:
    position.step += 1
    position.cuban_at[position.step] = move - moves.PLACE_CUBAN
    return PLACE_CUBANS if position.step < tiles.STOPS - 1 else CHOOSE_STARTER


@kernel(inline=True)
def choose_starter(position: Position, move: int) -> int:
    """The player on the starter's right sets the first demand, as if it ended their turn."""
    position.starter = move - moves.STARTER
    position.active = (position.starter + position.players - 1) % position.players
    return start_rolling(position)


# --- the piece


@kernel(inline=True)
def is_occupied(position: Position, building: int) -> bool:
    for seat in range(position.players):
        if position.piece[seat] == building:
            return True
    return False


@kernel
def list_visits(position: Position, out: Moves | None) -> int:
    """List the free buildings under the flower of the Cuban the car stands at."""
    first = tiles.SITES_PER_FLOWER * int(arrays.CUBAN_FLOWER[position.cuban_at[position.car]])
    count = 0
    for site in range(first, first + tiles.SITES_PER_FLOWER):
        building = int(position.building_at[site])
        if not is_occupied(position, building):
            if out is not None:
                out[count] = moves.VISIT + building
            count += 1
    return count


@kernel(inline=True)
def visit(position: Position, move: int, journal: Journal | None) -> int:
    position.piece[position.active] = move - moves.VISIT
    note(journal, MOVED, int(position.active), 0, move - moves.VISIT, -1)
    return USE


@kernel(inline=True)
def use_or_pass(position: Position, move: int, journal: Journal | None) -> int:
    if move != moves.PASS:
        use(position, move, journal)
    return END_OF_TURN


@kernel(inline=True)
def pay_owner(position: Position, journal: Journal | None) -> None:
    """At the end of every turn, the owner of the building the active piece stands on gets a point (p. 6)."""
    building = int(position.piece[position.active])
    if building >= 0:
        owner = int(position.owner[building])
        if owner >= 0 and owner != position.active:
            change_points(position, owner, tiles.OWNERS_POINTS, FROM_OWNING, journal)


# --- the machine


@kernel(inline=True)
def settle(position: Position, phase: int, journal: Journal | None) -> int:
    """Pass through automatic phases to the next decision, or to chance, or to the end."""
    while True:
        if is_over(position):
            return OVER
        if phase == ARRIVE:
            position.actor = position.active
            phase = arrive(position, journal)
        elif phase == PABLO:
            if is_any_good_left(position):
                return PABLO
            phase = VISIT
        elif phase == VISIT:
            if list_visits(position, None) > 0:
                return VISIT
            note(journal, STAYED, int(position.active), 0, int(position.piece[position.active]), -1)
            phase = USE
        elif phase == USE:
            position.actor = position.active  # El Zorro's victims have had their say
            building = int(position.piece[position.active])
            if building >= 0 and can_use(position, int(position.active), building):
                return USE
            phase = END_OF_TURN
        elif phase == END_OF_TURN:
            pay_owner(position, journal)
            if position.departed:
                return start_rolling(position)
            phase = NEXT_TURN
        elif phase == NEXT_TURN:
            position.active = (position.active + 1) % position.players
            position.actor = position.active
            note(journal, TURN, int(position.active), 0, -1, -1)
            return DRIVE
        else:
            return phase


@kernel
def legal(position: Position, out: Moves) -> int:
    phase = int(position.phase)
    if phase == DRIVE:
        return list_drives(position, out)
    if phase == VISIT:
        return list_visits(position, out)
    if phase == USE:
        count = list_uses(position, int(position.active), int(position.piece[position.active]), out, 0)
        out[count] = moves.PASS
        return count + 1
    if phase == DELIVER:
        return list_deliveries(position, int(position.actor), out)
    if phase == ROLL:
        return list_rolls(position, out)
    if phase == ZORRO:
        return list_gifts(position, int(position.actor), out)
    if phase == ALONSO:
        return list_legal_services(position, out)
    if phase == PABLO:
        return list_goods_in_supply(position, out)
    if phase == DEMAND:
        return list_dice_to_leave(out)
    if phase == PLACE_BUILDINGS:
        return list_unplaced(position.building_at, len(tiles.BUILDING_KEYS), moves.PLACE_BUILDING, out)
    if phase == PLACE_CUBANS:
        return list_unplaced(position.cuban_at, len(tiles.CUBAN_KEYS), moves.PLACE_CUBAN, out)
    if phase == CHOOSE_STARTER:
        return list_starters(position, out)
    return 0


@kernel
def play_logged(position: Position, move: int, journal: Journal | None) -> None:
    phase = int(position.phase)
    if phase == DRIVE:
        phase = drive(position, move, journal)
    elif phase == VISIT:
        phase = visit(position, move, journal)
    elif phase == USE:
        phase = use_or_pass(position, move, journal)
    elif phase == DELIVER:
        phase = deliver(position, move, journal)
    elif phase == ROLL:
        phase = roll(position, move, journal)
    elif phase == ZORRO:
        phase = give(position, move, journal)
    elif phase == ALONSO:
        phase = consult_alonso(position, move, journal)
    elif phase == PABLO:
        phase = take_from_pablo(position, move, journal)
    elif phase == DEMAND:
        phase = leave_out(position, move, journal)
    elif phase == PLACE_BUILDINGS:
        phase = place_building(position, move)
    elif phase == PLACE_CUBANS:
        phase = place_cuban(position, move)
    elif phase == CHOOSE_STARTER:
        phase = choose_starter(position, move)
    position.phase = settle(position, phase, journal)


@kernel
def play(position: Position, move: int) -> None:
    play_logged(position, move, None)


# --- standings and views


@kernel
def standing(position: Position, seat: int) -> int:
    """Rank by points, then goods left after the last exchange, then pesos (p. 8)."""
    left = count_goods(position, seat) % tiles.GOODS_PER_FINAL_POINT
    return (int(position.points[seat]) * 100 + left) * 100_000 + int(position.pesos[seat])
