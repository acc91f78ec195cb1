"""Why a move is illegal in Cuba: the rule that forbids it, as a phrase. Decides nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from malecon.games.cuba import arrays, moves, names, tiles
from malecon.games.cuba.events import held
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
from malecon.games.cuba.rules.architect import building_law_pesos
from malecon.games.cuba.rules.foreman import function_of
from malecon.games.cuba.rules.harbour import spaces_left
from malecon.games.cuba.rules.merchant import has_traded, purchase_price
from malecon.kernel.common.naming import none_held, short_supply, too_dear, too_few
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import CHANCE, Position

# The phases in which the moves of each family are made. Those of chance are missing: none of them is refused for more.
MADE_IN: Mapping[int, tuple[int, ...]] = {
    moves.START_MATERIALS: (START_MATERIALS,),
    moves.START_CROPS: (START_CROPS,),
    moves.ENVOY: (ENVOY,),
    moves.CARD: (CARD,),
    moves.FIGURE: (FIGURE,),
    moves.HARVEST: (HARVEST,),
    moves.IRRIGATE: (IRRIGATE,),
    moves.BUY: (TRADE,),
    moves.SELL: (TRADE,),
    moves.PICK_CROP: (TRADE,),
    moves.PICK_MATERIAL: (TRADE,),
    moves.BUILD: (BUILD,),
    moves.SITE: (SITE,),
    moves.SHIP: (SHIP,),
    moves.FORGO: (BUILD, SHIP),
    moves.DONE: (IRRIGATE, TRADE, USE, SHIP),
    **dict.fromkeys(moves.USES, (USE,)),
    moves.BID: (BID, SECOND_BID),
    moves.ENACT: (ENACT,),
    moves.PAY_TAX: (PAY_TAX,),
    moves.REFUSE_TAX: (PAY_TAX,),
    moves.PAY_DUTY: (PAY_DUTY,),
    moves.PAY_MATERIALS: (PAY_DUTY,),
    moves.PAY_CROPS: (PAY_DUTY,),
    moves.REFUSE_DUTY: (PAY_DUTY,),
}

# What the game waits for, by phase.
WAITING = {
    START_MATERIALS: say("choose your two starting materials first"),
    START_CROPS: say("choose your two starting crops first"),
    ENVOY: say("first choose your card for parliament"),
    CARD: say("play a character card first"),
    FIGURE: say("place your figure first"),
    HARVEST: say("choose the crops first"),
    IRRIGATE: say("first harvest more for water, or keep the water"),
    TRADE: say("finish the Merchant’s trading first"),
    BUILD: say("first choose a building, or decline to build"),
    SITE: say("first choose a field for the new building"),
    USE: say("finish with the Foreman first"),
    SHIP: say("first finish the Mayor’s delivery, or decline it"),
    BID: say("all the bids must be in first"),
    SECOND_BID: say("the tied players must bid again first"),
    ENACT: say("enact two laws first"),
    PAY_TAX: say("first pay the tax, or decline to"),
    PAY_DUTY: say("first pay the duty, or decline to"),
}
CHANCE_FIRST = say("the cards must be turned up first")


def why_illegal(position: Position, code: int, seats: tuple[Name, ...]) -> Phrase:
    """Return the rule that forbids a move which is not in the list of legal ones."""
    family, parts = moves.NOTATION.read(code)
    phase = int(position.phase)
    if family not in MADE_IN:
        if position.actor == CHANCE:
            return say("this card cannot come up here")
        return say("only chance can make this move")
    if phase not in MADE_IN[family]:
        return WAITING.get(phase, CHANCE_FIRST)
    seat = int(position.actor)
    if family in moves.USES:
        building = moves.USES[family]
        return _not_usable(position, seat, building) or _no_use(position, seat, building, family, parts)
    return REASONS[family](position, seat, *parts)


# --- holdings and supply


def _has_only(position: Position, seat: int, good: int) -> Phrase:
    return too_few(names, good, int(held(position, seat, good)))


def _lacks_one_of(position: Position, seat: int, first: int, second: int) -> Phrase:
    """Return which of two goods is missing."""
    return _has_only(position, seat, second if first != second and held(position, seat, first) else first)


def _supply_short(position: Position, good: int) -> Phrase:
    return short_supply(names, good, int(position.supply[good]))


# --- the characters


def _no_card(position: Position, seat: int, character: int) -> Phrase:
    if position.played[seat] >> character & 1:
        return say("you have already played {character} this round", character=names.the_character(character))
    return say("{character} is your card for parliament this round", character=names.the_character(character))


def _no_harvest(position: Position, seat: int, crop: int) -> Phrase:
    if position.ripe[crop] <= 0:
        return say("there is no unused {good} field in the figure’s row or column", good=names.good(crop))
    return _supply_short(position, crop)


def _no_sale(position: Position, seat: int, good: int) -> Phrase:
    if position.bought >> good & 1:
        return say("you cannot sell a kind that you bought this turn (our ruling)")
    return none_held(names, good)


def _no_free_material(position: Position, seat: int, material: int) -> Phrase:
    if has_traded(position):
        return say("you take a free good instead of trading, not in addition")
    if position.material_picked:
        return say("the free material has already been taken this round")
    return _supply_short(position, material)


def _no_free_crop(position: Position, seat: int, crop: int) -> Phrase:
    if has_traded(position):
        return say("you take a free good instead of trading, not in addition")
    if position.crop_picked:
        return say("the free crop has already been taken this round")
    if position.market[crop] < position.market[: len(tiles.CROPS)].max():
        return say("only a crop with the lowest price is free")
    return _supply_short(position, crop)


def _no_purchase(position: Position, seat: int, good: int) -> Phrase:
    if position.sold >> good & 1:
        return say("you cannot buy a kind that you sold this turn (our ruling)")
    price = int(purchase_price(position, good))
    if position.pesos[seat] < price:
        return too_dear(int(position.pesos[seat]), price)
    return _supply_short(position, good)


def _no_building(position: Position, seat: int, building: int) -> Phrase:
    if not position.buildings_left[building]:
        return say("{building} is no longer in the supply", building=names.the_building(building))
    for material, cost in enumerate(arrays.BUILDING_COST[building].tolist(), tiles.WOOD):
        have = int(position.yard[seat, material])
        if have < cost:
            return say(
                "you have {have}; this costs {cost}", have=names.goods(material, have), cost=names.goods(material, cost)
            )
    return too_dear(int(position.pesos[seat]), int(building_law_pesos(position)))


def _no_site(position: Position, seat: int, field: int) -> Phrase:
    return say("{building} stands on this field", building=names.the_building(int(position.built[seat, field])))


def _not_forgone(position: Position, seat: int) -> Phrase:
    return say("you have already loaded something")


def _not_done(position: Position, seat: int) -> Phrase:
    return say("load something, or decline the delivery")


def _no_shipment(position: Position, seat: int, berth: int, good: int) -> Phrase:
    if position.berth not in (0, berth):
        return say("the Mayor loads only one ship, the one at berth {berth}", berth=int(position.berth))
    return _not_loadable(position, seat, berth, good, 1)


def _not_loadable(position: Position, seat: int, berth: int, good: int, units: int) -> Phrase:
    ship = int(position.ship_at[berth])
    if ship < 0:
        return say("there is no ship at berth {berth}", berth=berth)
    if not arrays.SHIP_WANTS[ship, good]:
        return say("this ship does not take {good}", good=names.good(good))
    left = int(spaces_left(position, berth, good))
    if left < units:
        if left:
            return say("this ship has room only for {left}", left=names.goods(good, left))
        return say("this ship has no room left for {good}", good=names.good(good))
    return _has_only(position, seat, good)


# --- the foreman's buildings


def _not_usable(position: Position, seat: int, building: int) -> Phrase | None:
    """Return why the building may not be used at all, if so."""
    fields = [f for f in range(tiles.FIELDS) if function_of(int(position.built[seat, f])) == building]
    if not fields:
        return say("you do not have {building}", building=names.a_building(building))
    unused = [f for f in fields if not position.used >> f & 1]
    if not unused:
        return say("{building} has already been used this round", building=names.the_building(building))
    if position.used and not any(arrays.CROSS[position.figure[seat]] >> f & 1 for f in unused):
        text = say("{building} is not in the figure’s row or column, so you can use it only on its own")
        return text.fill(building=names.the_building(building))
    return None


def _no_use(position: Position, seat: int, building: int, family: int, parts: tuple[int, ...]) -> Phrase:
    match family, parts:
        case moves.STORE, _:
            return say("there are no crops in your yard")
        case ((moves.CONSIGN | moves.DISPATCH), (berth, good)):
            return _not_loadable(position, seat, berth, good, 1)
        case moves.DISPATCH_TWO, (berth, good):
            return _not_loadable(position, seat, berth, good, 2)
        case moves.SWAP, (given, taken):
            return _supply_short(position, taken) if held(position, seat, given) else none_held(names, given)
        case moves.VETO, (group,):
            if position.proposal[group] < 0:
                return say("this group’s proposal has been vetoed: {group}", group=names.group(group))
            return say("you vetoed this group in the previous round: {group}", group=names.group(group))
        case moves.USE_DAM, _:
            return _supply_short(position, tiles.WATER)
        case moves.CALL, _:
            return say("this ship is not in the deck")
    return _not_enough(position, seat, building, parts)


def _not_enough(position: Position, seat: int, building: int, parts: tuple[int, ...]) -> Phrase:
    """Return which good is missing for a building that turns goods into something, or that nothing is left to give."""
    record = tiles.BUILDINGS[building]
    if len(record.takes) == 1:
        (times,), good = parts, tiles.GOOD_KEYS.index(record.takes[0])
        if times > held(position, seat, good):
            return _has_only(position, seat, good)
        return _supply_short(position, tiles.GOOD_KEYS.index(record.good))
    return none_held(names, *parts) if len(parts) == 1 else _lacks_one_of(position, seat, *parts)


# --- parliament and laws


def _no_bid(position: Position, seat: int, pesos: int) -> Phrase:
    return say("you have only {have}", have=names.pesos(int(position.pesos[seat])))


def _not_enacted(position: Position, seat: int, first: int, second: int) -> Phrase:
    vetoed = first if position.proposal[first] < 0 else second
    return say("this group’s proposal has been vetoed: {group}", group=names.group(vetoed))


def _no_single_duty(position: Position, seat: int) -> Phrase:
    return say("you choose the two goods for this duty; name them")


def _no_duty(position: Position, seat: int, first: int, second: int) -> Phrase:
    law = int(position.law[tiles.DUTY])
    if law != (tiles.DUTY_CROPS if first < len(tiles.CROPS) else tiles.DUTY_MATERIALS):
        return say("a different duty is in force: {law}", law=names.law(tiles.DUTY, law))
    return _lacks_one_of(position, seat, first, second)


#: By family, for the phases it belongs to. Missing are moves that are always legal then.
REASONS: Mapping[int, Callable[..., Phrase]] = {
    moves.CARD: _no_card,
    moves.HARVEST: _no_harvest,
    moves.IRRIGATE: _no_harvest,
    moves.BUY: _no_purchase,
    moves.SELL: _no_sale,
    moves.PICK_CROP: _no_free_crop,
    moves.PICK_MATERIAL: _no_free_material,
    moves.BUILD: _no_building,
    moves.SITE: _no_site,
    moves.SHIP: _no_shipment,
    moves.FORGO: _not_forgone,
    moves.DONE: _not_done,
    moves.BID: _no_bid,
    moves.ENACT: _not_enacted,
    moves.PAY_DUTY: _no_single_duty,
    moves.PAY_MATERIALS: _no_duty,
    moves.PAY_CROPS: _no_duty,
}
