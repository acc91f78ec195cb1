"""What the button for each move of Santiago de Cuba says, and under which heading it stands in a long list.

Reads the open board only, never what screens cover.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from malecon.games.santiago import moves, names, tiles
from malecon.games.santiago.position import ALONSO, DELIVER
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.text.lists import listed

#: Families of moves by which one does nothing.
WAYS_OUT = frozenset({moves.PASS})


def describe_move(position: Position, code: int, seats: Sequence[Name]) -> Phrase:
    family, parts = moves.NOTATION.read(code)
    if family == moves.STARTER:
        return say("{who} starts the game", who=seats[parts[0]])
    if family in GIFTS:
        return say("Give {taker} {gift}", taker=seats[position.active], gift=GIFTS[family](*parts))
    label = LABELS[family](position, *parts)
    if family in moves.USES and position.phase == ALONSO:  # one of several buildings
        return say("{building}: {use}", building=names.building(moves.USES[family]), use=label)
    return label


def heading(position: Position, code: int) -> Phrase | None:
    """Return what the moves of a group have in common; None for a move that stands by itself."""
    match moves.NOTATION.read(code):
        case moves.SWAP, (given, _):
            return say(
                "{building}: give {goods}", building=names.building(moves.USES[moves.SWAP]), goods=names.goods(given, 1)
            )
        case ((moves.DELIVER | moves.DELIVER_WOOD), (_, good)):
            return names.good(good)
        case family, _ if family in moves.USES:
            return names.building(moves.USES[family])
    return None


def _take(gain: Phrase) -> Phrase:
    return say("Take {gain}", gain=gain)


def _trade(given: Sequence[Phrase], gain: Sequence[Phrase]) -> Phrase:
    return say("Trade {given} for {gain}", given=listed(given), gain=listed(gain))


# --- the car, the Cubans, the piece


def destination(position: Position, steps: int) -> Phrase:
    """Return where a number of steps takes the car, as a part of a sentence: “to José”, “past the port to José”."""
    stop = (int(position.car) + steps) % tiles.STOPS
    passes_port = (int(position.car) + steps - 1) // tiles.STOPS > 0
    if stop == tiles.PORT:
        if passes_port:
            return Phrase("past the port and round to it again", context="drive")
        return Phrase("to the port", context="drive")
    cuban = names.cuban(int(position.cuban_at[stop]))
    if passes_port:
        return Phrase("past the port to {cuban}", {"cuban": cuban}, context="drive")
    return Phrase("to {cuban}", {"cuban": cuban}, context="drive")


def _drive(position: Position, steps: int) -> Phrase:
    where = destination(position, steps)
    if steps == 1:
        return say("Drive {where}", where=where)
    return say("Drive {where} for {cost}", where=where, cost=names.pesos(steps - 1))


def _take_good(position: Position, good: int) -> Phrase:
    return _take(names.goods(good, 1))


def _seize(position: Position, building: int) -> Phrase:
    return say("Seize {building}", building=names.a_building(building))


def _visit(position: Position, building: int) -> Phrase:
    return say("Move {to_building}", to_building=names.to_building(building))


def _pass(position: Position) -> Phrase:
    if position.phase == ALONSO:
        return say("Decline Alonso’s help")
    if position.phase == DELIVER:
        return Phrase("Pass", context="delivery round")
    return say("Do not use {building}", building=names.a_building(int(position.piece[position.active])))


#: What may be given to the one who met El Zorro.
GIFTS: Mapping[int, Callable[..., Phrase]] = {
    moves.GIVE_PESO: lambda: names.pesos(1),
    moves.GIVE_POINT: lambda: names.points(1),
    moves.GIVE_GOOD: lambda good: names.goods(good, 1),
}


# --- ships


def _leave_out(position: Position, good: int) -> Phrase:
    return say("Leave out the die: {die}", die=names.goods(good, int(position.demand[good])))


def _deliver(position: Position, units: int, good: int) -> Phrase:
    gain = names.points(units * int(position.value))
    return say("Deliver {goods} for {gain}", goods=names.goods(good, units), gain=gain)


def _deliver_wood(position: Position, units: int, good: int) -> Phrase:
    return say(
        "Deliver {wood} in place of {good} for {gain}",
        wood=names.goods(tiles.WOOD, units), good=names.good(good), gain=names.points(units * tiles.WOOD_VALUE),
    )  # fmt: skip


# --- buildings


def _gain(building: int) -> list[Phrase]:
    """Return what a use gives."""
    record = tiles.BUILDINGS[building]
    points = [names.points(record.points)] if record.points else []
    return [*points, names.pesos(record.pesos)] if record.pesos else points


def _use_bank(position: Position) -> Phrase:
    return _take(*_gain(tiles.BANK))


def _use_church(position: Position) -> Phrase:
    return _take(*_gain(tiles.CHURCH))


def _use_sawmill(position: Position) -> Phrase:
    return _trade([names.goods(tiles.WOOD, 1)], _gain(tiles.SAWMILL))


def _make_rum(position: Position, made: int) -> Phrase:
    return _trade([names.goods(tiles.SUGAR, made)], [names.goods(tiles.RUM, made)])


def _make_cigars(position: Position, made: int) -> Phrase:
    return _trade([names.goods(tiles.TOBACCO, made)], [names.goods(tiles.CIGARS, made)])


def _swap(position: Position, given: int, taken: int) -> Phrase:
    return _trade([names.goods(given, 1)], [names.goods(taken, 1)])


def _serve(*served: int) -> Callable[..., Phrase]:
    goods = [names.goods(good, 1) for good in served]
    points = names.points(len(served) * tiles.BUILDINGS[tiles.CAFE].points)
    return lambda position: _trade(goods, [points])


def _clear(position: Position, good: int) -> Phrase:
    return say("Turn the die to 0: {good}", good=names.good(good))


def _buy_points(position: Position, bought: int) -> Phrase:
    return _trade([names.pesos(bought * tiles.BUILDINGS[tiles.CASINO].pesos)], [names.points(bought)])


def _sell_points(position: Position, sold: int) -> Phrase:
    return _trade([names.points(sold)], [names.pesos(sold * tiles.BUILDINGS[tiles.CASINO].pesos)])


def _flag_right(position: Position) -> Phrase:
    if position.value == tiles.HIGHEST_VALUE:
        return say("Send the ship off")
    return say("Raise the value of goods to {value}", value=int(position.value) + 1)


def _flag_left(position: Position) -> Phrase:
    return say("Lower the value of goods to {value}", value=int(position.value) - 1)


def _consign(position: Position, good: int) -> Phrase:
    (gain,) = _gain(tiles.OFFICE)
    return say("Deliver {goods} for {gain}", goods=names.goods(good, 1), gain=gain)


def _print(position: Position) -> Phrase:
    return _take(*_gain(tiles.NEWSPAPER))


def _print_about(position: Position, cuban: int) -> Phrase:
    (gain,) = _gain(tiles.NEWSPAPER)
    return say("Get {gain} and turn {cuban} face down", gain=gain, cuban=names.cuban(cuban))


# --- chance


def _place_building(position: Position, building: int) -> Phrase:
    return say("Place {building} on the next site", building=names.a_building(building))


def _place_cuban(position: Position, cuban: int) -> Phrase:
    return say("Place {cuban} at the next stop", cuban=names.cuban(cuban))


def _roll(position: Position, good: int, shown: int) -> Phrase:
    return say("Roll {die}", die=names.goods(good, shown))


LABELS: Mapping[int, Callable[..., Phrase]] = {
    moves.DRIVE: _drive,
    moves.TAKE: _take_good,
    moves.SEIZE: _seize,
    moves.VISIT: _visit,
    moves.PASS: _pass,
    moves.USE_BANK: _use_bank,
    moves.USE_CHURCH: _use_church,
    moves.USE_SAWMILL: _use_sawmill,
    moves.MAKE_RUM: _make_rum,
    moves.MAKE_CIGARS: _make_cigars,
    moves.SWAP: _swap,
    moves.SERVE_RUM: _serve(tiles.RUM),
    moves.SERVE_CIGARS: _serve(tiles.CIGARS),
    moves.SERVE_BOTH: _serve(tiles.RUM, tiles.CIGARS),
    moves.CLEAR: _clear,
    moves.BUY_POINTS: _buy_points,
    moves.SELL_POINTS: _sell_points,
    moves.FLAG_RIGHT: _flag_right,
    moves.FLAG_LEFT: _flag_left,
    moves.CONSIGN: _consign,
    moves.PRINT: _print,
    moves.PRINT_ABOUT: _print_about,
    moves.DELIVER: _deliver,
    moves.DELIVER_WOOD: _deliver_wood,
    moves.LEAVE_OUT: _leave_out,
    moves.PLACE_BUILDING: _place_building,
    moves.PLACE_CUBAN: _place_cuban,
    moves.ROLL: _roll,
}
