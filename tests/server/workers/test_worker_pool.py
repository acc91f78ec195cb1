"""The pool of threads: instant bots never wait for searches, owners take turns, and nobody waits for ever."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from malecon.kernel.errors import BadSetup, IllegalMove, NotAMove
from malecon.kernel.notation import Notation
from malecon.kernel.phrases import say
from malecon.server.operations.limits import Limiter
from malecon.server.operations.metrics import Metrics
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.database import address_of
from malecon.server.storage.rows import BOT, SeatRow
from malecon.server.storage.store import Storage
from malecon.server.tables.opening import NewTable, new_table
from malecon.server.tables.seats import NewSeat
from malecon.server.web.services import SEARCH_THREADS, Services
from malecon.server.workers.fair_semaphore import MOST_PASSED_OVER, FairSemaphore
from malecon.server.workers.worker_pool import HINT, REVIEW, WorkerPool, WorkKind
from tests.server.cluster import wait_until

MINUTE = 60.0


def bots_only(level: str) -> NewTable:
    return NewTable("santiago", (NewSeat(f"bot:{level}"), NewSeat(f"bot:{level}")), pace="instant")


def number(metrics: Metrics, name: str, kind: str) -> float:
    """A number of one kind of work on the page that Prometheus reads; 0 before the first."""
    families = text_string_to_metric_families(metrics.text(0, 0).decode())
    samples = (sample for family in families for sample in family.samples)
    return sum(sample.value for sample in samples if (sample.name, sample.labels.get("kind")) == (name, kind))


class Gate:
    """Work that lasts until the gate is opened."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.inside = 0

    def work(self) -> None:
        self.inside += 1
        assert self.open.wait(MINUTE)


def test_bots_that_answer_at_once_do_not_wait_for_those_that_search(tmp_path: Path) -> None:
    """All threads search and fifty owners wait for them; meanwhile every weaker level plays a whole game."""

    async def play() -> None:
        metrics, gate = Metrics(), Gate()
        services = Services(Storage(address_of(tmp_path)), metrics, Limiter(ServerSettings()))
        searches = [
            asyncio.create_task(services.worker_pool.run(HINT, f"asker {n}", gate.work)) for n in range(SEARCH_THREADS)
        ]
        await wait_until(lambda: gate.inside == SEARCH_THREADS)
        strong = [await services.tables.open(bots_only("patron"), f"owner {n}") for n in range(50)]
        for table in strong:
            services.autoplay.look_at(table)
        await wait_until(lambda: number(metrics, "malecon_think_queue", "bot:patron") == 50, MINUTE)
        before = [len(table.match) for table in strong]
        for level in ("aprendiz", "turista", "comerciante", "capitan", "random"):
            table = await services.tables.open(bots_only(level), "ana")
            services.autoplay.look_at(table)
            await wait_until(lambda table=table: table.match.is_over, MINUTE)  # type: ignore[misc]
            assert number(metrics, "malecon_think_seconds_count", f"bot:{level}") > 10
        assert [len(table.match) for table in strong] == before
        assert number(metrics, "malecon_think_queue", "bot:patron") == 50
        assert number(metrics, "malecon_think_seconds_count", "bot:patron") == 0
        assert not any(search.done() for search in searches)
        gate.open.set()
        await asyncio.gather(*searches)
        await services.close()

    asyncio.run(play())


@pytest.fixture
def limiter() -> Limiter:
    return Limiter(ServerSettings())


def run_in_order(limiter: Limiter, ask: Callable[[Callable[[WorkKind, str], None]], None]) -> list[str]:
    """What a pool with one thread does, in that order, if all of it was asked for while the thread was busy."""

    async def think() -> list[str]:
        pool, gate, order = WorkerPool(1, limiter, Metrics()), Gate(), list[str]()
        tasks = [asyncio.create_task(pool.run(HINT, "first", gate.work))]
        await wait_until(lambda: gate.inside == 1)

        def add(kind: WorkKind, owner: str) -> None:
            tasks.append(asyncio.create_task(pool.run(kind, owner, order.append, owner)))

        ask(add)
        await asyncio.sleep(0)
        gate.open.set()
        await asyncio.gather(*tasks)
        pool.close()
        return order

    return asyncio.run(think())


def test_what_people_wait_for_comes_first_but_the_rest_has_its_turn(limiter: Limiter) -> None:
    def ask(add: Callable[[WorkKind, str], None]) -> None:
        for _ in range(4):
            add(REVIEW, "review")
        for _ in range(3 * MOST_PASSED_OVER):
            add(HINT, "hint")

    cycle = ["hint"] * MOST_PASSED_OVER + ["review"]
    assert run_in_order(limiter, ask) == [*cycle * 3, "review"]


def test_owners_take_turns_for_reviews_as_well(limiter: Limiter) -> None:
    def ask(add: Callable[[WorkKind, str], None]) -> None:
        for owner in ("ana", "ana", "ana", "bea", "ana", "cleo"):
            add(REVIEW, owner)

    assert run_in_order(limiter, ask) == ["ana", "bea", "cleo", "ana", "ana", "ana"]


def test_reviews_leave_a_thread_for_what_people_wait_for(limiter: Limiter) -> None:
    async def think() -> None:
        pool, gate = WorkerPool(2, limiter, Metrics()), Gate()
        reviews = [asyncio.create_task(pool.run(REVIEW, f"owner {n}", gate.work)) for n in range(5)]
        await wait_until(lambda: gate.inside == 1)
        for _ in range(30):
            assert await pool.run(HINT, "ana", lambda: "hint") == "hint"
        assert gate.inside == 1
        gate.open.set()
        await asyncio.gather(*reviews)
        assert gate.inside == 5
        pool.close()

    asyncio.run(think())


