"""Why a move is illegal in Cuba: the rule that forbids it, as a phrase. Decides nothing itself."""

from __future__ import annotations

from malecon.games.cuba import moves, names, tiles
from malecon.games.cuba.architect import building_law_pesos
from malecon.games.cuba.buildings import BUILDING_OF_USE
from malecon.games.cuba.events import held
from malecon.games.cuba.foreman import function_of
from malecon.games.cuba.harbour import spaces_left
from malecon.games.cuba.merchant import has_traded, purchase_price
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
from malecon.kernel.verbs import CHANCE, Position

# The families of moves with their first code and the phases they belong to; ends where the next one begins.
FAMILIES: tuple[tuple[int, tuple[int, ...]], ...] = (
    (moves.START_MATERIALS, (START_MATERIALS,)),
    (moves.START_CROPS, (START_CROPS,)),
    (moves.ENVOY, (ENVOY,)),
    (moves.CARD, (CARD,)),
    (moves.FIGURE, (FIGURE,)),
    (moves.HARVEST, (HARVEST,)),
    (moves.IRRIGATE, (IRRIGATE,)),
    (moves.BUY, (TRADE,)),
    (moves.BUILD, (BUILD,)),
    (moves.SITE, (SITE,)),
    (moves.SHIP, (SHIP,)),
    (moves.FORGO, (BUILD, SHIP)),
    (moves.DONE, (IRRIGATE, TRADE, USE, SHIP)),
    (moves.STORE, (USE,)),
    (moves.BID, (BID, SECOND_BID)),
    (moves.ENACT, (ENACT,)),
    (moves.PAY_TAX, (PAY_TAX,)),
    (moves.PAY_DUTY, (PAY_DUTY,)),
    (moves.FIRST_OF_CHANCE, ()),
)

# What the game waits for, by phase.
WAITING = {
    START_MATERIALS: say("first two materials must be chosen to start with"),
    START_CROPS: say("first two crops must be chosen to start with"),
    ENVOY: say("first an envoy must be laid down"),
    CARD: say("first a character must be played"),
    FIGURE: say("first the figure must be placed"),
    HARVEST: say("first the crops must be chosen"),
    IRRIGATE: say("first more crops must be taken for water, or declined"),
    TRADE: say("first the merchant’s business must end"),
    BUILD: say("first a building must be chosen or forgone"),
    SITE: say("first the new building must be placed on a field"),
    USE: say("first the foreman’s work must end"),
    SHIP: say("first the mayor’s delivery must end or be forgone"),
    BID: say("first everybody must have bid"),
    SECOND_BID: say("first the players who are level must bid again"),
    ENACT: say("first two laws must be enacted"),
    PAY_TAX: say("first the tax must be paid or refused"),
    PAY_DUTY: say("first the duty must be paid or refused"),
}
CHANCE_FIRST = say("first the cards must come up")


def why_illegal(position: Position, code: int, seats: tuple[Name, ...]) -> Phrase:
    """The rule that forbids a move which is not in the list of legal ones."""
    phases = [phases for first, phases in FAMILIES if first <= code][-1]
    phase = int(position.phase)
    if phase not in phases:
        if code >= moves.FIRST_OF_CHANCE:
            if position.actor == CHANCE:
                return say("this card cannot come up now")
            return say("only chance makes this move")
        return WAITING.get(phase, CHANCE_FIRST)
    seat = int(position.actor)
    if phase == CARD:
        return _no_card(position, seat, code - moves.CARD)
    if phase in (HARVEST, IRRIGATE):
        return _no_harvest(position, code - (moves.HARVEST if phase == HARVEST else moves.IRRIGATE))
    if phase == TRADE:
        return _no_trade(position, seat, code)
    if phase == BUILD:
        return _no_building(position, seat, code - moves.BUILD)
    if phase == SITE:
        return _no_site(position, seat, code - moves.SITE)
    if phase == SHIP:
        return _no_shipment(position, seat, code)
    if phase == USE:
        return _not_usable(position, seat, code) or _no_use(position, seat, code)
    if phase == ENACT:
        one, other = tiles.LAW_PAIRS[code - moves.ENACT]
        vetoed = one if position.proposal[one] < 0 else other
        return say("the proposal of this group was vetoed: {group}", group=names.group(vetoed))
    if phase == PAY_DUTY:
        return _no_duty(position, seat, code)
    return say("you have only {have}", have=names.pesos(int(position.pesos[seat])))  # for a bid


# --- holdings and supply


