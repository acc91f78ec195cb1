"""The state of a table for the JSON interface: all of it, or what has changed since a version.

It is made of the visitor's own view, once for each change and all who see the same.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType

from malecon.kernel import registry
from malecon.kernel.game import OptionValue
from malecon.kernel.view import moves_of
from malecon.match import Move, View
from malecon.server.accounts.visitors import Visitor
from malecon.server.orders.planned_moves import asked_view
from malecon.server.pages import table_view
from malecon.server.pages.table_view import Viewer
from malecon.server.tables.table import Table
from malecon.text import describe_move, prompt, translate

_encode = msgspec.json.Encoder().encode


class SeatState(Struct, frozen=True):
    seat: int
    colour: str
    name: str
    kind: Annotated[str, Meta(description="person, bot, open or record")]
    bot: Annotated[str | None, Meta(description="The bot that plays here now")]
    resigned: Annotated[bool, Meta(description="Its time was up: a bot plays to the end")]
    mine: bool
    invitation: Annotated[str | None, Meta(description="For the owner of the table, while the seat is free")]


class LegalMove(Struct, frozen=True):
    """A legal move: its notation, and what it says on the button."""

    move: str
    text: str


class LoggedMove(Struct, frozen=True, omit_defaults=True):
    """A move that was made; `move` is null while it lies face down for you.

    `automatic`: its player had decided in advance, or had no choice.
    """

    seat: int
    move: str | None
    automatic: bool = False


class EarlyQuestionState(Struct, frozen=True):
    """A question that you may answer though it is not your turn. If all are asked `together`, they wait for you."""

    question: str
    title: str
    together: bool
    answer: Annotated[str | None, Meta(description="What you have answered; nobody else sees it")]
    legal: list[LegalMove]


class OrderState(Struct, frozen=True):
    """A standing order of yours."""

    kind: str
    text: str
    prefers: tuple[str, ...]
    limit: int


class DiceState(Struct, frozen=True):
    """The hash of the dice's secret, the first move they decide, and the secret itself once the game is over."""

    commitment: str
    first: int
    secret: str | None


class FinalResult(Struct, frozen=True):
    """How a game ended: places begin with 1, and `scores` says what the points are for."""

    winners: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    reason: str
    scores: list[dict[str, int]]


class TableDelta(Struct, frozen=True, kw_only=True):
    """What has changed since the version you named. Replace each field that is there; of your history keep the moves
    before number `history_from` and add `history`.
    """

    version: int
    seat: Annotated[int | None, Meta(description="Yours, or null for a spectator")]
    turn: Annotated[int | None, Meta(description="Whose turn it is; null when the game is over")]
    phase: str
    prompt: str
    can_undo: bool
    deadline: Annotated[float | None, Meta(description="When this turn must be over, in seconds since 1970")]
    position: dict[str, Any]
    legal: list[LegalMove]
    asked: Annotated[tuple[int, ...], Meta(description="The seats that must decide now")]
    early: list[EarlyQuestionState]
    orders: Annotated[list[OrderState], Meta(description="Your standing orders")]
    offered: Annotated[list[OrderState], Meta(description="Orders that you can give here")]
    result: FinalResult | None
    history: list[LoggedMove]
    history_from: int | UnsetType = UNSET
    seats: Annotated[list[SeatState] | UnsetType, Meta(description="Missing while nobody sat down or left")] = UNSET
    dice: Annotated[DiceState | UnsetType | None, Meta(description="Missing until the game is over")] = UNSET


class TableState(TableDelta, frozen=True, kw_only=True):
    """A table as you see it. `position` has the fields of the game's record; -1 stands for what you cannot know.

    `history_from` is 0 if you named a version from which nothing can be kept.
    """

    id: str
    game: str
    rules: int
    options: dict[str, OptionValue]
    seats: list[SeatState]
    dice: DiceState | None
    casual: Annotated[bool, Meta(description="It counts nowhere: a page may think for its bots")]


def state_json(table: Table, visitor: Visitor | Viewer, since: int | None = None) -> bytes:
    """Return the state as JSON; with `since` only what has changed after that version."""
    who = visitor.person if table.has_part(visitor.person) else None
    return table.cached(("state", visitor.language, who, since), lambda: _encode(build_state(table, visitor, since)))


