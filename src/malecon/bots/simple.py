"""The two simple bots as kernels: one plays at random, the other takes what looks best now. Both see only a view."""

from __future__ import annotations

from typing import Any

from malecon.kernel.compile import kernel
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import Moves, Position, actor, hide, legal, play, worth

RANDOM = 0
GREEDY = 1
#: Moves whose worth differs by less are equally good to the greedy bot.
EQUALLY_GOOD = 1e-9


@kernel
def choose_random(view: Position, moves: Moves, random: Randomness) -> int:
    """Return any legal move, all equally likely."""
    return moves[below(random, legal(view, moves))]


@kernel
def choose_greedy_among(view: Position, moves: Moves, count: int, trial: Any, random: Randomness) -> int:
    """Return that of the first `count` moves after which the position is worth most to the mover; among equals, any."""
    seat = actor(view)
    best, best_worth, equals = moves[0], -1e300, 0
    for i in range(count):
        trial[0] = view
        play(trial[0], moves[i])
        value = worth(trial[0], seat)
        if value > best_worth + EQUALLY_GOOD:
            best, best_worth, equals = moves[i], value, 1
        elif value > best_worth - EQUALLY_GOOD:
            equals += 1
            if below(random, equals) == 0:
                best = moves[i]
    return best


@kernel
def choose_greedy(view: Position, moves: Moves, trial: Any, random: Randomness) -> int:
    """Return the move after which the position is worth most to the mover. `trial` is a cell to try moves in."""
    return choose_greedy_among(view, moves, legal(view, moves), trial, random)


@kernel
def choose(bot: int, truth: Position, view: Any, moves: Moves, trial: Any, random: Randomness) -> int:
    """Return the move of a simple bot for the actor. It sees only what the actor may know, in the cell `view`."""
    view[0] = truth
    hide(view[0], actor(truth))
    if bot == GREEDY:
        return choose_greedy(view[0], moves, trial, random)
    return choose_random(view[0], moves, random)
