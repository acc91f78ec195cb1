"""A game without machine code runs as plain Python and thinks with the module: the same moves, at once, at any time."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import httpx2
import numba
import numpy as np
import pytest
from numba.core.registry import cpu_target

from malecon import bots, games, warm
from malecon.bots.engine import runtime
from malecon.bots.engine.runtime import WasmSearcher
from malecon.bots.history import position_from_history
from malecon.bots.network import MOST_FEATURES, weights_path
from malecon.bots.searcher import Searcher, SearchPlan
from malecon.kernel import compile, readiness, verbs
from malecon.kernel.machine_code import cache
from malecon.kernel.readiness import PLAY, RESEARCH
from malecon.match import Match
from tests.paths import ROOT

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled in this run")


@contextmanager
def plain(game: str) -> Iterator[None]:
    position = games.get(game).dtype
    compile.run_plain(position)
    try:
        yield
    finally:
        compile.run_compiled(position)


def played(game: str, seed: int, spec: str, decisions: int, switch_after: int) -> tuple[list[str], bytes]:
    """The moves and the last position of a game that becomes compiled after this number of decisions."""
    position = games.get(game).dtype
    if switch_after:
        compile.run_plain(position)
    try:
        match = Match(game, 2, seed=seed)
        players = [bots.make(spec, seed=1), bots.make("greedy", seed=2)]
        for made in range(decisions):
            if made == switch_after:
                compile.run_compiled(position)
            if match.turn is None:
                break
            match.push(players[match.turn].choose(match.view(match.turn)))
        return [f"{turn.seat} {turn.move}" for turn in match.history], match.to_bytes()
    finally:
        compile.run_compiled(position)


@pytest.mark.parametrize(("game", "decisions"), [("santiago", 40), ("cuba", 16)])
def test_plain_compiled_and_switched_games_are_the_same_byte_for_byte(game: str, decisions: int) -> None:
    runs = [played(game, 5, "search:sims=6", decisions, after) for after in (0, 7, decisions)]
    assert len(runs[0][0]) > decisions // 2
    assert runs[1:] == runs[:1] * 2


@pytest.mark.parametrize("game", games.names())
def test_whole_games_are_the_same_whenever_they_are_switched(game: str) -> None:
    runs = [played(game, 9, "greedy", 2_000, after) for after in (0, 13, 40)]
    assert runs[1:] == runs[:1] * 2


@pytest.mark.parametrize("game", games.names())
def test_what_a_net_is_shown_is_the_same_in_every_phase(game: str) -> None:
    match, bot = Match(game, 3, seed=2), bots.make("greedy", seed=1)
    phases = set()
    while match.turn is not None:
        if match.phase not in phases:
            phases.add(match.phase)
            shown = np.zeros((2, MOST_FEATURES), np.float32)
            verbs.features(match.position, match.turn, shown[0])
            with plain(game):
                verbs.features(match.position, match.turn, shown[1])
            assert shown[0].tobytes() == shown[1].tobytes(), match.phase
        match.push(bot.choose(match.view(match.turn)))
    assert len(phases) > 5


@pytest.mark.parametrize("game", games.names())
def test_the_search_itself_is_the_same_as_plain_python(game: str) -> None:
    match = Match(game, 3, seed=3)
    position = match.view(match.turn).position
    compiled = Searcher(match.game, 3, SearchPlan(sims=40), seed=1).search(position)
    with plain(game):
        uncompiled = Searcher(match.game, 3, SearchPlan(sims=40), seed=1).search(position)
    assert uncompiled.visits == compiled.visits
    assert uncompiled.chances == compiled.chances


def test_a_search_that_becomes_machine_code_goes_on_with_its_tree() -> None:
    match, spec = Match("santiago", 3, seed=3), "search:sims=150,threads=2"
    views = []
    for _ in range(4):
        views.append(match.view(match.turn))
        match.push(match.legal_moves[0])
    stays, switched = bots.make(spec, seed=1), bots.make(spec, seed=1)
    for number, view in enumerate(views):
        expected = stays.evaluate(view)  # type: ignore[union-attr]
        with plain("santiago") if number < 2 else nullcontext():
            result = switched.evaluate(view)  # type: ignore[union-attr]
        assert type(switched._searcher) is (WasmSearcher if number < 2 else Searcher)  # type: ignore[union-attr]
        assert (result.codes, result.visits, result.chances) == (expected.codes, expected.visits, expected.chances)


def test_what_the_module_cannot_do_is_searched_as_plain_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    match = Match("santiago", 2, seed=3)
    own_weights = tmp_path / "weights.npz"
    own_weights.write_bytes(weights_path("santiago").read_bytes())
    with plain("santiago"):
        bot = bots.make(f"search:sims=3,net={own_weights}")
        bot.choose(match.view(match.turn))
        assert type(bot._searcher) is Searcher  # type: ignore[union-attr]
        monkeypatch.setattr(runtime, "is_fresh", lambda name: False)  # as after a change of the rules
        bot = bots.make("search:sims=3")
        assert bot.choose(match.view(match.turn)) in match.legal_moves
        assert type(bot._searcher) is Searcher  # type: ignore[union-attr]
        assert bots.make("greedy").choose(match.view(match.turn)) in match.legal_moves


@pytest.mark.parametrize("game", games.names())
def test_greedy_bots_and_memories_are_the_same_through_the_module(game: str) -> None:
    match, bot = Match(game, 4, seed=8), bots.make("greedy:miss=0.3", seed=2)
    compared = 0
    while match.turn is not None:
        view = match.view(match.turn)
        expected = bots.make("greedy:miss=0.3", seed=len(match)).choose(view)
        remembered = position_from_history(view).tobytes()
        with plain(game):
            assert bots.make("greedy:miss=0.3", seed=len(match)).choose(view) == expected
            assert position_from_history(view).tobytes() == remembered
        compared += len(view.legal_moves) > 3
        match.push(bot.choose(view))
    assert compared > 20


def test_one_game_waits_while_another_runs_compiled() -> None:
    with plain("cuba"):
        match = Match("santiago", 2, seed=1)
        match.push(match.legal_moves[0])
        assert compile.runs_plain(games.get("cuba").dtype)
        began = time.perf_counter()
        bots.make("search:sims=2000", seed=1).choose(match.view(match.turn))
        assert time.perf_counter() - began < 5  # plain Python would need ten


def test_every_module_with_kernels_that_are_compiled_ahead_is_there() -> None:
    for part in (PLAY, RESEARCH):
        for game in games.names():
            assert readiness.marker(game, part), f"a module of {part} has moved"


@pytest.mark.parametrize("game", games.names())
def test_nothing_is_compiled_by_any_public_call_once_a_game_is_warm(game: str) -> None:
    # Looked at are signatures, since code that was forgotten may be in the cache all the same.
    command, own = [sys.executable, "-m", "tests.kernel.public_calls", game], {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=os.environ | own)
    assert (done.stdout, done.returncode) == ("", 0), done.stdout + done.stderr


# --- another process


@pytest.fixture(scope="module")
def code() -> dict[str, bytes]:
    """The compiled code of Santiago de Cuba, by its names in a cache folder, and the file that says it is complete."""
    warm.warm("santiago")
    magic = cpu_target.target_context.codegen().magic_tuple()
    cached = [kernel for kernel in compile._kernels if isinstance(kernel._cache, cache.KernelCache)]
    names = {kernel._cache.file(signature, magic) for kernel in cached for signature in kernel.overloads}
    names.add(readiness.marker("santiago"))
    folder = cache.cache_folder()
    return {name: (folder / name).read_bytes() for name in names if name and (folder / name).exists()}


class Elsewhere:
    """A cache folder in which another process seems to compile: its locks are held until `finish`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._locks = []
        for game in games.names():
            file = (folder / str(readiness.marker(game))).with_suffix(".lock")
            file.parent.mkdir(parents=True)
            lock = file.open("w")
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write("3 8")
            lock.flush()
            self._locks.append(lock)

    @property
    def environment(self) -> dict[str, str]:
        own = {"MALECON_CACHE_DIR": str(self.folder), "MALECON_COMPILE": ""}
        return os.environ | own

    def finish(self, code: dict[str, bytes]) -> None:
        for name in sorted(code, key=lambda name: name.endswith(".ready")):
            cache.write(self.folder / name, code[name])
        self._locks[0].close()

    def close(self) -> None:
        for lock in self._locks:
            lock.close()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Elsewhere]:
    compiler = Elsewhere(tmp_path / "cache")
    yield compiler
    compiler.close()


