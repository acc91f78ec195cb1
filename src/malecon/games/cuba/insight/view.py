"""What a seat may see of Cuba: everything but the bids and envoys that others have laid face down."""

from __future__ import annotations

from malecon.games.cuba.position import BID, BIDS, ENVOY, ENVOYS, NOTHING, SECOND_BID, SECOND_BIDS, UNKNOWN
from malecon.kernel.compile import kernel
from malecon.kernel.verbs import Position

#: What a move made in a phase lays face down.
LAID_IN = {ENVOY: ENVOYS, BID: BIDS, SECOND_BID: SECOND_BIDS}


@kernel
def hide(position: Position, seat: int) -> None:
    for other in range(position.players):
        if other != seat:
            if position.face_down == ENVOYS:
                position.envoy[other] = UNKNOWN
            elif position.face_down != NOTHING:
                position.bid[other] = UNKNOWN


def conceals(then: Position, now: Position, code: int) -> bool:
    """Return whether a move made in `then` still lies face down in `now`."""
    laid = LAID_IN.get(int(then.phase))
    return laid is not None and then.round_number == now.round_number and now.face_down == laid


def has_bid(position: Position, seat: int) -> bool:
    """Return whether a secret bid of the seat lies on the table: it had money, and has made its bid."""
    if position.phase not in (BID, SECOND_BID) or position.pesos[seat] <= 0 or position.bidders >> seat & 1:
        return False
    return position.phase == BID or bool(position.votes[seat] == position.votes[: position.players].max())
