"""What the button for each move of Cuba says: for the one who may make it, who knows the own bid and envoy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from malecon.games.cuba import moves, names, tiles
from malecon.games.cuba.buildings import BUILDING_OF_USE
from malecon.games.cuba.laws import tax_due
from malecon.games.cuba.merchant import has_traded, purchase_price, sale_price
from malecon.games.cuba.position import (
    BID,
    BUILD,
    CARD,
    ENACT,
    ENVOY,
    FIGURE,
    HARVEST,
    IRRIGATE,
    PAY_DUTY,
    PAY_TAX,
    SECOND_BID,
    SHIP,
    SITE,
    START_CROPS,
    START_MATERIALS,
    TRADE,
    USE,
)
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.words.cuba.fields import cost_of, field_of, pair, within_reach
from malecon.words.lists import commas, listed


def describe_move(position: Position, code: int, seats: Sequence[Name]) -> Phrase:
    if code >= moves.FIRST_OF_CHANCE:
        return _chance(code, seats)
    return LABELS[int(position.phase)](position, code)


def _take(gain: Name) -> Phrase:
    return say("Take {gain}", gain=gain)


def _trade(given: Name, gain: Name) -> Phrase:
    return say("Trade {given} for {gain}", given=given, gain=gain)


def _sell(goods: Name, gain: Name) -> Phrase:
    return say("Sell {goods} for {gain}", goods=goods, gain=gain)


def _load(berth: int, good: int, units: int) -> Phrase:
    goods, gain = names.goods(good, units), names.points(units * berth)
    return say("Load {goods} {place} for {gain}", goods=goods, place=names.place(berth), gain=gain)


# --- setup and cards


def _start_materials(position: Position, code: int) -> Phrase:
    return _take(pair(tiles.WOOD, code - moves.START_MATERIALS))


def _start_crops(position: Position, code: int) -> Phrase:
    return _take(pair(tiles.SUGAR, code - moves.START_CROPS))


def _envoy(position: Position, code: int) -> Phrase:
    character = code - moves.ENVOY
    return say(
        "Keep {character} for parliament: {votes}",
        character=names.a_character(character), votes=names.votes(character + 1),
    )  # fmt: skip


def _card(position: Position, code: int) -> Phrase:
    return say("Play {character}", character=names.a_character(code - moves.CARD))


# --- the worker


def _figure(position: Position, code: int) -> Phrase:
    seat, field = int(position.active), code - moves.FIGURE
    goods = [names.goods(good, count) for good, count in within_reach(position, seat, field).items()]
    stays = position.figure[seat] == field
    if not goods:
        text = say("Stay on field {field}") if stays else say("Move to field {field}")
        return text.fill(field=field + 1)
    text = say("Move to field {field}: within reach {goods}")
    if stays:
        text = say("Stay on field {field}: within reach {goods}")
    return text.fill(field=field + 1, goods=commas(goods))


def _harvest(position: Position, code: int) -> Phrase:
    return say("Harvest {gain}", gain=names.goods(code - moves.HARVEST, 1))


def _irrigate(position: Position, code: int) -> Phrase:
    if code == moves.DONE:
        return say("Keep the water")
    gain, water = names.goods(code - moves.IRRIGATE, 1), names.goods(tiles.WATER, 1)
    return say("Harvest {gain} for {water}", gain=gain, water=water)


# --- the merchant, the architect, the mayor


def _market(position: Position, code: int) -> Phrase:
    if code == moves.DONE:
        return say("End the trading") if has_traded(position) else say("Trade nothing")
    if code >= moves.PICK_CROP:  # the crops, then the materials
        good = code - moves.PICK_CROP
        good += tiles.WOOD - tiles.RUM if good >= tiles.RUM else 0
        return say("Take {gain} for nothing", gain=names.goods(good, 1))
    if code >= moves.SELL:
        good = code - moves.SELL
        return _sell(names.goods(good, 1), names.pesos(int(sale_price(position, good))))
    good = code - moves.BUY
    cost = names.pesos(int(purchase_price(position, good)))
    return say("Buy {goods} for {cost}", goods=names.goods(good, 1), cost=cost)


def _build(position: Position, code: int) -> Phrase:
    if code == moves.FORGO:
        reward = int(tiles.ARCHITECT_POINTS[position.not_built])
        return say("Build nothing and take {gain}", gain=names.points(reward)) if reward else say("Build nothing")
    building = code - moves.BUILD
    return say("Build {building} for {cost}", building=names.a_building(building), cost=cost_of(position, building))


def _site(position: Position, code: int) -> Phrase:
    field = code - moves.SITE
    kind = field_of(position, int(position.active), field)
    return say("Build on field {field} ({kind})", field=field + 1, kind=kind)


def _ship(position: Position, code: int) -> Phrase:
    if code == moves.DONE:
        return say("End the loading")
    if code == moves.FORGO:
        reward = int(tiles.MAYOR_PESOS[position.not_shipped])
        return say("Deliver nothing and take {gain}", gain=names.pesos(reward)) if reward else say("Deliver nothing")
    berth, good = divmod(code - moves.SHIP, len(tiles.TRADE_GOODS))
    return _load(berth + 1, good, 1)


# --- the foreman


def _use(position: Position, code: int) -> Phrase:
    if code == moves.DONE:
        return say("Use no more buildings") if position.used else say("Use no building")
    building = int(BUILDING_OF_USE[code - moves.STORE])
    return say("{building}: {use}", building=names.building(building), use=_use_of(position, building, code))


#: The buildings that turn some of one good into points: the first code, the good and the points for each.
_MILLS = {
    tiles.CEMENT_WORKS: (moves.GRIND, tiles.STONE, tiles.MILLED_POINTS),
    tiles.SAWMILL: (moves.SAW, tiles.WOOD, tiles.MILLED_POINTS),
    tiles.GOLF_COURSE: (moves.SPRINKLE, tiles.WATER, tiles.MILLED_POINTS),
    tiles.RUM_CAFE: (moves.SERVE_RUM, tiles.RUM, tiles.SERVED_POINTS),
    tiles.CIGAR_CAFE: (moves.SERVE_CIGARS, tiles.CIGARS, tiles.SERVED_POINTS),
}
#: Those that turn some of one good into another: the first code and the goods.
_WORKSHOPS = {
    tiles.CIGAR_FACTORY: (moves.MAKE_CIGARS, tiles.TOBACCO, tiles.CIGARS),
    tiles.DISTILLERY: (moves.MAKE_RUM, tiles.SUGAR, tiles.RUM),
}
#: Those that simply give something.
_GIFTS = {
    tiles.HOTEL: names.points(tiles.HOTEL_POINTS),
    tiles.HOSTEL: names.points(tiles.HOSTEL_POINTS),
    tiles.SMALL_BANK: names.pesos(tiles.SMALL_BANK_PESOS),
    tiles.LARGE_BANK: names.pesos(tiles.LARGE_BANK_PESOS),
    tiles.TOWN_HALL: names.votes(tiles.TOWN_HALL_VOTES),
}


def _use_of(position: Position, building: int, code: int) -> Phrase:
    if building in _MILLS:
        first, good, points = _MILLS[building]
        count = code - first + 1
        return _trade(names.goods(good, count), names.points(count * points))
    if building in _WORKSHOPS:
        first, given, made = _WORKSHOPS[building]
        count = code - first + 1
        return _trade(names.goods(given, count), names.goods(made, count))
    if building in _GIFTS:
        return _take(_GIFTS[building])
    if building == tiles.MONASTERY:
        if code < moves.DONATE_TWO:
            return _trade(names.goods(code - moves.DONATE, 1), names.points(tiles.DONATED_POINTS))
        return _trade(pair(tiles.SUGAR, code - moves.DONATE_TWO), names.points(2 * tiles.DONATED_POINTS))
    if building == tiles.SMALL_OFFICE:
        berth, good = divmod(code - moves.CONSIGN, len(tiles.TRADE_GOODS))
        return _load(berth + 1, good, 1)
    if building == tiles.LARGE_OFFICE:
        units = 2 if code >= moves.DISPATCH_TWO else 1
        first = moves.DISPATCH_TWO if units == 2 else moves.DISPATCH
        berth, good = divmod(code - first, len(tiles.TRADE_GOODS))
        return _load(berth + 1, good, units)
    if building in (tiles.WARE_SHOP, tiles.CROP_SHOP, tiles.MATERIAL_SHOP):
        return _vend(building, code)
    if building == tiles.BLACK_MARKET:
        given, taken = divmod(code - moves.SWAP, len(tiles.TRADE_GOODS) - 1)
        return _trade(names.goods(given, 1), names.goods(taken + (taken >= given), 1))
    if building == tiles.CHURCH:
        return say("Veto “{law}”", law=_proposal(position, code - moves.VETO))
    if building == tiles.DAM:
        return _take(names.goods(tiles.WATER, min(tiles.DAM_WATER, int(position.supply[tiles.WATER]))))
    if building == tiles.LIGHTHOUSE:
        return say("Call the ship for {spaces}", spaces=names.spaces(code - moves.CALL))
    crops = [names.goods(crop, int(count)) for crop, count in enumerate(_yard(position)[: tiles.RUM]) if count]
    return say("Store {goods}", goods=listed(crops)) if crops else say("Store your crops")


def _vend(building: int, code: int) -> Phrase:
    if building == tiles.WARE_SHOP:
        return _sell(names.goods(tiles.RUM + code - moves.VEND_WARE, 1), names.pesos(tiles.WARE_SHOP_PESOS))
    if building == tiles.CROP_SHOP:
        return _sell(names.goods(code - moves.VEND_CROP, 1), names.pesos(tiles.CROP_SHOP_PESOS))
    if code < moves.VEND_TWO:
        material = names.goods(tiles.WOOD + code - moves.VEND_MATERIAL, 1)
        return _sell(material, names.pesos(tiles.MATERIAL_SHOP_PESOS))
    return _sell(pair(tiles.WOOD, code - moves.VEND_TWO), names.pesos(2 * tiles.MATERIAL_SHOP_PESOS))


def _yard(position: Position) -> list[int]:
    yard: list[int] = position.yard[position.active].tolist()
    return yard


def _proposal(position: Position, group: int) -> Phrase:
    """The law proposed; of a group whose proposal is gone, only the group."""
    card = int(position.proposal[group])
    return names.law(group, card) if card >= 0 else names.group(group)


# --- parliament and laws


def _bid(position: Position, code: int) -> Phrase:
    return say("Bid {pesos}", pesos=names.pesos(code - moves.BID)) if code > moves.BID else say("Bid nothing")


def _enact(position: Position, code: int) -> Phrase:
    first, second = (_proposal(position, group) for group in tiles.LAW_PAIRS[code - moves.ENACT])
    return say("Enact “{first}” and “{second}”", first=first, second=second)


def _tax(position: Position, code: int) -> Phrase:
    if code == moves.REFUSE_TAX:
        return say("Pay no tax")
    cost = names.pesos(int(tax_due(position, int(position.actor))))
    return say("Pay {cost} for {gain}", cost=cost, gain=names.points(tiles.TAX_POINTS))


def _duty(position: Position, code: int) -> Phrase:
    if code == moves.REFUSE_DUTY:
        return say("Pay no duty")
    both = tiles.BOTH_POINTS if position.tax_paid >> max(int(position.actor), 0) & 1 else 0
    gain = names.points(tiles.DUTY_POINTS + both)
    if code >= moves.PAY_CROPS:
        cost = pair(tiles.SUGAR, code - moves.PAY_CROPS)
    elif code >= moves.PAY_MATERIALS:
        cost = pair(tiles.WOOD, code - moves.PAY_MATERIALS)
    elif position.law[tiles.DUTY] < tiles.DUTY_MATERIALS:
        cost = names.goods(int(tiles.DUTY_GOOD[position.law[tiles.DUTY]]), 1)
    else:
        return say("Pay the duty")
    return say("Pay {cost} for {gain}", cost=cost, gain=gain)


LABELS: Mapping[int, Callable[[Position, int], Phrase]] = {
    START_MATERIALS: _start_materials,
    START_CROPS: _start_crops,
    ENVOY: _envoy,
    CARD: _card,
    FIGURE: _figure,
    HARVEST: _harvest,
    IRRIGATE: _irrigate,
    TRADE: _market,
    BUILD: _build,
    SITE: _site,
    USE: _use,
    SHIP: _ship,
    BID: _bid,
    SECOND_BID: _bid,
    ENACT: _enact,
    PAY_TAX: _tax,
    PAY_DUTY: _duty,
}


def _chance(code: int, seats: Sequence[Name]) -> Phrase:
    if code >= moves.PROPOSE:
        group, card = divmod(code - moves.PROPOSE, tiles.LAWS_EACH)
        return say("Propose “{law}”", law=names.law(group, card))
    if code >= moves.STARTER:
        seat = code - moves.STARTER
        return say("{who} starts the game", who=seats[seat])
    return say("Draw the ship for {spaces}", spaces=names.spaces(code - moves.DRAW))