PLAY_ON = """
import malecon
from malecon import bots
from malecon.kernel import readiness
from malecon.kernel.compile import _kernels, runs_plain
match, bot = malecon.new("santiago", 3, seed=4), bots.make("greedy", seed=1)
while match.turn is not None:
    assert runs_plain(match.game.dtype) == (len(match) < 30)
    match.push(bot.choose(match.view(match.turn)))
    if runs_plain(match.game.dtype) and len(match) >= 30:
        print("waits", flush=True)
        readiness.wait("santiago")
assert not any(kernel.stats.cache_misses for kernel in _kernels), "something was compiled here"
print(*(turn.move for turn in match.history), sep="; ")
"""


def test_of_two_that_compile_one_does_it_and_the_other_goes_on_with_its_code(
    elsewhere: Elsewhere, code: dict[str, bytes]
) -> None:
    command = [sys.executable, "-c", PLAY_ON]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=elsewhere.environment) as process:
        assert process.stdout
        assert process.stdout.readline() == "waits\n"
        elsewhere.finish(code)
        moves = process.stdout.read().strip()
    assert process.returncode == 0
    match, bot = Match("santiago", 3, seed=4), bots.make("greedy", seed=1)
    while match.turn is not None:
        match.push(bot.choose(match.view(match.turn)))
    assert moves == "; ".join(str(turn.move) for turn in match.history)


