"""The buildings of Cuba (pp. 13 to 15): which uses are open to a player, and what each does.

Whether a building may be used at all is the foreman's business.
"""

from __future__ import annotations

import numpy as np

from malecon.games.cuba import moves, tiles
from malecon.games.cuba.events import (
    FROM_BUILDING,
    NOTHING_LEFT,
    STORED,
    VETOED,
    change_pesos,
    change_points,
    held,
    spend,
    take,
)
from malecon.games.cuba.harbour import call_ship, deck, load, most_loadable
from malecon.games.cuba.position import NONE
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.listing import put
from malecon.kernel.verbs import Moves, Position

# The building each family of uses belongs to, by the family's first code.
FAMILIES = {
    moves.STORE: tiles.WAREHOUSE,
    moves.GRIND: tiles.CEMENT_WORKS,
    moves.SAW: tiles.SAWMILL,
    moves.SPRINKLE: tiles.GOLF_COURSE,
    moves.DONATE: tiles.MONASTERY,
    moves.SERVE_RUM: tiles.RUM_CAFE,
    moves.SERVE_CIGARS: tiles.CIGAR_CAFE,
    moves.CONSIGN: tiles.SMALL_OFFICE,
    moves.DISPATCH: tiles.LARGE_OFFICE,
    moves.USE_HOTEL: tiles.HOTEL,
    moves.USE_HOSTEL: tiles.HOSTEL,
    moves.VEND_WARE: tiles.WARE_SHOP,
    moves.VEND_CROP: tiles.CROP_SHOP,
    moves.VEND_MATERIAL: tiles.MATERIAL_SHOP,
    moves.USE_SMALL_BANK: tiles.SMALL_BANK,
    moves.USE_LARGE_BANK: tiles.LARGE_BANK,
    moves.SWAP: tiles.BLACK_MARKET,
    moves.MAKE_CIGARS: tiles.CIGAR_FACTORY,
    moves.MAKE_RUM: tiles.DISTILLERY,
    moves.VETO: tiles.CHURCH,
    moves.USE_TOWN_HALL: tiles.TOWN_HALL,
    moves.USE_DAM: tiles.DAM,
    moves.CALL: tiles.LIGHTHOUSE,
}
#: The building of each use, by its code counted from the first use.
BUILDING_OF_USE = np.array(
    [FAMILIES[max(first for first in FAMILIES if first <= code)] for code in range(moves.STORE, moves.END_OF_USES)],
    np.int8,
)


# --- which uses there are


@kernel(inline=True)
def list_numbers(most: int, first: int, out: Moves | None, count: int) -> int:
    """1 to `most` units of something."""
    for units in range(most):
        count = put(out, count, first + units)
    return count


@kernel
def has_pair(position: Position, seat: int, pair: int, first_good: int) -> bool:
    one, other = first_good + tiles.PAIR_FIRST[pair], first_good + tiles.PAIR_SECOND[pair]
    if one == other:
        return held(position, seat, one) > 1
    return held(position, seat, one) > 0 and held(position, seat, other) > 0


@kernel
def list_one_or_two(
    position: Position, seat: int, first_good: int, first: int, first_pair: int, out: Moves | None, count: int
) -> int:
    """One or two of three kinds."""
    for kind in range(3):
        if held(position, seat, first_good + kind) > 0:
            count = put(out, count, first + kind)
    for pair in range(len(tiles.PAIRS)):
        if has_pair(position, seat, pair, first_good):
            count = put(out, count, first_pair + pair)
    return count


@kernel
def list_loads(position: Position, seat: int, units: int, first: int, out: Moves | None, count: int) -> int:
    """So many units of one kind onto one ship."""
    for berth in range(1, tiles.BERTHS + 1):
        for good in range(len(tiles.TRADE_GOODS)):
            if most_loadable(position, seat, berth, good) >= units:
                count = put(out, count, first + (berth - 1) * len(tiles.TRADE_GOODS) + good)
    return count


