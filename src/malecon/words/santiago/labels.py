"""What the button for each move of Santiago de Cuba says. Reads the open board only, never what screens cover."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.santiago import moves, names, tiles
from malecon.games.santiago.position import ALONSO, DELIVER
from malecon.games.santiago.reasons import used_building
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.words.lists import listed
from malecon.words.santiago.street import destination


def describe_move(position: Position, code: int, seats: Sequence[Name]) -> Phrase:
    if code >= moves.FIRST_OF_CHANCE:
        return _chance(code, seats)
    if code >= moves.LEAVE_OUT:
        good = code - moves.LEAVE_OUT
        return say("Leave out {die}", die=names.goods(good, int(position.demand[good])))
    if code >= moves.DELIVER:
        return _delivery(position, code)
    if code > moves.PASS:
        use = _use(position, code)
        if position.phase == ALONSO:  # one of several buildings
            return say("{building}: {use}", building=names.building(used_building(code)), use=use)
        return use
    if code == moves.PASS:
        return _pass(position)
    if code >= moves.VISIT:
        return say("Move {to_building}", to_building=names.to_building(code - moves.VISIT))
    if code >= moves.SEIZE:
        return say("Seize {building}", building=names.a_building(code - moves.SEIZE))
    if code >= moves.GIVE_PESO:
        return say("Give {taker} {gift}", taker=seats[position.active], gift=_gift(code))
    if code >= moves.TAKE:
        return say("Take {gain}", gain=names.goods(code - moves.TAKE, 1))
    return _drive(position, code - moves.DRIVE + 1)


def _drive(position: Position, steps: int) -> Phrase:
    where = destination(position, steps)
    if steps == 1:
        return say("Drive {where}", where=where)
    return say("Drive {where} for {cost}", where=where, cost=names.pesos(steps - 1))


def _gift(code: int) -> Phrase:
    if code == moves.GIVE_PESO:
        return names.pesos(1)
    if code == moves.GIVE_POINT:
        return names.points(1)
    return names.goods(code - moves.GIVE_GOOD, 1)


def _pass(position: Position) -> Phrase:
    if position.phase == ALONSO:
        return say("Decline Alonso’s help")
    if position.phase == DELIVER:
        return Phrase("Pass", context="delivery round")
    return say("Leave {building} unused", building=names.a_building(int(position.piece[position.active])))


def _delivery(position: Position, code: int) -> Phrase:
    in_wood = code >= moves.DELIVER_WOOD
    units, good = divmod(code - (moves.DELIVER_WOOD if in_wood else moves.DELIVER), tiles.WOOD)
    units += 1
    if in_wood:
        return say(
            "Deliver {wood} in place of {good} for {gain}",
            wood=names.goods(tiles.WOOD, units), good=names.good(good), gain=names.points(units * tiles.WOOD_VALUE),
        )  # fmt: skip
    gain = names.points(units * int(position.value))
    return say("Deliver {goods} for {gain}", goods=names.goods(good, units), gain=gain)


def _use(position: Position, code: int) -> Phrase:
    building = used_building(code)
    if building == tiles.BANK:
        return _take(names.pesos(tiles.BANK_PESOS))
    if building == tiles.CHURCH:
        return _take(names.points(tiles.CHURCH_POINTS))
    if building == tiles.SAWMILL:
        paid = [names.points(tiles.SAWMILL_POINTS), names.pesos(tiles.SAWMILL_PESOS)]
        return _trade([names.goods(tiles.WOOD, 1)], paid)
    if building == tiles.DISTILLERY:
        made = code - moves.MAKE_RUM + 1
        return _trade([names.goods(tiles.SUGAR, made)], [names.goods(tiles.RUM, made)])
    if building == tiles.FACTORY:
        made = code - moves.MAKE_CIGARS + 1
        return _trade([names.goods(tiles.TOBACCO, made)], [names.goods(tiles.CIGARS, made)])
    if building == tiles.MARKET:
        given, taken = divmod(code - moves.SWAP, tiles.WOOD - 1)
        return _trade([names.goods(given, 1)], [names.goods(taken + (taken >= given), 1)])
    if building == tiles.CAFE:
        served = [names.goods(tiles.RUM, 1)] if code != moves.SERVE_CIGARS else []
        served += [names.goods(tiles.CIGARS, 1)] if code != moves.SERVE_RUM else []
        return _trade(served, [names.points(len(served) * tiles.CAFE_POINTS)])
    if building == tiles.CUSTOMS:
        return say("Strike {good} off the ship’s list", good=names.good(code - moves.CLEAR))
    if building == tiles.CASINO:
        return _casino(code)
    if building == tiles.HARBORMASTER:
        return _flag(position, code)
    if building == tiles.OFFICE:
        goods, gain = names.goods(code - moves.CONSIGN, 1), names.points(tiles.OFFICE_VALUE)
        return say("Deliver {goods} for {gain}", goods=goods, gain=gain)
    if code == moves.PRINT:
        return _take(names.pesos(tiles.NEWSPAPER_PESOS))
    cuban = names.cuban(code - moves.PRINT_ABOUT)
    return say("Take {gain} and turn {cuban} face down", gain=names.pesos(tiles.NEWSPAPER_PESOS), cuban=cuban)


def _casino(code: int) -> Phrase:
    sold = code - moves.SELL_POINTS + 1
    if sold > 0:
        return _trade([names.points(sold)], [names.pesos(sold * tiles.CASINO_PESOS)])
    bought = code - moves.BUY_POINTS + 1
    return _trade([names.pesos(bought * tiles.CASINO_PESOS)], [names.points(bought)])


def _flag(position: Position, code: int) -> Phrase:
    if code == moves.FLAG_LEFT:
        return say("Lower the value of goods to {value}", value=int(position.value) - 1)
    if position.value == tiles.HIGHEST_VALUE:
        return say("Send the ship off")
    return say("Raise the value of goods to {value}", value=int(position.value) + 1)


def _take(gain: Phrase) -> Phrase:
    return say("Take {gain}", gain=gain)


def _trade(given: Sequence[Phrase], gain: Sequence[Phrase]) -> Phrase:
    return say("Trade {given} for {gain}", given=listed(given), gain=listed(gain))


def _chance(code: int, seats: Sequence[Name]) -> Phrase:
    if code >= moves.ROLL:
        good, face = divmod(code - moves.ROLL, tiles.DICE.shape[1])
        return say("Roll {die}", die=names.goods(good, int(tiles.DICE[good, face])))
    if code >= moves.STARTER:
        return say("{who} starts the game", who=seats[code - moves.STARTER])
    if code >= moves.PLACE_CUBAN:
        return say("Place {cuban} at the next stop", cuban=names.cuban(code - moves.PLACE_CUBAN))
    return say("Place {building} on the next site", building=names.a_building(code - moves.PLACE_BUILDING))
