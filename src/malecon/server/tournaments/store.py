"""Tournaments in the database: entering, leaving, and the beginning of rounds, from any process.

Every change increments the tournament's revision. A round is written with its pairings and tables in one transaction,
and only if the revision is the one that was read; so it begins exactly once and completely.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.sql import ColumnElement

from malecon.kernel.phrases import say
from malecon.server.errors import Forbidden, Refused
from malecon.server.moderation.moderation import BANNED
from malecon.server.storage.game_log import LogEntry
from malecon.server.storage.rows import TableRow
from malecon.server.storage.schema import ACCOUNTS, ENTRANTS, PAIRINGS, SANCTIONS, SEATS, TABLES, TOURNAMENTS
from malecon.server.storage.store import Storage, insert_table
from malecon.server.storage.transactions import is_retry, reads, writes
from malecon.server.tournaments.model import (
    CALLED_OFF,
    ENDED,
    ON,
    OPEN,
    OVER,
    ROUND_ROBIN,
    SERIES,
    Entrant,
    NoSuchTournament,
    Tournament,
    TournamentPairing,
    check,
    plan_stored,
)
from malecon.server.tournaments.pairing import Round

#: Unfinished tournaments that one person may own.
MOST_HELD = 4
#: Unfinished tournaments that one person may take part in.
MOST_ENTERED = 12
#: Running and finished tournaments that are listed.
MOST_LISTED = 40
#: A tournament that nobody starts is called off after this time.
EXPIRY_SECONDS = 60 * 86_400
#: The half opponents beaten by a bye, if not two, which is a win: in a round robin everybody has as many byes.
BEATEN_BY_BYE = {ROUND_ROBIN: 0}
NewTables = Mapping[str, tuple[TableRow, list[LogEntry]]]


class TournamentSummary(NamedTuple):
    """A tournament in a list: the number of entrants, and whether the reader is one of them."""

    tournament: Tournament
    entrants: int
    is_mine: bool


class Due(NamedTuple):
    """What is due: tournaments to advance, tables that may be decided, seats of those who have withdrawn."""

    forward: list[str]
    decided: list[tuple[str, str]]
    leaving: list[tuple[str, int, str]]


class SeatResult(NamedTuple):
    """The result of one seat of a decided table: its place, the half opponents it has beaten, its points."""

    place: int
    beaten: int
    points: int


class TournamentStore:
    """Stores tournaments. Every method is one transaction."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    # --- looking

    @reads
    def find(self, connection: Connection, name: str) -> Tournament:
        """Return a tournament; raise NoSuchTournament if there is none."""
        tournament = _read(connection, name)
        if tournament is None:
            raise NoSuchTournament
        return tournament

    def revision(self, name: str) -> int:
        """Return the revision of a tournament; raise NoSuchTournament if there is none."""
        revision = self.revisions((name,)).get(name)
        if revision is None:
            raise NoSuchTournament
        return revision

    def names_of(self, tournament: Tournament) -> dict[int, str]:
        """Return the names of entrants by number, without those who have deleted their account."""
        people = [entrant.person for entrant in tournament.entrants if entrant.person is not None]
        query = select(ACCOUNTS.c.person, ACCOUNTS.c.name).where(ACCOUNTS.c.person.in_(people))
        names = {row.person: row.name for row in self._storage.rows(query)}
        return {entrant.number: names[entrant.person] for entrant in tournament.entrants if entrant.person in names}

    @reads
    def listed(self, connection: Connection, person: str) -> list[TournamentSummary]:
        """Return the public tournaments and those of a person: running ones first, then the latest that ended."""
        entered = select(ENTRANTS.c.tournament).where(ENTRANTS.c.person == person)
        held = TOURNAMENTS.c.id.in_(entered) | (TOURNAMENTS.c.owner == person)
        visible = held | (TOURNAMENTS.c.public.is_(True) & (TOURNAMENTS.c.format != SERIES))
        running = TOURNAMENTS.c.state.in_((OPEN, ON))
        rows: list[Any] = []
        for fits in (running, ~running & (TOURNAMENTS.c.state != CALLED_OFF)):
            query = select(TOURNAMENTS).where(visible & fits).order_by(TOURNAMENTS.c.opened.desc())
            rows += connection.execute(query.limit(MOST_LISTED)).mappings().all()
        names = [row["id"] for row in rows]
        own = set(connection.execute(entered).scalars())
        counts = select(ENTRANTS.c.tournament, func.count()).where(ENTRANTS.c.tournament.in_(names))
        number = {row[0]: row[1] for row in connection.execute(counts.group_by(ENTRANTS.c.tournament))}
        return [TournamentSummary(Tournament(**row), number.get(row["id"], 0), row["id"] in own) for row in rows]

    def open_number(self) -> int:
        """Return the number of public tournaments that can be entered."""
        fits = (TOURNAMENTS.c.state == OPEN) & TOURNAMENTS.c.public.is_(True)
        query = select(func.count()).select_from(TOURNAMENTS).where(fits)
        return int(self._storage.scalar(query))

    @reads
    def due(self, connection: Connection, now: float) -> Due:
        """Return what is due now in all tournaments."""
        tournament, pair, seat = TOURNAMENTS.c, PAIRINGS.c, SEATS.c
        undecided = (pair.tournament == tournament.id) & (pair.round == tournament.round) & pair.beaten.is_(None)
        late = (tournament.starts <= now) | (tournament.opened < now - EXPIRY_SECONDS) | (tournament.format == SERIES)
        start = (tournament.state == OPEN) & late
        ready = (tournament.state == ON) & ~select(pair.entrant).where(undecided).exists()
        forward = select(tournament.id).where(start | ready).order_by(tournament.id)
        here = TOURNAMENTS.join(PAIRINGS, undecided).join(TABLES, TABLES.c.id == pair.table)
        out = seat.resigned.is_(True) | seat.taken_over.is_(True)
        left = select(func.count()).select_from(SEATS).where((seat.table == pair.table) & ~out).scalar_subquery()
        given_up = select(seat.seat).where((seat.table == pair.table) & (seat.seat == pair.seat) & out).exists()
        ended = TABLES.c.over.is_(True) | (left <= 1) | ((tournament.format == SERIES) & given_up)
        on = tournament.state == ON
        decided = select(tournament.id, pair.table).select_from(here).where(on & ended).distinct()
        own_entry = (ENTRANTS.c.tournament == pair.tournament) & (ENTRANTS.c.number == pair.entrant)
        sitting = (seat.table == pair.table) & (seat.seat == pair.seat) & (seat.person == ENTRANTS.c.person)
        leaving = (
            select(pair.table, pair.seat, ENTRANTS.c.person)
            .select_from(here.join(ENTRANTS, own_entry).join(SEATS, sitting))
            .where(on & ENTRANTS.c.withdrawn.is_not(None) & seat.resigned.is_(False) & TABLES.c.over.is_(False))
        )
        return Due(
            list(connection.execute(forward).scalars()),
            [(row[0], row[1]) for row in connection.execute(decided)],
            [(row[0], row[1], row[2]) for row in connection.execute(leaving)],
        )

    def revisions(self, names: Sequence[str]) -> dict[str, int]:
        query = select(TOURNAMENTS.c.id, TOURNAMENTS.c.revision).where(TOURNAMENTS.c.id.in_(names))
        return {row.id: row.revision for row in self._storage.rows(query)}

    # --- opening, coming and going

    def open(self, tournament: Tournament) -> Tournament:
        """Store a new tournament that can be entered; only in a series its owner is entered too."""
        now = time.time()
        new = replace(
            check(tournament, now), id=secrets.token_urlsafe(9), seed=secrets.token_urlsafe(6), opened=now, state=OPEN
        )
        return self._add(new)

    @writes
    def _add(self, connection: Connection, new: Tournament) -> Tournament:
        if is_retry(connection) and (stored := _read(connection, new.id)) is not None:
            return stored
        held = TOURNAMENTS.c.state.in_((OPEN, ON)) & (TOURNAMENTS.c.owner == new.owner)
        if (connection.execute(select(func.count()).select_from(TOURNAMENTS).where(held)).scalar() or 0) >= MOST_HELD:
            raise Refused(say("you are running {n} tournaments already; end one of them first", n=MOST_HELD))
        values = {key: value for key, value in vars(new).items() if key in TOURNAMENTS.c}
        connection.execute(insert(TOURNAMENTS), values | {"options": dict(new.options)})
        if new.is_series:
            _enter(connection, new, new.owner)
        return _read(connection, new.id) or new

    @writes
    def join(self, connection: Connection, name: str, person: str) -> Tournament:
        """Enter a person; raise Refused if the tournament is full or has begun, or the person has entered too many."""
        tournament = _lock(connection, name)
        entrant = tournament.entrant_of(person)
        if tournament.state != OPEN:
            raise Refused(say("this tournament has begun already"))
        if entrant is None:
            if len(tournament.entrants) >= tournament.most:
                raise Refused(say("this tournament is full"))
            _check_entry_count(connection, person)
            _enter(connection, tournament, person)
        return _read(connection, name) or tournament

    @writes
    def leave(self, connection: Connection, name: str, person: str) -> Tournament:
        """Take back an entry before the start; withdraw for good afterwards."""
        tournament = _lock(connection, name)
        own = (ENTRANTS.c.tournament == name) & (ENTRANTS.c.person == person)
        if tournament.state == OPEN:
            connection.execute(delete(ENTRANTS).where(own))
        elif tournament.state == ON:
            still = own & ENTRANTS.c.withdrawn.is_(None)
            connection.execute(update(ENTRANTS).where(still).values(withdrawn=tournament.round))
        return _read(connection, name) or tournament

    @writes
    def end(self, connection: Connection, name: str) -> Tournament:
        """End a tournament; it is called off if it has not begun."""
        tournament = _lock(connection, name)
        if tournament.is_running:
            state = CALLED_OFF if tournament.state == OPEN else ENDED
            _set(connection, name, state=state, ended=time.time())
        return _read(connection, name) or tournament

    # --- rounds

    def banned(self, tournament: Tournament) -> set[int]:
        """Return the entrants who are banned from the server: they are not paired any more."""
        people = {entrant.person: entrant.number for entrant in tournament.active if entrant.person is not None}
        query = select(SANCTIONS.c.person).where(SANCTIONS.c.person.in_(list(people)) & (SANCTIONS.c.kind == BANNED))
        return {people[person] for person in self._storage.scalars(query)}

    @writes
    def begin_round(
        self,
        connection: Connection,
        tournament: Tournament,
        new: Round,
        names: Sequence[str],
        tables: NewTables,
        plan: Sequence[Round] | None,
    ) -> bool:
        """Write a round with its tables, in the order of `names`; return False if the tournament has changed."""
        number = tournament.round + 1
        rows: list[dict[str, Any]] = []
        for name, group in zip(names, new.tables, strict=True):
            row, _ = tables[name]
            for position, entrant in enumerate(group):
                seat = (number - 1) % row.players if tournament.is_series else position
                rows.append(_pairing(tournament, number, entrant) | {"table": name, "seat": seat})
        bye = {"beaten": BEATEN_BY_BYE.get(tournament.format, 2), "opponents": 1}
        rows += [_pairing(tournament, number, entrant) | bye for entrant in new.byes]
        won = {"beaten": 2, "opponents": 1, "walkover": True}
        rows += [_pairing(tournament, number, entrant) | won for entrant in new.walkovers]
        values: dict[str, Any] = {"round": number, "state": ON}
        if plan is not None:
            values["plan"] = plan_stored(plan)
        if is_retry(connection) and any(
            pairing.table in tables for pairing in (_read(connection, tournament.id) or tournament).pairings
        ):
            return True
        if not _changed(connection, tournament, **values):
            return False
        connection.execute(insert(PAIRINGS), rows)
        for row, entries in tables.values():
            insert_table(connection, row, entries)
        return True

    @writes
    def finish(self, connection: Connection, tournament: Tournament, state: str = OVER) -> bool:
        """End a tournament in this state; return False if it has changed meanwhile."""
        return _changed(connection, tournament, state=state, ended=time.time())

    @writes
    def decide(
        self, connection: Connection, name: str, table: str, results: Mapping[int, SeatResult], opponents: int
    ) -> bool:
        """Store the results of a table by seat; return whether they were not stored before."""
        _set(connection, name)  # before anything else: two who write the same wait for each other here
        new = 0
        for seat, result in results.items():
            here = (PAIRINGS.c.tournament == name) & (PAIRINGS.c.table == table) & (PAIRINGS.c.seat == seat)
            values = result._asdict() | {"opponents": opponents}
            done = connection.execute(update(PAIRINGS).where(here & PAIRINGS.c.beaten.is_(None)).values(**values))
            new += done.rowcount
        return bool(new)


