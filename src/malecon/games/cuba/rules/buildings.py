"""The buildings of Cuba (pp. 13 to 15): which uses are open to a player, and what each does.

Most only take and give what their records in `tiles` say; the exceptions are spelt out here. Whether a building may be
used at all is the foreman's business.
"""

from __future__ import annotations

from malecon.games.cuba import arrays, moves, tiles
from malecon.games.cuba.events import FROM_BUILDING, NOTHING_LEFT, STORED, VETOED, held, spend, take
from malecon.games.cuba.position import NONE
from malecon.games.cuba.rules.harbour import call_ship, deck, load, most_loadable
from malecon.kernel.common.holdings import change_pesos, change_points
from malecon.kernel.common.listing import put
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Moves, Position

# --- which uses there are


@kernel(inline=True)
def list_numbers(most: int, first: int, out: Moves | None, count: int) -> int:
    """List 1 to `most` units of something."""
    for units in range(most):
        count = put(out, count, first + units)
    return count


@kernel
def has_pair(position: Position, seat: int, pair: int, first_good: int) -> bool:
    first, second = first_good + arrays.PAIR_FIRST[pair], first_good + arrays.PAIR_SECOND[pair]
    if first == second:
        return held(position, seat, first) > 1
    return held(position, seat, first) > 0 and held(position, seat, second) > 0


@kernel
def has_crops_in_yard(position: Position, seat: int) -> bool:
    for crop in range(len(tiles.CROPS)):
        if position.yard[seat, crop] > 0:
            return True
    return False


@kernel
def list_turns(position: Position, seat: int, building: int, out: Moves | None, count: int) -> int:
    """List what a building's record allows: some units of one kind, or one or two of several kinds."""
    kinds = arrays.USE_KINDS[building]
    first = moves.USE_ONE[building]
    if kinds == 0:
        return put(out, count, first)
    good = int(arrays.USE_TAKES[building])
    if kinds == 1:
        most = min(arrays.USE_TIMES[building], held(position, seat, good))
        if arrays.USE_GOOD[building] != tiles.NOTHING:
            most = min(most, position.supply[arrays.USE_GOOD[building]])
        return list_numbers(most, first, out, count)
    for kind in range(kinds):
        if held(position, seat, good + kind) > 0:
            count = put(out, count, first + kind)
    if arrays.USE_TIMES[building] > 1:
        for pair in range(len(tiles.PAIRS)):
            if has_pair(position, seat, pair, good):
                count = put(out, count, moves.USE_TWO[building] + pair)
    return count


@kernel
def list_loads(position: Position, seat: int, units: int, first: int, out: Moves | None, count: int) -> int:
    """List the ways to load a number of units of one kind onto one ship."""
    for berth in range(1, tiles.BERTHS + 1):
        for good in range(len(tiles.TRADE_GOODS)):
            if most_loadable(position, seat, berth, good) >= units:
                count = put(out, count, first + (berth - 1) * len(tiles.TRADE_GOODS) + good)
    return count


@kernel
def list_swaps(position: Position, seat: int, out: Moves | None, count: int) -> int:
    for given in range(len(tiles.TRADE_GOODS)):
        if held(position, seat, given) > 0:
            first = moves.SWAP + (len(tiles.TRADE_GOODS) - 1) * given
            for taken in range(len(tiles.TRADE_GOODS)):
                if taken != given and position.supply[taken] > 0:
                    # a code for each good but the one given, in their order
                    count = put(out, count, first + taken - (taken > given))
    return count


@kernel
def list_uses(position: Position, seat: int, building: int, out: Moves | None, count: int) -> int:
    """Write the uses of a building that would do something behind the first `count` moves; return the new count."""
    if building == tiles.WAREHOUSE:
        if has_crops_in_yard(position, seat):
            count = put(out, count, moves.STORE)
    elif building == tiles.SMALL_OFFICE:
        count = list_loads(position, seat, 1, moves.CONSIGN, out, count)
    elif building == tiles.LARGE_OFFICE:
        count = list_loads(position, seat, 1, moves.DISPATCH, out, count)
        count = list_loads(position, seat, 2, moves.DISPATCH_TWO, out, count)
    elif building == tiles.BLACK_MARKET:
        count = list_swaps(position, seat, out, count)
    elif building == tiles.CHURCH:
        for group in range(len(tiles.GROUP_KEYS)):
            if position.proposal[group] >= 0 and position.vetoed_before != group:
                count = put(out, count, moves.VETO + group)
    elif building == tiles.DAM:
        if position.supply[tiles.WATER] > 0:
            count = put(out, count, moves.USE_DAM)
    elif building == tiles.LIGHTHOUSE:
        cards = deck(position)
        for ship in range(tiles.SHIPS):
            if cards >> ship & 1:
                count = put(out, count, moves.CALL + ship)
    else:
        count = list_turns(position, seat, building, out, count)
    return count