def test_waiting_and_thinking_are_measured_apart(limiter: Limiter) -> None:
    async def think() -> None:
        metrics, gate = Metrics(), Gate()
        pool = WorkerPool(1, limiter, metrics)
        first = asyncio.create_task(pool.run(REVIEW, "ana", gate.work))
        await wait_until(lambda: gate.inside == 1)
        others = [asyncio.create_task(pool.run(HINT, "bea", int)) for _ in range(3)]
        await asyncio.sleep(0)
        assert number(metrics, "malecon_think_queue", "hint") == 3
        assert number(metrics, "malecon_think_queue", "review") == 0
        others.pop().cancel()  # somebody does not wait any longer
        gate.open.set()
        await asyncio.gather(first, *others)
        assert number(metrics, "malecon_think_queue", "hint") == 0
        assert number(metrics, "malecon_think_wait_seconds_count", "hint") == 2
        assert number(metrics, "malecon_think_seconds_count", "hint") == 2
        assert number(metrics, "malecon_think_seconds_count", "review") == 1
        # the hints waited while the review was made, and took no time themselves
        waited = number(metrics, "malecon_think_wait_seconds_sum", "hint")
        assert number(metrics, "malecon_think_seconds_sum", "hint") < waited
        assert number(metrics, "malecon_think_wait_seconds_sum", "review") < waited
        pool.close()

    asyncio.run(think())


def test_thinking_is_charged_even_if_it_fails_or_its_caller_has_left(limiter: Limiter) -> None:
    async def think() -> None:
        paid: list[str] = []
        limiter.charge_think_time = lambda person, seconds: paid.append(person)  # type: ignore[method-assign]
        pool, gate = WorkerPool(1, limiter, Metrics()), Gate()

        def fail() -> None:
            raise BadSetup(say("this is no position"))

        with pytest.raises(BadSetup):
            await pool.run(HINT, "ana", fail)
        assert paid == ["ana"]
        left = asyncio.create_task(pool.run(HINT, "bea", gate.work))
        await wait_until(lambda: gate.inside == 1)
        left.cancel()
        with suppress(asyncio.CancelledError):
            await left
        gate.open.set()
        assert await pool.run(HINT, "cleo", lambda: "done") == "done"  # the thread is free again
        assert paid == ["ana", "bea", "cleo"]
        pool.close()

    asyncio.run(think())


def test_slots_may_become_more_and_fewer() -> None:
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


def test_a_bot_that_breaks_is_replaced_by_a_random_move(tmp_path: Path) -> None:
    async def play() -> None:
        storage = Storage(address_of(tmp_path))
        services = Services(storage, Metrics(), Limiter(ServerSettings()))
        row, entries = new_table(bots_only("patron"), "ana")
        broken = tuple(SeatRow(BOT, bot="search:sims=60,net=/nowhere") for _ in row.seats)
        storage.create(replace(row, seats=broken), entries)
        table = await services.tables.get(row.id)
        at = len(table.match)
        services.autoplay.look_at(table)
        await wait_until(lambda: len(table.match) > at + 3, MINUTE)
        await services.close()

    asyncio.run(play())


def test_bots_that_nobody_sees_play_in_the_background(tmp_path: Path) -> None:
    async def play() -> None:
        services = Services(Storage(address_of(tmp_path)), Metrics(), Limiter(ServerSettings()))
        run, background = services.worker_pool.run, list[bool]()

        async def recorded(kind: WorkKind, *arguments: Any) -> Any:
            background.append(kind.background)
            return await run(kind, *arguments)

        services.worker_pool.run = recorded  # type: ignore[method-assign]
        unseen = await services.tables.open(bots_only("greedy"), "ana")
        services.autoplay.look_at(unseen)
        await wait_until(lambda: unseen.match.is_over, MINUTE)
        assert set(background) == {True}
        background.clear()
        watched = await services.tables.open(bots_only("greedy"), "ana")
        watched.listeners.add(lambda: None)
        services.autoplay.look_at(watched)
        await wait_until(lambda: watched.match.is_over, MINUTE)
        assert set(background) == {False}
        beside = await services.tables.open(NewTable("santiago", (NewSeat("me"), NewSeat("bot:greedy"))), "ana")
        assert beside.is_attended
        await services.close()

    asyncio.run(play())


def test_a_bots_decision_is_never_turned_into_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole game of bots is played without reading any notation, dice included."""

    def read(*arguments: Any) -> Any:
        raise AssertionError("a move was read from its text")

    async def play() -> None:
        services = Services(Storage(address_of(tmp_path)), Metrics(), Limiter(ServerSettings()))
        table = await services.tables.open(bots_only("capitan"), "ana")
        monkeypatch.setattr(Notation, "code", read)
        services.autoplay.look_at(table)
        await wait_until(lambda: table.match.is_over, MINUTE)
        monkeypatch.undo()
        await services.close()

    asyncio.run(play())


def test_a_wrong_code_changes_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        services = Services(Storage(address_of(tmp_path)), Metrics(), Limiter(ServerSettings()))
        table = await services.tables.open(NewTable("santiago", (NewSeat("me"), NewSeat("me"))), "ana")
        seat, legal, count = table.match.turn, table.match.legal_moves.codes, len(table.match.game.notation)
        assert seat is not None
        before = table.match.to_bytes()
        for code in (next(code for code in range(count) if code not in legal), -1, count):
            with pytest.raises((IllegalMove, NotAMove)):
                await services.tables.bot_move(table, code, seat, table.version)
        with pytest.raises(IllegalMove):
            await services.tables.bot_move(table, legal[0], 1 - seat, table.version)
        assert table.match.to_bytes() == before
        await services.close()

    asyncio.run(play())
