"""Which move a beginner may try in the first game of Santiago de Cuba until the first ship has sailed, and why."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.santiago import arrays, moves, names, tiles
from malecon.games.santiago import position as phases
from malecon.kernel.phrases import Phrase, say
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
    codes = [code for code in map(moves.NOTATION.code, legal) if code is not None]
    match int(position.phase):
        case phases.DRIVE:
            return _drive(position, seat)
        case phases.VISIT:
            return _visit(position, seat, codes)
        case phases.DELIVER:
            return _most([code for code in codes if moves.NOTATION.read(code).family == moves.DELIVER])
        case phases.PABLO:
            lacking = _lacking(position, seat)
            return _suggest(moves.TAKE + lacking[0]) if lacking else None
        case phases.ZORRO:
            return _suggest(moves.GIVE_PESO)
        case phases.USE:
            return _most([code for code in codes if _is_useful(position, code)]) or _suggest(moves.PASS)
    return None


def _suggest(code: int, why: Phrase | None = None) -> Suggestion:
    return Suggestion(moves.NOTATION.name(code), why)


def _most(codes: Sequence[int]) -> Suggestion | None:
    """Return the move with the most units, of equal ones the last by the names of goods; None if there is no move."""

    def rank(code: int) -> tuple[int, str]:
        parts = moves.NOTATION.read(code).parts
        return (parts[0] if parts else 0), moves.NOTATION.name(code)

    return _suggest(max(codes, key=rank)) if codes else None


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
            return _suggest(moves.DRIVE + steps - 1, why.fill(cuban=names.cuban(cuban), good=names.good(good)))
    return _suggest(moves.DRIVE, say("Try the next stop: it is free, and you keep your pesos."))


def _visit(position: Position, seat: int, legal: Sequence[int]) -> Suggestion | None:
    for number, building in enumerate(tiles.BUILDINGS):
        if building.makes and moves.VISIT + number in legal:
            crop, ware = (tiles.GOOD_KEYS.index(key) for key in (building.takes[0], building.makes))
            if position.goods[seat][crop] and position.demand[ware]:
                why = say("Try the marked building ({building}): it makes {good}, which the ship wants.")
                return _suggest(moves.VISIT + number, why.fill(building=building.name, good=names.good(ware)))
    for number in ALWAYS_USEFUL:
        if moves.VISIT + number in legal:
            return _suggest(moves.VISIT + number, say("Try the marked building: it always brings something."))
    return None


def _is_useful(position: Position, code: int) -> bool:
    """Return whether a use costs nothing, or makes no more than the ship asks for."""
    family, parts = moves.NOTATION.read(code)
    if family in MAKES:
        return parts[0] <= int(position.demand[MAKES[family]])
    return family in FREE_USES
