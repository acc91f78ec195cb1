"""E-mails of what waits for people: games where it is their turn, and reports for moderators."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from malecon.kernel.phrases import counted, say
from malecon.server.accounts.visitors import Choices
from malecon.server.moderation.moderation import Moderation
from malecon.server.notifications.mail import Mailer
from malecon.server.storage.schema import ACCOUNTS
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import writes
from malecon.server.tables.live_tables import LiveTables
from malecon.text import translate

#: How often people may have an e-mail.
DAYS = (0, 1, 7)
#: Between two looks at whose summary is due, and people at a look.
LOOK_SECONDS = 60.0
MOST_AT_ONCE = 50
DAY_SECONDS = 24 * 3600.0


@dataclass(frozen=True)
class _Recipient:
    person: str
    mail: str
    is_moderator: bool


class Summaries:
    """Sends each person who wants it a summary when it is due, if something waits for them."""

    def __init__(
        self, storage: Storage, tables: LiveTables, moderation: Moderation, mailer: Mailer, public_address: str
    ) -> None:
        self._storage, self._tables, self._moderation = storage, tables, moderation
        self._mailer, self._public_address = mailer, public_address
        self._looked = 0.0

    async def tick(self) -> None:
        if self._mailer.is_on and time.monotonic() - self._looked > LOOK_SECONDS:
            self._looked = time.monotonic()
            for recipient in await asyncio.to_thread(self._claim, time.time()):
                await self._send(recipient)

    @writes
    def _claim(self, connection: Connection, now: float) -> list[_Recipient]:
        """Return whose summary is due, and put the next one off, so that one process sends each of them."""
        columns = ACCOUNTS.c.person, ACCOUNTS.c.mail, ACCOUNTS.c.moderator
        due = (ACCOUNTS.c.summary_days > 0) & ACCOUNTS.c.mail.is_not(None) & (ACCOUNTS.c.summary_due <= now)
        query = select(*columns).where(due).limit(MOST_AT_ONCE).with_for_update(skip_locked=True)
        recipients = [_Recipient(*row) for row in connection.execute(query)]
        own = update(ACCOUNTS).where(ACCOUNTS.c.person.in_([recipient.person for recipient in recipients]))
        connection.execute(own.values(summary_due=now + ACCOUNTS.c.summary_days * DAY_SECONDS))
        return recipients

    async def _send(self, recipient: _Recipient) -> None:
        language = Choices.of(await asyncio.to_thread(self._storage.choices, recipient.person)).language or "en"
        waiting = []
        for row in await self._tables.tables_of(recipient.person):
            if not row.over:
                table = await self._tables.get(row.id)
                if table.waits_for(table.seats_of(recipient.person)):
                    waiting.append(f"{table.match.game.title}: {self._public_address}/tables/{table.id}")
        reports = len(await asyncio.to_thread(self._moderation.reports)) if recipient.is_moderator else 0
        lines = []
        if waiting:
            heading = counted("{n} game waits for you", "{n} games wait for you", len(waiting))
            lines += [translate(heading, language) + ":", *waiting, ""]
        if reports:
            heading = counted("{n} message was reported", "{n} messages were reported", reports)
            lines += [f"{translate(heading, language)}: {self._public_address}/host", ""]
        if lines:
            ends = say("You chose to get this e-mail; you can change that on your account page: {address}")
            lines.append(translate(ends.fill(address=f"{self._public_address}/account"), language))
            subject = translate(say("What waits for you"), language)
            await asyncio.to_thread(self._mailer.queue, recipient.mail, subject, "\n".join(lines))
