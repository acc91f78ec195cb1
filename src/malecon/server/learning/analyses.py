"""Stored analyses, under short addresses. Everybody with the address can read one; only the owner changes it."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from malecon.kernel.phrases import say
from malecon.server.errors import Forbidden, NotFound, Stale
from malecon.server.storage.schema import ANALYSES
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import is_retry, writes
from malecon.teaching.analysis import Analysis

#: Analyses that one person can store.
MOST_PER_PERSON = 100
#: Trees in the cache.
MOST_CACHED = 64


@dataclass(frozen=True)
class StoredAnalysis:
    """An analysis as it is stored."""

    id: str
    owner: str
    revision: int
    document: str


@dataclass(frozen=True)
class AnalysisSummary:
    """An analysis in a list."""

    id: str
    game: str
    changed: float


class Analyses:
    """Stores analyses in the database."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._trees: OrderedDict[tuple[str, int], Analysis] = OrderedDict()

    def create(self, owner: str, tree: Analysis) -> str:
        """Store a new analysis and return its address; raise Forbidden if its owner has too many."""
        new = {
            "id": secrets.token_urlsafe(9),
            "owner": owner,
            "game": tree.game.name,
            "document": tree.to_json(),
            "changed": time.time(),
        }
        self._insert(new)
        return str(new["id"])

    @writes
    def _insert(self, connection: Connection, new: dict[str, Any]) -> None:
        if is_retry(connection) and connection.execute(select(ANALYSES.c.id).where(ANALYSES.c.id == new["id"])).first():
            return
        count = select(func.count()).select_from(ANALYSES).where(ANALYSES.c.owner == new["owner"])
        if (connection.execute(count).scalar() or 0) >= MOST_PER_PERSON:
            raise Forbidden(say("you keep {most} analyses already; delete one first", most=MOST_PER_PERSON))
        connection.execute(insert(ANALYSES), new)

    def get(self, name: str) -> StoredAnalysis:
        """Return the analysis at an address; raise NotFound if there is none."""
        query = select(ANALYSES).where(ANALYSES.c.id == name[:40])
        row = self._storage.first(query)
        if row is None:
            raise NotFound(say("there is no analysis at this address"))
        return StoredAnalysis(row.id, row.owner, row.revision, row.document)

    def cached_tree(self, stored: StoredAnalysis) -> Analysis:
        """Return the tree, which is read once for all requests. To change it, change a copy."""
        key = stored.id, stored.revision
        tree = self._trees.pop(key, None) or Analysis.from_json(stored.document)
        self._trees[key] = tree
        while len(self._trees) > MOST_CACHED:
            self._trees.popitem(last=False)
        return tree

    @writes
    def save(self, connection: Connection, stored: StoredAnalysis, tree: Analysis) -> None:
        """Replace the stored tree; raise Stale if it has changed meanwhile."""
        values = {"document": tree.to_json(), "changed": time.time(), "revision": stored.revision + 1}
        unchanged = (ANALYSES.c.id == stored.id) & (ANALYSES.c.revision == stored.revision)
        if connection.execute(update(ANALYSES).where(unchanged).values(values)).rowcount:
            return
        document = connection.execute(select(ANALYSES.c.document).where(ANALYSES.c.id == stored.id)).scalar()
        if not (is_retry(connection) and document == values["document"]):
            raise Stale

    def of(self, owner: str) -> list[AnalysisSummary]:
        """Return the analyses of an owner, the newest first."""
        columns = ANALYSES.c.id, ANALYSES.c.game, ANALYSES.c.changed
        query = select(*columns).where(ANALYSES.c.owner == owner).order_by(ANALYSES.c.changed.desc())
        return [AnalysisSummary(*row) for row in self._storage.rows(query)]

    def delete(self, stored: StoredAnalysis) -> None:
        self._storage.execute(delete(ANALYSES).where(ANALYSES.c.id == stored.id))
