"""Tournaments in the database: entering, leaving, and the one moment at which a round begins, in whichever process.

Every change counts the tournament's revision up, and a round is only written by whoever knows the last one: its
pairings and its tables in one transaction. So it happens once, and no half of it is ever there.
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
from malecon.server.storage.ledger import Entry
from malecon.server.storage.new_tables import insert_table
from malecon.server.storage.rows import TableRow
from malecon.server.storage.schema import ACCOUNTS, ENTRANTS, PAIRINGS, SANCTIONS, SEATS, TABLES, TOURNAMENTS
from malecon.server.storage.store import Storage
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

#: Unfinished tournaments of one person: those they may hold, and those they may take part in.
MOST_HELD, MOST_ENTERED = 4, 12
#: Tournaments that a page shows of each kind.
MOST_SHOWN = 40
#: Seconds after which a tournament that nobody starts is called off.
PATIENCE = 60 * 86_400
#: What a bye counts, in half opponents of one: a win in a Swiss, nothing in a round robin, where all have as many.
BYE = {ROUND_ROBIN: 0}
NewTables = Mapping[str, tuple[TableRow, list[Entry]]]


class TournamentSummary(NamedTuple):
    """A tournament in a list: how many take part, and whether whoever asked does."""

    tournament: Tournament
    entrants: int
    is_mine: bool


class Due(NamedTuple):
    """What is to be done: tournaments to go on with, tables that may be decided, seats of those who have withdrawn."""

    forward: list[str]
    decided: list[tuple[str, str]]
    leaving: list[tuple[str, int, str]]


class SeatResult(NamedTuple):
    """What one seat of a decided table has: its place, the half opponents it has beaten, its points."""

    place: int
    beaten: int
    points: int


class TournamentStore:
    """Keeps tournaments. Every method is one transaction."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    # --- looking

    def find(self, name: str) -> Tournament:
        """One of them; NoSuchTournament where there is none."""
        found = self._storage.read(lambda connection: _one(connection, name))
        if found is None:
            raise NoSuchTournament
        return found

    def names_of(self, tournament: Tournament) -> dict[int, str]:
        """The names of those who take part, by their numbers; those who have deleted their account have none."""
        people = [one.person for one in tournament.entrants if one.person is not None]
        wanted = select(ACCOUNTS.c.person, ACCOUNTS.c.name).where(ACCOUNTS.c.person.in_(people))
        known: dict[str, str] = self._storage.read(
            lambda connection: {row.person: row.name for row in connection.execute(wanted)}
        )
        return {one.number: known[one.person] for one in tournament.entrants if one.person in known}

    def listed(self, person: str) -> list[TournamentSummary]:
        """Public ones and those that concern a person: the running ones first, then the last that ended."""

        def work(connection: Connection) -> list[TournamentSummary]:
            entered = select(ENTRANTS.c.tournament).where(ENTRANTS.c.person == person)
            held = TOURNAMENTS.c.id.in_(entered) | (TOURNAMENTS.c.owner == person)
            shown = held | (TOURNAMENTS.c.public.is_(True) & (TOURNAMENTS.c.format != SERIES))
            running = TOURNAMENTS.c.state.in_((OPEN, ON))
            rows: list[Any] = []
            for fits in (running, ~running & (TOURNAMENTS.c.state != CALLED_OFF)):
                wanted = select(TOURNAMENTS).where(shown & fits).order_by(TOURNAMENTS.c.opened.desc())
                rows += connection.execute(wanted.limit(MOST_SHOWN)).mappings().all()
            names = [row["id"] for row in rows]
            mine = set(connection.execute(entered).scalars())
            counts = select(ENTRANTS.c.tournament, func.count()).where(ENTRANTS.c.tournament.in_(names))
            number = {row[0]: row[1] for row in connection.execute(counts.group_by(ENTRANTS.c.tournament))}
            return [TournamentSummary(Tournament(**row), number.get(row["id"], 0), row["id"] in mine) for row in rows]

        return self._storage.read(work)

    def open_number(self) -> int:
        """How many public tournaments can be entered."""
        fits = (TOURNAMENTS.c.state == OPEN) & TOURNAMENTS.c.public.is_(True)
        wanted = select(func.count()).select_from(TOURNAMENTS).where(fits)
        return self._storage.read(lambda connection: int(connection.execute(wanted).scalar() or 0))

    def due(self, now: float) -> Due:
        """What is to be done now, in all tournaments."""
        tournament, pair, seat = TOURNAMENTS.c, PAIRINGS.c, SEATS.c
        undecided = (pair.tournament == tournament.id) & (pair.round == tournament.round) & pair.beaten.is_(None)
        late = (tournament.starts <= now) | (tournament.opened < now - PATIENCE) | (tournament.format == SERIES)
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
        mine = (ENTRANTS.c.tournament == pair.tournament) & (ENTRANTS.c.number == pair.entrant)
        sitting = (seat.table == pair.table) & (seat.seat == pair.seat) & (seat.person == ENTRANTS.c.person)
        leaving = (
            select(pair.table, pair.seat, ENTRANTS.c.person)
            .select_from(here.join(ENTRANTS, mine).join(SEATS, sitting))
            .where(on & ENTRANTS.c.withdrawn.is_not(None) & seat.resigned.is_(False) & TABLES.c.over.is_(False))
        )
        return self._storage.read(
            lambda connection: Due(
                list(connection.execute(forward).scalars()),
                [(row[0], row[1]) for row in connection.execute(decided)],
                [(row[0], row[1], row[2]) for row in connection.execute(leaving)],
            )
        )

    def revisions(self, names: Sequence[str]) -> dict[str, int]:
        wanted = select(TOURNAMENTS.c.id, TOURNAMENTS.c.revision).where(TOURNAMENTS.c.id.in_(names))
        return self._storage.read(lambda connection: {row.id: row.revision for row in connection.execute(wanted)})

    # --- opening, coming and going

    def open(self, wanted: Tournament) -> Tournament:
        """A new tournament that can be entered; its owner does not take part unless they enter, except in a series."""
        now = time.time()
        new = replace(
            check(wanted, now), id=secrets.token_urlsafe(9), seed=secrets.token_urlsafe(6), opened=now, state=OPEN
        )

        def work(connection: Connection, again: bool) -> Tournament:
            if again and _one(connection, new.id) is not None:
                return new
            held = TOURNAMENTS.c.state.in_((OPEN, ON)) & (TOURNAMENTS.c.owner == new.owner)
            if (connection.execute(select(func.count()).select_from(TOURNAMENTS).where(held)).scalar() or 0) >= (
                MOST_HELD
            ):
                raise Refused(say("you are running {n} tournaments already; end one of them first", n=MOST_HELD))
            values = {key: value for key, value in vars(new).items() if key not in ("entrants", "pairings")}
            connection.execute(insert(TOURNAMENTS), values | {"options": dict(new.options)})
            if new.is_series:
                _enter(connection, new, new.owner)
            return _one(connection, new.id) or new

        return self._storage.write(work)

    def join(self, name: str, person: str) -> Tournament:
        """Take part; Refused where it is full, has begun, or somebody takes part in too many."""

        def work(connection: Connection, again: bool) -> Tournament:
            tournament = _changing(connection, name)
            known = tournament.entrant_of(person)
            if tournament.state != OPEN:
                raise Refused(say("this tournament has begun already"))
            if known is None:
                if len(tournament.entrants) >= tournament.most:
                    raise Refused(say("this tournament is full"))
                _check_number(connection, person)
                _enter(connection, tournament, person)
            return _one(connection, name) or tournament

        return self._storage.write(work)

    def leave(self, name: str, person: str) -> Tournament:
        """Take back one's entry before the start; withdraw for good afterwards."""

        def work(connection: Connection, again: bool) -> Tournament:
            tournament = _changing(connection, name)
            mine = (ENTRANTS.c.tournament == name) & (ENTRANTS.c.person == person)
            if tournament.state == OPEN:
                connection.execute(delete(ENTRANTS).where(mine))
            elif tournament.state == ON:
                still = mine & ENTRANTS.c.withdrawn.is_(None)
                connection.execute(update(ENTRANTS).where(still).values(withdrawn=tournament.round))
            return _one(connection, name) or tournament

        return self._storage.write(work)

    def end(self, name: str) -> Tournament:
        """End it: called off where it has not begun."""

        def work(connection: Connection, again: bool) -> Tournament:
            tournament = _changing(connection, name)
            if tournament.is_running:
                state = CALLED_OFF if tournament.state == OPEN else ENDED
                _set(connection, name, state=state, ended=time.time())
            return _one(connection, name) or tournament

        return self._storage.write(work)

    # --- rounds

    def gone(self, tournament: Tournament) -> set[int]:
        """Those whom the host has banned: they are not paired any more."""
        people = {one.person: one.number for one in tournament.active if one.person is not None}
        wanted = select(SANCTIONS.c.person).where(SANCTIONS.c.person.in_(list(people)) & (SANCTIONS.c.kind == BANNED))
        return {
            people[row] for row in self._storage.read(lambda connection: connection.execute(wanted).scalars().all())
        }

    def begin_round(
        self, tournament: Tournament, new: Round, names: Sequence[str], tables: NewTables, plan: Sequence[Round] | None
    ) -> bool:
        """Write a round with its tables, in the order of `names`; False where something has changed since, or somebody
        else has written it."""
        number = tournament.round + 1
        rows: list[dict[str, Any]] = []
        for name, group in zip(names, new.tables, strict=True):
            row, _ = tables[name]
            for position, entrant in enumerate(group):
                seat = (number - 1) % row.players if tournament.is_series else position
                rows.append(_pairing(tournament, number, entrant) | {"table": name, "seat": seat})
        bye = {"beaten": BYE.get(tournament.format, 2), "opponents": 1}
        rows += [_pairing(tournament, number, entrant) | bye for entrant in new.byes]
        won = {"beaten": 2, "opponents": 1, "walkover": True}
        rows += [_pairing(tournament, number, entrant) | won for entrant in new.walkovers]
        values: dict[str, Any] = {"round": number, "state": ON}
        if plan is not None:
            values["plan"] = plan_stored(plan)

        def work(connection: Connection, again: bool) -> bool:
            if again and any(one.table in tables for one in (_one(connection, tournament.id) or tournament).pairings):
                return True
            if not _changed(connection, tournament, **values):
                return False
            connection.execute(insert(PAIRINGS), rows)
            for row, entries in tables.values():
                insert_table(connection, row, entries)
            return True

        return self._storage.write(work)

    def finish(self, tournament: Tournament, state: str = OVER) -> bool:
        """It is over, unless something has changed since."""
        return self._storage.write(
            lambda connection, again: _changed(connection, tournament, state=state, ended=time.time())
        )

    def decide(self, name: str, table: str, results: Mapping[int, SeatResult], opponents: int) -> bool:
        """Write down how a table ended, by seats; whether nobody had done so before."""

        def work(connection: Connection, again: bool) -> bool:
            _set(connection, name)  # before anything else: two who write the same wait for each other here
            new = 0
            for seat, result in results.items():
                here = (PAIRINGS.c.tournament == name) & (PAIRINGS.c.table == table) & (PAIRINGS.c.seat == seat)
                values = result._asdict() | {"opponents": opponents}
                done = connection.execute(update(PAIRINGS).where(here & PAIRINGS.c.beaten.is_(None)).values(**values))
                new += done.rowcount
            return bool(new)

        return self._storage.write(work)


