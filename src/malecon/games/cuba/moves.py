"""The moves of Cuba: their codes and notation. Whether one is legal, and what it does, is in the rules."""

from __future__ import annotations

from malecon.games.cuba import tiles
from malecon.kernel.notation import Notation

NOTATION = Notation()


def _pairs(word: str, kinds: tuple[str, ...]) -> int:
    """`word sugar citrus` for every pair in the order of `tiles.PAIRS`."""
    first = len(NOTATION)
    for one, other in tiles.PAIRS:
        NOTATION.family(f"{word} {kinds[one]} {kinds[other]}")
    return first


# Setup.
START_MATERIALS = _pairs("materials", tiles.MATERIALS)
START_CROPS = _pairs("crops", tiles.CROPS)

# Cards, and what the characters do.
ENVOY = NOTATION.family("envoy {}", tiles.CHARACTERS)
CARD = NOTATION.family("{}", tiles.CHARACTERS)
FIGURE = NOTATION.family("field {}", range(1, tiles.FIELDS + 1))
HARVEST = NOTATION.family("harvest {}", tiles.CROPS)
IRRIGATE = NOTATION.family("irrigate {}", tiles.CROPS)  # one more crop for one water
BUY = NOTATION.family("buy {}", tiles.TRADE_GOODS)
SELL = NOTATION.family("sell {}", tiles.TRADE_GOODS)
PICK_CROP = NOTATION.family("pick {}", tiles.CROPS)
PICK_MATERIAL = NOTATION.family("pick {}", tiles.MATERIALS)
BUILD = NOTATION.family("build {}", tiles.BUILDINGS)
SITE = NOTATION.family("on {}", range(1, tiles.FIELDS + 1))
SHIP = NOTATION.family("ship {} {}", range(1, tiles.BERTHS + 1), tiles.TRADE_GOODS)  # berth and good
FORGO = NOTATION.family("forgo")  # building, or shipping
DONE = NOTATION.family("done")

# The foreman's uses of buildings. Each family belongs to one building.
STORE = NOTATION.family("store")
GRIND = NOTATION.family("grind {} stone", range(1, tiles.MILLED_AT_MOST + 1))
SAW = NOTATION.family("saw {} wood", range(1, tiles.MILLED_AT_MOST + 1))
SPRINKLE = NOTATION.family("sprinkle {} water", range(1, tiles.MILLED_AT_MOST + 1))
DONATE = NOTATION.family("donate {}", tiles.CROPS)
DONATE_TWO = _pairs("donate", tiles.CROPS)
SERVE_RUM = NOTATION.family("serve {} rum", range(1, tiles.SERVED_AT_MOST + 1))
SERVE_CIGARS = NOTATION.family("serve {} cigars", range(1, tiles.SERVED_AT_MOST + 1))
CONSIGN = NOTATION.family("consign {} {}", range(1, tiles.BERTHS + 1), tiles.TRADE_GOODS)  # through the small office
DISPATCH = NOTATION.family("dispatch {} {}", range(1, tiles.BERTHS + 1), tiles.TRADE_GOODS)  # through the large one
DISPATCH_TWO = len(NOTATION)
for _berth in range(1, tiles.BERTHS + 1):
    for _good in tiles.TRADE_GOODS:
        NOTATION.family(f"dispatch {_berth} {_good} {_good}")
USE_HOTEL = NOTATION.family("use hotel")
USE_HOSTEL = NOTATION.family("use hostel")
VEND_WARE = NOTATION.family("vend {}", tiles.WARES)
VEND_CROP = NOTATION.family("vend {}", tiles.CROPS)
VEND_MATERIAL = NOTATION.family("vend {}", tiles.MATERIALS)
VEND_TWO = _pairs("vend", tiles.MATERIALS)
USE_SMALL_BANK = NOTATION.family("use small bank")
USE_LARGE_BANK = NOTATION.family("use large bank")
# `swap sugar rum` gives sugar for rum: 5 goods given, 4 others taken.
SWAP = len(NOTATION)
for _given in tiles.TRADE_GOODS:
    NOTATION.family("swap {} {}", (_given,), (good for good in tiles.TRADE_GOODS if good != _given))
MAKE_CIGARS = NOTATION.family("make {} cigars", range(1, int(tiles.PIECES[tiles.CIGARS]) + 1))
MAKE_RUM = NOTATION.family("make {} rum", range(1, int(tiles.PIECES[tiles.RUM]) + 1))
VETO = NOTATION.family("veto {}", tiles.GROUPS)
USE_TOWN_HALL = NOTATION.family("use town hall")
USE_DAM = NOTATION.family("use dam")
CALL = NOTATION.family("call {}", tiles.SHIP_NAMES)  # with the lighthouse
END_OF_USES = len(NOTATION)

# Parliament and laws.
BID = NOTATION.family("bid {}", range(tiles.HIGHEST_BID + 1))
ENACT = len(NOTATION)
for _one, _other in tiles.LAW_PAIRS:
    NOTATION.family(f"enact {tiles.GROUPS[_one]} {tiles.GROUPS[_other]}")
PAY_TAX = NOTATION.family("pay tax")
REFUSE_TAX = NOTATION.family("refuse tax")
PAY_DUTY = NOTATION.family("pay duty")
PAY_MATERIALS = _pairs("pay duty", tiles.MATERIALS)
PAY_CROPS = _pairs("pay duty", tiles.CROPS)
REFUSE_DUTY = NOTATION.family("refuse duty")

# Chance.
FIRST_OF_CHANCE = len(NOTATION)
DRAW = NOTATION.family("draw {}", tiles.SHIP_NAMES)
STARTER = NOTATION.family("starter {}", tiles.COLOURS)
PROPOSE = len(NOTATION)
for _group, _laws in zip(tiles.GROUPS, tiles.LAWS, strict=True):
    NOTATION.family("propose {} {}", (_group,), _laws)
MOVES = len(NOTATION)

#: The most legal moves a position can have: every use of every building, with room to spare.
MOST_LEGAL = 256
