"""What pages with a board share: a position with its moves, and explanations with lines to step through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import Request
from starlette.responses import Response

from malecon.bots.reasons import Explanation
from malecon.kernel.phrases import Phrase, say
from malecon.match import View
from malecon.server.accounts.visitors import Visitor
from malecon.server.errors import NotFound
from malecon.server.pages import drawings, rendering, table_view
from malecon.server.pages.engine_files import engine_address
from malecon.server.pages.engine_positions import own_position
from malecon.text import chapter, prompt, summary
from malecon.text.game_text import tell_step

#: The thinking time that an explanation is charged as.
REASON_SECONDS = 3
#: The two lines of an explanation, as addresses call them.
LINES = ("better", "other")


def position_context(view: View, visitor: Visitor, *, offers: bool = False) -> dict[str, Any]:
    """Return the context of a board with all holdings, as the view's seat sees it; with `offers`, its moves too."""
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


def try_context(view: View, visitor: Visitor, *, solution: str = "", tried: str = "", counts: bool = False) -> Any:
    """Return what the engine in the page needs to answer a try at once, as far as the view's seat knows the position.

    The solution is the stored one, if there is one; `tried` is the move that the page is about, if it was made before.
    If tries count, the page sends each one.
    """
    return {
        "engine": engine_address(view.game.name),
        "position": own_position(view, visitor.language),
        "tries": {"solution": solution, "tried": tried, "counts": counts},
    }


def in_a_row(lines: list[list[Phrase]]) -> list[Phrase]:
    """Return the sentences of several moves in one list."""
    return [phrase for line in lines for phrase in line]


# --- explanations


@dataclass(frozen=True)
class Reason:
    """A sentence, and the line and step at which it can be seen."""

    text: Phrase
    line: str
    step: int


def reasons_of(why: Explanation) -> list[Reason]:
    """Return the sentences of an explanation, each with the first event that shows it."""
    return [
        Reason(claim.text, LINES[claim.evidence[0].line], claim.evidence[0].step + 1)
        for claim in why.claims
        if claim.evidence
    ]


def line_page(
    request: Request,
    visitor: Visitor,
    why: Explanation,
    which: str,
    step: int,
    heading: Phrase,
    place: str,
    query: str,
    back: str,
) -> Response:
    """Return the page of a line of an explanation after a number of its moves."""
    if which not in LINES:
        raise NotFound(say("there is no such line"))
    line = why.better if which == LINES[0] else why.other
    if not 0 <= step <= len(line):
        raise NotFound(say("there is no such line"))
    context = position_context(line.view(line.first_seat, step), visitor) | {
        "heading": heading,
        "task": say("The better line") if which == LINES[0] else say("The other line"),
        "step": step,
        "total": len(line),
        "story": [tell_step(line.game, move, line.names) for move in line.steps],
        "base": f"{place}/line/{which}",
        "query": query,
        "back": back if back.startswith("/") else f"{place}/{back}{query}",
    }
    context["prompt"] = say("Move {step} of {total} in the line", step=step, total=len(line))
    return rendering.page(request, visitor, "line.html", **context)
