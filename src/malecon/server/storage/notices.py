"""Notices between processes on one PostgreSQL: which table has changed and how, whose sessions or choices are stale.

A move travels in its notice, so that no process has to read it again. A process ignores its own notices.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

import msgspec

from malecon.server.storage.game_log import LogEntry
from malecon.server.storage.rows import Append

CHANNEL = "malecon"
#: What a notice can be about: a table,
TABLE = "table"
#: the sessions of a person,
SESSIONS = "sessions"
#: the choices of a person,
CHOICES = "choices"
#: the tables that wait for players,
LOBBY = "lobby"
#: the people connected to a process,
PRESENCE = "presence"
#: the chat at a table,
CHAT = "chat"
#: messages there that were hidden or deleted.
CHAT_REMOVED = "chat_removed"
#: PostgreSQL takes 8,000 bytes; a longer notice is sent without its details.
MOST_BYTES = 7_900


class MovedDetails(NamedTuple):
    """What was appended to a table's log, and the columns that changed with it."""

    entries: list[tuple[int, str, int, str, bool]]
    over: bool
    needs_autoplay: bool
    deadline: float | None
    digest: str | None

    @classmethod
    def of(cls, new: Append) -> MovedDetails:
        return cls([_fields(entry) for entry in new.entries], new.over, new.needs_autoplay, new.deadline, new.digest)

    def new_entries(self) -> list[LogEntry]:
        return [LogEntry(*fields) for fields in self.entries]


class Notice(NamedTuple):
    """One message. `revision` is the table's after the change; without `moved` the rest must be read."""

    sender: str
    about: str
    name: str
    revision: int | None = None
    moved: MovedDetails | None = None


_read = msgspec.json.Decoder(Notice).decode


def new_sender() -> str:
    """Return a unique name for a process."""
    return secrets.token_hex(6)


def pack(notice: Notice) -> str:
    data = msgspec.json.encode(notice)
    if len(data) > MOST_BYTES:
        data = msgspec.json.encode(notice._replace(moved=None))
    return data.decode()


def unpack(text: str, own: str) -> Notice | None:
    """Return the notice of a text; None if it is our own, or of a version of the program that writes it differently."""
    if text.startswith(f'["{own}"'):
        return None
    try:
        return _read(text)
    except msgspec.MsgspecError:
        return None


def _fields(entry: LogEntry) -> tuple[int, str, int, str, bool]:
    return entry.number, entry.kind, entry.seat, entry.move, entry.automatic