@kernel
def list_swaps(position: Position, seat: int, out: Moves | None, count: int) -> int:
    for given in range(len(tiles.TRADE_GOODS)):
        if held(position, seat, given) > 0:
            for taken in range(len(tiles.TRADE_GOODS)):
                if taken != given and position.supply[taken] > 0:
                    # four codes for each good given: the others in their order
                    count = put(out, count, moves.SWAP + 4 * given + taken - (taken > given))
    return count


@kernel
def list_uses(position: Position, seat: int, building: int, out: Moves | None, count: int) -> int:
    """Write the uses of a building that would do something behind the first `count` moves; the new count."""
    yard = position.yard[seat]
    if building == tiles.WAREHOUSE:
        if yard[tiles.SUGAR] > 0 or yard[tiles.CITRUS] > 0 or yard[tiles.TOBACCO] > 0:
            count = put(out, count, moves.STORE)
    elif building == tiles.CEMENT_WORKS:
        count = list_numbers(min(tiles.MILLED_AT_MOST, yard[tiles.STONE]), moves.GRIND, out, count)
    elif building == tiles.SAWMILL:
        count = list_numbers(min(tiles.MILLED_AT_MOST, yard[tiles.WOOD]), moves.SAW, out, count)
    elif building == tiles.GOLF_COURSE:
        count = list_numbers(min(tiles.MILLED_AT_MOST, yard[tiles.WATER]), moves.SPRINKLE, out, count)
    elif building == tiles.MONASTERY:
        count = list_one_or_two(position, seat, tiles.SUGAR, moves.DONATE, moves.DONATE_TWO, out, count)
    elif building == tiles.RUM_CAFE:
        count = list_numbers(min(tiles.SERVED_AT_MOST, yard[tiles.RUM]), moves.SERVE_RUM, out, count)
    elif building == tiles.CIGAR_CAFE:
        count = list_numbers(min(tiles.SERVED_AT_MOST, yard[tiles.CIGARS]), moves.SERVE_CIGARS, out, count)
    elif building == tiles.SMALL_OFFICE:
        count = list_loads(position, seat, 1, moves.CONSIGN, out, count)
    elif building == tiles.LARGE_OFFICE:
        count = list_loads(position, seat, 1, moves.DISPATCH, out, count)
        count = list_loads(position, seat, 2, moves.DISPATCH_TWO, out, count)
    elif building == tiles.HOTEL:
        count = put(out, count, moves.USE_HOTEL)
    elif building == tiles.HOSTEL:
        count = put(out, count, moves.USE_HOSTEL)
    elif building == tiles.WARE_SHOP:
        for ware in range(len(tiles.WARES)):
            if yard[tiles.RUM + ware] > 0:
                count = put(out, count, moves.VEND_WARE + ware)
    elif building == tiles.CROP_SHOP:
        for crop in range(tiles.RUM):
            if held(position, seat, crop) > 0:
                count = put(out, count, moves.VEND_CROP + crop)
    elif building == tiles.MATERIAL_SHOP:
        count = list_one_or_two(position, seat, tiles.WOOD, moves.VEND_MATERIAL, moves.VEND_TWO, out, count)
    elif building == tiles.SMALL_BANK:
        count = put(out, count, moves.USE_SMALL_BANK)
    elif building == tiles.LARGE_BANK:
        count = put(out, count, moves.USE_LARGE_BANK)
    elif building == tiles.BLACK_MARKET:
        count = list_swaps(position, seat, out, count)
    elif building == tiles.CIGAR_FACTORY:
        most = min(held(position, seat, tiles.TOBACCO), position.supply[tiles.CIGARS])
        count = list_numbers(most, moves.MAKE_CIGARS, out, count)
    elif building == tiles.DISTILLERY:
        most = min(held(position, seat, tiles.SUGAR), position.supply[tiles.RUM])
        count = list_numbers(most, moves.MAKE_RUM, out, count)
    elif building == tiles.CHURCH:
        for group in range(len(tiles.GROUPS)):
            if position.proposal[group] >= 0 and position.vetoed_before != group:
                count = put(out, count, moves.VETO + group)
    elif building == tiles.TOWN_HALL:
        count = put(out, count, moves.USE_TOWN_HALL)
    elif building == tiles.DAM:
        if position.supply[tiles.WATER] > 0:
            count = put(out, count, moves.USE_DAM)
    elif building == tiles.LIGHTHOUSE:
        cards = deck(position)
        for ship in range(tiles.SHIPS):
            if cards >> ship & 1:
                count = put(out, count, moves.CALL + ship)
    return count


