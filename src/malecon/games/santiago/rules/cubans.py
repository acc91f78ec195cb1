"""The street of Santiago de Cuba (pp. 3 and 4): the car, and what the nine Cubans do for a player who stops there."""

from __future__ import annotations

from malecon.games.santiago import arrays, moves, tiles
from malecon.games.santiago.events import (
    DROVE,
    FACE_UP,
    FROM_CUBAN,
    FROM_DRIVE,
    INACTIVE,
    NOTHING_LEFT,
    SEIZED,
    hand_over,
    take_goods,
)
from malecon.games.santiago.position import ALONSO, ARRIVE, END_OF_TURN, OVER, PABLO, USE, VISIT, ZORRO
from malecon.games.santiago.rules.buildings import list_uses, use
from malecon.games.santiago.rules.ships import is_over, move_flag_right, open_delivery_round
from malecon.kernel.common.holdings import change_pesos, change_points
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Moves, Position

# --- the car


@kernel(inline=True)
def list_drives(position: Position, out: Moves) -> int:
    """List the drives the seat can pay for: the first step is free, each further one costs a peso."""
    count = min(position.pesos[position.active] + 1, tiles.LONGEST_DRIVE)
    for steps in range(count):
        out[steps] = moves.DRIVE + steps
    return count


@kernel(inline=True)
def turn_face_up(position: Position, cuban: int, journal: Journal | None) -> None:
    if position.face_down >> cuban & 1:
        position.face_down ^= 1 << cuban
        note(journal, FACE_UP, -1, 0, cuban, -1)


@kernel(inline=True)
def drive(position: Position, move: int, journal: Journal | None) -> int:
    """Drive step by step: Cubans left behind turn face up, a port passed by moves the flag at that moment."""
    steps = move - moves.DRIVE + 1
    seat = int(position.active)
    note(journal, DROVE, seat, steps, (position.car + steps) % tiles.STOPS, -1)
    if steps > 1:
        change_pesos(position, seat, 1 - steps, FROM_DRIVE, journal)
    for _ in range(steps - 1):
        leave_stop(position, journal)
        if position.car == tiles.PORT:
            move_flag_right(position, journal)
            if is_over(position):
                return OVER
    leave_stop(position, journal)
    return ARRIVE


@kernel(inline=True)
def leave_stop(position: Position, journal: Journal | None) -> None:
    if position.car != tiles.PORT:
        turn_face_up(position, int(position.cuban_at[position.car]), journal)
    position.car = (position.car + 1) % tiles.STOPS


# --- arriving


@kernel(inline=True)
def arrive(position: Position, journal: Journal | None) -> int:
    if position.car == tiles.PORT:
        return END_OF_TURN if position.departed else open_delivery_round(position)
    seat = int(position.active)
    cuban = int(position.cuban_at[position.car])
    if position.face_down >> cuban & 1:
        note(journal, INACTIVE, seat, 0, cuban, -1)
        return END_OF_TURN
    if cuban == tiles.PABLO:
        return PABLO
    if cuban == tiles.ALONSO:
        return ALONSO
    if cuban == tiles.ZORRO:
        position.actor = seat  # the robbing goes round from here
        return next_robbed(position)
    receive(position, seat, cuban, journal)
    return VISIT


@kernel(inline=True)
def receive(position: Position, seat: int, cuban: int, journal: Journal | None) -> None:
    """What a Cuban hands over is taken at once, as far as the supply reaches."""
    pesos = int(arrays.CUBAN_PESOS[cuban])
    if pesos:
        change_pesos(position, seat, pesos, FROM_CUBAN + cuban, journal)
    points = int(arrays.CUBAN_POINTS[cuban])
    if points:
        change_points(position, seat, points, FROM_CUBAN + cuban, journal)
    due = int(arrays.CUBAN_GOODS[cuban])
    if due:
        good = int(arrays.CUBAN_GOOD[cuban])
        count = min(due, int(position.supply[good]))
        if count:
            take_goods(position, seat, good, count, FROM_CUBAN + cuban, journal)
        if count < due:
            note(journal, NOTHING_LEFT, seat, 0, cuban, -1)


# --- Pablo the fence


@kernel(inline=True)
def is_any_good_left(position: Position) -> bool:
    for good in range(len(tiles.DEMANDED)):
        if position.supply[good] > 0:
            return True
    return False


@kernel(inline=True)
def list_goods_in_supply(position: Position, out: Moves) -> int:
    count = 0
    for good in range(len(tiles.DEMANDED)):
        if position.supply[good] > 0:
            out[count] = moves.TAKE + good
            count += 1
    return count


@kernel(inline=True)
def take_from_pablo(position: Position, move: int, journal: Journal | None) -> int:
    take_goods(position, int(position.active), move - moves.TAKE, 1, FROM_CUBAN + tiles.PABLO, journal)
    return VISIT


# --- El Zorro the pickpocket


@kernel(inline=True)
def list_gifts(position: Position, seat: int, out: Moves) -> int:
    count = 0
    if position.pesos[seat] > 0:
        out[count] = moves.GIVE_PESO
        count += 1
    if position.points[seat] > 0:
        out[count] = moves.GIVE_POINT
        count += 1
    for good in range(len(tiles.DEMANDED)):
        if position.goods[seat, good] > 0:
            out[count] = moves.GIVE_GOOD + good
            count += 1
    return count


@kernel(inline=True)
def has_gift(position: Position, seat: int) -> bool:
    has = position.pesos[seat] > 0 or position.points[seat] > 0
    for good in range(len(tiles.DEMANDED)):
        has |= position.goods[seat, good] > 0
    return has


@kernel
def next_robbed(position: Position) -> int:
    """Go on to the next player who has something to give; then the active player may use their building again."""
    seat = (position.actor + 1) % position.players
    while seat != position.active:
        if has_gift(position, seat):
            position.actor = seat
            return ZORRO
        seat = (seat + 1) % position.players
    return USE


@kernel(inline=True)
def give(position: Position, move: int, journal: Journal | None) -> int:
    giver, taker = int(position.actor), int(position.active)
    source = FROM_CUBAN + tiles.ZORRO
    if move == moves.GIVE_PESO:
        change_pesos(position, giver, -1, source, journal)
        change_pesos(position, taker, 1, source, journal)
    elif move == moves.GIVE_POINT:
        change_points(position, giver, -1, source, journal)
        change_points(position, taker, 1, source, journal)
    else:
        hand_over(position, giver, taker, move - moves.GIVE_GOOD, source, journal)
    return next_robbed(position)


# --- Alonso the lawyer


@kernel(inline=True)
def list_legal_services(position: Position, out: Moves) -> int:
    """List what Alonso offers: seize an unowned building, or use one of your own, or neither."""
    seat = int(position.active)
    count = 0
    for building in range(len(tiles.BUILDING_KEYS)):
        if position.owner[building] == seat:
            count = list_uses(position, seat, building, out, count)
        elif position.owner[building] < 0 and position.markers[seat] > 0:
            out[count] = moves.SEIZE + building
            count += 1
    out[count] = moves.PASS
    return count + 1


@kernel(inline=True)
def consult_alonso(position: Position, move: int, journal: Journal | None) -> int:
    seat = int(position.active)
    if moves.FAMILY[move] == moves.SEIZE:
        building = move - moves.SEIZE
        position.owner[building] = seat
        position.markers[seat] -= 1
        note(journal, SEIZED, seat, 0, building, -1)
    elif move != moves.PASS:
        use(position, move, journal)
    return VISIT