SERVE = (
    "import sys; from malecon.server.operations.settings import read_settings;"
    "from malecon.server.web.serve import run;"
    "run(read_settings({}, None, False, {'data': sys.argv[1], 'port': 0}), False, print)"
)


@contextmanager
def server(folder: Path, environment: dict[str, str]) -> Iterator[httpx2.Client]:
    command = [sys.executable, "-u", "-c", SERVE, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        address = process.stdout.readline().strip()
        with httpx2.Client(base_url=address, timeout=60, transport=httpx2.HTTPTransport(retries=20)) as client:
            try:
                yield client
            finally:
                process.kill()


@pytest.mark.parametrize("game", games.names())
def test_at_a_first_start_all_bots_and_hints_think_at_once_and_nothing_is_compiled(game: str, tmp_path: Path) -> None:
    kernels = tmp_path / "kernels"
    own = {"MALECON_CACHE_DIR": str(kernels), "MALECON_COMPILE": ""}
    request = {"game": game, "seats": [{"who": "me"}, {"who": "bot:patron"}], "pace": "instant"}
    with server(tmp_path / "club", os.environ | own) as client:
        headers = {"authorization": f"Bearer {client.post('/api/people').json()['token']}"}
        table = client.post("/api/tables", json=request, headers=headers).json()["id"]
        hints, moves_of_bots = [], 0
        while moves_of_bots < 3:
            state = client.get(f"/api/tables/{table}", headers=headers).json()
            moves_of_bots = sum(past["seat"] == 1 for past in state["history"])
            if not state["legal"]:
                time.sleep(0.02)
                continue
            if len(state["legal"]) > 1 and not hints:
                origin = {"origin": str(client.base_url).rstrip("/")}
                hints = client.post(f"/tables/{table}/hint", headers=headers | origin).json()["moves"]
            client.post(f"/api/tables/{table}/moves", json={"move": state["legal"][0]["move"]}, headers=headers)
        metrics = client.get("/metrics").text
    assert hints
    spent = re.search(r'think_seconds_sum{kind="bot:patron"} (\S+)', metrics)
    assert spent
    assert float(spent[1]) > 0.3, "El Patrón did not think"
    assert not list(kernels.rglob("*.code"))
    assert len(list(kernels.rglob("*.engine"))) == 1


FULL_DISK = """
import errno
from malecon.kernel.machine_code import cache
def write(*_): raise OSError(errno.ENOSPC, "full")
cache.write = write
"""
ALONE = """
import malecon
from malecon import bots
match = malecon.new("santiago", 2, seed=1)
for _ in range(6):
    match.push(bots.make("search:sims=20", 1).choose(match.view(match.turn)))
print(len(match))
"""


@pytest.mark.parametrize("trouble", ["a folder that cannot be", "a full disk"])
def test_without_room_for_code_a_game_begins_at_once(tmp_path: Path, trouble: str) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "cache" if trouble != "a full disk" else tmp_path / "cache"
    full = FULL_DISK if trouble == "a full disk" else ""
    own = {"MALECON_CACHE_DIR": str(folder), "MALECON_COMPILE": ""}
    done = subprocess.run(
        [sys.executable, "-c", full + ALONE], env=os.environ | own, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 6


def test_ctrl_c_in_mid_compilation_leaves_nothing_half_done(tmp_path: Path) -> None:
    own = {"MALECON_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "malecon.warm", "santiago", PLAY, "{}"]
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background, shells let it be ignored
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | own)
    signal.signal(signal.SIGINT, ours)
    with process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline().startswith("0 ")
        assert process.stdout.readline().startswith("1 ")  # the next ones are being compiled
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == ""
    assert not list(tmp_path.rglob("*.part"))
    assert not list(tmp_path.rglob("*.ready"))
    with open(next(tmp_path.rglob("*.lock"))) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # nobody is kept waiting
