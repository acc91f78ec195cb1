"""A table that waits for players, as plain values: its seats, who may join, when it starts and with how many."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from malecon.kernel import registry
from malecon.kernel.errors import BadSetup, MaleconError
from malecon.kernel.phrases import Phrase, say
from malecon.server.errors import Forbidden, Refused
from malecon.server.names import distinct_names
from malecon.server.storage.table_options import CLOCKS, TableOptions
from malecon.server.tables import timing
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import BOTS, NewSeat

#: Choices of minutes after which bots take the free seats; 0 is never.
FILL_MINUTES = (0, 1, 3, 10)
#: The bot that takes free seats if none was chosen.
FILLER = "comerciante"
#: The range of ratings; OpenSkill begins at 25.
LOWEST = 0.0
HIGHEST = 99.0
#: The rating that a person without one counts as.
UNRATED = 25.0


@dataclass(frozen=True)
class SeatCandidate:
    """A person who wants a seat, with or without an account, and their ratings by number of players."""

    person: str
    name: str | None
    account: bool = False
    automatic: bool = True
    ratings: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class WaitingSeat:
    """A seat of a waiting table: free if it has no person and no bot."""

    person: str | None = None
    name: str | None = None
    account: bool = False
    automatic: bool = True
    bot: str | None = None
    rating: float | None = None

    @property
    def is_free(self) -> bool:
        return self.person is None and self.bot is None


@dataclass(frozen=True, kw_only=True)
class WaitingTable(TableOptions):
    """A waiting table. It may start with any of the `numbers` of players, and has seats for the largest of them."""

    id: str
    game: str
    numbers: tuple[int, ...]
    owner: str
    lowest: float | None = None
    highest: float | None = None
    language: str = "en"
    opened: float = field(default_factory=time.time)
    fill_at: float | None = None
    bot: str = FILLER
    table: str | None = None
    revision: int = 0
    seats: tuple[WaitingSeat, ...] = ()

    @property
    def taken(self) -> int:
        """The number of seats that people and bots have."""
        return sum(not seat.is_free for seat in self.seats)

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(seat.person for seat in self.seats if seat.person is not None)

    @property
    def is_full(self) -> bool:
        return self.taken == len(self.seats)

    @property
    def needs_presence(self) -> bool:
        """Whether people lose their seat when they are offline: not if a turn may take days."""
        return self.turn_seconds < CLOCKS["day"]

    def starts_with(self, now: float) -> int | None:
        """Return the number of players to start with now; None while the table waits.

        If bots will take free seats, people wait for the largest number until then; otherwise the table starts with
        the first number that is reached.
        """
        if self.is_full:
            return self.taken
        if self.fill_at is None:
            return self.taken if self.taken in self.numbers else None
        return self.smallest_start if self.fill_at <= now else None

    @property
    def smallest_start(self) -> int:
        """The smallest number of players that has a seat for everybody here; bots take the others."""
        return next((number for number in self.numbers if number >= self.taken), len(self.seats))

    def game_of(self, players: int) -> NewTable:
        """Return the game that starts: the people and bots with a seat, and more bots up to the number of players."""
        taken = [seat for seat in self.seats if not seat.is_free]
        names = distinct_names([seat.name for seat in taken])
        seats = [
            NewSeat(f"bot:{seat.bot}")
            if seat.bot is not None
            else NewSeat("person", name, person=seat.person, automatic=seat.automatic)
            for seat, name in zip(taken, names, strict=True)
        ]
        seats += [NewSeat(f"bot:{self.bot}")] * (players - len(seats))
        return NewTable(
            game=self.game,
            seats=tuple(seats),
            **self.table_options() | {"public": True},
        )


@dataclass(frozen=True, slots=True)
class SeatFreed:
    """A new waiting table has a free seat, or a person has left one."""

    waiting: WaitingTable


def check(table: WaitingTable) -> WaitingTable:
    """Return the table; raise BadSetup if it could never start."""
    game = registry.get(table.game)
    timing.check_pace(table.pace)
    timing.check_clock(table.clock, table.time_up)
    fits = [number for number in table.numbers if game.fewest_players <= number <= game.most_players]
    if not fits or len(fits) < len(table.numbers):
        raise BadSetup(
            say(
                "{game} is for {fewest} to {most} players",
                game=game.title,
                fewest=game.fewest_players,
                most=game.most_players,
            )
        )
    if table.bot not in BOTS:
        bots = ", ".join(BOTS)
        raise BadSetup(
            say("there is no bot called {name}; choose from: {known}", name=repr(table.bot)[:40], known=bots)
        )
    low, high = table.lowest, table.highest
    if low is not None and high is not None and low > high:
        raise BadSetup(say("the lowest rating must not be above the highest"))
    if len(set(table.people)) < len(table.people):
        raise BadSetup(say("at a public table each person has one seat"))
    return table


def check_candidate(waiting: WaitingTable, candidate: SeatCandidate) -> None:
    """Raise Forbidden if a table asks for ratings of a range and the candidate's is outside it."""
    if waiting.lowest is None and waiting.highest is None:
        return
    if not candidate.account:
        raise Forbidden(say("this table is for players with an account, since it asks for a rating"))
    refusal = say("this table is for ratings from {low} to {high}; yours is {rating}")
    check_rating(candidate.ratings.get(max(waiting.numbers)), waiting.lowest, waiting.highest, refusal)


def check_rating(rating: float | None, lowest: float | None, highest: float | None, refusal: Phrase) -> None:
    """Raise Forbidden, saying the refusal with its numbers, if a rating is out of range; None counts as UNRATED."""
    low, high = rating_range(lowest, highest)
    rating = UNRATED if rating is None else rating
    if not low <= rating <= high:
        raise Forbidden(refusal.fill(low=round(low), high=round(high), rating=round(rating)))


def rating_range(lowest: float | None, highest: float | None) -> tuple[float, float]:
    """Return a range of ratings with its open ends filled in."""
    return LOWEST if lowest is None else lowest, HIGHEST if highest is None else highest


def seats_for(number: int, first: Sequence[WaitingSeat]) -> tuple[WaitingSeat, ...]:
    """Return this number of seats: the given ones first, the others free."""
    return (*first, *(WaitingSeat() for _ in range(number - len(first))))


class NoSuchWaitingTable(Refused):
    """There is no waiting table of this name, or not any more."""

    status = 404

    def __init__(self) -> None:
        super().__init__(say("this table is no longer waiting"))


class CannotStart(Refused):
    """A waiting table was closed, since its game cannot begin."""

    status = 409

    def __init__(self, reason: MaleconError) -> None:
        super().__init__(say("this table could not start and was closed: {reason}", reason=reason.phrase))


class SeatsTaken(Refused):
    """All seats of a waiting table are taken."""

    status = 409

    def __init__(self) -> None:
        super().__init__(say("all seats of this table are taken; others were faster"))
