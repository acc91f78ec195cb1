"""Guests: whoever holds a secret of ours is that person. A secret is made here, not chosen by a client, and says so.

Secrets from before they were marked are believed while somebody has played or chosen something with them.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
import secrets
import time
from contextlib import suppress

from sqlalchemy import Connection, insert, select, union_all
from sqlalchemy.exc import IntegrityError

from malecon.server.storage.schema import KEYS, PEOPLE, SEATS, TABLES
from malecon.server.storage.store import Storage

#: The number of the key that marks secrets; those of sessions begin at 1.
NUMBER = 0
#: Letters of the mark, which are the last ones of a secret.
MARK = 12
#: Old secrets that are remembered to be somebody's.
MOST_KNOWN = 10_000
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,100}")


def person_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()[:40]


class Guests:
    """Makes secrets and knows them again. The key is looked up once, when somebody comes."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._key = b""
        self._known: set[str] = set()  # older secrets' persons

    async def new_secret(self) -> str:
        random = secrets.token_urlsafe(24)
        return random + await self._mark(random)

    async def know(self, secret: str) -> bool:
        """Whether it is one of ours."""
        if not _SECRET.fullmatch(secret):
            return False
        if hmac.compare_digest(await self._mark(secret[:-MARK]), secret[-MARK:]):
            return True
        person = person_of(secret)
        if person not in self._known and await asyncio.to_thread(self._has_been_here, person):
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known.add(person)
        return person in self._known

    def _has_been_here(self, person: str) -> bool:
        found = union_all(
            select(PEOPLE.c.id).where(PEOPLE.c.id == person),
            select(SEATS.c.person).where(SEATS.c.person == person),
            select(TABLES.c.owner).where(TABLES.c.owner == person),
        ).limit(1)
        return self._storage.read(lambda connection: connection.execute(found).first()) is not None

    async def _mark(self, random: str) -> str:
        if not self._key:
            self._key = await asyncio.to_thread(self._find_key)
        marked = hashlib.blake2b(random.encode(), key=self._key, digest_size=9).digest()
        return base64.urlsafe_b64encode(marked).decode()

    def _find_key(self) -> bytes:
        wanted = select(KEYS.c.secret).where(KEYS.c.number == NUMBER)
        found = self._storage.read(lambda connection: connection.execute(wanted).scalar())
        if found is None:
            new = {"number": NUMBER, "secret": secrets.token_urlsafe(32), "created": time.time()}

            def make(connection: Connection, again: bool) -> None:
                connection.execute(insert(KEYS), new)

            with suppress(IntegrityError):  # another process was faster
                self._storage.write(make)
            found = self._storage.read(lambda connection: connection.execute(wanted).scalar())
        return str(found).encode()
