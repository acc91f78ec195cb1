"""Results of finished games, statistics of players, and OpenSkill ratings by game and number of players.

People with an account and the levels of bots are rated; guests are not. Games with several seats at one screen, or that
went on from a position of another game, are not rated. Casual games have no result here at all. A seat whose player ran
out of time comes in last.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Integer, func, insert, select, update

from malecon.match import Outcome
from malecon.server.storage.rows import BOT, PERSON, SeatRow, TableRow
from malecon.server.storage.schema import ACCOUNTS, RATINGS, RESULTS, TABLES
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import insert_missing, reads, writes

#: The first rating of a player: OpenSkill's default.
MU = 25.0
SIGMA = 25.0 / 3
#: Marks bots among the rated players.
BOT_PREFIX = "bot:"


@dataclass(frozen=True)
class Rating:
    """The rating of a player. With a probability of 95 % the true strength is within `doubt` of `mu`."""

    mu: float
    sigma: float
    games: int

    @property
    def doubt(self) -> float:
        return 2 * self.sigma


@dataclass(frozen=True)
class PlayerStatistics:
    """The results of a player in a game with one number of players; `place` and `points` are means."""

    game: str
    players: int
    games: int
    wins: int
    place: float
    points: float
    rating: Rating | None


@dataclass(frozen=True)
class GameResult:
    """The result of a player in a finished game."""

    table: str
    game: str
    players: int
    place: int
    points: int
    finished: float
    rated: bool


class Ratings:
    """Stores results and ratings."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    @writes
    def settle(
        self,
        connection: Connection,
        row: TableRow,
        outcome: Outcome | None,
        is_record: bool = False,
        openings: Mapping[int, str] | None = None,
        beside: Callable[[Connection], None] | None = None,
    ) -> bool:
        """Count a finished game once, in whichever process; return whether this call did. A casual game counts as none.

        `openings` are the first moves of each seat, in notation. `beside` is called in the same transaction.
        """
        if outcome is None:
            return False
        people = {seat.person for seat in row.seats if seat.kind == PERSON and seat.person}
        uncounted = update(TABLES).where((TABLES.c.id == row.id) & TABLES.c.result_recorded.is_(False))
        if not connection.execute(uncounted.values(result_recorded=True)).rowcount:
            return False
        if row.casual:
            return True
        if people and not is_record:
            registered = select(ACCOUNTS.c.person).where(ACCOUNTS.c.person.in_(people))
            accounts = set(connection.execute(registered).scalars())
            if accounts:
                self._count(connection, row, outcome, accounts, openings or {})
        if beside is not None:
            beside(connection)
        return True

    def _count(
        self,
        connection: Connection,
        row: TableRow,
        outcome: Outcome,
        accounts: set[str],
        openings: Mapping[int, str],
    ) -> None:
        places = final_places(outcome.places, row.seats)
        rated = rated_seats(row, accounts)
        results = [
            {
                "table": row.id,
                "seat": number,
                "who": f"{BOT_PREFIX}{seat.bot}" if seat.kind == BOT else seat.person,
                "game": row.game,
                "players": row.players,
                "place": places[number],
                "points": int(outcome.points[number]),
                "finished": time.time(),
                "rated": number in rated,
                "opening": openings.get(number),
            }
            for number, seat in enumerate(row.seats)
            if seat.kind == BOT or (seat.kind == PERSON and seat.person in accounts and not seat.taken_over)
        ]
        if results:
            connection.execute(insert(RESULTS), results)
        for who, rating in (self._rate(connection, row, rated, places) if rated else {}).items():
            own = (RESULTS.c.table == row.id) & (RESULTS.c.who == who) & RESULTS.c.rated.is_(True)
            connection.execute(update(RESULTS).where(own).values(mu=rating["mu"], sigma=rating["sigma"]))

    def _rate(
        self, connection: Connection, row: TableRow, rated: Mapping[int, str], places: Sequence[int]
    ) -> dict[str, dict[str, float]]:
        """Store and return new ratings for these seats. For two seats of one bot level their mean counts."""
        from openskill.models import PlackettLuce  # a quarter of a second that no start should wait for

        table = {"game": row.game, "players": row.players}
        this_kind = (RATINGS.c.game == row.game) & (RATINGS.c.players == row.players)
        players = sorted(set(rated.values()))  # always in the same order, or two games could wait for each other
        for player in players:
            insert_missing(connection, RATINGS, {**table, "who": player, "mu": MU, "sigma": SIGMA, "games": 0})
        query = select(RATINGS).where(this_kind & RATINGS.c.who.in_(players)).order_by(RATINGS.c.who).with_for_update()
        before = {rating.who: rating for rating in connection.execute(query)}
        model = PlackettLuce()
        seats = list(rated)
        teams = [[model.rating(mu=before[rated[seat]].mu, sigma=before[rated[seat]].sigma)] for seat in seats]
        after = model.rate(teams, ranks=[float(places[seat]) for seat in seats])
        new_ratings: dict[str, dict[str, float]] = {}
        for player in players:
            own = [after[index][0] for index, seat in enumerate(seats) if rated[seat] == player]
            changed = {
                "mu": sum(rating.mu for rating in own) / len(own),
                "sigma": sum(rating.sigma for rating in own) / len(own),
                "games": before[player].games + 1,
            }
            connection.execute(update(RATINGS).where(this_kind & (RATINGS.c.who == player)).values(**changed))
            new_ratings[player] = changed
        return new_ratings

    # --- what is shown

    @reads
    def statistics(self, connection: Connection, who: str) -> list[PlayerStatistics]:
        """Return the statistics of a player, by game and number of players."""
        result = RESULTS.c
        won = func.sum((result.place == 1).cast(Integer))
        query = (
            select(result.game, result.players, func.count(), won, func.avg(result.place), func.avg(result.points))
            .where(result.who == who)
            .group_by(result.game, result.players)
            .order_by(result.game, result.players)
        )
        own = select(RATINGS).where(RATINGS.c.who == who)
        ratings = {(row.game, row.players): Rating(row.mu, row.sigma, row.games) for row in connection.execute(own)}
        return [
            PlayerStatistics(game, players, games, int(wins), float(place), float(points), ratings.get((game, players)))
            for game, players, games, wins, place, points in connection.execute(query)
        ]

    def results(self, who: str, most: int = 50) -> list[GameResult]:
        """Return the finished games of a player, the latest first."""
        result = RESULTS.c
        columns = result.table, result.game, result.players, result.place, result.points, result.finished, result.rated
        query = select(*columns).where(result.who == who).order_by(result.finished.desc()).limit(most)
        return [GameResult(*row) for row in self._storage.rows(query)]

    def means(self, who: str, game: str) -> dict[int, float]:
        """Return the ratings of a player in a game, by number of players."""
        query = select(RATINGS.c.players, RATINGS.c.mu).where((RATINGS.c.who == who) & (RATINGS.c.game == game))
        return {row.players: row.mu for row in self._storage.rows(query)}

    def of_bots(self) -> dict[tuple[str, int], dict[str, Rating]]:
        """Return the ratings of the bots' levels, by game and number of players."""
        query = select(RATINGS).where(RATINGS.c.who.startswith(BOT_PREFIX))
        ratings: dict[tuple[str, int], dict[str, Rating]] = {}
        for row in self._storage.rows(query):
            level = row.who.removeprefix(BOT_PREFIX)
            ratings.setdefault((row.game, row.players), {})[level] = Rating(row.mu, row.sigma, row.games)
        return ratings


def final_places(places: Sequence[int], seats: Sequence[SeatRow]) -> list[int]:
    """Return the places of a game with those who resigned behind all others."""
    order = [(seat.resigned, place) for seat, place in zip(seats, places, strict=True)]
    return [1 + sum(other < own for other in order) for own in order]


def rated_seats(row: TableRow, accounts: set[str]) -> dict[int, str]:
    """Return the rated player of each seat; empty if the game is not rated."""
    people = Counter(seat.person for seat in row.seats if seat.kind == PERSON)
    if row.dice is None or row.dice.first or any(seats > 1 for seats in people.values()):
        return {}
    rated = {}
    for number, seat in enumerate(row.seats):
        if seat.kind == BOT:
            rated[number] = f"{BOT_PREFIX}{seat.bot}"
        elif seat.kind == PERSON and seat.person in accounts and not seat.taken_over:
            rated[number] = str(seat.person)
    people_rated = any(not who.startswith(BOT_PREFIX) for who in rated.values())
    return rated if people_rated and len(set(rated.values())) > 1 else {}
