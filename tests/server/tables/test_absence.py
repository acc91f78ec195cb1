"""Who is away: the clock's consequences are told, a game without anybody waits, and the same people play again."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path

from starlette.testclient import TestClient

from malecon.server.pages import live, table_view
from malecon.server.pages.table_view import Viewer
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from tests.server.people import ORIGIN, Player, until
from tests.server.postgres import Postgres


def make_late(table: Table) -> None:
    table.row = replace(table.row, deadline=time.time() - 1)


def test_a_game_that_everybody_has_left_waits_and_says_so(tmp_path: Path) -> None:
    async def play() -> None:
        storage = Storage(address_of(tmp_path))
        tables = LiveTables(storage)
        seats = NewSeat("me", "Ana"), NewSeat("open")
        table = await tables.open(NewTable("santiago", seats, clock="day", pace="instant"), "ana")
        await tables.join(table.row.seats[1].token or "", "bea", "Bea", True)
        people = "ana", "bea"
        first = table.match.turn
        assert first is not None
        follower = live.Follower(table, Viewer(people[first], "en"), len(table.match))
        make_late(table)
        await tables.time_up(table)
        assert table.is_automatic  # one is still there: a bot stands in
        assert "until you return" in (follower.message() or "")
        view = table.match.view(None)
        log = [text for line in table_view.log(table, view, "en") for text in line.lines]
        assert any("has run out of time" in text for text in log)
        while table.match.turn == first:
            seat, code = table.match.turn, table.match.legal_moves.codes[0]
            await tables.bot_move(table, code, seat, table.version)
        make_late(table)
        await tables.time_up(table)
        assert table.row.is_abandoned
        assert not table.is_automatic
        assert not table.row.needs_autoplay
        assert table.row.deadline is not None  # nobody waits for ever
        assert table.row.deadline > time.time() + 13 * 86_400
        where = table_view.perspective(table, Viewer("ana", "en"))
        assert "Everybody is away" in str(table_view.prompt(table, view, where))
        again = await LiveTables(storage).get(table.id)  # all of it is on disk
        assert again.row.notes == table.row.notes
        assert again.row.is_abandoned
        await tables.take_back_seat(table, people[1 - first], 1 - first)
        assert not table.row.is_abandoned
        assert table.waits_for((1 - first,))
        assert table.row.deadline is not None
        assert table.row.deadline < time.time() + 86_401
        storage.close()

    asyncio.run(play())


def test_somebody_who_was_removed_is_told(tmp_path: Path) -> None:
    async def play() -> None:
        storage = Storage(address_of(tmp_path))
        tables = LiveTables(storage)
        table = await tables.open(NewTable("santiago", (NewSeat("me", "Ana"), NewSeat("open"))), "ana")
        await tables.join(table.row.seats[1].token or "", "bea", "Bea", True)
        follower = live.Follower(table, Viewer("bea", "en"), len(table.match))
        await tables.remove(table, "ana", 1)
        assert "You were removed" in (follower.message() or "")
        assert "You were removed" in live.render_table(table, Viewer("bea", "en"))
        assert "You were removed" not in live.render_table(table, Viewer("carla", "en"))
        assert "bea" not in str(table.row.notes).lower()
        storage.close()

    asyncio.run(play())


def test_the_same_people_play_again(client: TestClient) -> None:
    ana, bea = Player(client), Player(client)
    opened = ana.open("me", "open", pace="instant", open_screens=True)
    bea.post("/api/join", {"token": opened["seats"][1]["invitation"], "name": "Bea"})
    table = opened["id"]
    early = client.post(f"/tables/{table}/again", headers=ana.headers | ORIGIN, follow_redirects=False)
    assert early.status_code == 400  # nobody is called away from a running game
    assert ana.get("/api/tables").json() == [table]
    for player, seat in ((ana, 0), (bea, 1)):
        client.post(f"/tables/{table}/seats/{seat}/leave", headers=player.headers | ORIGIN)
    until(lambda: ana.state(table), lambda state: state["turn"] is None, 60)
    assert "Join the next game" not in client.get(f"/tables/{table}", headers=bea.headers).text
    again = f"/tables/{table}/again"
    new = client.post(again, headers=ana.headers | ORIGIN, follow_redirects=False).headers["location"]
    page = client.get(f"/tables/{table}", headers=bea.headers).text
    assert "Join the next game" in page
    assert client.post(again, headers=bea.headers | ORIGIN, follow_redirects=False).headers["location"] == new
    state = bea.state(new.split("/")[-1])
    assert [seat["name"] for seat in state["seats"]][1] == "Bea"
    assert client.post(again, headers=ana.headers | ORIGIN, follow_redirects=False).headers["location"] == new


def test_two_rematches_at_once_open_one_table(postgres: Postgres) -> None:
    """Both players ask in different processes, neither of which has heard of the other yet."""

    async def play() -> None:
        address = postgres.new_database()
        storages = [Storage(address), Storage(address)]
        here, there = (LiveTables(storage) for storage in storages)
        new = NewTable("santiago", (NewSeat("me"), NewSeat("me")))
        finished = await here.open(new, "ana")
        theirs = await there.get(finished.id)
        first = await here.rematch(finished, new, "ana")
        second = await there.rematch(theirs, new, "bea")
        assert second.id == first.id == finished.row.rematch == theirs.row.rematch
        assert len(storages[0].tables_of("ana", 10)) + len(storages[0].tables_of("bea", 10)) == 2
        for tables in (here, there):
            await tables.finish()
        for storage in storages:
            storage.close()

    asyncio.run(play())
