"""Nothing grows with the number of tables on disk, the length of a game or the number of those who look on."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import insert, text, update
from sqlalchemy.dialects import postgresql, sqlite

from malecon.match import Match, dice
from malecon.server.accounts.guests import person_of
from malecon.server.storage.database import address_of, is_postgres, writing
from malecon.server.storage.rows import PERSON, SeatRow, columns_of, seat_columns
from malecon.server.storage.schema import SEATS, TABLES
from malecon.server.storage.store import Storage, tables_of_query
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.table import Table
from malecon.server.web import table_state
from malecon.server.web.broadcast import Audience, SharedMessage
from tests.server.faults import SHOWN
from tests.server.people import serving
from tests.server.stored_games import VISITOR, long_and_short, long_game, table_of, write_log

MANY, VERY_MANY = 20_000, 100_000


@pytest.fixture
def crowded(database: str) -> Storage:
    return crowd(database, MANY)


def crowd(address: str, many: int) -> Storage:
    """Store this number of tables of four thousand people, most of them over."""
    storage = Storage(address)
    row, _ = long_game("santiago", 0)
    now = time.time()
    tables, seats = [], []
    for number in range(many):
        over = number % 10 != 0
        table = replace(
            row, id=f"t{number}", owner=f"p{number % 4_000}", over=over, result_recorded=over, created=now - number
        )
        tables.append(columns_of(table))
        for seat in range(2):
            sits = SeatRow(PERSON, person=f"p{(number * 7 + seat) % 4_000}", name="x")
            seats.append({"table": table.id, "seat": seat} | seat_columns(sits))
    with writing(storage.engine) as connection:
        for first in range(0, many, 2_000):
            connection.execute(insert(TABLES), tables[first : first + 2_000])
        for first in range(0, 2 * many, 4_000):
            connection.execute(insert(SEATS), seats[first : first + 4_000])
        connection.execute(text("ANALYZE"))
    return storage


def plan(storage: Storage, statement: object) -> str:
    dialect = postgresql.dialect() if is_postgres(storage.engine) else sqlite.dialect()
    query = str(statement.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))  # type: ignore[attr-defined]
    with storage.engine.connect() as connection:
        how = "EXPLAIN" if is_postgres(storage.engine) else "EXPLAIN QUERY PLAN"
        return "\n".join(str(row) for row in connection.execute(text(f"{how} {query.replace(':', chr(92) + ':')}")))


def test_somebodys_tables_are_found_by_indexes_among_very_many(crowded: Storage) -> None:
    query_plan = plan(crowded, tables_of_query("p17", 40))
    assert "Seq Scan on tables" not in query_plan
    assert "SCAN tables" not in query_plan.replace("SCAN tables USING", "")
    assert "ix_tables_owner_changed" in query_plan
    assert "ix_seats_person" in query_plan
    for work, most in (
        (lambda: crowded.tables_of("p17", 40), 0.1),
        (lambda: crowded.count_unfinished("p17", 0), 0.05),
        (lambda: crowded.tables_to_autoplay(time.time(), 200), 0.05),
        (lambda: crowded.late_and_unrecorded(time.time(), 100), 0.05),
    ):
        times = []
        for _ in range(5):
            began = time.process_time()
            work()
            times.append(time.process_time() - began)
        assert min(times) < most
    assert len(crowded.tables_of("p17", 40)) > 5
    assert all(len(row.seats) == 2 for row in crowded.tables_of("p17", 40))
    crowded.close()


@pytest.mark.slow
def test_a_hundred_thousand_tables(database: str) -> None:
    """Start, home page and the list of one's games take milliseconds of processor, however many tables there are."""
    secret = "p" * 32
    crowd(database, VERY_MANY).close()
    storage = Storage(database)
    with writing(storage.engine) as connection:
        connection.execute(update(SEATS).where(SEATS.c.person == "p17").values(person=person_of(secret)))
        connection.execute(update(TABLES).where(TABLES.c.owner == "p17").values(owner=person_of(secret)))
    storage.close()
    shown = []
    began = time.process_time()
    storage = Storage(database)
    storage.check_for_losses()
    storage.tables_to_autoplay(time.time(), 200)
    shown.append(time.process_time() - began)
    storage.close()
    with serving(database) as client:
        headers = {"authorization": f"Bearer {secret}"}
        for path in ("/", "/api/tables"):
            times = []
            for _ in range(4):
                began = time.process_time()
                answer = client.get(path, headers=headers)
                times.append(time.process_time() - began)
                assert answer.status_code == 200
            shown.append(min(times))
    SHOWN.append(
        f"100,000 tables on {database.partition(':')[0]}: start {1000 * shown[0]:.0f} ms, home page "
        f"{1000 * shown[1]:.0f} ms, list of games {1000 * shown[2]:.0f} ms of processor"
    )
    assert max(shown) < 0.5


