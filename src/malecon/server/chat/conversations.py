"""Conversations at tables, kept up to date with other processes, and the relations between people."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from malecon.kernel.phrases import say
from malecon.server.background import Background
from malecon.server.chat.messages import ROOMS, ChatMessage
from malecon.server.errors import NotFound, Refused
from malecon.server.storage.notices import CHAT
from malecon.server.storage.rows import GONE
from malecon.server.storage.schema import MESSAGES, RELATIONS, REPORTS
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import insert_missing, is_retry, upsert, writes

#: The latest messages of each room, which pages show.
MOST_LISTED = 200
#: Messages that are stored for one room of a table: spectators cannot use up the players' share.
MOST_STORED = 2_000
#: The relation of a person to another: at most one of these.
FRIEND = "friend"
MUTED = "muted"
BLOCKED = "blocked"
_COLUMNS = [MESSAGES.c[name] for name in ChatMessage.__dataclass_fields__]


class Conversation:
    """The latest messages of both rooms of a table, in order, and the listeners that are woken by changes."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.messages: list[ChatMessage] = []
        self.listeners: set[Callable[[], None]] = set()
        self.lock = asyncio.Lock()

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        self.listeners.add(listener)
        try:
            yield
        finally:
            self.listeners.discard(listener)

    def wake(self) -> None:
        for listener in tuple(self.listeners):
            listener()


class Conversations:
    """All conversations, and the relations between people."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._live: WeakValueDictionary[str, Conversation] = WeakValueDictionary()
        self._background = Background()

    async def of(self, table: str) -> Conversation:
        """Return the conversation at a table, the same object for all who ask."""
        conversation = self._live.get(table)
        if conversation is None:
            conversation = self._live[table] = Conversation(table)
            await self._refresh(conversation)
        return conversation

    async def say(self, table: str, message: ChatMessage) -> None:
        """Store a message and notify every process."""
        await asyncio.to_thread(self._write, table, message)
        conversation = self._live.get(table)
        if conversation is not None:
            await self._refresh(conversation)

    def on_notice(self, table: str) -> None:
        """Another process has announced a message at a table."""
        conversation = self._live.get(table)
        if conversation is not None:
            self._background.begin(self._refresh(conversation))

    def on_removed(self, table: str) -> None:
        """Another process has announced that messages at a table were hidden or deleted."""
        self._background.begin(self.reload(table))

    def reload_all(self) -> None:
        """Read all conversations again: notices of other processes may have been lost."""
        for table in tuple(self._live):
            self.on_removed(table)

    async def reload(self, table: str) -> None:
        """Read a conversation again after messages in it were hidden or deleted."""
        conversation = self._live.get(table)
        if conversation is not None:
            await self._refresh(conversation, from_start=True)

    async def close(self) -> None:
        await self._background.cancel()

    async def _refresh(self, conversation: Conversation, from_start: bool = False) -> None:
        async with conversation.lock:
            kept = [] if from_start else conversation.messages
            last = kept[-1].number if kept else -1
            messages = [*kept, *await asyncio.to_thread(self._read, conversation.table, last)]
            listed = [message for room in ROOMS for message in [m for m in messages if m.room == room][-MOST_LISTED:]]
            conversation.messages = sorted(listed, key=lambda message: message.number)
        conversation.wake()

    def _read(self, table: str, last: int) -> list[ChatMessage]:
        """Return the messages after the number `last`, of each room the latest."""
        new = (MESSAGES.c.table == table) & (MESSAGES.c.number > last) & MESSAGES.c.hidden.is_(False)
        query = select(*_COLUMNS).order_by(MESSAGES.c.number.desc()).limit(MOST_LISTED)
        of_rooms = [self._storage.rows(query.where(new & (MESSAGES.c.room == room))) for room in ROOMS]
        return sorted((ChatMessage(*row) for rows in of_rooms for row in rows), key=lambda message: message.number)

    def _write(self, table: str, message: ChatMessage) -> None:
        for _ in range(50):
            try:
                return self._insert(table, message)
            except IntegrityError:  # two messages at once
                time.sleep(0.002)
        raise Refused(say("too many are speaking at once; try again"))

    @writes
    def _insert(self, connection: Connection, table: str, message: ChatMessage) -> None:
        here = MESSAGES.c.table == table
        same = here & (MESSAGES.c.person == message.person) & (MESSAGES.c.said == message.said)
        if is_retry(connection) and connection.execute(select(MESSAGES.c.number).where(same)).first():
            return  # it had been committed when the connection broke
        highest = connection.execute(select(func.max(MESSAGES.c.number)).where(here)).scalar()
        number = 0 if highest is None else int(highest) + 1
        stored = select(func.count()).select_from(MESSAGES).where(here & (MESSAGES.c.room == message.room))
        if connection.execute(stored).scalar_one() >= MOST_STORED:
            raise Refused(say("enough has been said at this table"))
        connection.execute(insert(MESSAGES), vars(message) | {"table": table, "number": number})
        self._storage.notify(connection, CHAT, table)

    # --- what people are to each other

    def relations(self, person: str) -> dict[str, str]:
        """Return the relations of a person to others."""
        query = select(RELATIONS.c.other, RELATIONS.c.kind).where(RELATIONS.c.person == person)
        return {row.other: row.kind for row in self._storage.rows(query)}

    def avoided(self, person: str) -> tuple[str, ...]:
        """Return the people whom a person has blocked or who have blocked them: they are not matched."""
        blocked = select(RELATIONS.c.other).where((RELATIONS.c.person == person) & (RELATIONS.c.kind == BLOCKED))
        blocked_by = select(RELATIONS.c.person).where((RELATIONS.c.other == person) & (RELATIONS.c.kind == BLOCKED))
        return tuple(self._storage.scalars(blocked.union(blocked_by)))

    @writes
    def relate(self, connection: Connection, person: str, other: str, kind: str | None) -> None:
        """Set the relation of a person to another; None removes it."""
        if person == other:
            raise Refused(say("that is you"))
        if kind is None:
            pair = (RELATIONS.c.person == person) & (RELATIONS.c.other == other)
            connection.execute(delete(RELATIONS).where(pair))
        else:
            upsert(connection, RELATIONS, {"person": person, "other": other, "kind": kind})

    def message(self, table: str, number: int) -> ChatMessage:
        here = (MESSAGES.c.table == table) & (MESSAGES.c.number == number) & (MESSAGES.c.person != GONE)
        row = self._storage.first(select(*_COLUMNS).where(here))
        if row is None:
            raise NotFound(say("nobody said that here"))
        return ChatMessage(*row)

    @writes
    def report(self, connection: Connection, table: str, number: int, by: str) -> None:
        """Report a message to the moderators, once for each reporter."""
        report = {"table": table, "number": number, "by": by, "made": time.time(), "closed": False}
        insert_missing(connection, REPORTS, report)
