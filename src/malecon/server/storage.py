"""What is kept on disk: tables, seats, people's choices, and the log of every game, which is only ever appended to.

The key of a log entry is its table and number, so two writers can never both make the same move happen.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from malecon.kernel.game import OptionValue
from malecon.server.errors import Stale
from malecon.server.ledger import Entry

FILE = "malecon.sqlite3"
#: What sits on a seat: somebody's browser, a bot, nobody yet, or a name in an old record.
PERSON, BOT, OPEN, RECORD = "person", "bot", "open", "record"

metadata = MetaData()
TABLES = Table(
    "tables",
    metadata,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("players", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("owner", String, nullable=False, index=True),
    Column("pace", String, nullable=False),
    Column("guide", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Column("over", Boolean, nullable=False, default=False),
)
SEATS = Table(
    "seats",
    metadata,
    Column("table", String, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String, nullable=False),
    Column("person", String, index=True),  # whose seat it is, also while a bot stands in
    Column("bot", String),
    Column("name", String),
    Column("token", String, unique=True),  # the secret of the invitation
    Column("automatic", Boolean, nullable=False, default=True),
)
MOVES = Table(
    "moves",
    metadata,
    Column("table", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("move", String, nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("made", Float, nullable=False),
)
PEOPLE = Table(
    "people",
    metadata,
    Column("id", String, primary_key=True),
    Column("choices", JSON, nullable=False),
)


@dataclass(frozen=True)
class SeatRow:
    """Who sits on a seat. A person's seat with a bot's name is one the bot plays until the person comes back."""

    kind: str
    person: str | None = None
    bot: str | None = None
    name: str | None = None
    token: str | None = None
    automatic: bool = True


@dataclass(frozen=True)
class TableRow:
    """A table as it was opened, and its seats as they are now."""

    id: str
    game: str
    rules: int
    players: int
    options: Mapping[str, OptionValue]
    owner: str
    pace: str
    guide: bool
    seats: tuple[SeatRow, ...] = ()
    created: float = field(default_factory=time.time)
    over: bool = False


class Storage:
    """The database. Every method is one transaction; what it returns has been committed."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._engine = create_engine(f"sqlite:///{folder / FILE}")
        event.listen(self._engine, "connect", _make_durable)
        metadata.create_all(self._engine)

    @property
    def engine(self) -> Engine:
        return self._engine

    def close(self) -> None:
        self._engine.dispose()

    # --- tables

    def create(self, table: TableRow, entries: Sequence[Entry]) -> None:
        values = {column.name: getattr(table, column.name) for column in TABLES.columns}
        with self._engine.begin() as connection:
            connection.execute(insert(TABLES), values | {"options": dict(table.options)})
            for number, seat in enumerate(table.seats):
                connection.execute(insert(SEATS), {"table": table.id, "seat": number} | vars(seat))
            _append(connection, table.id, entries)

    def load(self, table: str) -> tuple[TableRow, list[Entry]] | None:
        with self._engine.connect() as connection:
            row = connection.execute(select(TABLES).where(TABLES.c.id == table)).mappings().first()
            if row is None:
                return None
            found = connection.execute(select(MOVES).where(MOVES.c.table == table).order_by(MOVES.c.number)).mappings()
            entries = [Entry(m["number"], m["kind"], m["seat"], m["move"], m["automatic"]) for m in found]
            return TableRow(**dict(row), seats=_seats(connection, table)), entries

    def append(self, table: str, entries: Sequence[Entry], over: bool) -> None:
        """Add entries to a log, all or none; Stale where somebody else has already made a move of that number."""
        try:
            with self._engine.begin() as connection:
                _append(connection, table, entries)
                if over:
                    connection.execute(update(TABLES).where(TABLES.c.id == table).values(over=True))
        except IntegrityError:
            raise Stale from None

    def set_pace(self, table: str, pace: str) -> None:
        with self._engine.begin() as connection:
            connection.execute(update(TABLES).where(TABLES.c.id == table).values(pace=pace))

    def set_seat(self, table: str, seat: int, old: SeatRow, new: SeatRow) -> bool:
        """Change who sits there, if it is still as the caller believes; whether it was."""
        where = (SEATS.c.table == table) & (SEATS.c.seat == seat)
        with self._engine.begin() as connection:
            now = connection.execute(select(SEATS).where(where)).mappings().first()
            if now is None or _seat(now) != old:
                return False
            connection.execute(update(SEATS).where(where).values(**vars(new)))
            return True

    def invited_to(self, token: str) -> tuple[str, int] | None:
        """The table and seat of an invitation."""
        with self._engine.connect() as connection:
            row = connection.execute(select(SEATS.c.table, SEATS.c.seat).where(SEATS.c.token == token)).first()
            return None if row is None else (row[0], row[1])

    def tables_of(self, person: str, most: int) -> list[TableRow]:
        """The tables somebody opened or sits at, those played at last first."""
        mine = select(SEATS.c.table).where(SEATS.c.person == person)
        last = select(func.max(MOVES.c.made)).where(MOVES.c.table == TABLES.c.id).scalar_subquery()
        wanted = (
            select(TABLES)
            .where((TABLES.c.owner == person) | TABLES.c.id.in_(mine))
            .order_by(func.coalesce(last, TABLES.c.created).desc())
            .limit(most)
        )
        with self._engine.connect() as connection:
            rows = connection.execute(wanted).mappings().all()
            return [TableRow(**dict(row), seats=_seats(connection, row["id"])) for row in rows]

    # --- people

    def choices(self, person: str) -> dict[str, Any]:
        with self._engine.connect() as connection:
            found: dict[str, Any] | None = connection.execute(
                select(PEOPLE.c.choices).where(PEOPLE.c.id == person)
            ).scalar()
            return found or {}

    def set_choices(self, person: str, choices: Mapping[str, Any]) -> None:
        with self._engine.begin() as connection:
            done = connection.execute(update(PEOPLE).where(PEOPLE.c.id == person).values(choices=dict(choices)))
            if not done.rowcount:
                connection.execute(insert(PEOPLE), {"id": person, "choices": dict(choices)})


def with_seat(table: TableRow, seat: int, new: SeatRow) -> TableRow:
    return replace(table, seats=(*table.seats[:seat], new, *table.seats[seat + 1 :]))


def _append(connection: Connection, table: str, entries: Iterable[Entry]) -> None:
    made = time.time()
    for entry in entries:
        connection.execute(insert(MOVES), {"table": table, "made": made} | vars(entry))


def _seats(connection: Connection, table: str) -> tuple[SeatRow, ...]:
    rows = connection.execute(select(SEATS).where(SEATS.c.table == table).order_by(SEATS.c.seat)).mappings()
    return tuple(map(_seat, rows))


def _seat(row: Any) -> SeatRow:
    return SeatRow(row["kind"], row["person"], row["bot"], row["name"], row["token"], row["automatic"])


def _make_durable(connection: Any, _record: object) -> None:
    """An acknowledged move survives a crash of the machine; readers do not wait for the writer."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()