# --- what they do


@kernel
def store_crops(position: Position, seat: int, journal: Journal | None) -> None:
    for crop in range(len(tiles.CROPS)):
        crops = position.yard[seat, crop]
        if crops > 0:
            position.yard[seat, crop] = 0
            position.stored[seat, crop] += crops
            note(journal, STORED, seat, crops, crop, -1)


@kernel
def gain(position: Position, seat: int, building: int, times: int, journal: Journal | None) -> None:
    """Give the seat what a building gives, a number of times."""
    source = FROM_BUILDING + building
    if arrays.USE_POINTS[building]:
        change_points(position, seat, times * int(arrays.USE_POINTS[building]), source, journal)
    if arrays.USE_PESOS[building]:
        change_pesos(position, seat, times * int(arrays.USE_PESOS[building]), source, journal)
    if arrays.USE_GOOD[building] != tiles.NOTHING:
        take(position, seat, int(arrays.USE_GOOD[building]), times, source, journal)


@kernel
def turn(position: Position, seat: int, building: int, move: int, journal: Journal | None) -> None:
    """Give what a building takes, if anything, for what it gives."""
    kinds = arrays.USE_KINDS[building]
    source = FROM_BUILDING + building
    if kinds == 0:
        gain(position, seat, building, 1, journal)
    elif kinds == 1:
        times = int(moves.PARTS[move, 0])
        spend(position, seat, int(arrays.USE_TAKES[building]), times, source, journal)
        gain(position, seat, building, times, journal)
    else:
        for part in range(2):
            good = int(moves.PARTS[move, part])
            if good != tiles.NOTHING:
                spend(position, seat, good, 1, source, journal)
                gain(position, seat, building, 1, journal)


@kernel
def swap(position: Position, seat: int, given: int, taken: int, journal: Journal | None) -> None:
    source = FROM_BUILDING + tiles.BLACK_MARKET
    spend(position, seat, given, 1, source, journal)
    take(position, seat, taken, 1, source, journal)


@kernel
def veto(position: Position, seat: int, group: int, journal: Journal | None) -> None:
    """The proposal leaves the game now; in the next round the same group is safe."""
    note(journal, VETOED, seat, 0, group, position.proposal[group])
    position.proposal[group] = NONE
    position.vetoed = group


@kernel
def fill_dam(position: Position, seat: int, journal: Journal | None) -> None:
    """Take water as far as the supply reaches."""
    times = min(arrays.USE_TIMES[tiles.DAM], position.supply[tiles.WATER])
    gain(position, seat, tiles.DAM, times, journal)
    if times < arrays.USE_TIMES[tiles.DAM]:
        note(journal, NOTHING_LEFT, seat, 0, tiles.WATER, -1)


@kernel
def deliver(position: Position, seat: int, building: int, move: int, journal: Journal | None) -> int:
    """Load through an office and return the berth."""
    berth, good = int(moves.PARTS[move, 0]), int(moves.PARTS[move, 1])
    units = 2 if moves.FAMILY[move] == moves.DISPATCH_TWO else 1
    load(position, seat, berth, good, units, FROM_BUILDING + building, journal)
    return berth


@kernel
def use(position: Position, seat: int, building: int, move: int, journal: Journal | None) -> int:
    """Use a building: the move says how. Return the berth it delivered to, or 0."""
    if building == tiles.WAREHOUSE:
        store_crops(position, seat, journal)
    elif building == tiles.SMALL_OFFICE or building == tiles.LARGE_OFFICE:
        return deliver(position, seat, building, move, journal)
    elif building == tiles.BLACK_MARKET:
        swap(position, seat, int(moves.PARTS[move, 0]), int(moves.PARTS[move, 1]), journal)
    elif building == tiles.CHURCH:
        veto(position, seat, int(moves.PARTS[move, 0]), journal)
    elif building == tiles.TOWN_HALL:
        position.town_hall = seat
    elif building == tiles.DAM:
        fill_dam(position, seat, journal)
    elif building == tiles.LIGHTHOUSE:
        call_ship(position, seat, int(moves.PARTS[move, 0]), journal)
    else:
        turn(position, seat, building, move, journal)
    return 0
