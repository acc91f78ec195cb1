"""A position on a page of the teacher: the board, everybody's holdings, and the moves to choose from."""

from __future__ import annotations

from typing import Any

from malecon.kernel.phrases import Phrase
from malecon.match import View
from malecon.server.accounts.visitors import Visitor
from malecon.server.pages import drawings, table_view
from malecon.text import chapter, prompt, summary


def shown(view: View, visitor: Visitor, *, offers: bool = False) -> dict[str, Any]:
    """The board and what everybody has, as the view's seat sees it; if it offers moves, with places to click."""
    places = table_view.legal_places(view) if offers else {}
    return {
        "game": view.game,
        "board": drawings.board(view, visitor.language, places, visitor.layout),
        "seats": [
            (view.game.colours[seat], name, drawings.panel(view, seat, visitor.language, places))
            for seat, name in enumerate(view.names)
        ],
        "summary": summary(view),
        "chapter": chapter(view),
        "prompt": prompt(view, view.seat),
        "choices": table_view.choices(view, visitor.language, places) if offers else [],
    }


def in_a_row(lines: list[list[Phrase]]) -> list[Phrase]:
    """All sentences of several moves."""
    return [phrase for told in lines for phrase in told]
