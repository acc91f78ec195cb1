"""Where on the board of Santiago de Cuba each legal move is made."""

from __future__ import annotations

from malecon.drawing.santiago.harbour import SAILS
from malecon.games.santiago import moves, tiles
from malecon.games.santiago.reasons import used_building
from malecon.kernel.verbs import Position
from malecon.view import Move, View


def targets(view: View) -> dict[str, list[Move]]:
    """The legal moves of the view's seat by the id of their thing; moves without a place are under ""."""
    found: dict[str, list[Move]] = {}
    if view.turn is not None and view.turn == view.seat:
        for move in view.legal_moves:
            found.setdefault(place(view.position, move.code), []).append(move)
    return found


def place(position: Position, code: int) -> str:
    """The id of the thing on the board that a move belongs to; empty where it has none."""
    if code >= moves.LEAVE_OUT:
        return f"die-{tiles.DEMANDED[code - moves.LEAVE_OUT]}"
    if code >= moves.DELIVER:  # so many of a good, or so much wood in its place
        return f"die-{tiles.DEMANDED[(code - moves.DELIVER) % tiles.WOOD]}"
    if code > moves.PASS:
        return _use(position, code)
    if code == moves.PASS:
        return ""
    if code >= moves.VISIT:
        return f"building-{tiles.BUILDINGS[code - moves.VISIT]}"
    if code >= moves.SEIZE:
        return f"building-{tiles.BUILDINGS[code - moves.SEIZE]}"
    if code >= moves.GIVE_PESO:
        return f"seat-{position.active}"
    if code >= moves.TAKE:
        return f"supply-{tiles.DEMANDED[code - moves.TAKE]}"
    stop = (int(position.car) + code - moves.DRIVE + 1) % tiles.STOPS
    return "port" if stop == tiles.PORT else f"stop-{stop}"


def _use(position: Position, code: int) -> str:
    """Where a building takes effect, if that is somewhere else; otherwise the building."""
    if code >= moves.PRINT_ABOUT:
        return f"cuban-{tiles.CUBANS[code - moves.PRINT_ABOUT]}"
    building = used_building(code)
    if building == tiles.OFFICE:
        return f"die-{tiles.DEMANDED[code - moves.CONSIGN]}"
    if building == tiles.CUSTOMS:
        return f"die-{tiles.DEMANDED[code - moves.CLEAR]}"
    if building == tiles.HARBORMASTER:
        value = int(position.value) + (1 if code == moves.FLAG_RIGHT else -1)
        return SAILS if value > tiles.HIGHEST_VALUE else f"flag-{value}"
    return f"building-{tiles.BUILDINGS[building]}"
