"""Why a move is illegal in Santiago de Cuba: the rule that forbids it, as a phrase. Decides nothing itself."""

from __future__ import annotations

from malecon.games.santiago import moves, names, tiles
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
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import CHANCE, Position

# The families of moves with their first code and the phases they belong to; ends where the next one begins.
FAMILIES: tuple[tuple[int, tuple[int, ...]], ...] = (
    (moves.DRIVE, (DRIVE,)),
    (moves.TAKE, (PABLO,)),
    (moves.GIVE_PESO, (ZORRO,)),
    (moves.SEIZE, (ALONSO,)),
    (moves.VISIT, (VISIT,)),
    (moves.PASS, (ALONSO, USE, DELIVER)),
    (moves.USE_BANK, (ALONSO, USE)),
    (moves.DELIVER, (DELIVER,)),
    (moves.LEAVE_OUT, (DEMAND,)),
    (moves.FIRST_OF_CHANCE, ()),
)

# What the game waits for, by phase.
WAITING = {
    DRIVE: say("first the car must drive"),
    PABLO: say("first a good must be chosen from Pablo"),
    ZORRO: say("first El Zorro must be given a peso, a good or a point"),
    ALONSO: say("first Alonso’s services must be used or declined"),
    VISIT: say("first the piece must move to a building"),
    USE: say("first the building must be used or declined"),
    DELIVER: say("first the delivery round must end"),
    DEMAND: say("first one die must be left out of the new demand"),
}
CHANCE_FIRST = say("first the dice or tiles must come up")

# The building each use belongs to, by the first code of its family.
USES = (
    (moves.USE_BANK, tiles.BANK),
    (moves.USE_CHURCH, tiles.CHURCH),
    (moves.USE_SAWMILL, tiles.SAWMILL),
    (moves.MAKE_RUM, tiles.DISTILLERY),
    (moves.MAKE_CIGARS, tiles.FACTORY),
    (moves.SWAP, tiles.MARKET),
    (moves.SERVE_RUM, tiles.CAFE),
    (moves.CLEAR, tiles.CUSTOMS),
    (moves.BUY_POINTS, tiles.CASINO),
    (moves.FLAG_RIGHT, tiles.HARBORMASTER),
    (moves.CONSIGN, tiles.OFFICE),
    (moves.PRINT, tiles.NEWSPAPER),
)


def used_building(code: int) -> int:
    """The building that a use belongs to."""
    return [building for first, building in USES if first <= code][-1]


def why_illegal(position: Position, code: int, seats: tuple[Name, ...]) -> Phrase:
    """The rule that forbids a move which is not in the list of legal ones."""
    phases = [phases for first, phases in FAMILIES if first <= code][-1]
    phase = int(position.phase)
    if phase not in phases:
        if code >= moves.FIRST_OF_CHANCE:
            if position.actor == CHANCE:
                return say("this tile or face cannot come up now")
            return say("only chance makes this move")
        return WAITING.get(phase, CHANCE_FIRST)
    seat = int(position.actor)
    if phase == DRIVE:
        return _too_far(position, seat, code - moves.DRIVE + 1)
    if phase == PABLO:
        return say("the supply has no {good}", good=names.good(code - moves.TAKE))
    if phase == ZORRO:
        return _nothing_to_give(code)
    if phase == VISIT:
        return _no_visit(position, code - moves.VISIT, seats)
    if phase == DELIVER:
        return _no_delivery(position, seat, code)
    if phase == ALONSO and code < moves.VISIT:
        return _no_seizure(position, seat, code - moves.SEIZE, seats)
    building = used_building(code)
    if phase == ALONSO and position.owner[building] != seat:
        return say("{building} is not yours to use", building=names.the_building(building))
    if phase == USE and position.piece[seat] != building:
        return say("your piece is not {place}", place=names.at_building(building))
    return _no_use(position, seat, code)


def _too_far(position: Position, seat: int, steps: int) -> Phrase:
    return say(
        "you have {have}, this drive costs {cost}",
        have=names.pesos(int(position.pesos[seat])),
        cost=names.pesos(steps - 1),
    )


