"""Codes by which somebody gets back into an account, or confirms an e-mail address.

A person makes recovery codes for themselves; the host, or an e-mail, gives a reset code that ends after a day. Only
digests are stored: the codes have 100 random bits, so nobody can guess one from its digest. Each works once.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from malecon.kernel.phrases import say
from malecon.server.accounts.accounts import Account, Accounts
from malecon.server.errors import Forbidden
from malecon.server.storage.schema import ACCOUNTS, CODES
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import writes

#: What a code is for.
RECOVERY, RESET, MAIL = "recovery", "reset", "mail"
#: Recovery codes of an account.
RECOVERY_CODES = 8
RESET_SECONDS = 24 * 3600.0
#: Letters and digits that nobody mistakes for others, and the shape of a code.
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_GROUPS, _GROUP_LENGTH = 4, 5


class BadCode(Forbidden):
    def __init__(self) -> None:
        super().__init__(say("this code is not valid, or not any more"))


def new_code() -> str:
    """Return a random code in groups, which can be typed."""
    groups = ("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_LENGTH)) for _ in range(_GROUPS))
    return "-".join(groups)


def digest_of(code: str) -> str:
    """Return the digest of a code; how it is spelt makes no difference."""
    plain = "".join(letter for letter in code.upper() if letter in _ALPHABET)
    return hashlib.sha256(plain.encode()).hexdigest()


class Recovery:
    """Makes codes and accepts them."""

    def __init__(self, storage: Storage, accounts: Accounts) -> None:
        self._storage, self._accounts = storage, accounts

    @writes
    def make_recovery_codes(self, connection: Connection, person: str) -> list[str]:
        """Return new recovery codes; those before are no longer valid."""
        own = (CODES.c.person == person) & (CODES.c.kind == RECOVERY)
        connection.execute(delete(CODES).where(own))
        codes = [new_code() for _ in range(RECOVERY_CODES)]
        now = time.time()
        rows = [{"digest": digest_of(code), "person": person, "kind": RECOVERY, "made": now} for code in codes]
        connection.execute(insert(CODES), rows)
        return codes

    def count_recovery_codes(self, person: str) -> int:
        own = (CODES.c.person == person) & (CODES.c.kind == RECOVERY)
        return int(self._storage.scalar(select(func.count()).select_from(CODES).where(own)))

    @writes
    def make_reset_code(self, connection: Connection, person: str) -> str:
        """Return a code with which the password of an account can be set within a day; an earlier one ends."""
        return self._make(connection, person, RESET, None)

    @writes
    def make_mail_code(self, connection: Connection, person: str, address: str) -> str:
        """Return the code that confirms an e-mail address, to be sent there."""
        return self._make(connection, person, MAIL, address)

    def _make(self, connection: Connection, person: str, kind: str, mail: str | None) -> str:
        now, code = time.time(), new_code()
        ended = CODES.c.expires.is_not(None) & (CODES.c.expires < now)
        connection.execute(delete(CODES).where(ended | ((CODES.c.person == person) & (CODES.c.kind == kind))))
        row = {"digest": digest_of(code), "person": person, "kind": kind, "made": now, "mail": mail}
        connection.execute(insert(CODES), row | {"expires": now + RESET_SECONDS})
        return code

    async def set_password(self, name: str, code: str, new: str) -> Account:
        """Set the password of an account by a recovery or reset code, and end all sessions; else raise BadCode.

        A password that is refused leaves the code valid.
        """
        account = await asyncio.to_thread(self._accounts.find, name)
        if account is None or not await asyncio.to_thread(self._is_valid, account.person, code):
            raise BadCode
        changed = await self._accounts.set_password(account, new)
        await asyncio.to_thread(self._use, account.person, code)
        return changed

    def _is_valid(self, person: str, code: str) -> bool:
        return self._storage.first(select(CODES.c.person).where(_valid(person, code, (RECOVERY, RESET)))) is not None

    @writes
    def _use(self, connection: Connection, person: str, code: str) -> None:
        """End a code, and with it all reset codes: they were for the password before."""
        used = CODES.c.digest == digest_of(code)
        connection.execute(delete(CODES).where((CODES.c.person == person) & (used | (CODES.c.kind == RESET))))

    @writes
    def confirm_mail(self, connection: Connection, person: str, code: str) -> str:
        """Store the address that a code confirms, and return it; raise BadCode if it is wrong."""
        valid = _valid(person, code, (MAIL,))
        address = connection.execute(delete(CODES).where(valid).returning(CODES.c.mail)).scalar()
        if address is None:
            raise BadCode
        connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.person == person).values(mail=address))
        return str(address)


def _valid(person: str, code: str, kinds: tuple[str, ...]) -> ColumnElement[bool]:
    known = (CODES.c.digest == digest_of(code)) & (CODES.c.person == person) & CODES.c.kind.in_(kinds)
    return known & (CODES.c.expires.is_(None) | (CODES.c.expires > time.time()))
