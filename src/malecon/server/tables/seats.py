"""The seats of a table: who may sit there, the bot that stands in, and notes of what happened to seats besides moves.

A note names a seat, never a person: names change, and an account that is deleted leaves none behind.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from malecon.bots import LEVELS, SIMPLE
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.names import distinct_names, person_name
from malecon.server.storage.rows import BOT, OPEN, PERSON, SeatNote, SeatRow

#: The bot that plays for a person who has left.
STAND_IN = "aprendiz"
#: The bots that can be chosen: no others, since some would think for an hour.
BOTS = (*(level.key for level in LEVELS), *SIMPLE)


@dataclass(frozen=True)
class NewSeat:
    """What a new table asks for: `me`, `bot:KEY`, `open` for a friend with the link; or with `person`, that person."""

    who: str
    name: str | None = None
    person: str | None = None
    automatic: bool = True

    def row(self, person: str, automatic: bool) -> SeatRow:
        """Return the seat of a table that this person opens; raise BadSetup if there is no such kind or bot."""
        kind, _, spec = self.who.partition(":")
        if self.person is not None:
            return SeatRow(PERSON, person=self.person, name=person_name(self.name), automatic=self.automatic)
        if kind == "me":
            return SeatRow(PERSON, person=person, name=person_name(self.name), automatic=automatic)
        if kind == "open":
            return open_seat(self.name)
        if kind == "bot" and spec in BOTS:
            return SeatRow(BOT, bot=spec)
        if kind == "bot":
            known = ", ".join(BOTS)
            raise BadSetup(
                say("there is no bot called {name}; choose from: {known}", name=repr(spec)[:40], known=known)
            )
        raise BadSetup(say("{name} is not a kind of player", name=repr(self.who)[:40]))


def open_seat(name: str | None = None) -> SeatRow:
    """Return a seat for the person who uses its link."""
    return SeatRow(OPEN, token=_new_token(), name=person_name(name))


def abandoned_seat() -> SeatRow:
    """Return a seat whose person has gone for good: a bot plays on until a person with the new link sits down."""
    return SeatRow(OPEN, bot=STAND_IN, token=_new_token(), taken_over=True)


def _new_token() -> str:
    return secrets.token_urlsafe(16)


def check_distinct(names: Sequence[str | None]) -> None:
    """Raise BadSetup if two people at a table have names that look the same."""
    if distinct_names(names) != list(names):
        raise BadSetup(say("two players at a table cannot have the same name"))


# --- notes

LATE = "late"
ASLEEP = "asleep"
OUT = "out"
GAVE_UP = "gave-up"
LEFT = "left"
BACK = "back"
REMOVED = "removed"
JOINED = "joined"
WANTS_STOP = "wants-stop"
STOPPED = "stopped"
#: Older notes are dropped.
MOST_NOTES = 60


def with_note(notes: tuple[SeatNote, ...], moves: int, kind: str, seat: int, whom: str = "") -> tuple[SeatNote, ...]:
    """Return the notes with one more, or as they are if there is no kind."""
    return (*notes, SeatNote(moves, kind, seat, whom))[-MOST_NOTES:] if kind else notes


def removed_mark(table: str, person: str) -> str:
    """Return what a note says instead of the person who was removed: a digest that no other table has."""
    return hashlib.blake2b(f"{table} {person}".encode(), digest_size=12).hexdigest()


def was_removed(notes: tuple[SeatNote, ...], table: str, person: str | None) -> bool:
    if not person:
        return False
    return any(note.kind == REMOVED and note.whom == removed_mark(table, person) for note in notes)
