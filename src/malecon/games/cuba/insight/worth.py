"""A readable guess at what a position of Cuba is worth to a seat, in points, for the greedy bot.

Reads only what that seat may know. A holding has the value it keeps if nothing more is done with it this round; on top
come what the cards still to be played could make of it, what parliament and the laws promise, and what the plantation
will yield in the rounds to come. Weights are guesses a player might make.
"""

from __future__ import annotations

from malecon.games.cuba import arrays, tiles
from malecon.games.cuba.events import held, is_crop
from malecon.games.cuba.position import (
    BID,
    BUILD,
    ENACT,
    FIGURE,
    HARVEST,
    OVER,
    PAY_DUTY,
    PAY_TAX,
    PROPOSE,
    SHIP,
    SITE,
    TRADE,
    USE,
    plantation,
)
from malecon.games.cuba.rules.architect import building_law_pesos, has_materials
from malecon.games.cuba.rules.foreman import function_of
from malecon.games.cuba.rules.harbour import most_loadable
from malecon.games.cuba.rules.laws import can_pay_duty, count_buildings, subsidy, tax_due
from malecon.kernel.compile import kernel
from malecon.kernel.verbs import Position

# Money: the pesos that pay the taxes to come are worth most, some more are useful, the rest is for show.
TAX_EXPECTED = 3
TAX_PESO = 0.6
SPARE_PESO = 0.3
SPARE_PER_ROUND = 6
IDLE_PESO = 0.02

# Goods, as long as rounds are to come. Crops in the yard are lost at the end of the round.
YARD_CROP = 0.15
STORED_CROP = 1.0
WARE = 1.5
MATERIAL = 0.55
SURPLUS_MATERIAL = 0.25  # beyond what one building costs
PLENTY = 6
CROP_ANTICIPATED = 0.9  # one the worker is about to bring in

# Cards: what they promise now, and later in the round, when others may have been quicker.
NOW = 0.97
LATER = 0.85
AFTER_WORKER = 1.8  # what mayor or foreman gain by waiting for the worker
VOTE = 0.25
WINNING = 2.0
VOTES_APART = 6.0  # a lead that makes winning certain
BID_FEARED = 0.3  # of the others' pesos

# Laws.
LAW_LASTS = 0.5  # how much of the next round a law of today will still see
RIVALRY = 0.5  # a law that is good for the others is that much worse
DUTY_PAYABLE = 0.6
DUTY_WORTH = 2.3

# Buildings; what a use of each is worth is in its record.
USED_PER_ROUND = 0.7
FINAL_BUILDING = 2.0


@kernel
def rounds_after(position: Position) -> int:
    return tiles.ROUNDS - position.round_number


@kernel
def is_still_asked(position: Position, seat: int, phase: int) -> bool:
    """Return whether a seat's turn to pay tax, or duty, is still to come this round."""
    if position.phase != phase:
        return position.phase < phase
    return (seat - position.starter + position.players) % position.players >= position.step


# --- holdings


@kernel
def money(position: Position, seat: int) -> float:
    pesos = int(position.pesos[seat]) - max(0, int(position.bid[seat]))  # a bid is paid only when it is revealed
    taxes = rounds_after(position) + is_still_asked(position, seat, PAY_TAX)
    for_taxes = min(pesos, TAX_EXPECTED * taxes)
    spare = min(pesos - for_taxes, SPARE_PER_ROUND * rounds_after(position))
    return TAX_PESO * for_taxes + SPARE_PESO * spare + IDLE_PESO * (pesos - for_taxes - spare)


@kernel
def peso_value(position: Position, seat: int) -> float:
    """Return what one more peso is worth about now."""
    taxes = rounds_after(position) + is_still_asked(position, seat, PAY_TAX)
    if position.pesos[seat] < TAX_EXPECTED * taxes:
        return TAX_PESO
    return SPARE_PESO if rounds_after(position) else IDLE_PESO


