"""The twelve buildings of Santiago de Cuba (pp. 6 and 7): which uses are open to a player, and what each does."""

from __future__ import annotations

from malecon.games.santiago import arrays, moves, tiles
from malecon.games.santiago.events import FACE_DOWN, FLAG, FROM_BUILDING, take_goods
from malecon.games.santiago.rules.ships import lower_demand, move_flag_right
from malecon.kernel.common.holdings import change_pesos, change_points
from malecon.kernel.common.listing import put
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Moves, Position


@kernel(inline=True)
def list_swaps(position: Position, seat: int, out: Moves | None, count: int) -> int:
    for given in range(len(tiles.DEMANDED)):
        if position.goods[seat, given] > 0:
            first = moves.SWAP + (len(tiles.DEMANDED) - 1) * given
            for taken in range(len(tiles.DEMANDED)):
                if taken != given and position.supply[taken] > 0:
                    # a code for each good but the one given, in their order
                    count = put(out, count, first + taken - (taken > given))
    return count


@kernel(inline=True)
def list_servings(position: Position, seat: int, out: Moves | None, count: int) -> int:
    has_rum = position.goods[seat, tiles.RUM] > 0
    has_cigars = position.goods[seat, tiles.CIGARS] > 0
    if has_rum:
        count = put(out, count, moves.SERVE_RUM)
    if has_cigars:
        count = put(out, count, moves.SERVE_CIGARS)
    if has_rum and has_cigars:
        count = put(out, count, moves.SERVE_BOTH)
    return count


