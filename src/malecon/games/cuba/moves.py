"""The moves of Cuba: their codes and notation. Whether one is legal, and what it does, is in the rules.

A family is known by its first code. What stands in its gaps is a number, or the number of a thing in `tiles`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import numpy.typing as npt

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


def _times(building: int) -> range:
    """How many units a building may turn into something else."""
    return range(1, int(tiles.USE_TIMES[building]) + 1)


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
GRIND = NOTATION.family("grind {} stone", _times(tiles.CEMENT_WORKS))
SAW = NOTATION.family("saw {} wood", _times(tiles.SAWMILL))
SPRINKLE = NOTATION.family("sprinkle {} water", _times(tiles.GOLF_COURSE))
DONATE = NOTATION.family("donate {}", CROPS)
DONATE_TWO = NOTATION.family("donate {} {}", CROPS, _this_or_later(CROPS))
SERVE_RUM = NOTATION.family("serve {} rum", _times(tiles.RUM_CAFE))
SERVE_CIGARS = NOTATION.family("serve {} cigars", _times(tiles.CIGAR_CAFE))
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
MAKE_CIGARS = NOTATION.family("make {} cigars", _times(tiles.CIGAR_FACTORY))
MAKE_RUM = NOTATION.family("make {} rum", _times(tiles.DISTILLERY))
VETO = NOTATION.family("veto {}", tiles.GROUPS)
USE_TOWN_HALL = NOTATION.family("use town hall")
USE_DAM = NOTATION.family("use dam")
CALL = NOTATION.family("call {}", tiles.SHIP_NAMES)  # with the lighthouse

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
DRAW = NOTATION.family("draw {}", tiles.SHIP_NAMES, chance=True)
STARTER = NOTATION.family("starter {}", tiles.COLOURS, chance=True)
PROPOSE = NOTATION.family("propose {} {}", tiles.GROUPS, _laws, chance=True)
MOVES = len(NOTATION)

#: The building that each family of uses belongs to.
USES = {
    STORE: tiles.WAREHOUSE,
    GRIND: tiles.CEMENT_WORKS,
    SAW: tiles.SAWMILL,
    SPRINKLE: tiles.GOLF_COURSE,
    DONATE: tiles.MONASTERY,
    DONATE_TWO: tiles.MONASTERY,
    SERVE_RUM: tiles.RUM_CAFE,
    SERVE_CIGARS: tiles.CIGAR_CAFE,
    CONSIGN: tiles.SMALL_OFFICE,
    DISPATCH: tiles.LARGE_OFFICE,
    DISPATCH_TWO: tiles.LARGE_OFFICE,
    USE_HOTEL: tiles.HOTEL,
    USE_HOSTEL: tiles.HOSTEL,
    VEND_WARE: tiles.WARE_SHOP,
    VEND_CROP: tiles.CROP_SHOP,
    VEND_MATERIAL: tiles.MATERIAL_SHOP,
    VEND_TWO: tiles.MATERIAL_SHOP,
    USE_SMALL_BANK: tiles.SMALL_BANK,
    USE_LARGE_BANK: tiles.LARGE_BANK,
    SWAP: tiles.BLACK_MARKET,
    MAKE_CIGARS: tiles.CIGAR_FACTORY,
    MAKE_RUM: tiles.DISTILLERY,
    VETO: tiles.CHURCH,
    USE_TOWN_HALL: tiles.TOWN_HALL,
    USE_DAM: tiles.DAM,
    CALL: tiles.LIGHTHOUSE,
}

#: The families of uses that take two goods at once; their buildings have another family for a single good.
USES_OF_TWO = (DONATE_TWO, DISPATCH_TWO, VEND_TWO)


def _by_building(families: Iterable[int]) -> npt.NDArray[np.int16]:
    found = {USES[family]: family for family in families}
    return np.array([found.get(building, -1) for building in range(len(tiles.BUILDINGS))], np.int16)


# For kernels, by building: the family of its uses, and of those that take two goods.
USE_ONE, USE_TWO = _by_building(family for family in USES if family not in USES_OF_TWO), _by_building(USES_OF_TWO)
# For kernels, by code: the family, what stands in the gaps, and the building that is used.
FAMILY, PARTS = NOTATION.families(), NOTATION.parts()
BUILDING_USED = np.array([USES.get(family, tiles.NO_BUILDING) for family in FAMILY.tolist()], np.int8)

#: The most legal moves a position can have: every use of every building, with room to spare.
MOST_LEGAL = 256
