"""The queue of jobs for bot workers, a table of PostgreSQL: what a seat sees, and which bot is to move there.

Nothing here needs to be kept: the table is not logged, is in no backup, and is made if it is missing. A worker holds a
job by a transaction that lasts as long as its thought, so the job of a killed worker is free for the next one at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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
#: Makes the table if there is none; the lock keeps two connections from making it at the same time.
CREATE_TABLE = b"""
SELECT pg_advisory_xact_lock(1835101285);
CREATE UNLOGGED TABLE IF NOT EXISTS bot_jobs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  asker text NOT NULL, number int NOT NULL, version text NOT NULL, job bytea NOT NULL, UNIQUE (asker, number)
)"""
_QUEUE = """
WITH new AS (INSERT INTO bot_jobs (asker, number, version, job) VALUES (%s, %s, %s, %s) RETURNING 1)
SELECT pg_notify(%s, %s) FROM new"""
#: A job that a worker holds is not waited for: the worker deletes it.
_DROP = """
DELETE FROM bot_jobs
WHERE id = (SELECT id FROM bot_jobs WHERE asker = %s AND number = %s FOR UPDATE SKIP LOCKED)"""
_TAKE = """
SELECT id, asker, number, job FROM bot_jobs WHERE version = %s ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"""
_FINISH = "WITH gone AS (DELETE FROM bot_jobs WHERE id = %s) SELECT pg_notify(%s, %s)"


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
    """A worker's answer to a server: the code of the move and the seconds it took; without a code, the bot failed."""

    asker: str
    number: int
    code: int | None
    seconds: float


WorkerMessage = WorkerHeartbeat | JobQueued | JobResult
_decode = msgspec.json.Decoder(WorkerMessage).decode
decode_job = msgspec.msgpack.Decoder(Job).decode
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
    """Return what takes a job out of the queue, unless a worker holds it."""
    return _DROP, (asker, number)


# --- for workers


class TakenJob(NamedTuple):
    """A job that no other worker has; `data` may be of another make than this program's."""

    id: int
    asker: str
    number: int
    data: bytes


@contextmanager
def taking(connection: psycopg.Connection[Any], version: str) -> Iterator[TakenJob | None]:
    """Hold the oldest free job, if there is one, until the context ends or the connection does."""
    with connection.transaction():
        row = connection.execute(_TAKE, (version,)).fetchone()
        yield None if row is None else TakenJob(*row)


def finish(connection: psycopg.Connection[Any], taken: TakenJob, code: int | None, seconds: float) -> None:
    """Take a job out of the queue, and send the result to the server that queued it."""
    result = pack(JobResult(taken.asker, taken.number, code, seconds))
    connection.execute(_FINISH, (taken.id, CHANNEL, result))


def send(connection: psycopg.Connection[Any], message: WorkerMessage) -> None:
    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, pack(message)))
