"""Upgrades with games under way, by a second migration that only these tests have.

The newer program is this one with one migration more.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from malecon.server.operations.doctor import examine
from malecon.server.storage import database as databases
from malecon.server.storage.appends import shadow_log
from malecon.server.storage.database import BadDatabase, head, revision_of
from malecon.server.storage.recovery import backup
from malecon.server.storage.recovery.backup import BadBackup
from malecon.server.storage.store import Storage
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from tests.server.cluster import processes, wait_until
from tests.server.people import Player, log_in, register, serving
from tests.server.postgres import Postgres
from tests.server.second_migration import newer_migrations

Upgrade = Callable[[], None]


@pytest.fixture
def upgrade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Upgrade:
    """From the call on, the program is the newer one."""
    newer = newer_migrations(tmp_path)
    return lambda: monkeypatch.setattr(databases, "MIGRATIONS", newer)


class Club:
    """People with games under way, a finished one and an account, and what their server said of the tables."""

    def __init__(self, address: str) -> None:
        with serving(address) as client:
            self.ana, self.bea = Player(client), Player(client)
            register(self.ana)
            opened = self.ana.open("me", "open")
            token = opened["seats"][1]["invitation"]
            assert self.bea.post("/api/join", {"token": token, "name": "Bea"}).status_code == 200
            self.shared = opened["id"]
            self.alone = self.ana.open("me", "bot:greedy", game="cuba")["id"]
            self.bots = self.ana.open("bot:random", "bot:random")["id"]
            self.play(self.shared, 8)
            self.play(self.alone, 8)
            self.ana.my_turn(self.bots)  # it is over
            self.before = {table: self.ana.state(table) for table in (self.shared, self.alone, self.bots)}

    def play(self, table: str, moves: int) -> None:
        """Make moves for the people there, again where a server has not heard of the last move yet."""
        players = [self.ana] if table == self.alone else [self.ana, self.bea]
        end, made = time.monotonic() + 30, 0
        while made < moves:
            assert time.monotonic() < end
            for player in players:
                state = player.state(table)
                if state["legal"]:
                    status = player.move(table, state["legal"][0]["move"], state["version"]).status_code
                    assert status in (200, 409)
                    made += status == 200
                    break

    def go_on(self, address: str) -> None:
        """Every table is as it was, and goes on, with the tokens, links and passwords that people have."""
        with serving(address) as client:
            self.ana.client = self.bea.client = client
            for table, before in self.before.items():
                assert _without_time(self.ana.state(table)) == _without_time(before)
            self.play(self.shared, 6)
            self.play(self.alone, 6)
            assert log_in(Player(client)) == 201
            assert client.get("/healthz").json()["ok"] is True
            assert client.get(f"/tables/{self.bots}/replay/3").status_code == 200


def _without_time(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name != "deadline"}


def titles(address: str) -> list[str]:
    engine = databases.open_engine(address)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT title FROM tables ORDER BY title")).scalars().all()
    engine.dispose()
    return [str(title) for title in rows]


def test_games_under_way_go_on_after_an_upgrade(database: str, upgrade: Upgrade) -> None:
    club = Club(database)
    upgrade()
    club.go_on(database)
    storage = Storage(database)
    assert revision_of(storage.engine) == head() == "0002"
    assert shadow_log.altered_logs(storage.engine) == []
    storage.close()
    assert titles(database) == ["a game of cuba", "a game of santiago", "a game of santiago"]
    assert [finding for finding in examine(database) if finding.state == "bad"] == []


def test_games_under_way_move_to_postgresql_with_the_upgrade(
    postgres: Postgres, tmp_path: Path, upgrade: Upgrade
) -> None:
    source, target = databases.address_of(tmp_path / "club"), postgres.new_database()
    club = Club(source)
    backup.back_up(source, tmp_path / "club.zip")
    upgrade()
    assert backup.restore(tmp_path / "club.zip", target).revision == "0001"
    assert titles(target) == ["a game of cuba", "a game of santiago", "a game of santiago"]
    club.go_on(target)


def test_an_older_program_leaves_a_newer_database_alone(
    database: str, tmp_path: Path, upgrade: Upgrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = databases.MIGRATIONS
    upgrade()
    Storage(database).close()
    backup.back_up(database, tmp_path / "newer.zip")
    monkeypatch.setattr(databases, "MIGRATIONS", older)
    with pytest.raises(BadDatabase, match="newer"):
        Storage(database)
    findings = list(examine(database))
    assert any(finding.state == "bad" and "newer version" in finding.text for finding in findings)
    with pytest.raises(BadBackup, match="newer"):
        backup.restore(tmp_path / "newer.zip", databases.address_of(tmp_path / "elsewhere"))
    engine = databases.open_engine(database)
    assert revision_of(engine) == "0002"
    engine.dispose()


def test_older_servers_go_on_while_newer_ones_start(postgres: Postgres, upgrade: Upgrade) -> None:
    """A rolling start: both programs serve the same table, and follow each other's moves."""
    address = postgres.new_database()
    new = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False)

    async def play() -> None:
        async with processes(address, 1) as [older]:
            table = await older.tables.open(new, "ana")
            await older.tables.move(table, "ana", str(table.match.legal_moves[0]))
            upgrade()
            storages = await asyncio.gather(*(asyncio.to_thread(Storage, address) for _ in range(4)))
            for storage in storages:
                assert revision_of(storage.engine) == "0002"
                storage.close()
            assert titles(address) == ["a game of santiago"]
            async with processes(address, 1) as [newer]:
                same = await newer.tables.get(table.id)
                pairs = ((newer, same, table), (older, table, same))
                for number in range(8):
                    services, moved, follows = pairs[number % 2]
                    await services.tables.move(moved, "ana", str(moved.match.legal_moves[0]))
                    await wait_until(lambda moved=moved, follows=follows: follows.revision == moved.revision)  # type: ignore[misc]
                assert table.match.to_bytes() == same.match.to_bytes()
            await older.tables.move(table, "ana", str(table.match.legal_moves[0]))

    asyncio.run(play())
