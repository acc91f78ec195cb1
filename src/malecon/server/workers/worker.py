"""A thinker: a process that thinks for the bots of servers on the same PostgreSQL, on this machine or another.

It is handed views, and needs no more of the database than the table of jobs. Kill it, and another does its work.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from malecon import bots
from malecon.kernel import readiness, registry
from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say
from malecon.server.operations.memory import Memory
from malecon.server.storage.database import BadDatabase, driver_arguments, is_postgres, open_engine
from malecon.server.workers import jobs
from malecon.server.workers.bot_cache import BotShelf
from malecon.server.workers.jobs import Taken, Thinker
from malecon.simulation.workers import version

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger("malecon.thinker")
#: Seconds between two signs of life, which are also the longest that a job waits if its news was lost.
BEAT = 1.0
#: Seconds after which a table's trees are given back.
AT_REST = 300.0
#: Seconds before a lost connection is tried again.
PAUSE = 1.0


class Thinkers:
    """The threads of one thinker. `begin`, then `stop` from anywhere; what is being thought about is answered."""

    def __init__(self, address: str, threads: int, memory: int) -> None:
        engine = open_engine(address)
        if not is_postgres(engine):
            raise BadDatabase(say("thinking for a server needs its PostgreSQL: --database postgresql://user@host/name"))
        self._arguments = driver_arguments(engine)
        self._name, self._version = secrets.token_hex(6), version()
        self._shelf, self._shelves = BotShelf(Memory(memory)), threading.Lock()
        self._used: dict[str, float] = {}  # when somebody thought for a table last
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._for_ever, args=(self._think,), name=f"thinker-{n}") for n in range(threads)
        ]
        self._beats = threading.Thread(target=self._for_ever, args=(self._beat,), name="beats")
        self.answered = 0

    def begin(self) -> None:
        """Be there for the servers."""
        for thread in (*self._threads, self._beats):
            thread.start()

    def stop(self) -> None:
        self._stopped.set()

    def wait(self) -> None:
        """Until it has been stopped."""
        for thread in (*self._threads, self._beats):
            while thread.is_alive():  # a signal is heard between two looks
                thread.join(0.2)

    # --- inside

    @contextmanager
    def _connected(self) -> Iterator[psycopg.Connection[Any]]:
        import psycopg

        with psycopg.connect(autocommit=True, **self._arguments) as connection:
            connection.execute(jobs.MAKE)
            yield connection

    def _for_ever(self, work: Any) -> None:
        import psycopg

        while not self._stopped.is_set():
            try:
                with self._connected() as connection:
                    work(connection)
            except psycopg.Error as error:
                log.warning("the database does not answer: %s", type(error).__name__)
                self._stopped.wait(PAUSE)

    def _beat(self, connection: psycopg.Connection[Any]) -> None:
        while not self._stopped.wait(BEAT):
            jobs.tell(connection, Thinker(self._name, self._version, len(self._threads)))
            self._tidy(time.monotonic() - AT_REST)
        jobs.tell(connection, Thinker(self._name, self._version, 0))

    def _tidy(self, before: float) -> None:
        """Give back the trees of tables where nothing happens: nobody tells us when a game is over."""
        with self._shelves:
            for table in [name for name, used in self._used.items() if used < before]:
                del self._used[table]
                self._shelf.clear(table)

    def _think(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(f"LISTEN {jobs.CHANNEL}".encode())
        while not self._stopped.is_set():
            taken = jobs.take(connection, self._version)
            if taken is not None:
                self._answer(connection, taken)
            else:
                for told in connection.notifies(timeout=BEAT):
                    if isinstance(jobs.unpack(told.payload), jobs.Asked):
                        break

    def _answer(self, connection: psycopg.Connection[Any], taken: Taken) -> None:
        began, job, move = time.monotonic(), taken.job, None
        try:
            with self._shelves:
                self._used[job.table] = began
                bot = self._shelf.take_away(job.table, job.seat, job.bot)
            move = str(bots.choose_soon(bot, job.view()))
            with self._shelves:
                self._shelf.put_back(job.table, job.seat, job.bot, bot)
        except MaleconError as error:
            log.warning("a job cannot be done: %s", error)
        except Exception:
            log.exception("the bot %s broke", job.bot)
        jobs.answer(connection, taken, move, time.monotonic() - began)
        self.answered += 1


def prepare() -> None:
    """Wait until the games are compiled: a thinker that is slow would only hold others up."""
    readiness.wait(*registry.names())
