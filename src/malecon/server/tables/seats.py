"""Who may sit on the seats of a table: the bots one can ask for, the one that stands in, names that differ."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from malecon.bots import LEVELS, SIMPLE
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.names import tidy_name
from malecon.server.storage.rows import BOT, OPEN, PERSON, SeatRow

#: What plays for somebody who has left.
STAND_IN = "aprendiz"
#: The bots one can ask for: no others, since some would think for an hour.
BOTS = (*(level.key for level in LEVELS), *SIMPLE)


@dataclass(frozen=True)
class NewSeat:
    """Who shall sit on a seat of a new table: `me`, `bot:KEY`, `open` for a friend with the link, or a known person."""

    who: str
    name: str | None = None
    person: str | None = None  # of whom it is known that they want to sit there
    automatic: bool = True

    def row(self, person: str, automatic: bool) -> SeatRow:
        """The seat of a table that this person opens; BadSetup where nobody of that kind can sit there."""
        kind, _, spec = self.who.partition(":")
        if self.person is not None:
            return SeatRow(PERSON, person=self.person, name=tidy_name(self.name), automatic=self.automatic)
        if kind == "me":
            return SeatRow(PERSON, person=person, name=tidy_name(self.name), automatic=automatic)
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
    """A seat for whoever has the link; with a name, for somebody who is known."""
    return SeatRow(OPEN, token=_new_token(), name=tidy_name(name))


def abandoned_seat() -> SeatRow:
    """A seat whose person has gone for good: a bot plays on, until whoever has the new link sits down."""
    return SeatRow(OPEN, bot=STAND_IN, token=_new_token(), taken_over=True)


def _new_token() -> str:
    return secrets.token_urlsafe(16)


def check_distinct(names: Sequence[str | None]) -> None:
    """BadSetup where two people at a table would have the same name."""
    given = [name.casefold() for name in names if name is not None]
    if len(set(given)) < len(given):
        raise BadSetup(say("two players at a table cannot have the same name"))
