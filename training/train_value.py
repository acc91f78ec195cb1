"""Train the learned value of a game from nothing: generations of self-play and fits. One command, reproducible.

    python training/train_value.py santiago --jobs 2

Games are split over the numbers of players. The weights go to the package; `--out` puts them elsewhere.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import time
from pathlib import Path

import numpy as np

from malecon import games
from malecon.bots import learning
from malecon.bots.thinking import Plan, weights_path
from malecon.bots.value import Net
from malecon.simulation.workers import spread

GAMES_A_TASK = 10
#: Simulations for a move of self-play: games of Cuba take twice as long.
SIMS = {"santiago": 60, "cuba": 40}


def generate(
    name: str, count: int, plan: Plan, seed: int, net: Net | None, jobs: int | None, cluster: str | None
) -> list[learning.Sample]:
    """Self-play with every number of players; half of all games are for two."""
    game = games.get(name)
    numbers = range(game.fewest_players, game.most_players + 1)
    tasks = []
    for players in numbers:
        share = count // 2 if players == 2 else count // (2 * (len(numbers) - 1))
        for part in range(-(-share // GAMES_A_TASK)):
            tasks.append((name, players, GAMES_A_TASK, plan, 1000 * seed + part, net))
    found = list(spread(learning.self_play_task, tasks, jobs=jobs, cluster=cluster, in_order=True))
    samples = []
    for players in numbers:
        parts = [part for part in found if part[0] == players]
        cells = np.frombuffer(b"".join(part[1] for part in parts), game.dtype).view(np.recarray)
        samples.append(
            learning.Sample(
                players, cells, np.concatenate([p[2] for p in parts]), np.concatenate([p[3] for p in parts])
            )
        )
    return samples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--games", type=int, default=1000, help="in each generation")
    parser.add_argument("--generations", type=int, default=3)
    parser.add_argument("--sims", type=int, help="simulations for a move")
    parser.add_argument("--units", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--cluster", help="a Ray cluster's address, or auto")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    game = games.get(chosen.game)
    sims = chosen.sims or SIMS.get(chosen.game, 50)
    net: Net | None = None
    began = time.perf_counter()
    kept: list[learning.Sample] = []
    for generation in range(chosen.generations):
        plan = Plan(sims=sims, value="worth" if net is None else "learned")
        new = generate(chosen.game, chosen.games, plan, chosen.seed + generation, net, chosen.jobs, chosen.cluster)
        kept = (kept + new)[-2 * len(new) :]  # the last two generations teach
        total = sum(len(sample.positions) for sample in kept)
        print(f"generation {generation + 1}: {total} positions, {time.perf_counter() - began:.0f} s", flush=True)
        net = learning.fit(game, kept, units=chosen.units, epochs=chosen.epochs, seed=chosen.seed, report=print)
    assert net is not None
    out = chosen.out or weights_path(chosen.game)
    np.savez(out, **net._asdict())
    print(f"{out}: {time.perf_counter() - began:.0f} s in all")


if __name__ == "__main__":
    main()
