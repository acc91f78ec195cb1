"""Random games of Santiago de Cuba beside the same rules in plain C, `random_games.c`, compiled if there is a compiler.

`python benchmarks/plain_c.py` plays both in turns, checks that every game ends alike, and tells the ratio.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

SOURCE = Path(__file__).with_name("random_games.c")
FLAGS = ("-O3", "-shared", "-fPIC")
GAMES = 2_000
ROUNDS = 9
#: What we want to reach: so much of the speed of plain C, with three players.
GOAL = 0.75
PLAYERS = 3


@functools.cache
def library() -> Any:
    """The C port, compiled; FileNotFoundError where there is no compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        raise FileNotFoundError("no C compiler was found; set CC to its name")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "random_games.so"
        subprocess.run([compiler, *FLAGS, "-o", str(made), str(SOURCE)], check=True)
        return ctypes.CDLL(str(made))


def play_in_c(players: int, seeds: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """One game a seed: moves and decisions of each, points and standings of every seat."""
    port, seeds = library(), seeds.copy()
    lengths, results = np.zeros((len(seeds), 2), np.int64), np.zeros((len(seeds), players, 2), np.int64)
    places = [array.ctypes.data_as(ctypes.c_void_p) for array in (seeds, lengths, results)]
    port.play_many(players, len(seeds), *places)
    return lengths, results


def play_ours(players: int, seeds: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The same by our own rules."""
    from malecon import games
    from malecon.kernel.positions import as_array
    from malecon.simulation.whole_games import play_many

    game, count = games.get("santiago"), len(seeds)
    lengths, results = np.zeros((count, 2), np.int64), np.zeros((count, players, 2), np.int64)
    start, bots = as_array(game.new_position(players)), np.zeros(players, np.int64)
    moves, logs = np.zeros(game.most_legal, np.int16), np.zeros((count, 0), np.int16)
    play_many(start, np.zeros(3, game.dtype), bots, seeds.copy(), moves, logs, lengths, results)
    return lengths, results


def rate(play: Any, players: int = PLAYERS) -> float:
    """Decisions in a second of processor time."""
    from malecon.kernel.randomness import streams

    seeds = streams(time.time_ns(), 0, GAMES)
    began = time.process_time()
    lengths, _ = play(players, seeds)
    return float(lengths[:, 1].sum() / (time.process_time() - began))


def are_alike(players: int, games: int = 500) -> bool:
    """Whether both play the very same games."""
    from malecon.kernel.randomness import streams

    seeds = streams(1, 0, games)
    return all(np.array_equal(*pair) for pair in zip(play_in_c(players, seeds), play_ours(players, seeds), strict=True))


def main() -> None:
    for players in (2, 3, 4):
        if not are_alike(players):
            raise SystemExit(f"the C port plays other games than ours with {players} players")
        taken = [(rate(play_ours, players), rate(play_in_c, players)) for _ in range(ROUNDS)]
        ours, theirs = (statistics.median(column) for column in zip(*taken, strict=True))
        ratio = statistics.median(own / other for own, other in taken)
        print(f"{players} players: ours {ours / 1e6:.1f}, plain C {theirs / 1e6:.1f} million decisions/s: {ratio:.2f}")


if __name__ == "__main__":
    main()
