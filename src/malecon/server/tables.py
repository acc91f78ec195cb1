"""Live tables: what may be done at one, by whom. Every change is committed before anybody hears of it.

The match of a live table is only a cache of its log. All of this runs on the event loop; the database does not.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from malecon import words
from malecon.bots import LEVELS, SIMPLE, Bot
from malecon.kernel.errors import BadSetup, IllegalMove
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import CHANCE
from malecon.match import Match, check_names
from malecon.record import Record
from malecon.server.errors import (
    NoSuchInvitation,
    NoSuchTable,
    NothingToRepeat,
    NothingToTakeBack,
    NotYourSeat,
    NotYourTable,
    Refused,
    Stale,
)
from malecon.server.foresight import reveals
from malecon.server.ledger import MOVE, UNDO, Entry, Ledger
from malecon.server.storage import BOT, OPEN, PERSON, RECORD, SeatRow, Storage, TableRow, with_seat

#: Seconds a bot lets pass before its move is on the table.
PACES = {"calm": 1.4, "normal": 0.7, "fast": 0.25, "instant": 0.0}
#: What plays for somebody who has left.
STAND_IN = "aprendiz"
#: The bots one can ask for: no others, since some would think for an hour.
BOTS = (*(level.key for level in LEVELS), *SIMPLE)
#: How many tables are kept in memory.
MOST_LIVE = 500


class Table:
    """A table in memory: its row, its log, the match that follows from it, and what listens to it."""

    def __init__(self, row: TableRow, entries: Sequence[Entry]) -> None:
        self.row = row
        self.ledger = Ledger.of(entries)
        self.match = self._replayed()
        self.revision = 0  # grows with every change, seats included
        self.lock = asyncio.Lock()
        self.listeners: set[Callable[[], None]] = set()
        self.bots: dict[tuple[int, str], Bot] = {}
        self.thinking = False
        self._story: list[list[Phrase]] = []

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def version(self) -> int:
        return self.ledger.version

    @property
    def is_record(self) -> bool:
        """An old game that was opened from a file: to look at, not to play."""
        return self.row.seats[0].kind == RECORD

    def seats_of(self, person: str | None) -> tuple[int, ...]:
        return tuple(i for i, seat in enumerate(self.row.seats) if person is not None and seat.person == person)

    def bot_at(self, seat: int) -> str | None:
        """The bot that plays this seat now, its own or a stand-in."""
        return self.row.seats[seat].bot

    @property
    def moves_by_itself(self) -> bool:
        """Whether a bot is to move, or somebody who has but one move and does not want to be asked."""
        turn = self.match.turn
        if turn is None or turn < 0 or self.is_record:
            return False
        seat = self.row.seats[turn]
        return seat.bot is not None or (seat.person is not None and seat.automatic and len(self.match.legal_moves) == 1)

    def waits_for(self, seats: Collection[int]) -> bool:
        """Whether one of these seats must decide now."""
        return self.match.turn in seats and not self.moves_by_itself and not self.is_record

    def story(self) -> list[list[Phrase]]:
        """What each move did, told once; for viewers who may know each of those moves."""
        if len(self._story) < len(self.match):
            self._story += words.story(self.match, len(self._story))
        return self._story

    def may_undo(self, seats: Collection[int]) -> int | None:
        """The one of these seats that may take back its last move: nobody has acted since, and it revealed nothing."""
        seat = self.ledger.may_undo(seats)
        if seat is None or self.match.is_over:
            return None
        last = range(len(self.match) - self.ledger.reach_of_undo(), len(self.match))
        return None if any(reveals(self.match, index, seat) for index in last) else seat

    def changed(self) -> None:
        self.revision += 1
        for listener in tuple(self.listeners):
            listener()

    # --- following the log

    def follow(self, entries: Sequence[Entry]) -> None:
        """Take in what has just been committed."""
        for entry in entries:
            before = len(self.ledger.moves)
            self.ledger.add(entry)
            if entry.kind == MOVE:
                self.match.push(entry.move)
            else:
                for _ in range(before - len(self.ledger.moves)):
                    self.match.pop()
                del self._story[len(self.match) :]

    def sit(self, seat: int, new: SeatRow) -> None:
        renamed = new.name != self.row.seats[seat].name
        self.row = with_seat(self.row, seat, new)
        if renamed:
            self.match.names = check_names(self.match.game, self.match.players, [s.name for s in self.row.seats])
            self._story.clear()

    def _replayed(self) -> Match:
        row = self.row
        match = Match(row.game, row.players, options=row.options, names=[seat.name for seat in row.seats])
        codes = [match.game.notation.code(entry.move) for entry in self.ledger.moves]
        match.make_all([code for code in codes if code is not None])
        return match


@dataclass(frozen=True)
class NewSeat:
    """Who shall sit on a seat of a new table: `me`, `bot:KEY`, or `open` for a friend with the link."""

    who: str
    name: str | None = None


@dataclass(frozen=True)
class NewTable:
    """What somebody asked for."""

    game: str
    seats: tuple[NewSeat, ...]
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    pace: str = "normal"
    guide: bool = False
    automatic: bool = True


class Tables:
    """All tables, those in memory and those on disk."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._live: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self.on_change: Callable[[Table], None] = lambda table: None

    # --- finding and opening

    async def get(self, table_id: str) -> Table:
        """The table of that address; NoSuchTable where there is none."""
        table = self._live.get(table_id)
        if table is not None:
            return table
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            try:
                if table_id not in self._live:
                    found = await asyncio.to_thread(self._storage.load, table_id)
                    if found is None:
                        raise NoSuchTable
                    self._keep(Table(*found))
            finally:
                self._loading.pop(table_id, None)
        table = self._live[table_id]
        self.on_change(table)  # a bot whose turn it was when the server stopped goes on
        return table

    async def open(self, wanted: NewTable, person: str, begun: Match | None = None) -> Table:
        """A new table, with the first moves of another game where it goes on from there."""
        if wanted.pace not in PACES:
            raise BadSetup(say("there is no pace called {name}", name=repr(wanted.pace)[:40]))
        rows = tuple(self._seat_row(seat, person, wanted.automatic) for seat in wanted.seats)
        names = [seat.name for seat in rows]
        _check_distinct(names)
        match = Match(wanted.game, len(rows), options=wanted.options, names=names)
        row = TableRow(
            id=secrets.token_urlsafe(12),
            game=match.game.name,
            rules=match.game.rules_version,
            players=match.players,
            options=dict(match.options),
            owner=person,
            pace=wanted.pace,
            guide=wanted.guide,
            seats=rows,
        )
        entries = [
            Entry(number, MOVE, turn.seat, str(turn.move))
            for number, turn in enumerate(begun.history if begun is not None else ())
        ]
        table = Table(row, entries)
        if table.match.turn == CHANCE:
            entries += _draw_chance(table.match.copy(), len(entries))
            table = Table(row, entries)
        await asyncio.to_thread(self._storage.create, row, entries)
        self._keep(table)
        self.on_change(table)
        return table

    async def open_record(self, record: Record, person: str) -> Table:
        """An old game from a file, checked move by move, to look at and to go on from."""
        match = await asyncio.to_thread(record.replay)
        seats = tuple(SeatRow(RECORD, name=name) for name in record.names)
        row = TableRow(
            id=secrets.token_urlsafe(12),
            game=match.game.name,
            rules=match.game.rules_version,
            players=match.players,
            options=dict(match.options),
            owner=person,
            pace="normal",
            guide=False,
            seats=seats,
            over=match.is_over,
        )
        entries = [Entry(number, MOVE, turn.seat, str(turn.move)) for number, turn in enumerate(match.history)]
        await asyncio.to_thread(self._storage.create, row, entries)
        table = Table(row, entries)
        self._keep(table)
        return table

    async def mine(self, person: str, most: int = 40) -> list[TableRow]:
        return await asyncio.to_thread(self._storage.tables_of, person, most)

    # --- moves

    async def move(
        self,
        table: Table,
        person: str,
        text: str,
        version: int | None = None,
        seat: int | None = None,
        automatic: bool = False,
    ) -> None:
        """Make a move for a person. `version` is what they saw: Stale where the table has moved on since."""
        async with table.lock:
            if version is not None and version != table.version:
                raise Stale
            mine = table.seats_of(person)
            if not mine or (seat is not None and seat not in mine):
                raise NotYourSeat
            turn = table.match.turn
            if seat is None and turn in mine:
                seat = turn
            await self._make(table, text, mine[0] if seat is None else seat, automatic)

    async def bot_move(self, table: Table, text: str, seat: int, version: int, automatic: bool = False) -> None:
        """Make a move that a bot has chosen, or that was the only one, unless the table has moved on."""
        async with table.lock:
            if version == table.version:
                await self._make(table, text, seat, automatic)

    async def undo(self, table: Table, person: str, version: int | None = None) -> None:
        async with table.lock:
            if version is not None and version != table.version:
                raise Stale
            seat = table.may_undo(self._playing(table, person))
            if seat is None:
                raise NothingToTakeBack
            await self._commit(table, [Entry(table.version, UNDO, seat)])

    async def redo(self, table: Table, person: str, version: int | None = None) -> None:
        async with table.lock:
            if version is not None and version != table.version:
                raise Stale
            entry = table.ledger.may_redo(self._playing(table, person))
            if entry is None:
                raise NothingToRepeat
            await self._make(table, entry.move, entry.seat, entry.automatic)

    async def _make(self, table: Table, text: str, seat: int, automatic: bool) -> None:
        if table.is_record:
            raise IllegalMove(say("this is an old game: play on from any position as a new one"))
        trial = table.match.copy()  # nothing may change before it is committed
        move = trial.push(text, seat=seat)
        entries = [Entry(table.version, MOVE, seat, str(move), automatic)]
        entries += _draw_chance(trial, table.version + 1)
        await self._commit(table, entries, over=trial.is_over)

    async def _commit(self, table: Table, entries: Sequence[Entry], over: bool = False) -> None:
        """Write, then follow, even if whoever asked for it hangs up meanwhile."""
        task = asyncio.ensure_future(self._write(table, entries, over))
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await task
            raise

    async def _write(self, table: Table, entries: Sequence[Entry], over: bool) -> None:
        try:
            await asyncio.to_thread(self._storage.append, table.id, entries, over)
        except Stale:  # another process was faster: what we know is old
            self._live.pop(table.id, None)
            raise
        table.follow(entries)
        if over:
            table.row = replace(table.row, over=True)
        self._tell(table)

    # --- seats

    async def join(self, token: str, person: str, name: str | None, automatic: bool) -> Table:
        """Take the seat of an invitation, and the name that goes with it."""
        table, seat = await self.invited(token)
        async with table.lock:
            row = table.row.seats[seat]
            if row.person == person:
                return table
            if row.kind != OPEN:
                raise NoSuchInvitation
            name = check_name(name)
            _check_distinct([name, *(other.name for other in table.row.seats)])
            new = replace(row, kind=PERSON, person=person, bot=None, name=name, automatic=automatic)
            await self._sit(table, seat, new)
        return table

    async def invited(self, token: str) -> tuple[Table, int]:
        """The table and seat of an invitation; NoSuchInvitation where there is none."""
        found = await asyncio.to_thread(self._storage.invited_to, token)
        if found is None:
            raise NoSuchInvitation
        return await self.get(found[0]), found[1]

    async def leave_to_bot(self, table: Table, person: str, seat: int) -> None:
        """Let a bot stand in: for one's own seat, or as owner of the table for any that a person left or never took."""
        async with table.lock:
            row = self._seat_to_change(table, person, seat)
            if row.kind == RECORD or row.bot is not None:
                raise Refused(say("a bot plays there already"))
            await self._sit(table, seat, replace(row, bot=STAND_IN))

    async def take_back_seat(self, table: Table, person: str, seat: int) -> None:
        """Send the stand-in away; a seat nobody took waits for its guest again."""
        async with table.lock:
            row = self._seat_to_change(table, person, seat)
            if row.kind == BOT or row.bot is None:
                raise Refused(say("no stand-in plays there"))
            await self._sit(table, seat, replace(row, bot=None))

    async def set_pace(self, table: Table, person: str, pace: str) -> None:
        if pace not in PACES:
            raise BadSetup(say("there is no pace called {name}", name=repr(pace)[:40]))
        if person != table.row.owner and not table.seats_of(person):
            raise NotYourSeat
        async with table.lock:
            await asyncio.to_thread(self._storage.set_pace, table.id, pace)
            table.row = replace(table.row, pace=pace)
            self._tell(table)

    async def set_automatic(self, person: str, automatic: bool) -> None:
        """A person's wish to have forced moves made, at all tables of theirs."""
        for row in await self.mine(person):
            if not row.over:
                table = await self.get(row.id)
                async with table.lock:
                    for seat in table.seats_of(person):
                        if table.row.seats[seat].automatic != automatic:
                            await self._sit(table, seat, replace(table.row.seats[seat], automatic=automatic))

    def _seat_to_change(self, table: Table, person: str, seat: int) -> SeatRow:
        if not 0 <= seat < table.match.players:
            raise BadSetup(say("there is no seat {seat}", seat=seat))
        row = table.row.seats[seat]
        if row.person != person and table.row.owner != person:
            raise NotYourTable
        return row

    async def _sit(self, table: Table, seat: int, new: SeatRow) -> None:
        if not await asyncio.to_thread(self._storage.set_seat, table.id, seat, table.row.seats[seat], new):
            self._live.pop(table.id, None)
            raise Stale
        table.sit(seat, new)
        self._tell(table)

    # --- inside

    def _playing(self, table: Table, person: str) -> Collection[int]:
        mine = table.seats_of(person)
        if not mine:
            raise NotYourSeat
        return mine

    def _seat_row(self, seat: NewSeat, person: str, automatic: bool) -> SeatRow:
        kind, _, spec = seat.who.partition(":")
        if kind == "me":
            return SeatRow(PERSON, person=person, name=check_name(seat.name), automatic=automatic)
        if kind == "open":
            return SeatRow(OPEN, token=secrets.token_urlsafe(16))
        if kind == "bot" and spec in BOTS:
            return SeatRow(BOT, bot=spec)
        if kind == "bot":
            known = ", ".join(BOTS)
            raise BadSetup(say("there is no bot called {name}; there is: {known}", name=repr(spec)[:40], known=known))
        raise BadSetup(say("nobody of the kind {name} can sit at a table", name=repr(seat.who)[:40]))

    def _keep(self, table: Table) -> None:
        self._live[table.id] = table
        for other in list(self._live.values()):
            if len(self._live) <= MOST_LIVE:
                break
            if other is not table and not other.listeners and not other.thinking and not other.lock.locked():
                del self._live[other.id]

    def _tell(self, table: Table) -> None:
        table.changed()
        self.on_change(table)


def _draw_chance(match: Match, number: int) -> list[Entry]:
    """Make chance's moves until somebody must decide, with the system's own randomness."""
    entries: list[Entry] = []
    while match.turn == CHANCE:
        move = match.push(secrets.choice(list(match.legal_moves)))
        entries.append(Entry(number + len(entries), MOVE, CHANCE, str(move)))
    return entries


def check_name(name: str | None) -> str | None:
    """A name without blanks around it; None where nothing is left."""
    name = " ".join((name or "").split())
    return name or None


def _check_distinct(names: Sequence[str | None]) -> None:
    given = [name.casefold() for name in names if name is not None]
    if len(set(given)) < len(given):
        raise BadSetup(say("two players at a table cannot have the same name"))
