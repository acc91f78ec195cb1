"""The rows of a table as plain values: its seats, the table itself, snapshots, what is appended to its log."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

from malecon.match.dice import Dice
from malecon.server.storage.game_log import LogEntry
from malecon.server.storage.plans import NO_PLANS, Plans, as_column, of_column
from malecon.server.storage.table_options import TableOptions

#: What a seat is for: a person,
PERSON = "person"
#: a bot,
BOT = "bot"
#: a person who has not come yet,
OPEN = "open"
#: or a name in an old record.
RECORD = "record"
#: What the owner of a tournament's table begins with; no person's identifier does.
TOURNAMENT = "tournament:"
#: The owner of what belonged to an account that is deleted; no person's identifier has a colon.
GONE = "gone:"


@dataclass(frozen=True)
class SeatRow:
    """One seat. A person's seat that has a bot is played by the bot until the person comes back."""

    kind: str
    person: str | None = None
    bot: str | None = None
    name: str | None = None
    token: str | None = None
    automatic: bool = True
    resigned: bool = False
    taken_over: bool = False
    absent: bool = False
    stop: bool = False
    plans: Plans = NO_PLANS


class SeatNote(NamedTuple):
    """Something that happened to a seat after that number of moves. `whom` is a digest of the person removed."""

    moves: int
    kind: str
    seat: int
    whom: str = ""


@dataclass(frozen=True)
class TableRow(TableOptions):
    """A table as it was opened, and its seats as they are now.

    `needs_autoplay`: the next move is a bot's, or forced. `deadline` is when the turn that has begun must be over.
    Without a clock, people who wait for each other have a deadline all the same, which no page shows. `casual`: the
    game counts nowhere, since the page of its one person may think for bots; `page_thinks`: it does so now.
    """

    id: str
    game: str
    rules: int
    players: int
    owner: str
    seats: tuple[SeatRow, ...] = ()
    created: float = field(default_factory=time.time)
    over: bool = False
    revision: int = 0
    needs_autoplay: bool = False
    dice: Dice | None = None
    deadline: float | None = None
    result_recorded: bool = False
    digest: str | None = None  # of its log
    notes: tuple[SeatNote, ...] = ()
    rematch: str | None = None
    casual: bool = False
    page_thinks: bool = False

    def changed(self, **values: Any) -> Self:
        """Return a copy with other values, as `dataclasses.replace` does in five times the time: for every move."""
        row = object.__new__(type(self))
        row.__dict__.update(self.__dict__, **values)
        return row

    def is_owner(self, person: str | None) -> bool:
        """Return whether a person has opened the table; nobody, who is None, owns none."""
        return bool(person) and person == self.owner

    def hosts(self, person: str | None) -> bool:
        """Return whether a person invites and removes players: the owner, unless the lobby has seated them."""
        return self.is_owner(person) and not self.public

    @property
    def is_shared(self) -> bool:
        """Whether more than one person plays, or is invited to."""
        return is_shared(self.seats)

    @property
    def is_abandoned(self) -> bool:
        """Whether all players have left, one of them by the clock: bots do not play on among themselves then."""
        return is_abandoned(self.seats)

    @property
    def is_stopped(self) -> bool:
        """Whether all players have agreed to stop."""
        return is_stopped(self.seats)

    @property
    def tournament(self) -> str | None:
        """The tournament that the table belongs to; a series against bots belongs to its player."""
        return self.owner.removeprefix(TOURNAMENT) if self.owner.startswith(TOURNAMENT) else None

    @property
    def visible_deadline(self) -> float | None:
        """The deadline that pages show; None without a clock, and while moves are made automatically."""
        return None if self.needs_autoplay or not self.turn_seconds or self.is_abandoned else self.deadline


@dataclass(frozen=True)
class Snapshot:
    """A game after that number of entries of its log, to save replaying them."""

    number: int
    data: bytes


@dataclass(frozen=True)
class Loaded:
    """A table from disk. With a snapshot, the entries begin with the last one that it stands for."""

    row: TableRow
    entries: list[LogEntry]
    snapshot: Snapshot | None = None


@dataclass(frozen=True)
class Append:
    """Entries for the log of a table that is as `row` says, and the columns that change with them."""

    row: TableRow
    entries: Sequence[LogEntry]
    over: bool
    needs_autoplay: bool
    snapshot: Snapshot | None = None
    deadline: float | None = None
    digest: str | None = None  # of the whole log then


def is_shared(seats: Sequence[SeatRow]) -> bool:
    people = {seat.person or number for number, seat in enumerate(seats) if seat.kind in (PERSON, OPEN)}
    return len(people) > 1


def is_abandoned(seats: Sequence[SeatRow]) -> bool:
    people = [seat for seat in seats if seat.kind == PERSON]
    return any(seat.absent for seat in people) and all(seat.bot is not None for seat in people)


def is_stopped(seats: Sequence[SeatRow]) -> bool:
    stopped = False
    for seat in seats:
        if seat.kind == PERSON and not seat.resigned:
            if not seat.stop:
                return False
            stopped = True
    return stopped


def with_seat(table: TableRow, seat: int, new: SeatRow) -> TableRow:
    return replace(table, seats=(*table.seats[:seat], new, *table.seats[seat + 1 :]))


# --- to and from the columns of the database


def columns_of(table: TableRow) -> dict[str, Any]:
    values = {name: value for name, value in vars(table).items() if name not in ("seats", "dice")}
    return values | {"options": dict(table.options), "changed": table.created} | dice_columns(table.dice)


def dice_columns(dice: Dice | None) -> dict[str, Any]:
    if dice is None:
        return {}
    return {"commitment": dice.commitment, "dice_from": dice.first, "secret": dice.secret}


def table_of(row: Any, seats: tuple[SeatRow, ...]) -> TableRow:
    values = dict(row)
    commitment, first, secret = values.pop("commitment"), values.pop("dice_from"), values.pop("secret")
    del values["changed"]
    values["notes"] = tuple(SeatNote(*note) for note in values["notes"])
    return TableRow(**values, seats=seats, dice=None if commitment is None else Dice(commitment, first, secret))


def seat_of(row: Any) -> SeatRow:
    values = {name: row[name] for name in SeatRow.__dataclass_fields__}
    return SeatRow(**values | {"plans": of_column(row["plans"])})


def seat_columns(seat: SeatRow) -> dict[str, Any]:
    return vars(seat) | {"plans": as_column(seat.plans)}
