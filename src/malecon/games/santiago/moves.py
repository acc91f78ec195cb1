"""The moves of Santiago de Cuba: their codes and notation. Whether one is legal, and what it does, is in the rules.

A family is known by its first code. What stands in its gaps is a number, or the number of a thing in `tiles`.
"""

from __future__ import annotations

from malecon.games.santiago import tiles
from malecon.kernel.notation import Notation

NOTATION = Notation()


def _other_goods(given: int) -> dict[str, int]:
    return {good: number for number, good in enumerate(tiles.DEMANDED) if number != given}


def _faces(good: int) -> dict[str, int]:
    """The six faces of a good's die, all equally likely, and what they show; `1b` is the second that shows a 1."""
    shown = tiles.DICE[good].tolist()
    return {f"{face}b" if face in shown[:i] else f"{face}": face for i, face in enumerate(shown)}


DRIVE = NOTATION.family("drive {}", range(1, tiles.LONGEST_DRIVE + 1))
TAKE = NOTATION.family("take {}", tiles.DEMANDED)  # from Pablo
GIVE_PESO = NOTATION.family("give peso")  # to whoever met El Zorro
GIVE_POINT = NOTATION.family("give point")
GIVE_GOOD = NOTATION.family("give {}", tiles.DEMANDED)
SEIZE = NOTATION.family("seize {}", tiles.BUILDINGS)  # with Alonso
VISIT = NOTATION.family("visit {}", tiles.BUILDINGS)
PASS = NOTATION.family("pass")

# Uses of buildings. Each names its building, so that Alonso's guests can use any one they own.
USE_BANK = NOTATION.family("use bank")
USE_CHURCH = NOTATION.family("use church")
USE_SAWMILL = NOTATION.family("use sawmill")
MAKE_RUM = NOTATION.family("make {} rum", range(1, tiles.SUPPLY_EACH + 1))
MAKE_CIGARS = NOTATION.family("make {} cigars", range(1, tiles.SUPPLY_EACH + 1))
SWAP = NOTATION.family("swap {} {}", tiles.DEMANDED, _other_goods)  # gives the first for the second
SERVE_RUM = NOTATION.family("serve rum")
SERVE_CIGARS = NOTATION.family("serve cigars")
SERVE_BOTH = NOTATION.family("serve rum cigars")
CLEAR = NOTATION.family("clear {}", tiles.DEMANDED)  # customs: that die shows 0
BUY_POINTS = NOTATION.family("buy {} points", range(1, tiles.MOST_AT_CASINO + 1))
SELL_POINTS = NOTATION.family("sell {} points", range(1, tiles.MOST_AT_CASINO + 1))
FLAG_RIGHT = NOTATION.family("flag right")
FLAG_LEFT = NOTATION.family("flag left")
CONSIGN = NOTATION.family("consign {}", tiles.DEMANDED)  # one good through the office
PRINT = NOTATION.family("print")
PRINT_ABOUT = NOTATION.family("print {}", tiles.CUBANS)  # that Cuban turns face down

# `deliver 2 rum`, and `deliver 2 wood rum`: wood in place of rum.
DELIVER = NOTATION.family("deliver {} {}", range(1, tiles.HIGHEST_DEMAND + 1), tiles.DEMANDED)
DELIVER_WOOD = NOTATION.family("deliver {} wood {}", range(1, tiles.HIGHEST_DEMAND + 1), tiles.DEMANDED)
LEAVE_OUT = NOTATION.family("leave {}", tiles.DEMANDED)  # the die that is not put on the ship

# Chance.
PLACE_BUILDING = NOTATION.family("place {}", tiles.BUILDINGS, chance=True)  # on the next site
PLACE_CUBAN = NOTATION.family("place {}", tiles.CUBANS, chance=True)  # at the next stop
STARTER = NOTATION.family("starter {}", tiles.COLOURS, chance=True)
ROLL = NOTATION.family("roll {} {}", tiles.DEMANDED, _faces, chance=True)
MOVES = len(NOTATION)

#: The building that each family of uses belongs to.
USES = {
    USE_BANK: tiles.BANK,
    USE_CHURCH: tiles.CHURCH,
    USE_SAWMILL: tiles.SAWMILL,
    MAKE_RUM: tiles.DISTILLERY,
    MAKE_CIGARS: tiles.FACTORY,
    SWAP: tiles.MARKET,
    SERVE_RUM: tiles.CAFE,
    SERVE_CIGARS: tiles.CAFE,
    SERVE_BOTH: tiles.CAFE,
    CLEAR: tiles.CUSTOMS,
    BUY_POINTS: tiles.CASINO,
    SELL_POINTS: tiles.CASINO,
    FLAG_RIGHT: tiles.HARBORMASTER,
    FLAG_LEFT: tiles.HARBORMASTER,
    CONSIGN: tiles.OFFICE,
    PRINT: tiles.NEWSPAPER,
    PRINT_ABOUT: tiles.NEWSPAPER,
}

# For kernels, by code: the family, and what stands in the gaps.
FAMILY, PARTS = NOTATION.families(), NOTATION.parts()

#: The most legal moves a position can have: exchanging at the casino, with room to spare.
MOST_LEGAL = 256
