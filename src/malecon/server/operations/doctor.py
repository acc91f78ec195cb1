"""The examination of `malecon doctor`: whether this machine can run the server, and what to do if it cannot."""

from __future__ import annotations

import os
import shutil
import sys
import time
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine, inspect, text
from sqlalchemy.exc import DBAPIError

from malecon.kernel import readiness, registry
from malecon.kernel.machine_code import cache
from malecon.server.storage.appends import shadow_log
from malecon.server.storage.database import BadDatabase, head, is_postgres, open_engine, revision_of

OK = "ok"
NOTE = "note"
BAD = "bad"
ENOUGH_DISK_BYTES = 500_000_000
MOST_SKEW_SECONDS = 2.0
#: The start of 2026, since 1970: no clock that is right shows an earlier time.
EARLIEST_SECONDS = 1_767_225_600


@dataclass(frozen=True)
class Diagnosis:
    """One line of the examination: `ok`, `note` for what can be better, `bad` for what must."""

    state: str
    subject: str
    text: str


def examine(address: str) -> Iterator[Diagnosis]:
    """Check everything the server needs, the database of this address included."""
    yield _python()
    yield from _engine()
    yield _clock()
    try:
        engine = open_engine(address)
    except (BadDatabase, OSError) as error:
        yield Diagnosis(BAD, "database", str(error))
    else:
        yield from _database(engine)
        engine.dispose()
    yield _browser()


def _python() -> Diagnosis:
    version = ".".join(map(str, sys.version_info[:3]))
    fits = sys.version_info >= (3, 11)
    text = version if fits else f"{version} is too old; 3.11 or newer is needed"
    return Diagnosis(OK if fits else BAD, "Python", text)


def _engine() -> Iterator[Diagnosis]:
    folder = cache.cache_folder()
    home = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not os.access(home, os.W_OK):
        yield Diagnosis(NOTE, "compiled engine", f"{folder} cannot be written to: nothing that is compiled can be kept")
    for name in registry.names():
        title = registry.get(name).title
        if readiness.is_compiled(name):
            yield Diagnosis(OK, "compiled engine", f"{title} is ready")
        else:
            yield Diagnosis(
                NOTE, "compiled engine", f"{title} is not compiled; bots think a third faster after: malecon warm"
            )


def _clock() -> Diagnosis:
    now = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    if time.time() < EARLIEST_SECONDS:
        return Diagnosis(BAD, "clock", f"it shows {now}; set it right")
    return Diagnosis(OK, "clock", now)


def _database(engine: Engine) -> Iterator[Diagnosis]:
    if is_postgres(engine):
        yield from _postgres(engine)
        return
    file = Path(engine.url.database or "")
    folder = file.parent
    if not os.access(folder, os.W_OK):
        yield Diagnosis(BAD, "database", f"{folder} cannot be written to")
        return
    yield _disk(folder)
    if not file.exists():
        yield Diagnosis(OK, "database", f"{file} will be made at the first start")
        return
    try:
        with engine.connect() as connection:
            sound = str(connection.execute(text("PRAGMA quick_check")).scalar())
        if sound != "ok":
            problem = sound.splitlines()[0]
            yield Diagnosis(BAD, "database", f"{file} is damaged; restore a backup, or use malecon rescue: {problem}")
        else:
            yield _schema(engine, str(file))
            yield from _logs(engine, file)
    except DBAPIError as error:
        yield Diagnosis(
            BAD, "database", f"{file} cannot be read; restore a backup, or use malecon rescue: {error.orig}"
        )


def _disk(folder: Path) -> Diagnosis:
    free = shutil.disk_usage(folder).free
    return Diagnosis(OK if free > ENOUGH_DISK_BYTES else BAD, "disk", f"{free / 1e9:.1f} GB free in {folder}")


def _postgres(engine: Engine) -> Iterator[Diagnosis]:
    place = engine.url.render_as_string(hide_password=True)
    try:
        with engine.connect() as connection:
            version = connection.execute(text("SHOW server_version")).scalar()
            theirs = connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar()
            waits = connection.execute(text("SHOW synchronous_commit")).scalar()
    except DBAPIError as error:
        yield Diagnosis(BAD, "database", f"{place} cannot be reached: {str(error.orig).strip().splitlines()[0]}")
        return
    yield Diagnosis(OK, "PostgreSQL", f"{version}")
    if waits == "off":
        yield Diagnosis(BAD, "PostgreSQL", "synchronous_commit is off: an acknowledged move could be lost in a crash")
    skew = abs(time.time() - float(theirs or 0))
    if skew > MOST_SKEW_SECONDS:
        yield Diagnosis(BAD, "clock", f"{skew:.0f} s away from the database's; let both machines keep time")
    yield _schema(engine, place)
    yield from _logs(engine, None)


def _logs(engine: Engine, file: Path | None) -> Iterator[Diagnosis]:
    """Check whether everything that was acknowledged is there."""
    if revision_of(engine) != head():
        return
    altered = shadow_log.altered_logs(engine)
    if altered:
        names = ", ".join(altered[:5])
        yield Diagnosis(BAD, "logs", f"{len(altered)} tables are not what their digests say: {names}; restore a backup")
    lost = [] if file is None else shadow_log.lost_tables(engine, file)
    if file is not None and lost:
        problem = f"acknowledged moves of {len(lost)} tables are missing: {', '.join(lost[:5])}; use malecon rescue"
        yield Diagnosis(
            BAD, "logs", f"{problem}, or delete {shadow_log.path_of(file)} if you put an older copy there yourself"
        )
    if not altered and not lost:
        yield Diagnosis(OK, "logs", "the last thousand tables are what their digests say")


def _schema(engine: Engine, place: str) -> Diagnosis:
    revision = revision_of(engine)
    if revision == head():
        with engine.connect() as connection:
            tables = connection.execute(text("SELECT count(*) FROM tables")).scalar()
        return Diagnosis(OK, "database", f"{place} is up to date, {tables} tables in it")
    with engine.connect() as connection:
        empty = not inspect(connection).get_table_names()
    if empty:
        return Diagnosis(OK, "database", f"{place} is empty; the first start fills it")
    if revision is not None and revision > head():
        return Diagnosis(BAD, "database", f"{place} is of a newer version of the program; update the program")
    return Diagnosis(NOTE, "database", f"{place} is of an older version; the next start brings it up to date")


def _browser() -> Diagnosis:
    try:
        webbrowser.get()
    except webbrowser.Error:
        return Diagnosis(NOTE, "browser", "none on this machine: open the table's address on another")
    return Diagnosis(OK, "browser", "found")
