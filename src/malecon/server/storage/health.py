"""The health of the database, in a word or two: for the log, the health check and the metrics.

A failure is over when something could be written again. Missing moves are reported until the server starts without any.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

log = logging.getLogger("malecon.server")
#: Between two lines of the log about the same failure.
LOG_INTERVAL_SECONDS = 60.0
NO_ANSWER = "the database does not answer"
#: What SQLite, PostgreSQL and the system say, and what it means.
_MEANINGS = (
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


class DatabaseHealth:
    """The health of the database, as one process sees it."""

    def __init__(self) -> None:
        self.failure: str | None = None
        self.tables_with_losses: tuple[str, ...] = ()  # moves of these tables are missing
        self.shadow_log_failure: str | None = None
        self._logged = -LOG_INTERVAL_SECONDS

    @property
    def problem(self) -> str | None:
        """What the health check says; None if the database is healthy."""
        if self.tables_with_losses:
            return f"moves of {len(self.tables_with_losses)} tables are missing"
        if self.failure is None and self.shadow_log_failure is not None:
            return f"the shadow log is incomplete: {self.shadow_log_failure}"
        return self.failure

    def record_failure(self, error: BaseException) -> None:
        """Something could not be read or written."""
        failure, message = _meaning(error)
        if failure != self.failure or time.monotonic() > self._logged + LOG_INTERVAL_SECONDS:
            log.error("%s (%s); nothing that was acknowledged is lost; see malecon doctor", failure, message)
            self._logged = time.monotonic()
        self.failure = failure

    def record_read(self) -> None:
        """Something could be read: at least the database answers."""
        if self.failure == NO_ANSWER:
            self.record_write()

    def record_write(self) -> None:
        """Something could be written: the failure is over."""
        if self.failure is not None:
            log.warning("the database works again")
            self.failure = None

    def record_shadow_log_failure(self, error: OSError) -> None:
        """Committed moves could not be written to the shadow log as well."""
        failure, message = _meaning(error, str(error))
        if failure != self.shadow_log_failure:
            log.error(
                "the shadow log cannot be written: %s; moves are committed, but a loss might go unnoticed", message
            )
        self.shadow_log_failure = failure

    def record_shadow_log_complete(self) -> None:
        """All that was acknowledged is in the shadow log, or in the database itself."""
        if self.shadow_log_failure is not None:
            log.warning("the shadow log is complete again")
            self.shadow_log_failure = None

    def record_losses(self, tables: Sequence[str]) -> None:
        """Moves that were acknowledged are missing at these tables."""
        self.tables_with_losses = tuple(tables)
        log.error(
            "acknowledged moves are missing at %d tables, the first is %s: the database or its write-ahead log"
            " was damaged; stop the server and use malecon rescue",
            len(tables),
            tables[0],
        )


def _meaning(error: BaseException, unknown: str = NO_ANSWER) -> tuple[str, str]:
    """Return what an error means, and what it says."""
    message = str(getattr(error, "orig", None) or error).strip().partition("\n")[0][:200]
    return next((meaning for part, meaning in _MEANINGS if part in message.lower()), unknown), message
