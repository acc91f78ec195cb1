"""The log of what moderators did: who, when, to whom. It is kept for as long as the host says."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from malecon.server.accounts.accounts import Account
from malecon.server.storage.schema import ACTS
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import writes

#: What can be done; the host's page has a sentence for each.
KINDS = (
    "rules",
    "site",
    "announcement",
    "maintenance",
    "dismissed",
    "hidden",
    "muted",
    "banned",
    "forgiven",
    "exported",
    "deleted",
    "reset",
    "added",
    "moderator",
    "no_moderator",
    "setup",
)
MOST_LISTED = 200


@dataclass(frozen=True)
class Act:
    """One entry of the log; without a name it was done on the command line, or by an account that is deleted."""

    made: float
    name: str | None
    what: str
    about_name: str | None
    detail: str


class Acts:
    """Records and lists acts."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    @writes
    def record(
        self,
        connection: Connection,
        by: Account | None,
        what: str,
        about: str | None = None,
        about_name: str | None = None,
        detail: str = "",
    ) -> None:
        """Record what a moderator did, or, without one, the command line."""
        assert what in KINDS
        row = {"id": secrets.token_hex(12), "made": time.time(), "what": what, "detail": detail[:200]}
        row |= {"person": by and by.person, "name": by and by.name, "about": about, "about_name": about_name}
        connection.execute(insert(ACTS), row)

    def latest(self) -> list[Act]:
        """Return the latest acts, the last first."""
        columns = ACTS.c.made, ACTS.c.name, ACTS.c.what, ACTS.c.about_name, ACTS.c.detail
        query = select(*columns).order_by(ACTS.c.made.desc(), ACTS.c.id).limit(MOST_LISTED)
        return [Act(*row) for row in self._storage.rows(query)]
