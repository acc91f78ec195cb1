"""Backups on a schedule: made by one process, checked, and the oldest deleted when there are more than are kept."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path

from malecon.kernel.errors import MaleconError
from malecon.server.operations.metrics import Metrics
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.recovery import backup as backups

log = logging.getLogger("malecon.server")
#: Between two looks at the age of the last backup.
LOOK_SECONDS = 60.0
#: After a backup that failed, the next is tried.
RETRY_SECONDS = 15 * 60.0
_PATTERN = "malecon-*.zip"


def backup_files(folder: Path) -> list[Path]:
    """Return the backups in a folder, the latest first."""
    return sorted(folder.glob(_PATTERN), reverse=True)


def back_up_into(address: str, folder: Path, keep: int, now: float | None = None) -> Path:
    """Write a backup, named after the time, into a folder; of those there, keep so many. Return its path."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / time.strftime("malecon-%Y%m%dT%H%M%SZ.zip", time.gmtime(now))
    backups.back_up(address, path)
    for old in backup_files(folder)[max(1, keep) :]:
        old.unlink()
    return path


class ScheduledBackups:
    """Looks once a minute whether a backup is due, and says how old the last one is.

    Several processes that share the folder look at the same files: the one that starts a backup first creates a file
    that keeps the others away.
    """

    def __init__(self, address: str, settings: ServerSettings, metrics: Metrics) -> None:
        self._address, self._settings, self._metrics = address, settings, metrics
        self._folder = Path(settings.backup_folder) if settings.backup_folder else None
        self._looked, self._failed = -LOOK_SECONDS, -RETRY_SECONDS
        self.last: float | None = None

    async def tick(self) -> None:
        if self._folder is not None and time.monotonic() - self._looked >= LOOK_SECONDS:
            self._looked = time.monotonic()
            await asyncio.to_thread(self._look, self._folder)

    def _look(self, folder: Path) -> None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._read_age(folder)
            is_due = self.last is None or time.time() - self.last >= self._settings.backup_hours * 3600
            if is_due and time.monotonic() - self._failed >= RETRY_SECONDS:
                self._make(folder)
        except (OSError, MaleconError) as error:
            self._failed = time.monotonic()
            log.error("the scheduled backup failed, and is tried again in a quarter of an hour: %s", error)

    def _read_age(self, folder: Path) -> None:
        files = backup_files(folder)
        self.last = max((file.stat().st_mtime for file in files), default=None)
        self._metrics.backup_age.set(-1 if self.last is None else max(0.0, time.time() - self.last))

    def _make(self, folder: Path) -> None:
        mark = folder / "in-progress"
        try:
            if time.time() - mark.stat().st_mtime > 3600:  # of a process that was killed
                mark.unlink()
        except FileNotFoundError:
            pass
        try:
            mark.touch(exist_ok=False)
        except FileExistsError:
            return  # another process is at it
        try:
            path = back_up_into(self._address, folder, self._settings.backup_keep)
            log.info("backup written: %s", path)
        finally:
            mark.unlink(missing_ok=True)
        self._read_age(folder)
