"""The routes of “why not this?”: any move of a decision in a finished game, compared with the best one."""

from __future__ import annotations

from collections import OrderedDict
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from malecon.bots.reasons import Explanation, explain_move
from malecon.kernel.phrases import Phrase, say
from malecon.match import View
from malecon.server.accounts.visitors import Visitor
from malecon.server.errors import NotFound, NotOver
from malecon.server.pages import rendering
from malecon.server.tables.hints import best_was, check_move, only_leaves
from malecon.server.tables.table import Table
from malecon.server.web.dependencies import Number, TheServices, TheTable, TheVisitor
from malecon.server.web.routes.teaching.board_pages import (
    REASON_SECONDS,
    line_page,
    position_context,
    reasons_of,
    try_context,
)
from malecon.server.web.services import Services
from malecon.server.workers.worker_pool import QUESTION
from malecon.text import describe_move

router = APIRouter(include_in_schema=False)
#: The bot that compares moves: the same answer for everybody, on every page.
ADVISER = "search:sims=1500,margin=0"
#: Explanations in the cache: their lines are looked at one by one.
MOST_CACHED = 200
HEADING = say("Ask about a move")
_explanations: OrderedDict[tuple[str, int, str], Explanation] = OrderedDict()


@router.get("/tables/{table}/ask/{moves}")
async def choose(request: Request, table: TheTable, visitor: TheVisitor, moves: Number) -> Response:
    """Show a decision of a finished game, to choose the move to ask about."""
    view = _decision(table, moves)
    context = position_context(view, visitor, offers=True) | try_context(view, visitor)
    context |= {
        "heading": HEADING,
        "task": _question(table, view, moves),
        "action": f"/tables/{table.id}/ask/{moves}",
    }
    return rendering.page(request, visitor, "exercise.html", **context)


@router.post("/tables/{table}/ask/{moves}")
async def ask(table: TheTable, moves: Number, move: Annotated[str, Form(max_length=60)]) -> Response:
    check_move(_decision(table, moves), move)
    return RedirectResponse(f"/tables/{table.id}/ask/{moves}/answer?move={quote(move)}", 303)


@router.get("/tables/{table}/ask/{moves}/answer")
async def answer(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, moves: Number, move: str
) -> Response:
    """Show why the best move is better than this one, or this one than the next."""
    view = _decision(table, moves)
    why = await _why(request, services, visitor, table, view, moves, move)
    better, other = why.moves
    best, worse = why.chances or (0.0, 0.0)
    place = f"/tables/{table.id}/ask/{moves}"
    context = position_context(view, visitor) | {
        "heading": HEADING,
        "task": _question(table, view, moves),
        "right": move == better.text,
        "said": say("This is the best move.") if move == better.text else say("Not the best move."),
        "verdict": [
            best_was(describe_move(view, better), round(100 * best)),
            only_leaves(describe_move(view, other), round(100 * worse)),
        ],
        "reasons": reasons_of(why),
        "lines": f"{place}/line",
        "query": f"?move={quote(move)}",
        "analyse": f"/analysis/new/table/{table.id}/{moves}",
        "onward": [(place, say("Ask about another move")), (f"/tables/{table.id}/replay/{moves}", say("Replay"))],
    }
    return rendering.page(request, visitor, "answer.html", **context)


@router.get("/tables/{table}/ask/{moves}/line/{which}/{step}")
async def see_line(
    request: Request,
    services: TheServices,
    table: TheTable,
    visitor: TheVisitor,
    moves: Number,
    which: str,
    step: Number,
    move: str,
) -> Response:
    """Show a line of the explanation, move by move."""
    view = _decision(table, moves)
    why = await _why(request, services, visitor, table, view, moves, move)
    place = f"/tables/{table.id}/ask/{moves}"
    return line_page(request, visitor, why, which, step, HEADING, place, f"?move={quote(move)}", "answer")


def _decision(table: Table, moves: int) -> View:
    """Return the view of the player who decided; raise NotOver while the game runs."""
    if not table.match.is_over:
        raise NotOver
    if not 0 <= moves < len(table.match) or table.match.history[moves].seat < 0:
        raise NotFound(say("nobody decides here; choose what chance brings first"))
    return table.match.fork(moves).view(table.match.history[moves].seat)


def _question(table: Table, view: View, moves: int) -> Phrase:
    move = table.match.history[moves].move
    assert move is not None
    who = view.names[view.seat or 0]
    return say("{who} chose “{move}”. Which move do you want to know about?").fill(
        who=who, move=describe_move(view, move)
    )


async def _why(
    request: Request, services: Services, visitor: Visitor, table: Table, view: View, moves: int, move: str
) -> Explanation:
    check_move(view, move)
    key = table.id, moves, move
    if key not in _explanations:
        services.limiter.check_think_time(visitor.person, request.scope, REASON_SECONDS)
        _explanations[key] = await services.worker_pool.run(QUESTION, visitor.person, _explained, view, move)
        while len(_explanations) > MOST_CACHED:
            _explanations.popitem(last=False)
    return _explanations[key]


def _explained(view: View, move: str) -> Explanation:
    return explain_move(view, move, bot=ADVISER)