def _pairing(tournament: Tournament, number: int, entrant: int) -> dict[str, Any]:
    empty = vars(TournamentPairing(number, entrant, None, None))
    return {"tournament": tournament.id} | empty


def _enter(connection: Connection, tournament: Tournament, person: str) -> None:
    number = max((one.number for one in tournament.entrants), default=0) + 1
    entrant = vars(Entrant(number, person, time.time()))
    connection.execute(insert(ENTRANTS), {"tournament": tournament.id} | entrant)


def _check_number(connection: Connection, person: str) -> None:
    both = ENTRANTS.join(TOURNAMENTS, TOURNAMENTS.c.id == ENTRANTS.c.tournament)
    running = TOURNAMENTS.c.state.in_((OPEN, ON)) & (TOURNAMENTS.c.format != SERIES)
    mine = (ENTRANTS.c.person == person) & ENTRANTS.c.withdrawn.is_(None) & running
    if (connection.execute(select(func.count()).select_from(both).where(mine)).scalar() or 0) >= MOST_ENTERED:
        raise Forbidden(say("you take part in {n} tournaments already; leave one of them first", n=MOST_ENTERED))


def _changing(connection: Connection, name: str) -> Tournament:
    """The tournament as nobody else can change it until the transaction ends."""
    if not _set(connection, name):
        raise NoSuchTournament
    found = _one(connection, name)
    assert found is not None
    return found