def _has_none(good: int) -> Phrase:
    return say("you have no {good}", good=names.good(good))


def _has_only(position: Position, seat: int, good: int) -> Phrase:
    have = int(held(position, seat, good))
    return say("you have only {held}", held=names.goods(good, have)) if have else _has_none(good)


def _lacks_one_of(position: Position, seat: int, one: int, other: int) -> Phrase:
    """For two goods that are not both there."""
    return _has_only(position, seat, other if one != other and held(position, seat, one) else one)


def _supply_short(position: Position, good: int) -> Phrase:
    left = int(position.supply[good])
    if left:
        return say("the supply has only {left}", left=names.goods(good, left))
    return say("the supply has no {good}", good=names.good(good))


# --- the characters


def _no_card(position: Position, seat: int, character: int) -> Phrase:
    if position.played[seat] >> character & 1:
        return say("you have already played {character} this round", character=names.the_character(character))
    return say("{character} is your envoy this round", character=names.the_character(character))


def _no_harvest(position: Position, crop: int) -> Phrase:
    if position.ripe[crop] <= 0:
        return say("no unused field of {good} is in the figure’s row and column", good=names.good(crop))
    return _supply_short(position, crop)


def _no_trade(position: Position, seat: int, code: int) -> Phrase:
    if code < moves.SELL:
        return _no_purchase(position, seat, code - moves.BUY)
    if code < moves.PICK_CROP:
        good = code - moves.SELL
        if position.bought >> good & 1:
            return say("what was bought this turn cannot be sold this turn")
        return _has_none(good)
    if has_traded(position):
        return say("a free good is taken instead of trading, not as well")
    if code >= moves.PICK_MATERIAL:
        if position.material_picked:
            return say("the free material has been taken this round")
        return _supply_short(position, tiles.WOOD + code - moves.PICK_MATERIAL)
    crop = code - moves.PICK_CROP
    if position.crop_picked:
        return say("the free crop has been taken this round")
    if position.market[crop] < position.market[: tiles.RUM].max():
        return say("only a crop with the lowest price is free")
    return _supply_short(position, crop)


def _no_purchase(position: Position, seat: int, good: int) -> Phrase:
    if position.sold >> good & 1:
        return say("what was sold this turn cannot be bought this turn")
    price = int(purchase_price(position, good))
    if position.pesos[seat] < price:
        return _costs(position, seat, price)
    return _supply_short(position, good)


def _costs(position: Position, seat: int, cost: int) -> Phrase:
    return say(
        "you have {have}, this costs {cost}", have=names.pesos(int(position.pesos[seat])), cost=names.pesos(cost)
    )


def _no_building(position: Position, seat: int, building: int) -> Phrase:
    if not position.buildings_left[building]:
        return say("{building} has already been built", building=names.the_building(building))
    for material, cost in enumerate(tiles.BUILDING_COST[building].tolist(), tiles.WOOD):
        have = int(position.yard[seat, material])
        if have < cost:
            return say(
                "you have {have}, this costs {cost}", have=names.goods(material, have), cost=names.goods(material, cost)
            )
    return _costs(position, seat, int(building_law_pesos(position)))


def _no_site(position: Position, seat: int, field: int) -> Phrase:
    return say("{building} stands on this field", building=names.the_building(int(position.built[seat, field])))


def _no_shipment(position: Position, seat: int, code: int) -> Phrase:
    if code == moves.FORGO:
        return say("you have already loaded goods")
    if code == moves.DONE:
        return say("load goods, or forgo the delivery")
    berth, good = divmod(code - moves.SHIP, len(tiles.TRADE_GOODS))
    if position.berth not in (0, berth + 1):
        return say("the mayor loads only one ship, the one at berth {berth}", berth=int(position.berth))
    return _not_loadable(position, seat, berth + 1, good, 1)


def _not_loadable(position: Position, seat: int, berth: int, good: int, units: int) -> Phrase:
    ship = int(position.ship_at[berth])
    if ship < 0:
        return say("there is no ship at berth {berth}", berth=berth)
    if not tiles.SHIP_WANTS[ship, good]:
        return say("this ship takes no {good}", good=names.good(good))
    left = int(spaces_left(position, berth, good))
    if left < units:
        if left:
            return say("this ship has room only for {left}", left=names.goods(good, left))
        return say("this ship has no room left for {good}", good=names.good(good))
    return _has_only(position, seat, good)


# --- the foreman's buildings


