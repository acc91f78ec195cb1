"""One table in memory: its log, the match that follows from it, its seats and whose move it is.

Nothing here is written to disk. The match is only a cache of the log.
"""

from __future__ import annotations

import asyncio
import struct
from bisect import bisect_left
from collections import deque
from collections.abc import AsyncGenerator, Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

import numpy as np

from malecon.kernel.errors import BadSetup, BadSnapshot, IllegalMove
from malecon.kernel.game import Game, Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import CHANCE
from malecon.kernel.view import FACE_DOWN
from malecon.match import Match, Record, Score, check_names
from malecon.match import dice as fair
from malecon.match.dice import Dice
from malecon.server.errors import Unavailable
from malecon.server.orders.planned_moves import OpenQuestion, PlannedDecision, asked_together, decide, early_questions
from malecon.server.storage import snapshots
from malecon.server.storage.game_log import MOVE, DamagedLog, GameLog, LogEntry
from malecon.server.storage.plans import NO_PLANS
from malecon.server.storage.rows import RECORD, Loaded, SeatRow, TableRow, is_abandoned, is_shared, is_stopped
from malecon.server.tables import timing
from malecon.server.tables.move_preview import reveals
from malecon.server.tables.seats import was_removed
from malecon.text import story as text_story

Value = TypeVar("Value")
#: Values that are cached for one revision of a table.
MOST_CACHED = 64
#: Listeners that are called at once, before other tasks of the event loop have their turn.
LISTENERS_AT_ONCE = 16
#: How long more listeners than that are kept waiting, so that the request of the mover is answered first.
NOTIFY_DELAY_SECONDS = 0.003
#: Estimated memory of a table that has just been opened.
TABLE_BYTES = 60_000
#: Estimated memory of each move.
MOVE_BYTES = 1_000
#: Moves turned up that are remembered; a viewer who saw the table before all of them is sent every move again.
MOST_REVEALED = 200


@dataclass(frozen=True, eq=False)
class MoveStory:
    """What a move did, in sentences. It is equal to itself alone, so that what is made of it can be cached by it."""

    phrases: tuple[Phrase, ...]


