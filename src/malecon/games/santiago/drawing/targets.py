"""Where on the board of Santiago de Cuba each legal move is made."""

from __future__ import annotations

from malecon.drawing.scene import by_place
from malecon.games.santiago import moves, tiles
from malecon.games.santiago.drawing.harbour import SAILS
from malecon.kernel.verbs import Position
from malecon.kernel.view import Move, View


def targets(view: View) -> dict[str, list[Move]]:
    """Return the legal moves of the view's seat by the id of their thing; moves without a place are under ""."""
    return by_place(view, places)


def places(position: Position, code: int) -> tuple[str, ...]:
    """Return the ids of the things on the board that a move belongs to: where it is made, then what it is about."""
    match moves.NOTATION.read(code):
        case moves.SWAP, (_, taken):
            return place(position, code), f"supply-{tiles.DEMANDED[taken]}"
    return (place(position, code),)


def place(position: Position, code: int) -> str:
    """Return the id of the thing on the board that a move is made at; empty if it has none."""
    match moves.NOTATION.read(code):
        case moves.DRIVE, (steps,):
            stop = (int(position.car) + steps) % tiles.STOPS
            return "port" if stop == tiles.PORT else f"stop-{stop}"
        case moves.TAKE, (good,):
            return f"supply-{tiles.DEMANDED[good]}"
        case ((moves.GIVE_PESO | moves.GIVE_POINT | moves.GIVE_GOOD), _):
            return f"seat-{position.active}"
        case ((moves.SEIZE | moves.VISIT), (building,)):
            return f"building-{tiles.BUILDING_KEYS[building]}"
        case ((moves.LEAVE_OUT | moves.CONSIGN | moves.CLEAR), (good,)):
            return f"die-{tiles.DEMANDED[good]}"
        case ((moves.DELIVER | moves.DELIVER_WOOD), (_, good)):
            return f"die-{tiles.DEMANDED[good]}"
        case moves.FLAG_RIGHT, _:
            return SAILS if position.value == tiles.HIGHEST_VALUE else f"flag-{position.value + 1}"
        case moves.FLAG_LEFT, _:
            return f"flag-{position.value - 1}"
        case moves.PRINT_ABOUT, (cuban,):
            return f"cuban-{tiles.CUBAN_KEYS[cuban]}"
        case family, _ if family in moves.USES:
            return f"building-{tiles.BUILDING_KEYS[moves.USES[family]]}"
    return ""
