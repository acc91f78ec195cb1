"""What the kernels of Cuba read, by the number of a thing: arrays made from the records in `tiles`."""

from __future__ import annotations

import numpy as np

from malecon.games.cuba import tiles


def _good(key: str) -> int:
    """Return the number of a good; NOTHING for an empty key."""
    return tiles.GOOD_KEYS.index(key) if key else tiles.NOTHING


# Goods.
PIECES = np.array([good.pieces for good in tiles.GOODS], np.int8)
MARKET_SPACES = np.array([good.market_spaces for good in tiles.GOODS if good.market_spaces], np.int8)
MARKET_START = np.array([good.market_start for good in tiles.GOODS if good.market_spaces], np.int8)
PAIR_FIRST = np.array([first for first, _ in tiles.PAIRS], np.int8)
PAIR_SECOND = np.array([second for _, second in tiles.PAIRS], np.int8)

# Characters: votes in parliament, and what those get who forgo building, or delivery, one after the other.
VOTES = np.array([character.votes for character in tiles.CHARACTERS], np.int8)
ARCHITECT_POINTS = np.array(tiles.CHARACTERS[tiles.ARCHITECT].rewards, np.int8)
MAYOR_PESOS = np.array(tiles.CHARACTERS[tiles.MAYOR].rewards, np.int8)

# Plantations: what each field gives, and the six fields that a figure on a field activates, as bit masks.
_FIELD_GOODS = {kind.letter: _good(kind.good) if kind.good else tiles.YIELDLESS for kind in tiles.FIELD_KINDS}
PLANTATIONS = np.array(
    [[_FIELD_GOODS[letter] for letter in plantation.rows.replace(" ", "")] for plantation in tiles.PLANTATIONS],
    np.int8,
)
CROSS = np.array(
    [
        sum(
            1 << field
            for field in range(tiles.FIELDS)
            if field // tiles.COLUMNS == own // tiles.COLUMNS or field % tiles.COLUMNS == own % tiles.COLUMNS
        )
        for own in range(tiles.FIELDS)
    ],
    np.int16,
)

# Buildings: tiles and costs.
BUILDING_TILES = np.array([building.tiles for building in tiles.BUILDINGS], np.int8)
BUILDING_COST = np.array([building.cost for building in tiles.BUILDINGS], np.int8)
# What a use takes: how many kinds of goods will do, and the first; the others follow it in the order of goods.
USE_KINDS = np.array([len(building.takes) for building in tiles.BUILDINGS], np.int8)
USE_TAKES = np.array([_good(building.takes[0] if building.takes else "") for building in tiles.BUILDINGS], np.int8)
# How often, and what it gives each time.
USE_TIMES = np.array([building.times for building in tiles.BUILDINGS], np.int8)
USE_POINTS = np.array([building.points for building in tiles.BUILDINGS], np.int8)
USE_PESOS = np.array([building.pesos for building in tiles.BUILDINGS], np.int8)
USE_GOOD = np.array([_good(building.good) for building in tiles.BUILDINGS], np.int8)
# What a use is worth in an average round, the printed warehouse included.
USE_VALUE = np.array([building.use_value for building in tiles.STANDING])

# Ships: spaces for each trade good.
SHIP_WANTS = np.array([ship.wants for ship in tiles.SHIP_CARDS], np.int8)

# Laws: the pesos of a tax, the good of a duty if there is no choice, and the pairs of groups that can be enacted.
TAX_PESOS = np.array([law.pesos for law in tiles.GROUPS[tiles.TAX].laws], np.int8)
DUTY_GOOD = np.array(
    [_good(law.goods[0] if len(law.goods) == 1 else "") for law in tiles.GROUPS[tiles.DUTY].laws], np.int8
)
LAW_PAIR_FIRST = np.array([first for first, _ in tiles.LAW_PAIRS], np.int8)
LAW_PAIR_SECOND = np.array([second for _, second in tiles.LAW_PAIRS], np.int8)
