"""A game whose machine code is not ready runs as plain Python, and is switched to it in mid-game: nothing is lost."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import numba
import numpy as np
import pytest
from numba.core.registry import cpu_target

from malecon import bots, games, warm
from malecon.bots.network import MOST_FEATURES
from malecon.bots.tree import select
from malecon.kernel import compile, readiness, verbs
from malecon.kernel.machine_code import cache
from malecon.kernel.readiness import PLAY, RESEARCH
from malecon.match import Match

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


def test_a_thought_that_is_switched_half_way_comes_to_the_same() -> None:
    match = Match("santiago", 3, seed=3)
    view = match.view(match.turn)
    compiled = bots.make("search:sims=150", seed=1).evaluate(view)  # type: ignore[attr-defined]
    before = len(select.overloads)
    with plain("santiago"):
        began = time.perf_counter()
        bell = threading.Timer(0.1, compile.run_compiled, (games.get("santiago").dtype,))
        bell.start()
        switched = bots.make("search:sims=150", seed=1).evaluate(view)  # type: ignore[attr-defined]
        assert time.perf_counter() - began > 0.1
        bell.join()
    assert (switched.codes, switched.visits, switched.chances) == (compiled.codes, compiled.visits, compiled.chances)
    assert len(select.overloads) == before  # what was running went on as it was: nothing was compiled for it


def test_one_game_waits_while_another_runs_compiled() -> None:
    with plain("cuba"):
        match = Match("santiago", 2, seed=1)
        match.push(match.legal_moves[0])
        assert compile.runs_plain(games.get("cuba").dtype)
        began = time.perf_counter()
        bots.make("search:sims=2000", seed=1).choose(match.view(match.turn))
        assert time.perf_counter() - began < 5  # plain Python would need ten


def test_bots_think_for_a_moment_only_until_the_code_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("santiago", 3, seed=3)
    view = match.view(match.turn)
    monkeypatch.setattr(bots, "LONGEST_PLAIN_SEARCH_SECONDS", 0.2)
    monkeypatch.setattr(readiness, "progress", lambda name: 0.5)
    with plain("santiago"):
        began = time.perf_counter()
        assert bots.choose_soon(bots.make("search:sims=20000"), view) in view.legal_moves
        assert time.perf_counter() - began < 10


def test_every_module_with_kernels_that_are_compiled_ahead_is_there() -> None:
    for part in (PLAY, RESEARCH):
        for game in games.names():
            assert readiness.marker(game, part), f"a module of {part} has moved"


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
        own = {"MALECON_CACHE_DIR": str(self.folder), "MALECON_COMPILE": "", "MALECON_PREBUILT": ""}
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
import sys, time, malecon
from malecon import bots
from malecon.kernel import readiness
match, bot, began = malecon.new("santiago", 3, seed=4), bots.make("greedy", seed=1), time.monotonic()
assert readiness.progress("santiago") is not None
print("plain", flush=True)
plain = 0
while match.turn is not None:
    match.push(bot.choose(match.view(match.turn)))
    waits = readiness.progress("santiago") is not None
    plain += waits
    if waits and plain == 5:
        while readiness.progress("santiago") != 3 / 8 and time.monotonic() - began < 100:
            time.sleep(0.01)
        print("waits", flush=True)
        while readiness.progress("santiago") is not None and time.monotonic() - began < 200:
            time.sleep(0.01)
assert readiness.progress("santiago") is None and plain < len(match)
from malecon.kernel.compile import _kernels
assert not any(one.stats.cache_misses for one in _kernels), "something was compiled here"
print(*(turn.move for turn in match.history), sep="; ")
"""


