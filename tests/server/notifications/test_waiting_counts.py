"""How many games wait for somebody: told live, in whichever process a move is made, and only to them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from malecon.server.events import Events
from malecon.server.notifications.waiting_counts import WaitingCounts
from malecon.server.storage.database import address_of, writing
from malecon.server.storage.schema import MOVES
from malecon.server.storage.store import Storage
from malecon.server.tables.events import TableChanged
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from tests.server.cluster import processes
from tests.server.people import Player
from tests.server.postgres import Postgres


def next_number(socket: Any) -> int:
    while True:
        message = socket.receive_json()
        if "waits" in message:
            return int(message["waits"])


def test_the_number_of_games_that_wait_is_told_live(client: TestClient) -> None:
    ana, bea = Player(client), Player(client)
    first, second = ana.open("me", "bot:turista", pace="instant"), ana.open("me", "open")
    bea.post("/api/join", {"token": second["seats"][1]["invitation"]})
    ana.my_turn(first["id"])
    mine = len(ana.state(second["id"])["legal"]) > 0
    with (
        client.websocket_connect("/lobby/live?waits=1", headers=ana.headers) as home,
        client.websocket_connect(f"/tables/{first['id']}/live?waits=1", headers=ana.headers) as table,
        client.websocket_connect("/lobby/live", headers=ana.headers) as plain,
    ):
        assert next_number(home) == 1 + mine
        assert next_number(table) == 1 + mine
        for player in (ana, bea) if mine else (bea, ana):
            while legal := player.state(second["id"])["legal"]:
                player.move(second["id"], legal[0]["move"])
            expected = 1 if player is ana else 2
            assert next_number(home) == expected
            assert next_number(table) == expected
        assert "waits" not in plain.receive_json()
    waits = client.app.state.services.waiting_counts  # type: ignore[attr-defined]
    assert (waits._counts, dict(waits._people_at)) == ({}, {})  # nobody is connected any more


def test_another_process_is_heard(postgres: Postgres) -> None:
    async def run() -> None:
        async with processes(postgres.new_database(), 2) as (here, other):
            new = NewTable("santiago", (NewSeat("me"), NewSeat("person", "Bea", "bea")), automatic=False)
            table = await here.tables.open(new, "ana")
            first, then = ("ana", "bea") if table.match.turn == 0 else ("bea", "ana")
            heard = other.waiting_counts.numbers(then)
            assert await asyncio.wait_for(anext(heard), 20) == 0
            other.tables._live.pop(table.id)  # it need not be in memory
            while table.waits_for(table.seats_of(first)):
                await here.tables.move(table, first, str(table.match.legal_moves[0]))
            assert await asyncio.wait_for(anext(heard), 20) == 1
            # a table that is new is noticed when somebody moves there
            again = await here.tables.open(new, "ana")
            await other.tables.get(again.id)
            if again.waits_for(again.seats_of(then)):
                assert await asyncio.wait_for(anext(heard), 20) == 2
            await heard.aclose()

    asyncio.run(run())


def test_a_table_that_cannot_be_read_keeps_no_other_from_being_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        storage = Storage(address_of(tmp_path))
        events = Events()
        tables = LiveTables(storage, events=events)
        counts = WaitingCounts(tables)
        events.subscribe(TableChanged, lambda event: counts.on_change(event.table))
        new = NewTable("santiago", (NewSeat("me"), NewSeat("person", "Bea", "bea")), automatic=False)
        damaged, sound = (await tables.open(new, "ana")).id, await tables.open(new, "ana")
        second = "bea" if sound.match.turn == 0 else "ana"
        numbers = counts.numbers(second)
        before = await asyncio.wait_for(anext(numbers), 20)
        del tables._live[damaged], tables._recent[damaged]
        with writing(storage.engine) as connection:
            connection.execute(update(MOVES).where(MOVES.c.table == damaged).values(move="no such move"))
        counts.on_notice(damaged)
        first = "ana" if second == "bea" else "bea"
        while sound.waits_for(sound.seats_of(first)):
            await tables.move(sound, first, str(sound.match.legal_moves[0]))
        assert await asyncio.wait_for(anext(numbers), 20) == before + 1
        await numbers.aclose()
        await counts.close()
        await tables.finish()
        storage.close()

    asyncio.run(run())
    assert "cannot be counted" in caplog.text
