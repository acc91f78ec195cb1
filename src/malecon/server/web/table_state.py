"""The state of a table for the JSON interface: all of it, or what has changed since a version.

It is made of the visitor's own view, once for each change and all who see the same.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from malecon.match import Move, View
from malecon.server.accounts.visitors import Visitor
from malecon.server.pages import table_view
from malecon.server.pages.table_view import Viewer
from malecon.server.tables.table import Table
from malecon.text import describe_move, prompt, translate

_encode = msgspec.json.Encoder().encode


def state_json(table: Table, visitor: Visitor | Viewer, since: int | None = None) -> bytes:
    """Return the state as JSON; with `since` only what has changed after that version."""
    who = visitor.person if table.has_part(visitor.person) else None
    return table.cached(("state", visitor.language, who, since), lambda: _encode(build_state(table, visitor, since)))


def build_state(table: Table, visitor: Visitor | Viewer, since: int | None) -> dict[str, Any]:
    if since is None:
        return state(table, visitor)
    known_moves = table.known_moves(since)
    return (
        state(table, visitor) | {"history_from": 0}
        if known_moves is None
        else delta(table, visitor, since, known_moves)
    )


def state(table: Table, visitor: Visitor | Viewer) -> dict[str, Any]:
    """Return the table as this visitor sees it: a TableState as a dict, which is faster than a model."""
    view, to_move = own_view(table, visitor)
    return {
        "id": table.id,
        "game": table.match.game.name,
        "rules": table.match.game.rules_version,
        "options": dict(table.match.options),
        **_changing(table, visitor, view, to_move),
        "seats": _seats(table, visitor),
        "history": _history(view, 0),
        "dice": _dice(table),
    }


def delta(table: Table, visitor: Visitor | Viewer, since: int, known_moves: int) -> dict[str, Any]:
    """Return a TableDelta: what has changed for a visitor who has seen version `since`, with `known` moves."""
    view, to_move = own_view(table, visitor)
    changes = _changing(table, visitor, view, to_move)
    if table.seats_version >= since:
        changes["seats"] = _seats(table, visitor)
    if table.is_over:
        changes["dice"] = _dice(table)  # their secret is published now
    changes["history_from"], changes["history"] = known_moves, _history(view, known_moves)
    return changes


def _changing(table: Table, visitor: Visitor | Viewer, view: View, to_move: bool) -> dict[str, Any]:
    """Return what a move changes, apart from the history."""
    language, own_seats = visitor.language, table.seats_of(visitor.person)
    return {
        "version": table.version,
        "seat": view.seat,
        "turn": table.match.turn,
        "phase": table.match.phase,
        "prompt": translate(prompt(view, view.seat), language),
        "can_undo": bool(own_seats) and table.may_undo(own_seats) is not None,
        "deadline": table.row.visible_deadline,
        "position": position_fields(view),
        "legal": [labelled(view, move, language) for move in view.legal_moves] if to_move else [],
        "result": _result(table),
    }


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


def labelled(view: View, move: Move, language: str) -> dict[str, Any]:
    return {"move": move.text, "text": translate(describe_move(view, move), language)}


def _history(view: View, first: int) -> list[dict[str, Any]]:
    return [{"seat": past.seat, "move": None if past.move is None else past.move.text} for past in view.history[first:]]


def _seats(table: Table, visitor: Visitor | Viewer) -> list[dict[str, Any]]:
    own_seats, is_host = table.seats_of(visitor.person), table.row.hosts(visitor.person)
    return [
        {
            "seat": number,
            "colour": table.match.game.colours[number],
            "name": translate(table.match.names[number], visitor.language),
            "kind": row.kind,
            "bot": row.bot,
            "resigned": row.resigned,
            "mine": number in own_seats,
            "invitation": table_view.invitation(row, is_host),
        }
        for number, row in enumerate(table.row.seats)
    ]


def _result(table: Table) -> dict[str, Any] | None:
    outcome = table.match.outcome
    if outcome is None:
        return None
    return {
        "winners": outcome.winners,
        "places": outcome.places,
        "points": outcome.points,
        "reason": outcome.reason,
        "scores": [dict(score.breakdown) for score in table.match.scores],
    }


def _dice(table: Table) -> dict[str, Any] | None:
    return None if table.dice is None else dict(vars(table.dice))
