"""Profiles of accounts: rating curves, opponents, openings, and the leader boards.

Each person decides what others see of it; guests have no profile.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, select

from malecon.kernel.phrases import say
from malecon.match import Match
from malecon.server.accounts.accounts import Account
from malecon.server.accounts.ratings import BOT_PREFIX
from malecon.server.accounts.visitors import Choices
from malecon.server.errors import NotFound
from malecon.server.names import name_key
from malecon.server.storage.schema import ACCOUNTS, PEOPLE, RATINGS, RESULTS, TABLES
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import reads

#: Games that a rating curve shows.
MOST_GAMES = 500
MOST_OPPONENTS = 12
MOST_OPENINGS = 3
MOST_LEADERS = 50
#: Rated games that a place on a leader board needs.
MIN_RATED_GAMES = 5
#: The first moves of a player that make an opening.
OPENING_MOVES = 2


@dataclass(frozen=True)
class Opponent:
    """An opponent: the games together, and how often the person came in ahead of and behind them."""

    who: str
    name: str | None  # of an account; None for a bot
    games: int
    ahead: int
    behind: int


@dataclass(frozen=True)
class Opening:
    """An opening of a player: a game with it, the number of such games, and of those that were won."""

    game: str
    table: str
    seat: int
    moves: int
    times: int
    wins: int


@dataclass(frozen=True)
class Leader:
    """A place on a leader board. `score` is the rating less its uncertainty."""

    place: int
    who: str
    name: str | None  # None for a bot
    mu: float
    doubt: float
    games: int

    @property
    def score(self) -> float:
        return self.mu - self.doubt


def first_moves(match: Match) -> dict[int, str]:
    """Return the first moves of each seat, in notation."""
    openings: defaultdict[int, list[str]] = defaultdict(list)
    for turn in match.history:
        if turn.seat >= 0 and len(openings[turn.seat]) < OPENING_MOVES:
            openings[turn.seat].append(str(turn.move))
    return {seat: "/".join(moves) for seat, moves in openings.items()}


class Profiles:
    """Reads what profile pages and leader boards show."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def find(self, name: str) -> tuple[Account, Choices]:
        """Return the account of a name and its owner's choices; raise NotFound if there is none."""
        joined = ACCOUNTS.outerjoin(PEOPLE, PEOPLE.c.id == ACCOUNTS.c.person)
        columns = ACCOUNTS.c.person, ACCOUNTS.c.name, ACCOUNTS.c.epoch, PEOPLE.c.choices
        query = select(*columns).select_from(joined).where(ACCOUNTS.c.key == name_key(name)[:80])
        row = self._storage.first(query)
        if row is None:
            raise NotFound(say("nobody here has this name"))
        return Account(row.person, row.name, row.epoch), Choices.of(row.choices or {})

    def names(self, people: Sequence[str]) -> dict[str, str]:
        query = select(ACCOUNTS.c.person, ACCOUNTS.c.name).where(ACCOUNTS.c.person.in_(people))
        return {row.person: row.name for row in self._storage.rows(query)}

    def curves(self, who: str) -> dict[tuple[str, int], list[float]]:
        """Return the ratings after each game, oldest first, by game and number of players."""
        own = (RESULTS.c.who == who) & RESULTS.c.mu.is_not(None)
        columns = RESULTS.c.game, RESULTS.c.players, RESULTS.c.mu
        query = select(*columns).where(own).order_by(RESULTS.c.finished.desc()).limit(MOST_GAMES)
        curves: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
        for row in reversed(self._storage.rows(query)):
            curves[row.game, row.players].append(row.mu)
        return dict(curves)

    @reads
    def opponents(self, connection: Connection, who: str) -> list[Opponent]:
        """Return the people and bots that a player has met most often, without those who hide their page."""
        result = RESULTS.c
        own = (
            select(result.table, func.min(result.place).label("place"))
            .where(result.who == who)
            .group_by(result.table)
            .subquery()
        )
        # of several seats of one opponent the best counts
        theirs = (
            select(result.who, own.c.place.label("own"), func.min(result.place).label("place"))
            .join(own, own.c.table == result.table)
            .where(result.who.is_not(None) & (result.who != who))
            .group_by(result.table, result.who, own.c.place)
            .subquery()
        )
        compared = select(theirs.c.who, *_compared(theirs.c.own, theirs.c.place)).group_by(theirs.c.who)
        counted: dict[str, tuple[int, int, int]] = {
            row[0]: (row[1], row[2], row[3]) for row in connection.execute(compared)
        }
        often = sorted(counted, key=lambda other: (-counted[other][0], other))[: 2 * MOST_OPPONENTS]
        joined = ACCOUNTS.outerjoin(PEOPLE, PEOPLE.c.id == ACCOUNTS.c.person)
        known = select(ACCOUNTS.c.person, ACCOUNTS.c.name, PEOPLE.c.choices).select_from(joined)
        rows = connection.execute(known.where(ACCOUNTS.c.person.in_(often)))
        names = {row.person: row.name for row in rows if Choices.of(row.choices or {}).page}
        listed = [other for other in often if other in names or other.startswith(BOT_PREFIX)]
        return [Opponent(other, names.get(other), *counted[other]) for other in listed[:MOST_OPPONENTS]]

    @reads
    def openings(self, connection: Connection, who: str) -> list[Opening]:
        """Return the most frequent openings of a player in each game, over all games."""
        result = RESULTS.c
        own = (result.who == who) & result.opening.is_not(None)
        times, wins = func.count(), func.sum(case((result.place == 1, 1), else_=0))
        often = select(result.game, result.opening, times, wins).where(own).group_by(result.game, result.opening)
        openings: list[Opening] = []
        listed = Counter[str]()
        for game, opening, count, won in connection.execute(often.order_by(result.game, times.desc(), result.opening)):
            if listed[game] < MOST_OPENINGS:
                listed[game] += 1
                such = own & (result.game == game) & (result.opening == opening)
                latest = select(result.table, result.seat).where(such).order_by(result.finished.desc()).limit(1)
                table, seat = connection.execute(latest).one()
                openings.append(Opening(game, table, seat, opening.count("/") + 1, count, won))
        return openings

    def public_tables(self, tables: Sequence[str]) -> set[str]:
        """Return which of these tables are public."""
        query = select(TABLES.c.id).where(TABLES.c.id.in_(tables) & TABLES.c.public.is_(True))
        return set(self._storage.scalars(query))

    def leaders(self, game: str, players: int) -> list[Leader]:
        """Return the leader board of a game and number of players: bots, and people who allow to be listed."""
        joined = RATINGS.outerjoin(ACCOUNTS, ACCOUNTS.c.person == RATINGS.c.who)
        joined = joined.outerjoin(PEOPLE, PEOPLE.c.id == RATINGS.c.who)
        enough = (RATINGS.c.game == game) & (RATINGS.c.players == players) & (RATINGS.c.games >= MIN_RATED_GAMES)
        columns = RATINGS.c.who, RATINGS.c.mu, RATINGS.c.sigma, RATINGS.c.games, ACCOUNTS.c.name, PEOPLE.c.choices
        order = (RATINGS.c.mu - 2 * RATINGS.c.sigma).desc()
        query = (
            select(*columns).select_from(joined).where(enough).order_by(order, RATINGS.c.who).limit(4 * MOST_LEADERS)
        )
        leaders: list[Leader] = []
        for row in self._storage.rows(query):
            is_bot = row.who.startswith(BOT_PREFIX)
            if is_bot or (row.name is not None and Choices.of(row.choices or {}).board):
                leaders.append(Leader(len(leaders) + 1, row.who, row.name, row.mu, 2 * row.sigma, row.games))
        return leaders[:MOST_LEADERS]


def _compared(own: ColumnElement[Any], place: Any) -> tuple[ColumnElement[Any], ...]:
    """Return the columns: number of games, games in which `own` is ahead of `place`, games in which it is behind."""
    return func.count(), func.sum(case((own < place, 1), else_=0)), func.sum(case((own > place, 1), else_=0))