@kernel
def good_value(position: Position, good: int) -> float:
    """Return what a unit that may be kept is worth in the rounds to come."""
    if rounds_after(position) == 0:
        return 0.0
    if is_crop(good):
        return STORED_CROP
    return WARE if good < len(tiles.TRADE_GOODS) else MATERIAL


@kernel
def crop_value(position: Position, seat: int, crop: int) -> float:
    """A crop that is spent comes from the yard as long as there is one."""
    return YARD_CROP if position.yard[seat, crop] > 0 else good_value(position, crop)


@kernel
def unit_value(position: Position, seat: int, good: int) -> float:
    return crop_value(position, seat, good) if is_crop(good) else good_value(position, good)


@kernel
def goods_value(position: Position, seat: int) -> float:
    total = 0.0
    for crop in range(len(tiles.CROPS)):
        total += YARD_CROP * position.yard[seat, crop] + good_value(position, crop) * position.stored[seat, crop]
    for ware in range(len(tiles.CROPS), len(tiles.TRADE_GOODS)):
        total += good_value(position, ware) * position.yard[seat, ware]
    materials = 0
    for material in range(len(tiles.TRADE_GOODS), len(tiles.GOOD_KEYS)):
        materials += position.yard[seat, material]
    if rounds_after(position) > 0:
        total += MATERIAL * min(materials, PLENTY) + SURPLUS_MATERIAL * max(0, materials - PLENTY)
    return total


# --- what the cards promise, beyond the value of what they consume


@kernel
def delivery_at(position: Position, seat: int, berth: int) -> float:
    total = 0.0
    for good in range(len(tiles.TRADE_GOODS)):
        units = most_loadable(position, seat, berth, good)
        total += units * max(0.0, berth - unit_value(position, seat, good))
    return total


@kernel
def mayors_promise(position: Position, seat: int) -> float:
    if position.phase == SHIP and position.active == seat and position.berth:
        return delivery_at(position, seat, position.berth)
    best = peso_value(position, seat) * arrays.MAYOR_PESOS[position.not_shipped]
    for berth in range(1, tiles.BERTHS + 1):
        best = max(best, delivery_at(position, seat, berth))
    return best


@kernel
def yield_of(position: Position, seat: int, field: int) -> float:
    """Return what the worker would bring in with the figure on this field."""
    plan = plantation(position, seat)
    cross = int(arrays.CROSS[field])
    materials = 0
    crops = 0
    for activated in range(tiles.FIELDS):
        if cross >> activated & 1 and position.built[seat, activated] < 0:
            if is_crop(arrays.PLANTATIONS[plan, activated]):
                crops += 1
            else:
                materials += 1
    free = tiles.FREE_CROP_FIELDS
    if position.law[tiles.OTHER] == tiles.DROUGHT:
        free = tiles.FREE_CROP_FIELDS_IN_DROUGHT
    return CROP_ANTICIPATED * min(crops, free) + (MATERIAL if rounds_after(position) else 0.1) * materials


@kernel
def workers_promise(position: Position, seat: int) -> float:
    best = 0.0
    for field in range(tiles.FIELDS):
        best = max(best, yield_of(position, seat, field))
    return best


@kernel
def merchants_promise(position: Position, seat: int) -> float:
    peso = peso_value(position, seat)
    best = 0.0 if position.material_picked else good_value(position, tiles.WOOD)
    sales = 0.0
    for good in range(len(tiles.TRADE_GOODS)):
        if not position.bought >> good & 1:
            price = tiles.DEAREST_SALE - int(position.market[good])
            units = int(position.yard[seat, good])
            lowest = tiles.DEAREST_SALE - int(arrays.MARKET_SPACES[good])
            for _ in range(units):
                sales += max(0.0, peso * max(price, lowest) - unit_value(position, seat, good))
                price -= 1
    return max(best, sales)


@kernel
def building_value(position: Position, building: int) -> float:
    return FINAL_BUILDING + USED_PER_ROUND * arrays.USE_VALUE[building] * rounds_after(position)


