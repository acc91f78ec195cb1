"""Bots that think in other processes: they are handed views, and what a killed one had begun the next one does."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import psycopg
import pytest

from malecon import bots
from malecon.bots import specs
from malecon.match import Match, View
from malecon.server.operations.limits import Limiter
from malecon.server.operations.metrics import Metrics
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.database import BadDatabase
from malecon.server.storage.store import Storage
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.web.services import Services
from malecon.server.workers import jobs, remote
from malecon.server.workers import worker as worker_module
from malecon.server.workers.jobs import Job, WorkerHeartbeat
from malecon.server.workers.worker import BotWorker
from malecon.simulation.workers import version
from tests.server.cluster import wait_until
from tests.server.postgres import Postgres

BOT = "search:sims=40"
TABLE = NewTable("santiago", (NewSeat("bot:comerciante"), NewSeat("bot:comerciante")), pace="instant")


def played(game: str, moves: int) -> Match:
    match, dice = Match(game, 3, seed=5), random.Random(5)
    while len(match) < moves or match.turn is None or match.turn < 0:
        match.push(dice.choice(list(match.legal_moves)))
    return match


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_a_job_says_what_the_view_says(game: str) -> None:
    match = played(game, 60)
    view = match.view(match.turn)
    again = jobs.decode_job(jobs._encode_job(Job.of("t", BOT, view))).view()
    assert (again.position.tobytes(), again.history, again.seat) == (view.position.tobytes(), view.history, view.seat)
    assert again.options == view.options
    assert bots.make(BOT, 7).choose(again) == bots.make(BOT, 7).choose(view)


def test_a_job_tells_nothing_that_the_view_hides() -> None:
    """Two games that differ only in what the seat may not know are the same job."""
    first, other = Match("cuba", 2, seed=3), Match("cuba", 2, seed=3)
    dice = random.Random(2)
    hidden = 0
    while first.turn is not None and hidden < 20:
        legal, seat = list(first.legal_moves), first.turn
        move = dice.choice(legal)
        watcher = 1 - seat if seat >= 0 else None
        if watcher is not None:
            for another in legal:
                there = other.copy()
                there.push(another)
                here = first.copy()
                here.push(move)
                if another != move and watcher is not None and _same(here.view(watcher), there.view(watcher)):
                    hidden += 1
                    truth = here.view(seat).history[-1].move
                    assert truth == move
                    written = [jobs._encode_job(Job.of("t", BOT, match.view(watcher))) for match in (here, there)]
                    assert written[0] == written[1]
        first.push(move)
        other.push(move)
    assert hidden > 0


def _same(first: View, other: View) -> bool:
    return first.position.tobytes() == other.position.tobytes() and first.history == other.history


@contextmanager
def connection(address: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(address, autocommit=True) as database:
        database.execute(jobs.CREATE_TABLE)
        yield database


def test_a_job_is_taken_once_and_is_free_when_its_worker_dies(postgres: Postgres) -> None:
    address = postgres.new_database()
    match = played("santiago", 20)
    job = Job.of("t", BOT, match.view(match.turn))
    with connection(address) as server, connection(address) as first, connection(address) as third:
        server.execute(f"LISTEN {jobs.CHANNEL}".encode())
        for number in (1, 2):
            server.execute(*jobs.queue_statement("server", number, version(), job))
        second = psycopg.connect(address, autocommit=True)
        with ExitStack() as dying, jobs.taking(first, version()) as mine:
            dying.enter_context(suppress(psycopg.Error))  # its transaction cannot end any more
            theirs = dying.enter_context(jobs.taking(second, version()))
            assert mine is not None
            assert theirs is not None
            assert (mine.number, theirs.number) == (1, 2)
            assert jobs.decode_job(theirs.data) == job
            for other in (version(), "another version"):
                with jobs.taking(third, other) as nothing:
                    assert nothing is None
            second.close()  # in the middle of its thought
            end, again = time.monotonic() + 20, None
            while again is None and time.monotonic() < end:
                with jobs.taking(third, version()) as again:
                    if again is not None:
                        assert again.number == 2
                        jobs.finish(third, again, 7, 0.5)
            assert again is not None
            jobs.finish(first, mine, 3, 0.25)
        answers = [jobs.unpack(notice.payload) for notice in server.notifies(timeout=10, stop_after=4)]
        assert answers[:2] == [jobs.JobQueued(), jobs.JobQueued()]
        assert answers[2:] == [jobs.JobResult("server", 2, 7, 0.5), jobs.JobResult("server", 1, 3, 0.25)]
        assert server.execute("SELECT count(*) FROM bot_jobs").fetchone() == (0,)


def test_a_server_that_gives_a_job_up_does_not_wait_for_its_worker(postgres: Postgres) -> None:
    match = played("santiago", 20)
    job, address = Job.of("t", BOT, match.view(match.turn)), postgres.new_database()
    with connection(address) as server, connection(address) as worker:
        server.execute("SET lock_timeout = '1s'")
        for number in (1, 2):
            server.execute(*jobs.queue_statement("server", number, version(), job))
        with jobs.taking(worker, version()) as taken:
            assert taken is not None
            for number in (1, 2):
                server.execute(*jobs.drop_statement("server", number))
            assert server.execute("SELECT number FROM bot_jobs").fetchall() == [(1,)]
            jobs.finish(worker, taken, 3, 0.5)
        assert server.execute("SELECT count(*) FROM bot_jobs").fetchone() == (0,)


@contextmanager
def process(address: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "malecon", "think", "--threads", "1"]
    environment = {**os.environ, "MALECON_DATABASE": address}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as running:
        try:
            assert running.stdout
            assert "Thinking" in running.stdout.readline()
            yield running
        finally:
            running.kill()


@pytest.fixture
def searching(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no search count as one that answers at once, so that the quick bots of the tests are sent to workers."""
    monkeypatch.setattr(specs, "INSTANT_SIMS", 0)


