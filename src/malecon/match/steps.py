"""The kernel of a match: it checks moves, makes them and lists what is legal then, in one call, for calls cost time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.kernel.compile import kernel
from malecon.kernel.playing import make_move
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import CHANCE, NOBODY, Moves, actor, legal

#: Indices of `Stack.now`: who acts, and how many moves are listed.
ACTOR = 0
LEGAL = 1
#: In `Stack.dealer` and `Stack.dealt`: chance's moves are not drawn here. No generator is ever in this state.
NO_DEALER = 0


class Stack(NamedTuple):
    """All arrays of a match. Those from `before` to `dealt` have a row for every move made, and free rows."""

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
    """Set who acts now, and list the legal moves."""
    seat = actor(stack.cells[0])
    stack.now[ACTOR] = seat
    stack.now[LEGAL] = 0 if seat == NOBODY else legal(stack.cells[0], stack.listed)


@kernel(inline=True)
def is_listed(stack: Stack, move: int) -> bool:
    listed = False
    for i in range(stack.now[LEGAL]):
        listed |= stack.listed[i] == move
    return listed


@kernel
def make(stack: Stack, made: int, move: int, dealt: np.uint64) -> None:
    """Make a listed move as number `made`, for which there must be a free row."""
    stack.before[made] = stack.cells[0]
    stack.codes[made] = move
    stack.actors[made] = stack.now[ACTOR]
    stack.dealt[made] = dealt
    make_move(stack.cells[0], move, made)
    survey(stack)


@kernel
def advance(stack: Stack, made: int, moves: Moves, draw: bool, look: bool) -> int:
    """Make moves, for which there must be free rows, and draw those of chance that follow; return how many are made.

    It stops before the first move that is not legal, and when there is no row for what chance draws. `look` says that
    the position was not reached by a move, so that what is legal in it must be listed first.
    """
    if look:
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
