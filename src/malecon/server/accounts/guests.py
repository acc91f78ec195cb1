"""Guests: a random secret identifies a person without an account. It ends in a mark that only this server can make.

Secrets with another mark are accepted if their person has played or chosen something: a rescued database has a new key.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
import secrets
import time

from sqlalchemy import Connection, select, union_all

from malecon.server.storage.schema import KEYS, PEOPLE, SEATS, TABLES
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import insert_missing, writes

#: The number of the key that marks secrets; those of sessions begin at 1.
KEY_NUMBER = 0
#: Characters of the mark at the end of a secret.
MARK_LENGTH = 12
#: Persons of secrets with another mark that are cached.
MOST_CACHED = 10_000
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,100}")


def person_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()[:40]


class Guests:
    """Makes secrets and recognises them. The key is read once, when it is first needed."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._key = b""
        self._unmarked: set[str] = set()  # persons of secrets with another mark

    async def new_secret(self) -> str:
        random = secrets.token_urlsafe(24)
        return random + await self._mark(random)

    async def is_valid(self, secret: str) -> bool:
        """Return whether this server has made a secret."""
        if not _SECRET.fullmatch(secret):
            return False
        if hmac.compare_digest(await self._mark(secret[:-MARK_LENGTH]), secret[-MARK_LENGTH:]):
            return True
        person = person_of(secret)
        if person not in self._unmarked and await asyncio.to_thread(self._is_stored, person):
            if len(self._unmarked) >= MOST_CACHED:
                self._unmarked.clear()
            self._unmarked.add(person)
        return person in self._unmarked

    def _is_stored(self, person: str) -> bool:
        query = union_all(
            select(PEOPLE.c.id).where(PEOPLE.c.id == person),
            select(SEATS.c.person).where(SEATS.c.person == person),
            select(TABLES.c.owner).where(TABLES.c.owner == person),
        ).limit(1)
        return self._storage.first(query) is not None

    async def _mark(self, random: str) -> str:
        if not self._key:
            self._key = await asyncio.to_thread(self._read_or_make_key)
        marked = hashlib.blake2b(random.encode(), key=self._key, digest_size=9).digest()
        return base64.urlsafe_b64encode(marked).decode()

    def _read_or_make_key(self) -> bytes:
        key = self._storage.scalar(select(KEYS.c.secret).where(KEYS.c.number == KEY_NUMBER))
        return str(key or self._make_key()).encode()

    @writes
    def _make_key(self, connection: Connection) -> str:
        """Make the key; return it, or the one of another process that was faster."""
        new = {"number": KEY_NUMBER, "secret": secrets.token_urlsafe(32), "created": time.time()}
        insert_missing(connection, KEYS, new)
        return str(connection.execute(select(KEYS.c.secret).where(KEYS.c.number == KEY_NUMBER)).scalar_one())
