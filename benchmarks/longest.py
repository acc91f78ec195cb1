"""What the limit of moves costs: the same random games with and without it, by turns, in processor time.

python benchmarks/longest.py

The two kernels differ in nothing but the comparison after every move. Rounds are short and alternate, so that whatever
else the machine does falls on both.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from malecon import games
from malecon.kernel.compile import kernel
from malecon.kernel.playing import make_move
from malecon.kernel.randomness import Randomness, below, streams
from malecon.kernel.verbs import NOBODY, Moves, actor, legal, play

PLAYERS, GAMES, ROUNDS = 3, 4_000, 41


@kernel
def limited(start: Any, cells: Any, moves: Moves, seeds: Randomness) -> int:
    total = 0
    for game in range(len(seeds)):
        cells[0] = start[0]
        position, made, random = cells[0], 0, seeds[game : game + 1]
        while actor(position) != NOBODY:
            made = make_move(position, moves[below(random, legal(position, moves))], made)
        total += made
    return total


@kernel
def unlimited(start: Any, cells: Any, moves: Moves, seeds: Randomness) -> int:
    total = 0
    for game in range(len(seeds)):
        cells[0] = start[0]
        position, made, random = cells[0], 0, seeds[game : game + 1]
        while actor(position) != NOBODY:
            play(position, moves[below(random, legal(position, moves))])
            made += 1
        total += made
    return total


def measure(name: str, count: int = GAMES, rounds: int = ROUNDS) -> tuple[float, float, float, int]:
    """The ratio of the times with and without the limit: its median and quartiles; and the moves of a round."""
    game = games.get(name)
    start, cells = (np.zeros(1, game.dtype).view(np.recarray) for _ in range(2))
    start[0] = game.new_position(PLAYERS)
    moves = np.empty(game.most_legal, np.int16)
    ratios, total = [], 0
    limited(start, cells, moves, streams(0, 0, 1))  # compiles
    unlimited(start, cells, moves, streams(0, 0, 1))
    for number in range(rounds):
        times, lengths = {}, {}
        for kernels in (limited, unlimited) if number % 2 else (unlimited, limited):
            seeds = streams(number, 0, count)
            began = time.process_time()
            lengths[kernels] = kernels(start, cells, moves, seeds)
            times[kernels] = time.process_time() - began
        assert lengths[limited] == lengths[unlimited]  # no game of these is so long
        ratios.append(times[limited] / times[unlimited])
        total = lengths[limited]
    low, middle, high = statistics.quantiles(ratios, n=4)
    return middle, low, high, total


def main() -> None:
    for name in games.names():
        middle, low, high, moves = measure(name)
        print(f"{name}: {middle:.3f} of the time ({low:.3f} to {high:.3f}), {ROUNDS} pairs of {moves:,} moves")


if __name__ == "__main__":
    main()
