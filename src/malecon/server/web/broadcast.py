"""Those who only look on: what changed is made and compressed once for all who see the same.

Only guests are in a crowd: whoever has an account is asked before every message whether their session still holds, and
whoever has a part at the table sees more.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Hashable
from contextlib import aclosing
from typing import Protocol

from starlette.websockets import WebSocket

from malecon.server.accounts.session_check import LiveSessionCheck
from malecon.server.accounts.visitors import Visitor
from malecon.server.tables.table import LISTENERS_AT_ONCE, NOTIFY_DELAY_SECONDS, Table

#: Under this name a live connection says how something ready can be written to it; without it nobody joins a crowd.
WRITE = "malecon.write"


class Ready:
    """A message for many: the bytes that go over the wire are made once for each way of compressing them."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self.frames: dict[object, bytes] = {}


Write = Callable[[Ready], None]
Make = Callable[[], str | None]


class Own(Protocol):
    """What one connection is told if it is in no crowd."""

    def message(self) -> str | None:
        """What has changed since the last message; None where there is nothing to tell."""

    def forget(self) -> None:
        """Others have told more meanwhile: begin anew."""


class _Member:
    def __init__(self, write: Write, person: str) -> None:
        self.write, self.person = write, person
        self.leaves: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class _Crowd:
    """All who look on at one table and see the same. `make` tells what nobody's view has to show."""

    def __init__(self, table: Table, make: Make) -> None:
        self._table, self._make = table, make
        self._revision, self._known = table.revision, _seating(table)
        self._members: set[_Member] = set()
        self._waking: asyncio.Handle | None = None

    def __len__(self) -> int:
        return len(self._members)

    async def stay(self, write: Write, person: str) -> None:
        """Be told everything from now on; until one has a part at the table."""
        self._tell()  # whoever comes has seen the latest change already
        member = _Member(write, person)
        self._members.add(member)
        if len(self._members) == 1:
            self._table.listeners.add(self._wake)
        try:
            await member.leaves
        finally:
            self._members.discard(member)
            if not self._members:
                self._table.listeners.discard(self._wake)
                self._stop_waking()

    def _wake(self) -> None:
        """Soon; if many are here, whoever made the move is answered first."""
        if self._waking is None:
            loop, many = asyncio.get_running_loop(), len(self._members) > LISTENERS_AT_ONCE
            self._waking = loop.call_later(NOTIFY_DELAY_SECONDS, self._tell) if many else loop.call_soon(self._tell)

    def _stop_waking(self) -> None:
        if self._waking is not None:
            self._waking.cancel()
            self._waking = None

    def _tell(self) -> None:
        self._stop_waking()
        if self._revision == self._table.revision:
            return
        self._revision = self._table.revision
        if self._known != _seating(self._table):
            self._known = _seating(self._table)
            for member in tuple(self._members):
                if self._table.has_part(member.person):
                    self._members.discard(member)
                    if not member.leaves.done():
                        member.leaves.set_result(None)
        news = self._make()
        if news is not None:
            self._write(Ready(news), tuple(self._members))

    def _write(self, ready: Ready, members: tuple[_Member, ...]) -> None:
        """A few at a time, so that others are served in between."""
        for member in members[:LISTENERS_AT_ONCE]:
            member.write(ready)
        if len(members) > LISTENERS_AT_ONCE:
            asyncio.get_running_loop().call_soon(self._write, ready, members[LISTENERS_AT_ONCE:])


def _seating(table: Table) -> tuple[object, ...]:
    """What decides who has a part at a table."""
    return table.row.owner, tuple(seat.person for seat in table.row.seats), table.row.notes


class Crowds:
    """The crowds of one server process."""

    def __init__(self, session_check: LiveSessionCheck) -> None:
        self._session_check = session_check
        self._crowds: dict[Hashable, _Crowd] = {}

    def __len__(self) -> int:
        """How many people are in them."""
        return sum(map(len, self._crowds.values()))

    async def follow(
        self, socket: WebSocket, table: Table, visitor: Visitor, own: Own, kind: Hashable, shared: Callable[[], Make],
        at_once: bool = True,
    ) -> AsyncGenerator[str]:  # fmt: skip
        """The messages for one connection. Those of a crowd it does not see: they are written past it.

        `kind` tells which crowd would be theirs; `shared` begins to tell what nobody in particular sees from now on.
        """
        while True:
            async with aclosing(self._session_check.changes(table, visitor, at_once)) as changes:
                async for _ in changes:
                    news, revision = own.message(), table.revision
                    if news is not None:
                        yield news
                    write = socket.scope.get("extensions", {}).get(WRITE)
                    fits = write is not None and visitor.account is None and not table.has_part(visitor.person)
                    if fits and revision == table.revision:
                        break
            await self._stay((table.id, kind), table, shared, write, visitor.person)
            own.forget()
            at_once = True

    async def _stay(self, name: Hashable, table: Table, shared: Callable[[], Make], write: Write, person: str) -> None:
        crowd = self._crowds.get(name)
        if crowd is None or crowd._table is not table:
            crowd = self._crowds[name] = _Crowd(table, shared())
        try:
            await crowd.stay(write, person)
        finally:
            if not crowd and self._crowds.get(name) is crowd:
                del self._crowds[name]
