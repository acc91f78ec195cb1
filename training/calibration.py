"""Are the chances honest? The review's bot plays itself: the chances it gave the mover, and how often the mover won.

python training/calibration.py santiago --games 100 --jobs 2
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from malecon import games
from malecon.bots import SearchBot, make
from malecon.kernel.randomness import mix
from malecon.match import Match
from malecon.simulation.workers import spread
from malecon.study.review import DEFAULT_BOT

BUCKETS = 10
Pairs = npt.NDArray[np.float64]


def pairs_of(task: tuple[str, int, str, int]) -> Pairs:
    """For every decision of one game: the chance the mover was given, and its share of the win."""
    name, players, bot, seed = task
    match = Match(name, players, seed=seed)
    mind = make(bot, seed)
    assert isinstance(mind, SearchBot)
    given: list[tuple[int, float]] = []
    while (seat := match.turn) is not None:
        if len(match.legal_moves) == 1:
            match.push(next(iter(match.legal_moves)))
            continue
        thoughts = mind.consider(match.view(seat))
        given.append((seat, thoughts.chances[0]))
        match.push(match.game.notation.name(thoughts.best))
    assert match.outcome is not None
    winners = match.outcome.winners
    return np.array([(chance, (seat in winners) / len(winners)) for seat, chance in given])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--bot", default=DEFAULT_BOT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    tasks = [(chosen.game, chosen.players, chosen.bot, mix(chosen.seed, n)) for n in range(chosen.games)]
    found = np.concatenate(list(spread(pairs_of, tasks, jobs=chosen.jobs, in_order=True)))
    chances, won = found[:, 0], found[:, 1]
    bucket = np.minimum((chances * BUCKETS).astype(int), BUCKETS - 1)
    print("| chance given | decisions | mean chance | won |\n| --- | ---: | ---: | ---: |")
    for b in range(BUCKETS):
        here = bucket == b
        if here.any():
            low, high = 100 * b // BUCKETS, 100 * (b + 1) // BUCKETS
            print(f"| {low}–{high} % | {here.sum()} | {chances[here].mean():.0%} | {won[here].mean():.0%} |")
    error = sum(abs(chances[bucket == b].sum() - won[bucket == b].sum()) for b in range(BUCKETS)) / len(found)
    print(f"\nexpected calibration error {error:.3f} over {chosen.games} games, {len(found)} decisions")


if __name__ == "__main__":
    main()
