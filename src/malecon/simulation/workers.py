"""Work spread over processes: this machine's own, or those of a Ray cluster, by the same code. What to do, others say.

The result of a task depends on the task alone, not on who does it or how often it is restarted.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import multiprocessing
import os
import pickle
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from malecon import __version__
from malecon.kernel import registry
from malecon.kernel.errors import BadSetup, MaleconError
from malecon.kernel.extras import require
from malecon.kernel.phrases import say

Task = TypeVar("Task")
Done = TypeVar("Done")

#: A task during which this many workers ended is not tried again.
TRIES = 5
#: The packages whose sources decide how a game goes.
_DECIDING = ("kernel", "games", "bots", "match", "simulation", "arena", "envs", "study")
#: How long a cluster has to answer; Ray's own limit is ten minutes.
CLUSTER_TIMEOUT_SECONDS = 5.0


class NoCluster(MaleconError, ConnectionError):
    """There is no Ray cluster at the address, or it does not let us in."""


class AnotherVersion(MaleconError, RuntimeError):
    """A worker's Malecón is another one than ours, so its results might be others."""


class WorkerLost(MaleconError, RuntimeError):
    """Worker after worker ended in the middle of the same task."""


class _Lost(Exception):
    """A worker ended in the middle of a task."""


def spread(
    work: Callable[[Task], Done],
    tasks: Sequence[Task],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    in_order: bool = False,
) -> Generator[Done]:
    """What `work` makes of every task: each as soon as it is done, or in the order of the tasks.

    Without a cluster, `jobs` processes of this machine work; one job is done in this very process. A cluster is an
    address, or `auto`: the one that runs here, else a new one on this machine. It works at `jobs` tasks at a time, at
    as many as it has cores where nothing is said. A task whose worker was killed is done again. Close the iterator
    (`contextlib.closing`) where you may stop early, so that the workers go home.
    """
    if jobs is not None and jobs < 1:
        raise BadSetup(say("at least one game and one process are needed"))
    if not tasks:
        return
    if cluster is None and (jobs or 1) == 1:
        yield from map(work, tasks)
        return
    crew: _Crew = _Processes(work, jobs or 1) if cluster is None else _Cluster(work, jobs, cluster)
    with crew:
        ahead = enumerate(tasks)
        running: dict[Future[Any], tuple[int, Task]] = {}
        early: dict[int, Done] = {}
        due = 0
        lost: Counter[int] = Counter()
        while due < len(tasks):
            # Only a few tasks are under way, so that stopping loses little.
            room = max(0, crew.width() - len(running) - len(early))
            running |= {crew.submit(task): (number, task) for number, task in itertools.islice(ahead, room)}
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                number, task = running.pop(future)
                try:
                    early[number] = crew.result(future)
                except _Lost as error:
                    lost[number] += 1
                    if lost[number] == TRIES:
                        raise WorkerLost(
                            say("{n} worker processes died during the same task: {reason}", n=TRIES, reason=str(error))
                        ) from error
                    running[crew.submit(task)] = number, task
            for number in itertools.takewhile(early.__contains__, itertools.count(due)) if in_order else list(early):
                due += 1
                yield early.pop(number)


class _Crew(Protocol):
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...
    def width(self) -> int:
        """How many tasks may be under way."""

    def submit(self, task: Any) -> Future[Any]: ...
    def result(self, future: Future[Any]) -> Any:
        """What became of a task, or _Lost."""


class _Processes:
    """Processes of this machine."""

    def __init__(self, work: Callable[[Any], Any], jobs: int) -> None:
        self._work, self._jobs = work, jobs
        self._pool = self._hire()

    def _hire(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._jobs, multiprocessing.get_context("spawn"), _begin, (registry.packages(),))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def width(self) -> int:
        return 2 * self._jobs

    def submit(self, task: Any) -> Future[Any]:
        try:
            return self._pool.submit(self._work, task)
        except BrokenExecutor:  # one process killed ends the whole pool
            self._pool.shutdown()
            self._pool = self._hire()
            return self._pool.submit(self._work, task)

    def result(self, future: Future[Any]) -> Any:
        try:
            return future.result()
        except BrokenExecutor as error:
            raise _Lost(str(error)) from error


