"""What processes on one PostgreSQL tell each other: which table has changed and how, whose sessions or choices are old.

A move travels in its notice, so that nobody has to read it again. A process does not listen to itself.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

import msgspec

from malecon.server.storage.ledger import Entry
from malecon.server.storage.rows import Append

CHANNEL = "malecon"
#: What a notice can be about: a table, the sessions of a person, what a person has chosen, tables that wait,
#: who is connected to a process, what is said at a table.
TABLE, SESSIONS, CHOICES, LOBBY, HERE, TALK = "table", "sessions", "choices", "lobby", "here", "talk"
#: PostgreSQL takes 8,000 bytes; what is longer is told without its details.
LONGEST = 7_900


class Moved(NamedTuple):
    """What was appended to a table's log, and how the table stands then."""

    entries: list[tuple[int, str, int, str, bool]]
    over: bool
    due: bool
    deadline: float | None
    digest: str | None

    @classmethod
    def of(cls, new: Append) -> Moved:
        return cls([_fields(entry) for entry in new.entries], new.over, new.due, new.deadline, new.digest)

    def new_entries(self) -> list[Entry]:
        return [Entry(*fields) for fields in self.entries]


class Notice(NamedTuple):
    """One message. `revision` is the table's after the change; without `moved` the rest is in the database."""

    sender: str
    about: str
    name: str
    revision: int | None = None
    moved: Moved | None = None


_read = msgspec.json.Decoder(Notice).decode


def new_sender() -> str:
    """A name for a process that no other one has."""
    return secrets.token_hex(6)


def pack(notice: Notice) -> str:
    data = msgspec.json.encode(notice)
    if len(data) > LONGEST:
        data = msgspec.json.encode(notice._replace(moved=None))
    return data.decode()


def unpack(text: str, own: str) -> Notice | None:
    """The notice of a text; None where it is our own, or of a program that speaks differently."""
    if text.startswith(f'["{own}"'):
        return None
    try:
        return _read(text)
    except msgspec.MsgspecError:
        return None


def _fields(entry: Entry) -> tuple[int, str, int, str, bool]:
    return entry.number, entry.kind, entry.seat, entry.move, entry.automatic
