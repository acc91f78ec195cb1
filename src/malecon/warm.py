"""Compiling the kernels ahead of time: what there is to compile, and the process that does it. Nothing is decided here.

Run as a program it compiles one part of one game, and prints how far it is. Of several that do so at the same time one
works; the others wait for it and tell how far it is.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from malecon.kernel import readiness, registry
from malecon.kernel.machine_code import cache
from malecon.kernel.readiness import MODE, PLAY

try:
    import fcntl
except ImportError:  # then everybody compiles for themselves, which disturbs nobody
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from malecon.kernel.view import View

Step = Callable[[], object]
#: How often the progress of another process is read.
POLL_SECONDS = 0.2


# --- what there is to compile


def steps(name: str, part: str = PLAY) -> list[Step]:
    """Work that makes Numba compile every kernel of a part of a game that Python calls."""
    return list(_play(name) if part == PLAY else _research(name))


def _play(name: str) -> Iterator[Step]:
    from malecon.bots import make
    from malecon.match import Match
    from malecon.simulation.statistics import simulate
    from malecon.text import describe_move, prompt, sections, story, summary

    players = registry.get(name).fewest_players

    def finished(player: str = "random") -> Match:
        match = Match(name, players, seed=1)
        bot = make(player)
        while match.turn is not None:
            match.push(bot.choose(match.view(match.turn)))
        return match

    def look_back() -> None:
        """Read a whole game, forwards as its log and backwards as its table."""
        match = finished()
        for _ in story(match):
            pass
        Match.from_bytes(match.to_bytes()).pop()
        for _ in range(sum(turn.seat >= 0 for turn in match.history)):
            match.pop()
            prompt(match, match.turn)
            summary(match)
            sections(match)
            for move in match.legal_moves:
                describe_move(match, move)

    def use_view() -> None:
        view = _at_a_decision(name)
        view.text()
        view.observation()
        Match.from_view(view, seed=1).explain(bot="search:sims=2,margin=0")

    def choose(bot: str) -> Step:
        return lambda: make(bot).choose(_at_a_decision(name))

    yield lambda: Match(name, players, seed=1)
    yield finished
    yield choose("greedy")
    yield choose("search:sims=2")
    yield choose("search:sims=2,proof=1")
    yield lambda: finished("search:sims=2")  # its tree gets full and is cleared
    yield lambda: finished().scores
    yield look_back
    yield choose("turista")
    yield use_view
    yield lambda: simulate(name, players, 1)


def _research(name: str) -> Iterator[Step]:
    """What the tools for research call. Those that need a package that is not here are of no use here."""
    players = registry.get(name).fewest_players

    def tables() -> None:
        from malecon.envs.vector import Tables

        batch = Tables(name, players, 2, seed=1)
        batch.step(batch.sample())
        batch.scaled()
        batch.observe(0)
        batch.reset(chosen=[True, False])
        batch.set_position(0, batch.position(1))
        with Tables(name, players, 2, seed=1, threads=2, illegal="random") as forgiving:
            forgiving.step([-1, -1])

    def guided() -> None:
        import numpy as np

        from malecon.envs.guided import GuidedSearch
        from malecon.envs.vector import Tables

        judge = GuidedSearch(
            name, players, lambda seen, masks: (np.zeros(masks.shape), np.zeros((len(seen), players))), sims=2, seed=1
        )
        judge.search(Tables(name, players, 2, seed=1, memory=False))
        judge.choose(_at_a_decision(name))

    def counting() -> None:
        from malecon.kernel.randomness import streams
        from malecon.study.counting import count
        from malecon.study.design import design_of
        from malecon.study.playing import play_simple, usual_start

        design = design_of(name)
        start = usual_start(design.game, players)
        logs, lengths = play_simple(design.game, players, start, "random", streams(1, 0, 1))
        count(design.schema, players, start.position, logs, lengths)

    def export() -> None:
        from malecon.envs import data

        with tempfile.TemporaryDirectory() as folder:
            data.export(name, Path(folder) / "games", 1, bots=["random"] * players)

    def pettingzoo() -> None:
        from malecon.envs.pettingzoo import raw_env

        env = raw_env(name, players)
        env.reset(1)
        seen = env.observe(env.agent_selection)
        env.step(int(seen["action_mask"].argmax()))

    def openspiel() -> None:
        from malecon.envs.openspiel import pyspiel

        state = pyspiel.load_game(f"python_malecon_{name}", {"players": players}).new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        state.observation_tensor(state.current_player())
        state.apply_action(state.legal_actions()[0])

    yield tables
    yield guided
    yield counting
    for package, step in (("pyarrow", export), ("pettingzoo", pettingzoo), ("pyspiel", openspiel)):
        if importlib.util.find_spec(package):
            yield step


def _at_a_decision(name: str) -> View:
    from malecon.match import Match

    match = Match(name, registry.get(name).fewest_players, seed=1)
    return match.view(match.turn)


# --- compiling it


def warm(name: str, part: str = PLAY, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
    """Compile what is missing of a part of a game, here and now; OSError if it cannot be kept."""
    work = steps(name, part)
    for done, step in enumerate(work):
        progress(done, len(work))
        step()
    progress(len(work), len(work))
    file = readiness.marker(name, part)
    if file is not None:
        cache.write(cache.cache_folder() / file, b"")
    cache.prune()


# --- one process for all


@contextlib.contextmanager
def _turn(file: Path, waiting: Callable[[str], None]) -> Iterator[IO[str]]:
    """Wait until no other process compiles the same; `waiting` hears what it has written into the file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file, "a+") as lock:
        while fcntl is not None:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                lock.seek(0)
                waiting(lock.read())
                time.sleep(POLL_SECONDS)
            except OSError:  # this file system has no locks
                break
        yield lock


def _say(text: str) -> None:
    with contextlib.suppress(OSError):  # nobody listens any more
        print(text, flush=True)


def main(name: str, part: str, registered: str) -> None:
    """Compile a part of a game, or wait for who does, and print how far it is."""
    registry.register_all(json.loads(registered))
    file = readiness.marker(name, part)
    if file is None or readiness.is_compiled(name, part):
        return
    parent, last_line = os.getppid(), ""

    def tell_other(text: str) -> None:
        nonlocal last_line
        if os.getppid() != parent:
            sys.exit(0)  # who asked for it is gone, and another one works on it
        if text != last_line and len(text.split()) == 2:
            last_line = text
            _say(text)

    with _turn((cache.cache_folder() / file).with_suffix(".lock"), tell_other) as lock:

        def tell(done: int, total: int) -> None:
            text = f"{done} {total}"
            with contextlib.suppress(OSError):
                lock.truncate(0)
                lock.write(text)
                lock.flush()
            _say(text)

        if not readiness.is_compiled(name, part):
            cache.check_folder()
            warm(name, part, tell)


if __name__ == "__main__":
    os.environ[MODE] = "now"
    with contextlib.suppress(KeyboardInterrupt):
        main(*sys.argv[1:])
        sys.exit(0)
    sys.exit(130)
