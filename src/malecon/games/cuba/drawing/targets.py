"""Where on the board of Cuba each legal move is made."""

from __future__ import annotations

from malecon.drawing.scene import by_place
from malecon.games.cuba import arrays, moves, tiles
from malecon.games.cuba.drawing.buildings import slug
from malecon.games.cuba.position import NONE, SHIP, plantation
from malecon.games.cuba.rules.foreman import field_to_use
from malecon.kernel.verbs import Position
from malecon.kernel.view import Move, View


def targets(view: View) -> dict[str, list[Move]]:
    """Return the legal moves of the view's seat by the id of their thing; moves without a place are under ""."""
    return by_place(view, places)


def places(position: Position, code: int) -> tuple[str, ...]:
    """Return the ids of the things on the board that a move belongs to: where it is made, then what it is about."""
    family, parts = moves.NOTATION.read(code)
    match family, parts:
        case moves.SHIP, (_, good):
            return place(position, code), f"heap-{tiles.GOOD_KEYS[good]}"
        case moves.SWAP, (given, taken):
            return place(position, code), f"heap-{tiles.GOOD_KEYS[given]}", f"stock-{tiles.GOOD_KEYS[taken]}"
        case ((moves.CONSIGN | moves.DISPATCH | moves.DISPATCH_TWO), (berth, good)):
            return place(position, code), f"berth-{berth}", f"heap-{tiles.GOOD_KEYS[good]}"
        case ((moves.START_MATERIALS | moves.START_CROPS), (one, other)):
            return place(position, code), *(f"stock-{tiles.GOOD_KEYS[good]}" for good in {one, other})
    return (place(position, code),)


def place(position: Position, code: int) -> str:
    """Return the id of the thing on the board that a move is made at; empty if it has none."""
    family, parts = moves.NOTATION.read(code)
    if family in moves.USES:
        field = int(field_to_use(position, moves.USES[family]))
        return "" if field == NONE else f"built-{field + 1}"
    match family, parts:
        case ((moves.START_MATERIALS | moves.START_CROPS), _):
            return "yard"
        case ((moves.ENVOY | moves.CARD), (character,)):
            return f"card-{tiles.CHARACTER_KEYS[character]}"
        case ((moves.FIGURE | moves.SITE), (field,)):
            return f"field-{field + 1}"
        case ((moves.HARVEST | moves.IRRIGATE), (crop,)):
            return _crop_field(position, crop)
        case moves.BUY, (good,):
            return f"buy-{tiles.GOOD_KEYS[good]}"
        case moves.SELL, (good,):
            return f"sell-{tiles.GOOD_KEYS[good]}"
        case moves.PICK_CROP, _:
            return "alternative-crop"
        case moves.PICK_MATERIAL, _:
            return "alternative-material"
        case moves.BUILD, (building,):
            return f"build-{slug(tiles.BUILDING_KEYS[building])}"
        case moves.SHIP, (berth, _):
            return f"berth-{berth}"
        case moves.FORGO, _:
            return "alternative-mayor" if position.phase == SHIP else "alternative-architect"
        case moves.BID, _:
            return "hand"
        case moves.ENACT, _:
            return "proposals"
        case ((moves.PAY_TAX | moves.REFUSE_TAX), _):
            return "law-tax"
        case ((moves.PAY_DUTY | moves.PAY_MATERIALS | moves.PAY_CROPS | moves.REFUSE_DUTY), _):
            return "law-duty"
    return ""


def _crop_field(position: Position, crop: int) -> str:
    """Return the id of the next field of a crop in the figure's row and column that has not yielded yet."""
    seat = int(position.active)
    cross = int(arrays.CROSS[position.figure[seat]])
    ripe = [
        field
        for field, good in enumerate(arrays.PLANTATIONS[plantation(position, seat)].tolist())
        if good == crop and cross >> field & 1 and position.built[seat, field] < 0
    ]
    left = int(position.ripe[crop])
    return f"field-{ripe[-left] + 1}" if 0 < left <= len(ripe) else ""
