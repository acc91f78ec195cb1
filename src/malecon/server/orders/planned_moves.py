"""Which move the plans of a seat make now, and why they make none. Everything follows from the match and its log.

So a plan need not be deleted in the transaction that makes its move: what has been used, or was meant for another
board, is recognised as such, in every process and after every restart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from malecon.kernel.errors import IllegalMove
from malecon.kernel.game import Game
from malecon.kernel.questions import Order, SharedQuestion, open_questions, order_kind, question_at, questions_of
from malecon.kernel.verbs import Position
from malecon.kernel.view import View, legal_codes, parse_code
from malecon.match import Match
from malecon.server.storage.game_log import GameLog
from malecon.server.storage.plans import Answer, Plans
from malecon.server.storage.rows import PERSON, SeatRow, is_shared


@dataclass(frozen=True)
class PlannedDecision:
    """What the plans of the seat to move decide: a move; or an answer was dropped, or an order has stopped."""

    code: int | None = None
    dropped: Answer | None = None
    stopped: Order | None = None


UNDECIDED = PlannedDecision()


def decide(match: Match, game_log: GameLog, plans: Plans) -> PlannedDecision:
    """Return what the plans of the seat to move decide now."""
    seat = match.turn
    if not plans or seat is None or seat < 0:
        return UNDECIDED
    view = match.view(seat)
    question = question_at(match.game, view.position, seat)
    if question is None:
        return UNDECIDED
    answer = plans.answer_to(question.key)
    if answer is not None and is_still_asked(match, game_log, seat, question, answer.version):
        code = match.game.notation.code(answer.move)
        if code is not None and seen(match.game, question, view.position, code) == answer.seen:
            return PlannedDecision(code)
        return PlannedDecision(dropped=answer)
    for kind in question.orders:
        for order in plans.orders:
            if order.kind == kind.key:
                code = kind.choose(view.position, order)
                if code is not None and code in legal_codes(match.game, view.position):
                    return PlannedDecision(code)
                return PlannedDecision(stopped=order)
    return UNDECIDED


def is_still_asked(match: Match, game_log: GameLog, seat: int, question: SharedQuestion, version: int) -> bool:
    """Return whether a question that was open for a seat at a version of the log still is, without a break.

    It is not if a move was undone since, or the seat has been asked and has answered.
    """
    since = sum(entry.number >= version for entry in game_log.moves)
    if version > game_log.version or since != game_log.version - version:
        return False
    for index in range(len(match) - since, len(match) + 1):
        position = match.position_after(index)
        if seat not in question.waiting(position):
            return False
        if index < len(match) and int(position.phase) == question.phase and game_log.moves[index].seat == seat:
            return False
    return True


def seen(game: Game, question: SharedQuestion, asked: Position, code: int) -> str:
    """Return a digest of what an answer depends on: what is legal for the seat when it is asked, and what it costs."""
    text = f"{question.key} {legal_codes(game, asked)} {question.cost(asked, code)}"
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def asked_view(view: View, question: SharedQuestion) -> View:
    """Return the view of a seat as it will be when that seat is asked, if nothing changes until then."""
    assert view.seat is not None
    asked = question.asked(view.position, view.seat)
    return View(view.game, view.seat, asked, view.history, view.names, view.options)


def new_answer(match: Match, seat: int, question: SharedQuestion, move: str, version: int) -> Answer:
    """Return an answer of a seat to a question that is open for it; raise IllegalMove if it cannot be given."""
    view = asked_view(match.view(seat), question)
    code = parse_code(match.game, move)
    if code not in legal_codes(match.game, view.position):
        raise IllegalMove(match.game.why_illegal(view.position, code, view.names))
    name = match.game.notation.name(code)
    return Answer(question.key, name, version, seen(match.game, question, view.position, code))


@dataclass(frozen=True)
class OpenQuestion:
    """A question that a seat may answer before it is its turn, and the answer that it has given."""

    question: SharedQuestion
    answer: Answer | None


def early_questions(match: Match, game_log: GameLog, seats: Sequence[SeatRow], seat: int) -> list[OpenQuestion]:
    """Return the questions that a seat may answer now, though it is not its turn.

    While a bot is to move, it is not worth while: the bot answers at once.
    """
    row, turn = seats[seat], match.turn
    if turn is None or turn < 0 or turn == seat or row.bot is not None or not may_plan(seats, seat):
        return []
    questions = []
    for question in open_questions(match.game, match.view(seat).position, seat):
        if seats[turn].bot is not None and not question.together:
            continue
        answer = row.plans.answer_to(question.key)
        if answer is not None and not is_answer_open(match, game_log, seat, question, answer):
            answer = None
        questions.append(OpenQuestion(question, answer))
    return questions


def is_answer_open(match: Match, game_log: GameLog, seat: int, question: SharedQuestion, answer: Answer) -> bool:
    """Return whether an answer would be played if its seat were asked now."""
    if not is_still_asked(match, game_log, seat, question, answer.version):
        return False
    code = match.game.notation.code(answer.move)
    asked = asked_view(match.view(seat), question).position
    return code is not None and seen(match.game, question, asked, code) == answer.seen


def may_plan(seats: Sequence[SeatRow], seat: int) -> bool:
    """Return whether a seat may plan: its person plays no other, and other people play, who would have to wait."""
    return is_shared(seats) and is_alone(seats, seat)


def is_alone(seats: Sequence[SeatRow], seat: int) -> bool:
    """Return whether a person plays this seat and no other: several seats at one screen answer in turn."""
    person = seats[seat].person
    return seats[seat].kind == PERSON and sum(other.person == person for other in seats) == 1


def asked_together(
    match: Match, game_log: GameLog, seats: Sequence[SeatRow]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the seats, beside the one to move, that are asked at the same time: those still to answer, the others."""
    turn = match.turn
    if turn is None or turn < 0 or not any(question.together for question in questions_of(match.game)):
        return (), ()
    question = question_at(match.game, match.position, turn)
    if question is None or not question.together:
        return (), ()
    undecided: list[int] = []
    decided: list[int] = []
    for seat in question.waiting(match.position):
        row = seats[seat]
        if seat == turn or row.bot is not None or not may_plan(seats, seat):
            continue
        answer = row.plans.answer_to(question.key)
        answered = answer is not None and is_answer_open(match, game_log, seat, question, answer)
        (decided if answered else undecided).append(seat)
    return tuple(undecided), tuple(decided)


def without_used(match: Match, game_log: GameLog, seat: int, plans: Plans) -> Plans:
    """Return plans without answers that will never be used, to keep them short."""
    by_key = {question.key: question for question in questions_of(match.game)}
    kept = tuple(
        answer
        for answer in plans.answers
        if answer.question in by_key and is_still_asked(match, game_log, seat, by_key[answer.question], answer.version)
    )
    return Plans(kept, tuple(order for order in plans.orders if order_kind(match.game, order.kind) is not None))
