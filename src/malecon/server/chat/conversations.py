"""The conversations of one process: what was said at a table, kept with those of other processes, and who listens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from malecon.kernel.phrases import say
from malecon.server.background import Background
from malecon.server.chat.messages import ChatMessage
from malecon.server.errors import NotFound, Refused
from malecon.server.storage.notices import TALK
from malecon.server.storage.schema import MESSAGES, RELATIONS, REPORTS
from malecon.server.storage.store import Storage

#: Messages that are shown, and that are kept of one table.
SHOWN, MOST = 200, 2_000
#: What one person can be to another: only one of these.
FRIEND, MUTED, BLOCKED = "friend", "muted", "blocked"
_COLUMNS = [MESSAGES.c[name] for name in ChatMessage.__dataclass_fields__]


class Conversation:
    """What was said at one table, as far as it is shown."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.messages: list[ChatMessage] = []
        self.listeners: set[Callable[[], None]] = set()
        self.lock = asyncio.Lock()

    @property
    def last(self) -> int:
        return self.messages[-1].number if self.messages else -1

    @contextmanager
    def heard_by(self, listener: Callable[[], None]) -> Iterator[None]:
        self.listeners.add(listener)
        try:
            yield
        finally:
            self.listeners.discard(listener)

    def wake(self) -> None:
        for listener in tuple(self.listeners):
            listener()


class Conversations:
    """All conversations, and what people are to each other in them."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._live: WeakValueDictionary[str, Conversation] = WeakValueDictionary()
        self._background = Background()

    async def of(self, table: str) -> Conversation:
        """What is said at a table; two who ask get the same."""
        found = self._live.get(table)
        if found is None:
            found = self._live[table] = Conversation(table)
            await self._catch_up(found)
        return found

    async def say(self, table: str, message: ChatMessage) -> None:
        """Say something: it is heard in every process."""
        await asyncio.to_thread(self._write, table, message)
        found = self._live.get(table)
        if found is not None:
            await self._catch_up(found)

    def hear(self, table: str) -> None:
        """Somebody has said something in another process."""
        found = self._live.get(table)
        if found is not None:
            self._background.begin(self._catch_up(found))

    def hear_all(self) -> None:
        for table in tuple(self._live):
            self.hear(table)

    async def again(self, table: str) -> None:
        """Look at a conversation anew, after something in it was hidden."""
        found = self._live.get(table)
        if found is not None:
            found.messages = []
            await self._catch_up(found)

    async def close(self) -> None:
        await self._background.cancel()

    async def _catch_up(self, conversation: Conversation) -> None:
        async with conversation.lock:
            news = await asyncio.to_thread(self._read, conversation.table, conversation.last)
            conversation.messages = [*conversation.messages, *news][-SHOWN:]
        conversation.wake()

    def _read(self, table: str, last: int) -> list[ChatMessage]:
        new = (MESSAGES.c.table == table) & (MESSAGES.c.number > last) & MESSAGES.c.hidden.is_(False)
        wanted = select(*_COLUMNS).where(new).order_by(MESSAGES.c.number.desc()).limit(SHOWN)
        return self._storage.read(lambda connection: [ChatMessage(*row) for row in connection.execute(wanted)][::-1])

    def _write(self, table: str, message: ChatMessage) -> None:
        values = {name: value for name, value in vars(message).items() if name != "number"} | {"table": table}

        def work(connection: Connection, again: bool) -> None:
            highest = select(func.max(MESSAGES.c.number)).where(MESSAGES.c.table == table)
            number = connection.execute(highest).scalar()
            number = 0 if number is None else int(number) + 1
            if number >= MOST:
                raise Refused(say("enough has been said at this table"))
            connection.execute(insert(MESSAGES), values | {"number": number})
            self._storage.tell(connection, TALK, table)

        for _ in range(50):
            try:
                return self._storage.write(work)
            except IntegrityError:  # two spoke at once
                time.sleep(0.002)
        raise Refused(say("too many are speaking at once; try again"))

    # --- what people are to each other

    def relations(self, person: str) -> dict[str, str]:
        """What others are to somebody."""
        wanted = select(RELATIONS.c.other, RELATIONS.c.kind).where(RELATIONS.c.person == person)
        return self._storage.read(lambda connection: {row.other: row.kind for row in connection.execute(wanted)})

    def avoided(self, person: str) -> tuple[str, ...]:
        """Those whom somebody has blocked, and those who have blocked them: they do not meet."""
        mine = select(RELATIONS.c.other).where((RELATIONS.c.person == person) & (RELATIONS.c.kind == BLOCKED))
        theirs = select(RELATIONS.c.person).where((RELATIONS.c.other == person) & (RELATIONS.c.kind == BLOCKED))
        return self._storage.read(lambda connection: tuple(connection.execute(mine.union(theirs)).scalars()))

    def relate(self, person: str, other: str, kind: str | None) -> None:
        """Say what somebody is to a person; None: nothing in particular."""
        if person == other:
            raise Refused(say("that is you"))
        pair = (RELATIONS.c.person == person) & (RELATIONS.c.other == other)

        def work(connection: Connection, again: bool) -> None:
            connection.execute(delete(RELATIONS).where(pair))
            if kind is not None:
                connection.execute(insert(RELATIONS), {"person": person, "other": other, "kind": kind})

        self._storage.write(work)

    def message(self, table: str, number: int) -> ChatMessage:
        wanted = select(*_COLUMNS).where((MESSAGES.c.table == table) & (MESSAGES.c.number == number))
        row = self._storage.read(lambda connection: connection.execute(wanted).first())
        if row is None:
            raise NotFound(say("nobody said that here"))
        return ChatMessage(*row)

    def report(self, table: str, number: int, by: str) -> None:
        """Tell the host of a message; once is enough."""
        dialect = postgresql if self._storage.is_shared else sqlite
        new = dialect.insert(REPORTS).values(table=table, number=number, by=by, made=time.time(), closed=False)
        self._storage.write(lambda connection, again: connection.execute(new.on_conflict_do_nothing()))
