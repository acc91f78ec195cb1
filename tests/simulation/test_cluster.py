"""Arena, export and self-play on a real Ray cluster of two nodes on this machine: `make soak`."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import malecon
from malecon.arena.plan import ArenaPlan
from malecon.arena.results import ArenaResult, BotResult
from malecon.arena.tournament import run
from malecon.bots import self_play
from malecon.bots.searcher import SearchPlan
from malecon.envs import data
from malecon.simulation import workers
from malecon.simulation.workers import AnotherVersion, NoCluster, WorkerLost, spread
from tests.simulation.jobs import die, die_once, whose

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs the extra `cluster`"),
    pytest.mark.filterwarnings("default"),  # Ray leaves files open, and warns of itself
]

PLAN = ArenaPlan("santiago", ("greedy", "search:sims=60"), players=2, games=8, seed=3)
COMMAND = [sys.executable, "-m", "malecon", "arena", "santiago", "--bots", "greedy,search:sims=60", "--seed", "3"]


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes with a core each, as two machines would be."""
    import ray
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    started = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        started.add_node(num_cpus=1)
        started.wait_for_nodes()
        yield started
    finally:
        ray.shutdown()
        started.shutdown()


def without_times(result: ArenaResult) -> list[BotResult]:
    return [replace(bot, mean_ms=0) for bot in result.bots]


def busy_workers() -> list[int]:
    """The processes that our nodes have at work just now: Ray writes so into their names."""

    def children(parents: str, *pattern: str) -> list[str]:
        listed = subprocess.run(["pgrep", "-P", parents, *pattern], capture_output=True, text=True, check=False)
        return listed.stdout.split()

    nodes = ",".join(children(str(os.getpid())))
    return [int(process) for process in children(nodes, "-f", "^ray::unpack")]


def test_results_are_those_of_one_process(cluster: Any, tmp_path: Path) -> None:
    alone = without_times(run(PLAN))
    heard: list[int] = []
    assert without_times(run(PLAN, cluster=cluster.address, progress=lambda done, total: heard.append(done))) == alone
    assert heard == list(range(9))
    assert without_times(run(PLAN, cluster=cluster.address, jobs=1)) == alone

    files = [tmp_path / "alone.parquet", tmp_path / "together.parquet"]
    for bots, count in ((("greedy", "random", "random"), 150), (("greedy", "search:sims=20"), 5)):
        for file, where in zip(files, (None, cluster.address), strict=True):
            data.export("santiago", file, count, bots=bots, seed=4, cluster=where)
        assert files[0].read_bytes() == files[1].read_bytes()

    thinking = SearchPlan(sims=1, value="worth")
    tasks = [self_play.SelfPlayTask("santiago", 2, (), 1, seed, thinking, quick=2, deep=5) for seed in range(4)]
    for (_, own), (_, other) in zip(
        spread(self_play.work, tasks),
        spread(self_play.work, tasks, cluster=cluster.address, in_order=True),
        strict=True,
    ):
        assert {name: array.tobytes() for name, array in own.items()} == {
            name: array.tobytes() for name, array in other.items()
        }


