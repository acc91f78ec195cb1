"""Train a game's network from nothing: generations of self-play, each played by the one before, and a fit after each.

    python training/train_net.py santiago --data DIRECTORY --jobs 2

Needs PyTorch (the extra `learning`). Stop it when you like: games that are in the folder are not played again, and the
same seed gives the same games. `play_games.py` and `fit_net.py` do the two halves one by one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from fit_net import fit, save
from play_games import add_settings, play

from malecon import games
from malecon.bots import training_data
from malecon.bots.network import read_net, weights_path
from malecon.bots.searcher import SearchPlan

#: A fit learns from this many generations, the newest.
WINDOW = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_settings(parser)
    parser.add_argument("--generations", type=int, default=3)
    parser.add_argument("--units", type=int, default=64)
    parser.add_argument("--judges", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--out", type=Path, help="where the weights go, if not into the package")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    game, home = games.get(chosen.game), chosen.data / chosen.game
    net = None
    for generation in range(1, chosen.generations + 1):
        plan = SearchPlan(sims=1, value="worth" if net is None else "learned")
        folder, seed = home / f"from-nothing-{generation}", 1000 * chosen.seed + generation
        count, quick, deep = chosen.games, chosen.quick, chosen.deep
        play(chosen.game, folder, count, plan, net, quick, deep, seed, chosen.jobs, chosen.cluster)
        newest = range(max(1, generation + 1 - WINDOW), generation + 1)
        samples = training_data.samples(game, [home / f"from-nothing-{number}" for number in newest])
        weights = home / f"from-nothing-{generation}.npz"
        save(weights, fit(samples, game.decisions, chosen.units, chosen.judges, chosen.epochs, chosen.seed))
        net = read_net(weights)
    assert net is not None
    save(chosen.out or weights_path(chosen.game), net)


if __name__ == "__main__":
    main()
