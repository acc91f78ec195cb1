"""Work spread over processes of this machine: nothing is lost or done twice, whichever process is killed."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from malecon.kernel.errors import BadSetup
from malecon.simulation import workers
from malecon.simulation.workers import WorkerLost, spread
from tests.paths import ROOT
from tests.simulation.jobs import die, die_once, square


def test_killed_workers_cost_only_time(tmp_path: Path) -> None:
    work = functools.partial(die_once, tmp_path)
    squares = list(spread(work, range(1, 8), jobs=2, in_order=True))
    assert squares == [number * number for number in range(1, 8)]
    assert [mark.name for mark in tmp_path.iterdir()] == ["4"]


def test_a_task_that_kills_every_worker_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "TRIES", 2)
    with pytest.raises(WorkerLost, match="2 worker processes died during the same task"):
        list(spread(die, [1], jobs=2))


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_the_process_that_hired_them(sign: int) -> None:
    """They share their parent's standard output, so it comes to its end only when the last of them is gone."""
    program = (
        "from malecon.simulation.workers import spread; from tests.simulation.jobs import wait_for_ever\n"
        "if __name__ == '__main__': list(spread(wait_for_ever, range(2), jobs=2))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
    ) as parent:
        assert parent.stdout is not None
        assert [parent.stdout.readline().strip() for _ in range(2)] == ["at work"] * 2
        parent.send_signal(sign)
        assert parent.communicate(timeout=120) == ("", None)
        assert parent.returncode == -sign


def test_one_job_needs_no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ProcessPoolExecutor", None)
    assert list(spread(square, range(3))) == [0, 1, 4]
    assert list(spread(square, [], jobs=2)) == []
    with closing(spread(lambda number: number, range(10**9), jobs=1)) as numbers:
        assert next(numbers) == 0
    with pytest.raises(BadSetup, match="one process"):
        list(spread(square, [1], jobs=0))


def test_without_ray_there_is_one_line_with_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from malecon import cli

    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setattr(sys, "argv", ["malecon", "arena", "santiago", "--bots", "greedy,random", "--cluster", "auto"])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 2
    assert capsys.readouterr().err.strip() == 'malecon: Ray is not installed; try: pip install "ray>=2.60"'


def test_work_for_another_version_is_not_begun() -> None:
    """What is sent to a worker asks there which Malecón it has; the work itself would not even unpickle."""
    machine, theirs, done = workers._parcel("0.0.9+other", b"no pickle", {})(b"no task")
    assert theirs == workers.version()
    assert done is None
    refusal = str(workers._refuse(machine, "0.0.9+other"))
    assert machine in refusal
    assert "0.0.9+other" in refusal
    assert workers.version() in refusal