@kernel
def architects_promise(position: Position, seat: int) -> float:
    best = float(arrays.ARCHITECT_POINTS[position.not_built])
    if position.pesos[seat] < building_law_pesos(position):
        return best
    for building in range(len(tiles.BUILDING_KEYS)):
        if position.buildings_left[building] > 0 and has_materials(position, seat, building):
            value = building_value(position, building)
            for material in range(len(tiles.MATERIALS)):
                value -= good_value(position, tiles.WOOD) * arrays.BUILDING_COST[building, material]
            best = max(best, value)
    return best


@kernel
def turning_promise(position: Position, seat: int, building: int) -> float:
    """Return what turning all of one good into points, or into another good, would bring."""
    given, made = int(arrays.USE_TAKES[building]), int(arrays.USE_GOOD[building])
    times = min(arrays.USE_TIMES[building], held(position, seat, given))
    if made == tiles.NOTHING:
        return times * (arrays.USE_POINTS[building] - good_value(position, given))
    times = min(times, position.supply[made])
    return times * max(0.0, good_value(position, made) - unit_value(position, seat, given))


@kernel
def use_promise(position: Position, seat: int, building: int) -> float:
    """Return what using a building would bring now."""
    yard = position.yard[seat]
    peso = peso_value(position, seat)
    ware = good_value(position, tiles.RUM)
    if building == tiles.WAREHOUSE:
        crops = yard[tiles.SUGAR] + yard[tiles.CITRUS] + yard[tiles.TOBACCO]
        return crops * max(0.0, good_value(position, tiles.SUGAR) - YARD_CROP)
    if building == tiles.MONASTERY:
        crops = 0
        for crop in range(len(tiles.CROPS)):
            crops += held(position, seat, crop)
        return min(arrays.USE_TIMES[tiles.MONASTERY], crops) * (1.0 - YARD_CROP)
    if building == tiles.SMALL_OFFICE or building == tiles.LARGE_OFFICE:
        best = 0.0
        for berth in range(1, tiles.BERTHS + 1):
            for good in range(len(tiles.TRADE_GOODS)):
                units = min(1 + (building == tiles.LARGE_OFFICE), most_loadable(position, seat, berth, good))
                best = max(best, units * (berth - unit_value(position, seat, good)))
        return best
    if building == tiles.WARE_SHOP:
        sold = arrays.USE_PESOS[tiles.WARE_SHOP] * peso
        return max(0.0, sold - ware) * (yard[tiles.RUM] + yard[tiles.CIGARS] > 0)
    if arrays.USE_KINDS[building] == 1:
        return turning_promise(position, seat, building)
    if arrays.USE_KINDS[building] == 0 and arrays.USE_POINTS[building] + arrays.USE_PESOS[building] > 0:
        return arrays.USE_POINTS[building] + arrays.USE_PESOS[building] * peso
    return arrays.USE_VALUE[building]


@kernel
def foremans_promise(position: Position, seat: int) -> float:
    """Return the value of everything in the figure's row and column, or of the best single building."""
    cross = int(arrays.CROSS[position.figure[seat]])
    pending = position.phase == USE and position.active == seat
    used = int(position.used) if pending else 0
    alone = 0.0
    together = 0.0
    for field in range(tiles.FIELDS):
        building = function_of(int(position.built[seat, field]))
        if building >= 0 and not used >> field & 1:
            promise = use_promise(position, seat, building)
            alone = max(alone, promise)
            if cross >> field & 1:
                together += promise
    return together if used else max(alone, together)


@kernel
def promise(position: Position, seat: int, character: int) -> float:
    if character == tiles.WORKER:
        return workers_promise(position, seat)
    if character == tiles.MERCHANT:
        return merchants_promise(position, seat)
    if character == tiles.ARCHITECT:
        return architects_promise(position, seat)
    if character == tiles.FOREMAN:
        return foremans_promise(position, seat)
    return mayors_promise(position, seat)


