"""A table as one viewer sees it: everything the page shows, made of that viewer's own view only."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from malecon.bots import LEVELS
from malecon.drawing.scene import STEP
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.questions import Order, open_questions, order_kind
from malecon.kernel.view import parse_code
from malecon.match import Move, View
from malecon.server.accounts.visitors import Visitor
from malecon.server.names import seat_names
from malecon.server.orders.planned_moves import asked_view, may_plan
from malecon.server.pages.drawings import Targets, initials, moves_at, targets
from malecon.server.storage.rows import BOT, OPEN, PERSON, SeatNote, SeatRow
from malecon.server.tables.move_preview import preview_move
from malecon.server.tables.seats import ASLEEP, GAVE_UP, LATE, OUT, REMOVED, STOPPED, WANTS_STOP, was_removed
from malecon.server.tables.table import MoveStory, Table, has_secrets
from malecon.text import describe_move, is_way_out, translate
from malecon.text import heading as text_heading
from malecon.text import prompt as text_prompt
from malecon.text.lists import commas

#: The last moves shown in the log; the replay has them all.
LOG_MOVES = 60
#: The key that declines what is offered.
WAY_OUT = "x"
#: Lists with more moves than this are grouped.
MOST_UNGROUPED = 8
#: Keys that choose a move, in order; letters with another function are left out.
KEYS = string.digits[1:] + "".join(letter for letter in string.ascii_lowercase if letter not in "hrsux")
#: What is told of a seat, by the kind of note.
NOTES = {
    "late": say("{who} has run out of time. A bot stands in until they return."),
    "asleep": say("{who} has run out of time. Nobody is left at the table, so the game waits."),
    "out": say("{who} has run out of time. A bot plays to the end, and they come last."),
    "gave-up": say("{who} has given up. A bot plays to the end, and they come last."),
    "left": say("{who} lets a bot play."),
    "back": say("{who} is back."),
    "removed": say("The player in {who}’s seat was removed. A bot plays on."),
    "joined": say("{who} has sat down."),
    "wants-stop": say("{who} proposes to stop the game."),
    "stopped": say("All agreed to stop. The game is not rated."),
}
#: The same, said to the person whose seat it is.
NOTES_TO_YOU = {
    "late": say("You have run out of time. A bot plays for you until you return."),
    "asleep": say("You have run out of time. Nobody is left at the table, so the game waits."),
    "out": say("You have run out of time. A bot plays your seat to the end."),
}
BOT_NAMES = {level.key: level.name for level in LEVELS} | {
    "random": Phrase("Random", context="level"),
    "greedy": Phrase("Greedy", context="level"),
}


@dataclass(frozen=True)
class Viewer:
    """A viewer of a table. `as_seat`: of several people at one screen, the seat that has confirmed to be there."""

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
    label: Phrase
    preview: str
    final: bool
    places: tuple[str, ...]
    heading: str  # of its group in a long list
    out: bool  # whether it declines what is offered


@dataclass(frozen=True)
class SeatView:
    """A seat as everybody sees it, and what this viewer can do with it."""

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
    decided: bool  # it has answered a question to all
    orders: tuple[OrderView, ...]  # of the viewer's own seat


@dataclass(frozen=True)
class OrderView:
    """A standing order as its giver sees it, with what can be changed about it."""

    order: Order
    text: Phrase
    choices: tuple[tuple[str, Phrase], ...]  # what it may prefer, with names
    limit_name: Phrase | None
    limits: range

    @property
    def places(self) -> tuple[str, ...]:
        """What it prefers, and one more place for another thing."""
        return (*self.order.prefers, "")[: len(self.choices)]


@dataclass(frozen=True)
class EarlyQuestion:
    """A question that the viewer may answer though it is not their turn."""

    key: str
    title: Phrase
    together: bool
    moves: MoveList
    answer: Phrase | None
    answered: str  # the move of that answer


class LogLine(NamedTuple):
    number: int
    colour: str  # of who moved; empty for chance
    story: MoveStory
    language: str
    automatic: bool = False

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        return self.story.phrases

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(translate(line, self.language) for line in self.phrases)


@dataclass(frozen=True)
class Perspective:
    """The seat whose view is shown (None: a spectator's), and the seat that must first confirm to be at the screen."""

    seat: int | None
    cover: int | None
    mine: tuple[int, ...]


def perspective(table: Table, viewer: Viewer) -> Perspective:
    """Return what a viewer sees. With several seats at one screen, only the one to move, after it has confirmed."""
    own, turn = table.seats_of(viewer.person), table.match.turn
    if len(own) < 2 or turn is None:
        return Perspective(own[0] if own else None, None, own)
    if not table.waits_for(own):
        return Perspective(None, None, own)
    if viewer.as_seat == turn or not has_secrets(table.match, turn):
        return Perspective(turn, None, own)
    return Perspective(None, turn, own)


def may_move(table: Table, where: Perspective) -> bool:
    return where.seat is not None and where.seat == table.match.turn and table.waits_for((where.seat,))


def order_view(table: Table, order: Order) -> OrderView:
    known = order_kind(table.match.game, order.kind)
    assert known is not None, order.kind
    kind = known[1]
    named = kind.choice_name
    choices = () if named is None else tuple((choice, named(choice)) for choice in kind.choices)
    return OrderView(order, kind.describe(order), choices, kind.limit_name, kind.limits)


def early_questions(table: Table, view: View, language: str) -> list[EarlyQuestion]:
    """Return the questions that the view's seat may answer before its turn, each with the moves to choose from."""
    questions: list[EarlyQuestion] = []
    if view.seat is None:
        return questions
    for open_question in table.early_questions(view.seat):
        question, answer = open_question.question, open_question.answer
        asked = asked_view(view, question)
        moves = choices(asked, language, {}, early=True)
        if questions:  # keys belong to the first question
            moves = [replace(move, key="") for move in moves]
        code = None if answer is None else parse_code(view.game, answer.move)
        questions.append(
            EarlyQuestion(
                question.key,
                question.title,
                question.together,
                MoveList.of(asked, moves),
                None if code is None else describe_move(asked, code),
                "" if answer is None else answer.move,
            )
        )
    return questions


def offered_orders(table: Table, view: View, my_move: bool) -> list[OrderView]:
    """Return the standing orders that the view's seat can give with one click, for what it is asked or will be."""
    if view.seat is None or not may_plan(table.row.seats, view.seat):
        return []
    open_now = (
        open_questions(view.game, view.position, view.seat) if my_move or table.early_questions(view.seat) else []
    )
    offered = []
    for question in open_now:
        if not my_move or int(view.position.phase) == question.phase:
            asked = asked_view(view, question).position
            offered += [order_view(table, order) for kind in question.orders for order in kind.offers(asked)]
    return offered


def plan_notices(table: Table, view: View, my_move: bool) -> list[Phrase]:
    """Return why the plans of the viewer's seat do not answer what it is asked now."""
    if view.seat is None or not my_move:
        return []
    decision, notices = table.plans_decide(), []
    if decision.dropped is not None:
        code = view.game.notation.code(decision.dropped.move)
        what = decision.dropped.move if code is None else describe_move(view, code)
        notices.append(
            say("Your answer was not used, since what you can do, or what it costs, has changed: {what}", what=what)
        )
    known = None if decision.stopped is None else order_kind(view.game, decision.stopped.kind)
    if known is not None and decision.stopped is not None:
        text = known[1].describe(decision.stopped)
        notices.append(say("Your order has stopped: {reason}. It was: {order}.", reason=known[1].stops, order=text))
    return notices


def choices(view: View, language: str, places: Targets, early: bool = False) -> list[MoveChoice]:
    """Return every legal move of the view's seat, with its key, its label and its consequences.

    What comes after a move that is made `early` is not known yet.
    """
    where: dict[str, list[str]] = {}
    for place, moves in places.items():
        for move in moves:
            if place:
                where.setdefault(move.text, []).append(place.removeprefix(STEP))
    offered = []
    legal = list(view.legal_moves)
    for move, key in zip(legal, _keys(view, legal), strict=True):
        ahead = preview_move(view, move)
        consequences = ahead.lines if early else (*ahead.lines, ahead.then)
        offered.append(
            MoveChoice(
                move=move.text,
                key=key,
                label=describe_move(view, move),
                preview=" ".join(translate(line, language) for line in consequences),
                final=ahead.final and not early,
                places=tuple(where.get(move.text, ())),
                heading=translate(heading, language) if (heading := text_heading(view, move)) else "",
                out=is_way_out(view, move),
            )
        )
    return offered


@dataclass(frozen=True)
class MoveList:
    """The moves as the dock shows them: ways out first, then groups; or a stepper if they are amounts only."""

    out: list[MoveChoice]
    groups: list[tuple[str, list[MoveChoice]]]  # by heading; those without one are not grouped
    amounts: bool

    @classmethod
    def of(cls, view: View, choices: list[MoveChoice]) -> MoveList:
        out, rest = [choice for choice in choices if choice.out], [choice for choice in choices if not choice.out]
        numbers = _numbers(view, [choice.move for choice in rest])
        amounts = len(numbers) > MOST_UNGROUPED and all(written == meant for written, meant in numbers)
        groups: dict[str, list[MoveChoice]] = {}
        for choice in rest:
            groups.setdefault(choice.heading if len(rest) > MOST_UNGROUPED else "", []).append(choice)
        alone = [choice for group in groups.values() for choice in group if len(group) == 1 or not choice.heading]
        if len(groups) < 2:
            return cls(out, [("", rest)] if rest else [], amounts)
        shared = [(name, group) for name, group in groups.items() if name and len(group) > 1]
        return cls(out, [("", alone), *shared] if alone else shared, amounts)


def _numbers(view: View, names: Sequence[str]) -> list[tuple[int, int]]:
    """Return the number at the end of each name, as written and as meant, if the moves differ in nothing else."""
    readings = [view.game.notation.read(parse_code(view.game, name)) for name in names]
    written = [name.split()[-1] for name in names]
    alike = len({reading.family for reading in readings}) == 1 and all(len(reading.parts) == 1 for reading in readings)
    if not alike or not all(word.isdigit() for word in written):
        return []
    return [(int(word), reading.parts[0]) for word, reading in zip(written, readings, strict=True)]


def _keys(view: View, legal: Sequence[Move]) -> list[str]:
    """Return a key for each move: its number if moves differ in a number only, else the keys in order."""
    if numbers := _numbers(view, [move.text for move in legal]):
        return [str(written) if written < 10 else "" for written, _ in numbers]
    keys = iter(KEYS)
    return [WAY_OUT if is_way_out(view, move) else next(keys, "") for move in legal]


def invitation(seat: SeatRow, is_host: bool) -> str | None:
    """Return the token of a free seat's invitation, for the host of the table."""
    return seat.token if is_host and seat.kind == OPEN else None


def seat_views(table: Table, viewer: Viewer) -> list[SeatView]:
    match, own_seats = table.match, table.seats_of(viewer.person)
    turn = None if table.row.is_stopped else match.turn
    outcome, letters = match.outcome, initials(match.names, viewer.language)
    near = next((seat for seat in own_seats if seat == turn), own_seats[0] if own_seats else None)
    views = []
    for seat, row in enumerate(table.row.seats):
        own, is_host = seat in own_seats, table.row.hosts(viewer.person)
        views.append(
            SeatView(
                seat=seat,
                colour=match.game.colours[seat],
                name=translate(match.names[seat], viewer.language),
                letter=letters[seat],
                label=translate(_seat_label(table, seat, own_seats), viewer.language),
                to_move=turn == seat,
                thinks=turn == seat and row.bot is not None and not table.row.is_abandoned,
                mine=own,
                near=seat == near,
                token=invitation(row, is_host),
                place=0 if outcome is None else outcome.places[seat],
                can_leave=(own or (is_host and row.kind == OPEN)) and row.bot is None and turn is not None,
                can_return=(own or (is_host and row.kind == OPEN))
                and row.bot is not None
                and not row.resigned
                and turn is not None,
                can_remove=row.kind == PERSON and is_host and not own and turn is not None,
                can_resign=own and not row.resigned and turn is not None and table.row.is_shared,
                decided=seat in table.decided_seats,
                orders=tuple(order_view(table, order) for order in row.plans.orders)
                if own and turn is not None
                else (),
            )
        )
    return views


def _seat_label(table: Table, seat: int, mine: tuple[int, ...]) -> Phrase | str:
    row = table.row.seats[seat]
    if row.kind == BOT:
        return bot_name(row.bot)
    if row.resigned:
        return say("Given up: a bot plays to the end")
    if row.bot is not None:
        return say("A bot is standing in")
    if seat in mine:
        return say("You")
    return say("Free seat") if row.kind == OPEN else ""


def bot_name(key: str | None) -> Phrase:
    return say("Bot: {name}", name=BOT_NAMES.get(key or "", say("Bot")))


def prompt(table: Table, view: View, where: Perspective) -> Phrase:
    """Return what the viewer is to do, or what everybody waits for."""
    turn = table.match.turn
    if where.cover is not None:
        return say("Pass the device to {who}", who=view.names[where.cover])
    if table.row.is_stopped:
        return NOTES[STOPPED]
    if turn is not None and table.row.is_abandoned:
        return say("Everybody is away. The game goes on when somebody returns.")
    if turn is not None and turn >= 0 and not may_move(table, where):
        if where.seat is not None and where.seat in table.asked_seats:  # all are asked at once
            question = open_questions(view.game, view.position, where.seat)[0]
            return text_prompt(asked_view(view, question), where.seat)
        if len(table.asked_seats) > 1 or (table.decided_seats and table.asked_seats):
            return say("Waiting for the decision of {who}", who=commas([view.names[s] for s in table.asked_seats]))
        row = table.row.seats[turn]
        if row.kind == OPEN and row.bot is None:
            return say("Waiting for a guest to take {who}’s seat", who=view.names[turn])
        return text_prompt(view, None)
    return text_prompt(view, where.seat)


def log(table: Table, view: View, language: str, since: int | None = None) -> list[LogLine]:
    """Return the log, oldest first: the last moves, or those from a number on, without moves still face down."""
    story = table.story()
    first = max(0, len(story) - LOG_MOVES) if since is None else since
    notes: dict[int, list[Phrase]] = {}
    for note in table.row.notes if since is None else ():
        notes.setdefault(min(max(note.moves, 1), len(story)) - 1, []).append(note_phrase(table, note))
    lines, colours = [], table.match.game.colours
    for number, turn in enumerate(view.history[first:], first):
        of_move = story[number]
        if turn.move is None:
            of_move = MoveStory((say("{who} decides in secret.", who=view.names[turn.seat]),))
        if number in notes:
            of_move = MoveStory((*of_move.phrases, *notes[number]))
        if of_move.phrases:
            colour, entry = colours[turn.seat] if turn.seat >= 0 else "", table.game_log.moves[number]
            lines.append(LogLine(number, colour, of_move, language, entry.automatic))
    return lines


def since_last_move(table: Table, seat: int | None) -> int | None:
    """Return after how many moves the viewer's own last move was made, if others have moved since."""
    if seat is None:
        return None
    entries = table.game_log.moves
    for number in range(len(entries), 0, -1):
        entry = entries[number - 1]
        if entry.seat == seat and not entry.automatic:
            return number if any(later.seat >= 0 for later in entries[number:]) else None
    return None


def note_phrase(table: Table, note: SeatNote) -> Phrase:
    """Return what happened to a seat; a seat that was taken over is called by its colour."""
    taken = table.row.seats[note.seat].taken_over or note.kind == REMOVED
    names = seat_names(table.match.game) if taken else table.match.names
    return NOTES[note.kind].fill(who=names[note.seat])


def news_of_seats(table: Table, viewer: Viewer, since: int) -> tuple[list[str], list[str]]:
    """Return the news of seats after the first `since` notes: for everybody, and those this viewer must not miss."""
    own, news, important = table.seats_of(viewer.person), [], []
    for note in table.row.notes[since:]:
        personal = NOTES_TO_YOU.get(note.kind) if note.seat in own else None
        if note.kind == REMOVED and was_removed((note,), table.id, viewer.person):
            personal = say("You were removed from this table. A bot plays on in your place; you can still watch.")
        text = translate(personal or note_phrase(table, note), viewer.language)
        news.append(text)
        if personal is not None or note.kind in (LATE, ASLEEP, OUT, GAVE_UP, WANTS_STOP, STOPPED):
            important.append(text)
    return news, important


def stands_in_for(table: Table, viewer: Viewer) -> list[int]:
    """Return the seats of this viewer that a bot plays and that they can take back."""
    seats = table.row.seats
    own = table.seats_of(viewer.person) if table.match.turn is not None else ()
    return [seat for seat in own if seats[seat].bot is not None and not seats[seat].resigned]


def notices(table: Table, view: View, language: str, since: int) -> list[str]:
    """Return what happened to the viewer's seat, from a move on, by moves of other players or automatic ones."""
    if view.seat is None:
        return []
    lines, name = [], view.names[view.seat]
    for number in range(since, len(table.match)):
        turn, entry = view.history[number], table.game_log.moves[number]
        if turn.move is not None and turn.seat >= 0 and (turn.seat != view.seat or entry.automatic):
            for line in table.story()[number].phrases:
                named = set(_names_in(line))
                if name in named and len(named & set(view.names)) <= 2:  # more is about everybody
                    lines.append(translate(line, language))
    return lines


def _names_in(phrase: Phrase) -> Iterator[Name]:
    for gap in phrase.gaps.values():
        if isinstance(gap, Phrase):
            yield gap
            yield from _names_in(gap)
        elif isinstance(gap, str):
            yield gap


def past(table: Table, moves: int, seat: int | None) -> View:
    """Return the view after a number of moves: all open if the game is over, else as the seat saw it then."""
    match = table.match
    return match.everything(moves) if match.is_over or table.is_record else match.fork(moves).view(seat)


def why_not(table: Table, view: View, place: str, my_move: bool) -> Phrase:
    """Return why nothing can be done at a place: the rule that forbids it, or what is to be done instead."""
    if not my_move:
        return text_prompt(view, None)
    legal = view.legal_moves
    verbs = {move.text.split()[0] for move in legal}
    for move in moves_at(view, place):
        if move.text.split()[0] in verbs and move not in legal:
            return view.game.why_illegal(view.position, move.code, view.names)
    return say("There is nothing to do there now. {prompt}", prompt=text_prompt(view, view.seat))


def legal_places(view: View) -> Targets:
    """Return the places on the board at which the view's seat can act now."""
    return targets(view)


def is_open(table: Table, seat: int | None) -> bool:
    """Return whether this viewer may have the record: if nothing is hidden from them and it gives no advantage.

    With the record, or from any position, they could look ahead.
    """
    if not table.is_fair:
        return False
    match = table.match
    if match.is_over or table.is_record:
        return True
    view = match.view(seat)
    return view.history.is_open and view.position.tobytes() == match.position.tobytes()
