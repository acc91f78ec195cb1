"""The vectorised environment: steps a second with observations, masks, rewards and new games, beside the bare engine.

`python benchmarks/vector.py` measures it alone; `make bench` shows it with everything else.
"""

from __future__ import annotations

import os
import statistics
import time

from rich.console import Console
from rich.table import Table

from malecon import games
from malecon.arena.simulation import simulate
from malecon.envs.vector import Tables

TABLES = 4096
STEPS = 200
ROUNDS = 5


def step_rate(tables: Tables) -> float:
    """Environment steps a second, a random legal move chosen at every table included."""
    began = time.perf_counter()
    for _ in range(STEPS):
        tables.step(tables.sample())
    return STEPS * tables.count / (time.perf_counter() - began)


def scaled_rate(tables: Tables) -> float:
    """The same, with the observations as a network takes them."""
    began = time.perf_counter()
    for _ in range(STEPS):
        tables.step(tables.sample())
        tables.scaled()
    return STEPS * tables.count / (time.perf_counter() - began)


def engine_rate(game: str, players: int) -> float:
    """Decisions a second of random games inside one kernel, on one core."""
    return simulate(game, players, 5_000, seed=time.time_ns()).decisions_per_second


def measure(game: str, players: int, threads: int) -> list[float]:
    """Medians, taken in turns: the engine, the tables on one thread, on all, and on all with numbers for a network."""
    one = Tables(game, players, TABLES, seed=1)
    several = Tables(game, players, TABLES, seed=1, threads=threads)
    for tables in (one, several):
        step_rate(tables)  # past the openings, where all games are alike
    engine_rate(game, players)
    taken = [
        (engine_rate(game, players), step_rate(one), step_rate(several), scaled_rate(several)) for _ in range(ROUNDS)
    ]
    several.close()
    return [statistics.median(column) for column in zip(*taken, strict=True)]


def vector_table() -> Table:
    threads = os.cpu_count() or 1
    table = Table(title=f"{TABLES:,} games in one array: millions of steps a second", box=None)
    table.add_column("game")
    for title in ("engine, 1 core", "1 thread", f"{threads} threads", "of the engine", "with scaled numbers"):
        table.add_column(title, justify="right")
    for name in games.NAMES:
        for players in range(2, games.get(name).most_players + 1):
            engine, one, several, scaled = measure(name, players, threads)
            rates = [f"{rate / 1e6:.2f}" for rate in (engine, one, several)]
            title = f"{games.get(name).title}, {players} players"
            table.add_row(title, *rates, f"{several / engine:.2f}", f"{scaled / 1e6:.2f}")
    return table


if __name__ == "__main__":
    Console().print(vector_table())