def build_state(table: Table, visitor: Visitor | Viewer, since: int | None = None) -> TableDelta:
    """Return the table as this visitor sees it, or what has changed for them since a version that they have seen."""
    view, to_move = own_view(table, visitor)
    match, row = table.match, table.row
    known_moves = None if since is None else table.known_moves(since)
    language, own_seats = visitor.language, table.seats_of(visitor.person)
    changing: dict[str, Any] = {
        "version": table.version,
        "seat": view.seat,
        "turn": match.turn,
        "phase": match.phase,
        "prompt": translate(prompt(view, view.seat), language),
        "can_undo": bool(own_seats) and table.may_undo(own_seats) is not None,
        "deadline": row.visible_deadline,
        "position": position_fields(view),
        # of the match, which has listed them; those of the view of the seat to move are the same
        "legal": [labelled(view, move, language) for move in match.legal_moves] if to_move else [],
        "asked": table.asked_seats,
        "early": _early(table, view, language),
        "orders": _orders(table, view, language),
        "offered": [_order(offer, language) for offer in table_view.offered_orders(table, view, to_move)],
        "result": _result(table),
        "history": _history(table, view, known_moves or 0),
        "history_from": UNSET if since is None else known_moves or 0,
    }
    if since is None or known_moves is None:
        return TableState(
            **changing,
            id=table.id,
            game=match.game.name,
            rules=match.game.rules_version,
            options=dict(match.options),
            seats=_seats(table, visitor),
            dice=_dice(table),
            casual=row.casual,
        )
    return TableDelta(
        **changing,
        seats=_seats(table, visitor) if table.seats_version >= since else UNSET,
        dice=_dice(table) if table.is_over else UNSET,  # their secret is published now
    )


def position_fields(view: View) -> dict[str, Any]:
    """Return the record of a view by the names of its fields."""
    values, fields = view.position.item(), {}
    for name, value in zip(view.game.dtype.names or (), values, strict=True):
        fields[name] = value.tolist() if isinstance(value, np.ndarray) else value
    return fields


def own_view(table: Table, visitor: Visitor | Viewer) -> tuple[View, bool]:
    """Return the visitor's view, from the seat that is to move if it is theirs, and whether they are to move."""
    own_seats, turn = table.seats_of(visitor.person), table.match.turn
    seat = turn if turn in own_seats else own_seats[0] if own_seats else None
    to_move = (
        seat is not None
        and turn == seat
        and not (table.is_record or table.row.is_stopped)
        and not table.row.seats[seat].resigned
    )
    return table.match.view(seat), to_move


def labelled(view: View, move: Move, language: str) -> LegalMove:
    return LegalMove(move.text, translate(describe_move(view, move), language))


def _early(table: Table, view: View, language: str) -> list[EarlyQuestionState]:
    questions: list[EarlyQuestionState] = []
    for early in table.early_questions(view.seat) if view.seat is not None else ():
        asked = asked_view(view, early.question)
        legal = [labelled(asked, move, language) for move in asked.legal_moves]
        title, answer = translate(early.question.title, language), None if early.answer is None else early.answer.move
        questions.append(EarlyQuestionState(early.question.key, title, early.question.together, answer, legal))
    return questions


def _orders(table: Table, view: View, language: str) -> list[OrderState]:
    if view.seat is None or table.is_record:
        return []
    return [_order(table_view.order_view(table, order), language) for order in table.row.seats[view.seat].plans.orders]


def _order(shown: table_view.OrderView, language: str) -> OrderState:
    return OrderState(shown.order.kind, translate(shown.text, language), shown.order.prefers, shown.order.limit)


def _history(table: Table, view: View, first: int) -> list[LoggedMove]:
    seats: list[int] = view.history.seats[first:].tolist()
    codes: list[int] = view.history.codes[first:].tolist()
    logged = {
        (seat, automatic): _logged_moves(view.game.name, seat, automatic)
        for seat in set(seats)
        for automatic in (False, True)
    }
    entries = table.game_log.moves[first:]
    return [logged[seat, entry.automatic][code] for seat, code, entry in zip(seats, codes, entries, strict=True)]


@cache
def _logged_moves(game: str, seat: int, automatic: bool) -> tuple[LoggedMove, ...]:
    """Return all moves of a game as a seat makes them, by their codes; the last, which FACE_DOWN leads to, is null."""
    moves = moves_of(registry.get(game))
    return (*(LoggedMove(seat, move.text, automatic) for move in moves), LoggedMove(seat, None, automatic))


def _seats(table: Table, visitor: Visitor | Viewer) -> list[SeatState]:
    own_seats, is_host = table.seats_of(visitor.person), table.row.hosts(visitor.person)
    return [
        SeatState(
            seat=number,
            colour=table.match.game.colours[number],
            name=translate(table.match.names[number], visitor.language),
            kind=row.kind,
            bot=row.bot,
            resigned=row.resigned,
            mine=number in own_seats,
            invitation=table_view.invitation(row, is_host),
        )
        for number, row in enumerate(table.row.seats)
    ]


def _result(table: Table) -> FinalResult | None:
    outcome = table.match.outcome
    if outcome is None:
        return None
    scores = [dict(score.breakdown) for score in table.scores]
    return FinalResult(outcome.winners, outcome.places, outcome.points, outcome.reason, scores)


def _dice(table: Table) -> DiceState | None:
    return None if table.dice is None else DiceState(**vars(table.dice))
