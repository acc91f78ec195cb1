"""Other server processes on the same database: who plays the bots of which table, and news of tables that changed.

A claim is a lock in PostgreSQL that ends with the connection, so a process that dies lets go of its tables at once. It
only saves thought: that a move happens once is for the key of the log. With SQLite there are no others.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from malecon.server.background import Background
from malecon.server.storage.database import driver_arguments
from malecon.server.storage.notices import CHANNEL, Notice, unpack
from malecon.server.storage.store import Storage

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger("malecon.server")
Others = Mapping[str, Callable[[str], None]]
_NOBODY: Others = {}
#: Seconds before a lost connection is tried again.
PAUSE = 0.5


class OtherProcesses(Protocol):
    """What a server needs to know of the others."""

    def listen(
        self, changed: Callable[[Notice], None], lost: Callable[[], Awaitable[None]], others: Others = _NOBODY
    ) -> None:
        """Call `changed` with what another process has changed, and `lost` whenever some news may have been missed.

        `others` hear what is told on further channels, by the channel's name.
        """

    async def claim(self, table: str) -> bool:
        """Whether this process, and no other, moves for the bots of a table from now on."""

    async def release(self, table: str) -> None: ...

    async def close(self) -> None: ...


def other_processes(storage: Storage) -> OtherProcesses:
    return _Connected(storage) if storage.is_shared else _Alone()


class _Alone:
    def listen(
        self, changed: Callable[[Notice], None], lost: Callable[[], Awaitable[None]], others: Others = _NOBODY
    ) -> None:
        pass

    async def claim(self, table: str) -> bool:
        return True

    async def release(self, table: str) -> None:
        pass

    async def close(self) -> None:
        pass


class _Connected:
    """Two connections of our own: one that listens all the time, one whose session holds the claims."""

    def __init__(self, storage: Storage) -> None:
        self._arguments = driver_arguments(storage.engine)
        self._own = storage.sender
        self._background = Background()
        self._claims: psycopg.AsyncConnection[Any] | None = None
        self._one = asyncio.Lock()

    async def _connect(self) -> psycopg.AsyncConnection[Any]:
        import psycopg

        return await psycopg.AsyncConnection.connect(autocommit=True, **self._arguments)

    # --- news

    def listen(
        self, changed: Callable[[Notice], None], lost: Callable[[], Awaitable[None]], others: Others = _NOBODY
    ) -> None:
        def changes(text: str) -> None:
            notice = unpack(text, self._own)
            if notice is not None:
                changed(notice)

        self._background.begin(self._listen({**others, CHANNEL: changes}, lost))

    async def _listen(self, heard: Others, lost: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                async with await self._connect() as connection:
                    for channel in heard:
                        await connection.execute(f"LISTEN {channel}".encode())
                    await lost()
                    async for told in connection.notifies():
                        heard[told.channel](told.payload)
            except Exception as error:  # whatever it was, without news this process would show old tables
                log.warning("no news from the database: %s", type(error).__name__)
            await asyncio.sleep(PAUSE)

    # --- claims

    async def claim(self, table: str) -> bool:
        return await self._ask("SELECT pg_try_advisory_lock(%s)", table)

    async def release(self, table: str) -> None:
        await self._ask("SELECT pg_advisory_unlock(%s)", table)

    async def _ask(self, query: str, table: str) -> bool:
        import psycopg

        async with self._one:
            try:
                if self._claims is None or self._claims.closed:
                    self._claims = await self._connect()
                row = await (await self._claims.execute(query, (_key(table),))).fetchone()
                return bool(row and row[0])
            except psycopg.Error:
                if self._claims is not None:
                    await self._claims.close()
                return False

    async def close(self) -> None:
        await self._background.cancel()
        async with self._one:
            if self._claims is not None:
                await self._claims.close()


def _key(table: str) -> int:
    """A number for a lock, of 64 bits with a sign."""
    return int.from_bytes(hashlib.sha256(table.encode()).digest()[:8], "big", signed=True)
