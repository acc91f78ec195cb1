"""Why a move is illegal in Santiago de Cuba: the rule that forbids it, as a phrase. Decides nothing itself."""

from __future__ import annotations

from collections.abc import Mapping

from malecon.games.santiago import arrays, moves, names, tiles
from malecon.games.santiago.position import (
    ALONSO,
    DELIVER,
    DEMAND,
    DRIVE,
    PABLO,
    USE,
    VISIT,
    ZORRO,
)
from malecon.kernel.common.naming import none_held, short_supply, too_dear, too_few
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import CHANCE, Position

# The phases in which the moves of each family are made. Those of chance are missing: none of them is refused for more.
MADE_IN: Mapping[int, tuple[int, ...]] = {
    moves.DRIVE: (DRIVE,),
    moves.TAKE: (PABLO,),
    moves.GIVE_PESO: (ZORRO,),
    moves.GIVE_POINT: (ZORRO,),
    moves.GIVE_GOOD: (ZORRO,),
    moves.SEIZE: (ALONSO,),
    moves.VISIT: (VISIT,),
    moves.PASS: (ALONSO, USE, DELIVER),
    **dict.fromkeys(moves.USES, (ALONSO, USE)),
    moves.DELIVER: (DELIVER,),
    moves.DELIVER_WOOD: (DELIVER,),
    moves.LEAVE_OUT: (DEMAND,),
}

# What the game waits for, by phase.
WAITING = {
    DRIVE: say("drive the car first"),
    PABLO: say("choose a good from Pablo first"),
    ZORRO: say("first give El Zorro a peso, a good or a point"),
    ALONSO: say("first use Alonso’s help, or decline it"),
    VISIT: say("move your piece to a building first"),
    USE: say("first use the building, or decline to"),
    DELIVER: say("the delivery round must end first"),
    DEMAND: say("first choose the die to leave out"),
}
CHANCE_FIRST = say("first the dice must be rolled or the tiles laid out")


def why_illegal(position: Position, code: int, seats: tuple[Name, ...]) -> Phrase:
    """Return the rule that forbids a move which is not in the list of legal ones."""
    family, parts = moves.NOTATION.read(code)
    phase = int(position.phase)
    if family not in MADE_IN:
        if position.actor == CHANCE:
            return say("this tile or die face cannot come up here")
        return say("only chance can make this move")
    if phase not in MADE_IN[family]:
        return WAITING.get(phase, CHANCE_FIRST)
    seat = int(position.actor)
    if family in moves.USES:
        return _not_yours(position, seat, moves.USES[family]) or _no_use(position, seat, family, parts)
    match family, parts:
        case moves.DRIVE, (steps,):
            return _too_far(position, seat, steps)
        case moves.TAKE, (good,):
            return short_supply(names, good, 0)
        case moves.GIVE_PESO, ():
            return say("you have no peso to give")
        case moves.GIVE_POINT, ():
            return say("you have no point to give")
        case moves.GIVE_GOOD, (good,):
            return none_held(names, good)
        case moves.SEIZE, (building,):
            return _no_seizure(position, seat, building, seats)
        case moves.VISIT, (building,):
            return _no_visit(position, building, seats)
        case moves.DELIVER, (units, good):
            return _no_delivery(position, seat, units, good, good)
        case moves.DELIVER_WOOD, (units, good):
            return _no_delivery(position, seat, units, good, tiles.WOOD)
    raise ValueError(f"{moves.NOTATION.name(code)!r} is always legal here")


def _too_far(position: Position, seat: int, steps: int) -> Phrase:
    return say(
        "you have {have}; this drive costs {cost}",
        have=names.pesos(int(position.pesos[seat])),
        cost=names.pesos(steps - 1),
    )


