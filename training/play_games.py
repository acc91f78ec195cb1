"""Let the search play itself, for data that later runs add to. Stop it when you like: it goes on where it was.

    python training/play_games.py santiago --games 10000 --data DIRECTORY --jobs 2

All numbers of players and all table options get equal parts. Each file holds a few games (`bots/self_play.py` says
what is in it); a file that is there is not played again. Give every generation of weights its own name.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np

from malecon import games
from malecon.bots.self_play import Task, tables, work
from malecon.bots.specs import parse
from malecon.bots.thinking import Plan, read_net
from malecon.bots.value import Net
from malecon.kernel.randomness import mix
from malecon.simulation.workers import spread

GAMES_A_FILE = 25


def play(
    name: str,
    folder: Path,
    count: int,
    plan: Plan,
    net: Net | None,
    quick: int,
    deep: int,
    seed: int,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """So many games into a folder, except those that are there."""
    folder.mkdir(parents=True, exist_ok=True)
    kinds = tables(games.get(name))
    files = -(-count // GAMES_A_FILE)
    waiting = []
    for number in range(files):
        players, options = kinds[number % len(kinds)]
        task = Task(name, players, options, GAMES_A_FILE, mix(seed, number) >> 1, plan, quick, deep, net)
        if not path_of(folder, task).exists():
            waiting.append(task)
    there, began = files - len(waiting), time.perf_counter()
    with closing(spread(work, waiting, jobs=jobs, cluster=cluster)) as played:
        for done, (task, lesson) in enumerate(played, 1):
            if lesson:
                path = path_of(folder, task)
                part = path.with_suffix(".part")
                with part.open("wb") as file:
                    np.savez_compressed(file, **lesson)  # type: ignore[arg-type]
                part.rename(path)  # a file that is there is whole
            rate = done * GAMES_A_FILE / (time.perf_counter() - began)
            line = f"{(there + done) * GAMES_A_FILE} of {files * GAMES_A_FILE} games, {rate:.1f} games/s"
            print(line, end="\r" if sys.stdout.isatty() else "\n", flush=True)


def path_of(folder: Path, task: Task) -> Path:
    return folder / f"{task.players}-{task.seed:016x}.npz"


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Those that training shares."""
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--data", type=Path, required=True, help="the folder the games go to")
    parser.add_argument("--games", type=int, default=10_000, help="in each generation")
    parser.add_argument("--quick", type=int, default=24, help="simulations for most moves")
    parser.add_argument("--deep", type=int, default=160, help="simulations for the moves that are noted")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--cluster", help="a Ray cluster's address, or auto")
    parser.add_argument("--seed", type=int, default=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_settings(parser)
    parser.add_argument("--generation", default="1", help="a name for the games of these weights")
    parser.add_argument("--weights", type=Path, help="other weights than the shipped ones")
    parser.add_argument("--bot", default="search", help="who plays: a search with its settings")
    chosen = parser.parse_args()
    net = read_net(chosen.weights) if chosen.weights else None
    folder = chosen.data / chosen.game / chosen.generation
    plan = parse(chosen.bot).plan
    count, quick, deep = chosen.games, chosen.quick, chosen.deep
    play(chosen.game, folder, count, plan, net, quick, deep, chosen.seed, chosen.jobs, chosen.cluster)


if __name__ == "__main__":
    main()
