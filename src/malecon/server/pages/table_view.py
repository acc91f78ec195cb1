"""A table as one viewer sees it: everything the page shows, made of that viewer's own view and of nothing else."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from malecon.bots import LEVELS
from malecon.drawing.scene import STEP
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase
from malecon.kernel.view import parse_code
from malecon.match import Match, Move, View
from malecon.server import texts
from malecon.server.accounts.visitors import Visitor
from malecon.server.pages.drawings import Targets, initials, moves_at, targets
from malecon.server.storage.rows import BOT, OPEN, PERSON, Note, SeatRow
from malecon.server.tables.foresight import foresee
from malecon.server.tables.notes import ASLEEP, GAVE_UP, LATE, OUT, REMOVED, STOPPED, WANTS_STOP, was_removed
from malecon.server.tables.table import Table
from malecon.text import describe_move, is_way_out, translate
from malecon.text import heading as text_heading
from malecon.text import prompt as text_prompt

#: The last moves shown in the log; the replay has them all.
LOG_MOVES = 60
#: Keys that choose a move, in order; the letters that do other things are left out.
#: The key that declines what is offered.
WAY_OUT = "x"
#: As many moves stand in a list as they are; more are grouped.
MOST_UNGROUPED = 8
KEYS = string.digits[1:] + "".join(letter for letter in string.ascii_lowercase if letter not in "hrsux")
BOT_NAMES = {level.key: level.name for level in LEVELS} | {"random": texts.RANDOM_BOT, "greedy": texts.GREEDY_BOT}


@dataclass(frozen=True)
class Viewer:
    """Who looks at a table, and how. `as_seat`: with several people at one screen, the one who said it is theirs."""

    person: str | None
    language: str
    layout: str = "wide"
    as_seat: int | None = None

    @classmethod
    def of(cls, visitor: Visitor, as_seat: int | None = None) -> Viewer:
        return cls(visitor.person, visitor.language, visitor.layout, as_seat)


@dataclass(frozen=True)
class MoveChoice:
    """A legal move as the page offers it."""

    move: str
    key: str
    said: Phrase
    preview: str
    final: bool
    places: tuple[str, ...]
    heading: str  # over what it stands under in a long list
    out: bool  # whether it declines what is offered


@dataclass(frozen=True)
class SeatView:
    """A seat as everybody sees it, and what this viewer can do about it."""

    seat: int
    colour: str
    name: str
    letter: str
    label: str
    to_move: bool
    thinks: bool
    mine: bool
    near: bool  # the seat whose holdings the viewer keeps in sight
    token: str | None
    place: int  # in the end; 0 before
    can_leave: bool
    can_return: bool
    can_remove: bool
    can_resign: bool


@dataclass(frozen=True)
class LogLine:
    number: int
    colour: str  # of who moved; empty for chance
    told: tuple[Phrase, ...]
    language: str

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(translate(line, self.language) for line in self.told)


@dataclass(frozen=True)
class Perspective:
    """Whose view is shown (None: a spectator's), and the seat that must first say that it is at the screen."""

    seat: int | None
    cover: int | None
    mine: tuple[int, ...]


def perspective(table: Table, viewer: Viewer) -> Perspective:
    """With several seats at one screen only the one whose turn it is is shown, and only after it said so."""
    mine, turn = table.seats_of(viewer.person), table.match.turn
    if len(mine) < 2 or turn is None:
        return Perspective(mine[0] if mine else None, None, mine)
    if not table.waits_for(mine):
        return Perspective(None, None, mine)
    if viewer.as_seat == turn or not has_secrets(table.match, turn):
        return Perspective(turn, None, mine)
    return Perspective(None, turn, mine)


def has_secrets(match: Match, seat: int) -> bool:
    """Whether this seat sees now what nobody else may."""
    return bool(match.view(seat).position.tobytes() != match.view(None).position.tobytes())


def may_move(table: Table, where: Perspective) -> bool:
    return where.seat is not None and table.waits_for((where.seat,))


def choices(view: View, language: str, places: Targets) -> list[MoveChoice]:
    """Every legal move of the view's seat, with its key, its name and its consequences."""
    where: dict[str, list[str]] = {}
    for place, moves in places.items():
        for move in moves:
            if place:
                where.setdefault(move.text, []).append(place.removeprefix(STEP))
    found = []
    legal = list(view.legal_moves)
    for move, key in zip(legal, _keys(view, legal), strict=True):
        ahead = foresee(view, move)
        told = [*ahead.lines, ahead.then]
        found.append(
            MoveChoice(
                move=move.text,
                key=key,
                said=describe_move(view, move),
                preview=" ".join(translate(line, language) for line in told),
                final=ahead.final,
                places=tuple(where.get(move.text, ())),
                heading=translate(heading, language) if (heading := text_heading(view, move)) else "",
                out=is_way_out(view, move),
            )
        )
    return found


@dataclass(frozen=True)
class MoveList:
    """The moves as the dock shows them: ways out first, then groups; or a stepper where they are mere amounts."""

    out: list[MoveChoice]
    groups: list[tuple[str, list[MoveChoice]]]  # by heading; without one they stand by themselves
    amounts: bool

    @classmethod
    def of(cls, view: View, found: list[MoveChoice]) -> MoveList:
        out, rest = [one for one in found if one.out], [one for one in found if not one.out]
        numbers = _numbers(view, [one.move for one in rest])
        amounts = len(numbers) > MOST_UNGROUPED and all(written == meant for written, meant in numbers)
        groups: dict[str, list[MoveChoice]] = {}
        for one in rest:
            groups.setdefault(one.heading if len(rest) > MOST_UNGROUPED else "", []).append(one)
        alone = [one for group in groups.values() for one in group if len(group) == 1 or not one.heading]
        if len(groups) < 2:
            return cls(out, [("", rest)] if rest else [], amounts)
        shared = [(name, group) for name, group in groups.items() if name and len(group) > 1]
        return cls(out, [("", alone), *shared] if alone else shared, amounts)


def _numbers(view: View, names: Sequence[str]) -> list[tuple[int, int]]:
    """If moves of these names differ in nothing but a number at their end: as it is written, and what it stands for."""
    readings = [view.game.notation.read(parse_code(view.game, name)) for name in names]
    written = [name.split()[-1] for name in names]
    alike = len({reading.family for reading in readings}) == 1 and all(len(reading.parts) == 1 for reading in readings)
    if not alike or not all(word.isdigit() for word in written):
        return []
    return [(int(word), reading.parts[0]) for word, reading in zip(written, readings, strict=True)]


def _keys(view: View, legal: Sequence[Move]) -> list[str]:
    """A key for each move: a bid of six is made with 6; else the keys follow the order of the list."""
    if numbers := _numbers(view, [move.text for move in legal]):
        return [str(written) if written < 10 else "" for written, _ in numbers]
    keys = iter(KEYS)
    return [WAY_OUT if is_way_out(view, move) else next(keys, "") for move in legal]


def invitation(seat: SeatRow, owner: bool) -> str | None:
    """What lets a guest sit down: for the owner of the table, while the seat is free."""
    return seat.token if owner and seat.kind == OPEN else None


def seats_shown(table: Table, viewer: Viewer) -> list[SeatView]:
    match, mine = table.match, table.seats_of(viewer.person)
    turn = None if table.row.is_stopped else match.turn
    outcome, letters = match.outcome, initials(match.names, viewer.language)
    near = next((seat for seat in mine if seat == turn), mine[0] if mine else None)
    found = []
    for seat, row in enumerate(table.row.seats):
        own, owner = row.person is not None and row.person == viewer.person, table.row.owner == viewer.person
        found.append(
            SeatView(
                seat=seat,
                colour=match.game.colours[seat],
                name=translate(match.names[seat], viewer.language),
                letter=letters[seat],
                label=translate(_seat_label(table, seat, mine), viewer.language),
                to_move=turn == seat,
                thinks=turn == seat and row.bot is not None and not table.row.is_asleep,
                mine=own,
                near=seat == near,
                token=invitation(row, owner),
                place=0 if outcome is None else outcome.places[seat],
                can_leave=(own or (owner and row.kind == OPEN)) and row.bot is None and turn is not None,
                can_return=row.kind in ("person", OPEN)
                and row.bot is not None
                and not row.resigned
                and turn is not None
                and (own or owner),
                can_remove=row.kind == PERSON and owner and not own and turn is not None,
                can_resign=own and not row.resigned and turn is not None and table.row.is_shared,
            )
        )
    return found


def _seat_label(table: Table, seat: int, mine: tuple[int, ...]) -> Phrase | str:
    row = table.row.seats[seat]
    if row.kind == BOT:
        return bot_name(row.bot)
    if row.resigned:
        return texts.RESIGNED
    if row.bot is not None:
        return texts.STANDING_IN
    if seat in mine:
        return texts.YOU
    return texts.FREE_SEAT if row.kind == OPEN else ""


def bot_name(key: str | None) -> Phrase:
    return texts.bot_named(BOT_NAMES.get(key or "", texts.BOT))


def prompt(table: Table, view: View, where: Perspective) -> Phrase:
    """What the viewer is to do, or what everybody waits for."""
    turn = table.match.turn
    if where.cover is not None:
        return texts.hand_over(view.names[where.cover])
    if table.row.is_stopped:
        return texts.NOTES[STOPPED]
    if turn is not None and table.row.is_asleep:
        return texts.ASLEEP
    if turn is not None and turn >= 0 and not may_move(table, where):
        row = table.row.seats[turn]
        if row.kind == OPEN and row.bot is None:
            return texts.waiting_for_guest(view.names[turn])
        return text_prompt(view, None)
    return text_prompt(view, where.seat)


def log(table: Table, view: View, language: str, since: int | None = None) -> list[LogLine]:
    """What happened, oldest first: the last moves, or those from a number on. A move still face down is not told."""
    told = table.story()
    first = max(0, len(told) - LOG_MOVES) if since is None else since
    notes: dict[int, list[Phrase]] = {}
    for note in table.row.notes if since is None else ():
        notes.setdefault(min(max(note.moves, 1), len(told)) - 1, []).append(told_note(table, note))
    found = []
    for number in range(first, len(told)):
        turn = view.history[number]
        lines = told[number] if turn.move is not None else [texts.decides_in_secret(view.names[turn.seat])]
        lines = [*lines, *notes.get(number, ())]
        if lines:
            colour = table.match.game.colours[turn.seat] if turn.seat >= 0 else ""
            found.append(LogLine(number, colour, tuple(lines), language))
    return found


def told_note(table: Table, note: Note) -> Phrase:
    """What happened to a seat; one that somebody else has now goes by its colour."""
    taken = table.row.seats[note.seat].taken_over or note.kind == REMOVED
    names = texts.seat_names(table.match.game) if taken else table.match.names
    return texts.NOTES[note.kind].fill(who=names[note.seat])


def news_of_seats(table: Table, viewer: Viewer, since: int) -> tuple[list[str], list[str]]:
    """What happened to the seats since so many notes: what all hear, and what this viewer must not miss."""
    mine, heard, noticed = table.seats_of(viewer.person), [], []
    for note in table.row.notes[since:]:
        said = texts.NOTES_TO_YOU.get(note.kind) if note.seat in mine else None
        if note.kind == REMOVED and was_removed((note,), table.id, viewer.person):
            said = texts.YOU_WERE_REMOVED
        text = translate(said or told_note(table, note), viewer.language)
        heard.append(text)
        if said is not None or note.kind in (LATE, ASLEEP, OUT, GAVE_UP, WANTS_STOP, STOPPED):
            noticed.append(text)
    return heard, noticed


def stands_in_for(table: Table, viewer: Viewer) -> list[int]:
    """The seats of this viewer that a bot plays, and that are theirs to take back."""
    seats = table.row.seats
    mine = table.seats_of(viewer.person) if table.match.turn is not None else ()
    return [seat for seat in mine if seats[seat].bot is not None and not seats[seat].resigned]


def notices(table: Table, view: View, language: str, since: int) -> list[str]:
    """What happened to the viewer's seat, since a move of that number, without having chosen it."""
    if view.seat is None:
        return []
    found, name = [], view.names[view.seat]
    for number in range(since, len(table.match)):
        turn, entry = view.history[number], table.ledger.moves[number]
        if turn.move is not None and turn.seat >= 0 and (turn.seat != view.seat or entry.automatic):
            for line in table.story()[number]:
                named = set(_names_in(line))
                if name in named and len(named & set(view.names)) <= 2:  # more is about everybody
                    found.append(translate(line, language))
    return found


def _names_in(phrase: Phrase) -> Iterator[Name]:
    for gap in phrase.gaps.values():
        if isinstance(gap, Phrase):
            yield gap
            yield from _names_in(gap)
        elif isinstance(gap, str):
            yield gap


def past(table: Table, moves: int, seat: int | None) -> View:
    """The table after so many moves: with nothing hidden once the game is over, else as the seat saw it then."""
    match = table.match
    return match.everything(moves) if match.is_over or table.is_record else match.fork(moves).view(seat)


def why_not(table: Table, view: View, place: str, my_move: bool) -> Phrase:
    """Why nothing can be done at a place: the rule that forbids what would fit there, or what is to be done instead."""
    if not my_move:
        return text_prompt(view, None)
    legal = view.legal_moves
    verbs = {move.text.split()[0] for move in legal}
    for move in moves_at(view, place):
        if move.text.split()[0] in verbs and move not in legal:
            return view.game.why_illegal(view.position, move.code, view.names)
    return texts.not_now(text_prompt(view, view.seat))


def legal_places(view: View) -> Targets:
    """The places on the board where the view's seat can act now."""
    return targets(view) if view.seat is not None and view.turn == view.seat else {}


def is_open(table: Table, seat: int | None) -> bool:
    """Whether this viewer may have the record, which tells everything: nothing is hidden from them, nobody is wronged.

    With the record, or from any position, one could look ahead.
    """
    if not table.is_fair:
        return False
    match = table.match
    if match.is_over or table.is_record:
        return True
    view = match.view(seat)
    return all(turn.move is not None for turn in view.history) and view.position.tobytes() == match.position.tobytes()
