"""Broadcasts to spectators: what changed is rendered and compressed once for all who see the same.

Only guests without a part in the table share messages: the session of an account is checked before every message, and
players see more than spectators.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Hashable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol

from starlette.websockets import WebSocket

from malecon.server.accounts.visitors import Visitor
from malecon.server.tables.table import LISTENERS_AT_ONCE, NOTIFY_DELAY_SECONDS, Table

#: The extension of a connection's scope that writes a shared message; without it a connection joins no audience.
WRITE_EXTENSION = "malecon.write"


class SharedMessage:
    """A message for many: its bytes on the wire are made once for each way of compressing them."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self.frames: dict[object, bytes] = {}


Write = Callable[[SharedMessage], None]
MakeMessage = Callable[[], str | None]


class MessageSource(Protocol):
    """Makes the messages of one connection that is in no audience."""

    def message(self) -> str | None:
        """Return what has changed since the last message; None if nothing has."""

    def forget(self) -> None:
        """Forget what was sent, since the connection got shared messages meanwhile."""


@dataclass(frozen=True)
class Subscription:
    """What a connection follows: a table, and how its messages are made.

    `own` makes messages for this connection alone. Spectators of a table with the same `kind` see the same: they share
    messages, made by the function that `shared` returns, which begins with the present state. With `at_once`, there is
    a message before the first change.
    """

    socket: WebSocket
    table: Table
    visitor: Visitor
    own: MessageSource
    kind: Hashable
    shared: Callable[[], MakeMessage]
    at_once: bool = True

    @property
    def write(self) -> Write | None:
        """What writes shared messages to the connection, if this visitor may share them now."""
        write: Write | None = self.socket.scope.get("extensions", {}).get(WRITE_EXTENSION)
        is_spectator = self.visitor.account is None and not self.table.has_part(self.visitor.person)
        return write if is_spectator else None


class _Member:
    def __init__(self, write: Write, person: str) -> None:
        self.write, self.person = write, person
        self.leaves: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Audience:
    """The spectators of a table who see the same. `make` returns what has changed for all of them."""

    def __init__(self, table: Table, make: MakeMessage) -> None:
        self.table = table
        self._make = make
        self._revision, self._known_parts = table.revision, _parts(table)
        self._members: set[_Member] = set()
        self._waking: asyncio.Handle | None = None

    def __len__(self) -> int:
        return len(self._members)

    async def stay(self, write: Write, person: str) -> None:
        """Get all messages from now on, until this person has a part in the table."""
        self._send()  # the newcomer has the latest change already
        member = _Member(write, person)
        self._members.add(member)
        if len(self._members) == 1:
            self.table.listeners.add(self._wake)
        try:
            await member.leaves
        finally:
            self._members.discard(member)
            if not self._members:
                self.table.listeners.discard(self._wake)
                self._stop_waking()

    def _wake(self) -> None:
        """Send soon; if there are many members, after the player who moved is answered."""
        if self._waking is None:
            loop, many = asyncio.get_running_loop(), len(self._members) > LISTENERS_AT_ONCE
            self._waking = loop.call_later(NOTIFY_DELAY_SECONDS, self._send) if many else loop.call_soon(self._send)

    def _stop_waking(self) -> None:
        if self._waking is not None:
            self._waking.cancel()
            self._waking = None

    def _send(self) -> None:
        self._stop_waking()
        if self.table.is_outdated:  # each member checks the table for itself, and is disconnected
            self._dismiss(tuple(self._members))
        if self._revision == self.table.revision:
            return
        self._revision = self.table.revision
        if self._known_parts != _parts(self.table):
            self._known_parts = _parts(self.table)
            self._dismiss([member for member in self._members if self.table.has_part(member.person)])
        text = self._make()
        if text is not None:
            self._write(SharedMessage(text), tuple(self._members))

    def _dismiss(self, members: Collection[_Member]) -> None:
        """Let members have messages of their own from now on."""
        for member in members:
            self._members.discard(member)
            if not member.leaves.done():
                member.leaves.set_result(None)

    def _write(self, message: SharedMessage, members: tuple[_Member, ...]) -> None:
        """Write to a few members at a time, so that others are served in between."""
        for member in members[:LISTENERS_AT_ONCE]:
            member.write(message)
        if len(members) > LISTENERS_AT_ONCE:
            asyncio.get_running_loop().call_soon(self._write, message, members[LISTENERS_AT_ONCE:])


def _parts(table: Table) -> tuple[object, ...]:
    """Return what decides who has a part in a table."""
    return table.row.owner, tuple(seat.person for seat in table.row.seats), table.row.notes


class Broadcaster:
    """The audiences of one server process."""

    def __init__(self) -> None:
        self._audiences: dict[Hashable, Audience] = {}

    def __len__(self) -> int:
        """Return the number of connections in audiences."""
        return sum(map(len, self._audiences.values()))

    async def follow(self, subscription: Subscription) -> AsyncGenerator[str]:
        """Yield the messages for one connection, without those of its audience, which are written to it directly."""
        table, own = subscription.table, subscription.own
        at_once = subscription.at_once
        while True:
            async with aclosing(table.changes(at_once)) as changes:
                async for _ in changes:
                    message, revision = own.message(), table.revision
                    if message is not None:
                        yield message
                    write = subscription.write
                    if write is not None and revision == table.revision and not table.is_outdated:
                        break
            assert write is not None
            await self._stay(subscription, write)
            own.forget()
            at_once = True

    async def _stay(self, subscription: Subscription, write: Write) -> None:
        key, table = (subscription.table.id, subscription.kind), subscription.table
        audience = self._audiences.get(key)
        if audience is None or audience.table is not table:
            audience = self._audiences[key] = Audience(table, subscription.shared())
        try:
            await audience.stay(write, subscription.visitor.person)
        finally:
            if not audience and self._audiences.get(key) is audience:
                del self._audiences[key]
