"""What a seat may see of Santiago de Cuba: everything but what stands behind other players' screens."""

from __future__ import annotations

from malecon.games.santiago.position import OVER, UNKNOWN
from malecon.kernel.compile import kernel
from malecon.kernel.verbs import Position


@kernel
def hide(position: Position, seat: int) -> None:
    """Cover what stands behind the other players' screens, until they are removed at the end."""
    if position.open_screens or position.phase == OVER:
        return
    for other in range(position.players):
        if other != seat:
            position.pesos[other] = UNKNOWN
            position.points[other] = UNKNOWN
            position.goods[other] = UNKNOWN
