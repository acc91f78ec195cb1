"""The deeds of a game of Cuba, by the phase they are done in. What followed from them is told elsewhere.

A card is told together with the first thing done with it. What lies face down is never told here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from malecon.games.cuba import events as ev
from malecon.games.cuba import moves, names, tiles
from malecon.games.cuba.position import (
    BID,
    BUILD,
    CARD,
    CHOOSE_STARTER,
    ENACT,
    ENVOY,
    FIGURE,
    HARVEST,
    IRRIGATE,
    PROPOSE,
    SECOND_BID,
    SHIP,
    SITE,
    START_CROPS,
    TRADE,
    USE,
)
from malecon.games.cuba.rules.merchant import has_traded
from malecon.games.cuba.text.fields import cost_of, within_reach
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.text.lists import listed
from malecon.text.played_move import PlayedMove

WORKER, MERCHANT, ARCHITECT, MAYOR = (
    ev.FROM_CHARACTER + card for card in (tiles.WORKER, tiles.MERCHANT, tiles.ARCHITECT, tiles.MAYOR)
)


class Scene(PlayedMove):
    """A move with all that is known of it: the table before and after, and what happened between."""

    def goods(self, kind: int, n: int) -> Phrase:
        return names.goods(kind, n)

    @property
    def who(self) -> Name:
        """Return who decided."""
        return self.actor

    def _changes(self, sources: Sequence[int], seat: int | None) -> dict[tuple[int, int], int]:
        """Return pesos first, then points, then goods in their order."""
        return dict(sorted(super()._changes(sources, seat).items()))


def tell_deed(scene: Scene) -> list[Phrase]:
    deed = DEEDS.get(int(scene.before.phase))
    line = None if deed is None else deed(scene)
    return [] if line is None else [line]


# --- setup


def _starter(scene: Scene) -> Phrase:
    return say("{who} starts the game.", who=scene.seats[scene.parts[0]])


def _start_goods(scene: Scene) -> Phrase:
    """Tell materials and crops together, once both are chosen."""
    yard = scene.after.yard[scene.before.actor].tolist()
    goods = [names.goods(good, count) for good, count in enumerate(yard) if count]
    return say("{who} starts with {goods}.", who=scene.who, goods=listed(goods))


def _proposals(scene: Scene) -> Phrase | None:
    """Tell all four, when the last has come up."""
    if scene.after.phase == PROPOSE:
        return None
    tax, duty, subsidy, other = (names.law(group, int(card)) for group, card in enumerate(scene.after.proposal))
    text = say("The proposals: “{tax}”, “{duty}”, “{subsidy}”, “{other}”.")
    return text.fill(tax=tax, duty=duty, subsidy=subsidy, other=other)


def _envoy(scene: Scene) -> Phrase:
    return say("{who} places a card for parliament face down.", who=scene.who)


# --- cards


def _card(scene: Scene) -> Phrase | None:
    """Tell it at once only if nothing more is to be decided, and for the foreman, who has much to do."""
    (card,), who = scene.parts, scene.who
    if scene.has(ev.FORWENT):
        return _no_building(scene) if card == tiles.ARCHITECT else _no_delivery(scene)
    if card == tiles.FOREMAN:
        if scene.has(ev.IDLE):
            return say("{who} plays the Foreman, but cannot use any building.", who=who)
        return say("{who} plays the Foreman.", who=who)
    if scene.has(ev.IDLE):
        return say("{who} plays the Merchant, but cannot trade.", who=who)
    return None


def _figure(scene: Scene) -> Phrase:
    seat, (field,) = int(scene.before.active), scene.parts
    gain, stays = scene.gained(WORKER, seat=seat), scene.before.figure[seat] == field
    if not gain:
        text = say("{who} plays the Worker and moves to field {field}.")
        if stays:
            text = say("{who} plays the Worker and stays on field {field}.")
        return text.fill(who=scene.who, field=field + 1)
    text = say("{who} plays the Worker, moves to field {field} and gets {gain}.")
    if stays:
        text = say("{who} plays the Worker, stays on field {field} and gets {gain}.")
    return text.fill(who=scene.who, field=field + 1, gain=listed(gain))


def _harvest(scene: Scene) -> Phrase | None:
    """Tell all crops that are free together, when the last is chosen."""
    if scene.after.phase == HARVEST:
        return None
    seat = int(scene.before.active)
    reach = within_reach(scene.before, seat, int(scene.before.figure[seat]))
    taken = [reach.get(crop, 0) - int(left) for crop, left in enumerate(scene.before.ripe)]
    for event in scene.all(ev.GOODS):
        if event.other == WORKER:
            taken[event.thing] += event.amount
    goods = [names.goods(crop, count) for crop, count in enumerate(taken) if count]
    return say("{who} harvests {gain}.", who=scene.who, gain=listed(goods))


def _irrigate(scene: Scene) -> Phrase | None:
    if scene.family == moves.DONE:
        return None
    gain, water = names.goods(scene.parts[0], 1), names.goods(tiles.WATER, 1)
    return say("{who} also harvests {gain} for {water}.", who=scene.who, gain=gain, water=water)


def _trade(scene: Scene) -> Phrase | None:
    seat, first, who = int(scene.before.active), not has_traded(scene.before), scene.who
    if scene.family == moves.DONE:
        return say("{who} plays the Merchant, but does not trade.", who=who) if first else None
    gain, given = scene.gained(MERCHANT, seat=seat), scene.lost(MERCHANT, seat=seat)
    if scene.family in (moves.PICK_CROP, moves.PICK_MATERIAL):
        return say("{who} plays the Merchant and takes {gain} for free.", who=who, gain=listed(gain))
    if scene.family == moves.SELL:
        text = say("{who} sells {goods} for {gain}.")
        if first:
            text = say("{who} plays the Merchant and sells {goods} for {gain}.")
        return text.fill(who=who, goods=listed(given), gain=listed(gain))
    text = say("{who} buys {goods} for {cost}.")
    if first:
        text = say("{who} plays the Merchant and buys {goods} for {cost}.")
    return text.fill(who=who, goods=listed(gain), cost=listed(given))


def _build(scene: Scene) -> Phrase | None:
    """Tell what is built with its field."""
    return _no_building(scene) if scene.family == moves.FORGO else None


def _no_building(scene: Scene) -> Phrase:
    gain = scene.gained(ARCHITECT, seat=int(scene.before.active))
    if gain:
        text = say("{who} plays the Architect, builds nothing and gets {gain}.")
        return text.fill(who=scene.who, gain=listed(gain))
    return say("{who} plays the Architect, but builds nothing.", who=scene.who)


def _site(scene: Scene) -> Phrase:
    building = int(scene.before.planned)
    return say(
        "{who} plays the Architect and builds {building} on field {field} for {cost}.",
        who=scene.who, building=names.a_building(building), field=scene.parts[0] + 1,
        cost=cost_of(scene.before, building),
    )  # fmt: skip


def _ship(scene: Scene) -> Phrase | None:
    if scene.family == moves.FORGO:
        return _no_delivery(scene)
    if scene.family == moves.DONE:
        return None
    text = say("{who} loads {goods} {place} for {gain}.")
    if not scene.before.berth:
        text = say("{who} plays the Mayor and loads {goods} {place} for {gain}.")
    seat, loaded = int(scene.before.active), scene.all(ev.LOADED)
    goods, place = names.goods(loaded[0].thing, len(loaded)), names.place(loaded[0].amount)
    return text.fill(who=scene.who, goods=goods, place=place, gain=listed(scene.gained(MAYOR, seat=seat)))


def _no_delivery(scene: Scene) -> Phrase:
    gain = scene.gained(MAYOR, seat=int(scene.before.active))
    if gain:
        text = say("{who} plays the Mayor, delivers nothing and gets {gain}.")
        return text.fill(who=scene.who, gain=listed(gain))
    return say("{who} plays the Mayor, but delivers nothing.", who=scene.who)


# --- the foreman's buildings


def _use(scene: Scene) -> Phrase | None:
    seat, who = int(scene.before.active), scene.who
    if scene.family == moves.DONE:
        return None if scene.before.used else say("{who} uses no building.", who=who)
    building = moves.USES[scene.family]
    place = names.at_building(building)
    given = scene.lost(ev.FROM_BUILDING + building, seat=seat)
    gain = scene.gained(ev.FROM_BUILDING + building, seat=seat)
    if building == tiles.WAREHOUSE:
        crops = [names.goods(event.thing, event.amount) for event in scene.all(ev.STORED)]
        return say("{who} stores {goods} in the warehouse.", who=who, goods=listed(crops))
    if building in (tiles.SMALL_OFFICE, tiles.LARGE_OFFICE):
        berth = names.place(scene.all(ev.LOADED)[0].amount)
        text = say("{who} uses {building} and loads {goods} {place} for {gain}.")
        office = names.a_building(building)
        return text.fill(who=who, building=office, goods=listed(given), place=berth, gain=listed(gain))
    if building == tiles.CHURCH:
        vetoed = scene.all(ev.VETOED)[0]
        return say("{who} vetoes “{law}” {place}.", who=who, law=names.law(vetoed.thing, vetoed.other), place=place)
    if building == tiles.TOWN_HALL:
        votes = names.votes(tiles.TOWN_HALL_VOTES)
        return say("{who} gets {votes} for parliament {place}.", who=who, votes=votes, place=place)
    if building == tiles.LIGHTHOUSE:
        spaces = names.spaces(scene.all(ev.CALLED)[0].thing)
        text = say("{who} uses {building} and replaces the ship on the high seas: {spaces}.")
        return text.fill(who=who, building=names.a_building(building), spaces=spaces)
    if building in (tiles.WARE_SHOP, tiles.CROP_SHOP, tiles.MATERIAL_SHOP):
        text = say("{who} sells {goods} for {gain} {place}.")
        return text.fill(who=who, goods=listed(given), gain=listed(gain), place=place)
    if given:
        text = say("{who} trades {given} for {gain} {place}.")
        return text.fill(who=who, given=listed(given), gain=listed(gain), place=place)
    return say("{who} gets {gain} {place}.", who=who, gain=listed(gain), place=place)


# --- parliament


def _bid(scene: Scene) -> Phrase:
    return say("{who} makes a secret bid.", who=scene.who)


def _enact(scene: Scene) -> Phrase:
    first, second = (names.law(event.thing, event.other) for event in scene.all(ev.ENACTED))
    return say("{who} enacts “{first}” and “{second}”.", who=scene.who, first=first, second=second)


#: Ships, tax and duty are told by their events; start materials with the crops.
DEEDS: Mapping[int, Callable[[Scene], Phrase | None]] = {
    CHOOSE_STARTER: _starter,
    START_CROPS: _start_goods,
    PROPOSE: _proposals,
    ENVOY: _envoy,
    CARD: _card,
    FIGURE: _figure,
    HARVEST: _harvest,
    IRRIGATE: _irrigate,
    TRADE: _trade,
    BUILD: _build,
    SITE: _site,
    USE: _use,
    SHIP: _ship,
    BID: _bid,
    SECOND_BID: _bid,
    ENACT: _enact,
}
