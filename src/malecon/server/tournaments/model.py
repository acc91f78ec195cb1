"""A tournament as plain values: its settings, entrants and pairings, and the checks of its settings."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import Phrase, say
from malecon.match import Match
from malecon.server.errors import NotFound
from malecon.server.lobby.waiting import check_rating
from malecon.server.names import visible_name
from malecon.server.storage.table_options import TableOptions
from malecon.server.tables import timing
from malecon.server.tables.seats import BOTS
from malecon.server.tournaments.pairing import Round, round_robin, swiss_round, table_sizes, without
from malecon.server.tournaments.standings import DecidedTable, StandingsLine, standings

SWISS = "swiss"
ROUND_ROBIN = "round-robin"
SERIES = "series"
FORMATS = (SWISS, ROUND_ROBIN)
#: States: people can enter; rounds are played; finished; ended early by its owner or a moderator; never begun.
OPEN = "open"
ON = "on"
OVER = "over"
ENDED = "ended"
CALLED_OFF = "called-off"
#: The most entrants and rounds, by format; in a round robin the rounds are how often everybody meets everybody.
MOST_ENTRANTS = {SWISS: 128, ROUND_ROBIN: 16, SERIES: 1}
MOST_ROUNDS = {SWISS: 15, ROUND_ROBIN: 4, SERIES: 30}
LONGEST_NAME = 60
#: How far ahead a start may be.
MAX_DELAY_SECONDS = 60 * 86_400


@dataclass(frozen=True)
class Entrant:
    """An entrant, by number. `withdrawn` is the round in which they left for good."""

    number: int
    person: str | None
    joined: float = 0.0
    withdrawn: int | None = None


@dataclass(frozen=True)
class TournamentPairing:
    """One entrant's game in a round. Without a table it is a bye or a walkover. Undecided while `beaten` is None."""

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


@dataclass(frozen=True, kw_only=True)
class Tournament(TableOptions):
    """A tournament, or a series of one person against bots."""

    id: str
    name: str
    game: str
    format: str
    players: int
    rounds: int
    owner: str
    clock: str = "day"
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
        """The number of rounds; 0 if it is not known before the start."""
        if self.format != ROUND_ROBIN:
            return self.rounds
        return 0 if self.plan is None else len(self.plan)

    @property
    def active(self) -> tuple[Entrant, ...]:
        return tuple(entrant for entrant in self.entrants if entrant.withdrawn is None)

    def entrant_of(self, person: str) -> Entrant | None:
        return next((entrant for entrant in self.entrants if entrant.person == person), None)

    def of_round(self, number: int) -> tuple[TournamentPairing, ...]:
        return self._by_round.get(number, ())

    @cached_property
    def _by_round(self) -> dict[int, tuple[TournamentPairing, ...]]:
        rounds: dict[int, list[TournamentPairing]] = {}
        for pairing in self.pairings:
            rounds.setdefault(pairing.round, []).append(pairing)
        return {number: tuple(pairings) for number, pairings in rounds.items()}

    @property
    def is_round_decided(self) -> bool:
        return all(pairing.is_decided for pairing in self.of_round(self.round))

    @cached_property
    def tables(self) -> dict[str, tuple[TournamentPairing, ...]]:
        """The pairings by table, in the order of seats."""
        tables: dict[str, list[TournamentPairing]] = {}
        for pairing in self.pairings:
            if pairing.table is not None:
                tables.setdefault(pairing.table, []).append(pairing)
        return {
            name: tuple(sorted(pairings, key=lambda pairing: pairing.seat or 0)) for name, pairings in tables.items()
        }

    @cached_property
    def standings(self) -> list[StandingsLine]:
        """The standings after all decided tables."""
        played = [
            DecidedTable(
                tuple(pairing.entrant for pairing in pairings),
                tuple(pairing.place or 0 for pairing in pairings),
                tuple(pairing.points or 0 for pairing in pairings),
            )
            for pairings in self.tables.values()
            if len(pairings) > 1 and all(pairing.is_decided for pairing in pairings)
        ]
        free = [(pairing.entrant, pairing.score) for pairing in self.pairings if pairing.table is None]
        return standings((entrant.number for entrant in self.entrants), played, free, self.seed)

    @property
    def score(self) -> Fraction:
        """The score so far of the person who plays a series."""
        return sum((pairing.score for pairing in self.pairings if pairing.is_decided), Fraction(0))

    # --- the next round

    def past(self) -> list[Round]:
        """Return the rounds so far, as they were paired."""
        rounds = []
        for number in range(1, self.round + 1):
            pairings = self.of_round(number)
            tables = [table for table in self.tables.values() if table[0].round == number]
            rounds.append(
                Round(
                    tuple(tuple(pairing.entrant for pairing in table) for table in tables),
                    tuple(pairing.entrant for pairing in pairings if pairing.table is None and not pairing.walkover),
                    tuple(pairing.entrant for pairing in pairings if pairing.walkover),
                )
            )
        return rounds

    def planned(self) -> tuple[Round, ...]:
        """Return all rounds of a round robin, as they are planned at its start."""
        game = registry.get(self.game)
        numbers = [entrant.number for entrant in self.active]
        return round_robin(numbers, self.players, game.fewest_players, game.most_players, self.rounds, self._chance)

    @property
    def _chance(self) -> int:
        return int.from_bytes(self.seed.encode(), "big")

    def next_round(self, gone: Collection[int] = ()) -> Round | None:
        """Return the next round, without those who are gone; None if the tournament is over."""
        game = registry.get(self.game)
        left = {entrant.number for entrant in self.active} - set(gone)
        if self.is_series:
            return Round(((1,),)) if left and self.round < self.rounds else None
        if len(left) < game.fewest_players:
            return None
        if self.format == ROUND_ROBIN:
            if self.plan is None or self.round >= len(self.plan):
                return None
            every = {entrant.number for entrant in self.entrants}
            return without(_planned(self.plan[self.round]), every - left, game.fewest_players)
        if self.round >= self.rounds:
            return None
        lines = [line for line in self.standings if line.entrant in left]
        sizes = table_sizes(len(left), self.players, game.fewest_players, game.most_players)
        worth = {line.entrant: line.score for line in lines}
        return swiss_round([line.entrant for line in lines], worth, self.past(), sizes, self._chance + self.round)


