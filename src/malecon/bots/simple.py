"""The two simple bots as kernels: one plays at random, one takes what looks best at once. Both see only a view."""

from __future__ import annotations

from typing import Any

from malecon.kernel.compile import kernel
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import Moves, Position, actor, hide, legal, play, worth

RANDOM, GREEDY = 0, 1
#: Moves whose worth differs by less are equally good to the greedy bot.
EQUALLY_GOOD = 1e-9


@kernel
def choose_random(view: Position, moves: Moves, random: Randomness) -> int:
    """Any legal move, all equally likely."""
    return moves[below(random, legal(view, moves))]


@kernel
def choose_greedy_among(view: Position, moves: Moves, count: int, trial: Any, random: Randomness) -> int:
    """Of the first so many moves, the one after which the position is worth most to the mover; among equals, any."""
    seat = actor(view)
    best, best_worth, equals = moves[0], -1e300, 0
    for i in range(count):
        trial[0] = view
        play(trial[0], moves[i])
        found = worth(trial[0], seat)
        if found > best_worth + EQUALLY_GOOD:
            best, best_worth, equals = moves[i], found, 1
        elif found > best_worth - EQUALLY_GOOD:
            equals += 1
            if below(random, equals) == 0:
                best = moves[i]
    return best


@kernel
def choose_greedy(view: Position, moves: Moves, trial: Any, random: Randomness) -> int:
    """The move after which the position is worth most to the mover. `trial` is a cell to try in."""
    return choose_greedy_among(view, moves, legal(view, moves), trial, random)


@kernel
def choose(bot: int, truth: Position, view: Any, moves: Moves, trial: Any, random: Randomness) -> int:
    """The move of a simple bot for whoever acts. The truth is hidden from it before it looks: `view` is its cell."""
    view[0] = truth
    hide(view[0], actor(truth))
    if bot == GREEDY:
        return choose_greedy(view[0], moves, trial, random)
    return choose_random(view[0], moves, random)
