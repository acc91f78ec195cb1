"""The vectorised environment: steps a second with observations, masks, rewards and new games, beside the bare engine.

`python benchmarks/vector.py` measures it alone, also on one thread; `make bench` shows it beside the peers.
"""

from __future__ import annotations

import functools
import os
import statistics
import time

from rich.console import Console
from rich.table import Table

from malecon import games
from malecon.envs.vector import Tables
from malecon.simulation.statistics import simulate

TABLES = 4096
STEPS = 200
ROUNDS = 5
CORES = os.cpu_count() or 1


@functools.cache
def tables_at_play(game: str, players: int, count: int, threads: int) -> Tables:
    """Past the openings, where all games are alike."""
    tables = Tables(game, players, count, seed=1, threads=threads)
    for _ in range(STEPS):
        tables.step(tables.sample())
    return tables


def step_rate(game: str, players: int, count: int = TABLES, threads: int = CORES, *, scaled: bool = False) -> float:
    """Environment steps a second, a random legal move chosen at every table included.

    `scaled` adds the observations as a network takes them.
    """
    tables = tables_at_play(game, players, count, threads)
    began = time.perf_counter()
    for _ in range(STEPS):
        tables.step(tables.sample())
        if scaled:
            tables.scaled()
    return STEPS * count / (time.perf_counter() - began)


def engine_rate(game: str, players: int) -> float:
    """Decisions a second of random games inside one kernel, on one core."""
    return simulate(game, players, 5_000, seed=time.time_ns()).decisions_per_second


def measure(game: str, players: int) -> list[float]:
    """Medians, taken in turns: the engine, the tables on one thread, on all, and on all with numbers for a network."""
    taken = [
        (
            engine_rate(game, players),
            step_rate(game, players, threads=1),
            step_rate(game, players),
            step_rate(game, players, scaled=True),
        )
        for _ in range(ROUNDS + 1)
    ]
    return [statistics.median(column) for column in zip(*taken[1:], strict=True)]  # the first ones were still loading


def main() -> None:
    table = Table(title=f"{TABLES:,} games in one array: millions of steps a second", box=None)
    table.add_column("game")
    for title in ("engine, 1 core", "1 thread", f"{CORES} threads", "of the engine", "with scaled numbers"):
        table.add_column(title, justify="right")
    for name in games.names():
        for players in range(games.get(name).fewest_players, games.get(name).most_players + 1):
            engine, single, several, scaled = measure(name, players)
            rates = [f"{rate / 1e6:.2f}" for rate in (engine, single, several)]
            title = f"{games.get(name).title}, {players} players"
            table.add_row(title, *rates, f"{several / engine:.2f}", f"{scaled / 1e6:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
