"""One table: its log, the match that follows from it, who sits where and whose move it is. It changes nothing on disk.

The match is only a cache of the log; where another process has written to the log, it is brought up to date.
"""

from __future__ import annotations

import asyncio
import struct
from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import TypeVar, cast

from malecon.kernel.errors import BadSetup, BadSnapshot
from malecon.kernel.game import Game, Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import CHANCE
from malecon.match import Match, Record, check_names
from malecon.match import dice as fair
from malecon.match.dice import Dice
from malecon.server.storage import snapshots
from malecon.server.storage.ledger import MOVE, Entry, Ledger
from malecon.server.storage.rows import RECORD, Loaded, SeatRow, TableRow, is_asleep, is_stopped
from malecon.server.tables import timing
from malecon.server.tables.face_down import FaceDown
from malecon.server.tables.foresight import reveals
from malecon.server.tables.notes import was_removed
from malecon.text import story as text_story

Made = TypeVar("Made")
#: Kinds of viewers for whom something is kept ready.
MOST_MADE = 64
#: Listeners that are woken before others have their turn; with more of them, whoever moved is answered first.
TOGETHER, HEAD_START = 16, 0.003
#: Bytes of a table that has just been opened, and of every move made there.
TABLE_SIZE, MOVE_SIZE = 60_000, 1_000


class Table:
    """A table in memory: its row, its log, the match that follows from it, and what listens to it."""

    def __init__(self, row: TableRow, entries: Sequence[Entry], begun: tuple[Match, Ledger] | None = None) -> None:
        self.row = row
        if begun is None:
            self.ledger = Ledger.of(entries)
            self.match = self._replayed()
        else:
            self.match, self.ledger = begun
        self.lock = asyncio.Lock()
        self.listeners: set[Callable[[], None]] = set()
        self.thinking = False
        self._made: dict[Hashable, object] = {}  # for viewers of a kind, all of the same revision
        self._made_at = -1
        self._story: list[list[Phrase]] = []
        self._face_down: FaceDown | None = None  # once somebody asks what has changed
        self.seated = self.version  # the version at which the seats changed last
        if begun is not None:
            self.follow(entries)
            self._rename()

    @classmethod
    def of(cls, loaded: Loaded) -> Table:
        """The table from disk; BadSnapshot where its snapshot is of no use and the whole log is needed."""
        if loaded.snapshot is None:
            return cls(loaded.row, loaded.entries)
        try:
            begun = snapshots.restore(loaded.snapshot, loaded.row, loaded.entries[0] if loaded.entries else None)
            return cls(loaded.row, loaded.entries[1:], begun)
        except BadSnapshot:
            raise
        except (KeyError, TypeError, ValueError, struct.error):  # it says it is sound, and is not
            raise BadSnapshot(say("these bytes are not a snapshot of a match")) from None

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def version(self) -> int:
        return self.ledger.version

    @property
    def revision(self) -> int:
        """Grows with every change, seats and pace included; the same in all processes."""
        return self.row.revision

    @property
    def dice(self) -> Dice | None:
        """The dice as everybody may know them: the secret is told when the game is over."""
        dice = self.row.dice
        return dice if dice is None or self.match.is_over or self.is_record else dice.covered()

    def record(self) -> Record:
        return Record.of(self.match, self.dice)

    @property
    def is_over(self) -> bool:
        """Whether nobody moves here any more: the game has ended, or all have agreed to stop."""
        return self.match.is_over or self.row.is_stopped

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
        return moves_by_itself(self.match, self.row.seats)

    def waits_for(self, seats: Collection[int]) -> bool:
        """Whether one of these seats must decide now."""
        turn = self.match.turn
        if turn is None or turn not in seats or self.is_record or self.row.is_stopped:
            return False
        return self.row.seats[turn].bot is None and not self.moves_by_itself

    def story(self) -> list[list[Phrase]]:
        """What each move did, told once; for viewers who may know each of those moves."""
        if len(self._story) < len(self.match):
            self._story += text_story(self.match, len(self._story))
        return self._story

    def may_undo(self, seats: Collection[int]) -> int | None:
        """The one of these seats that may take back its last move: nobody has acted since, and it revealed nothing."""
        seat = self.ledger.may_undo(seats)
        if seat is None or self.is_over or self.row.seats[seat].bot is not None:
            return None
        if self.row.clock and self.match.turn != seat:  # it would have a second turn's time for the same turn
            return None
        last = range(len(self.match) - self.ledger.reach_of_undo(), len(self.match))
        return None if any(reveals(self.match, index, seat) for index in last) else seat

    def may_redo(self, seats: Collection[int]) -> Entry | None:
        """The move that one of these seats took back last and could make again."""
        entry = self.ledger.may_redo(seats)
        return None if entry is None or self.is_over or self.row.seats[entry.seat].bot is not None else entry

    @property
    def is_fair(self) -> bool:
        """Whether nobody is wronged by a hint, or a look ahead: the game is over, or no other person plays in it.

        Where hints are allowed, all who sit down have been told so before.
        """
        return self.match.is_over or self.is_record or self.row.hints or not self.row.is_shared

    def has_part(self, person: str | None) -> bool:
        """Whether somebody sits here or owns the table; all others see and may do the same."""
        if self.seats_of(person) or self.row.owner == person:
            return True
        return was_removed(self.row.notes, self.id, person)  # who is told so

    def once(self, kind: Hashable, make: Callable[[], Made]) -> Made:
        """What is the same for all viewers of a kind is made once, and again when something has changed."""
        if self._made_at != self.revision or len(self._made) >= MOST_MADE:
            self._made.clear()
            self._made_at = self.revision
        if kind not in self._made:
            self._made[kind] = make()
        return cast(Made, self._made[kind])

    @property
    def size(self) -> int:
        """The bytes it takes in memory, with what is kept ready for its viewers; about."""
        ready = sum(len(made) for made in self._made.values() if isinstance(made, str | bytes))
        return TABLE_SIZE + MOVE_SIZE * len(self.match) + ready

    def known_moves(self, version: int) -> int | None:
        """How many of the first moves somebody who has seen that version knows for good; None where that is unclear."""
        if not 0 <= version <= self.version:
            return None
        kept = bisect_left(self.ledger.moves, version, key=lambda entry: entry.number)
        if self.match.game.conceals is None:
            return kept
        if self._face_down is None:
            self._face_down = FaceDown(self.match, self.version)
        return self._face_down.first_unknown(version, kept)

    def changed(self) -> None:
        listeners = tuple(self.listeners)
        if len(listeners) <= TOGETHER:
            self._wake(listeners)
        else:
            asyncio.get_running_loop().call_later(HEAD_START, self._wake, listeners)

    def _wake(self, listeners: tuple[Callable[[], None], ...]) -> None:
        """A few at a time: whoever made the move, and everybody else, does not wait for hundreds who look on."""
        for listener in listeners[:TOGETHER]:
            listener()
        if len(listeners) > TOGETHER:
            asyncio.get_running_loop().call_soon(self._wake, listeners[TOGETHER:])

    # --- following the log

    def follow(self, entries: Sequence[Entry], after: Match | None = None) -> None:
        """Take in what has just been committed; `after`: the match as it is then, if that is known."""
        kept = len(self.ledger.moves)
        for entry in entries:
            before = len(self.ledger.moves)
            self.ledger.add(entry)
            kept = min(kept, len(self.ledger.moves))
            del self._story[len(self.ledger.moves) :]
            if after is not None:
                self.match = after
            elif entry.kind == MOVE:
                self.match.push(entry.move)
            else:
                for _ in range(before - len(self.ledger.moves)):
                    self.match.pop()
        if self._face_down is not None:
            self._face_down.follow(self.match, self.version, kept)

    def take(self, row: TableRow) -> None:
        """Take in who sits where now, and whatever else is not in the log."""
        if row.seats != self.row.seats:
            self.seated = self.version
        renamed = [seat.name for seat in row.seats] != [seat.name for seat in self.row.seats]
        self.row = row
        if renamed:
            self._rename()

    def _rename(self) -> None:
        self.match.names = _names(self.match.game, self.row)
        self._story.clear()

    def _replayed(self) -> Match:
        row = self.row
        match = Match(row.game, row.players, options=row.options)
        match.names = _names(match.game, row)
        codes = [match.game.notation.code(entry.move) for entry in self.ledger.moves]
        match.make_all([code for code in codes if code is not None])
        return match


