"""Checks that the sessions of live connections are still valid. Guests have no session.

A session is checked before every message, so nothing is sent after a log-out; and at once when a notice says that it
may have ended, in any process.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager

from malecon.server.accounts.accounts import Accounts
from malecon.server.accounts.sessions import Sessions
from malecon.server.accounts.visitors import Visitor, session_is_valid
from malecon.server.tables.table import Table

#: The code a live connection is closed with once its session has ended: one of those left to applications.
LOGGED_OUT = 4401


class LoggedOut(Exception):
    """The session of a live connection has ended."""


class LiveSessionCheck:
    """Checks the sessions of the live connections of one process."""

    def __init__(self, accounts: Accounts, sessions: Sessions) -> None:
        self._accounts, self._sessions = accounts, sessions
        self._listeners: defaultdict[str, list[Callable[[], None]]] = defaultdict(list)

    def recheck(self, person: str | None = None) -> None:
        """Check the sessions of a person, or all of them: they may have ended."""
        for name in tuple(self._listeners) if person is None else (person,):
            for wake in tuple(self._listeners.get(name, ())):
                wake()

    async def changes(self, table: Table, visitor: Visitor, at_once: bool) -> AsyncGenerator[None]:
        """Yield after every change of a table, quick ones together; raise LoggedOut when the session has ended.

        With `at_once`, yield before the first change too.
        """
        woken = asyncio.Event()
        revision = None if at_once else table.revision
        with self._listening(table, visitor, woken.set):
            while True:
                if visitor.account is not None:
                    await self._check(visitor, woken)
                woken.clear()
                if revision != table.revision:
                    revision = table.revision
                    yield
                await woken.wait()

    async def check(self, visitor: Visitor) -> None:
        """Raise LoggedOut if the session of a visitor has ended."""
        if visitor.account is not None:
            await self._check(visitor, asyncio.Event())

    @contextmanager
    def listening(self, visitor: Visitor, wake: Callable[[], None]) -> Iterator[None]:
        """Call `wake` when the session of a visitor may have ended."""
        if visitor.account is not None:
            self._listeners[visitor.person].append(wake)
        try:
            yield
        finally:
            if visitor.account is not None:
                self._listeners[visitor.person].remove(wake)
                if not self._listeners[visitor.person]:
                    del self._listeners[visitor.person]

    async def _check(self, visitor: Visitor, woken: asyncio.Event) -> None:
        """Raise LoggedOut if the session has ended; check again if something changes meanwhile."""
        while True:
            woken.clear()
            if not await asyncio.to_thread(session_is_valid, visitor, self._accounts, self._sessions):
                raise LoggedOut
            if not woken.is_set():
                return

    @contextmanager
    def _listening(self, table: Table, visitor: Visitor, wake: Callable[[], None]) -> Iterator[None]:
        table.listeners.add(wake)
        try:
            with self.listening(visitor, wake):
                yield
        finally:
            table.listeners.discard(wake)
