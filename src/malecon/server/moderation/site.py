"""What the host says about the site: its name, an announcement, legal texts, and whether it is closed for maintenance.

All pages show it, so every process keeps it in memory and reads it again every few seconds.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from sqlalchemy import Connection, select

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.storage.schema import SETTINGS
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import upsert, writes

#: How often the texts are read again: another process may have changed them.
READ_SECONDS = 3.0
LONGEST_NAME = 40
LONGEST_ANNOUNCEMENT = 500
LONGEST_TEXT = 20_000
_NAME = "site"


@dataclass(frozen=True)
class SiteTexts:
    """The texts of a site; one that is empty is not shown."""

    name: str = ""
    announcement: str = ""
    maintenance: bool = False
    imprint: str = ""
    privacy: str = ""
    conduct: str = ""

    @property
    def title(self) -> str:
        return self.name or "Malecón"

    @property
    def pages(self) -> dict[str, str]:
        """The texts that have a page of their own, by its name."""
        texts = {"imprint": self.imprint, "privacy": self.privacy, "conduct": self.conduct}
        return {name: text for name, text in texts.items() if text}


class Site:
    """Keeps the texts of the site in memory, and stores them."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self.texts = SiteTexts()
        self._read_at = -READ_SECONDS

    def load(self) -> None:
        """Read the texts."""
        stored = self._storage.scalar(select(SETTINGS.c.value).where(SETTINGS.c.name == _NAME)) or {}
        known = {about.name: type(about.default) for about in fields(SiteTexts)}
        valid: dict[str, Any] = {name: value for name, value in stored.items() if type(value) is known.get(name)}
        self.texts = SiteTexts(**valid)
        self._read_at = time.monotonic()

    async def tick(self) -> None:
        if time.monotonic() - self._read_at >= READ_SECONDS:
            await asyncio.to_thread(self.load)

    def change(self, **changed: str | bool) -> None:
        """Store some texts; raise BadSetup if one is too long."""
        longest = {"name": LONGEST_NAME, "announcement": LONGEST_ANNOUNCEMENT}
        for name, value in changed.items():
            if isinstance(value, str) and len(value) > longest.get(name, LONGEST_TEXT):
                raise BadSetup(say("this text is too long"))
        tidied = {name: value.strip() if isinstance(value, str) else value for name, value in changed.items()}
        self.load()
        texts = replace(self.texts, **tidied)  # type: ignore[arg-type]
        self._store(asdict(texts))
        self.texts = texts

    @writes
    def _store(self, connection: Connection, value: dict[str, Any]) -> None:
        upsert(connection, SETTINGS, {"name": _NAME, "value": value})
