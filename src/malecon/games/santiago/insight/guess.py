"""What may stand behind the screens of Santiago de Cuba: a random choice that fits what a seat sees.

Only for a seat that has not followed the game: one that remembers every move knows all holdings and needs no guess.
"""

from __future__ import annotations

from malecon.games.santiago import tiles
from malecon.games.santiago.position import UNKNOWN
from malecon.kernel.compile import kernel
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import Position

MOST_PESOS = 7  # more are rare: they are spent on the car
POINTS_APART = 4  # how far the others may be ahead or behind


@kernel
def guess(position: Position, seat: int, random: Randomness) -> None:
    """Goods are counted: what is neither in the supply nor one's own, the others hold. Pesos and points are not."""
    hidden = 0
    for other in range(position.players):
        if position.points[other] == UNKNOWN:
            hidden += 1
            position.pesos[other] = below(random, MOST_PESOS + 1)
            own = int(position.points[seat])
            position.points[other] = max(0, own - POINTS_APART + below(random, 2 * POINTS_APART + 1))
            position.goods[other] = 0
    if hidden == 0:
        return
    for good in range(len(tiles.GOOD_KEYS)):
        for _ in range(tiles.SUPPLY_EACH - position.supply[good] - position.goods[seat, good]):
            other = below(random, position.players - 1)
            other += other >= seat
            position.goods[other, good] += 1
