"""All tables of a server: loading them, refreshing them from the database, and every change that people or bots make.

A change is committed before anybody is told. All of this runs on the event loop; the database does not. What one table
is stands in `table`; a person is only an identifier here.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from malecon.kernel.errors import BadSetup, BadSnapshot, IllegalMove
from malecon.kernel.phrases import say
from malecon.kernel.questions import Order, SharedQuestion, open_questions, order_kind, question_at
from malecon.kernel.verbs import CHANCE
from malecon.kernel.view import parse_code
from malecon.match import Match, Record, check_names
from malecon.server.background import Background
from malecon.server.errors import (
    BotPlays,
    Forbidden,
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
from malecon.server.events import Events
from malecon.server.names import person_name
from malecon.server.operations.memory import TABLES, Memory
from malecon.server.operations.metrics import Metrics
from malecon.server.orders.planned_moves import asked_view, is_alone, is_still_asked, new_answer, without_used
from malecon.server.storage import snapshots
from malecon.server.storage.game_log import MOVE, UNDO, LogEntry, extended
from malecon.server.storage.log_writer import LogWriter
from malecon.server.storage.notices import Notice
from malecon.server.storage.plans import Plans
from malecon.server.storage.rows import BOT, OPEN, PERSON, RECORD, Append, Loaded, SeatRow, TableRow, with_seat
from malecon.server.storage.store import Storage
from malecon.server.storage.table_options import RESIGN
from malecon.server.tables import seats, timing
from malecon.server.tables.events import RematchOpened, TableChanged, TurnEnded
from malecon.server.tables.opening import NewTable, new_table, table_of_record
from malecon.server.tables.table import Table, deadline, draw_chance, is_automatic

log = logging.getLogger("malecon.server")
Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")
#: How often a change is tried again after other processes were faster.
MOST_TRIES = 5
#: Between two comparisons of the tables that somebody follows with the database.
CHECK_INTERVAL_SECONDS = 15.0


def changes_table(
    method: Callable[Concatenate[LiveTables, Table, Parameters], Coroutine[Any, Any, Result]],
) -> Callable[Concatenate[LiveTables, Table, Parameters], Coroutine[Any, Any, Result]]:
    """Make a method one change of its table: it holds the table's lock and is finished even if its caller is cancelled.

    If another process was faster, the method runs again on what that process left. Both need the body as a function: a
    context manager can neither run its body twice nor keep it from being cancelled with the caller.
    """

    @wraps(method)
    async def changing(
        tables: LiveTables, table: Table, /, *arguments: Parameters.args, **named: Parameters.kwargs
    ) -> Result:
        return await tables._change(table, partial(method, tables, table, *arguments, **named))

    return changing


class LiveTables:
    """All tables, those in memory and those on disk. All callers that get the same table get the same object."""

    def __init__(
        self,
        storage: Storage,
        metrics: Metrics | None = None,
        memory: Memory | None = None,
        clock: Callable[[], float] = time.time,
        events: Events | None = None,
    ) -> None:
        self._storage = storage
        self._events = events or Events()
        self._clock = clock
        self._log_writer = LogWriter(storage)
        self._metrics = metrics or Metrics()
        # A table that is still in use is shared by all its users; this class holds those that were asked for last.
        self._live: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: dict[str, Table] = {}
        self._memory = memory or Memory(0)
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._changes = Background()
        self._next_check = 0.0
        self.check_words: Callable[..., None] = lambda *texts: None  # raises an error if one must not be shown

    # --- loading

    async def get(self, table_id: str) -> Table:
        """Return the table with that id; raise NoSuchTable if there is none."""
        table = self._live.get(table_id)
        if table is not None:
            if table.is_outdated:
                await self.refresh(table)
            if table_id in self._recent:
                self._memory.touch(TABLES, table_id)
            else:  # it is in use, though there was no memory to keep it
                self._keep(table)
            return table
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = self._changes.begin(self._load(table_id), is_awaited=True)
            loading.add_done_callback(lambda _: self._loading.pop(table_id))
        table = await asyncio.shield(loading)  # other callers wait for it too: it goes on if this one is cancelled
        if self._storage.is_shared:  # notices that came while it was being loaded were dropped
            await self.refresh(table)
        self._events.publish(TableChanged(table))  # a bot that was to move when the server stopped goes on
        return table

    async def _load(self, table_id: str) -> Table:
        table = await self._read(table_id)
        self._keep(table)
        return table

    async def _read(self, table_id: str) -> Table:
        """Return a table as it is on disk."""
        loaded = await asyncio.to_thread(self._storage.load, table_id)
        try:
            table = None if loaded is None else Table.of(loaded)
        except BadSnapshot:
            loaded = await asyncio.to_thread(self._storage.load, table_id, False)
            table = None if loaded is None else Table.of(loaded)
        if table is None:
            raise NoSuchTable
        return table

    @property
    def count(self) -> int:
        """The number of tables in memory."""
        return len(self._live)

    @property
    def thinking(self) -> int:
        """The number of tables in memory at which autoplay is at work."""
        return sum(table.thinking for table in self._live.values())

    def get_loaded(self, table_id: str) -> Table | None:
        """Return the table with that id if it is in memory."""
        return self._live.get(table_id)

    async def tables_of(self, person: str, most: int = 40) -> list[TableRow]:
        """Return the tables that a person opened or sits at, the last changed first."""
        return await asyncio.to_thread(self._storage.tables_of, person, most)

    def _keep(self, table: Table) -> None:
        self._live[table.id] = self._recent[table.id] = table
        self._memory.use(TABLES, table.id, table.size, partial(self._recent.pop, table.id, None))

    # --- following other processes

    async def refresh(self, table: Table) -> None:
        """Apply what other processes have written about a table."""
        async with table.lock:
            await self._refresh(table)

    def on_notice(self, notice: Notice) -> None:
        """Apply a change that another process made, if the table is in memory and does not have it yet."""
        table = self._live.get(notice.name)
        if table is not None and (notice.revision is None or table.revision < notice.revision):
            self._changes.begin(self._apply_notice(table, notice))

    async def _apply_notice(self, table: Table, notice: Notice) -> None:
        try:
            async with table.lock:
                moved = notice.moved
                if table.is_outdated or moved is None or notice.revision != table.revision + 1:
                    if notice.revision is None or table.revision < notice.revision:
                        await self._refresh(table)
                    return
                row = replace(
                    table.row,
                    revision=notice.revision,
                    over=moved.over,
                    needs_autoplay=moved.needs_autoplay,
                    deadline=moved.deadline,
                    digest=moved.digest,
                )
                await self._apply(table, Loaded(row, moved.new_entries()))
        except Exception:  # a table that cannot be read must not keep notices from the others
            log.exception("table %s cannot be refreshed", table.id)
            self._mark_outdated(table)

    async def refresh_all(self) -> None:
        """Refresh all tables in memory, after notices may have been missed."""
        await self._refresh_changed(tuple(self._live.values()))

    async def tick(self) -> None:
        """Refresh, now and then, the tables that somebody follows: for those people a lost notice would be silence."""
        now = time.monotonic()
        if self._storage.is_shared and now >= self._next_check:
            self._next_check = now + CHECK_INTERVAL_SECONDS
            await self._refresh_changed([table for table in self._live.values() if table.listeners])

    async def _refresh_changed(self, tables: Sequence[Table]) -> None:
        last = await asyncio.to_thread(self._storage.revisions, [table.id for table in tables])
        for table in tables:
            if table.is_outdated or last.get(table.id) != table.revision:
                try:
                    await self.refresh(table)
                except Exception:  # the others are refreshed all the same
                    log.exception("table %s cannot be refreshed", table.id)
                    self._mark_outdated(table)

    async def _refresh(self, table: Table) -> bool:
        """Return whether there was anything new."""
        if table.is_outdated:
            await self._reload(table)
            return True
        loaded = await asyncio.to_thread(self._storage.changes_since, table.id, table.revision, table.version)
        if loaded is None:
            return False
        await self._apply(table, loaded)
        return True

    async def _apply(self, table: Table, loaded: Loaded) -> None:
        """Apply what was read, or sent by another process; if it does not fit, load the table again."""
        try:
            table.apply([entry for entry in loaded.entries if entry.number >= table.version])
        except Exception:
            log.exception("table %s does not fit its log; it is loaded again", table.id)
            return await self._reload(table)
        table.set_row(loaded.row)
        self._notify(table)

    async def _reload(self, table: Table) -> None:
        """Read a whole table again, into the same object: autoplay and live connections hold it."""
        try:
            table.become(await self._read(table.id))
        except BaseException:
            self._mark_outdated(table)
            raise
        self._notify(table)

    def _mark_outdated(self, table: Table) -> None:
        """Make the followers of a table connect again, and the next caller of `get` read it from disk."""
        table.is_outdated = True
        table.notify()

    # --- changing

    async def _change(self, table: Table, change: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        async def try_again_if_stale() -> Result:
            async with table.lock:
                if table.is_outdated:
                    await self._reload(table)
                for _ in range(MOST_TRIES):
                    try:
                        return await change()
                    except Stale:
                        if not await self._refresh(table):
                            raise
                raise Stale

        return await asyncio.shield(self._changes.begin(try_again_if_stale(), is_awaited=True))

    async def finish(self) -> None:
        """Wait for all changes that have begun."""
        await self._changes.finish()
        await self._log_writer.close()

    def _notify(self, table: Table) -> None:
        self._keep(table)  # it may have grown
        table.notify()
        self._events.publish(TableChanged(table))

    # --- opening

    async def open(self, new: NewTable, person: str, begun: Match | None = None) -> Table:
        """Open a new table; with `begun`, the moves of that game are made already."""
        table = await self._create(*new_table(new, person, begun, self._clock()))
        self._events.publish(TableChanged(table))
        return table

    async def open_record(self, record: Record, person: str) -> Table:
        """Open a game from a file, to look at and to go on from."""
        return await self._create(*await asyncio.to_thread(table_of_record, record, person))

    async def _create(self, row: TableRow, entries: list[LogEntry], finished: TableRow | None = None) -> Table:
        """Create a table; it is the rematch of a finished one if there is one."""
        table = Table(replace(row, digest=extended(None, entries)), entries)
        await asyncio.to_thread(self.check_words, *(seat.name for seat in row.seats if seat.name is not None))
        if finished is None:
            await asyncio.to_thread(self._storage.create, row, entries)
        else:
            await asyncio.to_thread(self._storage.create_rematch, finished, row, entries)
        self._keep(table)
        return table

    @changes_table
    async def rematch(self, table: Table, new: NewTable, person: str) -> Table:
        """Return the table where the same people play again: the one that was opened already, or a new one."""
        if table.row.rematch is not None:
            next_table = await self.get(table.row.rematch)
            if not next_table.is_over:
                return next_table
        next_table = await self._create(*new_table(new, person, None, self._clock()), finished=table.row)
        table.row = replace(table.row, rematch=next_table.id, revision=table.revision + 1)
        self._notify(table)
        self._events.publish(TableChanged(next_table))
        self._events.publish(RematchOpened(table, person))
        return next_table

    @changes_table
    async def link_rematch(self, table: Table, name: str) -> None:
        """Let a finished table lead to one that is open already, as if a player there had asked for a rematch."""
        if table.row.rematch is None:
            await self._set_values(table, rematch=name)

    @changes_table
    async def set_pace(self, table: Table, person: str, pace: str) -> None:
        """Change the pace of the bots, for the owner or a player."""
        timing.check_pace(pace)
        if not table.row.is_owner(person) and not table.seats_of(person):
            raise NotYourSeat
        await self._set_values(table, pace=pace)

    @changes_table
    async def set_page_thinks(self, table: Table, person: str, page_thinks: bool) -> None:
        """Change where bots think, for the player of a game that counts nowhere.

        A game that counts keeps its bots on the server: otherwise a player who is losing could stop it from counting.
        """
        if not table.seats_of(person):
            raise NotYourSeat
        if not table.row.casual:
            raise Refused(say("the bots of this table think on the server"))
        await self._set_values(table, page_thinks=page_thinks)

    async def _set_values(self, table: Table, **values: Any) -> None:
        await asyncio.to_thread(self._storage.set_values, table.row, **values)
        table.row = replace(table.row, **values, revision=table.revision + 1)
        self._notify(table)

    # --- moves

    @changes_table
    async def move(
        self,
        table: Table,
        person: str,
        text: str,
        version: int | None = None,
        seat: int | None = None,
        automatic: bool = False,
    ) -> None:
        """Make a move for a person. Raise Stale if the table is no longer at `version`, which the person saw."""
        _check_version(table, version)
        own_seats = table.seats_of(person)
        if not own_seats or (seat is not None and seat not in own_seats):
            raise NotYourSeat
        turn = table.match.turn
        mover = turn if seat is None and turn in own_seats else seat
        mover = own_seats[0] if mover is None else mover
        if table.row.seats[mover].resigned:
            raise Resigned
        if table.match.turn == mover and table.row.seats[mover].plans:
            table.match.copy().push_code(parse_code(table.match.game, text), seat=mover)  # a refusal changes nothing
            await self._clear_plans_made_void(table, mover)
        await self._make(table, parse_code(table.match.game, text), mover, automatic)

    @changes_table
    async def bot_move(self, table: Table, code: int, seat: int, version: int) -> None:
        """Make a move that a bot has chosen; raise Stale if the table is not at `version`."""
        _check_version(table, version)
        await self._make(table, code, seat, automatic=False)

    @changes_table
    async def automatic_move(self, table: Table, seat: int, version: int) -> None:
        """Make the move that the plans of a seat decide now, or its only legal one; raise Stale if it has neither.

        The plans are looked at here, and not before: an answer can be changed until it is used.
        """
        _check_version(table, version)
        if table.match.turn != seat or table.bot_at(seat) is not None or not table.is_automatic:
            raise Stale
        code = table.plans_decide().code
        await self._make(table, table.match.legal_moves.codes[0] if code is None else code, seat, automatic=True)

    # --- plans

    @changes_table
    async def answer(self, table: Table, person: str, key: str, move: str, version: int | None = None) -> None:
        """Answer a question before the rules reach one's seat, again if it has been answered; at once if they have.

        Raise Stale if the person saw the table at another version. Where all are asked at once, the moves of others
        since then change nothing.
        """
        seat = self._planning_seat(table, person)
        question = self._question(table, seat, key)
        if not question.together:
            _check_version(table, version)
        given = table.version if version is None else version
        if not is_still_asked(table.match, table.game_log, seat, question, given):
            raise Stale
        if table.match.turn == seat and int(table.match.position.phase) == question.phase:
            await self._clear_plans_made_void(table, seat)
            await self._make(table, parse_code(table.match.game, move), seat, automatic=False)
            return
        answer = new_answer(table.match, seat, question, move, given)
        await self._set_plans(table, seat, table.row.seats[seat].plans.with_answer(key, answer))

    @changes_table
    async def withdraw_answer(self, table: Table, person: str, key: str) -> None:
        """Take back an answer that was not used yet."""
        seat = self._planning_seat(table, person)
        await self._set_plans(table, seat, table.row.seats[seat].plans.with_answer(key, None))

    @changes_table
    async def give_order(self, table: Table, person: str, order: Order) -> None:
        """Give a standing order, in place of another that answers the same question."""
        seat = self._planning_seat(table, person)
        known = order_kind(table.match.game, order.kind)
        if known is None or not known[1].is_valid(order):
            raise Refused(say("there is no such order"))
        question, kind = known
        seen = ""
        if kind.seen is not None:
            view = table.match.view(seat)
            if seat not in question.waiting(view.position):
                raise Refused(say("this order can be given only when you are asked"))
            seen = kind.seen(asked_view(view, question).position)
        kinds = [other.key for other in question.orders]
        plans = table.row.seats[seat].plans.with_answer(question.key, None)
        await self._set_plans(table, seat, plans.with_order(kinds, replace(order, seen=seen)))

    @changes_table
    async def stop_order(self, table: Table, person: str, kind: str) -> None:
        """Stop a standing order of that kind."""
        seat = self._planning_seat(table, person)
        await self._set_plans(table, seat, table.row.seats[seat].plans.with_order([kind], None))

    def _planning_seat(self, table: Table, person: str) -> int:
        """Return the seat that a person may plan for; raise a refusal if there is none, or several."""
        seats_played = self._playing(table, person)
        if table.is_over or table.is_record:
            raise Refused(say("the game is over"))
        seat = next(iter(seats_played))
        if not is_alone(table.row.seats, seat):
            raise Refused(say("with several seats at one screen, answers are given in turn"))
        return seat

    def _question(self, table: Table, seat: int, key: str) -> SharedQuestion:
        for question in open_questions(table.match.game, table.match.view(seat).position, seat):
            if question.key == key:
                return question
        raise Refused(say("you are not asked that now"))

    async def _clear_plans_made_void(self, table: Table, seat: int) -> None:
        """Remove what its player decides otherwise now: an answer that was dropped, an order that has stopped."""
        decision, plans = table.plans_decide(), table.row.seats[seat].plans
        if decision.dropped is not None:
            plans = plans.with_answer(decision.dropped.question, None)
        if decision.stopped is not None:
            plans = plans.with_order([decision.stopped.kind], None)
        await self._set_plans(table, seat, without_used(table.match, table.game_log, seat, plans))

    async def _set_plans(self, table: Table, seat: int, plans: Plans) -> None:
        if plans != table.row.seats[seat].plans:
            await self._set_seat(table, seat, replace(table.row.seats[seat], plans=plans))

    @changes_table
    async def undo(self, table: Table, person: str, version: int | None = None) -> None:
        _check_version(table, version)
        own_seats = self._playing(table, person)
        seat = table.may_undo(own_seats)
        if seat is None:
            last = table.game_log.may_undo(own_seats)
            if table.row.turn_seconds and last is not None and not table.match.is_over and table.match.turn != last:
                raise TurnIsOver
            raise NothingToTakeBack
        trial = table.match.copy()
        for _ in range(table.game_log.reach_of_undo()):
            trial.pop()
        question = question_at(trial.game, trial.position, seat)
        if question is not None:  # an order would make the move again at once
            kinds = [kind.key for kind in question.orders]
            await self._set_plans(table, seat, table.row.seats[seat].plans.with_order(kinds, None))
        await self._commit(table, [LogEntry(table.version, UNDO, seat)], trial)

    @changes_table
    async def redo(self, table: Table, person: str, version: int | None = None) -> None:
        _check_version(table, version)
        entry = table.may_redo(self._playing(table, person))
        if entry is None:
            raise NothingToRepeat
        await self._make(table, parse_code(table.match.game, entry.move), entry.seat, entry.automatic)

    async def _make(self, table: Table, code: int, seat: int, automatic: bool) -> None:
        if table.is_record:
            raise IllegalMove(say("this is an old game: start a new one from any of its positions"))
        if table.row.is_stopped:
            raise IllegalMove(say("the game was stopped: all agreed"))
        trial = table.match.copy()  # nothing may change before it is committed
        move = trial.push_code(code, seat=seat)
        assert table.row.dice is not None
        entries = [LogEntry(table.version, MOVE, seat, str(move), automatic)]
        entries += draw_chance(trial, table.row.dice, table.version + 1)
        await self._commit(table, entries, trial)

    async def _commit(self, table: Table, entries: Sequence[LogEntry], after: Match) -> None:
        """Write entries, then apply them. `after` is the match once the entries have happened."""
        over = after.is_over
        game_log = table.game_log.copy()
        for entry in entries:
            game_log.add(entry)
        needs_autoplay = is_automatic(after, table.row.seats, game_log)
        turn, asked_before = table.match.turn, table.asked_seats
        same_turn = timing.is_same_turn(table.match, after, entries)
        was_asked = same_turn or (after.turn != turn and after.turn in asked_before and entries[-1].seat == turn)
        begun = table.row.deadline if was_asked else None
        limit = deadline(after, table.row.seats, table.row.turn_seconds, self._clock(), begun, needs_autoplay)
        snapshot = None
        if (table.version + len(entries)) // snapshots.INTERVAL_ENTRIES > table.version // snapshots.INTERVAL_ENTRIES:
            snapshot = snapshots.take(after, game_log)
        digest = extended(table.row.digest, entries)
        await self._log_writer.append(Append(table.row, entries, over, needs_autoplay, snapshot, limit, digest))
        for entry in entries:
            if entry.kind == MOVE:
                who = "chance" if entry.seat == CHANCE else "person" if table.bot_at(entry.seat) is None else "bot"
                self._metrics.moves.labels(who).inc()
        table.apply(entries, after)
        table.row = table.row.changed(
            revision=table.revision + 1,
            over=over,
            needs_autoplay=needs_autoplay,
            deadline=limit,
            digest=digest,
        )
        self._notify(table)
        newly_asked = tuple(seat for seat in table.asked_seats if seat not in asked_before)
        if table.match.turn != turn or newly_asked:
            self._events.publish(TurnEnded(table, newly_asked))

    def _playing(self, table: Table, person: str) -> Collection[int]:
        """Return the seats that a person plays without a stand-in; raise a refusal if there is none."""
        own_seats = table.seats_of(person)
        if not own_seats:
            raise NotYourSeat
        playing = [seat for seat in own_seats if table.row.seats[seat].bot is None]
        if not playing:
            raise Resigned if all(table.row.seats[seat].resigned for seat in own_seats) else BotPlays
        return playing

    # --- seats

    async def join(self, token: str, person: str, name: str | None, automatic: bool) -> Table:
        """Take the seat of an invitation."""
        table, seat = await self.invited(token)
        await self._join(table, seat, person, name, automatic)
        return table

    @changes_table
    async def _join(self, table: Table, seat: int, person: str, name: str | None, automatic: bool) -> None:
        row = table.row.seats[seat]
        if row.person == person:
            return
        if row.kind != OPEN or table.row.is_stopped:  # the game would go on with dice that everybody knows
            raise NoSuchInvitation
        chosen = person_name(name)
        await asyncio.to_thread(self.check_words, chosen or "")
        others = (*table.row.seats[:seat], *table.row.seats[seat + 1 :])
        seats.check_distinct([chosen, *(other.name for other in others)])
        forced = automatic and not table.row.guide  # a guide explains forced moves, so the player makes them
        new = replace(row, kind=PERSON, person=person, bot=None, name=chosen, automatic=forced)
        await self._set_seat(table, seat, new, seats.JOINED)

    async def invited(self, token: str) -> tuple[Table, int]:
        """Return the table and seat of an invitation; raise NoSuchInvitation if there is none."""
        invitation = await asyncio.to_thread(self._storage.invited_to, token)
        if invitation is None:
            raise NoSuchInvitation
        table_id, seat = invitation
        return await self.get(table_id), seat

    @changes_table
    async def leave_to_bot(self, table: Table, person: str, seat: int) -> None:
        """Let a bot stand in: for the person's own seat, or, if the table is theirs, for one that is still open."""
        row = self._seat_to_change(table, person, seat)
        if row.kind == RECORD or row.bot is not None:
            raise Refused(say("a bot is already playing there"))
        if row.kind == PERSON and row.person != person:
            raise NotYourSeat  # a player is replaced by `remove`, and the game is not rated then
        new = replace(row, bot=seats.STAND_IN)
        await self._set_seat(table, seat, new, seats.LEFT if row.kind == PERSON else "")

    @changes_table
    async def resign(self, table: Table, person: str, seat: int) -> None:
        """Give up one's own seat for good: a bot plays it to the end, and it comes in last."""
        row = self._seat_to_change(table, person, seat)
        if row.person != person:
            raise NotYourSeat
        if row.resigned:
            raise Resigned
        if table.is_over:
            raise Refused(say("the game is over"))
        await self._set_seat(table, seat, replace(row, bot=seats.STAND_IN, resigned=True), seats.GAVE_UP)

    @changes_table
    async def agree_to_stop(self, table: Table, person: str, agree: bool) -> None:
        """Agree to end the game without a result, or withdraw that; the game ends when all players agree."""
        own_seats = [seat for seat in table.seats_of(person) if not table.row.seats[seat].resigned]
        if not own_seats:
            raise NotYourSeat
        if table.is_over:
            raise Refused(say("the game is over"))
        if not table.row.is_shared:
            raise Refused(say("there is nobody to talk to at this table"))
        for seat in own_seats:
            new = replace(table.row.seats[seat], stop=agree)
            if new != table.row.seats[seat]:
                ends = with_seat(table.row, seat, new).is_stopped
                await self._set_seat(table, seat, new, seats.STOPPED if ends else seats.WANTS_STOP if agree else "")

    @changes_table
    async def take_back_seat(self, table: Table, person: str, seat: int) -> None:
        """Send the stand-in away; a seat that was open is open again."""
        row = self._seat_to_change(table, person, seat)
        if row.kind == BOT or row.bot is None:
            raise Refused(say("no bot is standing in there"))
        if row.kind == PERSON and row.person != person:
            raise NotYourSeat  # its player left it to the bot, and would lose on time
        if row.resigned:
            raise Resigned
        late = table.row.deadline is not None and table.row.deadline < self._clock()
        if late and seat == table.match.turn and not table.row.is_abandoned:
            raise TimeIsUp
        new = replace(row, bot=None, absent=False)
        await self._set_seat(table, seat, new, seats.BACK if row.kind == PERSON else "")

    @changes_table
    async def remove(self, table: Table, person: str, seat: int) -> None:
        """Remove a player, for the host of the table: a bot plays on until a person with the new link sits down.

        Nobody hosts a public table: a player who is losing could end a rated game by removing the others.
        """
        if table.row.public:
            raise Forbidden(say("nobody can be removed from a public table"))
        row = self._seat_to_change(table, person, seat)
        if not table.row.hosts(person):
            raise NotYourTable
        if row.kind != PERSON or row.person == person:
            raise Refused(say("nobody else is sitting there"))
        if table.is_over:
            raise Refused(say("the game is over"))
        removed = seats.removed_mark(table.id, row.person or "")
        await self._set_seat(table, seat, seats.abandoned_seat(), seats.REMOVED, removed)

    @changes_table
    async def time_up(self, table: Table) -> None:
        """Give the seat to move to a bot if its time is up, for good if the table was opened so."""
        await self._refresh(table)
        late = table.row.deadline is not None and table.row.deadline < self._clock()
        seat = table.match.turn
        if late and table.row.is_abandoned:  # for a fortnight
            for number, row in enumerate(table.row.seats):
                if row.absent:
                    await self._set_seat(table, number, replace(row, resigned=True, absent=False), seats.OUT)
        elif late and seat is not None and seat >= 0 and table.waits_for((seat,)):
            resigned = table.row.time_up == RESIGN or not table.row.turn_seconds
            new = replace(table.row.seats[seat], bot=seats.STAND_IN, resigned=resigned, absent=not resigned)
            abandoned = with_seat(table.row, seat, new).is_abandoned
            kind = seats.OUT if resigned else seats.ASLEEP if abandoned else seats.LATE
            await self._set_seat(table, seat, new, kind)

    async def set_automatic(self, person: str, automatic: bool) -> None:
        """Set whether forced moves are made for a person, at all their unfinished tables."""
        for row in await self.tables_of(person):
            if not row.over:
                await self._set_automatic(await self.get(row.id), person, automatic)

    @changes_table
    async def _set_automatic(self, table: Table, person: str, automatic: bool) -> None:
        for seat in table.seats_of(person) if not table.row.guide else ():
            if table.row.seats[seat].automatic != automatic:
                await self._set_seat(table, seat, replace(table.row.seats[seat], automatic=automatic))

    def _seat_to_change(self, table: Table, person: str, seat: int) -> SeatRow:
        if not 0 <= seat < table.match.players:
            raise BadSetup(say("there is no seat {seat}", seat=seat))
        row = table.row.seats[seat]
        if row.person != person and not table.row.hosts(person):
            raise NotYourTable
        return row

    async def _set_seat(self, table: Table, seat: int, new: SeatRow, kind: str = "", whom: str = "") -> None:
        """Change a seat; with a kind, add a note of that kind to the table's log."""
        notes = seats.with_note(table.row.notes, len(table.match), kind, seat, whom)
        row = replace(with_seat(table.row, seat, new), notes=notes)
        check_names(table.match.game, table.match.players, [other.name for other in row.seats])
        old = table.row.seats[seat]
        same_turn = (seat != table.match.turn or new.person == old.person) and not table.row.is_abandoned
        needs_autoplay = is_automatic(table.match, row.seats, table.game_log)
        begun = row.deadline if same_turn else None
        limit = deadline(table.match, row.seats, row.turn_seconds, self._clock(), begun, needs_autoplay)
        after = replace(row, revision=row.revision + 1, needs_autoplay=needs_autoplay, deadline=limit)
        if after.is_stopped:
            after = replace(after, over=True, result_recorded=True)  # there is no result to record
        await asyncio.to_thread(self._storage.set_seat, table.row, seat, after)
        table.set_row(after)
        self._notify(table)


def _check_version(table: Table, version: int | None) -> None:
    if version is not None and version != table.version:
        raise Stale
