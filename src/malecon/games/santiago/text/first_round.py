"""Which move a beginner may try in the first game of Santiago de Cuba until the first ship has sailed, and why."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.santiago import names, tiles
from malecon.games.santiago import position as phases
from malecon.kernel.phrases import say
from malecon.kernel.verbs import Position
from malecon.text.rulebook import Suggestion

#: What each of two buildings makes of what.
MAKES = {"distillery": (tiles.SUGAR, tiles.RUM), "factory": (tiles.TOBACCO, tiles.CIGARS)}


def suggestion(position: Position, seat: int, legal: Sequence[str]) -> Suggestion | None:
    """One of the legal moves; None where every one is as good, and after the first ship."""
    phase = int(position.phase)
    if int(position.ship) != 1:
        return None
    if phase == phases.DRIVE:
        return _drive(position, seat)
    if phase == phases.VISIT:
        return _visit(position, seat, legal)
    if phase == phases.DELIVER:
        most = max((move for move in legal if move.startswith("deliver") and "wood" not in move), default=None)
        return None if most is None else Suggestion(most)
    if phase == phases.PABLO:
        return next((Suggestion(f"take {tiles.GOODS[good]}") for good in _wanted(position, seat)), None)
    if phase == phases.ZORRO:
        return Suggestion("give peso")
    if phase == phases.USE:
        return Suggestion(max((move for move in legal if _is_useful(position, move)), default="pass"))
    return None


def _wanted(position: Position, seat: int) -> list[int]:
    """What the ship still wants and this seat has too little of."""
    return [good for good in range(tiles.WOOD) if position.demand[good] > position.goods[seat][good]]


def _drive(position: Position, seat: int) -> Suggestion:
    wanted = _wanted(position, seat)
    for steps in range(1, min(int(position.pesos[seat]) + 1, tiles.STOPS - 1) + 1):
        stop = (int(position.car) + steps) % tiles.STOPS
        if stop == tiles.PORT:
            break  # what is on the other side costs too much
        cuban = int(position.cuban_at[stop])
        if int(tiles.CUBAN_GOOD[cuban]) in wanted and not int(position.face_down) >> cuban & 1:
            why = say("Try {cuban}, who gives you {good}: the ship wants it.")
            return Suggestion(
                f"drive {steps}", why.fill(cuban=names.cuban(cuban), good=names.good(int(tiles.CUBAN_GOOD[cuban])))
            )
    return Suggestion("drive 1", say("Try the next stop: it is free, and you keep your pesos."))


def _visit(position: Position, seat: int, legal: Sequence[str]) -> Suggestion | None:
    for building, (crop, ware) in MAKES.items():
        if f"visit {building}" in legal and position.goods[seat][crop] and position.demand[ware]:
            why = say("Try the marked building ({building}): it makes {good}, which the ship wants.")
            name = names.building(tiles.BUILDINGS.index(building))
            return Suggestion(f"visit {building}", why.fill(building=name, good=names.good(ware)))
    found = next((move for move in ("visit church", "visit bank", "visit newspaper") if move in legal), None)
    return None if found is None else Suggestion(found, say("Try the marked building: it always brings something."))


def _is_useful(position: Position, move: str) -> bool:
    """Whether a use costs nothing, or makes no more than the ship wants."""
    parts = move.split()
    if parts[0] == "make":
        return int(parts[1]) <= int(position.demand[tiles.GOODS.index(parts[2])])
    return move in ("use bank", "use church", "print")
