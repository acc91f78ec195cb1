"""Reference results of the tasks with names (docs/tasks.md): one baseline learns and is measured, for one seed or all.

    malecon train run_task santiago-2p-v0 --baseline bots --seed 1

Every result is one file of JSON, with the curve of learning. What is there already is not made again, so the command
can be stopped and given again; the games of a measurement are kept one by one. Baselines: `bots` (ours, which learn
nothing), `policy` (policy gradients, training/learn_policy.py; needs PyTorch), `alphazero` (docs/example_alphazero.py).
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import malecon
from malecon import arena
from malecon.envs.tasks import TASKS, Task, task
from malecon.kernel import registry
from malecon.kernel.errors import MaleconError

ROOT = Path(__file__).resolve().parents[1]
#: Our bots as they stand, for comparison.
BOTS = ("random", "greedy", "comerciante", "capitan")
BASELINES = ("bots", "policy", "alphazero")
#: Simulations of the AlphaZero baseline, in self-play and when it is measured.
SIMS = 30


def measure(chosen: Task, spec: str, seed: int, games: int, part: Path, jobs: int | None) -> dict[str, Any]:
    """The agent's results against each opponent; finished games are kept beside `part`."""
    results = {}
    for opponent in chosen.opponents:
        if opponent == spec:
            continue
        file = part.with_name(f"{part.name}-{opponent.replace(':', '-').replace('=', '-')}.games.jsonl")
        result = arena.play(
            chosen.game, [spec, opponent], players=chosen.players, games=games, seed=chosen.evaluation_seed(seed),
            jobs=jobs, file=file,
        )  # fmt: skip
        own = next(bot for bot in result.bots if bot.name == spec)
        kept = ("games", "wins", "win_rate", "interval", "fair_share", "mean_points")
        results[opponent] = {name: value for name, value in asdict(own).items() if name in kept}
        file.unlink(missing_ok=True)
    return results


def learn_policy(chosen: Task, seed: int, minutes: float, file: Path) -> tuple[str, list[dict[str, Any]]]:
    from learn_policy import learn

    policy, curve = learn(registry.get(chosen.game), [chosen.players], 100_000, minutes, 256, seed)
    policy.save(file)
    points = [
        {"minutes": point.minutes, "games": point.games, "against_greedy": point.share, "interval": point.interval}
        for point in curve
    ]
    return f"policy:{file}", points


def learn_alphazero(chosen: Task, seed: int, minutes: float, file: Path) -> tuple[str, list[dict[str, Any]]]:
    """AlphaZero with a small network in NumPy, round after round until the time is used up."""
    import numpy as np

    sys.path.insert(0, str(ROOT / "docs"))
    import example_alphazero as example

    game, random = registry.get(chosen.game), np.random.default_rng(seed)
    network = example.Network(game.pieces.size, game.decisions, chosen.players, seed=seed)
    points, games, began = [], 0, time.process_time()
    while (spent := (time.process_time() - began) / 60) < minutes:
        lessons = example.play(network, chosen.game, chosen.players, 64, SIMS, random)
        for _ in range(2 * len(lessons[0]) // 256 + 1):
            rows = random.integers(len(lessons[0]), size=256)
            network.learn(*(part[rows] for part in lessons))
        games += 64
        points.append({"minutes": spent, "games": games})
    np.savez(file, *network.weights)
    return f"example_alphazero:Bot,weights={file},sims={SIMS}", points


def run(
    chosen: Task, baseline: str, seed: int, folder: Path, minutes: float | None, games: int | None, jobs: int | None
) -> Path:
    """Make one result, unless it is there; return its file."""
    file = folder / chosen.name / f"{baseline}-{seed}.json"
    if file.exists():
        print(f"{file}: there already", flush=True)
        return file
    file.parent.mkdir(parents=True, exist_ok=True)
    budget, many = chosen.core_minutes if minutes is None else minutes, chosen.games if games is None else games
    began = time.process_time()
    curve: list[dict[str, Any]] = []
    if baseline == "bots":
        final = {spec: measure(chosen, spec, seed, many, file.with_suffix(f".{spec}"), jobs) for spec in BOTS}
    else:
        weights = file.with_suffix(".npz")
        learn = learn_policy if baseline == "policy" else learn_alphazero
        spec, curve = learn(chosen, seed, budget, weights)
        learned = (time.process_time() - began) / 60
        final = {baseline: measure(chosen, spec, seed, many, file, jobs)}
        began = time.process_time() - 60 * learned
    result = {
        "task": chosen.name, "fingerprint": chosen.fingerprint, "baseline": baseline, "seed": seed,
        "by_protocol": minutes is None and games is None, "core_minutes": (time.process_time() - began) / 60,
        "games": many, "malecon": malecon.__version__,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(), "curve": curve, "results": final,
    }  # fmt: skip
    part = file.with_suffix(".part")
    part.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    part.replace(file)
    print(f"{file}: {result['core_minutes']:.1f} minutes of processor time", flush=True)
    return file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=[*TASKS, "all"])
    parser.add_argument("--baseline", choices=[*BASELINES, "all"], default="all")
    parser.add_argument("--seed", type=int, help="only this one of the task's seeds")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "tasks", help="the folder of the results")
    parser.add_argument("--minutes", type=float, help="another budget: not by the protocol")
    parser.add_argument("--games", type=int, help="games against each opponent: not by the protocol")
    parser.add_argument("--jobs", type=int, help="games at a time when measuring")
    chosen = parser.parse_args()
    try:
        for name in TASKS if chosen.task == "all" else [chosen.task]:
            for baseline in BASELINES if chosen.baseline == "all" else [chosen.baseline]:
                for seed in task(name).seeds if chosen.seed is None else [chosen.seed]:
                    run(task(name), baseline, seed, chosen.out, chosen.minutes, chosen.games, chosen.jobs)
    except MaleconError as error:
        sys.exit(f"{Path(__file__).name}: {error}")


if __name__ == "__main__":
    main()
