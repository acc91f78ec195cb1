"""Analyses that people keep, under short addresses. Everybody with the address can look; only the owner changes it."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from malecon.kernel.phrases import say
from malecon.server.errors import Forbidden, NotFound, Stale
from malecon.server.storage.schema import ANALYSES
from malecon.server.storage.store import Storage
from malecon.teaching.analysis import Analysis

#: So many one person keeps, and so many are remembered as they were read.
MOST_KEPT, MOST_READ = 100, 64


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
    """Keeps analyses in the database."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._read: OrderedDict[tuple[str, int], Analysis] = OrderedDict()

    def create(self, owner: str, tree: Analysis) -> str:
        """Keep a new one; its address. Forbidden where somebody has too many."""
        new = {
            "id": secrets.token_urlsafe(9),
            "owner": owner,
            "game": tree.game.name,
            "document": tree.to_json(),
            "changed": time.time(),
        }
        count = select(func.count()).select_from(ANALYSES).where(ANALYSES.c.owner == owner)

        def work(connection: Connection, again: bool) -> None:
            if again and connection.execute(select(ANALYSES.c.id).where(ANALYSES.c.id == new["id"])).first():
                return
            if (connection.execute(count).scalar() or 0) >= MOST_KEPT:
                raise Forbidden(say("you keep {most} analyses already; delete one first", most=MOST_KEPT))
            connection.execute(insert(ANALYSES), new)

        self._storage.write(work)
        return str(new["id"])

    def get(self, name: str) -> StoredAnalysis:
        """The analysis at an address; NotFound where there is none."""
        wanted = select(ANALYSES).where(ANALYSES.c.id == name[:40])
        row = self._storage.read(lambda connection: connection.execute(wanted).first())
        if row is None:
            raise NotFound(say("there is no analysis at this address"))
        return StoredAnalysis(row.id, row.owner, row.revision, row.document)

    def cached_tree(self, kept: StoredAnalysis) -> Analysis:
        """Return the tree, which is read once for all requests. To change it, change a copy."""
        key = kept.id, kept.revision
        tree = self._read.pop(key, None) or Analysis.from_json(kept.document)
        self._read[key] = tree
        while len(self._read) > MOST_READ:
            self._read.popitem(last=False)
        return tree

    def save(self, kept: StoredAnalysis, tree: Analysis) -> None:
        """Put the tree in place of what was kept; Stale where that has changed meanwhile."""
        values = {"document": tree.to_json(), "changed": time.time(), "revision": kept.revision + 1}

        def work(connection: Connection, again: bool) -> None:
            there = (ANALYSES.c.id == kept.id) & (ANALYSES.c.revision == kept.revision)
            if connection.execute(update(ANALYSES).where(there).values(values)).rowcount:
                return
            now = connection.execute(select(ANALYSES.c.document).where(ANALYSES.c.id == kept.id)).scalar()
            if not (again and now == values["document"]):
                raise Stale

        self._storage.write(work)

    def of(self, owner: str) -> list[AnalysisSummary]:
        """What somebody keeps, the newest first."""
        columns = ANALYSES.c.id, ANALYSES.c.game, ANALYSES.c.changed
        wanted = select(*columns).where(ANALYSES.c.owner == owner).order_by(ANALYSES.c.changed.desc())
        return self._storage.read(lambda connection: [AnalysisSummary(*row) for row in connection.execute(wanted)])

    def delete(self, kept: StoredAnalysis) -> None:
        self._storage.write(
            lambda connection, again: connection.execute(delete(ANALYSES).where(ANALYSES.c.id == kept.id))
        )