def test_workers_killed_in_the_middle_cost_only_time(cluster: Any, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        for worker in busy_workers() if 1 <= done <= 2 else ():
            os.kill(worker, signal.SIGKILL)
            killed.append(worker)

    file = tmp_path / "games.jsonl"
    result = run(PLAN, cluster=cluster.address, file=file, progress=kill)
    assert killed
    assert without_times(result) == without_times(run(PLAN))
    assert sorted(json.loads(line)["number"] for line in file.read_text().splitlines()[1:]) == list(range(8))

    work = functools.partial(die_once, tmp_path)
    assert list(spread(work, range(1, 8), cluster=cluster.address, in_order=True)) == [n * n for n in range(1, 8)]
    with pytest.raises(WorkerLost, match="5 workers ended"):
        list(spread(die, [1], cluster=cluster.address))


def test_a_machine_that_dies_costs_only_time(cluster: Any) -> None:
    def fell(done: int, total: int) -> None:
        if done == 1:
            cluster.remove_node(cluster.worker_nodes.copy().pop(), allow_graceful=False)

    assert without_times(run(PLAN, cluster=cluster.address, progress=fell)) == without_times(run(PLAN))


def test_a_worker_with_another_malecon_is_refused(cluster: Any, tmp_path: Path) -> None:
    package = Path(malecon.__file__).parent
    shutil.copytree(package, tmp_path / "malecon", ignore=shutil.ignore_patterns("__pycache__", "catalogs"))
    other = tmp_path / "malecon" / "__init__.py"
    other.write_text(other.read_text().replace(f'"{malecon.__version__}"', '"0.0.9"'))
    cluster.remove_node(cluster.worker_nodes.copy().pop(), allow_graceful=False)
    cluster.add_node(num_cpus=1, env_vars={"PYTHONPATH": str(tmp_path)})
    cluster.wait_for_nodes()
    with pytest.raises(
        AnotherVersion, match=r"has Malecón 0\.0\.9\+\w+, this machine has .*; install the same version on both"
    ):
        run(PLAN, cluster=cluster.address)

    other.write_text("raise ImportError")
    with pytest.raises(AnotherVersion, match=r"has no Malecón or an older one; install .* there"):
        run(PLAN, cluster=cluster.address)


def test_where_nobody_answers_there_is_one_clear_line() -> None:
    began = time.monotonic()
    for address in ("127.0.0.1:1", "nonsense", "ray://127.0.0.1:1"):
        with pytest.raises(NoCluster, match=f"no Ray cluster is answering at {address}"):
            list(spread(abs, [1], cluster=address))
    assert time.monotonic() - began < 60


def test_auto_joins_what_runs_here_and_else_starts_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(tempfile.mkdtemp())  # not pytest's: sockets need short names
    monkeypatch.setenv("RAY_TMPDIR", str(folder))
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("MALECON_TEST", "ours")
    address = folder / "ray" / "ray_current_cluster"
    start = [Path(sys.executable).with_name("ray"), "start", "--head", "--block", "--port=0", "--num-cpus=1"]
    head = subprocess.Popen(
        [*start, "--include-dashboard=false", "--disable-usage-stats"],
        env=os.environ | {"MALECON_TEST": "theirs"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 600
        while not address.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert list(spread(whose, [1], cluster="auto")) == ["theirs"]
        assert list(spread(whose, [1], cluster=address.read_text())) == ["theirs"]
        head.terminate()
        head.wait(60)
        address.write_text("127.0.0.1:1")  # as a cluster leaves it that was not stopped but killed
        assert list(spread(whose, [1], cluster="auto")) == ["ours"]
    finally:
        head.terminate()
        head.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def test_ctrl_c_ends_a_cluster_of_our_own_and_the_file_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    sign = uuid.uuid4().hex
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    environment |= {"MALECON_TEST": sign, "LANGUAGE": "en", "RAY_TMPDIR": "/tmp"}
    command = [*COMMAND, "--games", "4000", "--cluster", "auto", "--file", str(file), "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background, shells let it be ignored
    running = subprocess.Popen(command, env=environment, start_new_session=True, **pipes)  # type: ignore[call-overload]
    signal.signal(signal.SIGINT, ours)
    deadline = time.monotonic() + 600
    while not (file.exists() and file.read_text().count("\n") > 2) and time.monotonic() < deadline:
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=300)
    assert (running.returncode, out.strip(), err.strip()) == (130, "", "")
    played = file.read_text().count("\n") - 1
    assert 2 <= played < 4000
    while (left := processes_with(sign)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []

    done = subprocess.run(
        [*COMMAND, "--games", "8", "--cluster", "auto", "--file", str(file), "--json"],
        env=environment, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr.strip()) == (0, "")
    bots = {bot["name"]: (bot["games"], bot["mean_points"]) for bot in json.loads(done.stdout)["bots"]}
    assert bots == {bot.name: (bot.games, bot.mean_points) for bot in run(PLAN).bots}


def processes_with(sign: str) -> list[int]:
    numbers = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and sign.encode() in (process / "environ").read_bytes():
                numbers.append(int(process.name))
        except OSError:
            continue
    return numbers


def test_the_version_is_told_by_all_that_decides_games() -> None:
    assert workers.version().startswith(f"{malecon.__version__}+")