def _nothing_to_give(code: int) -> Phrase:
    if code == moves.GIVE_PESO:
        return say("you have no peso to give")
    if code == moves.GIVE_POINT:
        return say("you have no point to give")
    return _has_none(code - moves.GIVE_GOOD)


def _has_none(good: int) -> Phrase:
    return say("you have no {good}", good=names.good(good))


def _has_only(position: Position, seat: int, good: int) -> Phrase:
    held = int(position.goods[seat, good])
    return say("you have only {held}", held=names.goods(good, held)) if held else _has_none(good)


def _no_seizure(position: Position, seat: int, building: int, seats: tuple[Name, ...]) -> Phrase:
    owner = int(position.owner[building])
    if owner == seat:
        return say("{building} is already yours", building=names.the_building(building))
    if owner >= 0:
        return say("{building} belongs to {owner}", building=names.the_building(building), owner=seats[owner])
    return say("you have no property marker left")


def _no_visit(position: Position, building: int, seats: tuple[Name, ...]) -> Phrase:
    flower = int(tiles.CUBAN_FLOWER[position.cuban_at[position.car]])
    site = position.building_at.tolist().index(building)
    if site // tiles.SITES_PER_FLOWER != flower:
        return say(
            "{building} does not lie under a {flower} flower",
            building=names.the_building(building),
            flower=names.flower(flower),
        )
    there = position.piece.tolist().index(building)
    if there == position.active:
        return say("your piece already stands {place} and must move on", place=names.at_building(building))
    return say("{building} is occupied by {who}", building=names.the_building(building), who=seats[there])


def _no_delivery(position: Position, seat: int, code: int) -> Phrase:
    in_wood = code >= moves.DELIVER_WOOD
    units, good = divmod(code - (moves.DELIVER_WOOD if in_wood else moves.DELIVER), tiles.WOOD)
    demanded = int(position.demand[good])
    if not demanded:
        return say("the ship does not ask for {good}", good=names.good(good))
    if units + 1 > demanded:
        return say("the ship asks only for {demanded}", demanded=names.goods(good, demanded))
    return _has_only(position, seat, tiles.WOOD if in_wood else good)


def _no_use(position: Position, seat: int, code: int) -> Phrase:
    building = used_building(code)
    if building == tiles.SAWMILL:
        return _has_none(tiles.WOOD)
    if building in (tiles.DISTILLERY, tiles.FACTORY):
        raw, ware = (tiles.SUGAR, tiles.RUM) if building == tiles.DISTILLERY else (tiles.TOBACCO, tiles.CIGARS)
        made = code - (moves.MAKE_RUM if building == tiles.DISTILLERY else moves.MAKE_CIGARS) + 1
        return _has_only(position, seat, raw) if made > position.goods[seat, raw] else _supply_short(position, ware)
    if building == tiles.MARKET:
        given, taken = divmod(code - moves.SWAP, 4)
        taken += taken >= given
        return _has_none(given) if not position.goods[seat, given] else _supply_short(position, taken)
    if building == tiles.CAFE:
        return _has_none(
            tiles.RUM if code != moves.SERVE_CIGARS and not position.goods[seat, tiles.RUM] else tiles.CIGARS
        )
    if building == tiles.CUSTOMS:
        return say("the ship does not ask for {good}", good=names.good(code - moves.CLEAR))
    if building == tiles.CASINO:
        if code < moves.SELL_POINTS:
            cost = names.pesos((code - moves.BUY_POINTS + 1) * tiles.CASINO_PESOS)
            return say("you have {have}, this costs {cost}", have=names.pesos(int(position.pesos[seat])), cost=cost)
        return say("you have only {have}", have=names.points(int(position.points[seat])))
    if building == tiles.HARBORMASTER:
        return say("the value cannot fall below {lowest}", lowest=tiles.LOWEST_VALUE)
    if building == tiles.OFFICE:
        good = code - moves.CONSIGN
        if not position.demand[good]:
            return say("the ship does not ask for {good}", good=names.good(good))
        return _has_none(good)
    return say("{cuban} is already face down", cuban=names.cuban(code - moves.PRINT_ABOUT))


def _supply_short(position: Position, good: int) -> Phrase:
    left = int(position.supply[good])
    if left:
        return say("the supply has only {left}", left=names.goods(good, left))
    return say("the supply has no {good}", good=names.good(good))