def plan_stored(plan: Sequence[Round]) -> list[dict[str, Any]]:
    """Return a plan in the form in which it is stored."""
    return [{"tables": [list(table) for table in planned.tables], "byes": list(planned.byes)} for planned in plan]


def _planned(stored: Mapping[str, Any]) -> Round:
    return Round(tuple(map(tuple, stored["tables"])), tuple(stored["byes"]))


def check(tournament: Tournament, now: float) -> Tournament:
    """Return the tournament with a tidy name and all options; raise BadSetup if its settings are not possible."""
    game = registry.get(tournament.game)
    if tournament.format not in MOST_ENTRANTS:
        raise BadSetup(say("invalid request"))
    name = visible_name(tournament.name) or game.title
    if len(name) > LONGEST_NAME:
        raise BadSetup(say("a name has at most {most} characters", most=LONGEST_NAME))
    if not game.fewest_players <= tournament.players <= game.most_players:
        raise BadSetup(
            say(
                "{game} is for {fewest} to {most} players",
                game=game.title,
                fewest=game.fewest_players,
                most=game.most_players,
            )
        )
    timing.check_clock(tournament.clock, tournament.time_up)
    _check_between(say("rounds"), tournament.rounds, 1, MOST_ROUNDS[tournament.format])
    if tournament.is_series:
        if tournament.bot not in BOTS:
            bots = ", ".join(BOTS)
            raise BadSetup(
                say("there is no bot called {name}; choose from: {known}", name=repr(tournament.bot)[:40], known=bots)
            )
    else:
        _check_between(say("players at most"), tournament.most, game.fewest_players, MOST_ENTRANTS[tournament.format])
        _check_between(say("players at least"), tournament.fewest, game.fewest_players, tournament.most)
    low, high = tournament.lowest, tournament.highest
    if low is not None and high is not None and low > high:
        raise BadSetup(say("the lowest rating must not be above the highest"))
    if tournament.starts is not None and not now - 3600 < tournament.starts < now + MAX_DELAY_SECONDS:
        raise BadSetup(say("a tournament starts within the next {days} days", days=MAX_DELAY_SECONDS // 86_400))
    options = dict(Match(tournament.game, tournament.players, options=tournament.options).options)
    return replace(tournament, name=name, options=options)


def check_entry(tournament: Tournament, rating: float | None) -> None:
    """Raise Forbidden if a tournament is for ratings of another range; no rating counts as a beginner's."""
    refusal = say("this tournament is for ratings from {low} to {high}; yours is {rating}")
    check_rating(rating, tournament.lowest, tournament.highest, refusal)


def _check_between(what: Phrase, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise BadSetup(
            say("{what}: a number from {low} to {high}, not {value}", what=what, low=low, high=high, value=value)
        )


class NoSuchTournament(NotFound):
    """There is no tournament of this name."""

    def __init__(self) -> None:
        super().__init__(say("there is no tournament at this address"))
