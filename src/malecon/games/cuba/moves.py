"""The moves of Cuba: their codes and notation. Whether one is legal, and what it does, is in the rules.

A family is known by its first code. What stands in its gaps is a number, or the number of a thing in `tiles`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import numpy.typing as npt

from malecon.games.cuba import tiles
from malecon.kernel.notation import Choices, Notation

NOTATION = Notation()


def _goods(kinds: tuple[str, ...]) -> dict[str, int]:
    """Return goods with their numbers among all goods."""
    return {kind: tiles.GOOD_KEYS.index(kind) for kind in kinds}


CROPS = _goods(tiles.CROPS)
WARES = _goods(tiles.WARES)
TRADE_GOODS = _goods(tiles.TRADE_GOODS)
MATERIALS = _goods(tiles.MATERIALS)
FIELDS = {str(field + 1): field for field in range(tiles.FIELDS)}
BERTHS = range(1, tiles.BERTHS + 1)


def _this_or_later(kinds: Mapping[str, int]) -> Callable[[int], dict[str, int]]:
    """Return the choices for the second of a pair, in the order of `tiles.PAIRS`."""
    return lambda first: {kind: number for kind, number in kinds.items() if number >= first}


def _another_good(given: int) -> dict[str, int]:
    return {good: number for good, number in TRADE_GOODS.items() if number != given}


def _later_group(first: int) -> dict[str, int]:
    """Return the choices for the second of a pair, in the order of `tiles.LAW_PAIRS`."""
    return {group: number for number, group in enumerate(tiles.GROUP_KEYS) if number > first}


def _times(building: int) -> range:
    """Return how many units a building may turn into something else."""
    return range(1, tiles.BUILDINGS[building].times + 1)


def _laws(group: int) -> tuple[str, ...]:
    return tiles.LAW_KEYS[group]


#: The building that each family of uses belongs to.
USES: dict[int, int] = {}


def _use(building: int, pattern: str, *choices: Choices) -> int:
    """Add a family of uses of a building."""
    family = NOTATION.family(pattern, *choices)
    USES[family] = building
    return family


# Setup.
START_MATERIALS = NOTATION.family("materials {} {}", MATERIALS, _this_or_later(MATERIALS))
START_CROPS = NOTATION.family("crops {} {}", CROPS, _this_or_later(CROPS))

# Cards, and what the characters do.
ENVOY = NOTATION.family("envoy {}", tiles.CHARACTER_KEYS)
CARD = NOTATION.family("{}", tiles.CHARACTER_KEYS)
FIGURE = NOTATION.family("field {}", FIELDS)
HARVEST = NOTATION.family("harvest {}", CROPS)
IRRIGATE = NOTATION.family("irrigate {}", CROPS)  # one more crop for one water
BUY = NOTATION.family("buy {}", TRADE_GOODS)
SELL = NOTATION.family("sell {}", TRADE_GOODS)
PICK_CROP = NOTATION.family("pick {}", CROPS)
PICK_MATERIAL = NOTATION.family("pick {}", MATERIALS)
BUILD = NOTATION.family("build {}", tiles.BUILDING_KEYS)
SITE = NOTATION.family("on {}", FIELDS)
SHIP = NOTATION.family("ship {} {}", BERTHS, TRADE_GOODS)
FORGO = NOTATION.family("forgo")  # building, or shipping
DONE = NOTATION.family("done")

# The foreman's uses of buildings. Each family belongs to one building.
STORE = _use(tiles.WAREHOUSE, "store")
GRIND = _use(tiles.CEMENT_WORKS, "grind {} stone", _times(tiles.CEMENT_WORKS))
SAW = _use(tiles.SAWMILL, "saw {} wood", _times(tiles.SAWMILL))
SPRINKLE = _use(tiles.GOLF_COURSE, "sprinkle {} water", _times(tiles.GOLF_COURSE))
DONATE = _use(tiles.MONASTERY, "donate {}", CROPS)
DONATE_TWO = _use(tiles.MONASTERY, "donate {} {}", CROPS, _this_or_later(CROPS))
SERVE_RUM = _use(tiles.RUM_CAFE, "serve {} rum", _times(tiles.RUM_CAFE))
SERVE_CIGARS = _use(tiles.CIGAR_CAFE, "serve {} cigars", _times(tiles.CIGAR_CAFE))
CONSIGN = _use(tiles.SMALL_OFFICE, "consign {} {}", BERTHS, TRADE_GOODS)  # through the small office
DISPATCH = _use(tiles.LARGE_OFFICE, "dispatch {} {}", BERTHS, TRADE_GOODS)  # through the large one
DISPATCH_TWO = _use(tiles.LARGE_OFFICE, "dispatch {0} {1} {1}", BERTHS, TRADE_GOODS)
USE_HOTEL = _use(tiles.HOTEL, "use hotel")
USE_HOSTEL = _use(tiles.HOSTEL, "use hostel")
VEND_WARE = _use(tiles.WARE_SHOP, "vend {}", WARES)
VEND_CROP = _use(tiles.CROP_SHOP, "vend {}", CROPS)
VEND_MATERIAL = _use(tiles.MATERIAL_SHOP, "vend {}", MATERIALS)
VEND_TWO = _use(tiles.MATERIAL_SHOP, "vend {} {}", MATERIALS, _this_or_later(MATERIALS))
USE_SMALL_BANK = _use(tiles.SMALL_BANK, "use small bank")
USE_LARGE_BANK = _use(tiles.LARGE_BANK, "use large bank")
SWAP = _use(tiles.BLACK_MARKET, "swap {} {}", TRADE_GOODS, _another_good)  # gives the first for the second
MAKE_CIGARS = _use(tiles.CIGAR_FACTORY, "make {} cigars", _times(tiles.CIGAR_FACTORY))
MAKE_RUM = _use(tiles.DISTILLERY, "make {} rum", _times(tiles.DISTILLERY))
VETO = _use(tiles.CHURCH, "veto {}", tiles.GROUP_KEYS)
USE_TOWN_HALL = _use(tiles.TOWN_HALL, "use town hall")
USE_DAM = _use(tiles.DAM, "use dam")
CALL = _use(tiles.LIGHTHOUSE, "call {}", tiles.SHIP_KEYS)  # with the lighthouse

# Parliament and laws.
BID = NOTATION.family("bid {}", range(tiles.HIGHEST_BID + 1))
ENACT = NOTATION.family("enact {} {}", tiles.GROUP_KEYS, _later_group)
PAY_TAX = NOTATION.family("pay tax")
REFUSE_TAX = NOTATION.family("refuse tax")
PAY_DUTY = NOTATION.family("pay duty")
PAY_MATERIALS = NOTATION.family("pay duty {} {}", MATERIALS, _this_or_later(MATERIALS))
PAY_CROPS = NOTATION.family("pay duty {} {}", CROPS, _this_or_later(CROPS))
REFUSE_DUTY = NOTATION.family("refuse duty")

# Chance.
DRAW = NOTATION.family("draw {}", tiles.SHIP_KEYS, chance=True)
STARTER = NOTATION.family("starter {}", tiles.COLOURS, chance=True)
PROPOSE = NOTATION.family("propose {} {}", tiles.GROUP_KEYS, _laws, chance=True)
MOVES = len(NOTATION)

#: The families of uses that take two goods at once; their buildings have another family for a single good.
USES_OF_TWO = (DONATE_TWO, DISPATCH_TWO, VEND_TWO)


def _by_building(families: Iterable[int]) -> npt.NDArray[np.int16]:
    by_building = {USES[family]: family for family in families}
    return np.array([by_building.get(building, -1) for building in range(len(tiles.BUILDING_KEYS))], np.int16)


# For kernels, by building: the family of its uses, and of those that take two goods.
USE_ONE, USE_TWO = _by_building(family for family in USES if family not in USES_OF_TWO), _by_building(USES_OF_TWO)
# For kernels, by code: the family, what stands in the gaps, and the building that is used.
FAMILY, PARTS = NOTATION.families(), NOTATION.parts()
BUILDING_USED = np.array([USES.get(family, tiles.NO_BUILDING) for family in FAMILY.tolist()], np.int8)

#: The most legal moves a position can have: every use of every building, and some more.
MOST_LEGAL = 256