def _not_usable(position: Position, seat: int, code: int) -> Phrase | None:
    """Why the building may not be used at all, if so."""
    building = int(BUILDING_OF_USE[code - moves.STORE])
    fields = [f for f in range(tiles.FIELDS) if function_of(int(position.built[seat, f])) == building]
    if not fields:
        return say("you do not have {building}", building=names.a_building(building))
    unused = [f for f in fields if not position.used >> f & 1]
    if not unused:
        return say("{building} has been used this round", building=names.the_building(building))
    if position.used and not any(tiles.CROSS[position.figure[seat]] >> f & 1 for f in unused):
        text = say("{building} is not in the figure’s row or column, so it can only be used alone")
        return text.fill(building=names.the_building(building))
    return None


def _no_use(position: Position, seat: int, code: int) -> Phrase:
    building = int(BUILDING_OF_USE[code - moves.STORE])
    if building == tiles.WAREHOUSE:
        return say("there are no crops in your yard")
    if building == tiles.MONASTERY:
        return _no_one_or_two(position, seat, code, moves.DONATE, moves.DONATE_TWO, tiles.SUGAR)
    if building == tiles.MATERIAL_SHOP:
        return _no_one_or_two(position, seat, code, moves.VEND_MATERIAL, moves.VEND_TWO, tiles.WOOD)
    if building in (tiles.SMALL_OFFICE, tiles.LARGE_OFFICE):
        two = code >= moves.DISPATCH_TWO
        first = moves.CONSIGN if code < moves.DISPATCH else moves.DISPATCH_TWO if two else moves.DISPATCH
        berth, good = divmod(code - first, len(tiles.TRADE_GOODS))
        return _not_loadable(position, seat, berth + 1, good, 2 if two else 1)
    if building == tiles.WARE_SHOP:
        return _has_none(tiles.RUM + code - moves.VEND_WARE)
    if building == tiles.CROP_SHOP:
        return _has_none(code - moves.VEND_CROP)
    if building == tiles.BLACK_MARKET:
        given, taken = divmod(code - moves.SWAP, 4)
        if not held(position, seat, given):
            return _has_none(given)
        return _supply_short(position, taken + (taken >= given))
    if building in (tiles.CIGAR_FACTORY, tiles.DISTILLERY):
        raw, ware = (tiles.TOBACCO, tiles.CIGARS) if building == tiles.CIGAR_FACTORY else (tiles.SUGAR, tiles.RUM)
        made = code - (moves.MAKE_CIGARS if building == tiles.CIGAR_FACTORY else moves.MAKE_RUM) + 1
        return _has_only(position, seat, raw) if made > held(position, seat, raw) else _supply_short(position, ware)
    if building == tiles.CHURCH:
        group = code - moves.VETO
        if position.proposal[group] < 0:
            return say("the proposal of this group was vetoed: {group}", group=names.group(group))
        return say("this group was vetoed in the round before: {group}", group=names.group(group))
    if building == tiles.DAM:
        return _supply_short(position, tiles.WATER)
    if building == tiles.LIGHTHOUSE:
        return say("this ship is not in the deck")
    return _has_only(position, seat, _SPENT_ALONE[building])


# The good of the buildings that turn up to so many units of one kind into points.
_SPENT_ALONE = {
    tiles.CEMENT_WORKS: tiles.STONE,
    tiles.SAWMILL: tiles.WOOD,
    tiles.GOLF_COURSE: tiles.WATER,
    tiles.RUM_CAFE: tiles.RUM,
    tiles.CIGAR_CAFE: tiles.CIGARS,
}


def _no_one_or_two(position: Position, seat: int, code: int, first: int, first_pair: int, first_good: int) -> Phrase:
    if code < first_pair:
        return _has_none(first_good + code - first)
    one, other = tiles.PAIRS[code - first_pair]
    return _lacks_one_of(position, seat, first_good + one, first_good + other)


# --- laws


def _no_duty(position: Position, seat: int, code: int) -> Phrase:
    law = int(position.law[tiles.DUTY])
    if code == moves.PAY_DUTY:
        return say("this duty is paid in two goods of your choice; name them")
    in_crops = code >= moves.PAY_CROPS
    if law != (tiles.DUTY_CROPS if in_crops else tiles.DUTY_MATERIALS):
        return say("the duty is another: {law}", law=names.law(tiles.DUTY, law))
    first_good = tiles.SUGAR if in_crops else tiles.WOOD
    one, other = tiles.PAIRS[code - (moves.PAY_CROPS if in_crops else moves.PAY_MATERIALS)]
    return _lacks_one_of(position, seat, first_good + one, first_good + other)
