"""What is to be thought about elsewhere: views and the bots that are to move, in a table of PostgreSQL.

Nothing here needs to be kept: the table is not logged, is in no backup, and is made where it is missing. A thinker
holds a job by a lock that ends with its connection, so what a killed one had begun is free at once for the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, LiteralString, NamedTuple

import msgspec
import numpy as np

from malecon.kernel import registry
from malecon.kernel.game import OptionValue
from malecon.kernel.view import Move, Turn, View
from malecon.match import check_names

if TYPE_CHECKING:
    import psycopg

#: The first half of the locks' keys.
_LOCKS = 0x6D616C65
#: Makes the place for jobs, where there is none.
MAKE = f"""
SELECT pg_advisory_xact_lock({_LOCKS}, 0);
CREATE UNLOGGED TABLE IF NOT EXISTS thoughts (
  id int GENERATED ALWAYS AS IDENTITY (CYCLE) PRIMARY KEY,
  asker text NOT NULL, number int NOT NULL, version text NOT NULL, job bytea NOT NULL, UNIQUE (asker, number)
)""".encode()
_ASK = """
WITH new AS (INSERT INTO thoughts (asker, number, version, job) VALUES (%s, %s, %s, %s) RETURNING 1)
SELECT pg_notify(%s, %s) FROM new"""
_DROP = "DELETE FROM thoughts WHERE asker = %s AND number = %s"
#: Those that others hold are passed over, in the order in which they were asked.
_TAKE = """
WITH waiting AS MATERIALIZED (SELECT id, asker, number, job FROM thoughts WHERE version = %s ORDER BY id LIMIT 200)
SELECT id, asker, number, job FROM waiting WHERE pg_try_advisory_lock(%s, id) LIMIT 1"""
_STILL = "SELECT 1 FROM thoughts WHERE id = %s"
_ANSWER = "WITH gone AS (DELETE FROM thoughts WHERE id = %s RETURNING 1) SELECT pg_notify(%s, %s) FROM gone"
_LET_GO = "SELECT pg_advisory_unlock(%s, %s)"
CHANNEL = "malecon_thoughts"


class Job(NamedTuple):
    """What one seat sees, and which bot is to move there. By `table` and `seat` a thinker knows its trees."""

    table: str
    seat: int
    bot: str
    game: str
    players: int
    position: bytes
    history: list[tuple[int, str | None]]
    options: dict[str, OptionValue]

    @classmethod
    def of(cls, table: str, bot: str, view: View) -> Job:
        assert view.seat is not None
        history = [(turn.seat, None if turn.move is None else turn.move.text) for turn in view.history]
        position, options = view.position.tobytes(), dict(view.options)
        return cls(table, view.seat, bot, view.game.name, len(view.names), position, history, options)

    def view(self) -> View:
        game = registry.get(self.game)
        position = np.frombuffer(bytearray(self.position), game.dtype)[0]
        history = tuple(Turn(seat, None if text is None else Move(self.game, text)) for seat, text in self.history)
        return View(game, self.seat, position, history, check_names(game, self.players, None), self.options)


class Thinker(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """A thinker says that it is there, with so many threads; none: it leaves."""

    name: str
    version: str
    threads: int


class Asked(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """Somebody needs a thought."""


class Thought(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """A thinker's answer to a server: the move, and the seconds it took; no move: the bot broke."""

    asker: str
    number: int
    move: str | None
    seconds: float


News = Thinker | Asked | Thought
_read_news = msgspec.json.Decoder(News).decode
_read_job, _write_job = msgspec.msgpack.Decoder(Job).decode, msgspec.msgpack.Encoder().encode


def pack(news: News) -> str:
    return msgspec.json.encode(news).decode()


def unpack(text: str) -> News | None:
    """The news of a text; None where it is of a program that speaks differently."""
    try:
        news: News = _read_news(text)
        return news
    except msgspec.MsgspecError:
        return None


# --- for servers: a statement and its values


def asking(asker: str, number: int, version: str, job: Job) -> tuple[LiteralString, tuple[object, ...]]:
    """Has somebody think who has that version of the program."""
    return _ASK, (asker, number, version, _write_job(job), CHANNEL, pack(Asked()))


def dropping(asker: str, number: int) -> tuple[LiteralString, tuple[object, ...]]:
    """Says that nobody waits for it any more."""
    return _DROP, (asker, number)


# --- for thinkers


class Taken(NamedTuple):
    """A job that nobody else has."""

    id: int
    asker: str
    number: int
    job: Job


def take(connection: psycopg.Connection[Any], version: str) -> Taken | None:
    """The oldest job that nobody is at; None where there is none. The connection holds it until it is answered."""
    while True:
        row = connection.execute(_TAKE, (version, _LOCKS)).fetchone()
        if row is None:
            return None
        if connection.execute(_STILL, (row[0],)).fetchone() is not None:
            return Taken(row[0], row[1], row[2], _read_job(row[3]))
        _let_go(connection, row[0])  # somebody had just answered it


def answer(connection: psycopg.Connection[Any], taken: Taken, move: str | None, seconds: float) -> None:
    """Tell whoever asked, unless they have stopped waiting."""
    told = pack(Thought(taken.asker, taken.number, move, seconds))
    connection.execute(_ANSWER, (taken.id, CHANNEL, told))
    _let_go(connection, taken.id)


def tell(connection: psycopg.Connection[Any], news: News) -> None:
    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, pack(news)))


def _let_go(connection: psycopg.Connection[Any], job: int) -> None:
    connection.execute(_LET_GO, (_LOCKS, job))
