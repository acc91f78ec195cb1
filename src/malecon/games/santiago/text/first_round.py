"""Which move a beginner may try in the first game of Santiago de Cuba until the first ship has sailed, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from malecon.games.santiago import arrays, moves, names, tiles
from malecon.games.santiago import position as phases
from malecon.kernel.notation import Reading
from malecon.kernel.phrases import say
from malecon.kernel.verbs import Position
from malecon.text.rulebook import Suggestion

#: Buildings that always bring something, the best first.
ALWAYS_USEFUL = (tiles.CHURCH, tiles.BANK, tiles.NEWSPAPER)
#: Uses that cost nothing.
FREE_USES = (moves.USE_BANK, moves.USE_CHURCH, moves.PRINT)
#: What the families of uses make that turn one good into another.
MAKES = {moves.MAKE_RUM: tiles.RUM, moves.MAKE_CIGARS: tiles.CIGARS}


def suggestion(position: Position, seat: int, legal: Sequence[str]) -> Suggestion | None:
    """Return one of the legal moves; None if every one is as good, and after the first ship."""
    if int(position.ship) != 1:
        return None
    choices = _readings(legal)
    match int(position.phase):
        case phases.DRIVE:
            return _drive(position, seat)
        case phases.VISIT:
            return _visit(position, seat, choices)
        case phases.DELIVER:
            return _most({reading: move for reading, move in choices.items() if reading.family == moves.DELIVER})
        case phases.PABLO:
            lacking = _lacking(position, seat)
            return Suggestion(f"take {tiles.GOOD_KEYS[lacking[0]]}") if lacking else None
        case phases.ZORRO:
            return Suggestion("give peso")
        case phases.USE:
            useful = {reading: move for reading, move in choices.items() if _is_useful(position, reading)}
            return _most(useful) or Suggestion("pass")
    return None


def _readings(legal: Sequence[str]) -> dict[Reading, str]:
    codes = {move: moves.NOTATION.code(move) for move in legal}
    return {moves.NOTATION.read(code): move for move, code in codes.items() if code is not None}


def _most(choices: Mapping[Reading, str]) -> Suggestion | None:
    """Return the move with the most units, of equal ones the last by its notation; None if there is no move."""
    if not choices:
        return None
    return Suggestion(max(choices.items(), key=lambda choice: (choice[0].parts[:1], choice[1]))[1])


def _lacking(position: Position, seat: int) -> list[int]:
    """Return the goods that the ship still asks for and this seat has too little of."""
    return [good for good in range(tiles.WOOD) if position.demand[good] > position.goods[seat][good]]


def _drive(position: Position, seat: int) -> Suggestion:
    lacking = _lacking(position, seat)
    for steps in range(1, min(int(position.pesos[seat]) + 1, tiles.STOPS - 1) + 1):
        stop = (int(position.car) + steps) % tiles.STOPS
        if stop == tiles.PORT:
            break  # what is on the other side costs too much
        cuban = int(position.cuban_at[stop])
        good = int(arrays.CUBAN_GOOD[cuban])
        if good in lacking and not int(position.face_down) >> cuban & 1:
            why = say("Try {cuban}, who gives you {good}: the ship wants it.")
            return Suggestion(f"drive {steps}", why.fill(cuban=names.cuban(cuban), good=names.good(good)))
    return Suggestion("drive 1", say("Try the next stop: it is free, and you keep your pesos."))


def _visit(position: Position, seat: int, choices: Mapping[Reading, str]) -> Suggestion | None:
    visits = {reading.parts[0]: move for reading, move in choices.items() if reading.family == moves.VISIT}
    for number, building in enumerate(tiles.BUILDINGS):
        if building.makes and number in visits:
            crop, ware = (tiles.GOOD_KEYS.index(key) for key in (building.takes[0], building.makes))
            if position.goods[seat][crop] and position.demand[ware]:
                why = say("Try the marked building ({building}): it makes {good}, which the ship wants.")
                return Suggestion(visits[number], why.fill(building=building.name, good=names.good(ware)))
    for number in ALWAYS_USEFUL:
        if number in visits:
            return Suggestion(visits[number], say("Try the marked building: it always brings something."))
    return None


def _is_useful(position: Position, reading: Reading) -> bool:
    """Return whether a use costs nothing, or makes no more than the ship asks for."""
    if reading.family in MAKES:
        return reading.parts[0] <= int(position.demand[MAKES[reading.family]])
    return reading.family in FREE_USES