def _no_seizure(position: Position, seat: int, building: int, seats: tuple[Name, ...]) -> Phrase:
    owner = int(position.owner[building])
    if owner == seat:
        return say("{building} is already yours", building=names.the_building(building))
    if owner >= 0:
        return say("{building} belongs to {owner}", building=names.the_building(building), owner=seats[owner])
    return say("you have no property marker left")


def _no_visit(position: Position, building: int, seats: tuple[Name, ...]) -> Phrase:
    flower = int(arrays.CUBAN_FLOWER[position.cuban_at[position.car]])
    site = position.building_at.tolist().index(building)
    if site // tiles.SITES_PER_FLOWER != flower:
        return say(
            "{building} is not under a {flower} flower",
            building=names.the_building(building),
            flower=names.flower(flower),
        )
    there = position.piece.tolist().index(building)
    if there == position.active:
        return say("your piece already stands {place} and must move on", place=names.at_building(building))
    return say("{building} is occupied by {who}’s piece", building=names.the_building(building), who=seats[there])


def _no_delivery(position: Position, seat: int, units: int, good: int, given: int) -> Phrase:
    demanded = int(position.demand[good])
    if not demanded:
        return say("the ship does not ask for {good}", good=names.good(good))
    if units > demanded:
        return say("the ship asks only for {demanded}", demanded=names.goods(good, demanded))
    return _has_only(position, seat, given)


def _not_yours(position: Position, seat: int, building: int) -> Phrase | None:
    """Return why the building may not be used at all, if so."""
    if position.phase == ALONSO and position.owner[building] != seat:
        return say("{building} does not belong to you", building=names.the_building(building))
    if position.phase == USE and position.piece[seat] != building:
        return say("your piece is not {place}", place=names.at_building(building))
    return None


def _no_use(position: Position, seat: int, family: int, parts: tuple[int, ...]) -> Phrase:
    match family, parts:
        case moves.USE_SAWMILL, ():
            return none_held(names, tiles.WOOD)
        case moves.MAKE_RUM, (made,):
            return _not_made(position, seat, tiles.SUGAR, tiles.RUM, made)
        case moves.MAKE_CIGARS, (made,):
            return _not_made(position, seat, tiles.TOBACCO, tiles.CIGARS, made)
        case moves.SWAP, (given, taken):
            return _supply_short(position, taken) if position.goods[seat, given] else none_held(names, given)
        case moves.SERVE_RUM, ():
            return none_held(names, tiles.RUM)
        case moves.SERVE_CIGARS, ():
            return none_held(names, tiles.CIGARS)
        case moves.SERVE_BOTH, ():
            return none_held(names, tiles.CIGARS if position.goods[seat, tiles.RUM] else tiles.RUM)
        case moves.CLEAR, (good,):
            return say("the ship does not ask for {good}", good=names.good(good))
        case moves.BUY_POINTS, (bought,):
            return too_dear(int(position.pesos[seat]), bought * int(arrays.USE_PESOS[tiles.CASINO]))
        case moves.SELL_POINTS, _:
            return say("you have only {have}", have=names.points(int(position.points[seat])))
        case moves.FLAG_LEFT, ():
            return say("the value cannot fall below {lowest}", lowest=tiles.LOWEST_VALUE)
        case moves.CONSIGN, (good,):
            if not position.demand[good]:
                return say("the ship does not ask for {good}", good=names.good(good))
            return none_held(names, good)
        case moves.PRINT_ABOUT, (cuban,):
            return say("{cuban} is already face down", cuban=names.cuban(cuban))
    raise ValueError(f"{moves.NOTATION.name(family)!r} is always legal here")


def _not_made(position: Position, seat: int, raw: int, ware: int, made: int) -> Phrase:
    return _has_only(position, seat, raw) if made > position.goods[seat, raw] else _supply_short(position, ware)


def _has_only(position: Position, seat: int, good: int) -> Phrase:
    return too_few(names, good, int(position.goods[seat, good]))


def _supply_short(position: Position, good: int) -> Phrase:
    return short_supply(names, good, int(position.supply[good]))