@kernel
def hand_value(position: Position, seat: int) -> float:
    """Return what the cards still in hand promise, except the one that will go to parliament."""
    envoy = int(position.envoy[seat])
    worker_to_come = not position.played[seat] & 1 and envoy != tiles.WORKER
    total = 0.0
    given_up = 1e9  # by keeping the card that is missed least
    for character in range(len(tiles.CHARACTER_KEYS)):
        if not position.played[seat] >> character & 1:
            value = LATER * promise(position, seat, character)
            if worker_to_come and character >= tiles.FOREMAN:
                value += AFTER_WORKER
            total += value
            if envoy < 0 or envoy == character:
                given_up = min(given_up, value - VOTE * arrays.VOTES[character])
    return total - given_up


@kernel
def pending_value(position: Position, seat: int) -> float:
    """Return what the card being played still promises."""
    if position.active != seat:
        return 0.0
    phase = position.phase
    if phase == FIGURE:
        return workers_promise(position, seat)
    if phase == HARVEST:
        return CROP_ANTICIPATED * position.picks
    if phase == TRADE:
        return NOW * merchants_promise(position, seat)
    if phase == BUILD:
        return NOW * architects_promise(position, seat)
    if phase == SITE:
        return NOW * USED_PER_ROUND * arrays.USE_VALUE[position.planned] * rounds_after(position)
    if phase == USE:
        return NOW * foremans_promise(position, seat)
    if phase == SHIP:
        return NOW * mayors_promise(position, seat)
    return 0.0


# --- parliament, laws, and the rounds to come


@kernel
def parliament_value(position: Position, seat: int) -> float:
    own = position.votes[seat] + max(0, int(position.bid[seat]))
    feared = 0.0
    for other in range(position.players):
        if other != seat:
            feared = max(feared, position.votes[other] + BID_FEARED * position.pesos[other])
    return WINNING * min(1.0, max(0.0, 0.5 + (own - feared) / VOTES_APART))


@kernel
def laws_value(position: Position, seat: int) -> float:
    later = LAW_LASTS * min(2, rounds_after(position))
    taxes = is_still_asked(position, seat, PAY_TAX) + later
    total = -TAX_PESO * min(4, tax_due(position, seat)) * taxes
    if is_still_asked(position, seat, PAY_DUTY):
        chance = 0.9 if can_pay_duty(position, seat) else 0.2
        bonus = tiles.BOTH_POINTS if position.tax_paid >> seat & 1 and position.phase >= PAY_TAX else 0
        total += chance * (DUTY_WORTH + bonus)
    total += DUTY_PAYABLE * DUTY_WORTH * later
    subsidies = later + (position.phase <= PAY_DUTY)
    return total + subsidies * subsidy(position, seat)


@kernel
def plantation_value(position: Position, seat: int) -> float:
    """Return what fields and buildings will bring with the figure in the best place, in an average round."""
    best = 0.0
    for field in range(tiles.FIELDS):
        cross = int(arrays.CROSS[field])
        value = yield_of(position, seat, field)
        for activated in range(tiles.FIELDS):
            building = int(position.built[seat, activated])
            if building >= 0 and cross >> activated & 1:
                value += USED_PER_ROUND * arrays.USE_VALUE[building]
        best = max(best, value)
    return best


@kernel
def worth(position: Position, seat: int) -> float:
    if position.phase == OVER:
        return position.points[seat] + IDLE_PESO * position.pesos[seat]
    buildings = count_buildings(position, seat)
    if position.phase == SITE and position.active == seat:
        buildings += 1
    total = position.points[seat] + FINAL_BUILDING * buildings
    total += money(position, seat) + goods_value(position, seat) + laws_value(position, seat)
    for other in range(position.players):
        if other != seat:
            total -= RIVALRY * laws_value(position, other) / (position.players - 1)
    total += rounds_after(position) * plantation_value(position, seat)
    if BID <= position.phase <= ENACT:
        total += parliament_value(position, seat)
    elif position.phase < BID and position.phase > PROPOSE:
        total += hand_value(position, seat) + pending_value(position, seat)
    return total