@kernel(inline=True)
def list_exchanges(position: Position, seat: int, out: Moves | None, count: int) -> int:
    for n in range(min(position.pesos[seat] // int(arrays.USE_PESOS[tiles.CASINO]), tiles.MOST_AT_CASINO)):
        count = put(out, count, moves.BUY_POINTS + n)
    for n in range(min(position.points[seat], tiles.MOST_AT_CASINO)):
        count = put(out, count, moves.SELL_POINTS + n)
    return count


@kernel
def list_uses(position: Position, seat: int, building: int, out: Moves | None, count: int) -> int:
    """Write the uses of a building that would do something behind the first `count` moves; return the new count."""
    if building == tiles.BANK:
        count = put(out, count, moves.USE_BANK)
    elif building == tiles.CHURCH:
        count = put(out, count, moves.USE_CHURCH)
    elif building == tiles.DISTILLERY:
        for n in range(min(position.goods[seat, tiles.SUGAR], position.supply[tiles.RUM])):
            count = put(out, count, moves.MAKE_RUM + n)
    elif building == tiles.FACTORY:
        for n in range(min(position.goods[seat, tiles.TOBACCO], position.supply[tiles.CIGARS])):
            count = put(out, count, moves.MAKE_CIGARS + n)
    elif building == tiles.MARKET:
        count = list_swaps(position, seat, out, count)
    elif building == tiles.SAWMILL:
        if position.goods[seat, tiles.WOOD] > 0:
            count = put(out, count, moves.USE_SAWMILL)
    elif building == tiles.CAFE:
        count = list_servings(position, seat, out, count)
    elif building == tiles.CUSTOMS:
        for good in range(len(tiles.DEMANDED)):
            if position.demand[good] > 0:
                count = put(out, count, moves.CLEAR + good)
    elif building == tiles.CASINO:
        count = list_exchanges(position, seat, out, count)
    elif building == tiles.HARBORMASTER:
        count = put(out, count, moves.FLAG_RIGHT)
        if position.value > tiles.LOWEST_VALUE:
            count = put(out, count, moves.FLAG_LEFT)
    elif building == tiles.OFFICE:
        for good in range(len(tiles.DEMANDED)):
            if position.demand[good] > 0 and position.goods[seat, good] > 0:
                count = put(out, count, moves.CONSIGN + good)
    elif building == tiles.NEWSPAPER:
        count = put(out, count, moves.PRINT)
        for cuban in range(len(tiles.CUBAN_KEYS)):
            if not position.face_down >> cuban & 1:
                count = put(out, count, moves.PRINT_ABOUT + cuban)
    return count


@kernel(inline=True)
def can_use(position: Position, seat: int, building: int) -> bool:
    return list_uses(position, seat, building, None, 0) > 0


@kernel
def serve(position: Position, seat: int, good: int, journal: Journal | None) -> None:
    take_goods(position, seat, good, -1, FROM_BUILDING + tiles.CAFE, journal)
    change_points(position, seat, int(arrays.USE_POINTS[tiles.CAFE]), FROM_BUILDING + tiles.CAFE, journal)


@kernel
def exchange(position: Position, seat: int, bought: int, journal: Journal | None) -> None:
    """Exchange at the casino: points for pesos, or pesos for points if `bought` is negative."""
    change_pesos(position, seat, -bought * int(arrays.USE_PESOS[tiles.CASINO]), FROM_BUILDING + tiles.CASINO, journal)
    change_points(position, seat, bought, FROM_BUILDING + tiles.CASINO, journal)


@kernel
def trade_in(
    position: Position, seat: int, raw: int, ware: int, count: int, source: int, journal: Journal | None
) -> None:
    take_goods(position, seat, raw, -count, source, journal)
    take_goods(position, seat, ware, count, source, journal)


@kernel
def use(position: Position, move: int, journal: Journal | None) -> None:
    """Use a building: the move itself says which and how."""
    seat = int(position.active)
    family, part = moves.FAMILY[move], int(moves.PARTS[move, 0])
    if family == moves.USE_BANK:
        change_pesos(position, seat, int(arrays.USE_PESOS[tiles.BANK]), FROM_BUILDING + tiles.BANK, journal)
    elif family == moves.USE_CHURCH:
        change_points(position, seat, int(arrays.USE_POINTS[tiles.CHURCH]), FROM_BUILDING + tiles.CHURCH, journal)
    elif family == moves.USE_SAWMILL:
        take_goods(position, seat, tiles.WOOD, -1, FROM_BUILDING + tiles.SAWMILL, journal)
        change_points(position, seat, int(arrays.USE_POINTS[tiles.SAWMILL]), FROM_BUILDING + tiles.SAWMILL, journal)
        change_pesos(position, seat, int(arrays.USE_PESOS[tiles.SAWMILL]), FROM_BUILDING + tiles.SAWMILL, journal)
    elif family == moves.MAKE_RUM:
        trade_in(position, seat, tiles.SUGAR, tiles.RUM, part, FROM_BUILDING + tiles.DISTILLERY, journal)
    elif family == moves.MAKE_CIGARS:
        trade_in(position, seat, tiles.TOBACCO, tiles.CIGARS, part, FROM_BUILDING + tiles.FACTORY, journal)
    elif family == moves.SWAP:
        trade_in(position, seat, part, int(moves.PARTS[move, 1]), 1, FROM_BUILDING + tiles.MARKET, journal)
    elif family == moves.SERVE_RUM or family == moves.SERVE_CIGARS or family == moves.SERVE_BOTH:
        if family != moves.SERVE_CIGARS:
            serve(position, seat, tiles.RUM, journal)
        if family != moves.SERVE_RUM:
            serve(position, seat, tiles.CIGARS, journal)
    elif family == moves.CLEAR:
        lower_demand(position, part, int(position.demand[part]), journal)
    elif family == moves.BUY_POINTS:
        exchange(position, seat, part, journal)
    elif family == moves.SELL_POINTS:
        exchange(position, seat, -part, journal)
    elif family == moves.FLAG_RIGHT:
        move_flag_right(position, journal)
    elif family == moves.FLAG_LEFT:
        position.value -= 1
        note(journal, FLAG, seat, int(position.value), -1, -1)
    elif family == moves.CONSIGN:
        take_goods(position, seat, part, -1, FROM_BUILDING + tiles.OFFICE, journal)
        change_points(position, seat, int(arrays.USE_POINTS[tiles.OFFICE]), FROM_BUILDING + tiles.OFFICE, journal)
        lower_demand(position, part, 1, journal)
    else:
        change_pesos(position, seat, int(arrays.USE_PESOS[tiles.NEWSPAPER]), FROM_BUILDING + tiles.NEWSPAPER, journal)
        if family == moves.PRINT_ABOUT:
            position.face_down |= 1 << part
            note(journal, FACE_DOWN, seat, 0, part, -1)
