"""Making moves one after the other, up to the longest game: whoever plays a game counts its moves and makes them here.

The limit is ours, not the rules': no position knows it, and games that end earlier, as all sensible ones do, are the
same without it. docs/rules.md states it.
"""

from __future__ import annotations

from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal
from malecon.kernel.verbs import NOBODY, Position, actor, finish, play, play_logged

#: After so many moves, those of chance included, a game ends with its usual last count. Tests show that none gets near
#: without meaning to, and that no number in a position can wrap before.
LONGEST_GAME = 2_000


@kernel(inline=True)
def make_move(position: Position, move: int, made: int) -> int:
    """Make the move that follows so many others; how many there are then."""
    play(position, move)
    if made + 1 >= LONGEST_GAME:
        close(position)
    return made + 1


@kernel
def close(position: Position) -> None:
    if actor(position) != NOBODY:
        finish(position, None)


def is_too_long(position: Position, move: int, made: int) -> bool:
    """Whether the limit ends the game after this move, and not the rules. The position is played on for it."""
    if made + 1 < LONGEST_GAME:
        return False
    play(position, move)
    return bool(actor(position) != NOBODY)


@kernel
def make_logged_move(position: Position, move: int, made: int, journal: Journal) -> bool:
    """Make the move that follows so many others, noting what happens; whether it is the limit that ends the game."""
    play_logged(position, move, journal)
    if made + 1 < LONGEST_GAME or actor(position) == NOBODY:
        return False
    finish(position, journal)
    return True
