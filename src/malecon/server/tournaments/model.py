"""A tournament as plain values: what somebody asked for, who takes part, who has played whom, and what may not be."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import Phrase, say
from malecon.match import Match
from malecon.server.errors import Forbidden, NotFound
from malecon.server.lobby.waiting import HIGHEST, LOWEST, UNRATED
from malecon.server.names import visible_name
from malecon.server.tables import timing
from malecon.server.tables.seats import BOTS
from malecon.server.tournaments.pairing import Round, round_robin, swiss_round, table_sizes, without
from malecon.server.tournaments.standings import DecidedTable, StandingsLine, standings

SWISS, ROUND_ROBIN, SERIES = "swiss", "round-robin", "series"
FORMATS = (SWISS, ROUND_ROBIN)
#: Entered by people; being played; over; ended by its owner or the host; never begun.
OPEN, ON, OVER, ENDED, CALLED_OFF = "open", "on", "over", "ended", "called-off"
#: Entrants and rounds at most, by format; in a round robin the rounds are how often everybody meets everybody.
MOST_ENTRANTS = {SWISS: 128, ROUND_ROBIN: 16, SERIES: 1}
MOST_ROUNDS = {SWISS: 15, ROUND_ROBIN: 4, SERIES: 30}
LONGEST_NAME = 60
#: Seconds: how far ahead a start may be.
FAR = 60 * 86_400


@dataclass(frozen=True)
class Entrant:
    """Somebody who takes part, by their number there. `withdrawn`: the round in which they left for good."""

    number: int
    person: str | None
    joined: float = 0.0
    withdrawn: int | None = None


@dataclass(frozen=True)
class TournamentPairing:
    """What one entrant does in a round. Without a table: a bye, or a walkover. Undecided while `beaten` is None."""

    round: int
    entrant: int
    table: str | None
    seat: int | None
    walkover: bool = False
    place: int | None = None
    beaten: int | None = None
    opponents: int | None = None
    points: int | None = None

    @property
    def is_decided(self) -> bool:
        return self.beaten is not None

    @property
    def score(self) -> Fraction:
        return Fraction(self.beaten or 0, 2 * (self.opponents or 1))


@dataclass(frozen=True)
class Tournament:
    """A tournament, or a series of one person against bots."""

    id: str
    name: str
    game: str
    format: str
    players: int
    rounds: int
    options: Mapping[str, OptionValue]
    owner: str
    clock: str = "day"
    time_up: str = timing.HAND_OVER
    public: bool = True
    lowest: float | None = None
    highest: float | None = None
    fewest: int = 2
    most: int = 16
    starts: float | None = None
    bot: str | None = None
    state: str = OPEN
    round: int = 0
    plan: Sequence[Mapping[str, Any]] | None = None
    seed: str = ""
    opened: float = field(default_factory=time.time)
    ended: float | None = None
    revision: int = 0
    entrants: tuple[Entrant, ...] = ()
    pairings: tuple[TournamentPairing, ...] = ()

    @property
    def is_series(self) -> bool:
        return self.format == SERIES

    @property
    def is_running(self) -> bool:
        return self.state in (OPEN, ON)

    @property
    def last_round(self) -> int:
        """How many rounds there will be; 0 where that is not known before the start."""
        if self.format != ROUND_ROBIN:
            return self.rounds
        return 0 if self.plan is None else len(self.plan)

    @property
    def active(self) -> tuple[Entrant, ...]:
        return tuple(one for one in self.entrants if one.withdrawn is None)

    def entrant_of(self, person: str) -> Entrant | None:
        return next((one for one in self.entrants if one.person == person), None)

    def of_round(self, number: int) -> tuple[TournamentPairing, ...]:
        return tuple(one for one in self.pairings if one.round == number)

    @property
    def is_round_decided(self) -> bool:
        return all(one.is_decided for one in self.of_round(self.round))

    @cached_property
    def tables(self) -> dict[str, tuple[TournamentPairing, ...]]:
        """Who plays at which table, in the order of seats."""
        found: dict[str, list[TournamentPairing]] = {}
        for one in self.pairings:
            if one.table is not None:
                found.setdefault(one.table, []).append(one)
        return {name: tuple(sorted(at, key=lambda one: one.seat or 0)) for name, at in found.items()}

    @cached_property
    def standings(self) -> list[StandingsLine]:
        """Everybody in their order by what has been decided."""
        played = [
            DecidedTable(
                tuple(one.entrant for one in at),
                tuple(one.place or 0 for one in at),
                tuple(one.points or 0 for one in at),
            )
            for at in self.tables.values()
            if len(at) > 1 and all(one.is_decided for one in at)
        ]
        free = [(one.entrant, one.score) for one in self.pairings if one.table is None]
        return standings((one.number for one in self.entrants), played, free, self.seed)

    @property
    def score(self) -> Fraction:
        """What the person of a series has scored so far."""
        return sum((one.score for one in self.pairings if one.is_decided), Fraction(0))

    # --- the next round

    def past(self) -> list[Round]:
        """The rounds so far, as they were paired."""
        found = []
        for number in range(1, self.round + 1):
            here = self.of_round(number)
            tables = [at for at in self.tables.values() if at[0].round == number]
            found.append(
                Round(
                    tuple(tuple(one.entrant for one in at) for at in tables),
                    tuple(one.entrant for one in here if one.table is None and not one.walkover),
                    tuple(one.entrant for one in here if one.walkover),
                )
            )
        return found

    def planned(self) -> tuple[Round, ...]:
        """All rounds of a round robin, as they are planned at its start."""
        game = registry.get(self.game)
        numbers = [one.number for one in self.active]
        return round_robin(numbers, self.players, game.fewest_players, game.most_players, self.rounds, self._chance)

    @property
    def _chance(self) -> int:
        return int.from_bytes(self.seed.encode(), "big")

    def next_round(self, gone: Collection[int] = ()) -> Round | None:
        """Who meets whom next, without those who are gone; None where the tournament is over."""
        game = registry.get(self.game)
        left = {one.number for one in self.active} - set(gone)
        if self.is_series:
            return Round(((1,),)) if left and self.round < self.rounds else None
        if len(left) < game.fewest_players:
            return None
        if self.format == ROUND_ROBIN:
            if self.plan is None or self.round >= len(self.plan):
                return None
            every = {one.number for one in self.entrants}
            return without(_planned(self.plan[self.round]), every - left, game.fewest_players)
        if self.round >= self.rounds:
            return None
        lines = [line for line in self.standings if line.entrant in left]
        sizes = table_sizes(len(left), self.players, game.fewest_players, game.most_players)
        worth = {line.entrant: line.score for line in lines}
        return swiss_round([line.entrant for line in lines], worth, self.past(), sizes, self._chance + self.round)


def plan_stored(plan: Sequence[Round]) -> list[dict[str, Any]]:
    """A plan as it is kept."""
    return [{"tables": [list(table) for table in one.tables], "byes": list(one.byes)} for one in plan]


def _planned(stored: Mapping[str, Any]) -> Round:
    return Round(tuple(map(tuple, stored["tables"])), tuple(stored["byes"]))


def check(wanted: Tournament, now: float) -> Tournament:
    """The same with a tidy name and all options; BadSetup where there can be no such tournament."""
    game = registry.get(wanted.game)
    if wanted.format not in MOST_ENTRANTS:
        raise BadSetup(say("invalid request"))
    name = visible_name(wanted.name) or game.title
    if len(name) > LONGEST_NAME:
        raise BadSetup(say("a name has at most {most} characters", most=LONGEST_NAME))
    if not game.fewest_players <= wanted.players <= game.most_players:
        raise BadSetup(
            say(
                "{game} is for {fewest} to {most} players",
                game=game.title,
                fewest=game.fewest_players,
                most=game.most_players,
            )
        )
    timing.check_clock(wanted.clock, wanted.time_up)
    _check_between(say("rounds"), wanted.rounds, 1, MOST_ROUNDS[wanted.format])
    if wanted.is_series:
        if wanted.bot not in BOTS:
            known = ", ".join(BOTS)
            raise BadSetup(
                say("there is no bot called {name}; choose from: {known}", name=repr(wanted.bot)[:40], known=known)
            )
    else:
        _check_between(say("players at most"), wanted.most, game.fewest_players, MOST_ENTRANTS[wanted.format])
        _check_between(say("players at least"), wanted.fewest, game.fewest_players, wanted.most)
    low, high = wanted.lowest, wanted.highest
    if low is not None and high is not None and low > high:
        raise BadSetup(say("the lowest rating must not be above the highest"))
    if wanted.starts is not None and not now - 3600 < wanted.starts < now + FAR:
        raise BadSetup(say("a tournament starts within the next {days} days", days=FAR // 86_400))
    options = dict(Match(wanted.game, wanted.players, options=wanted.options).options)
    return replace(wanted, name=name, options=options)


def check_rating(tournament: Tournament, rating: float | None) -> None:
    """Forbidden where a tournament is for ratings of another range; whoever has none counts as a beginner does."""
    low = LOWEST if tournament.lowest is None else tournament.lowest
    high = HIGHEST if tournament.highest is None else tournament.highest
    mine = UNRATED if rating is None else rating
    if not low <= mine <= high:
        raise Forbidden(
            say(
                "this tournament is for ratings from {low} to {high}; yours is {rating}",
                low=round(low),
                high=round(high),
                rating=round(mine),
            )
        )


def _check_between(what: Phrase, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise BadSetup(
            say("{what}: a number from {low} to {high}, not {value}", what=what, low=low, high=high, value=value)
        )


class NoSuchTournament(NotFound):
    """One that never was."""

    def __init__(self) -> None:
        super().__init__(say("there is no tournament at this address"))
