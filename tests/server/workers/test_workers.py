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
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from malecon import bots
from malecon.match import Match, View
from malecon.server.operations.limits import Limiter, ServerSettings
from malecon.server.operations.metrics import Metrics
from malecon.server.storage.database import BadDatabase
from malecon.server.storage.store import Storage
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.web.services import Services
from malecon.server.workers import jobs, remote
from malecon.server.workers.fair_semaphore import FairSemaphore
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
    again = jobs._decode_job(jobs._encode_job(Job.of("t", BOT, view))).view()
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


def test_a_job_is_taken_once_and_is_free_when_its_thinker_dies(postgres: Postgres) -> None:
    address = postgres.new_database()
    match = played("santiago", 20)
    job = Job.of("t", BOT, match.view(match.turn))
    with connection(address) as server, connection(address) as first:
        server.execute(f"LISTEN {jobs.CHANNEL}".encode())
        for number in (1, 2):
            server.execute(*jobs.queue_statement("server", number, version(), job))
        with connection(address) as second:
            mine, theirs = jobs.take(first, version()), jobs.take(second, version())
            assert mine is not None
            assert theirs is not None
            assert (mine.number, theirs.number) == (1, 2)
            assert theirs.job == job
            with connection(address) as third:
                assert jobs.take(third, version()) is None
                assert jobs.take(third, "another version") is None
        jobs.finish(first, mine, "drive 1", 0.5)
        end, again = time.monotonic() + 20, None
        while again is None and time.monotonic() < end:  # the second has hung up in the middle of its thought
            again = jobs.take(first, version())
        assert again is not None
        assert again.number == 2
        jobs.finish(first, again, "drive 1", 0.5)
        answers = [jobs.unpack(notice.payload) for notice in server.notifies(timeout=10, stop_after=4)]
        assert answers[:2] == [jobs.JobQueued(), jobs.JobQueued()]
        assert answers[2:] == [jobs.JobResult("server", number, "drive 1", 0.5) for number in (1, 2)]
        assert jobs.take(first, version()) is None
        assert server.execute("SELECT count(*) FROM bot_jobs").fetchone() == (0,)
        server.execute(*jobs.queue_statement("server", 3, version(), job))
        late = jobs.take(first, version())
        assert late is not None
        server.execute(*jobs.drop_statement("server", 3))
        jobs.finish(first, late, "drive 1", 0.5)  # nobody waits: nobody is told
        jobs.send(first, jobs.JobQueued())
        answers = [jobs.unpack(notice.payload) for notice in server.notifies(timeout=10, stop_after=2)]
        assert answers == [jobs.JobQueued(), jobs.JobQueued()]


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


def test_a_game_goes_on_while_its_thinkers_are_killed(postgres: Postgres) -> None:
    address = postgres.new_database()

    async def play() -> None:
        services = Services(Storage(address), Metrics(), Limiter(ServerSettings()))
        services.open()
        here = services.think_pool.run
        own = []

        async def counted(*arguments: Any) -> Any:
            own.append(1)
            return await here(*arguments)

        services.think_pool.run = counted  # type: ignore[method-assign]
        paid: list[str] = []
        services.limiter.charge_think_time = lambda person, _: paid.append(person)  # type: ignore[method-assign]
        with process(address) as first, process(address) as second:
            await wait_until(lambda: services.autoplay.remote_workers.threads == 2, 60)
            table = await services.tables.open(TABLE, "ana")
            await wait_until(lambda: len(table.match) > 20, 60)
            assert own == []
            first.kill()  # in the middle of whatever it thinks about
            at = len(table.match)
            await wait_until(lambda: len(table.match) > at + 10, 60)
            assert own == []  # the other one has done it
            assert b"malecon_thinking_elsewhere 1" in services.metrics.text(1, 1, worker_threads=1)
            second.send_signal(signal.SIGTERM)  # takes its leave
            assert await asyncio.to_thread(second.wait, 60) == 0
            await wait_until(lambda: table.match.is_over, 120)
            assert own  # and the server itself the rest
        assert len(paid) > 20  # what was thought elsewhere, too
        assert set(paid) == {"ana"}
        await services.close()

    asyncio.run(play())


def test_a_server_thinks_itself_if_thinkers_do_not_answer(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "JOB_TIMEOUT_SECONDS", 0.5)
    monkeypatch.setattr(remote, "CHECK_SECONDS", 0.1)
    address = postgres.new_database()

    async def play() -> None:
        services = Services(Storage(address), Metrics(), Limiter(ServerSettings()))
        services.open()
        for strange in ("", "{}", '["WorkerHeartbeat"]', jobs.pack(WorkerHeartbeat("old", "another version", 4))):
            services.autoplay.remote_workers.on_message(strange)
        assert services.autoplay.remote_workers.threads == 0
        services.autoplay.remote_workers.on_message(jobs.pack(WorkerHeartbeat("mute", version(), 4)))
        assert services.autoplay.remote_workers.threads == 4
        table = await services.tables.open(TABLE, "ana")
        await wait_until(lambda: len(table.match) > 20, 60)
        await services.close()
        with connection(address) as left:
            assert left.execute("SELECT count(*) FROM bot_jobs").fetchone() == (0,)

    asyncio.run(play())


def test_a_thinker_gives_trees_of_resting_tables_back(postgres: Postgres) -> None:
    worker = BotWorker(postgres.new_database(), 1, 10**9)
    match = played("santiago", 20)
    job = Job.of("t", "search:sims=300", match.view(match.turn))
    with connection(postgres.new_database()) as any_database:
        any_database.execute(*jobs.queue_statement("server", 1, version(), job))
        taken = jobs.take(any_database, version())
        assert taken is not None
        worker._finish(any_database, taken)
    assert len(worker._bot_cache) == 1
    worker._clear_idle(time.monotonic() - 60)
    assert len(worker._bot_cache) == 1
    worker._clear_idle(time.monotonic() + 1)
    assert len(worker._bot_cache) == 0


def test_thinkers_need_postgresql() -> None:
    with pytest.raises(BadDatabase, match="PostgreSQL"):
        BotWorker("sqlite:///:memory:", 1, 1)


def test_places_may_become_more_and_fewer() -> None:
    async def crowd() -> None:
        semaphore, order = FairSemaphore(0), list[str]()

        async def first(owner: str) -> None:
            await semaphore.acquire(owner)
            order.append(owner)

        waiting = [asyncio.create_task(first(owner)) for owner in ("ana", "ana", "ana", "bea", "cleo")]
        await asyncio.sleep(0)
        assert order == []
        semaphore.set_capacity(3)
        await asyncio.sleep(0)
        assert order == ["ana", "bea", "cleo"]
        semaphore.set_capacity(1)
        semaphore.release()
        semaphore.release()
        await asyncio.sleep(0)
        assert len(order) == 3  # one is still there
        semaphore.release()
        await asyncio.sleep(0)
        assert len(order) == 4
        semaphore.release()
        await asyncio.gather(*waiting)

    asyncio.run(crowd())
