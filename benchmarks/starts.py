"""What a position and a start cost: bytes, the time of a copy, the first start with everything to compile, later ones.

Part of `make bench`; takes minutes, for it compiles the engine of both games anew.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import numba
import numpy as np
from rich.console import Console

from malecon import games
from report import circumstances, insert, markdown


def copy_nanoseconds(game: str) -> float:
    """One copy of a position inside a kernel."""

    @numba.njit
    def copy_all(cells, rounds):  # type: ignore[no-untyped-def]
        for i in range(rounds):
            cells[i & 1023] = cells[(i + 1) & 1023]

    cells = np.zeros(1024, games.get(game).dtype).view(np.recarray)
    copy_all(cells, 10)
    began = time.perf_counter()
    copy_all(cells, 5_000_000)
    return (time.perf_counter() - began) / 5_000_000 * 1e9


def seconds(*command: str, cache: str) -> float:
    began = time.perf_counter()
    environment = os.environ | {"MALECON_CACHE_DIR": cache}
    subprocess.run([sys.executable, "-m", *command], check=True, env=environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    load = os.getloadavg()
    rows = {
        "a position": [],
        "copying it inside a kernel": [],
        "first start, everything compiled": [],
        "later starts": [],
    }
    for name in games.NAMES:
        with tempfile.TemporaryDirectory() as cache:
            first = seconds("malecon.warm", name, cache=cache)
            simulation = ("malecon", "simulate", name, "--games", "1", "--json")
            again = sorted(seconds(*simulation, cache=cache) for _ in range(5))[2]
        size, copy = games.get(name).dtype.itemsize, copy_nanoseconds(name)
        figures = (f"{size} bytes", f"{copy:.1f} ns", f"{first:.1f} s", f"{again:.2f} s")
        for row, figure in zip(rows.values(), figures, strict=True):
            row.append(figure)
    titles = ["", *(games.get(name).title for name in games.NAMES)]
    text = markdown(titles, [[title, *row] for title, row in rows.items()])
    Console().print(text)
    insert("figures of starts", f"{text}\n\n{circumstances(load, {'numba': numba.__version__})}")


if __name__ == "__main__":
    main()
