"""The people with an account, for the host: found by a part of their name, with what a host needs to know."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from malecon.server.names import name_key
from malecon.server.storage.schema import ACCOUNTS, RESULTS, SANCTIONS, SESSIONS
from malecon.server.storage.store import Storage

MOST_LISTED = 50


@dataclass(frozen=True)
class ListedPerson:
    """A person with an account; `seen` is when a session of theirs was last used, about."""

    person: str
    name: str
    created: float
    seen: float | None
    games: int
    is_moderator: bool
    sanction: str | None


class People:
    """Finds people."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def count(self) -> int:
        return int(self._storage.scalar(select(func.count()).select_from(ACCOUNTS)))

    def search(self, text: str, most: int = MOST_LISTED) -> list[ListedPerson]:
        """Return the people whose names contain a text, those who were here last first."""
        seen = (
            select(func.max(SESSIONS.c.seen)).where(SESSIONS.c.person == ACCOUNTS.c.person).scalar_subquery()
        ).label("seen")
        games = select(func.count()).select_from(RESULTS).where(RESULTS.c.who == ACCOUNTS.c.person).scalar_subquery()
        sanction = select(SANCTIONS.c.kind).where(SANCTIONS.c.person == ACCOUNTS.c.person).scalar_subquery()
        columns = ACCOUNTS.c.person, ACCOUNTS.c.name, ACCOUNTS.c.created, seen, games, ACCOUNTS.c.moderator, sanction
        query = select(*columns).where(ACCOUNTS.c.key.contains(name_key(text)[:80], autoescape=True))
        query = query.order_by(func.coalesce(seen, 0).desc(), ACCOUNTS.c.key).limit(most)
        return [ListedPerson(*row) for row in self._storage.rows(query)]
