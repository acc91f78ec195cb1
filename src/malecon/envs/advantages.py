"""Advantages for games in which seats take turns: the part of self-play that is easily got wrong."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

#: In `deciders`: nobody had a choice at this table in this step.
NOT_ASKED = -1


def advantages(
    deciders: npt.ArrayLike, rewards: npt.ArrayLike, values: npt.ArrayLike, trust: float = 0.95
) -> npt.NDArray[np.float32]:
    """Generalised advantages (GAE, not discounted) of whole games, for (steps, tables).

    Seats take turns, so the step after a decision may be somebody else's: a decision of a seat leads to *its own* next
    one at that table, and brings all that the seat is rewarded with until then. `deciders` are the seats that chose,
    or NOT_ASKED where nobody had a choice; `rewards` (steps, tables, seats) are what each step brought to every seat;
    `values` are what the deciders expected. With a trust (lambda) of 1 it is the result that counts, with
    0 the next value. Games that are cut off or follow one another at a table must be handed in one by one.
    """
    deciders, rewards, values = np.asarray(deciders), np.asarray(rewards), np.asarray(values)
    if rewards.ndim != 3 or deciders.shape != rewards.shape[:2] or values.shape != rewards.shape[:2]:
        raise ValueError("deciders and values must have the shape (steps, tables), rewards (steps, tables, seats)")
    if deciders.dtype.kind not in "iu" or ((deciders < NOT_ASKED) | (deciders >= rewards.shape[2])).any():
        raise ValueError(f"deciders must be seats from 0 to {rewards.shape[2] - 1}, or {NOT_ASKED}")
    steps, tables, seats = rewards.shape
    gains = np.zeros((steps, tables), np.float32)
    # Of every seat, looking back from the end: its next value and advantage, and the rewards on the way there.
    next_value, next_advantage, brought = np.zeros((3, tables, seats), np.float32)
    for step in range(steps - 1, -1, -1):
        brought += rewards[step]
        at = np.flatnonzero(deciders[step] != NOT_ASKED)
        own = at, deciders[step, at]
        value = values[step, at]
        gains[step, at] = brought[own] + next_value[own] - value + trust * next_advantage[own]
        next_value[own], next_advantage[own], brought[own] = value, gains[step, at], 0
    return gains
