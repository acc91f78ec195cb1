"""What the kernels of Santiago de Cuba read, by the number of a thing: arrays made from the records in `tiles`."""

from __future__ import annotations

import numpy as np

from malecon.games.santiago import tiles

#: Where there is no good.
NO_GOOD = -1

# Goods: the faces of the dice, and what everybody starts with.
DICE = np.array([good.die for good in tiles.GOODS if good.die], np.int8)
START_GOODS = np.array([good.at_start for good in tiles.GOODS], np.int8)

# Cubans: their flower, or NO_FLOWER, and what they hand over.
CUBAN_FLOWER = np.array(
    [tiles.FLOWER_KEYS.index(cuban.flower) if cuban.flower else tiles.NO_FLOWER for cuban in tiles.CUBANS], np.int8
)
CUBAN_PESOS = np.array([cuban.pesos for cuban in tiles.CUBANS], np.int8)
CUBAN_POINTS = np.array([cuban.points for cuban in tiles.CUBANS], np.int8)
CUBAN_GOOD = np.array([tiles.GOOD_KEYS.index(cuban.good) if cuban.good else NO_GOOD for cuban in tiles.CUBANS], np.int8)
CUBAN_GOODS = np.array([cuban.goods for cuban in tiles.CUBANS], np.int8)

# Buildings: what a use gives, or in the casino costs.
USE_POINTS = np.array([building.points for building in tiles.BUILDINGS], np.int16)
USE_PESOS = np.array([building.pesos for building in tiles.BUILDINGS], np.int16)
