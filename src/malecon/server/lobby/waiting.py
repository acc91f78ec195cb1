"""A table that waits for players, as plain values: who sits there, who may join, when it starts and with how many."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import say
from malecon.server.errors import Forbidden, Refused
from malecon.server.names import told_apart
from malecon.server.tables import timing
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import BOTS, NewSeat

#: Minutes after which bots may take the free seats; 0: never.
FILLS = (0, 1, 3, 10)
#: The bot that fills up where nobody has said which.
FILLER = "comerciante"
#: Ratings are numbers of this kind; OpenSkill begins at 25.
LOWEST, HIGHEST = 0.0, 99.0
#: What somebody without a rating counts as.
UNRATED = 25.0


@dataclass(frozen=True)
class SeatCandidate:
    """Somebody who wants to sit down: by an account, or without one. `ratings` are theirs, by number of players."""

    person: str
    name: str | None
    account: bool = False
    automatic: bool = True
    ratings: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class WaitingSeat:
    """A seat of a waiting table: free where it has no person and no bot."""

    person: str | None = None
    name: str | None = None
    account: bool = False
    automatic: bool = True
    bot: str | None = None
    rating: float | None = None

    @property
    def is_free(self) -> bool:
        return self.person is None and self.bot is None


@dataclass(frozen=True)
class WaitingTable:
    """A waiting table. `numbers`: of players with which it may start; it has seats for the largest of them."""

    id: str
    game: str
    numbers: tuple[int, ...]
    options: Mapping[str, OptionValue]
    owner: str
    pace: str = "normal"
    clock: str = "none"
    time_up: str = timing.HAND_OVER
    hints: bool = False
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
        """How many seats somebody has, people and bots."""
        return sum(not seat.is_free for seat in self.seats)

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(seat.person for seat in self.seats if seat.person is not None)

    @property
    def is_full(self) -> bool:
        return self.taken == len(self.seats)

    @property
    def needs_presence(self) -> bool:
        """Whether those who wait must be here: with days for a turn, nobody minds."""
        return timing.CLOCKS.get(self.clock, 0) < timing.CLOCKS["day"]

    def starts_with(self, now: float) -> int | None:
        """With how many players it is to start; None while it waits.

        With bots to come, people wait for the largest number until then; without, the first number that is reached is
        enough.
        """
        if self.is_full:
            return self.taken
        if self.fill_at is None:
            return self.taken if self.taken in self.numbers else None
        return self.smallest_start if self.fill_at <= now else None

    @property
    def smallest_start(self) -> int:
        """The smallest number of players that those who sit here, with bots or without, can start with."""
        return next((number for number in self.numbers if number >= self.taken), len(self.seats))

    def game_of(self, players: int) -> NewTable:
        """What is opened when it starts: those who sit here, and bots on what is free, as many as are needed."""
        taken = [seat for seat in self.seats if not seat.is_free]
        names = told_apart([seat.name for seat in taken])
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
            options=self.options,
            pace=self.pace,
            clock=self.clock,
            time_up=self.time_up,
            hints=self.hints,
            public=True,
        )


def check(wanted: WaitingTable) -> WaitingTable:
    """BadSetup where such a table could never start."""
    game = registry.get(wanted.game)
    timing.check_pace(wanted.pace)
    timing.check_clock(wanted.clock, wanted.time_up)
    fits = [number for number in wanted.numbers if game.fewest_players <= number <= game.most_players]
    if not fits or len(fits) < len(wanted.numbers):
        raise BadSetup(
            say(
                "{game} is for {fewest} to {most} players",
                game=game.title,
                fewest=game.fewest_players,
                most=game.most_players,
            )
        )
    if wanted.bot not in BOTS:
        known = ", ".join(BOTS)
        raise BadSetup(
            say("there is no bot called {name}; choose from: {known}", name=repr(wanted.bot)[:40], known=known)
        )
    low, high = wanted.lowest, wanted.highest
    if low is not None and high is not None and low > high:
        raise BadSetup(say("the lowest rating must not be above the highest"))
    if len(set(wanted.people)) < len(wanted.people):
        raise BadSetup(say("at a public table each person has one seat"))
    return wanted


def check_rating(waiting: WaitingTable, guest: SeatCandidate) -> None:
    """Forbidden where a table is for ratings of another range."""
    if waiting.lowest is None and waiting.highest is None:
        return
    if not guest.account:
        raise Forbidden(say("this table is for players with an account, since it asks for a rating"))
    rating = guest.ratings.get(max(waiting.numbers), UNRATED)
    low = LOWEST if waiting.lowest is None else waiting.lowest
    high = HIGHEST if waiting.highest is None else waiting.highest
    if not low <= rating <= high:
        raise Forbidden(
            say(
                "this table is for ratings from {low} to {high}; yours is {rating}",
                low=round(low),
                high=round(high),
                rating=round(rating),
            )
        )


def seats_for(number: int, first: Sequence[WaitingSeat]) -> tuple[WaitingSeat, ...]:
    """So many seats: these first, the others free."""
    return (*first, *(WaitingSeat() for _ in range(number - len(first))))


class NoSuchWaitingTable(Refused):
    """A table that was given up, or never was."""

    status = 404

    def __init__(self) -> None:
        super().__init__(say("this table is no longer waiting"))


class SeatsTaken(Refused):
    """Others were faster."""

    status = 409

    def __init__(self) -> None:
        super().__init__(say("all seats of this table are taken; others were faster"))