def _begin(registered: Mapping[str, str]) -> None:
    """A process learns which games there are, and to end at once.

    Ctrl-C reaches every process of a terminal, and needs no traceback from each. One that ignores it goes on doing so.
    """
    threading.Thread(target=_end_with_parent, daemon=True).start()
    registry.register_all(registered)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _end_with_parent() -> None:
    """End where the process that hired this one has ended, however it was killed: nobody waits for the work any more.

    Its sentinel is a pipe that only the parent holds open (on Windows, a handle), so nothing has to be asked twice.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


class _Cluster:
    """The processes of a Ray cluster. It is ours to leave only where it was ours to join."""

    def __init__(self, work: Callable[[Any], Any], jobs: int | None, cluster: str) -> None:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        self._ray = require("ray", "Ray", "cluster")
        self._run = self._ray.remote(num_cpus=1, max_retries=0)(
            _parcel(version(), pickle.dumps(work), dict(registry.packages()))
        )
        self._jobs, self._address = jobs, cluster
        self._joined = not self._ray.is_initialized()

    def __enter__(self) -> Self:
        if self._joined:
            _join(self._ray, self._address)
        return self

    def __exit__(self, *error: object) -> None:
        if self._joined:
            self._ray.shutdown()

    def width(self) -> int:
        # Machines come and go. Two tasks for each core: nobody waits for us.
        return self._jobs or max(1, 2 * int(self._ray.cluster_resources().get("CPU", 0)))

    def submit(self, task: Any) -> Future[Any]:
        future: Future[Any] = self._run.remote(pickle.dumps(task)).future()
        return future

    def result(self, future: Future[Any]) -> Any:
        try:
            machine, theirs, done = future.result()
        except self._ray.exceptions.RayTaskError as error:  # our own work failed, as it would have here
            raise getattr(error, "cause", None) or error from None
        except self._ray.exceptions.RayError as error:
            raise _Lost(str(error).partition("\n")[0]) from error
        if theirs != version():
            raise _refuse(machine, theirs)
        return done


def _parcel(ours: str, work: bytes, registered: dict[str, str]) -> Callable[[bytes], tuple[str, str | None, Any]]:
    """The work for a worker that may have another Malecón, or none at all.

    Ray sends an inner function as it stands, where it would send one of a module by its name.
    """

    def unpack(task: bytes) -> tuple[str, str | None, Any]:
        import pickle
        import socket

        try:
            from malecon.kernel import registry
            from malecon.simulation import workers

            theirs = workers.version()
            registry.register_all(registered)
        except (ImportError, AttributeError):
            return socket.gethostname(), None, None
        done = pickle.loads(work)(pickle.loads(task)) if theirs == ours else None
        return socket.gethostname(), theirs, done

    return unpack


def _refuse(machine: str, theirs: str | None) -> AnotherVersion:
    if theirs is None:
        return AnotherVersion(
            say("{machine} has no Malecón or an older one; install {ours} there", machine=machine, ours=version())
        )
    return AnotherVersion(
        say(
            "{machine} has Malecón {theirs}, this machine has {ours}; install the same version on both",
            machine=machine, theirs=theirs, ours=version(),
        )
    )  # fmt: skip


@functools.cache
def version() -> str:
    """Which Malecón this is, told by all that decides how a game goes: rules, bots and what they have learnt."""
    package = Path(__file__).parent.parent
    total = hashlib.sha256()
    rooms = [path for room in _DECIDING for path in (package / room).rglob("*") if path.suffix in (".py", ".npz")]
    for path in sorted(rooms):
        total.update(path.relative_to(package).as_posix().encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{__version__}+{total.hexdigest()[:10]}"


def _join(ray: Any, cluster: str) -> None:
    """Join the cluster, or start one on this machine."""
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    address: str | None = cluster
    if cluster == "auto":
        # `ray start` leaves the address where Ray finds it again; whether anybody is still there is another question.
        named = os.environ.get("RAY_ADDRESS")
        running = named or ray._private.utils.read_ray_address()
        address = None if running and (named or _answers(running)) else "local"
        cluster = running or cluster
    if address != "local" and not _answers(cluster):
        raise NoCluster(say("no Ray cluster is answering at {address}", address=cluster))
    try:
        ray.init(address, **quiet)
    except Exception as error:  # Ray raises what it likes, even plain Exceptions
        ray.shutdown()
        reason = " ".join(str(error).split())[:200]
        if address == "local":
            raise NoCluster(say("Ray did not start on this machine: {reason}", reason=reason)) from error
        raise NoCluster(
            say(
                "the Ray cluster at {address} refuses the connection: {reason}; this machine must belong to the "
                "cluster and have its token (RAY_AUTH_MODE=token)",
                address=cluster,
                reason=reason,
            )
        ) from error


def _answers(address: str) -> bool:
    """Whether anybody listens there: Ray would ask for ten minutes."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), CLUSTER_TIMEOUT_SECONDS).close()
    except (OSError, ValueError):
        return False
    return True
