"""The moves of Santiago de Cuba: their codes and notation. Whether one is legal, and what it does, is in the rules.

A family is known by its first code. What stands in its gaps is a number, or the number of a thing in `tiles`.
"""

from __future__ import annotations

from malecon.games.santiago import tiles
from malecon.kernel.notation import Choices, Notation

NOTATION = Notation()


def _other_goods(given: int) -> dict[str, int]:
    return {good: number for number, good in enumerate(tiles.DEMANDED) if number != given}


def _faces(good: int) -> dict[str, int]:
    """Return the six faces of a good's die, all equally likely; `1b` is the second that shows a 1."""
    die = tiles.GOODS[good].die
    return {f"{face}b" if face in die[:i] else f"{face}": face for i, face in enumerate(die)}


#: The building that each family of uses belongs to.
USES: dict[int, int] = {}


def _use(building: int, pattern: str, *choices: Choices) -> int:
    """Add a family of uses of a building."""
    family = NOTATION.family(pattern, *choices)
    USES[family] = building
    return family


DRIVE = NOTATION.family("drive {}", range(1, tiles.LONGEST_DRIVE + 1))
TAKE = NOTATION.family("take {}", tiles.DEMANDED)  # from Pablo
GIVE_PESO = NOTATION.family("give peso")  # to the player who met El Zorro
GIVE_POINT = NOTATION.family("give point")
GIVE_GOOD = NOTATION.family("give {}", tiles.DEMANDED)
SEIZE = NOTATION.family("seize {}", tiles.BUILDING_KEYS)  # with Alonso
VISIT = NOTATION.family("visit {}", tiles.BUILDING_KEYS)
PASS = NOTATION.family("pass")

# Uses of buildings. Each names its building, so that Alonso's guests can use any one they own.
USE_BANK = _use(tiles.BANK, "use bank")
USE_CHURCH = _use(tiles.CHURCH, "use church")
USE_SAWMILL = _use(tiles.SAWMILL, "use sawmill")
MAKE_RUM = _use(tiles.DISTILLERY, "make {} rum", range(1, tiles.SUPPLY_EACH + 1))
MAKE_CIGARS = _use(tiles.FACTORY, "make {} cigars", range(1, tiles.SUPPLY_EACH + 1))
SWAP = _use(tiles.MARKET, "swap {} {}", tiles.DEMANDED, _other_goods)  # gives the first for the second
SERVE_RUM = _use(tiles.CAFE, "serve rum")
SERVE_CIGARS = _use(tiles.CAFE, "serve cigars")
SERVE_BOTH = _use(tiles.CAFE, "serve rum cigars")
CLEAR = _use(tiles.CUSTOMS, "clear {}", tiles.DEMANDED)  # customs: that die shows 0
BUY_POINTS = _use(tiles.CASINO, "buy {} points", range(1, tiles.MOST_AT_CASINO + 1))
SELL_POINTS = _use(tiles.CASINO, "sell {} points", range(1, tiles.MOST_AT_CASINO + 1))
FLAG_RIGHT = _use(tiles.HARBORMASTER, "flag right")
FLAG_LEFT = _use(tiles.HARBORMASTER, "flag left")
CONSIGN = _use(tiles.OFFICE, "consign {}", tiles.DEMANDED)  # one good through the office
PRINT = _use(tiles.NEWSPAPER, "print")
PRINT_ABOUT = _use(tiles.NEWSPAPER, "print {}", tiles.CUBAN_KEYS)  # that Cuban turns face down

# `deliver 2 rum`, and `deliver 2 wood rum`: wood in place of rum.
DELIVER = NOTATION.family("deliver {} {}", range(1, tiles.HIGHEST_DEMAND + 1), tiles.DEMANDED)
DELIVER_WOOD = NOTATION.family("deliver {} wood {}", range(1, tiles.HIGHEST_DEMAND + 1), tiles.DEMANDED)
LEAVE_OUT = NOTATION.family("leave {}", tiles.DEMANDED)  # the die that is not put on the ship

# Chance.
PLACE_BUILDING = NOTATION.family("place {}", tiles.BUILDING_KEYS, chance=True)  # on the next site
PLACE_CUBAN = NOTATION.family("place {}", tiles.CUBAN_KEYS, chance=True)  # at the next stop
STARTER = NOTATION.family("starter {}", tiles.COLOURS, chance=True)
ROLL = NOTATION.family("roll {} {}", tiles.DEMANDED, _faces, chance=True)
MOVES = len(NOTATION)

# For kernels, by code: the family, and what stands in the gaps.
FAMILY, PARTS = NOTATION.families(), NOTATION.parts()

#: The most legal moves a position can have: exchanging at the casino, and some more.
MOST_LEGAL = 256