@pytest.mark.usefixtures("searching")
def test_a_game_goes_on_while_its_workers_are_killed(postgres: Postgres) -> None:
    address = postgres.new_database()

    async def play() -> None:
        services = Services(Storage(address), Metrics(), Limiter(ServerSettings()))
        services.open()
        here = services.worker_pool.run
        own = []

        async def counted(*arguments: Any) -> Any:
            own.append(1)
            return await here(*arguments)

        services.worker_pool.run = counted  # type: ignore[method-assign]
        paid: list[str] = []
        services.limiter.charge_think_time = lambda person, _: paid.append(person)  # type: ignore[method-assign]
        with process(address) as first, process(address) as second:
            await wait_until(lambda: services.bot_moves.remote_workers.threads == 2, 60)
            table = await services.tables.open(TABLE, "ana")
            await wait_until(lambda: len(table.match) > 20, 60)
            assert own == []
            first.kill()  # in the middle of whatever it thinks about
            at = len(table.match)
            await wait_until(lambda: len(table.match) > at + 10, 60)
            assert own == []  # the other one has done it
            text = services.metrics.text(1, 1, worker_threads=1).decode()
            assert "malecon_thinking_elsewhere 1" in text
            assert 'malecon_think_seconds_count{kind="bot:comerciante"}' in text
            second.send_signal(signal.SIGTERM)  # takes its leave
            assert await asyncio.to_thread(second.wait, 60) == 0
            await wait_until(lambda: table.match.is_over, 120)
            assert own  # and the server itself the rest
        assert len(paid) > 20  # what was thought elsewhere, too
        assert set(paid) == {"ana"}
        await services.close()

    asyncio.run(play())


@pytest.mark.usefixtures("searching")
def test_a_server_thinks_itself_if_workers_do_not_answer(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "JOB_TIMEOUT_SECONDS", 0.5)
    monkeypatch.setattr(remote, "CHECK_SECONDS", 0.1)
    address = postgres.new_database()

    async def play() -> None:
        services = Services(Storage(address), Metrics(), Limiter(ServerSettings()))
        services.open()
        workers = services.bot_moves.remote_workers
        for strange in ("", "{}", '["WorkerHeartbeat"]', jobs.pack(WorkerHeartbeat("old", "another version", 4))):
            workers.on_message(strange)
        assert workers.threads == 0
        workers.on_message(jobs.pack(WorkerHeartbeat("mute", version(), 4)))
        assert workers.threads == 4
        table = await services.tables.open(TABLE, "ana")
        await wait_until(lambda: len(table.match) > 20, 60)
        await services.close()
        with connection(address) as left:
            assert left.execute("SELECT count(*) FROM bot_jobs").fetchone() == (0,)

    asyncio.run(play())


def test_jobs_that_wait_for_a_worker_go_on_when_the_last_one_leaves(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "CHECK_SECONDS", 0.1)
    match = played("santiago", 20)
    job = Job.of("t", BOT, match.view(match.turn))

    async def wait() -> None:
        storage = Storage(postgres.new_database())
        workers = remote.RemoteWorkers(storage)
        workers.on_message(jobs.pack(WorkerHeartbeat("mute", version(), 1)))
        waiting = [asyncio.create_task(workers.run(f"owner {n}", job)) for n in range(10)]
        await wait_until(lambda: len(workers._results) == remote.JOBS_PER_THREAD)
        workers.on_message(jobs.pack(WorkerHeartbeat("mute", version(), 0)))
        answers = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 20)
        assert all(isinstance(answer, remote.NoWorkerAvailable) for answer in answers)
        await workers.close()
        storage.close()

    asyncio.run(wait())


