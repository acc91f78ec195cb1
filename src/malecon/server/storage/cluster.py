"""The server processes on one database: which of them plays the bots of a table, and notices of what others changed.

A claim is a lock in PostgreSQL that ends with the connection, so a process that dies gives up its tables at once. It
only saves work: that a move happens once is guaranteed by the key of the log. With SQLite there is one process.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from malecon.server.background import Background
from malecon.server.storage.database import driver_arguments
from malecon.server.storage.health import LOG_INTERVAL_SECONDS
from malecon.server.storage.notices import CHANNEL, Notice, unpack
from malecon.server.storage.store import Storage

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger("malecon.server")
#: What handles the notifications of a channel, by its name.
Handlers = Mapping[str, Callable[[str], None]]
_NO_HANDLERS: Handlers = {}
#: Before a lost connection is tried again.
RECONNECT_SECONDS = 0.5


class Cluster(Protocol):
    """What a server needs from the other processes."""

    def listen(
        self,
        on_notice: Callable[[Notice], None],
        on_reconnect: Callable[[], Awaitable[None]],
        handlers: Handlers = _NO_HANDLERS,
    ) -> None:
        """Call `on_notice` with each notice of another process, and `on_reconnect` if notices may have been missed.

        `handlers` get what is sent on further channels.
        """

    async def claim(self, table: str) -> bool:
        """Return whether this process, and no other, moves for the bots of a table from now on."""

    async def release(self, table: str) -> None: ...

    async def close(self) -> None: ...


def connect(storage: Storage) -> Cluster:
    return Clustered(storage) if storage.is_shared else Single()


class Single:
    """The only process on a SQLite database."""

    def listen(
        self,
        on_notice: Callable[[Notice], None],
        on_reconnect: Callable[[], Awaitable[None]],
        handlers: Handlers = _NO_HANDLERS,
    ) -> None:
        pass

    async def claim(self, table: str) -> bool:
        return True

    async def release(self, table: str) -> None:
        pass

    async def close(self) -> None:
        pass


class Clustered:
    """One of several processes on a PostgreSQL database. One connection listens, another one holds the claims."""

    def __init__(self, storage: Storage) -> None:
        self._arguments = driver_arguments(storage.engine)
        self._sender = storage.sender
        self._background = Background()
        self._claims: psycopg.AsyncConnection[Any] | None = None
        self._claims_lock = asyncio.Lock()

    async def _connect(self) -> psycopg.AsyncConnection[Any]:
        import psycopg

        return await psycopg.AsyncConnection.connect(autocommit=True, **self._arguments)

    # --- notices

    def listen(
        self,
        on_notice: Callable[[Notice], None],
        on_reconnect: Callable[[], Awaitable[None]],
        handlers: Handlers = _NO_HANDLERS,
    ) -> None:
        def handle(text: str) -> None:
            notice = unpack(text, self._sender)
            if notice is not None:
                on_notice(notice)

        self._background.begin(self._listen({**handlers, CHANNEL: handle}, on_reconnect))

    async def _listen(self, handlers: Handlers, on_reconnect: Callable[[], Awaitable[None]]) -> None:
        logged = -LOG_INTERVAL_SECONDS
        while True:
            try:
                async with await self._connect() as connection:
                    for channel in handlers:
                        await connection.execute(f"LISTEN {channel}".encode())
                    await on_reconnect()
                    async for notification in connection.notifies():
                        handlers[notification.channel](notification.payload)
            except Exception as error:  # whatever it was, without notices this process would show old tables
                if time.monotonic() - logged > LOG_INTERVAL_SECONDS:
                    logged = time.monotonic()
                    log.warning("no news from the database: %s", type(error).__name__)
            await asyncio.sleep(RECONNECT_SECONDS)

    # --- claims

    async def claim(self, table: str) -> bool:
        return await self._query("SELECT pg_try_advisory_lock(%s)", table)

    async def release(self, table: str) -> None:
        await self._query("SELECT pg_advisory_unlock(%s)", table)

    async def _query(self, query: str, table: str) -> bool:
        import psycopg

        async with self._claims_lock:
            try:
                if self._claims is None or self._claims.closed:
                    self._claims = await self._connect()
                row = await (await self._claims.execute(query, (_lock_key(table),))).fetchone()
                return bool(row and row[0])
            except psycopg.Error:
                if self._claims is not None:
                    await self._claims.close()
                return False

    async def close(self) -> None:
        await self._background.cancel()
        async with self._claims_lock:
            if self._claims is not None:
                await self._claims.close()


def _lock_key(table: str) -> int:
    """Return the key of a table's lock: 64 bits with a sign."""
    return int.from_bytes(hashlib.sha256(table.encode()).digest()[:8], "big", signed=True)
