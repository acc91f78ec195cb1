"""The port of Santiago de Cuba (pp. 5 and 8): flags, demand, delivery rounds, ships that leave, the end of the game."""

from __future__ import annotations

from malecon.games.santiago import moves, tiles
from malecon.games.santiago.events import (
    DELIVERED,
    DIE,
    FLAG,
    FROM_DELIVERY,
    FROM_EXCHANGE,
    FROM_WOOD,
    FULL,
    GAME_OVER,
    LEFT_OUT,
    PASSED,
    ROLLED,
    ROUND_OVER,
    SAILED,
    TIMED_OUT,
    take_goods,
)
from malecon.games.santiago.position import DELIVER, DEMAND, END_OF_TURN, NEXT_TURN, OVER, ROLL
from malecon.kernel.common.holdings import change_points
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import CHANCE, NOBODY, Moves, Position


@kernel(inline=True)
def is_over(position: Position) -> bool:
    return position.ship > tiles.SHIPS


@kernel
def sail(position: Position, how: int, journal: Journal | None) -> None:
    """The ship leaves at once; the next one has no demand until the end of the turn. The seventh ends the game."""
    note(journal, SAILED, int(position.active), int(position.ship), how, -1)
    position.ship += 1
    position.value = tiles.LOWEST_VALUE
    position.demand[:] = 0
    position.left_out = -1
    position.departed = True
    if is_over(position):
        finish(position, journal)


@kernel
def count_goods(position: Position, seat: int) -> int:
    count = 0
    for good in range(len(tiles.GOOD_KEYS)):
        count += int(position.goods[seat, good])
    return count


@kernel
def finish(position: Position, journal: Journal | None) -> None:
    """Make the last exchange (p. 8): one point for every three goods. The goods are left to be counted for ties."""
    position.phase = OVER
    position.actor = NOBODY
    for seat in range(position.players):
        gained = count_goods(position, seat) // tiles.GOODS_PER_FINAL_POINT
        if gained:
            change_points(position, seat, gained, FROM_EXCHANGE, journal)
    note(journal, GAME_OVER, -1, 0, -1, -1)


@kernel(inline=True)
def move_flag_right(position: Position, journal: Journal | None) -> None:
    """The value rises; beyond the highest flag waits the chequered one, and the ship leaves."""
    if position.value == tiles.HIGHEST_VALUE:
        sail(position, TIMED_OUT, journal)
    else:
        position.value += 1
        note(journal, FLAG, int(position.active), int(position.value), -1, -1)


@kernel(inline=True)
def nothing_in_demand(position: Position) -> bool:
    for good in range(len(tiles.DEMANDED)):
        if position.demand[good] > 0:
            return False
    return True


@kernel
def lower_demand(position: Position, good: int, units: int, journal: Journal | None) -> None:
    """Turn a die down; when all show 0 the ship is full and leaves."""
    position.demand[good] -= units
    note(journal, DIE, -1, int(position.demand[good]), good, -1)
    if nothing_in_demand(position):
        sail(position, FULL, journal)


# --- the demand of a new ship


@kernel(inline=True)
def list_rolls(position: Position, out: Moves) -> int:
    first = moves.ROLL + tiles.FACES * int(position.step)
    for face in range(tiles.FACES):
        out[face] = first + face
    return tiles.FACES


@kernel(inline=True)
def roll(position: Position, move: int, journal: Journal | None) -> int:
    good = int(position.step)
    position.demand[good] = moves.PARTS[move, 1]
    note(journal, ROLLED, int(position.active), int(position.demand[good]), good, -1)
    position.step += 1
    if position.step < len(tiles.DEMANDED):
        return ROLL
    position.actor = position.active
    return DEMAND


@kernel(inline=True)
def list_dice_to_leave(out: Moves) -> int:
    for good in range(len(tiles.DEMANDED)):
        out[good] = moves.LEAVE_OUT + good
    return len(tiles.DEMANDED)


@kernel
def start_rolling(position: Position) -> int:
    position.step = 0
    position.actor = CHANCE
    return ROLL


@kernel(inline=True)
def leave_out(position: Position, move: int, journal: Journal | None) -> int:
    """Four dice go on the ship as they were rolled. Four zeros are a met demand: that ship leaves, roll again."""
    good = move - moves.LEAVE_OUT
    position.demand[good] = 0
    note(journal, LEFT_OUT, int(position.active), 0, good, -1)
    if nothing_in_demand(position):
        sail(position, FULL, journal)
        return OVER if is_over(position) else start_rolling(position)
    position.left_out = good
    position.departed = False
    return NEXT_TURN


# --- the delivery round


@kernel(inline=True)
def open_delivery_round(position: Position) -> int:
    position.passed = 0
    position.actor = position.active
    return DELIVER


@kernel(inline=True)
def list_deliveries(position: Position, seat: int, out: Moves) -> int:
    count = 0
    wood = position.goods[seat, tiles.WOOD]
    for good in range(len(tiles.DEMANDED)):
        demanded = position.demand[good]
        for units in range(min(demanded, position.goods[seat, good])):
            out[count] = moves.DELIVER + len(tiles.DEMANDED) * units + good
            count += 1
        for units in range(min(demanded, wood)):
            out[count] = moves.DELIVER_WOOD + len(tiles.DEMANDED) * units + good
            count += 1
    out[count] = moves.PASS
    return count + 1


@kernel(inline=True)
def deliver(position: Position, move: int, journal: Journal | None) -> int:
    """Make one delivery or pass; then it is the next seat's turn, clockwise, that has not passed."""
    seat = int(position.actor)
    if move == moves.PASS:
        position.passed |= 1 << seat
        note(journal, PASSED, seat, 0, -1, -1)
    else:
        in_wood = moves.FAMILY[move] == moves.DELIVER_WOOD
        units, good = int(moves.PARTS[move, 0]), int(moves.PARTS[move, 1])
        note(journal, DELIVERED, seat, units, good, int(in_wood))
        if in_wood:
            take_goods(position, seat, tiles.WOOD, -units, FROM_WOOD, journal)
            change_points(position, seat, units * tiles.WOOD_VALUE, FROM_WOOD, journal)
        else:
            take_goods(position, seat, good, -units, FROM_DELIVERY, journal)
            change_points(position, seat, units * int(position.value), FROM_DELIVERY, journal)
        lower_demand(position, good, units, journal)
        if position.departed:
            return END_OF_TURN
    if position.passed == (1 << int(position.players)) - 1:
        note(journal, ROUND_OVER, -1, 0, -1, -1)
        move_flag_right(position, journal)
        return END_OF_TURN
    seat = (seat + 1) % position.players
    while position.passed >> seat & 1:
        seat = (seat + 1) % position.players
    position.actor = seat
    return DELIVER
