"""A readable guess at what a position of Santiago de Cuba is worth to a seat, in points, for the greedy bot.

Reads only what that seat may know: its own holdings and the open board. Weights are guesses a player might make.
"""

from __future__ import annotations

from malecon.games.santiago import tiles
from malecon.games.santiago.position import DELIVER, PABLO, USE, VISIT
from malecon.kernel.compile import kernel
from malecon.kernel.verbs import Position

PESO = 0.3  # less than the casino's third of a point, and fading as the ships go
IDLE_GOOD = 0.7  # one the ship does not ask for; the next one may
IDLE_WARE = 1.3  # rum and cigars sell at the café too
WOOD_UNIT = 0.6
DEMANDED_SOON = 0.6  # of its value, for a good that could be delivered some time
DEMANDED_NOW = 0.9  # of its value, while the delivery round runs: a point in the hand is better
MARKER = 0.3
OWNED_PER_SHIP = 0.5  # points a seized building may earn while one more ship is loaded
CHOICE_AHEAD = 1.0  # a good of choice, or a building still to be used, this turn
VISIT_AHEAD = 1.2


@kernel
def worth(position: Position, seat: int) -> float:
    ships_left = tiles.SHIPS + 1 - position.ship
    future = ships_left / tiles.SHIPS
    total = position.points[seat] + future * (PESO * position.pesos[seat] + MARKER * position.markers[seat])
    now = DEMANDED_NOW if position.phase == DELIVER else DEMANDED_SOON
    for good in range(len(tiles.DEMANDED)):
        held = position.goods[seat, good]
        demanded = min(held, position.demand[good])
        idle = IDLE_WARE if good >= len(tiles.CROPS) else IDLE_GOOD
        if ships_left == 1:
            idle = 1.0 / tiles.GOODS_PER_FINAL_POINT
        total += demanded * max(now * position.value, idle) + (held - demanded) * idle
    total += WOOD_UNIT * position.goods[seat, tiles.WOOD]
    for building in range(len(tiles.BUILDING_KEYS)):
        if position.owner[building] == seat:
            total += OWNED_PER_SHIP * ships_left
    if position.active == seat:
        if position.phase == PABLO:
            total += CHOICE_AHEAD + VISIT_AHEAD
        elif position.phase == VISIT:
            total += VISIT_AHEAD
        elif position.phase == USE:
            total += CHOICE_AHEAD
    return total
