"""What a position and a start cost: bytes, the time of a copy, the first start with an empty cache, later ones.

Part of `make bench`; takes minutes, for it compiles the engine of both games anew. Every time is told as seconds of the
clock and, in brackets, of the processor: the first depends on what else the machine does.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numba
import numpy as np
from rich.console import Console

from malecon import games
from report import circumstances, insert, markdown

ROOT = Path(__file__).parents[1]
FIRST_MOVE = """
import malecon
from malecon.text import tell
match = malecon.new({game!r}, 2, seed=1)
match.push(match.legal_moves[0])
tell(match, len(match) - 1)
"""


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


def environment(cache: Path | str, **own: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("MALECON")}
    return kept | {"MALECON_CACHE_DIR": str(cache)} | own


def worked() -> float:
    """Seconds of the processor that all processes we have waited for have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cost(*command: str, cache: str, **own: str) -> str:
    """What a command takes."""
    began, before = time.perf_counter(), worked()
    subprocess.run(
        [sys.executable, *command], check=True, env=environment(cache, **own), stdout=subprocess.DEVNULL, cwd=ROOT
    )
    return seconds_text(time.perf_counter() - began, worked() - before)


def seconds_text(seconds: float, processor: float | None = None) -> str:
    return f"{seconds:.1f} s" if processor is None else f"{seconds:.1f} s ({processor:.1f})"


# --- the table in the browser


class Caller:
    """Somebody at the JSON interface of a server that has just been started."""

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")
        self._token = ""
        self._token = self.ask("/api/people", {})["token"]

    def ask(self, path: str, body: object = None) -> Any:
        headers = {"content-type": "application/json", "authorization": f"Bearer {self._token}"}
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self._address + path, data, headers), timeout=60) as answer:
            return json.loads(answer.read())

    def open(self, game: str) -> str:
        """Open a table with El Patrón."""
        request = {"game": game, "seats": [{"who": "me"}, {"who": "bot:patron"}], "pace": "instant"}
        return str(self.ask("/api/tables", request)["id"])

    def move(self, table: str) -> None:
        """Make an own move as soon as there is one to make."""
        while not (legal := self.ask(f"/api/tables/{table}")["legal"]):
            time.sleep(0.01)
        self.ask(f"/api/tables/{table}/moves", {"move": legal[0]["move"]})

    def wait_for_patron(self, table: str) -> float:
        """Move until El Patrón has made a move; return the seconds that it thought, which can be less than 1.5."""
        while not (seconds := self._thought()):
            self.move(table)
        return seconds

    def _thought(self) -> float:
        with urlopen(f"{self._address}/metrics", timeout=60) as answer:
            sums = re.search(r'think_seconds_sum{kind="bot:patron"} (\S+)', answer.read().decode())
        return float(sums[1]) if sums else 0.0


@contextmanager
def serving(command: list[str], own: dict[str, str]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as data:
        line = [*command, "serve", "--no-browser", "--data", data]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env=own) as server:
            try:
                yield next(url[0] for text in server.stdout or () if (url := re.search(r"http://\S+", text)))
            finally:
                server.terminate()


def start(command: list[str], own: dict[str, str]) -> tuple[str, str, str, str]:
    """Seconds to the page, to the first own move, to the end of El Patrón's first thought, and of that thought."""
    began = time.perf_counter()
    with serving(command, own) as address:
        urlopen(address, timeout=60).read()
        page = time.perf_counter() - began
        caller = Caller(address)
        table = caller.open(games.names()[0])
        caller.move(table)
        moved = time.perf_counter() - began
        thought = caller.wait_for_patron(table)
        answered = time.perf_counter() - began
        return seconds_text(page), seconds_text(moved), seconds_text(answered), seconds_text(thought)


def from_clone() -> list[str]:
    """`make play` in a fresh clone with an empty home: seconds to install, then as `start` says."""
    with tempfile.TemporaryDirectory() as folder:
        clone, home = Path(folder) / "malecon", Path(folder) / "home"
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("MALECON", "PYTHON", "XDG"))}
        own = kept | {"HOME": str(home), "PATH": os.pathsep.join(_without_ours(kept["PATH"]))}
        began, before = time.perf_counter(), worked()
        subprocess.run(["make", "--silent", ".venv/play"], cwd=clone, env=own, check=True, stdout=subprocess.DEVNULL)
        installed = seconds_text(time.perf_counter() - began, worked() - before)
        times = [installed, *start([str(clone / ".venv/bin/malecon")], own)]
        shutil.rmtree(clone)
        return times


def _without_ours(path: str) -> list[str]:
    return [folder for folder in path.split(os.pathsep) if ".venv" not in folder]


def main() -> None:
    load = os.getloadavg()
    rows: dict[str, list[str]] = {
        "a position": [],
        "copying it inside a kernel": [],
        "`malecon.new` and a move, nothing compiled": [],
        "`malecon.new` and a move, compiled before": [],
        "compiling what play needs": [],
        "compiling what research needs as well": [],
    }
    program = [sys.executable, "-m", "malecon"]
    with tempfile.TemporaryDirectory() as warm:
        for name in games.names():
            move = FIRST_MOVE.format(game=name)
            with tempfile.TemporaryDirectory() as empty:
                first = cost("-c", move, cache=empty)
            compiled = [cost("-m", "malecon.warm", name, part, "{}", cache=warm) for part in ("play", "research")]
            again = sorted(cost("-c", move, cache=warm) for _ in range(3))[1]
            size, copy = games.get(name).dtype.itemsize, copy_nanoseconds(name)
            figures = (f"{size} bytes", f"{copy:.1f} ns", first, again, *compiled)
            for row, figure in zip(rows.values(), figures, strict=True):
                row.append(figure)
        titles = ["", *(games.get(name).title for name in games.names())]
        text = markdown(titles, [[title, *row] for title, row in rows.items()])
        later = start(program, environment(warm))
    fresh = from_clone()
    starts = [["fresh clone, empty home: `make play`", *fresh], ["later starts, compiled", "", *later]]
    text += "\n\n" + markdown(["", "packages", "page", "first own move", "El Patrón has moved", "its thought"], starts)
    Console().print(text)
    insert("figures of starts", f"{text}\n\n{circumstances(load, {'numba': numba.__version__})}")


if __name__ == "__main__":
    main()
