"""What a match asks of the rules: a kernel that does in one call all that a move brings with it, for calls are dear.

Every move is checked here. Which text means which move, and what is said of a wrong one, is in `stack`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.kernel.compile import kernel
from malecon.kernel.playing import make_move
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import CHANCE, NOBODY, Moves, actor, legal

#: In `Stack.now`: who acts, and how many moves are listed.
ACTOR, LEGAL = 0, 1
#: In `Stack.dealer` and `Stack.dealt`: chance's moves are for others to make. No generator is ever in this state.
NO_DEALER = 0


class Stack(NamedTuple):
    """All arrays of a match. Those from `before` to `dealt` have a row for every move made, and room for more."""

    cells: Any  # one: the position
    before: Any  # the position each move was made in
    codes: Moves
    actors: npt.NDArray[np.int8]
    dealt: Randomness  # the dealer's state before each move
    dealer: Randomness  # one cell
    listed: Moves  # what is legal now
    now: npt.NDArray[np.int64]


@kernel(inline=True)
def survey(stack: Stack) -> None:
    """Find out who acts now, and list what they may do."""
    seat = actor(stack.cells[0])
    stack.now[ACTOR] = seat
    stack.now[LEGAL] = 0 if seat == NOBODY else legal(stack.cells[0], stack.listed)


@kernel(inline=True)
def is_listed(stack: Stack, move: int) -> bool:
    found = False
    for i in range(stack.now[LEGAL]):
        found |= stack.listed[i] == move
    return found


@kernel
def make(stack: Stack, made: int, move: int, dealt: np.uint64) -> None:
    """Make a listed move, the one of number `made`, for which there must be room."""
    stack.before[made] = stack.cells[0]
    stack.codes[made] = move
    stack.actors[made] = stack.now[ACTOR]
    stack.dealt[made] = dealt
    make_move(stack.cells[0], move, made)
    survey(stack)


@kernel
def advance(stack: Stack, made: int, moves: Moves, draw: bool) -> int:
    """Make moves, for which there must be room, and let chance draw those that follow; how many are made then.

    It stops before the first move that is not legal. If there is no room for what chance draws, it waits.
    """
    survey(stack)
    for i in range(len(moves)):
        move = int(moves[i])
        if not is_listed(stack, move):
            return made
        make(stack, made, move, stack.dealer[0])
        made += 1
    if draw:
        while stack.now[ACTOR] == CHANCE and stack.dealer[0] != NO_DEALER and made < len(stack.codes):
            dealt = stack.dealer[0]
            make(stack, made, int(stack.listed[below(stack.dealer, int(stack.now[LEGAL]))]), dealt)
            made += 1
    return made
