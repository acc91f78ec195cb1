"""Making the moves of a game, with the limit on their number. The caller counts the moves.

The limit is ours, not the rules': no position knows it, and games that end earlier, as all sensible ones do, are the
same without it. docs/rules.md states it.
"""

from __future__ import annotations

from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal
from malecon.kernel.verbs import NOBODY, Position, actor, finish, play, play_logged

#: After this many moves, those of chance included, a game ends with its usual last count. Tests show that only players
#: who want to get there do, and that no number in a position can overflow before.
LONGEST_GAME = 2_000


@kernel(inline=True)
def make_move(position: Position, move: int, made: int) -> int:
    """Make a move after `made` others; return how many there are then."""
    play(position, move)
    if made + 1 >= LONGEST_GAME:
        close(position)
    return made + 1


@kernel
def close(position: Position) -> None:
    if actor(position) != NOBODY:
        finish(position, None)


def is_too_long(position: Position, move: int, made: int) -> bool:
    """Return whether the limit ends the game after this move, and not the rules. The position is played on for it."""
    if made + 1 < LONGEST_GAME:
        return False
    play(position, move)
    return bool(actor(position) != NOBODY)


@kernel
def make_logged_move(position: Position, move: int, made: int, journal: Journal) -> bool:
    """Make a move after `made` others and note what happens; return whether the limit ends the game."""
    play_logged(position, move, journal)
    if made + 1 < LONGEST_GAME or actor(position) == NOBODY:
        return False
    finish(position, journal)
    return True
