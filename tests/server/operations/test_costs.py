"""What requests cost: only their own processor time counts, on the event loop and in threads, and its sender pays."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from malecon.server.errors import TooOften
from malecon.server.operations import costs
from malecon.server.operations.costs import NOWHERE, UNIT_SECONDS, Meter, MeteredThreads, RouteCosts, Turns, metered
from malecon.server.operations.limits import Limiter
from malecon.server.operations.settings import ServerSettings
from malecon.server.web.app import create_app

FAR = {"type": "http", "client": ("203.0.113.5", 1)}


def compute(seconds: float) -> float:
    """Keep a processor busy; returns the time it took."""
    began = time.thread_time()
    while time.thread_time() - began < seconds:
        pass
    return time.thread_time() - began


def test_only_a_requests_own_processor_time_is_counted() -> None:
    async def cheap() -> str:
        await asyncio.sleep(0.05)  # meanwhile the others run
        await asyncio.sleep(0.05)
        return "cheap"

    async def costly() -> str:
        compute(0.04)
        await asyncio.sleep(0)
        compute(0.04)
        return "costly"

    async def in_a_thread() -> float:
        await asyncio.to_thread(time.sleep, 0.03)  # waiting costs nothing
        return await asyncio.to_thread(compute, 0.06)

    async def run() -> tuple[list[object], list[Meter]]:
        asyncio.get_running_loop().set_default_executor(MeteredThreads())
        meters = [Meter(), Meter(), Meter()]

        async def wrapped(work: object, meter: Meter) -> object:
            return await metered(work, meter)  # type: ignore[arg-type]

        pairs = zip((cheap(), costly(), in_a_thread()), meters, strict=True)
        return await asyncio.gather(*(wrapped(*pair) for pair in pairs)), meters

    results, (first, second, third) = asyncio.run(run())
    assert results[:2] == ["cheap", "costly"]
    assert first.seconds < 0.02
    assert 0.08 <= second.seconds < 0.1
    assert 0.06 <= third.seconds < 0.08


def test_errors_and_hang_ups_pass_through_a_meter() -> None:
    ended = []

    async def failing() -> None:
        await asyncio.sleep(0)
        raise KeyError("here")

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append(True)

    async def wrapped(work: object) -> object:
        return await metered(work, Meter())  # type: ignore[arg-type]

    async def run() -> None:
        with pytest.raises(KeyError, match="here"):
            await wrapped(failing())
        task = asyncio.create_task(wrapped(endless()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert ended == [True]


def test_requests_of_others_come_between_those_of_one_address() -> None:
    order: list[str] = []

    async def page(name: str) -> None:
        await asyncio.sleep(0)
        order.append(name)
        await asyncio.sleep(0)

    async def run() -> None:
        turns = Turns()

        async def wrapped(address: str | None) -> None:
            await metered(page(str(address)), Meter(), turns, address)  # type: ignore[misc]

        many = [asyncio.create_task(wrapped("a")) for _ in range(30)]
        hung_up = asyncio.create_task(wrapped("a"))
        for _ in range(10):
            await asyncio.sleep(0)
        assert 2 <= len(order) <= 10
        before = len(order)
        hung_up.cancel()
        await asyncio.gather(wrapped("b"), wrapped(None))
        assert {"b", "None"} <= set(order[: before + 6])  # they wait for three iterations of their own
        await asyncio.gather(*many)
        with pytest.raises(asyncio.CancelledError):
            await hung_up

    asyncio.run(run())
    assert order.count("a") == 30


def test_paths_belong_to_routes() -> None:
    known = RouteCosts()
    known.add_routes(["/", "/tables/{table}", "/tables/{table}/replay/{moves}", "/tables/{table}/replay/all", "/rules"])
    assert known.route_of("/") == "/"
    assert known.route_of("/tables/abc") == "/tables/{table}"
    assert known.route_of("/tables/abc/replay/17") == "/tables/{table}/replay/{moves}"
    assert known.route_of("/tables/abc/replay/all") == "/tables/{table}/replay/all"
    assert known.route_of("/static/base.css") == "/static"
    for nowhere in ("", "//", "/tables", "/tables/abc/", "/x", "/tables/a/b/c/d/e", "/*"):
        assert known.route_of(nowhere) == NOWHERE


def test_means_follow_what_is_measured() -> None:
    measured = RouteCosts()
    assert measured.mean("/x", False) == costs.FIRST_PAGE_SECONDS
    assert measured.mean("/api/x", True) == costs.FIRST_JSON_SECONDS
    assert not measured.record("/x", False, 9.0)  # with the templates that it loaded
    assert measured.mean("/x", False) == costs.FIRST_PAGE_SECONDS
    for _ in range(100):
        assert measured.record("/x", False, 0.04)
    assert measured.mean("/x", False) == pytest.approx(0.04)
    for _ in range(100):
        measured.record("/x", False, 0.002)
    assert measured.mean("/x", False) == pytest.approx(0.002, rel=0.1)
    assert measured.mean("/x", True) == costs.FIRST_PAGE_SECONDS


def test_what_costs_more_is_charged_more_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("malecon.server.operations.limits.time.monotonic", lambda: 1_000.0)
    limiter = Limiter(ServerSettings())

    def asked(route: str, seconds: float) -> int:
        """How many requests are answered at once that each take so long; 500 at most."""
        scope = {"type": "http", "client": (f"203.0.113.{len(limiter.requests._left) + 1}", 1)}
        for number in range(500):
            cost = limiter.cost_of(route, False)
            try:
                limiter.check(scope, False, False, cost)
            except TooOften:
                return number
            limiter.settle(scope, route, False, cost, seconds)
        return 500

    asked("/slow", 0.1)
    asked("/quick", 0.001)
    assert asked("/slow", 0.1) == 6  # 0.6 seconds of work
    assert asked("/quick", 0.001) == 120
    # many at once are charged what they will probably cost, though none has been answered yet
    scope = {"type": "http", "client": ("203.0.113.99", 1)}
    for _ in range(6):
        limiter.check(scope, False, False, limiter.cost_of("/slow", False))
    with pytest.raises(TooOften):
        limiter.check(scope, False, False, limiter.cost_of("/slow", False))
    # who is charged too much gets it back, who took much more owes at most a bucket
    other = {"type": "http", "client": ("203.0.113.98", 1)}
    cost = limiter.cost_of("/slow", False)
    limiter.check(other, False, False, cost)
    limiter.settle(other, "/slow", False, cost, 0.001)
    assert limiter.requests._now("203.0.113.98") == 119
    limiter.settle(other, "/slow", False, 1.0, 1_000.0)
    assert limiter.requests._now("203.0.113.98") == -120


def test_a_page_is_charged_what_it_took(tmp_path: Path) -> None:
    """A route that computes, on the event loop and in a thread, uses up the bucket of its sender and no other."""
    app = create_app(tmp_path, ServerSettings(requests=600))

    async def slow() -> None:
        compute(0.03)
        await asyncio.to_thread(compute, 0.07)

    app.add_api_route("/slow/{x}", slow, methods=["GET"])
    with TestClient(app, client=("203.0.113.5", 1)) as client:
        limiter = app.state.services.limiter
        limiter.costs.add_routes(["/slow/{x}"])
        answers = [client.get(f"/slow/{number}").status_code for number in range(20)]
        assert answers[0] == 200
        assert 429 in answers
        assert 3 <= answers.index(429) <= 8  # 60 units: 0.3 seconds of work, and what flows in meanwhile
        assert limiter.costs.mean("/slow/{x}", False) >= 20 * UNIT_SECONDS
    with TestClient(app, client=("203.0.113.6", 1)) as client:
        assert client.get("/slow/1").status_code == 200