def _pairing(tournament: Tournament, number: int, entrant: int) -> dict[str, Any]:
    empty = vars(TournamentPairing(number, entrant, None, None))
    return {"tournament": tournament.id} | empty


def _enter(connection: Connection, tournament: Tournament, person: str) -> None:
    number = max((entrant.number for entrant in tournament.entrants), default=0) + 1
    row = vars(Entrant(number, person, time.time()))
    connection.execute(insert(ENTRANTS), {"tournament": tournament.id} | row)


def _check_entry_count(connection: Connection, person: str) -> None:
    joined = ENTRANTS.join(TOURNAMENTS, TOURNAMENTS.c.id == ENTRANTS.c.tournament)
    running = TOURNAMENTS.c.state.in_((OPEN, ON)) & (TOURNAMENTS.c.format != SERIES)
    own = (ENTRANTS.c.person == person) & ENTRANTS.c.withdrawn.is_(None) & running
    if (connection.execute(select(func.count()).select_from(joined).where(own)).scalar() or 0) >= MOST_ENTERED:
        raise Forbidden(say("you take part in {n} tournaments already; leave one of them first", n=MOST_ENTERED))


def _lock(connection: Connection, name: str) -> Tournament:
    """Lock a tournament until the transaction ends and return it; raise NoSuchTournament if there is none."""
    if not _set(connection, name):
        raise NoSuchTournament
    tournament = _read(connection, name)
    assert tournament is not None
    return tournament


