"""Compiling the kernels ahead of time, with something to look at while it happens. Nothing is decided here."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numba

from malecon import games
from malecon.kernel import cache

if TYPE_CHECKING:
    from malecon.match import View


#: The modules with the kernels that `steps` compiles, beside the games' own.
KERNELS = ("malecon.match", "malecon.bots.simple", "malecon.bots.search", "malecon.simulation.whole_games")


def steps(name: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """What must be compiled for a game: a word for the progress bar and the work, in order."""
    from malecon.bots import SIMPLE, make
    from malecon.match import Match
    from malecon.simulation.statistics import simulate

    def finished() -> Match:
        match = Match(name, games.get(name).fewest_players, seed=1)
        bot = make("random")
        while match.turn is not None:
            match.push(bot.choose(match.view(match.turn)))
        return match

    yield "rules", lambda: Match(name, games.get(name).fewest_players, seed=1)
    yield "views and moves", finished
    yield "events and scores", lambda: finished().scores
    for bot in (*SIMPLE, "search:sims=2"):
        yield f"bot {bot.partition(':')[0]}", lambda bot=bot: make(bot).choose(_at_a_decision(name))  # type: ignore[misc]
    yield "simulation", lambda: simulate(name, games.get(name).fewest_players, 1)


def _at_a_decision(name: str) -> View:
    from malecon.match import Match

    match = Match(name, games.get(name).fewest_players, seed=1)
    return match.view(match.turn)


def is_warm(name: str) -> bool:
    """Whether everything of a game was compiled for just these sources; without the compiler there is nothing to do."""
    return bool(numba.config.DISABLE_JIT) or ((marker := _marker(name)) is not None and marker.exists())


def warm(name: str, progress: Callable[[str], None] = lambda step: None) -> float:
    """Compile all that is missing for a game; the seconds it took. `progress` hears of each step when it is done."""
    began = time.perf_counter()
    for step, work in steps(name):
        work()
        progress(step)
    cache.prune()
    marker = _marker(name)
    if marker and marker.parent.parent.is_dir():
        with contextlib.suppress(OSError):
            cache.write(marker, b"")
    return time.perf_counter() - began


def warm_all(names: Sequence[str], progress: Callable[[str], None] = lambda name: None) -> None:
    """Compile several games at the same time, each in a process of its own; `progress` hears whose step is done.

    Without a folder to keep the code in there is nothing to gain: each process compiles what it needs.
    """
    try:
        cache.cache_folder().mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    with ThreadPoolExecutor(len(names)) as pool:
        for done in [pool.submit(_warm_apart, name, progress) for name in names]:
            done.result()


def _warm_apart(name: str, progress: Callable[[str], None]) -> None:
    others = [f"{other}={package}" for other, package in games.registered().items()]
    command = [sys.executable, "-m", "malecon.warm", name, *others]
    here = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}  # it finds the packages that we do
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=here) as process:
        assert process.stdout is not None
        for _ in process.stdout:
            progress(name)
    if process.returncode:
        raise RuntimeError(f"the engine of {name} could not be compiled")


def _marker(name: str) -> Path | None:
    """The file that says that a game is ready; None where its sources cannot be told apart."""
    stamp = cache.stamp_for(games.get(name).dtype, *KERNELS)
    return None if stamp is None else cache.cache_folder() / stamp / f"{name}.warm"


if __name__ == "__main__":
    games.register_all(dict(other.split("=") for other in sys.argv[2:]))
    warm(sys.argv[1], lambda step: print(step, flush=True))
