"""What others may have laid face down in Cuba: random envoys and bids that fit what a seat sees."""

from __future__ import annotations

from malecon.games.cuba import tiles
from malecon.games.cuba.position import BIDS, ENVOY, ENVOYS, NOTHING, UNKNOWN
from malecon.kernel.compile import kernel
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import Position

HIGHEST_BID_GUESSED = 6  # more is rare


@kernel
def guess_envoy(position: Position, seat: int, random: Randomness) -> int:
    """Return any character the seat has not played."""
    played = int(position.played[seat])
    left = 0
    for character in range(len(tiles.CHARACTER_KEYS)):
        left += not played >> character & 1
    skipped = below(random, left)
    for character in range(len(tiles.CHARACTER_KEYS)):
        if not played >> character & 1:
            if skipped == 0:
                return character
            skipped -= 1
    return UNKNOWN


@kernel
def has_bid(position: Position, seat: int) -> bool:
    """Asked are all who have money, the second time only those with the most votes."""
    if position.pesos[seat] == 0 or position.bidders >> seat & 1:
        return False
    if position.face_down == BIDS:
        return True
    for other in range(position.players):
        if position.votes[other] > position.votes[seat]:
            return False
    return True


@kernel
def guess(position: Position, seat: int, random: Randomness) -> None:
    for i in range(position.players):
        other = (int(position.starter) + i) % position.players
        if position.face_down == ENVOYS:
            if position.phase == ENVOY and other == position.actor:
                return  # the seats from here on have not chosen yet
            if other != seat:
                position.envoy[other] = guess_envoy(position, other, random)
        elif position.face_down != NOTHING and other != seat and has_bid(position, other):
            position.bid[other] = below(random, min(int(position.pesos[other]), HIGHEST_BID_GUESSED) + 1)
