"""Our engine beside its peers, in one run on one core: figures as ratios, because the machine is noisy."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

from malecon import games
from malecon.arena.simulation import simulate
from vector import vector_table

ROUNDS = 5


def our_rate(game: str, players: int, count: int) -> float:
    """Player decisions a second in random games, every legal move listed at every decision."""
    return simulate(game, players, count, seed=time.time_ns()).decisions_per_second


def catanatron_rate(count: int = 3) -> float:
    """Actions a second of catanatron's random players, four at a table."""
    from catanatron import Color, Game, RandomPlayer

    actions, began = 0, time.perf_counter()
    for _ in range(count):
        game = Game([RandomPlayer(colour) for colour in Color])
        game.play()
        actions += len(game.state.actions)
    return actions / (time.perf_counter() - began)


def copy_nanoseconds(game: str) -> float:
    """One copy of a position inside a kernel."""
    import numba

    @numba.njit
    def copy_all(cells, rounds):  # type: ignore[no-untyped-def]
        for i in range(rounds):
            cells[i & 1023] = cells[(i + 1) & 1023]

    cells = np.zeros(1024, games.get(game).dtype).view(np.recarray)
    copy_all(cells, 10)
    began = time.perf_counter()
    copy_all(cells, 5_000_000)
    return (time.perf_counter() - began) / 5_000_000 * 1e9


def seconds(command: list[str], **environment: str) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, env=os.environ | environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def median_of(*measures: Callable[[], float]) -> list[float]:
    """The medians of several measures taken in turns, so that a busy moment hits all of them alike."""
    taken = [[measure() for measure in measures] for _ in range(ROUNDS)]
    return [statistics.median(column) for column in zip(*taken, strict=True)]


def main() -> None:
    console = Console()
    table = Table(title="Random games on one core", box=None)
    for title in ("engine", "decisions/s", "times catanatron"):
        table.add_column(title, justify="left" if title == "engine" else "right")
    settings = [(name, players) for name in games.NAMES for players in range(2, games.get(name).most_players + 1)]
    for name, players in settings:
        our_rate(name, players, 100)  # loaded before the clock starts
    measures = [partial(our_rate, name, players, 20_000) for name, players in settings]
    *ours, peer = median_of(*measures, catanatron_rate)
    for (name, players), rate in zip(settings, ours, strict=True):
        table.add_row(f"{games.get(name).title}, {players} players", f"{rate:,.0f}", f"{rate / peer:,.0f}")
    table.add_row("catanatron, 4 players", f"{peer:,.0f}", "1")
    console.print(table)
    console.print(vector_table())

    facts = Table(box=None, show_header=False)
    facts.add_column()
    facts.add_column(justify="right")
    for name in games.NAMES:
        title = games.get(name).title
        facts.add_row(f"{title}: size of a position", f"{games.get(name).dtype.itemsize} bytes")
        facts.add_row(f"{title}: copy of a position in a kernel", f"{copy_nanoseconds(name):.1f} ns")
        command = [sys.executable, "-m", "malecon", "simulate", name, "--games", "1", "--json"]
        with tempfile.TemporaryDirectory() as folder:
            first = seconds(command, MALECON_CACHE_DIR=folder)
            again = min(seconds(command, MALECON_CACHE_DIR=folder) for _ in range(3))
        facts.add_row(f"{title}: first start, everything compiled", f"{first:.1f} s")
        facts.add_row(f"{title}: start from a warm cache", f"{again:.2f} s")
    console.print(facts)


if __name__ == "__main__":
    main()
