"""Stored analyses, under short addresses. Everybody with the address can read one; only the owner changes it.

A document is read and checked once; then its tree is in memory, for everybody, as long as there is room.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.errors import Forbidden, NotFound, Stale
from malecon.server.operations import memory
from malecon.server.operations.memory import Memory
from malecon.server.storage.schema import ANALYSES
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import is_retry, writes
from malecon.teaching.analysis import Analysis
from malecon.teaching.analysis.tree import LARGEST_FILE, MOST_NODES

#: Analyses that one person can store.
MOST_PER_PERSON = 100
#: Estimated memory of a tree, of each of its moves with its position, and of each character in a note.
TREE_BYTES = 20_000
MOVE_BYTES = 1_000
NOTE_BYTES = 8


@dataclass(frozen=True)
class StoredAnalysis:
    """An analysis as it is stored, without its tree."""

    id: str
    owner: str
    revision: int


@dataclass(frozen=True)
class _CachedTree:
    """The tree of an analysis in memory, with its estimated bytes."""

    stored: StoredAnalysis
    tree: Analysis
    size: int


@dataclass(frozen=True)
class AnalysisSummary:
    """An analysis in a list."""

    id: str
    game: str
    changed: float


class Analyses:
    """Stores analyses in the database, and keeps the trees of those that are read."""

    def __init__(self, storage: Storage, budget: Memory) -> None:
        self._storage = storage
        self._memory = budget
        self._trees: dict[str, _CachedTree] = {}
        self._reading = asyncio.Lock()  # one document at a time: a large one takes a thread for a while

    def create(self, owner: str, tree: Analysis) -> str:
        """Store a new analysis and return its address; raise Forbidden if its owner has too many."""
        new = {
            "id": secrets.token_urlsafe(9),
            "owner": owner,
            "game": tree.game.name,
            "document": _document(tree),
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
        columns = ANALYSES.c.id, ANALYSES.c.owner, ANALYSES.c.revision
        query = select(*columns).where(ANALYSES.c.id == name[:40])
        row = self._storage.read(lambda connection: connection.execute(query).first())
        if row is None:
            raise _no_analysis()
        return StoredAnalysis(*row)

    async def open(self, name: str) -> tuple[StoredAnalysis, Analysis]:
        """Return an analysis with its tree, which all requests share: to change it, call `change`."""
        stored = await asyncio.to_thread(self.get, name)
        tree = self._cached(stored)
        if tree is None:
            async with self._reading:
                tree = self._cached(stored)  # somebody else may have read it while we waited
                if tree is None:
                    return await self._load(name)
        return stored, tree

    async def _load(self, name: str) -> tuple[StoredAnalysis, Analysis]:
        stored, tree = await asyncio.to_thread(self._read, name)
        self._keep(stored, tree)
        return stored, tree

    def _cached(self, stored: StoredAnalysis) -> Analysis | None:
        cached = self._trees.get(stored.id)
        if cached is None or cached.stored != stored:
            return None
        self._use(cached)
        return cached.tree

    def _read(self, name: str) -> tuple[StoredAnalysis, Analysis]:
        query = select(ANALYSES).where(ANALYSES.c.id == name[:40])
        row = self._storage.first(query)
        if row is None:
            raise _no_analysis()
        return StoredAnalysis(row.id, row.owner, row.revision), Analysis.from_json(row.document)

    def _keep(self, stored: StoredAnalysis, tree: Analysis) -> None:
        size = TREE_BYTES + MOVE_BYTES * len(tree) + NOTE_BYTES * sum(len(node.note) for node in tree.nodes)
        cached = self._trees[stored.id] = _CachedTree(stored, tree, size)
        self._use(cached)

    def _use(self, cached: _CachedTree) -> None:
        name = cached.stored.id
        self._memory.use(memory.ANALYSES, name, cached.size, lambda: self._trees.pop(name, None))

    async def change(self, stored: StoredAnalysis, tree: Analysis, work: Callable[[Analysis], int]) -> int:
        """Change a tree as `work` does and store it; return the node that `work` returns. Raise Stale if it changed.

        What is stored and cached is not parsed or checked again: `work` checks what it adds.
        """

        def run() -> tuple[Analysis, int]:
            changed = tree.copy()
            node = work(changed)
            self.save(stored, changed)
            return changed, node

        changed, node = await asyncio.to_thread(run)
        self._keep(StoredAnalysis(stored.id, stored.owner, stored.revision + 1), changed)
        return node

    @writes
    def save(self, connection: Connection, stored: StoredAnalysis, tree: Analysis) -> None:
        """Replace the stored tree; raise Stale if it has changed meanwhile, BadSetup if it could not be read again."""
        values = {"document": _document(tree), "changed": time.time(), "revision": stored.revision + 1}
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

    async def delete(self, stored: StoredAnalysis) -> None:
        await asyncio.to_thread(self._storage.execute, delete(ANALYSES).where(ANALYSES.c.id == stored.id))
        self._trees.pop(stored.id, None)
        self._memory.forget(memory.ANALYSES, stored.id)


def _document(tree: Analysis) -> str:
    """Return a tree as a document; raise BadSetup if it is so large that it would not be read again."""
    document = tree.to_json()
    if len(tree) > MOST_NODES:
        raise BadSetup(say("an analysis has at most {most} moves", most=MOST_NODES))
    if len(document) > LARGEST_FILE:
        raise BadSetup(say("an analysis with its notes has at most {most} characters", most=LARGEST_FILE))
    return document


def _no_analysis() -> NotFound:
    return NotFound(say("there is no analysis at this address"))
