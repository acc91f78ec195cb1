"""The set-up of a new server: a one-time code, which only the host can read, makes the first moderator.

The code is in the database, so that all processes on it know the same, and in the log of a server that others can
reach. It ends with the first moderator.
"""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, delete, select

from malecon.server.accounts.recovery import BadCode, new_code
from malecon.server.storage.schema import ACCOUNTS, SETTINGS
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import insert_missing, writes

_NAME = "setup"


class ServerSetup:
    """Knows whether the server has a moderator, and the code that makes one."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._is_done = False

    def is_done(self) -> bool:
        """Return whether there is a moderator. Once there was one, this asks the database no more."""
        if not self._is_done:
            query = select(ACCOUNTS.c.person).where(ACCOUNTS.c.moderator.is_(True)).limit(1)
            self._is_done = self._storage.first(query) is not None
        return self._is_done

    @writes
    def code(self, connection: Connection) -> str:
        """Return the code, the same for all processes."""
        insert_missing(connection, SETTINGS, {"name": _NAME, "value": {"code": new_code()}})
        value = connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == _NAME)).scalar_one()
        return str(value["code"])

    def check(self, code: str) -> None:
        """Raise BadCode if the set-up is done, or this is not its code."""
        given = "".join(code.upper().split())
        if self.is_done() or not secrets.compare_digest(given.encode(), self.code().encode()):
            raise BadCode

    def finish(self) -> None:
        """Forget the code: there is a moderator now."""
        self._storage.execute(delete(SETTINGS).where(SETTINGS.c.name == _NAME))