# --- what they do


@kernel
def store_crops(position: Position, seat: int, journal: Journal | None) -> None:
    for crop in range(tiles.RUM):
        crops = position.yard[seat, crop]
        if crops > 0:
            position.yard[seat, crop] = 0
            position.stored[seat, crop] += crops
            note(journal, STORED, seat, crops, crop, -1)


@kernel
def turn_into_points(
    position: Position, seat: int, good: int, count: int, points: int, source: int, journal: Journal | None
) -> None:
    spend(position, seat, good, count, source, journal)
    change_points(position, seat, count * points, source, journal)


@kernel
def turn_into_pesos(position: Position, seat: int, good: int, pesos: int, source: int, journal: Journal | None) -> None:
    spend(position, seat, good, 1, source, journal)
    change_pesos(position, seat, pesos, source, journal)


@kernel
def exchange(
    position: Position, seat: int, given: int, taken: int, count: int, source: int, journal: Journal | None
) -> None:
    spend(position, seat, given, count, source, journal)
    take(position, seat, taken, count, source, journal)


@kernel
def donate(position: Position, seat: int, move: int, source: int, journal: Journal | None) -> None:
    if move < moves.DONATE_TWO:
        turn_into_points(position, seat, move - moves.DONATE, 1, tiles.DONATED_POINTS, source, journal)
    else:
        pair = move - moves.DONATE_TWO
        turn_into_points(position, seat, tiles.PAIR_FIRST[pair], 1, tiles.DONATED_POINTS, source, journal)
        turn_into_points(position, seat, tiles.PAIR_SECOND[pair], 1, tiles.DONATED_POINTS, source, journal)


@kernel
def vend_materials(position: Position, seat: int, move: int, source: int, journal: Journal | None) -> None:
    pesos = tiles.MATERIAL_SHOP_PESOS
    if move < moves.VEND_TWO:
        turn_into_pesos(position, seat, tiles.WOOD + move - moves.VEND_MATERIAL, pesos, source, journal)
    else:
        pair = move - moves.VEND_TWO
        turn_into_pesos(position, seat, tiles.WOOD + tiles.PAIR_FIRST[pair], pesos, source, journal)
        turn_into_pesos(position, seat, tiles.WOOD + tiles.PAIR_SECOND[pair], pesos, source, journal)


@kernel
def veto(position: Position, seat: int, group: int, journal: Journal | None) -> None:
    """The proposal leaves the game now; in the next round the same group is safe."""
    note(journal, VETOED, seat, 0, group, position.proposal[group])
    position.proposal[group] = NONE
    position.vetoed = group


@kernel
def fill_dam(position: Position, seat: int, source: int, journal: Journal | None) -> None:
    count = min(tiles.DAM_WATER, position.supply[tiles.WATER])
    take(position, seat, tiles.WATER, count, source, journal)
    if count < tiles.DAM_WATER:
        note(journal, NOTHING_LEFT, seat, 0, tiles.WATER, -1)


@kernel
def deliver(position: Position, seat: int, choice: int, units: int, source: int, journal: Journal | None) -> int:
    """Through an office; the berth is returned."""
    berth = 1 + choice // len(tiles.TRADE_GOODS)
    load(position, seat, berth, choice % len(tiles.TRADE_GOODS), units, source, journal)
    return berth


