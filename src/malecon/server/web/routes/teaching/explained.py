"""Explanations on pages: sentences, each with the place in a line that bears it out, and lines to step through."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request
from starlette.responses import Response

from malecon.bots.reasons import Explanation
from malecon.kernel.errors import NotAMove
from malecon.kernel.phrases import Phrase, say
from malecon.match import View
from malecon.server import texts
from malecon.server.accounts.visitors import Visitor
from malecon.server.errors import NotFound
from malecon.server.pages import rendering
from malecon.server.web.routes.teaching.pages import shown
from malecon.text.game_text import tell_step

#: What a reason counts for in the time that the server thinks for somebody.
REASON_SECONDS = 3
#: The two lines of an explanation, as addresses call them.
LINES = ("better", "other")


@dataclass(frozen=True)
class Reason:
    """A sentence, and where in which line it can be seen: after so many of its moves."""

    text: Phrase
    line: str
    step: int


def reasons_shown(why: Explanation) -> list[Reason]:
    """Every sentence with the first event that bears it out."""
    return [
        Reason(claim.text, LINES[claim.evidence[0].line], claim.evidence[0].step + 1)
        for claim in why.claims
        if claim.evidence
    ]


def check_move(view: View, move: str) -> None:
    """NotAMove where the seat of the view cannot make it."""
    if move not in view.legal_moves:
        raise NotAMove(say("{text} is not a move", text=repr(move)[:60]))


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
    """A line of an explanation after so many of its moves."""
    if which not in LINES:
        raise NotFound(say("there is no such line"))
    line = why.better if which == LINES[0] else why.other
    if not 0 <= step <= len(line):
        raise NotFound(say("there is no such line"))
    context = shown(line.view(line.first_seat, step), visitor) | {
        "heading": heading,
        "task": texts.LINE_BETTER if which == LINES[0] else texts.LINE_OTHER,
        "step": step,
        "total": len(line),
        "story": [tell_step(line.game, move, line.names) for move in line.steps],
        "base": f"{place}/line/{which}",
        "query": query,
        "back": back if back.startswith("/") else f"{place}/{back}{query}",
    }
    context["prompt"] = texts.line_step(step, len(line))
    return rendering.page(request, visitor, "line.html", **context)