def moves_by_itself(match: Match, seats: Sequence[SeatRow]) -> bool:
    turn = match.turn
    if turn is None or turn < 0 or seats[0].kind == RECORD or is_stopped(seats):
        return False
    seat = seats[turn]
    if seat.bot is not None:
        return not is_asleep(seats)
    return bool(seat.person is not None and seat.automatic and len(match.legal_moves) == 1)


def draw_chance(match: Match, dice: Dice, number: int) -> list[Entry]:
    """Make chance's moves until somebody must decide, as the dice of the table say."""
    entries: list[Entry] = []
    assert dice.secret is not None
    while match.turn == CHANCE:
        move = match.push(fair.choose(dice.secret, len(match), map(str, match.legal_moves)))
        entries.append(Entry(number + len(entries), MOVE, CHANCE, str(move)))
    return entries


def deadline(
    match: Match, seats: Sequence[SeatRow], clock: int, now: float, begun: float | None = None
) -> float | None:
    """When whoever is to move must have done so; `begun`: as it was said when their turn began.

    It stays what it was while a bot stands in or forced moves are made: whoever comes back has no more time for it.
    Without a clock, nobody waits for another person for longer than a fortnight.
    """
    turn = match.turn
    if turn is None or turn < 0 or is_stopped(seats):
        return None
    if is_asleep(seats):  # nobody is in a hurry; but a game that nobody comes back to is counted one day
        return now + timing.FORTNIGHT
    if seats[turn].person is None:
        return None
    if not clock and len({seat.person for seat in seats if seat.person is not None}) > 1:
        clock = timing.FORTNIGHT
    if not clock:
        return None
    return now + clock if begun is None and not moves_by_itself(match, seats) else begun


def _names(game: Game, row: TableRow) -> tuple[Name, ...]:
    """Everybody's name; colours where one of the names on disk could not be: a table is never lost for its names."""
    try:
        return check_names(game, row.players, [seat.name for seat in row.seats])
    except BadSetup:
        return check_names(game, row.players, None)