def _set(connection: Connection, name: str, **values: Any) -> bool:
    return _update(connection, TOURNAMENTS.c.id == name, values)


def _changed(connection: Connection, tournament: Tournament, **values: Any) -> bool:
    """Change a tournament if it is still as it was read; return whether it was."""
    return _update(
        connection, (TOURNAMENTS.c.id == tournament.id) & (TOURNAMENTS.c.revision == tournament.revision), values
    )


def _update(connection: Connection, fits: ColumnElement[bool], values: Mapping[str, Any]) -> bool:
    done = connection.execute(update(TOURNAMENTS).where(fits).values(revision=TOURNAMENTS.c.revision + 1, **values))
    return bool(done.rowcount)


def _read(connection: Connection, name: str) -> Tournament | None:
    row = connection.execute(select(TOURNAMENTS).where(TOURNAMENTS.c.id == name)).mappings().first()
    if row is None:
        return None
    entrants = select(ENTRANTS).where(ENTRANTS.c.tournament == name).order_by(ENTRANTS.c.number)
    pairings = select(PAIRINGS).where(PAIRINGS.c.tournament == name).order_by(PAIRINGS.c.round, PAIRINGS.c.entrant)
    return Tournament(
        **row,
        entrants=tuple(Entrant(**_without_tournament(row)) for row in connection.execute(entrants).mappings()),
        pairings=tuple(
            TournamentPairing(**_without_tournament(row)) for row in connection.execute(pairings).mappings()
        ),
    )


def _without_tournament(row: Any) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "tournament"}