def _set(connection: Connection, name: str, **values: Any) -> bool:
    return _update(connection, TOURNAMENTS.c.id == name, values)


def _changed(connection: Connection, known: Tournament, **values: Any) -> bool:
    """Change a tournament that is still as it was read."""
    return _update(connection, (TOURNAMENTS.c.id == known.id) & (TOURNAMENTS.c.revision == known.revision), values)


def _update(connection: Connection, fits: ColumnElement[bool], values: Mapping[str, Any]) -> bool:
    done = connection.execute(update(TOURNAMENTS).where(fits).values(revision=TOURNAMENTS.c.revision + 1, **values))
    return bool(done.rowcount)


def _one(connection: Connection, name: str) -> Tournament | None:
    row = connection.execute(select(TOURNAMENTS).where(TOURNAMENTS.c.id == name)).mappings().first()
    if row is None:
        return None
    entrants = select(ENTRANTS).where(ENTRANTS.c.tournament == name).order_by(ENTRANTS.c.number)
    pairings = select(PAIRINGS).where(PAIRINGS.c.tournament == name).order_by(PAIRINGS.c.round, PAIRINGS.c.entrant)
    return Tournament(
        **row,
        entrants=tuple(Entrant(**_without_tournament(one)) for one in connection.execute(entrants).mappings()),
        pairings=tuple(
            TournamentPairing(**_without_tournament(one)) for one in connection.execute(pairings).mappings()
        ),
    )


def _without_tournament(row: Any) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "tournament"}
