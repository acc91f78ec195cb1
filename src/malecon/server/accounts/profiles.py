"""What the pages of people show: how ratings went, against whom and how somebody plays, and the leader boards.

Each person decides what of it others see; nothing here is about guests.
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
from malecon.server.storage.rows import BOT
from malecon.server.storage.schema import ACCOUNTS, PEOPLE, RATINGS, RESULTS, SEATS, TABLES
from malecon.server.storage.store import Storage

#: Games that a curve shows at most, and opponents, openings and leaders that are shown.
MOST_GAMES, MOST_OPPONENTS, MOST_OPENINGS, MOST_LEADERS = 500, 12, 3, 50
#: Rated games that a place on a leader board needs.
ENOUGH = 5
#: Moves of one's own that are an opening.
OPENING_MOVES = 2


@dataclass(frozen=True)
class Opponent:
    """Somebody one has played with: how often, and how often one came in before and behind them."""

    who: str
    name: str | None  # of an account; None for a bot
    games: int
    ahead: int
    behind: int


@dataclass(frozen=True)
class Opening:
    """How somebody likes to begin: a game in which they did so, how often, and how often they won then."""

    game: str
    table: str
    seat: int
    moves: int
    times: int
    wins: int


@dataclass(frozen=True)
class Leader:
    """A place on a leader board. `score`: the rating less its doubt."""

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
    """How each seat began, in notation."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    for turn in match.history:
        if turn.seat >= 0 and len(found[turn.seat]) < OPENING_MOVES:
            found[turn.seat].append(str(turn.move))
    return {seat: "/".join(moves) for seat, moves in found.items()}


