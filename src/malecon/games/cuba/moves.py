"""The moves of Cuba: their codes and notation. Whether one is legal, and what it does, is in the rules.

A family is known by its first code. What stands in its gaps is a number, or the number of a thing in `tiles`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from malecon.games.cuba import tiles
from malecon.kernel.notation import Notation

NOTATION = Notation()


def _goods(kinds: tuple[str, ...]) -> dict[str, int]:
    """Each stands for its number among all goods."""
    return {kind: tiles.GOODS.index(kind) for kind in kinds}


CROPS, WARES, TRADE_GOODS, MATERIALS = map(_goods, (tiles.CROPS, tiles.WARES, tiles.TRADE_GOODS, tiles.MATERIALS))
FIELDS = {str(field + 1): field for field in range(tiles.FIELDS)}
BERTHS = range(1, tiles.BERTHS + 1)


def _this_or_later(kinds: Mapping[str, int]) -> Callable[[int], dict[str, int]]:
    """The second of a pair in the order of `tiles.PAIRS`."""
    return lambda first: {kind: number for kind, number in kinds.items() if number >= first}


def _another_good(given: int) -> dict[str, int]:
    return {good: number for good, number in TRADE_GOODS.items() if number != given}


def _later_group(first: int) -> dict[str, int]:
    """The second of a pair in the order of `tiles.LAW_PAIRS`."""
    return {group: number for number, group in enumerate(tiles.GROUPS) if number > first}


def _laws(group: int) -> tuple[str, ...]:
    return tiles.LAWS[group]


# Setup.
START_MATERIALS = NOTATION.family("materials {} {}", MATERIALS, _this_or_later(MATERIALS))
START_CROPS = NOTATION.family("crops {} {}", CROPS, _this_or_later(CROPS))

# Cards, and what the characters do.
ENVOY = NOTATION.family("envoy {}", tiles.CHARACTERS)
CARD = NOTATION.family("{}", tiles.CHARACTERS)
FIGURE = NOTATION.family("field {}", FIELDS)
HARVEST = NOTATION.family("harvest {}", CROPS)
IRRIGATE = NOTATION.family("irrigate {}", CROPS)  # one more crop for one water
BUY = NOTATION.family("buy {}", TRADE_GOODS)
SELL = NOTATION.family("sell {}", TRADE_GOODS)
PICK_CROP = NOTATION.family("pick {}", CROPS)
PICK_MATERIAL = NOTATION.family("pick {}", MATERIALS)
BUILD = NOTATION.family("build {}", tiles.BUILDINGS)
SITE = NOTATION.family("on {}", FIELDS)
SHIP = NOTATION.family("ship {} {}", BERTHS, TRADE_GOODS)
FORGO = NOTATION.family("forgo")  # building, or shipping
DONE = NOTATION.family("done")

# The foreman's uses of buildings. Each family belongs to one building.
STORE = NOTATION.family("store")
GRIND = NOTATION.family("grind {} stone", range(1, tiles.MILLED_AT_MOST + 1))
SAW = NOTATION.family("saw {} wood", range(1, tiles.MILLED_AT_MOST + 1))
SPRINKLE = NOTATION.family("sprinkle {} water", range(1, tiles.MILLED_AT_MOST + 1))
DONATE = NOTATION.family("donate {}", CROPS)
DONATE_TWO = NOTATION.family("donate {} {}", CROPS, _this_or_later(CROPS))
SERVE_RUM = NOTATION.family("serve {} rum", range(1, tiles.SERVED_AT_MOST + 1))
SERVE_CIGARS = NOTATION.family("serve {} cigars", range(1, tiles.SERVED_AT_MOST + 1))
CONSIGN = NOTATION.family("consign {} {}", BERTHS, TRADE_GOODS)  # through the small office
DISPATCH = NOTATION.family("dispatch {} {}", BERTHS, TRADE_GOODS)  # through the large one
DISPATCH_TWO = NOTATION.family("dispatch {0} {1} {1}", BERTHS, TRADE_GOODS)
USE_HOTEL = NOTATION.family("use hotel")
USE_HOSTEL = NOTATION.family("use hostel")
VEND_WARE = NOTATION.family("vend {}", WARES)
VEND_CROP = NOTATION.family("vend {}", CROPS)
VEND_MATERIAL = NOTATION.family("vend {}", MATERIALS)
VEND_TWO = NOTATION.family("vend {} {}", MATERIALS, _this_or_later(MATERIALS))
USE_SMALL_BANK = NOTATION.family("use small bank")
USE_LARGE_BANK = NOTATION.family("use large bank")
SWAP = NOTATION.family("swap {} {}", TRADE_GOODS, _another_good)  # gives the first for the second
MAKE_CIGARS = NOTATION.family("make {} cigars", range(1, int(tiles.PIECES[tiles.CIGARS]) + 1))
MAKE_RUM = NOTATION.family("make {} rum", range(1, int(tiles.PIECES[tiles.RUM]) + 1))
VETO = NOTATION.family("veto {}", tiles.GROUPS)
USE_TOWN_HALL = NOTATION.family("use town hall")
USE_DAM = NOTATION.family("use dam")
CALL = NOTATION.family("call {}", tiles.SHIP_NAMES)  # with the lighthouse
END_OF_USES = len(NOTATION)

# Parliament and laws.
BID = NOTATION.family("bid {}", range(tiles.HIGHEST_BID + 1))
ENACT = NOTATION.family("enact {} {}", tiles.GROUPS, _later_group)
PAY_TAX = NOTATION.family("pay tax")
REFUSE_TAX = NOTATION.family("refuse tax")
PAY_DUTY = NOTATION.family("pay duty")
PAY_MATERIALS = NOTATION.family("pay duty {} {}", MATERIALS, _this_or_later(MATERIALS))
PAY_CROPS = NOTATION.family("pay duty {} {}", CROPS, _this_or_later(CROPS))
REFUSE_DUTY = NOTATION.family("refuse duty")

# Chance.
FIRST_OF_CHANCE = NOTATION.decisions
DRAW = NOTATION.family("draw {}", tiles.SHIP_NAMES, chance=True)
STARTER = NOTATION.family("starter {}", tiles.COLOURS, chance=True)
PROPOSE = NOTATION.family("propose {} {}", tiles.GROUPS, _laws, chance=True)
MOVES = len(NOTATION)

#: The most legal moves a position can have: every use of every building, with room to spare.
MOST_LEGAL = 256
