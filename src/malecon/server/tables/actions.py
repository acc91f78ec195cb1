"""Live tables: what may be done at one, by whom. Every change is committed before anybody hears of it.

All of this runs on the event loop; the database does not. What one table is stands in `table`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from weakref import WeakValueDictionary

from malecon import dice as fair
from malecon.bots import LEVELS, SIMPLE
from malecon.dice import Dice
from malecon.kernel.errors import BadSetup, BadSnapshot, IllegalMove
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.verbs import CHANCE
from malecon.match import Match, check_names
from malecon.record import Record
from malecon.server.errors import (
    BotPlays,
    NoSuchInvitation,
    NoSuchTable,
    NothingToRepeat,
    NothingToTakeBack,
    NotYourSeat,
    NotYourTable,
    Refused,
    Resigned,
    Stale,
    TimeIsUp,
    TurnIsOver,
)
from malecon.server.operation.metrics import Metrics
from malecon.server.storage import snapshots
from malecon.server.storage.ledger import MOVE, UNDO, Entry
from malecon.server.storage.log_writer import LogWriter
from malecon.server.storage.store import BOT, OPEN, PERSON, RECORD, Append, SeatRow, Storage, TableRow, with_seat
from malecon.server.tables import clocks
from malecon.server.tables.table import Table, deadline, moves_by_itself

log = logging.getLogger("malecon.server")
#: Seconds a bot lets pass before its move is on the table.
PACES = {"calm": 1.4, "normal": 0.7, "fast": 0.25, "instant": 0.0}
#: What plays for somebody who has left.
STAND_IN = "aprendiz"
#: The bots one can ask for: no others, since some would think for an hour.
BOTS = (*(level.key for level in LEVELS), *SIMPLE)
#: How many tables are kept in memory that nobody looks at just now.
MOST_LIVE = 2_000
#: How often a change is tried again after others were faster.
TRIES = 5


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
    clock: str = "none"
    time_up: str = clocks.HAND_OVER


class Tables:
    """All tables, those in memory and those on disk."""

    def __init__(self, storage: Storage, metrics: Metrics | None = None) -> None:
        self._storage = storage
        self._log_writer = LogWriter(storage)
        self._metrics = metrics or Metrics()
        # Whoever still holds a table keeps sharing it with all others; this class holds those that were asked for last.
        self._live: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._changes: set[asyncio.Future[None]] = set()
        self.on_change: Callable[[Table], None] = lambda table: None
        self.on_turn: Callable[[Table], None] = lambda table: None  # in the process that made it somebody's, or over

    # --- finding and opening

    async def get(self, table_id: str) -> Table:
        """The table of that address; NoSuchTable where there is none."""
        table = self._live.get(table_id)
        if table is not None:
            self._keep(table)
            return table
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            try:
                table = self._live.get(table_id) or await self._load(table_id)
                self._keep(table)
            finally:
                self._loading.pop(table_id, None)
        if self._storage.is_shared:  # what came while it was being loaded was told to nobody here
            await self.catch_up(table)
        self.on_change(table)  # a bot whose turn it was when the server stopped goes on
        return table

    async def _load(self, table_id: str) -> Table:
        loaded = await asyncio.to_thread(self._storage.load, table_id)
        try:
            table = None if loaded is None else Table.of(loaded)
        except BadSnapshot:
            loaded = await asyncio.to_thread(self._storage.load, table_id, False)
            table = None if loaded is None else Table.of(loaded)
        if table is None:
            raise NoSuchTable
        if table.row.dice is None and not table.row.over and not table.is_record:  # from before dice could be checked
            dice = await asyncio.to_thread(self._storage.give_dice, table_id, Dice.new(len(table.match)))
            table.row = replace(table.row, dice=dice)
        return table

    @property
    def count(self) -> int:
        """How many are in memory."""
        return len(self._live)

    @property
    def thinking(self) -> int:
        """At how many of them something moves by itself."""
        return sum(table.thinking for table in self._live.values())

    def alive(self, table_id: str) -> Table | None:
        """The table of that address if it is in memory."""
        return self._live.get(table_id)

    async def open(self, wanted: NewTable, person: str, begun: Match | None = None) -> Table:
        """A new table, with the first moves of another game where it goes on from there."""
        if wanted.pace not in PACES:
            raise BadSetup(say("there is no pace called {name}", name=repr(wanted.pace)[:40]))
        clock = clocks.check(wanted.clock, wanted.time_up)
        rows = tuple(self._seat_row(seat, person, wanted.automatic) for seat in wanted.seats)
        names = [seat.name for seat in rows]
        _check_distinct(names)
        match = Match(wanted.game, len(rows), options=wanted.options, names=names)
        entries = [
            Entry(number, MOVE, turn.seat, str(turn.move))
            for number, turn in enumerate(begun.history if begun is not None else ())
        ]
        match.make_all([match.game.notation.code(entry.move) or 0 for entry in entries])
        dice = Dice.new(len(entries))
        entries += _draw_chance(match, dice, len(entries))
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
            over=match.is_over,
            due=moves_by_itself(match, rows),
            dice=dice,
            clock=clock,
            time_up=wanted.time_up,
            deadline=deadline(match, rows, clock),
        )
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
            dice=record.dice,
        )
        entries = [Entry(number, MOVE, turn.seat, str(turn.move)) for number, turn in enumerate(match.history)]
        await asyncio.to_thread(self._storage.create, row, entries)
        table = Table(row, entries)
        self._keep(table)
        return table

    async def mine(self, person: str, most: int = 40) -> list[TableRow]:
        return await asyncio.to_thread(self._storage.tables_of, person, most)

    # --- keeping up with other processes

    async def catch_up(self, table: Table) -> None:
        """Take in what other processes have written."""
        async with table.lock:
            await self._catch_up(table)

    async def catch_up_all(self) -> None:
        """The same for all tables in memory, after some news may have been missed."""
        last = await asyncio.to_thread(self._storage.revisions, tuple(self._live))
        for table in tuple(self._live.values()):
            if last.get(table.id) != table.revision:
                try:
                    await self.catch_up(table)
                except Exception:  # one that cannot be read keeps nobody else from the news
                    log.exception("table %s cannot be followed", table.id)

    async def _catch_up(self, table: Table) -> bool:
        """Whether there was anything new."""
        loaded = await asyncio.to_thread(self._storage.news, table.id, table.revision, table.version)
        if loaded is None:
            return False
        try:
            table.follow(loaded.entries)
            table.take(loaded.row)
        except BaseException:  # half of it was taken in: the next one who asks gets it afresh from disk
            self._forget(table)
            raise
        self._tell(table)
        return True

    async def _change(self, table: Table, change: Callable[[], Awaitable[None]]) -> None:
        """Do something to a table as it stands. Where another process was faster, it is tried on what that left.

        Whoever hangs up meanwhile does not stop it half-way.
        """

        async def trying() -> None:
            async with table.lock:
                for _ in range(TRIES):
                    try:
                        return await change()
                    except Stale:
                        if not await self._catch_up(table):
                            raise
                raise Stale

        task = asyncio.ensure_future(trying())
        self._changes.add(task)
        task.add_done_callback(self._changed)
        await asyncio.shield(task)

    def _changed(self, task: asyncio.Future[None]) -> None:
        self._changes.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked for it has heard, or has hung up

    async def finish(self) -> None:
        """Wait for all changes that have begun."""
        while self._changes:
            await asyncio.gather(*self._changes, return_exceptions=True)
        await self._log_writer.close()

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

        async def change() -> None:
            _check_version(table, version)
            mine = table.seats_of(person)
            if not mine or (seat is not None and seat not in mine):
                raise NotYourSeat
            turn = table.match.turn
            mover = turn if seat is None and turn in mine else seat
            mover = mine[0] if mover is None else mover
            if table.row.seats[mover].resigned:
                raise Resigned
            await self._make(table, text, mover, automatic)

        await self._change(table, change)

    async def bot_move(self, table: Table, text: str, seat: int, version: int, automatic: bool = False) -> None:
        """Make a move that a bot has chosen, or that was the only one; Stale where the table has moved on."""

        async def change() -> None:
            _check_version(table, version)
            await self._make(table, text, seat, automatic)

        await self._change(table, change)

    async def undo(self, table: Table, person: str, version: int | None = None) -> None:
        async def change() -> None:
            _check_version(table, version)
            mine = self._playing(table, person)
            seat = table.may_undo(mine)
            if seat is None:
                last = table.ledger.may_undo(mine)
                if table.row.clock and last is not None and not table.match.is_over and table.match.turn != last:
                    raise TurnIsOver
                raise NothingToTakeBack
            trial = table.match.copy()
            for _ in range(table.ledger.reach_of_undo()):
                trial.pop()
            await self._commit(table, [Entry(table.version, UNDO, seat)], trial)

        await self._change(table, change)

    async def redo(self, table: Table, person: str, version: int | None = None) -> None:
        async def change() -> None:
            _check_version(table, version)
            entry = table.may_redo(self._playing(table, person))
            if entry is None:
                raise NothingToRepeat
            await self._make(table, entry.move, entry.seat, entry.automatic)

        await self._change(table, change)

    async def _make(self, table: Table, text: str, seat: int, automatic: bool) -> None:
        if table.is_record:
            raise IllegalMove(say("this is an old game: play on from any position as a new one"))
        trial = table.match.copy()  # nothing may change before it is committed
        move = trial.push(text, seat=seat)
        assert table.row.dice is not None
        entries = [Entry(table.version, MOVE, seat, str(move), automatic)]
        entries += _draw_chance(trial, table.row.dice, table.version + 1)
        await self._commit(table, entries, trial)

    async def _commit(self, table: Table, entries: Sequence[Entry], after: Match) -> None:
        """Write, then follow. `after` is the match once the entries have happened."""
        over, due = after.is_over, moves_by_itself(after, table.row.seats)
        begun, turn = clocks.is_same_turn(table.match, after, entries), table.match.turn
        limit = deadline(after, table.row.seats, table.row.clock, table.row.deadline if begun else None)
        snapshot = None
        if (table.version + len(entries)) // snapshots.EVERY > table.version // snapshots.EVERY:
            ledger = table.ledger.copy()
            for entry in entries:
                ledger.add(entry)
            snapshot = snapshots.take(after, ledger)
        await self._log_writer.append(Append(table.row, entries, over, due, snapshot, limit))
        for entry in entries:
            if entry.kind == MOVE:
                who = "chance" if entry.seat == CHANCE else "person" if table.bot_at(entry.seat) is None else "bot"
                self._metrics.moves[who] += 1
        table.follow(entries, after)
        table.row = replace(table.row, revision=table.revision + 1, over=over, due=due, deadline=limit)
        self._tell(table)
        if table.match.turn != turn:
            self.on_turn(table)

    # --- seats

    async def join(self, token: str, person: str, name: str | None, automatic: bool) -> Table:
        """Take the seat of an invitation, and the name that goes with it."""
        table, seat = await self.invited(token)

        async def change() -> None:
            row = table.row.seats[seat]
            if row.person == person:
                return
            if row.kind != OPEN:
                raise NoSuchInvitation
            chosen = check_name(name)
            _check_distinct([chosen, *(other.name for other in table.row.seats)])
            new = replace(row, kind=PERSON, person=person, bot=None, name=chosen, automatic=automatic)
            await self._sit(table, seat, new)

        await self._change(table, change)
        return table

    async def invited(self, token: str) -> tuple[Table, int]:
        """The table and seat of an invitation; NoSuchInvitation where there is none."""
        found = await asyncio.to_thread(self._storage.invited_to, token)
        if found is None:
            raise NoSuchInvitation
        return await self.get(found[0]), found[1]

    async def leave_to_bot(self, table: Table, person: str, seat: int) -> None:
        """Let a bot stand in: for one's own seat, or as owner of the table for any that a person left or never took."""

        async def change() -> None:
            row = self._seat_to_change(table, person, seat)
            if row.kind == RECORD or row.bot is not None:
                raise Refused(say("a bot plays there already"))
            await self._sit(table, seat, replace(row, bot=STAND_IN))

        await self._change(table, change)

    async def take_back_seat(self, table: Table, person: str, seat: int) -> None:
        """Send the stand-in away; a seat nobody took waits for its guest again."""

        async def change() -> None:
            row = self._seat_to_change(table, person, seat)
            if row.kind == BOT or row.bot is None:
                raise Refused(say("no stand-in plays there"))
            if row.resigned:
                raise Resigned
            late = table.row.deadline is not None and table.row.deadline < time.time()
            if late and seat == table.match.turn:
                raise TimeIsUp
            await self._sit(table, seat, replace(row, bot=None))

        await self._change(table, change)

    async def remove(self, table: Table, person: str, seat: int) -> None:
        """As owner of the table, send somebody away: a bot plays on, until whoever has the new link sits down."""

        async def change() -> None:
            row = self._seat_to_change(table, person, seat)
            if table.row.owner != person:
                raise NotYourTable
            if row.kind != PERSON or row.person == person:
                raise Refused(say("nobody else sits there"))
            if table.match.is_over:
                raise Refused(say("the game is over"))
            token = secrets.token_urlsafe(16)
            await self._sit(table, seat, SeatRow(OPEN, bot=STAND_IN, token=token, taken_over=True))

        await self._change(table, change)

    async def time_up(self, table: Table) -> None:
        """A turn has taken too long: a bot takes the seat over, as the table has chosen at the start."""

        async def change() -> None:
            await self._catch_up(table)
            late = table.row.deadline is not None and table.row.deadline < time.time()
            seat = table.match.turn
            if late and seat is not None and seat >= 0 and table.waits_for((seat,)):
                resigned = table.row.time_up == clocks.RESIGN
                await self._sit(table, seat, replace(table.row.seats[seat], bot=STAND_IN, resigned=resigned))

        await self._change(table, change)

    async def set_pace(self, table: Table, person: str, pace: str) -> None:
        if pace not in PACES:
            raise BadSetup(say("there is no pace called {name}", name=repr(pace)[:40]))

        async def change() -> None:
            if person != table.row.owner and not table.seats_of(person):
                raise NotYourSeat
            await asyncio.to_thread(self._storage.set_pace, table.row, pace)
            table.row = replace(table.row, pace=pace, revision=table.revision + 1)
            self._tell(table)

        await self._change(table, change)

    async def set_automatic(self, person: str, automatic: bool) -> None:
        """A person's wish to have forced moves made, at all tables of theirs."""
        for row in await self.mine(person):
            if not row.over:
                table = await self.get(row.id)
                await self._change(table, partial(self._set_automatic, table, person, automatic))

    async def _set_automatic(self, table: Table, person: str, automatic: bool) -> None:
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
        row = with_seat(table.row, seat, new)
        check_names(table.match.game, table.match.players, [other.name for other in row.seats])
        due = moves_by_itself(table.match, row.seats)
        old = table.row.seats[seat]
        begun = seat != table.match.turn or new.person == old.person
        limit = deadline(table.match, row.seats, row.clock, row.deadline if begun else None)
        await asyncio.to_thread(self._storage.set_seat, table.row, seat, new, due, limit)
        table.take(replace(row, revision=row.revision + 1, due=due, deadline=limit))
        self._tell(table)

    # --- inside

    def _playing(self, table: Table, person: str) -> Collection[int]:
        """The seats somebody plays themselves; refused where there is none."""
        mine = table.seats_of(person)
        if not mine:
            raise NotYourSeat
        playing = [seat for seat in mine if table.row.seats[seat].bot is None]
        if not playing:
            raise Resigned if all(table.row.seats[seat].resigned for seat in mine) else BotPlays
        return playing

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
        self._live[table.id] = self._recent[table.id] = table
        self._recent.move_to_end(table.id)
        while len(self._recent) > MOST_LIVE:
            self._recent.popitem(last=False)

    def _forget(self, table: Table) -> None:
        self._live.pop(table.id, None)
        self._recent.pop(table.id, None)

    def _tell(self, table: Table) -> None:
        table.changed()
        self.on_change(table)


def _draw_chance(match: Match, dice: Dice, number: int) -> list[Entry]:
    """Make chance's moves until somebody must decide, as the dice of the table say."""
    entries: list[Entry] = []
    assert dice.secret is not None
    while match.turn == CHANCE:
        move = match.push(fair.choose(dice.secret, len(match), map(str, match.legal_moves)))
        entries.append(Entry(number + len(entries), MOVE, CHANCE, str(move)))
    return entries


def _check_version(table: Table, version: int | None) -> None:
    if version is not None and version != table.version:
        raise Stale


def check_name(name: str | None) -> str | None:
    """A name without blanks around it; None where nothing is left."""
    name = " ".join((name or "").split())
    return name or None


def _check_distinct(names: Sequence[str | None]) -> None:
    given = [name.casefold() for name in names if name is not None]
    if len(set(given)) < len(given):
        raise BadSetup(say("two players at a table cannot have the same name"))
