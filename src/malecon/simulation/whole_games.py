"""Whole games between simple bots inside one kernel: nothing plays them faster."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from malecon.bots.simple import choose
from malecon.kernel.compile import kernel
from malecon.kernel.playing import make_move
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import NOBODY, Moves, actor, legal, points, standing


@kernel
def play_one(cells: Any, bots: npt.NDArray[np.int64], moves: Moves, log: Moves, random: Randomness) -> tuple[int, int]:
    """Play the game in `cells[0]` to its end; the moves made, chance's included, and the decisions among them.

    The further cells are scratch for the bots. Moves are logged while there is room.
    """
    position = cells[0]
    made = 0
    decisions = 0
    while actor(position) != NOBODY:
        seat = actor(position)
        if seat < 0:
            move = moves[below(random, legal(position, moves))]
        else:
            decisions += 1
            if bots[seat] == 0:  # any legal move: no secret could sway it, so the view is spared
                move = moves[below(random, legal(position, moves))]
            else:
                move = choose(bots[seat], position, cells[1:2], moves, cells[2:3], random)
        if made < len(log):
            log[made] = move
        made = make_move(position, move, made)
    return made, decisions


@kernel
def play_many(
    start: Any,
    cells: Any,
    bots: npt.NDArray[np.int64],
    seeds: Randomness,
    moves: Moves,
    logs: npt.NDArray[np.int16],
    lengths: npt.NDArray[np.int64],
    results: npt.NDArray[np.int64],
) -> None:
    """One game for each seed. `lengths` gets moves and decisions, `results` points and standing of every seat."""
    for game in range(len(seeds)):
        cells[0] = start[0]
        made, decisions = play_one(cells, bots, moves, logs[game], seeds[game : game + 1])
        lengths[game, 0] = made
        lengths[game, 1] = decisions
        for seat in range(len(bots)):
            results[game, seat, 0] = points(cells[0], seat)
            results[game, seat, 1] = standing(cells[0], seat)
