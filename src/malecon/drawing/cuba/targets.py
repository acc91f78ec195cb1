"""Where on the board of Cuba each legal move is made."""

from __future__ import annotations

from malecon.drawing.cuba.buildings import slug
from malecon.games.cuba import moves, tiles
from malecon.games.cuba.buildings import BUILDING_OF_USE
from malecon.games.cuba.foreman import field_to_use
from malecon.games.cuba.position import NONE, SHIP, plantation
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
    if code >= moves.FIRST_OF_CHANCE:
        return ""
    if code >= moves.PAY_DUTY:
        return "law-duty"
    if code >= moves.PAY_TAX:
        return "law-tax"
    if code >= moves.ENACT:
        return "proposals"
    if code >= moves.BID:
        return "hand"
    if code >= moves.STORE:
        field = int(field_to_use(position, int(BUILDING_OF_USE[code - moves.STORE])))
        return "" if field == NONE else f"built-{field + 1}"
    if code >= moves.FORGO:
        return _no_work(position, code)
    return _work(position, code)


def _no_work(position: Position, code: int) -> str:
    if code == moves.DONE:
        return ""
    return "alternative-mayor" if position.phase == SHIP else "alternative-architect"


def _work(position: Position, code: int) -> str:
    """What the characters do, and before the first round, the goods to start with."""
    if code >= moves.SHIP:
        return f"berth-{(code - moves.SHIP) // len(tiles.TRADE_GOODS) + 1}"
    if code >= moves.SITE:
        return f"field-{code - moves.SITE + 1}"
    if code >= moves.BUILD:
        return f"build-{slug(tiles.BUILDINGS[code - moves.BUILD])}"
    if code >= moves.PICK_CROP:
        return "alternative-crop" if code < moves.PICK_MATERIAL else "alternative-material"
    if code >= moves.BUY:
        return f"market-{tiles.TRADE_GOODS[(code - moves.BUY) % len(tiles.TRADE_GOODS)]}"
    if code >= moves.HARVEST:
        return _crop_field(position, (code - moves.HARVEST) % len(tiles.CROPS))
    if code >= moves.FIGURE:
        return f"field-{code - moves.FIGURE + 1}"
    if code >= moves.ENVOY:
        return f"card-{tiles.CHARACTERS[(code - moves.ENVOY) % len(tiles.CHARACTERS)]}"
    return "yard"


def _crop_field(position: Position, crop: int) -> str:
    """The next field of a crop in the figure's row and column that has not yielded yet."""
    seat = int(position.active)
    cross = int(tiles.CROSS[position.figure[seat]])
    ripe = [
        field
        for field, good in enumerate(tiles.PLANTATIONS[plantation(position, seat)].tolist())
        if good == crop and cross >> field & 1 and position.built[seat, field] < 0
    ]
    left = int(position.ripe[crop])
    return f"field-{ripe[-left] + 1}" if 0 < left <= len(ripe) else ""
