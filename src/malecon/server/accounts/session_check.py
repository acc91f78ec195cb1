"""Checks that the sessions of live connections are still valid. Guests have no session.

`pages.live.send_streams`, through which every live connection sends, checks before every message, so nothing is sent
after a log-out; and at once when a notice says that a session may have ended, in any process.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from malecon.server.accounts.accounts import Accounts
from malecon.server.accounts.sessions import Sessions
from malecon.server.accounts.visitors import Visitor, session_is_valid

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

    async def check(self, visitor: Visitor) -> None:
        """Raise LoggedOut if the session of a visitor has ended; check again if it may have ended meanwhile."""
        if visitor.account is None:
            return
        woken = asyncio.Event()
        woken.set()
        with self.listening(visitor, woken.set):
            while woken.is_set():
                woken.clear()
                if not await asyncio.to_thread(session_is_valid, visitor, self._accounts, self._sessions):
                    raise LoggedOut

    async def watch(self, visitor: Visitor) -> None:
        """Raise LoggedOut as soon as the session of a visitor has ended."""
        woken = asyncio.Event()
        with self.listening(visitor, woken.set):
            while True:
                await self.check(visitor)
                await woken.wait()
                woken.clear()

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