def test_of_two_that_start_together_one_compiles_and_the_other_plays_on(
    elsewhere: Elsewhere, code: dict[str, bytes]
) -> None:
    command = [sys.executable, "-c", PLAY_ON]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=elsewhere.environment) as process:
        assert process.stdout
        assert [process.stdout.readline() for _ in range(2)] == ["plain\n", "waits\n"]
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
def server(folder: Path, environment: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], Any]]:
    command = [sys.executable, "-u", "-c", SERVE, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        address = process.stdout.readline().strip()
        with httpx2.Client(base_url=address, timeout=60, transport=httpx2.HTTPTransport(retries=20)) as client:
            try:
                yield process, client
            finally:
                process.kill()


@pytest.mark.parametrize("delay", [0.0, 0.3])
def test_a_server_killed_while_it_switches_loses_no_move(
    elsewhere: Elsewhere, code: dict[str, bytes], tmp_path: Path, delay: float
) -> None:
    request = {"game": "santiago", "seats": [{"who": "me"}, {"who": "bot:capitan"}], "pace": "instant"}
    made: list[str] = []
    with server(tmp_path / "club", elsewhere.environment) as (process, client):
        headers = {"authorization": f"Bearer {client.post('/api/people').json()['token']}"}
        assert client.get("/engine", headers={"accept-language": "de"}).json()["text"].startswith("Erster Start")
        assert "warming-up" in client.get("/").text
        table = client.post("/api/tables", json=request, headers=headers).json()["id"]
        end = None
        while end is None or time.monotonic() < end:
            state = client.get(f"/api/tables/{table}", headers=headers).json()
            if state["legal"]:
                move = state["legal"][0]["move"]
                answer = client.post(f"/api/tables/{table}/moves", json={"move": move}, headers=headers)
                assert answer.status_code == 200
                made.append(move)
            else:
                time.sleep(0.02)
            if end is None and len(made) >= 4:
                elsewhere.finish(code)
                end = time.monotonic() + delay
        process.send_signal(signal.SIGKILL)
    with server(tmp_path / "club", elsewhere.environment) as (_, client):
        state = client.get(f"/api/tables/{table}", headers=headers).json()
        assert [past["move"] for past in state["history"] if past["seat"] == 0][: len(made)] == made
        assert len(made) >= 4


def test_a_server_goes_on_compiled_and_the_page_stops_saying_otherwise(
    elsewhere: Elsewhere, code: dict[str, bytes], tmp_path: Path
) -> None:
    with server(tmp_path / "club", elsewhere.environment) as (_, client):
        before = client.get("/engine").json()["percent"]
        elsewhere.finish(code)
        end = time.monotonic() + 60
        while (percent := client.get("/engine").json()["percent"]) <= before and time.monotonic() < end:
            time.sleep(0.1)
        assert percent > before  # Cuba is still being compiled elsewhere


ALONE = """
import malecon, time
from malecon.kernel import readiness
began = time.monotonic()
match = malecon.new("santiago", 2, seed=1)
for _ in range(6):
    match.push(match.legal_moves[0])
print(len(match))
readiness.stop()
"""


@pytest.mark.parametrize("trouble", ["a folder that cannot be", "a full disk"])
def test_without_room_for_code_a_game_begins_at_once(tmp_path: Path, trouble: str) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "cache" if trouble != "a full disk" else tmp_path / "cache"
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n" if trouble == "a full disk" else ""
    own = {"MALECON_CACHE_DIR": str(folder), "MALECON_COMPILE": "", "MALECON_PREBUILT": ""}
    done = subprocess.run(
        [sys.executable, "-c", full + ALONE], env=os.environ | own, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 6


def test_ctrl_c_in_mid_compilation_leaves_nothing_half_done(tmp_path: Path) -> None:
    own = {"MALECON_CACHE_DIR": str(tmp_path), "MALECON_PREBUILT": ""}
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


def test_pack_says_which_folder_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        warm.pack(("santiago",), tmp_path / "nowhere" / "prebuilt.zip")


PACKED = """
import malecon
from malecon import bots
from malecon.kernel import readiness
assert readiness.is_compiled("santiago", "play") and readiness.is_compiled("santiago", "research")
match, bot = malecon.new("santiago", 2, seed=1), bots.make("greedy", seed=1)
assert readiness.progress("santiago") is None, "it is being compiled"
while match.turn is not None:
    match.push(bot.choose(match.view(match.turn)))
from malecon.kernel.compile import _kernels
assert not any(one.stats.cache_misses for one in _kernels), "something was compiled here"
print(sum(sum(one.stats.cache_hits.values()) for one in _kernels))
"""


@pytest.mark.slow
def test_a_packed_game_starts_compiled_though_the_cache_is_empty(tmp_path: Path) -> None:
    archive, empty = tmp_path / "prebuilt.zip", tmp_path / "empty"
    own = {"MALECON_CACHE_DIR": str(empty), "MALECON_COMPILE": "", "MALECON_PREBUILT": str(archive)}
    warm = [sys.executable, "-m", "malecon", "warm", "santiago", "--portable", str(archive)]
    subprocess.run(warm, env=os.environ | own, check=True, timeout=900)
    done = subprocess.run([sys.executable, "-c", PACKED], env=os.environ | own, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0
    assert not list(empty.rglob("*.code"))  # it stays in the archive
