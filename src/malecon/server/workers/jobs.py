"""The queue of jobs for bot workers, a table of PostgreSQL: what a seat sees, and which bot is to move there.

Nothing here needs to be kept: the table is not logged, is in no backup, and is made if it is missing. A worker holds a
job by a lock that ends with its connection, so the job of a killed worker is free for the next one at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, LiteralString, NamedTuple

import msgspec
import numpy as np

from malecon.kernel import registry
from malecon.kernel.game import OptionValue
from malecon.kernel.view import History, View
from malecon.match import check_names

if TYPE_CHECKING:
    import psycopg

CHANNEL = "malecon_bot_jobs"
#: The first half of the locks' keys.
_LOCKS = 0x6D616C65
#: Makes the table if there is none.
CREATE_TABLE = f"""
SELECT pg_advisory_xact_lock({_LOCKS}, 0);
CREATE UNLOGGED TABLE IF NOT EXISTS bot_jobs (
  id int GENERATED ALWAYS AS IDENTITY (CYCLE) PRIMARY KEY,
  asker text NOT NULL, number int NOT NULL, version text NOT NULL, job bytea NOT NULL, UNIQUE (asker, number)
)""".encode()
_QUEUE = """
WITH new AS (INSERT INTO bot_jobs (asker, number, version, job) VALUES (%s, %s, %s, %s) RETURNING 1)
SELECT pg_notify(%s, %s) FROM new"""
_DROP = "DELETE FROM bot_jobs WHERE asker = %s AND number = %s"
#: The oldest first; jobs that other workers hold are passed over.
_TAKE = """
WITH waiting AS MATERIALIZED (SELECT id, asker, number, job FROM bot_jobs WHERE version = %s ORDER BY id LIMIT 200)
SELECT id, asker, number, job FROM waiting WHERE pg_try_advisory_lock(%s, id) LIMIT 1"""
_EXISTS = "SELECT 1 FROM bot_jobs WHERE id = %s"
_FINISH = "WITH gone AS (DELETE FROM bot_jobs WHERE id = %s RETURNING 1) SELECT pg_notify(%s, %s) FROM gone"
_UNLOCK = "SELECT pg_advisory_unlock(%s, %s)"


class Job(NamedTuple):
    """What one seat sees, and which bot is to move there. `table` and `seat` are the key of the worker's cache."""

    table: str
    seat: int
    bot: str
    game: str
    players: int
    position: bytes
    seats: bytes  # who made each move of the history
    codes: bytes  # and which; FACE_DOWN for what the seat may not know
    options: dict[str, OptionValue]

    @classmethod
    def of(cls, table: str, bot: str, view: View) -> Job:
        assert view.seat is not None
        position, seats, codes = (data.tobytes() for data in (view.position, view.history.seats, view.history.codes))
        return cls(table, view.seat, bot, view.game.name, len(view.names), position, seats, codes, dict(view.options))

    def view(self) -> View:
        game = registry.get(self.game)
        position = np.frombuffer(bytearray(self.position), game.dtype)[0]
        history = History(game, np.frombuffer(self.seats, np.int8), np.frombuffer(self.codes, np.int16))
        return View(game, self.seat, position, history, check_names(game, self.players, None), self.options)


class WorkerHeartbeat(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """A worker is at work with that many threads, or stops if there are none."""

    name: str
    version: str
    threads: int


class JobQueued(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """A server has queued a job."""


class JobResult(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """A worker's answer to a server: the move and the seconds it took; without a move, the bot failed."""

    asker: str
    number: int
    move: str | None
    seconds: float


WorkerMessage = WorkerHeartbeat | JobQueued | JobResult
_decode = msgspec.json.Decoder(WorkerMessage).decode
_decode_job = msgspec.msgpack.Decoder(Job).decode
_encode_job = msgspec.msgpack.Encoder().encode


def pack(message: WorkerMessage) -> str:
    return msgspec.json.encode(message).decode()


def unpack(text: str) -> WorkerMessage | None:
    """Return the message of a notification; None if another version of the program wrote it differently."""
    try:
        message: WorkerMessage = _decode(text)
        return message
    except msgspec.MsgspecError:
        return None


# --- for servers: a statement and its values


def queue_statement(asker: str, number: int, version: str, job: Job) -> tuple[LiteralString, tuple[object, ...]]:
    """Return what queues a job for workers with that version of the program."""
    return _QUEUE, (asker, number, version, _encode_job(job), CHANNEL, pack(JobQueued()))


def drop_statement(asker: str, number: int) -> tuple[LiteralString, tuple[object, ...]]:
    """Return what takes a job out of the queue."""
    return _DROP, (asker, number)


# --- for workers


class TakenJob(NamedTuple):
    """A job that no other worker has."""

    id: int
    asker: str
    number: int
    job: Job


def take(connection: psycopg.Connection[Any], version: str) -> TakenJob | None:
    """Return the oldest free job, if there is one. The connection holds it until it is finished."""
    while True:
        row = connection.execute(_TAKE, (version, _LOCKS)).fetchone()
        if row is None:
            return None
        if connection.execute(_EXISTS, (row[0],)).fetchone() is not None:
            return TakenJob(row[0], row[1], row[2], _decode_job(row[3]))
        _unlock(connection, row[0])  # another worker had just finished it


def finish(connection: psycopg.Connection[Any], taken: TakenJob, move: str | None, seconds: float) -> None:
    """Send the result to the server that queued the job, unless it has dropped the job."""
    result = pack(JobResult(taken.asker, taken.number, move, seconds))
    connection.execute(_FINISH, (taken.id, CHANNEL, result))
    _unlock(connection, taken.id)


def send(connection: psycopg.Connection[Any], message: WorkerMessage) -> None:
    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, pack(message)))


def _unlock(connection: psycopg.Connection[Any], job: int) -> None:
    connection.execute(_UNLOCK, (_LOCKS, job))
