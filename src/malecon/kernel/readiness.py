"""Whether a game's machine code is there. Until it is, the game runs as plain Python and another process compiles.

What must be compiled is for `warm` to say. Nothing here decides how anything is played: plain or compiled, the same
moves lead to the same positions.
"""

from __future__ import annotations

import atexit
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
from malecon.kernel.machine_code import cache, prebuilt

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
    return file is not None and ((folder / file).exists() or prebuilt.read(folder, file) is not None)


# --- in the background


class _Preparation:
    """A game that runs as plain Python while another process compiles it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.done, self.total = 0, 1
        self.over = threading.Event()
        run_plain(game.dtype)
        log.warning(
            "%s runs as plain Python, about ten times slower, until another process has compiled it; "
            "`malecon warm` does that ahead of time, and with %s=now the first call waits for it",
            game.title, MODE,
        )  # fmt: skip
        atexit.register(stop)  # a batch system must not find processes that outlive its job
        threading.Thread(target=self._run, daemon=True, name=f"compiling {game.name}").start()

    def _run(self) -> None:
        try:
            cache.ensure_folder()
            for done, total in _run_apart(self.game.name, PLAY, gently=True):
                self.done, self.total = done, total
            if is_compiled(self.game.name):  # else it was stopped
                run_compiled(self.game.dtype)
        except (OSError, RuntimeError) as error:
            log.warning("%s; it is compiled as it is needed, with pauses", error)
            run_compiled(self.game.dtype)
        finally:
            self.over.set()


_preparations: dict[str, _Preparation | None] = {}  # None: nothing had to be prepared
_beginning = threading.Lock()


def begin(game: Game) -> None:
    """Make sure that a game can be played at once: if its code is not there, as plain Python for now."""
    if game.name in _preparations:
        return
    with _beginning:
        if game.name not in _preparations:
            at_once = os.environ.get(MODE) == "now" or is_compiled(game.name) or marker(game.name) is None
            _preparations[game.name] = None if at_once else _Preparation(game)


def progress(name: str) -> float | None:
    """How much of a game is compiled, from 0 to 1; None if it runs compiled, or has not been begun."""
    preparation = _preparations.get(name)
    return None if preparation is None or preparation.over.is_set() else preparation.done / preparation.total


def stop() -> None:
    """End what is being compiled. What is finished stays; the next start goes on from there."""
    for process in tuple(_running):
        _running.discard(process)  # so that its end is no surprise
        process.terminate()


# --- in the foreground


def wait(*names: str, part: str = PLAY) -> None:
    """Have these games compiled before anything else is done, with a bar if somebody can see it."""
    missing = [name for name in names if os.environ.get(MODE) != "now" and not is_compiled(name, part)]
    if missing:
        cache.ensure_folder()
        compile_apart(missing, part)


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
            stop()
            raise


def _compile(name: str, part: str, tell: Progress) -> None:
    """What goes wrong stops nobody: what is missing is compiled when it is called."""
    prepared = _preparations.get(name) if part == PLAY else None
    if prepared is not None:
        while not prepared.over.wait(0.1):
            tell(name, prepared.done, prepared.total)
        return
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


def _run_apart(name: str, part: str, gently: bool = False) -> Iterator[tuple[int, int]]:
    """Have another process compile a part of a game: the steps done, and how many there are. RuntimeError if it fails.

    It ends with this process; every kernel that was finished is there at the next start.
    """
    if not sys.executable:
        raise RuntimeError(f"the engine of {name} cannot be compiled in the background: there is no Python to call")
    command = [sys.executable, "-m", "malecon.warm", name, part, json.dumps(dict(registry.packages()))]
    own = {MODE: "now", "MALECON_CACHE_DIR": str(cache.cache_folder())}
    own["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))  # it finds the packages that we do
    process = subprocess.Popen(
        command + ["gently"] * gently,
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
