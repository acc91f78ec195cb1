"""What may be done at a table, by whom: opening it, moving, taking back, sitting down and leaving.

Every change is committed before anybody hears of it. What one table is stands in `table`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from malecon.kernel.errors import BadSetup, IllegalMove
from malecon.kernel.phrases import say
from malecon.kernel.verbs import CHANCE
from malecon.match import Match, Record, check_names
from malecon.server.errors import (
    BotPlays,
    NoSuchInvitation,
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
from malecon.server.names import tidy_name
from malecon.server.storage import snapshots
from malecon.server.storage.ledger import MOVE, UNDO, Entry, extended
from malecon.server.storage.rows import BOT, OPEN, PERSON, RECORD, Append, SeatRow, TableRow, with_seat
from malecon.server.tables import notes, timing
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable, new_table, table_of_record
from malecon.server.tables.seats import STAND_IN, abandoned_seat, check_distinct
from malecon.server.tables.table import Table, deadline, draw_chance, moves_by_itself


class TableActions(LiveTables):
    """All tables, and what may be done at them."""

    # --- opening

    async def open(self, wanted: NewTable, person: str, begun: Match | None = None) -> Table:
        """A new table, with the first moves of another game where it goes on from there."""
        table = await self._create(*new_table(wanted, person, begun, self._clock()))
        self.on_change(table)
        return table

    async def open_record(self, record: Record, person: str) -> Table:
        """An old game from a file, to look at and to go on from."""
        return await self._create(*await asyncio.to_thread(table_of_record, record, person))

    async def _create(self, row: TableRow, entries: list[Entry]) -> Table:
        table = Table(replace(row, digest=extended(None, entries)), entries)
        await asyncio.to_thread(self._storage.create, row, entries)
        self._keep(table)
        return table

    async def rematch(self, table: Table, wanted: NewTable, person: str) -> Table:
        """The table where the same people play again: the one that somebody has opened already, or a new one."""
        found: list[Table] = []

        async def change() -> None:
            if table.row.rematch is not None:
                known = await self.get(table.row.rematch)
                if not known.match.is_over:
                    found.append(known)
                    return
            new = await self.open(wanted, person)
            await asyncio.to_thread(self._storage.set_values, table.row, rematch=new.id)
            table.row = replace(table.row, rematch=new.id, revision=table.revision + 1)
            self._tell(table)
            self.on_rematch(table, person)
            found.append(new)

        await self._change(table, change)
        return found[-1]

    async def lead_on(self, table: Table, name: str) -> None:
        """Lead from a finished table to one that is open already, as if somebody there had wanted to play again."""

        async def change() -> None:
            if table.row.rematch is None:
                await asyncio.to_thread(self._storage.set_values, table.row, rematch=name)
                table.row = replace(table.row, rematch=name, revision=table.revision + 1)
                self._tell(table)

        await self._change(table, change)

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
            raise IllegalMove(say("this is an old game: start a new one from any of its positions"))
        if table.row.is_stopped:
            raise IllegalMove(say("the game was stopped: all agreed"))
        trial = table.match.copy()  # nothing may change before it is committed
        move = trial.push(text, seat=seat)
        assert table.row.dice is not None
        entries = [Entry(table.version, MOVE, seat, str(move), automatic)]
        entries += draw_chance(trial, table.row.dice, table.version + 1)
        await self._commit(table, entries, trial)

    async def _commit(self, table: Table, entries: Sequence[Entry], after: Match) -> None:
        """Write, then follow. `after` is the match once the entries have happened."""
        over, due = after.is_over, moves_by_itself(after, table.row.seats)
        begun, turn = timing.is_same_turn(table.match, after, entries), table.match.turn
        limit = deadline(after, table.row.seats, table.row.clock, self._clock(), table.row.deadline if begun else None)
        snapshot = None
        if (table.version + len(entries)) // snapshots.EVERY > table.version // snapshots.EVERY:
            ledger = table.ledger.copy()
            for entry in entries:
                ledger.add(entry)
            snapshot = snapshots.take(after, ledger)
        digest = extended(table.row.digest, entries, first=table.version)
        await self._log_writer.append(Append(table.row, entries, over, due, snapshot, limit, digest))
        for entry in entries:
            if entry.kind == MOVE:
                who = "chance" if entry.seat == CHANCE else "person" if table.bot_at(entry.seat) is None else "bot"
                self._metrics.moves[who] += 1
        table.follow(entries, after)
        table.row = replace(table.row, revision=table.revision + 1, over=over, due=due, deadline=limit, digest=digest)
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
            chosen = tidy_name(name)
            others = (*table.row.seats[:seat], *table.row.seats[seat + 1 :])
            check_distinct([chosen, *(other.name for other in others)])
            # nobody's move is made for them in a game that teaches
            forced = automatic and not table.row.guide
            new = replace(row, kind=PERSON, person=person, bot=None, name=chosen, automatic=forced)
            await self._sit(table, seat, new, notes.JOINED)

        await self._change(table, change)
        return table

    async def invited(self, token: str) -> tuple[Table, int]:
        """The table and seat of an invitation; NoSuchInvitation where there is none."""
        found = await asyncio.to_thread(self._storage.invited_to, token)
        if found is None:
            raise NoSuchInvitation
        return await self.get(found[0]), found[1]

    async def leave_to_bot(self, table: Table, person: str, seat: int) -> None:
        """Let a bot stand in: for one's own seat, or as owner of the table for one that nobody has taken."""

        async def change() -> None:
            row = self._seat_to_change(table, person, seat)
            if row.kind == RECORD or row.bot is not None:
                raise Refused(say("a bot is already playing there"))
            if row.kind == PERSON and row.person != person:
                raise NotYourSeat  # who must be replaced is sent away, and the game is not rated then
            await self._sit(table, seat, replace(row, bot=STAND_IN), notes.LEFT if row.kind == PERSON else "")

        await self._change(table, change)

    async def resign(self, table: Table, person: str, seat: int) -> None:
        """Give up one's own seat for good: a bot plays it to the end, and it comes in last."""

        async def change() -> None:
            row = self._seat_to_change(table, person, seat)
            if row.person != person:
                raise NotYourSeat
            if row.resigned:
                raise Resigned
            if table.match.is_over:
                raise Refused(say("the game is over"))
            await self._sit(table, seat, replace(row, bot=STAND_IN, resigned=True), notes.GAVE_UP)

        await self._change(table, change)

    async def agree_to_stop(self, table: Table, person: str, agree: bool) -> None:
        """Agree to end the game without a result, or not any more; it ends when all who play do."""

        async def change() -> None:
            mine = [seat for seat in table.seats_of(person) if not table.row.seats[seat].resigned]
            if not mine:
                raise NotYourSeat
            if table.is_over:
                raise Refused(say("the game is over"))
            if not table.row.is_shared:
                raise Refused(say("there is nobody to talk to at this table"))
            for seat in mine:
                new = replace(table.row.seats[seat], stop=agree)
                if new != table.row.seats[seat]:
                    ends = with_seat(table.row, seat, new).is_stopped
                    await self._sit(table, seat, new, notes.STOPPED if ends else notes.WANTS_STOP if agree else "")

        await self._change(table, change)

    async def take_back_seat(self, table: Table, person: str, seat: int) -> None:
        """Send the stand-in away; a seat nobody took waits for its guest again."""

        async def change() -> None:
            row = self._seat_to_change(table, person, seat)
            if row.kind == BOT or row.bot is None:
                raise Refused(say("no bot is standing in there"))
            if row.resigned:
                raise Resigned
            late = table.row.deadline is not None and table.row.deadline < self._clock()
            if late and seat == table.match.turn and not table.row.is_asleep:
                raise TimeIsUp
            await self._sit(table, seat, replace(row, bot=None, absent=False), notes.BACK if row.kind == PERSON else "")

        await self._change(table, change)

    async def remove(self, table: Table, person: str, seat: int) -> None:
        """As owner of the table, send somebody away: a bot plays on, until whoever has the new link sits down."""

        async def change() -> None:
            row = self._seat_to_change(table, person, seat)
            if table.row.owner != person:
                raise NotYourTable
            if row.kind != PERSON or row.person == person:
                raise Refused(say("nobody else is sitting there"))
            if table.match.is_over:
                raise Refused(say("the game is over"))
            await self._sit(table, seat, abandoned_seat(), notes.REMOVED, notes.mark(table.id, row.person or ""))

        await self._change(table, change)

    async def time_up(self, table: Table) -> None:
        """A turn has taken too long: a bot takes the seat over, as the table has chosen at the start."""

        async def change() -> None:
            await self._catch_up(table)
            late = table.row.deadline is not None and table.row.deadline < self._clock()
            seat = table.match.turn
            if late and table.row.is_asleep:  # nobody has come back for a fortnight
                for number, row in enumerate(table.row.seats):
                    if row.absent:
                        await self._sit(table, number, replace(row, resigned=True, absent=False), notes.OUT)
            elif late and seat is not None and seat >= 0 and table.waits_for((seat,)):
                resigned = table.row.time_up == timing.RESIGN or not table.row.clock
                new = replace(table.row.seats[seat], bot=STAND_IN, resigned=resigned, absent=not resigned)
                alone = with_seat(table.row, seat, new).is_asleep
                await self._sit(table, seat, new, notes.OUT if resigned else notes.ASLEEP if alone else notes.LATE)

        await self._change(table, change)

    async def set_pace(self, table: Table, person: str, pace: str) -> None:
        timing.check_pace(pace)

        async def change() -> None:
            if person != table.row.owner and not table.seats_of(person):
                raise NotYourSeat
            await asyncio.to_thread(self._storage.set_values, table.row, pace=pace)
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
        for seat in table.seats_of(person) if not table.row.guide else ():
            if table.row.seats[seat].automatic != automatic:
                await self._sit(table, seat, replace(table.row.seats[seat], automatic=automatic))

    def _seat_to_change(self, table: Table, person: str, seat: int) -> SeatRow:
        if not 0 <= seat < table.match.players:
            raise BadSetup(say("there is no seat {seat}", seat=seat))
        row = table.row.seats[seat]
        if row.person != person and table.row.owner != person:
            raise NotYourTable
        return row

    async def _sit(self, table: Table, seat: int, new: SeatRow, kind: str = "", whom: str = "") -> None:
        """Change a seat; with a note of that kind for the log, where everybody should hear of it."""
        noted = notes.with_note(table.row.notes, len(table.match), kind, seat, whom)
        row = replace(with_seat(table.row, seat, new), notes=noted)
        check_names(table.match.game, table.match.players, [other.name for other in row.seats])
        due = moves_by_itself(table.match, row.seats)
        old = table.row.seats[seat]
        begun = (seat != table.match.turn or new.person == old.person) and not table.row.is_asleep
        limit = deadline(table.match, row.seats, row.clock, self._clock(), row.deadline if begun else None)
        after = replace(row, revision=row.revision + 1, due=due, deadline=limit)
        if after.is_stopped:
            after = replace(after, over=True, settled=True)  # there is no result to be counted
        await asyncio.to_thread(self._storage.set_seat, table.row, seat, after)
        table.take(after)
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


def _check_version(table: Table, version: int | None) -> None:
    if version is not None and version != table.version:
        raise Stale
