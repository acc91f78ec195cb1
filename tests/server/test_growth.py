"""Nothing grows with the number of tables on disk, the length of a game or the number of those who look on."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from sqlalchemy import insert, text
from sqlalchemy.dialects import postgresql, sqlite
from tests.server.test_storage import kept, long_game

from malecon.server.people.visitors import Choices, Visitor
from malecon.server.storage.database import is_postgres, writing
from malecon.server.storage.rows import PERSON, SeatRow, columns_of
from malecon.server.storage.schema import SEATS, TABLES
from malecon.server.storage.store import Storage, wanted_tables
from malecon.server.tables.table import Table
from malecon.server.web import states

MANY = 20_000


@pytest.fixture
def crowded(database: str) -> Storage:
    """Twenty thousand tables of four thousand people, most of them over."""
    storage = Storage(database)
    row, _ = long_game("santiago", 0)
    now = time.time()
    tables, seats = [], []
    for number in range(MANY):
        over = number % 10 != 0
        one = replace(row, id=f"t{number}", owner=f"p{number % 4_000}", over=over, settled=over, created=now - number)
        tables.append(columns_of(one))
        for seat in range(2):
            sits = SeatRow(PERSON, person=f"p{(number * 7 + seat) % 4_000}", name="x")
            seats.append({"table": one.id, "seat": seat} | vars(sits))
    with writing(storage.engine) as connection:
        for first in range(0, MANY, 2_000):
            connection.execute(insert(TABLES), tables[first : first + 2_000])
        for first in range(0, 2 * MANY, 4_000):
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
    found = plan(crowded, wanted_tables("p17", 40))
    assert "Seq Scan on tables" not in found
    assert "SCAN tables" not in found.replace("SCAN tables USING", "")
    assert "ix_tables_owner_changed" in found
    assert "ix_seats_person" in found
    for work, most in (
        (lambda: crowded.tables_of("p17", 40), 0.1),
        (lambda: crowded.unfinished_of("p17", 0), 0.05),
        (lambda: crowded.due_tables(time.time(), 200), 0.05),
        (lambda: crowded.to_look_after(time.time(), 100), 0.05),
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


def test_an_answer_with_news_does_not_grow_with_the_game(tmp_path: object, database: str) -> None:
    storage = Storage(database)
    row, log = long_game("santiago", 3_000)
    kept(storage, row, log[:-30])
    loaded = storage.load("long")
    assert loaded is not None
    table, short = Table.of(loaded), Table(row, log[-1:] and long_game("santiago", 0)[1][:60])
    visitor = Visitor("me", Choices(), "en", "wide")
    sizes = [len(states.told(one, visitor, one.version)) for one in (table, short)]
    assert sizes[0] < 2 * sizes[1] + 2_000
    assert len(states.told(table, visitor)) > sizes[0]
    storage.close()