def test_bots_that_answer_at_once_are_not_sent_to_workers(postgres: Postgres) -> None:
    async def play() -> None:
        services = Services(Storage(postgres.new_database()), Metrics(), Limiter(ServerSettings()))
        services.open()
        workers = services.bot_moves.remote_workers
        workers.on_message(jobs.pack(WorkerHeartbeat("mute", version(), 4)))
        workers.run = None  # type: ignore[method-assign,assignment]
        table = await services.tables.open(TABLE, "ana")
        await wait_until(lambda: table.match.is_over, 60)
        assert workers._results == {}
        await services.close()

    asyncio.run(play())


def test_a_job_that_cannot_be_read_costs_no_thread(postgres: Postgres, caplog: pytest.LogCaptureFixture) -> None:
    """The only thread of a worker answers that it cannot do the job, and does the next one."""
    match = played("santiago", 20)
    view, address = match.view(match.turn), postgres.new_database()
    worker = BotWorker(address, 1, 10**8)
    with connection(address) as server:
        server.execute(f"LISTEN {jobs.CHANNEL}".encode())
        statement, (*_, channel, notice) = jobs.queue_statement("server", 1, version(), Job.of("t", BOT, view))
        unreadable = (b"", b"\xc1", jobs._encode_job(Job.of("t", "nobody", view)), jobs._encode_job(["x"]))
        for number, data in enumerate(unreadable):
            server.execute(statement, ("server", number, version(), data, channel, notice))
        server.execute(*jobs.queue_statement("server", 9, version(), Job.of("t", BOT, view)))
        worker.begin()
        try:
            results: list[jobs.JobResult] = []
            for notification in server.notifies(timeout=60):
                message = jobs.unpack(notification.payload)
                if isinstance(message, jobs.JobResult):
                    results.append(message)
                if len(results) > len(unreadable):
                    break
        finally:
            worker.stop()
            worker.wait()
        assert [(result.number, result.code is None) for result in results] == [
            (0, True), (1, True), (2, True), (3, True), (9, False),
        ]  # fmt: skip
        assert results[-1].code in view.legal_moves.codes
        assert server.execute("SELECT count(*) FROM bot_jobs").fetchone() == (0,)
    assert "a job broke" in caplog.text


def test_a_thread_that_breaks_begins_again(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(worker_module, "RECONNECT_SECONDS", 0.01)
    match = played("santiago", 20)
    address = postgres.new_database()
    worker = BotWorker(address, 1, 10**8)
    finish, broken = jobs.finish, [True]

    def breaks_once(*arguments: Any) -> None:
        if broken:
            broken.clear()
            raise RuntimeError("whatever it may be")
        finish(*arguments)

    monkeypatch.setattr(jobs, "finish", breaks_once)
    with connection(address) as server:
        server.execute(*jobs.queue_statement("server", 1, version(), Job.of("t", BOT, match.view(match.turn))))
        worker.begin()
        try:
            end = time.monotonic() + 60
            while server.execute("SELECT count(*) FROM bot_jobs").fetchone() != (0,):
                assert time.monotonic() < end
        finally:
            worker.stop()
            worker.wait()
    assert "a thread of the worker broke" in caplog.text


def test_a_worker_gives_trees_of_resting_tables_back(postgres: Postgres) -> None:
    worker = BotWorker(postgres.new_database(), 1, 10**9)
    match = played("santiago", 20)
    job = Job.of("t", "search:sims=300", match.view(match.turn))
    with connection(postgres.new_database()) as any_database:
        any_database.execute(*jobs.queue_statement("server", 1, version(), job))
        with jobs.taking(any_database, version()) as taken:
            assert taken is not None
            worker._finish(any_database, taken)
    assert len(worker._bot_cache) == 1
    worker._clear_idle(time.monotonic() - 60)
    assert len(worker._bot_cache) == 1
    worker._clear_idle(time.monotonic() + 1)
    assert len(worker._bot_cache) == 0


def test_workers_need_postgresql() -> None:
    with pytest.raises(BadDatabase, match="PostgreSQL"):
        BotWorker("sqlite:///:memory:", 1, 1)
