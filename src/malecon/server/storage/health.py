"""What is wrong with the database just now, in a word or two: for the log, the health check and the metrics.

It is over when something could be written again. What is lost stays a trouble until the server starts anew without it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

log = logging.getLogger("malecon.server")
#: Seconds between two lines of the log about the same trouble.
QUIET = 60.0
SILENT = "the database does not answer"
#: What SQLite, PostgreSQL and the system say, and what it means.
_KNOWN = (
    ("disk is full", "the disk is full"),
    ("no space left", "the disk is full"),
    ("readonly", "the database cannot be written to"),
    ("read-only", "the database cannot be written to"),
    ("malformed", "the database is damaged"),
    ("not a database", "the database is damaged"),
    ("disk i/o error", "the disk does not work"),
    ("unable to open", "the database cannot be opened: too few file descriptors, or no rights"),
    ("too many open files", "too few file descriptors"),
    ("locked", "another program holds the database"),
)


class Troubles:
    """The trouble of one process with its database, if there is one."""

    def __init__(self) -> None:
        self.now: str | None = None
        self.missing: tuple[str, ...] = ()  # tables of which moves are missing
        self._logged = -QUIET

    @property
    def told(self) -> str | None:
        """What the health check says; None where all is well."""
        if self.missing:
            return f"moves of {len(self.missing)} tables are missing"
        return self.now

    def note(self, error: BaseException) -> None:
        """Something could not be read or written."""
        said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0][:200]
        found = next((meaning for part, meaning in _KNOWN if part in said.lower()), SILENT)
        if found != self.now or time.monotonic() > self._logged + QUIET:
            log.error("%s (%s); nothing that was acknowledged is lost; see malecon doctor", found, said)
            self._logged = time.monotonic()
        self.now = found

    def answered(self) -> None:
        """A question has been answered: at least the database is there."""
        if self.now == SILENT:
            self.over()

    def over(self) -> None:
        """Something has been written."""
        if self.now is not None:
            log.warning("the database works again")
            self.now = None

    def lost(self, tables: Sequence[str]) -> None:
        """Moves that were acknowledged are missing."""
        self.missing = tuple(tables)
        log.error("acknowledged moves are missing at %d tables, the first is %s: the database or its write-ahead log"
                  " was damaged; stop the server and use malecon rescue", len(tables), tables[0])  # fmt: skip
