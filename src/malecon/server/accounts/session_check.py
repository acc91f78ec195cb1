"""Who is connected live with a session of their account, and whether it still holds. Guests have nothing to log out of.

A session is looked at again before every message, so nobody who is out hears anything that happened after; and at once
when something is said to have ended it, in whichever process.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager

from malecon.server.accounts.accounts import Accounts
from malecon.server.accounts.sessions import Sessions
from malecon.server.accounts.visitors import Visitor, session_holds
from malecon.server.tables.table import Table

#: What a live connection is closed with once its session has ended: one of the codes left to applications.
LOGGED_OUT = 4401


class LoggedOut(Exception):
    """The session of somebody who is connected has ended."""


class LiveSessionCheck:
    """The live connections of one server process."""

    def __init__(self, accounts: Accounts, sessions: Sessions) -> None:
        self._accounts, self._sessions = accounts, sessions
        self._listeners: defaultdict[str, list[Callable[[], None]]] = defaultdict(list)
        accounts.on_end = self.recheck

    def recheck(self, person: str | None = None) -> None:
        """Sessions of somebody, or of anybody, may have ended."""
        for name in tuple(self._listeners) if person is None else (person,):
            for wake in tuple(self._listeners.get(name, ())):
                wake()

    async def changes(self, table: Table, visitor: Visitor, at_once: bool) -> AsyncGenerator[None]:
        """After every change of a table, quick ones together, and where wanted at once; LoggedOut when that is over."""
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
        """LoggedOut where somebody's session does not hold any longer."""
        if visitor.account is not None:
            await self._check(visitor, asyncio.Event())

    @contextmanager
    def listening(self, visitor: Visitor, wake: Callable[[], None]) -> Iterator[None]:
        """Call `wake` when the session of somebody may have ended."""
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
        """LoggedOut where the session does not hold; what changes while it is looked up is a reason to look again."""
        while True:
            woken.clear()
            if not await asyncio.to_thread(session_holds, visitor, self._accounts, self._sessions):
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