class Table:
    """A table in memory: its row, its log, the match that follows from it, and its listeners."""

    def __init__(self, row: TableRow, entries: Sequence[LogEntry], begun: tuple[Match, GameLog] | None = None) -> None:
        self.row = row
        if begun is None:
            self.game_log = GameLog.of(entries)
            self.match = self._replayed()
        else:
            self.match, self.game_log = begun
        self.lock = asyncio.Lock()
        self.listeners: set[Callable[[], None]] = set()
        self.thinking = False
        self.is_outdated = False  # it could not be read again after it had changed: nobody may go on with it
        self._cache: dict[Hashable, object] = {}  # all of the same revision
        self._cached_revision = -1
        self._story: list[MoveStory] = []
        self._hidden_moves: _HiddenMoves | None = None  # made when a delta is asked for
        self.seats_version = self.version  # the version at which the seats changed last
        if begun is not None:
            self.apply(entries)
            self._rename()

    @classmethod
    def of(cls, loaded: Loaded) -> Table:
        """Return the table from disk; raise BadSnapshot if its snapshot is of no use and the whole log is needed."""
        if loaded.snapshot is None:
            return cls(loaded.row, loaded.entries)
        try:
            begun = snapshots.restore(loaded.snapshot, loaded.row, loaded.entries[0] if loaded.entries else None)
            return cls(loaded.row, loaded.entries[1:], begun)
        except BadSnapshot:
            raise
        except (KeyError, TypeError, ValueError, struct.error):  # its digest is right, its content is not
            raise BadSnapshot(say("these bytes are not a snapshot of a match")) from None

    def detached(self) -> Table:
        """Return a copy for another thread, with caches of its own. It follows no changes."""
        return Table(self.row, (), (self.match.copy(), self.game_log))

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def version(self) -> int:
        return self.game_log.version

    @property
    def revision(self) -> int:
        """Grows with every change, seats and pace included; the same in all processes."""
        return self.row.revision

    @property
    def dice(self) -> Dice | None:
        """The dice as everybody may see them: with the secret when the game is over, also if all agreed to stop."""
        dice = self.row.dice
        return dice if dice is None or self.is_over or self.is_record else dice.covered()

    @property
    def scores(self) -> tuple[Score, ...]:
        """Every seat's points, with their sources: counted once, since that takes the whole game."""
        return self.cached("scores", lambda: self.match.scores)

    def record(self) -> Record:
        return Record.of(self.match, self.dice)

    @property
    def is_over(self) -> bool:
        """Whether no more moves are made: the game has ended, or all have agreed to stop."""
        return self.match.is_over or self.row.is_stopped

    @property
    def is_record(self) -> bool:
        """Whether this is an old game from a file: to look at, not to play."""
        return self.row.seats[0].kind == RECORD

    def seats_of(self, person: str | None) -> tuple[int, ...]:
        return tuple(i for i, seat in enumerate(self.row.seats) if seat.person == person) if person else ()

    def bot_at(self, seat: int) -> str | None:
        """Return the bot that plays this seat now, its own or a stand-in."""
        return self.row.seats[seat].bot

    @property
    def is_automatic(self) -> bool:
        """Whether the next move is made without a person: by a bot, as the player has planned, or because it is forced
        and the seat allows it.
        """
        return is_automatic(self.match, self.row.seats, self.game_log)

    @property
    def is_attended(self) -> bool:
        """Whether somebody sits at the table or watches it."""
        return bool(self.listeners) or any(seat.person is not None for seat in self.row.seats)

    def waits_for(self, seats: Collection[int]) -> bool:
        """Return whether one of these seats must decide now."""
        return any(seat in seats for seat in self.asked_seats)

    @property
    def asked_seats(self) -> tuple[int, ...]:
        """The seats that must decide now: the one to move, and in a question to all those who have not answered yet."""
        return self.cached("asked", lambda: asked_seats(self.match, self.row.seats, self.game_log))

    @property
    def decided_seats(self) -> tuple[int, ...]:
        """The seats that have answered a question to all, and wait for others; everybody may know that."""
        return self.cached("decided", lambda: asked_together(self.match, self.game_log, self.row.seats)[1])

    def early_questions(self, seat: int) -> list[OpenQuestion]:
        """Return the questions that a seat may answer though it is not its turn."""
        if self.is_over or self.is_record:
            return []
        return early_questions(self.match, self.game_log, self.row.seats, seat)

    def plans_decide(self) -> PlannedDecision:
        """Return what the plans of the seat to move decide."""
        turn = self.match.turn
        plans = NO_PLANS if turn is None or turn < 0 else self.row.seats[turn].plans
        return decide(self.match, self.game_log, plans)

    def seen_by(self, person: str | None) -> object:
        """Return what a person may notice of the table's state: neither the plans of others nor what lies face down."""
        seats = tuple(
            seat if seat.person == person and person else replace(seat, plans=NO_PLANS) for seat in self.row.seats
        )
        row = self.row.changed(seats=seats, revision=0, created=0.0, digest=None, dice=self.dice)
        return self.version, self.decided_seats, row

    def story(self) -> list[MoveStory]:
        """Return what each move did; for viewers who may know all moves."""
        if len(self._story) < len(self.match):
            self._story += [MoveStory(tuple(lines)) for lines in text_story(self.match, len(self._story))]
        return self._story

    def may_undo(self, seats: Collection[int]) -> int | None:
        """Return the one of these seats that may undo: it acted last, and its move revealed nothing to it."""
        seat = self.game_log.may_undo(seats)
        if seat is None or self.is_over or self.row.seats[seat].bot is not None:
            return None
        if self.row.turn_seconds and self.match.turn != seat:  # it would have the time of a second turn
            return None
        last = range(len(self.match) - self.game_log.reach_of_undo(), len(self.match))
        return None if any(reveals(self.match, index, seat) for index in last) else seat

    def may_redo(self, seats: Collection[int]) -> LogEntry | None:
        """Return the move that one of these seats took back last and may make again."""
        entry = self.game_log.may_redo(seats)
        return None if entry is None or self.is_over or self.row.seats[entry.seat].bot is not None else entry

    @property
    def is_fair(self) -> bool:
        """Whether a hint is unfair to nobody: the game is over, no other person plays, or the table allows hints.

        A table that allows hints says so to everybody before they sit down.
        """
        return self.match.is_over or self.is_record or self.row.hints or not self.row.is_shared

    def has_part(self, person: str | None) -> bool:
        """Return whether a person owns the table, sits here or was removed; all others see and may do the same."""
        if self.seats_of(person) or self.row.is_owner(person):
            return True
        return was_removed(self.row.notes, self.id, person)

    def cached(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return a value that is made once for each revision of the table."""
        if self._cached_revision != self.revision or len(self._cache) >= MOST_CACHED:
            self._cache.clear()
            self._cached_revision = self.revision
        if key not in self._cache:
            self._cache[key] = make()
        return cast(Value, self._cache[key])

    @property
    def size(self) -> int:
        """The estimated bytes in memory, with the cache."""
        cached = sum(map(_size, self._cache.values()))
        return TABLE_BYTES + MOVE_BYTES * len(self.match) + cached

    def known_moves(self, version: int) -> int | None:
        """Return how many first moves a viewer who saw that version needs no more; None if there is no such version."""
        if not 0 <= version <= self.version:
            return None
        kept = bisect_left(self.game_log.moves, version, key=lambda entry: entry.number)
        if self.match.game.conceals is None:
            return kept
        if self._hidden_moves is None:
            self._hidden_moves = _HiddenMoves(self.match, self.version)
        return self._hidden_moves.first_unknown(version, kept)

    async def changes(self, at_once: bool) -> AsyncGenerator[None]:
        """Yield after every change, quick ones together; with `at_once`, before the first change too.

        Raise Unavailable if the table is outdated.
        """
        woken = asyncio.Event()
        revision = None if at_once else self.revision
        self.listeners.add(woken.set)
        try:
            while True:
                woken.clear()
                if self.is_outdated:
                    raise Unavailable
                if revision != self.revision:
                    revision = self.revision
                    yield
                await woken.wait()
        finally:
            self.listeners.discard(woken.set)

    def notify(self) -> None:
        """Call all listeners."""
        listeners = tuple(self.listeners)
        if len(listeners) <= LISTENERS_AT_ONCE:
            self._call(listeners)
        else:
            asyncio.get_running_loop().call_later(NOTIFY_DELAY_SECONDS, self._call, listeners)

    def _call(self, listeners: tuple[Callable[[], None], ...]) -> None:
        """Call listeners a few at a time, so that no request waits for hundreds of spectators."""
        for listener in listeners[:LISTENERS_AT_ONCE]:
            listener()
        if len(listeners) > LISTENERS_AT_ONCE:
            asyncio.get_running_loop().call_soon(self._call, listeners[LISTENERS_AT_ONCE:])

    # --- following the database

    def apply(self, entries: Sequence[LogEntry], after: Match | None = None) -> None:
        """Apply entries that have been committed, all or none; `after` is the match as it is then, if that is known."""
        game_log, match = self.game_log.copy(), self.match.copy() if after is None else after
        kept = len(game_log.moves)
        for entry in entries:
            before = len(game_log.moves)
            game_log.add(entry)
            kept = min(kept, len(game_log.moves))
            if after is not None:
                continue
            if entry.kind == MOVE:
                match.push(entry.move)
            else:
                for _ in range(before - len(game_log.moves)):
                    match.pop()
        self.game_log, self.match = game_log, match
        del self._story[kept:]
        if self._hidden_moves is not None:
            self._hidden_moves.update(self.match, self.version, kept)

    def set_row(self, row: TableRow) -> None:
        """Replace the row: the seats, and whatever else is not in the log."""
        if _without_plans(row) != _without_plans(self.row):
            self.seats_version = self.version
        renamed = [seat.name for seat in row.seats] != [seat.name for seat in self.row.seats]
        self.row = row
        if renamed:
            self._rename()

    def become(self, other: Table) -> None:
        """Take over what another object of the same table has, for those who hold this one or listen to it."""
        self.row, self.game_log, self.match = other.row, other.game_log, other.match
        self._cache.clear()
        self._story.clear()
        self._hidden_moves = None
        self.seats_version = self.version
        self.is_outdated = False

    def _rename(self) -> None:
        self.match.names = _names(self.match.game, self.row)
        self._story.clear()

    def _replayed(self) -> Match:
        row = self.row
        match = Match(row.game, row.players, options=row.options)
        match.names = _names(match.game, row)
        codes: list[int] = []
        for entry in self.game_log.moves:
            code = match.game.notation.code(entry.move)
            if code is None:
                raise DamagedLog(row.id, f"entry {entry.number} is no move of {row.game}: {entry.move[:60]!r}")
            codes.append(code)
        try:
            match.make_all(codes)
        except IllegalMove as error:
            raise DamagedLog(row.id, str(error)) from error
        return match


def _size(value: object) -> int:
    """Return how much text or how many bytes a value holds, in lists, too."""
    if isinstance(value, str | bytes):
        return len(value)
    return sum(map(_size, value)) if isinstance(value, list | tuple) else 0


class _HiddenMoves:
    """The moves of one match that spectators cannot see, and when others of them were revealed.

    A delta must repeat both: what its reader has seen of such a move is not what it is now.
    """

    def __init__(self, match: Match, version: int) -> None:
        self._begin(match, version)

    def _begin(self, match: Match, version: int) -> None:
        self._hidden: list[int] = np.flatnonzero(match.view(None).history.codes == FACE_DOWN).tolist()
        self._length = len(match)
        self._since = version
        self._revealed: deque[tuple[int, int]] = deque()  # the version, and the number of the move

    def update(self, match: Match, version: int, kept: int) -> None:
        """Follow a change of the match; its first `kept` moves are those that were there before."""
        if len(match) < self._length:  # a revealed move may be hidden again: older viewers are sent every move
            return self._begin(match, version)
        conceals, now = match.game.conceals, match.position
        assert conceals is not None
        before = [index for index in self._hidden if index < kept]
        self._hidden = [
            index
            for index in (*before, *range(min(kept, self._length), len(match)))
            if conceals(match.position_after(index), now, match.code_at(index))
        ]
        self._length = len(match)
        still = set(self._hidden)
        self._revealed.extend((version, index) for index in before if index not in still)
        while len(self._revealed) > MOST_REVEALED:
            self._since = self._revealed.popleft()[0]

    def first_unknown(self, version: int, most: int) -> int:
        """Return the first of `most` moves that a viewer who saw that version may not know as it is now."""
        if version < self._since:
            return 0
        revealed = (index for when, index in self._revealed if when > version)
        return min((*self._hidden, *revealed, most))


def is_automatic(match: Match, seats: Sequence[SeatRow], game_log: GameLog) -> bool:
    """Return whether the next move is made without a person: by a bot, as its player has planned, or if it is forced
    and everybody sees that.
    """
    turn = match.turn
    if turn is None or turn < 0 or seats[0].kind == RECORD or is_stopped(seats):
        return False
    seat = seats[turn]
    if seat.bot is not None:
        return not is_abandoned(seats)
    if seat.person is not None and decide(match, game_log, seat.plans).code is not None:
        return True
    if seat.person is None or not seat.automatic or len(match.legal_moves) > 1:
        return False
    # a move at once would tell other people that there was no choice: where they cannot see that, the player makes it
    return not is_shared(seats) or not has_secrets(match, turn)


def asked_seats(match: Match, seats: Sequence[SeatRow], game_log: GameLog) -> tuple[int, ...]:
    """Return the seats that must decide now: the one to move first, then those that are asked at the same time."""
    turn = match.turn
    if turn is None or turn < 0 or seats[0].kind == RECORD or is_stopped(seats):
        return ()
    first = () if seats[turn].bot is not None or is_automatic(match, seats, game_log) else (turn,)
    return first + asked_together(match, game_log, seats)[0]


def _without_plans(row: TableRow) -> list[SeatRow]:
    return [replace(seat, plans=NO_PLANS) if seat.plans else seat for seat in row.seats]


def has_secrets(match: Match, seat: int) -> bool:
    """Return whether this seat sees something that others may not see, on which its choices may depend."""
    return bool(match.view(seat).position.tobytes() != match.view(None).position.tobytes())


def draw_chance(match: Match, dice: Dice, number: int) -> list[LogEntry]:
    """Make chance's moves until a player must decide, and return them; the dice of the table choose them."""
    entries: list[LogEntry] = []
    assert dice.secret is not None
    while match.turn == CHANCE:
        outcomes, notation = match.legal_moves.codes, match.game.notation.name
        move = match.push_code(fair.choose(dice.secret, len(match), outcomes, notation))
        entries.append(LogEntry(number + len(entries), MOVE, CHANCE, str(move)))
    return entries


def deadline(
    match: Match,
    seats: Sequence[SeatRow],
    clock: int,
    now: float,
    begun: float | None = None,
    is_automatic: bool = False,
) -> float | None:
    """Return when the seat to move must have moved; `begun` is the deadline that was set when its turn began.

    It stays what it was while a bot stands in or forced moves are made: a player who comes back has no more time for
    the turn. Without a clock, nobody waits for another person for longer than a fortnight.
    """
    turn = match.turn
    if turn is None or turn < 0 or is_stopped(seats):
        return None
    if is_abandoned(seats):  # there is no hurry; but a game to which no player returns gets a result one day
        return now + timing.FORTNIGHT_SECONDS
    if seats[turn].person is None:
        return None
    if not clock and len({seat.person for seat in seats if seat.person is not None}) > 1:
        clock = timing.FORTNIGHT_SECONDS
    if not clock:
        return None
    return now + clock if begun is None and not is_automatic else begun


def _names(game: Game, row: TableRow) -> tuple[Name, ...]:
    """Return the players' names; colours if a name on disk is not allowed, so that no table is lost for its names."""
    try:
        return check_names(game, row.players, [seat.name for seat in row.seats])
    except BadSetup:
        return check_names(game, row.players, None)