def test_a_move_does_as_much_at_number_5000_as_at_50(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in calls of functions, which a busy machine does not change."""
    monkeypatch.setattr(dice, "secrets", SimpleNamespace(token_hex=lambda size: "5a" * size))  # one luck for both
    storage = Storage(address_of(tmp_path))

    async def count() -> list[int]:
        tables, counts = LiveTables(storage), []
        for table, move in await long_and_short(tables, storage, 5_000):
            await tables.move(table, "me", move)  # whatever is done once is done
            await tables.undo(table, "me")
            since, calls = table.version, 0

            def called(_frame: object, event: str, _argument: object) -> None:
                nonlocal calls
                calls += event in ("call", "c_call")

            sys.setprofile(called)
            try:
                await tables.move(table, "me", move)
                table_state.state_json(table, VISITOR, since)
            finally:
                sys.setprofile(None)
            assert table.version == since + 1 or table.version > since
            counts.append(calls)
        assert table.version > 5_000
        await tables.finish()
        return counts

    short, long = asyncio.run(count())
    storage.close()
    assert short > 100
    assert long < 1.3 * short


def test_five_hundred_who_look_on_share_one_message() -> None:
    table = table_of(Match("santiago", 2, seed=4))
    made, got = [], [0] * 500

    def make() -> str:
        made.append(table.revision)
        return f"revision {table.revision}"

    async def look_on() -> None:
        crowds = Audience(table, make)
        readies = set()

        def write(number: int) -> Callable[[SharedMessage], None]:
            def writing(ready: SharedMessage) -> None:
                got[number] += 1
                readies.add(id(ready))
                assert ready.data == b"revision 3"

            return writing

        people = [asyncio.create_task(crowds.stay(write(number), f"guest {number}")) for number in range(500)]
        await asyncio.sleep(0)
        assert len(crowds) == 500
        assert len(table.listeners) == 1
        for _ in range(3):  # quick changes are told together
            table.row = replace(table.row, revision=table.revision + 1)
            table.notify()
        while sum(got) < 500:
            await asyncio.sleep(0.01)
        assert (made, got, len(readies)) == ([3], [1] * 500, 1)
        for person in people:
            person.cancel()
        await asyncio.gather(*people, return_exceptions=True)
        assert (len(crowds), len(table.listeners)) == (0, 0)

    asyncio.run(look_on())


def test_an_answer_with_news_does_not_grow_with_the_game(tmp_path: object, database: str) -> None:
    storage = Storage(database)
    row, log = long_game("santiago", 3_000)
    write_log(storage, row, log[:-30])
    loaded = storage.load("long")
    assert loaded is not None
    table, short = Table.of(loaded), Table(row, log[-1:] and long_game("santiago", 0)[1][:60])
    sizes = [len(table_state.state_json(live, VISITOR, live.version)) for live in (table, short)]
    assert sizes[0] < 2 * sizes[1] + 2_000
    assert len(table_state.state_json(table, VISITOR)) > sizes[0]
    storage.close()
