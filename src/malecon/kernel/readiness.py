"""Whether a game's machine code is there. If not, the game runs as plain Python, and its bots think with the module.

People who play never wait for the compiler: a server compiles nothing. What computes for long, such as a tournament or
a study, has everything compiled first (`wait`). Nothing here decides how anything is played: plain or compiled, the
same moves lead to the same positions. What must be compiled is for `warm` to say.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numba

from malecon.kernel import registry
from malecon.kernel.compile import run_compiled, run_plain
from malecon.kernel.game import Game
from malecon.kernel.machine_code import cache

#: What is compiled together, and the modules whose kernels it holds, beside the game's own.
PLAY = "play"
RESEARCH = "research"
KERNELS = {
    PLAY: ("malecon.match", "malecon.bots.simple", "malecon.bots.search", "malecon.simulation.whole_games"),
    RESEARCH: (
        "malecon.envs.vector",
        "malecon.envs.guided",
        "malecon.envs.data",
        "malecon.envs.openspiel",
        "malecon.study.counting",
    ),
}
#: `now`: kernels are compiled where they are called, and the caller waits. For tests, and for compiling ahead of time.
MODE = "MALECON_COMPILE"
Progress = Callable[[str, int, int], None]

log = logging.getLogger("malecon")


def marker(name: str, part: str = PLAY) -> str | None:
    """The file of the cache that says that a part of a game is compiled; None if its sources cannot be read."""
    stamp = cache.stamp_for(registry.get(name).dtype, *KERNELS[part])
    return None if stamp is None else f"{stamp}/{name}.{part}.ready"


def is_compiled(name: str, part: str = PLAY) -> bool:
    """Whether a part of a game was compiled for just these sources, here or elsewhere."""
    if numba.config.DISABLE_JIT:
        return True
    file, folder = marker(name, part), cache.cache_folder()
    return file is not None and (folder / file).exists()


_begun: set[str] = set()
_beginning = threading.Lock()


def begin(game: Game) -> None:
    """Decide how a game runs in this process: as machine code if that is there, else as plain Python."""
    if game.name in _begun:
        return
    with _beginning:
        at_once = os.environ.get(MODE) == "now" or is_compiled(game.name) or marker(game.name) is None
        if game.name not in _begun and not at_once:
            run_plain(game.dtype)
            log.info("%s is not compiled and runs as plain Python, ten times slower: see `malecon warm`", game.title)
        _begun.add(game.name)


# --- compiling


def wait(*names: str, part: str = PLAY) -> None:
    """Have these games compiled before anything else is done, with a bar if somebody can see it."""
    if os.environ.get(MODE) == "now":
        return
    for needed in (PLAY,) if part == PLAY else (PLAY, part):  # a game runs compiled or plain, with all its kernels
        missing = [name for name in names if not is_compiled(name, needed)]
        if missing:
            cache.ensure_folder()
            compile_apart(missing, needed)
    with _beginning:
        for name in names:
            run_compiled(registry.get(name).dtype)
            _begun.add(name)


def compile_apart(names: list[str], part: str) -> None:
    """Compile games at the same time, each in a process of its own. Whether it went well, `is_compiled` tells."""
    with _bars(names) as tell:
        threads = [threading.Thread(target=_compile, args=(name, part, tell)) for name in names]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        except BaseException:
            _stop()
            raise


def _compile(name: str, part: str, tell: Progress) -> None:
    """What goes wrong stops nobody: what is missing is compiled when it is called."""
    try:
        for done, total in _run_apart(name, part):
            tell(name, done, total)
    except (OSError, RuntimeError) as error:
        log.warning("%s", error)


@contextmanager
def _bars(names: list[str]) -> Iterator[Progress]:
    if not sys.stderr.isatty():
        yield lambda name, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as bar:
        tasks = {name: bar.add_task(f"Preparing {registry.get(name).title} (only once)", total=None) for name in names}
        yield lambda name, done, total: bar.update(tasks[name], completed=done, total=total)


# --- the other process

_running: set[subprocess.Popen[str]] = set()


def _stop() -> None:
    """End what is being compiled. What is finished stays; the next start goes on from there."""
    for process in tuple(_running):
        _running.discard(process)  # so that its end is no surprise
        process.terminate()


def _run_apart(name: str, part: str) -> Iterator[tuple[int, int]]:
    """Have another process compile a part of a game; yield the steps done, and how many there are.

    Raise RuntimeError if it fails.
    """
    if not sys.executable:
        raise RuntimeError(f"the engine of {name} cannot be compiled: there is no Python to call")
    command = [sys.executable, "-m", "malecon.warm", name, part, json.dumps(dict(registry.packages()))]
    own = {MODE: "now", "MALECON_CACHE_DIR": str(cache.cache_folder())}
    own["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))  # it finds the packages that we do
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | own,
    )
    _running.add(process)
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            done, total = line.split()
            yield int(done), int(total)
    if process.wait() and process in _running:
        raise RuntimeError(f"the engine of {name} could not be compiled; `malecon warm {name}` tells why")
    _running.discard(process)
