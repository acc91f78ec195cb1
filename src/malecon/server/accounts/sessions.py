"""Sessions of accounts: a signed text in a cookie, or as a bearer token. The signing keys are in the database.

The newest key signs and all keys verify, so a new key can be made at any time; sessions of a removed key are invalid.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass
from typing import Any

from itsdangerous import BadData, URLSafeTimedSerializer
from sqlalchemy import Connection, delete, select

from malecon.server.storage.schema import KEYS
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import insert_missing, writes

SESSION_SECONDS = 180 * 24 * 3600
#: A visit with a session older than this renews it.
RENEWAL_AGE_SECONDS = 24 * 3600
#: Keys that verify.
MOST_KEYS = 2
#: The keys are read again after this time: another process may have made a new one.
KEY_CACHE_SECONDS = 60.0


@dataclass(frozen=True)
class Session:
    """A session: its person, the epoch of their account when it began, and its age in seconds."""

    person: str
    epoch: int
    age: float


class Sessions:
    """Signs and reads sessions."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._signer: URLSafeTimedSerializer | None = None
        self._looked_up = 0.0

    def begin(self, person: str, epoch: int) -> str:
        """Return the text of a new session."""
        return str(self._with_keys(make=True).dumps([person, epoch]))

    def read(self, text: str) -> Session | None:
        """Return the session of a text; None if it is not valid or too old."""
        try:
            (person, epoch), when = self._with_keys().loads(text, max_age=SESSION_SECONDS, return_timestamp=True)
        except (BadData, ValueError, TypeError):
            return None
        return Session(str(person), int(epoch), time.time() - when.timestamp())

    def new_key(self, forget: bool = False) -> None:
        """Sign with a new key from now on. With `forget`, remove the others: every session ends."""
        self._replace_keys(forget)
        self._signer = None

    @writes
    def _replace_keys(self, connection: Connection, forget: bool) -> None:
        own = select(KEYS.c.number).where(KEYS.c.number > 0).order_by(KEYS.c.number)  # 0 marks guests
        numbers = list(connection.execute(own).scalars())
        kept = [] if forget else numbers[-(MOST_KEYS - 1) :]
        connection.execute(delete(KEYS).where((KEYS.c.number > 0) & KEYS.c.number.not_in(kept)))
        insert_missing(connection, KEYS, _new_key(max(numbers, default=0) + 1))

    def _with_keys(self, make: bool = False) -> URLSafeTimedSerializer:
        if self._signer is None or time.monotonic() > self._looked_up + KEY_CACHE_SECONDS:
            keys = self._keys()
            if not keys and make:
                self._make_first_key()
                keys = self._keys()
            if not keys:  # there has never been a session
                return _signer([secrets.token_urlsafe(32)])
            self._signer, self._looked_up = _signer(keys), time.monotonic()
        return self._signer

    @writes
    def _make_first_key(self, connection: Connection) -> None:
        insert_missing(connection, KEYS, _new_key(1))  # another process may have been faster

    def _keys(self) -> list[str]:
        query = select(KEYS.c.secret).where(KEYS.c.number > 0).order_by(KEYS.c.number)
        return self._storage.scalars(query)


def _new_key(number: int) -> dict[str, Any]:
    return {"number": number, "secret": secrets.token_urlsafe(32), "created": time.time()}


def _signer(keys: list[str]) -> URLSafeTimedSerializer:
    how = {"digest_method": hashlib.sha256, "key_derivation": "hmac"}
    return URLSafeTimedSerializer(keys, salt="malecon session", signer_kwargs=how)
