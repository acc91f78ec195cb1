"""A bot worker, started by `malecon think`: a process that computes the moves of bots for servers on one PostgreSQL.

It gets views, and needs no more of the database than the table of jobs. If it is killed, another one does its work.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from malecon.kernel import readiness, registry
from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say
from malecon.server.operations.memory import Memory
from malecon.server.storage.database import BadDatabase, driver_arguments, is_postgres, open_engine
from malecon.server.workers import jobs
from malecon.server.workers.bot_cache import BotCache
from malecon.server.workers.jobs import TakenJob, WorkerHeartbeat
from malecon.simulation.workers import version

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger("malecon.thinker")
#: Between two heartbeats; also the longest that a job waits if its notification was lost.
HEARTBEAT_SECONDS = 1.0
#: After this the trees of a table are dropped.
IDLE_TABLE_SECONDS = 300.0
#: Before a lost connection is tried again.
RECONNECT_SECONDS = 1.0


class BotWorker:
    """The threads of one worker process. `begin`, then `stop` from any thread; jobs under way are finished."""

    def __init__(self, address: str, threads: int, memory: int) -> None:
        engine = open_engine(address)
        if not is_postgres(engine):
            raise BadDatabase(say("thinking for a server needs its PostgreSQL: --database postgresql://user@host/name"))
        self._arguments = driver_arguments(engine)
        self._name, self._version = secrets.token_hex(6), version()
        self._bot_cache = BotCache(Memory(memory))
        self._cache_lock = threading.Lock()
        self._last_used: dict[str, float] = {}  # by table
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._run_connected, args=(self._work,), name=f"thinker-{n}")
            for n in range(threads)
        ]
        self._heartbeats = threading.Thread(
            target=self._run_connected, args=(self._send_heartbeats,), name="heartbeats"
        )

    def begin(self) -> None:
        for thread in (*self._threads, self._heartbeats):
            thread.start()

    def stop(self) -> None:
        self._stopped.set()

    def wait(self) -> None:
        """Return when all threads have stopped."""
        for thread in (*self._threads, self._heartbeats):
            while thread.is_alive():  # signals are handled between two joins
                thread.join(0.2)

    # --- in the threads

    @contextmanager
    def _connected(self) -> Iterator[psycopg.Connection[Any]]:
        import psycopg

        with psycopg.connect(autocommit=True, **self._arguments) as connection:
            connection.execute(jobs.CREATE_TABLE)
            connection.execute("SET idle_in_transaction_session_timeout = 0")  # it idles while a bot thinks
            yield connection

    def _run_connected(self, work: Callable[[psycopg.Connection[Any]], None]) -> None:
        """Run work until the worker is stopped, each time the connection is lost on a new one."""
        import psycopg

        while not self._stopped.is_set():
            try:
                with self._connected() as connection:
                    work(connection)
            except psycopg.Error as error:
                log.warning("the database does not answer: %s", type(error).__name__)
            except Exception:  # a thread that ended would still be counted in the heartbeats
                log.exception("a thread of the worker broke")
            self._stopped.wait(RECONNECT_SECONDS)

    def _send_heartbeats(self, connection: psycopg.Connection[Any]) -> None:
        while not self._stopped.wait(HEARTBEAT_SECONDS):
            jobs.send(connection, WorkerHeartbeat(self._name, self._version, len(self._threads)))
            self._clear_idle(time.monotonic() - IDLE_TABLE_SECONDS)
        jobs.send(connection, WorkerHeartbeat(self._name, self._version, 0))

    def _clear_idle(self, before: float) -> None:
        """Drop the trees of tables that were not used since then: no message says when a game is over."""
        with self._cache_lock:
            for table in [name for name, used in self._last_used.items() if used < before]:
                del self._last_used[table]
                self._bot_cache.clear(table)

    def _work(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(f"LISTEN {jobs.CHANNEL}".encode())
        while not self._stopped.is_set():
            with jobs.taking(connection, self._version) as taken:
                if taken is not None:
                    self._finish(connection, taken)
            if taken is None:
                for notification in connection.notifies(timeout=HEARTBEAT_SECONDS):
                    if isinstance(jobs.unpack(notification.payload), jobs.JobQueued):
                        break

    def _finish(self, connection: psycopg.Connection[Any], taken: TakenJob) -> None:
        began, code = time.monotonic(), None
        try:
            job = jobs.decode_job(taken.data)
            with self._cache_lock:
                self._last_used[job.table] = began
                bot = self._bot_cache.pop(job.table, job.seat, job.bot)
            code = bot.choose_code(job.view())
            with self._cache_lock:
                self._bot_cache.put(job.table, job.seat, job.bot, bot)
        except MaleconError as error:
            log.warning("a job cannot be done: %s", error)
        except Exception:
            log.exception("a job broke")
        jobs.finish(connection, taken, code, time.monotonic() - began)


def prepare() -> None:
    """Have the games compiled: a worker does nothing but think, which machine code does a third faster."""
    readiness.wait(*registry.names())
