"""The merchant of Cuba (p. 7): buying and selling on the market, or one good for nothing."""

from __future__ import annotations

from malecon.games.cuba import arrays, moves, tiles
from malecon.games.cuba.events import FROM_CHARACTER, change_market, give, held, receive, take
from malecon.games.cuba.position import NEXT_CARD, TRADE
from malecon.kernel.common.holdings import change_pesos
from malecon.kernel.common.listing import put
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal
from malecon.kernel.verbs import Moves, Position

SOURCE = FROM_CHARACTER + tiles.MERCHANT


@kernel(inline=True)
def purchase_price(position: Position, good: int) -> int:
    return tiles.DEAREST_PURCHASE - position.market[good]


@kernel(inline=True)
def sale_price(position: Position, good: int) -> int:
    return tiles.DEAREST_SALE - position.market[good]


@kernel
def can_buy(position: Position, seat: int, good: int) -> bool:
    """Return whether a good can be bought; not what was sold this turn: it never pays, and the turn must end."""
    if position.sold >> good & 1 or position.pesos[seat] < purchase_price(position, good):
        return False
    return position.market[good] > 0 or position.supply[good] > 0


@kernel(inline=True)
def can_sell(position: Position, seat: int, good: int) -> bool:
    return not position.bought >> good & 1 and held(position, seat, good) > 0


@kernel(inline=True)
def has_traded(position: Position) -> bool:
    return (position.bought | position.sold) != 0


@kernel
def is_cheapest_crop(position: Position, crop: int) -> bool:
    """Return whether no crop is cheaper: the more units stand on the market, the lower the price."""
    for other in range(len(tiles.CROPS)):
        if position.market[other] > position.market[crop]:
            return False
    return True


@kernel
def list_trades(position: Position, out: Moves | None) -> int:
    """List purchases and sales, and the free picks while nothing has been traded; `done` is not counted."""
    seat = int(position.active)
    count = 0
    for good in range(len(tiles.TRADE_GOODS)):
        if can_buy(position, seat, good):
            count = put(out, count, moves.BUY + good)
        if can_sell(position, seat, good):
            count = put(out, count, moves.SELL + good)
    if has_traded(position):
        return count
    if not position.material_picked:
        for material in range(len(tiles.MATERIALS)):
            if position.supply[tiles.WOOD + material] > 0:
                count = put(out, count, moves.PICK_MATERIAL + material)
    if not position.crop_picked:
        for crop in range(len(tiles.CROPS)):
            if position.supply[crop] > 0 and is_cheapest_crop(position, crop):
                count = put(out, count, moves.PICK_CROP + crop)
    return count


@kernel
def buy(position: Position, good: int, journal: Journal | None) -> None:
    """Buy from the cheapest occupied space; if the track is empty, from the supply."""
    seat = int(position.active)
    change_pesos(position, seat, -purchase_price(position, good), SOURCE, journal)
    if position.market[good] > 0:
        change_market(position, good, -1, journal)
        receive(position, seat, good, 1, SOURCE, journal)
    else:
        take(position, seat, good, 1, SOURCE, journal)
    position.bought |= 1 << good


@kernel
def sell(position: Position, good: int, journal: Journal | None) -> None:
    """Sell onto the dearest free space; if the track is full, to the supply."""
    seat = int(position.active)
    change_pesos(position, seat, sale_price(position, good), SOURCE, journal)
    give(position, seat, good, 1, SOURCE, journal)
    if position.market[good] < arrays.MARKET_SPACES[good]:
        change_market(position, good, 1, journal)
    else:
        position.supply[good] += 1
    position.sold |= 1 << good


@kernel
def trade(position: Position, move: int, journal: Journal | None) -> int:
    if move == moves.DONE:
        return NEXT_CARD
    family, good = moves.FAMILY[move], int(moves.PARTS[move, 0])
    if family == moves.BUY:
        buy(position, good, journal)
        return TRADE
    if family == moves.SELL:
        sell(position, good, journal)
        return TRADE
    if family == moves.PICK_CROP:
        position.crop_picked = True
    else:
        position.material_picked = True
    take(position, position.active, good, 1, SOURCE, journal)
    return NEXT_CARD
