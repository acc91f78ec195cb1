"""Sessions of accounts: a signed text in a cookie, or as a bearer token, which names a row of the database.

A session is valid while its row exists, so it can be ended at any time. The signature keeps forged texts away from the
database. Its keys are there too: the newest signs and all verify; sessions of a removed key are invalid.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from dataclasses import dataclass
from typing import Any

from itsdangerous import BadData, URLSafeTimedSerializer
from sqlalchemy import Connection, delete, insert, select, update

from malecon.server.accounts.accounts import Account
from malecon.server.errors import BadPassword
from malecon.server.storage.schema import ACCOUNTS, DEVICES, KEYS, SESSIONS
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import insert_missing, is_retry, writes

SESSION_SECONDS = 180 * 24 * 3600
#: A visit with a session older than this renews it.
RENEWAL_AGE_SECONDS = 24 * 3600
#: When a session was last used is stored about this often.
SEEN_INTERVAL_SECONDS = 3600.0
#: How far the clock of the machine that signed a session may be ahead of this one.
CLOCK_TOLERANCE_SECONDS = 60.0
#: Sessions of one account; a further one ends the one that was used least recently.
MOST_SESSIONS = 100
#: Characters of the name of a device.
LONGEST_DEVICE = 60
#: Keys that verify.
MOST_KEYS = 2
#: The keys are read again after this time: another process may have removed one.
KEY_CACHE_SECONDS = 60.0


@dataclass(frozen=True)
class Session:
    """What a signed text says: which session it is, and how many seconds ago it was signed."""

    id: str
    age: float


@dataclass(frozen=True)
class ListedSession:
    """A session as its owner sees it."""

    id: str
    began: float
    seen: float
    device: str


class Sessions:
    """Begins, signs, reads and lists sessions. `Accounts` ends them."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._signer: URLSafeTimedSerializer | None = None
        self._looked_up = 0.0

    def begin(self, account: Account, device: str) -> str:
        """Return the text of a new session; raise BadPassword if all sessions were ended since the account was read."""
        now = time.time()
        row = {"id": secrets.token_hex(16), "person": account.person, "began": now, "seen": now, "device": device}
        self._insert(account, row)
        return self.sign(str(row["id"]))

    @writes
    def _insert(self, connection: Connection, account: Account, row: dict[str, Any]) -> None:
        epoch = select(ACCOUNTS.c.epoch).where(ACCOUNTS.c.person == account.person).with_for_update()
        if connection.execute(epoch).scalar() != account.epoch:
            raise BadPassword
        if is_retry(connection) and connection.execute(select(SESSIONS.c.id).where(SESSIONS.c.id == row["id"])).first():
            return  # it had been committed when the connection broke
        own = select(SESSIONS.c.id, SESSIONS.c.seen).where(SESSIONS.c.person == account.person)
        latest_first = connection.execute(own.order_by(SESSIONS.c.seen.desc())).all()
        gone = [
            session
            for place, (session, seen) in enumerate(latest_first, 1)
            if place >= MOST_SESSIONS or seen < row["began"] - SESSION_SECONDS
        ]
        for column in (SESSIONS.c.id, DEVICES.c.session):
            connection.execute(delete(column.table).where(column.in_(gone)))
        connection.execute(insert(SESSIONS), row)
        # devices that a guest has just brought along are those of this browser
        brought = (DEVICES.c.person == account.person) & DEVICES.c.session.is_(None)
        connection.execute(update(DEVICES).where(brought).values(session=row["id"]))

    def sign(self, session: str) -> str:
        """Return the text of a session, signed now."""
        return str(self._with_keys(make=True).dumps(session))

    def read(self, text: str) -> Session | None:
        """Return the session of a text; None if its signature is not valid or too old."""
        try:
            try:
                content, when = self._with_keys().loads(text, return_timestamp=True)
            except BadData:  # another process may have made a new key
                self._signer = None
                content, when = self._with_keys().loads(text, return_timestamp=True)
        except (BadData, ValueError, TypeError):
            return None
        age = time.time() - when.timestamp()
        valid = isinstance(content, str) and -CLOCK_TOLERANCE_SECONDS <= age <= SESSION_SECONDS
        return Session(content, age) if valid else None

    def mark_seen(self, session: str) -> None:
        self._storage.execute(update(SESSIONS).where(SESSIONS.c.id == session).values(seen=time.time()))

    def of(self, person: str) -> list[ListedSession]:
        """Return the sessions of a person, the last used first."""
        columns = SESSIONS.c.id, SESSIONS.c.began, SESSIONS.c.seen, SESSIONS.c.device
        query = select(*columns).where(SESSIONS.c.person == person).order_by(SESSIONS.c.seen.desc(), SESSIONS.c.id)
        return [ListedSession(*row) for row in self._storage.rows(query)]

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
        if forget:
            connection.execute(delete(SESSIONS))
        insert_missing(connection, KEYS, _new_key(max(numbers, default=0) + 1))

    def _with_keys(self, make: bool = False) -> URLSafeTimedSerializer:
        signer = self._signer
        if signer is None or time.monotonic() > self._looked_up + KEY_CACHE_SECONDS:
            keys = self._keys()
            if not keys and make:
                self._make_first_key()
                keys = self._keys()
            if not keys:  # there has never been a session
                return _signer([secrets.token_urlsafe(32)])
            signer = self._signer = _signer(keys)
            self._looked_up = time.monotonic()
        return signer

    @writes
    def _make_first_key(self, connection: Connection) -> None:
        insert_missing(connection, KEYS, _new_key(1))  # another process may have been faster

    def _keys(self) -> list[str]:
        query = select(KEYS.c.secret).where(KEYS.c.number > 0).order_by(KEYS.c.number)
        return self._storage.scalars(query)


def _new_key(number: int) -> dict[str, Any]:
    return {"number": number, "secret": secrets.token_urlsafe(32), "created": time.time()}


#: How browsers and systems name themselves, the most telling first: many also claim to be others.
_BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "FxiOS": "Firefox", "CriOS": "Chrome"} | {
    name: name for name in ("SamsungBrowser", "Chrome", "Safari")
}
_SYSTEMS = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows"} | {
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def device_name(user_agent: str) -> str:
    """Return a short name of the browser and system, or of the program, that sends this header."""
    browser = next((name for mark, name in _BROWSERS.items() if f"{mark}/" in user_agent), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in user_agent), "")
    program = re.match(r"[\w.-]{1,40}", user_agent, re.ASCII)
    name = ", ".join(filter(None, (browser, system))) if browser else program[0] if program else "?"
    return name[:LONGEST_DEVICE]


def _signer(keys: list[str]) -> URLSafeTimedSerializer:
    how = {"digest_method": hashlib.sha256, "key_derivation": "hmac"}
    return URLSafeTimedSerializer(keys, salt="malecon session", signer_kwargs=how)
