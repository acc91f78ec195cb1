"""Work beside the requests: no task is lost, one that fails harms no other, and a round that fails is made again."""

from __future__ import annotations

import asyncio
import logging

import pytest

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server import background
from malecon.server.background import Background, run_ticks


def test_finishing_waits_for_what_begins_meanwhile() -> None:
    done: list[str] = []

    async def first(work: Background) -> None:
        await asyncio.sleep(0)
        work.begin(second())
        done.append("first")

    async def second() -> None:
        await asyncio.sleep(0.01)
        done.append("second")

    async def run() -> int:
        work = Background()
        work.begin(first(work))
        assert len(work) == 1
        await work.finish()
        return len(work)

    assert asyncio.run(run()) == 0
    assert done == ["first", "second"]


def test_what_fails_is_logged_without_harm_and_what_is_cancelled_ends(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("something unexpected")

    async def refuse() -> None:
        raise BadSetup(say("at least one game is needed"))

    async def run() -> bool:
        work = Background()
        failed = work.begin(fail()), work.begin(refuse()), work.begin(fail(), is_awaited=True)
        waiting = work.begin(asyncio.Event().wait())
        await asyncio.wait(failed)
        assert len(work) == 1
        await work.cancel()
        return waiting.cancelled()

    assert asyncio.run(run())
    (logged,) = caplog.records
    assert logged.exc_info is not None
    assert str(logged.exc_info[1]) == "something unexpected"


def test_rounds_go_on_whatever_fails(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(background, "TICK_SECONDS", 0.001)
    made: list[str] = []

    async def refuse() -> None:
        made.append("refuse")
        raise BadSetup(say("at least one game is needed"))

    async def break_down() -> None:
        made.append("break")
        raise ValueError

    async def run() -> None:
        work = Background()
        work.begin(run_ticks(refuse, break_down))
        async with asyncio.timeout(10):
            while len(made) < 6:
                await asyncio.sleep(0.001)
        await work.cancel()

    with caplog.at_level(logging.WARNING, "malecon.server"):
        asyncio.run(run())
    assert made[:6] == ["refuse", "break"] * 3
    assert {record.levelname for record in caplog.records} == {"WARNING", "ERROR"}