@kernel
def use(position: Position, seat: int, building: int, move: int, journal: Journal | None) -> int:
    """Use a building: the move says how. The answer is the berth it delivered to, or 0."""
    source = FROM_BUILDING + building
    if building == tiles.WAREHOUSE:
        store_crops(position, seat, journal)
    elif building == tiles.CEMENT_WORKS:
        count = move - moves.GRIND + 1
        turn_into_points(position, seat, tiles.STONE, count, tiles.MILLED_POINTS, source, journal)
    elif building == tiles.SAWMILL:
        count = move - moves.SAW + 1
        turn_into_points(position, seat, tiles.WOOD, count, tiles.MILLED_POINTS, source, journal)
    elif building == tiles.GOLF_COURSE:
        count = move - moves.SPRINKLE + 1
        turn_into_points(position, seat, tiles.WATER, count, tiles.MILLED_POINTS, source, journal)
    elif building == tiles.MONASTERY:
        donate(position, seat, move, source, journal)
    elif building == tiles.RUM_CAFE:
        count = move - moves.SERVE_RUM + 1
        turn_into_points(position, seat, tiles.RUM, count, tiles.SERVED_POINTS, source, journal)
    elif building == tiles.CIGAR_CAFE:
        count = move - moves.SERVE_CIGARS + 1
        turn_into_points(position, seat, tiles.CIGARS, count, tiles.SERVED_POINTS, source, journal)
    elif building == tiles.SMALL_OFFICE:
        return deliver(position, seat, move - moves.CONSIGN, 1, source, journal)
    elif building == tiles.LARGE_OFFICE:
        if move < moves.DISPATCH_TWO:
            return deliver(position, seat, move - moves.DISPATCH, 1, source, journal)
        return deliver(position, seat, move - moves.DISPATCH_TWO, 2, source, journal)
    elif building == tiles.HOTEL:
        change_points(position, seat, tiles.HOTEL_POINTS, source, journal)
    elif building == tiles.HOSTEL:
        change_points(position, seat, tiles.HOSTEL_POINTS, source, journal)
    elif building == tiles.WARE_SHOP:
        ware = tiles.RUM + move - moves.VEND_WARE
        turn_into_pesos(position, seat, ware, tiles.WARE_SHOP_PESOS, source, journal)
    elif building == tiles.CROP_SHOP:
        crop = move - moves.VEND_CROP
        turn_into_pesos(position, seat, crop, tiles.CROP_SHOP_PESOS, source, journal)
    elif building == tiles.MATERIAL_SHOP:
        vend_materials(position, seat, move, source, journal)
    elif building == tiles.SMALL_BANK:
        change_pesos(position, seat, tiles.SMALL_BANK_PESOS, source, journal)
    elif building == tiles.LARGE_BANK:
        change_pesos(position, seat, tiles.LARGE_BANK_PESOS, source, journal)
    elif building == tiles.BLACK_MARKET:
        given = (move - moves.SWAP) // 4
        taken = (move - moves.SWAP) % 4
        exchange(position, seat, given, taken + (taken >= given), 1, source, journal)
    elif building == tiles.CIGAR_FACTORY:
        count = move - moves.MAKE_CIGARS + 1
        exchange(position, seat, tiles.TOBACCO, tiles.CIGARS, count, source, journal)
    elif building == tiles.DISTILLERY:
        count = move - moves.MAKE_RUM + 1
        exchange(position, seat, tiles.SUGAR, tiles.RUM, count, source, journal)
    elif building == tiles.CHURCH:
        veto(position, seat, move - moves.VETO, journal)
    elif building == tiles.TOWN_HALL:
        position.town_hall = seat
    elif building == tiles.DAM:
        fill_dam(position, seat, source, journal)
    elif building == tiles.LIGHTHOUSE:
        call_ship(position, seat, move - moves.CALL, journal)
    return 0
