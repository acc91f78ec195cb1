"""Let the search play itself, and write the games to a folder. It can be stopped, and goes on where it was.

    python training/play_games.py santiago --games 100000 --data DIRECTORY --jobs 2

All numbers of players and all table options get equal parts. Each file holds a few games (docs/data.md says what is in
it); a file that is there is not played again. Give every generation of weights its own name. In the end, a card that
describes the games is written beside them.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

import malecon
from malecon import games
from malecon.bots.network import Net, read_net, weights_path
from malecon.bots.searcher import SearchPlan
from malecon.bots.self_play import DRAWN_OF, MOST_MIXED, NOTED_OF, RANDOM_OF, SelfPlayTask, tables, work
from malecon.bots.specs import parse
from malecon.kernel.randomness import mix
from malecon.simulation.workers import spread

GAMES_A_FILE = 25


def play(
    name: str,
    folder: Path,
    count: int,
    plan: SearchPlan,
    net: Net | None,
    quick: int,
    deep: int,
    seed: int,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Play games into a folder, except those that are there."""
    folder.mkdir(parents=True, exist_ok=True)
    kinds = tables(games.get(name))
    files = -(-count // GAMES_A_FILE)
    waiting = []
    for number in range(files):
        players, options = kinds[number % len(kinds)]
        task = SelfPlayTask(name, players, options, GAMES_A_FILE, mix(seed, number) >> 1, plan, quick, deep, net)
        if not path_of(folder, task).exists():
            waiting.append(task)
    there, began = files - len(waiting), time.perf_counter()
    with closing(spread(work, waiting, jobs=jobs, cluster=cluster)) as played:
        for done, (task, arrays) in enumerate(played, 1):
            if arrays:
                path = path_of(folder, task)
                part = path.with_suffix(".part")
                with part.open("wb") as file:
                    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
                part.rename(path)  # a file that is there is whole
            rate = done * GAMES_A_FILE / (time.perf_counter() - began)
            line = f"{(there + done) * GAMES_A_FILE} of {files * GAMES_A_FILE} games, {rate:.1f} games/s"
            print(line, end="\r" if sys.stdout.isatty() else "\n", flush=True)


def write_card(name: str, folder: Path, facts: dict[str, Any]) -> Path:
    """Describe the games in a folder: how they were made, how many there are, how they ended."""
    game, size = games.get(name), 0
    tables: dict[int, list[tuple[int, int, int, np.ndarray[Any, Any], np.ndarray[Any, Any]]]] = {}
    for path in sorted(folder.glob("*.npz")):
        size += path.stat().st_size
        with np.load(path) as arrays:
            players = int(path.name.partition("-")[0])
            moves = int(arrays["lengths"].sum()) if "lengths" in arrays else 0
            part = (len(arrays["notes"]), int(arrays["notes"].sum()), moves, arrays["points"], arrays["wins"])
            tables.setdefault(players, []).append(part)
    rows, total = [], np.zeros(3, np.int64)
    for players, parts in sorted(tables.items()):
        counts = np.array([part[:3] for part in parts]).sum(axis=0)
        points, wins = (np.concatenate([part[column] for part in parts]) for column in (3, 4))
        total += counts
        shares = " / ".join(f"{share:.1%}" for share in wins.mean(axis=0))
        best = np.sort(points, axis=1)[:, ::-1].mean(axis=0)
        rows.append(
            f"| {players} | {counts[0]:,} | {counts[1]:,} | {counts[2] / counts[0]:.0f} "
            f"| {' / '.join(f'{mean:.1f}' for mean in best)} | {shares} |"
        )
    lines = [
        f"# Searched games of {game.title}",
        "",
        f"{total[0]:,} games of Malecón's search against itself, with {total[1]:,} decisions that were searched "
        f"deeply: {size / 1e6:.1f} MB in {len(list(folder.glob('*.npz'))):,} files.",
        "",
        "| players | games | decisions noted | moves a game | mean points by place | share of wins by seat |",
        "| ---: | ---: | ---: | ---: | --- | --- |",
        *rows,
        "",
        "## How they were made",
        "",
        *(f"- **{what}:** {value}" for what, value in facts.items()),
        "- **Table options:** half of the games have the usual ones, the others each of the rest equally often",
        f"- **Variety:** half of the games begin with up to {MOST_MIXED} decisions of which every {RANDOM_OF}th is "
        f"random; later, one move in {DRAWN_OF} is drawn by visits",
        f"- **SelfPlayNotes:** one decision in {NOTED_OF}, drawn at random, is searched deeply and written down",
        "- **Made by:** bots only; nothing in it is about people",
        "- **Licence:** MIT, as the program",
        "",
        "docs/data.md of Malecón says what the arrays of a file mean, and how to read them.",
        "",
    ]
    card = folder / "CARD.md"
    card.write_text("\n".join(lines), encoding="utf-8")
    return card


def _describe_weights(path: Path) -> str:
    return f"`{path.name}`, SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"


def path_of(folder: Path, task: SelfPlayTask) -> Path:
    return folder / f"{task.players}-{task.seed:016x}.npz"


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the settings that all training shares."""
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
    weights = chosen.weights or (Path(plan.net) if plan.net else weights_path(chosen.game))
    facts = {
        "Program": f"Malecón {malecon.__version__}, version {games.get(chosen.game).rules_version} of the rules",
        "Command": f"`malecon train play_games {' '.join(sys.argv[1:])}`",
        "Bot": f"`{chosen.bot}` with {quick} simulations a move, and {deep} for decisions that are noted",
        "Weights": _describe_weights(weights) if plan.value == "learned" and weights.is_file() else "none",
        "Seed": str(chosen.seed),
    }
    print(write_card(chosen.game, folder, facts))


if __name__ == "__main__":
    main()
