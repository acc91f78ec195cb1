"""What the button for each move of Cuba says, and under which heading it stands in a long list.

Buttons are for the one who may make the move, and who knows the own bid and envoy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from malecon.games.cuba import arrays, moves, names, tiles
from malecon.games.cuba.position import IRRIGATE, SHIP, TRADE
from malecon.games.cuba.rules.laws import tax_due
from malecon.games.cuba.rules.merchant import has_traded, purchase_price, sale_price
from malecon.games.cuba.text.fields import cost_of, field_of, gain_of, pair, within_reach
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, counted, say
from malecon.kernel.verbs import Position
from malecon.text.lists import commas, listed

#: Families of moves by which one does nothing, or is done.
WAYS_OUT = frozenset({moves.FORGO, moves.DONE, moves.REFUSE_TAX, moves.REFUSE_DUTY})


def describe_move(position: Position, code: int, seats: Sequence[Name]) -> Phrase:
    family, parts = moves.NOTATION.read(code)
    if family == moves.STARTER:
        return say("{who} starts the game", who=seats[parts[0]])
    if family in moves.USES:
        building = moves.USES[family]
        use = USES[family](position, *parts) if family in USES else _turn(building, *parts)
        return say("{building}: {use}", building=names.building(building), use=use)
    return LABELS[family](position, *parts)


def heading(position: Position, code: int) -> Phrase | None:
    """Return what the moves of a group have in common; None for a move that stands by itself."""
    family, parts = moves.NOTATION.read(code)
    if family in moves.USES:
        building = names.building(moves.USES[family])
        if family == moves.SWAP:
            return say("{building}: give {goods}", building=building, goods=names.goods(parts[0], 1))
        if family in (moves.CONSIGN, moves.DISPATCH, moves.DISPATCH_TWO):
            return say("{building}: {place}", building=building, place=names.place(parts[0]))
        return building
    match family, parts:
        case moves.BUY, _:
            return say("Buy")
        case moves.SELL, _:
            return say("Sell")
        case moves.SHIP, (berth, _):
            return say("Load {place}", place=names.place(berth))
        case moves.BUILD, (tile,):
            return counted("{n} material", "{n} materials", int(arrays.BUILDING_COST[tile].sum()))
    return None


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


def _start_goods(position: Position, first: int, second: int) -> Phrase:
    return _take(pair(first, second))


def _envoy(position: Position, character: int) -> Phrase:
    return say(
        "Keep {character} for parliament: {votes}",
        character=names.a_character(character), votes=names.votes(tiles.CHARACTERS[character].votes),
    )  # fmt: skip


def _card(position: Position, character: int) -> Phrase:
    return say("Play {character}", character=names.a_character(character))


# --- what the characters do


def _figure(position: Position, field: int) -> Phrase:
    seat = int(position.active)
    goods = [names.goods(good, count) for good, count in within_reach(position, seat, field).items()]
    stays = position.figure[seat] == field
    if not goods:
        text = say("Stay on field {field}") if stays else say("Move to field {field}")
        return text.fill(field=field + 1)
    text = say("Move to field {field}: {goods} within reach")
    if stays:
        text = say("Stay on field {field}: {goods} within reach")
    return text.fill(field=field + 1, goods=commas(goods))


def _harvest(position: Position, crop: int) -> Phrase:
    return say("Harvest {gain}", gain=names.goods(crop, 1))


def _irrigate(position: Position, crop: int) -> Phrase:
    return say("Harvest {gain} for {water}", gain=names.goods(crop, 1), water=names.goods(tiles.WATER, 1))


def _buy(position: Position, good: int) -> Phrase:
    cost = names.pesos(int(purchase_price(position, good)))
    return say("Buy {goods} for {cost}", goods=names.goods(good, 1), cost=cost)


def _sell_good(position: Position, good: int) -> Phrase:
    return _sell(names.goods(good, 1), names.pesos(int(sale_price(position, good))))


def _pick(position: Position, good: int) -> Phrase:
    return say("Take {gain} for free", gain=names.goods(good, 1))


def _build(position: Position, building: int) -> Phrase:
    return say("Build {building} for {cost}", building=names.a_building(building), cost=cost_of(position, building))


def _site(position: Position, field: int) -> Phrase:
    kind = field_of(position, int(position.active), field)
    return say("Build on field {field} ({kind})", field=field + 1, kind=kind)


def _ship(position: Position, berth: int, good: int) -> Phrase:
    return _load(berth, good, 1)


def _forgo(position: Position) -> Phrase:
    if position.phase == SHIP:
        reward = int(arrays.MAYOR_PESOS[position.not_shipped])
        return say("Deliver nothing and get {gain}", gain=names.pesos(reward)) if reward else say("Deliver nothing")
    reward = int(arrays.ARCHITECT_POINTS[position.not_built])
    return say("Build nothing and get {gain}", gain=names.points(reward)) if reward else say("Build nothing")


def _done(position: Position) -> Phrase:
    if position.phase == IRRIGATE:
        return say("Keep the water")
    if position.phase == TRADE:
        return say("Finish trading") if has_traded(position) else say("Do not trade")
    if position.phase == SHIP:
        return say("Finish loading")
    return say("Use no more buildings") if position.used else say("Use no building")


# --- the foreman's buildings


def _turn(building: int, *parts: int) -> Phrase:
    """Turn goods into points, pesos or other goods, or only take the points or pesos."""
    record = tiles.BUILDINGS[building]
    if not parts:
        return _take(gain_of(building, 1))
    if len(record.takes) == 1:
        (times,) = parts
        return _trade(names.goods(tiles.GOOD_KEYS.index(record.takes[0]), times), gain_of(building, times))
    given = names.goods(parts[0], 1) if len(parts) == 1 else pair(*parts)
    return (_sell if record.pesos else _trade)(given, gain_of(building, len(parts)))


def _dispatch_two(position: Position, berth: int, good: int) -> Phrase:
    return _load(berth, good, 2)


def _swap(position: Position, given: int, taken: int) -> Phrase:
    return _trade(names.goods(given, 1), names.goods(taken, 1))


def _veto(position: Position, group: int) -> Phrase:
    return say("Veto “{law}”", law=_proposal(position, group))


def _use_town_hall(position: Position) -> Phrase:
    return _take(names.votes(tiles.TOWN_HALL_VOTES))


def _use_dam(position: Position) -> Phrase:
    return _take(gain_of(tiles.DAM, min(tiles.BUILDINGS[tiles.DAM].times, int(position.supply[tiles.WATER]))))


def _call(position: Position, ship: int) -> Phrase:
    return say("Choose the ship for {spaces}", spaces=names.spaces(ship))


def _store(position: Position) -> Phrase:
    yard = position.yard[position.active, : len(tiles.CROPS)].tolist()
    crops = [names.goods(crop, count) for crop, count in enumerate(yard) if count]
    return say("Store {goods}", goods=listed(crops)) if crops else say("Store your crops")


#: The uses that do more than take and give.
USES: Mapping[int, Callable[..., Phrase]] = {
    moves.STORE: _store,
    moves.CONSIGN: _ship,
    moves.DISPATCH: _ship,
    moves.DISPATCH_TWO: _dispatch_two,
    moves.SWAP: _swap,
    moves.VETO: _veto,
    moves.USE_TOWN_HALL: _use_town_hall,
    moves.USE_DAM: _use_dam,
    moves.CALL: _call,
}


# --- parliament and laws


def _proposal(position: Position, group: int) -> Phrase:
    """Return the law proposed; of a group whose proposal is gone, only the group."""
    card = int(position.proposal[group])
    return names.law(group, card) if card >= 0 else names.group(group)


def _bid(position: Position, pesos: int) -> Phrase:
    return say("Bid {pesos}", pesos=names.pesos(pesos)) if pesos else say("Bid nothing")


def _enact(position: Position, one_group: int, other_group: int) -> Phrase:
    first, second = _proposal(position, one_group), _proposal(position, other_group)
    return say("Enact “{first}” and “{second}”", first=first, second=second)


def _pay_tax(position: Position) -> Phrase:
    cost = names.pesos(int(tax_due(position, int(position.actor))))
    return say("Pay {cost} for {gain}", cost=cost, gain=names.points(tiles.TAX_POINTS))


def _refuse_tax(position: Position) -> Phrase:
    return say("Do not pay the tax")


def _pay_duty(position: Position, *goods: int) -> Phrase:
    both = tiles.BOTH_POINTS if position.tax_paid >> max(int(position.actor), 0) & 1 else 0
    law = int(position.law[tiles.DUTY])
    if goods:
        cost = pair(*goods)
    elif arrays.DUTY_GOOD[law] != tiles.NOTHING:
        cost = names.goods(int(arrays.DUTY_GOOD[law]), 1)
    else:
        return say("Pay the duty")
    return say("Pay {cost} for {gain}", cost=cost, gain=names.points(tiles.DUTY_POINTS + both))


def _refuse_duty(position: Position) -> Phrase:
    return say("Do not pay the duty")


# --- chance


def _draw(position: Position, ship: int) -> Phrase:
    return say("Draw the ship for {spaces}", spaces=names.spaces(ship))


def _propose(position: Position, group: int, card: int) -> Phrase:
    return say("Propose “{law}”", law=names.law(group, card))


LABELS: Mapping[int, Callable[..., Phrase]] = {
    moves.START_MATERIALS: _start_goods,
    moves.START_CROPS: _start_goods,
    moves.ENVOY: _envoy,
    moves.CARD: _card,
    moves.FIGURE: _figure,
    moves.HARVEST: _harvest,
    moves.IRRIGATE: _irrigate,
    moves.BUY: _buy,
    moves.SELL: _sell_good,
    moves.PICK_CROP: _pick,
    moves.PICK_MATERIAL: _pick,
    moves.BUILD: _build,
    moves.SITE: _site,
    moves.SHIP: _ship,
    moves.FORGO: _forgo,
    moves.DONE: _done,
    moves.BID: _bid,
    moves.ENACT: _enact,
    moves.PAY_TAX: _pay_tax,
    moves.REFUSE_TAX: _refuse_tax,
    moves.PAY_DUTY: _pay_duty,
    moves.PAY_MATERIALS: _pay_duty,
    moves.PAY_CROPS: _pay_duty,
    moves.REFUSE_DUTY: _refuse_duty,
    moves.DRAW: _draw,
    moves.PROPOSE: _propose,
}
