"""The moves of Santiago de Cuba: their codes and notation. Whether one is legal, and what it does, is in `rules`."""

from __future__ import annotations

from malecon.games.santiago import tiles
from malecon.kernel.notation import Notation

NOTATION = Notation()

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
# `swap sugar rum` gives sugar for rum: 5 goods given, 4 others taken; see `swap_code` and `swapped`.
SWAP = len(NOTATION)
for _given in tiles.DEMANDED:
    NOTATION.family("swap {} {}", (_given,), (good for good in tiles.DEMANDED if good != _given))
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

# Chance. A die has six faces, all equally likely; `1b` is the second face that shows a 1.
FIRST_OF_CHANCE = len(NOTATION)
PLACE_BUILDING = NOTATION.family("place {}", tiles.BUILDINGS)  # on the next site
PLACE_CUBAN = NOTATION.family("place {}", tiles.CUBANS)  # at the next stop
STARTER = NOTATION.family("starter {}", tiles.COLOURS)
ROLL = len(NOTATION)
for _good, _faces in zip(tiles.DEMANDED, tiles.DICE.tolist(), strict=True):
    NOTATION.family(
        "roll {} {}", (_good,), (f"{face}b" if face in _faces[:i] else face for i, face in enumerate(_faces))
    )
MOVES = len(NOTATION)

#: The most legal moves a position can have: exchanging at the casino, with room to spare.
MOST_LEGAL = 256