class Profiles:
    """Looks up what the pages of people show."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def find(self, name: str) -> tuple[Account, Choices]:
        """The account of a name and what its owner has chosen; NotFound where there is none."""
        both = ACCOUNTS.outerjoin(PEOPLE, PEOPLE.c.id == ACCOUNTS.c.person)
        columns = ACCOUNTS.c.person, ACCOUNTS.c.name, ACCOUNTS.c.epoch, PEOPLE.c.choices
        wanted = select(*columns).select_from(both).where(ACCOUNTS.c.key == name_key(name)[:80])
        row = self._storage.read(lambda connection: connection.execute(wanted).first())
        if row is None:
            raise NotFound(say("nobody here has this name"))
        return Account(row.person, row.name, row.epoch), Choices.of(row.choices or {})

    def names(self, people: Sequence[str]) -> dict[str, str]:
        wanted = select(ACCOUNTS.c.person, ACCOUNTS.c.name).where(ACCOUNTS.c.person.in_(people))
        return self._storage.read(lambda connection: {row.person: row.name for row in connection.execute(wanted)})

    def curves(self, who: str) -> dict[tuple[str, int], list[float]]:
        """What the ratings were after each game, the oldest first."""
        mine = (RESULTS.c.who == who) & RESULTS.c.mu.is_not(None)
        columns = RESULTS.c.game, RESULTS.c.players, RESULTS.c.mu
        wanted = select(*columns).where(mine).order_by(RESULTS.c.finished.desc()).limit(MOST_GAMES)
        found: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
        for row in reversed(self._storage.read(lambda connection: connection.execute(wanted).all())):
            found[row.game, row.players].append(row.mu)
        return dict(found)

    def opponents(self, who: str) -> list[Opponent]:
        """With whom somebody has played most, people and bots, in all of their games."""
        result, seat = RESULTS.c, SEATS.c
        mine = (
            select(result.table, func.min(result.place).label("place"))
            .where(result.who == who)
            .group_by(result.table)
            .subquery()
        )
        # of several seats of one opponent the best counts
        theirs = (
            select(result.who, mine.c.place.label("own"), func.min(result.place).label("place"))
            .join(mine, mine.c.table == result.table)
            .where(result.who.is_not(None) & (result.who != who))
            .group_by(result.table, result.who, mine.c.place)
            .subquery()
        )
        found = select(theirs.c.who, *_compared(theirs.c.own, theirs.c.place)).group_by(theirs.c.who)
        # of older games the places of bots are not known: who won was ahead of them
        unknown = result.table.is_(None) & (seat.kind == BOT)
        older = (
            select(seat.bot, mine.c.table, mine.c.place)
            .select_from(SEATS.join(mine, mine.c.table == seat.table).outerjoin(
                RESULTS, (result.table == seat.table) & (result.seat == seat.seat)))
            .where(unknown)
            .distinct()
            .subquery()
        )  # fmt: skip
        bots = select(older.c.bot, *_compared(older.c.place, 1.5)).group_by(older.c.bot)

        def work(connection: Connection) -> list[Opponent]:
            counted: dict[str, tuple[int, int, int]] = {
                row[0]: (row[1], row[2], row[3]) for row in connection.execute(found)
            }
            for bot, *more in connection.execute(bots):
                known = counted.get(BOT_PREFIX + bot, (0, 0, 0))
                counted[BOT_PREFIX + bot] = known[0] + more[0], known[1] + more[1], known[2] + more[2]
            often = sorted(counted, key=lambda other: (-counted[other][0], other))[: 2 * MOST_OPPONENTS]
            known_names = select(ACCOUNTS.c.person, ACCOUNTS.c.name).where(ACCOUNTS.c.person.in_(often))
            names = {row.person: row.name for row in connection.execute(known_names)}
            shown = [other for other in often if other in names or other.startswith(BOT_PREFIX)]
            return [Opponent(other, names.get(other), *counted[other]) for other in shown[:MOST_OPPONENTS]]

        return self._storage.read(work)

    def openings(self, who: str) -> list[Opening]:
        """How somebody begins most often in each game, counted over all of their games."""
        result = RESULTS.c
        mine = (result.who == who) & result.opening.is_not(None)
        times, wins = func.count(), func.sum(case((result.place == 1, 1), else_=0))
        often = select(result.game, result.opening, times, wins).where(mine).group_by(result.game, result.opening)

        def work(connection: Connection) -> list[Opening]:
            found: list[Opening] = []
            shown = Counter[str]()
            for game, opening, count, won in connection.execute(
                often.order_by(result.game, times.desc(), result.opening)
            ):
                if shown[game] < MOST_OPENINGS:
                    shown[game] += 1
                    such = mine & (result.game == game) & (result.opening == opening)
                    latest = select(result.table, result.seat).where(such).order_by(result.finished.desc()).limit(1)
                    table, seat = connection.execute(latest).one()
                    found.append(Opening(game, table, seat, opening.count("/") + 1, count, won))
            return found

        return self._storage.read(work)

    def public_tables(self, tables: Sequence[str]) -> set[str]:
        """Which of these everybody may find."""
        wanted = select(TABLES.c.id).where(TABLES.c.id.in_(tables) & TABLES.c.public.is_(True))
        return self._storage.read(lambda connection: set(connection.execute(wanted).scalars()))

    def leaders(self, game: str, players: int) -> list[Leader]:
        """The strongest in a game with so many players: bots, and people who do not mind."""
        both = RATINGS.outerjoin(ACCOUNTS, ACCOUNTS.c.person == RATINGS.c.who)
        both = both.outerjoin(PEOPLE, PEOPLE.c.id == RATINGS.c.who)
        enough = (RATINGS.c.game == game) & (RATINGS.c.players == players) & (RATINGS.c.games >= ENOUGH)
        columns = RATINGS.c.who, RATINGS.c.mu, RATINGS.c.sigma, RATINGS.c.games, ACCOUNTS.c.name, PEOPLE.c.choices
        order = (RATINGS.c.mu - 2 * RATINGS.c.sigma).desc()
        wanted = select(*columns).select_from(both).where(enough).order_by(order, RATINGS.c.who).limit(4 * MOST_LEADERS)
        found: list[Leader] = []
        for row in self._storage.read(lambda connection: connection.execute(wanted).all()):
            is_bot = row.who.startswith(BOT_PREFIX)
            if is_bot or (row.name is not None and Choices.of(row.choices or {}).board):
                found.append(Leader(len(found) + 1, row.who, row.name, row.mu, 2 * row.sigma, row.games))
        return found[:MOST_LEADERS]


def _compared(own: ColumnElement[Any], place: Any) -> tuple[ColumnElement[Any], ...]:
    """How many there are, and in how many of them the one place is before or behind the other."""
    return func.count(), func.sum(case((own < place, 1), else_=0)), func.sum(case((own > place, 1), else_=0))
