"""The routes of “why not this?”: any move of any decision in a game that is over, compared with the best one."""

from __future__ import annotations

from collections import OrderedDict
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from malecon.bots.reasons import Explanation, explain_move
from malecon.kernel.phrases import Phrase, say
from malecon.match import View
from malecon.server import texts
from malecon.server.accounts.visitors import Visitor
from malecon.server.errors import NotFound, NotOver
from malecon.server.pages import rendering
from malecon.server.tables.hints import check_ready
from malecon.server.tables.table import Table
from malecon.server.web.dependencies import TheServices, TheTable, TheVisitor
from malecon.server.web.routes.teaching.explained import REASON_SECONDS, check_move, line_page, reasons_shown
from malecon.server.web.routes.teaching.pages import shown
from malecon.server.web.services import Services
from malecon.text import describe_move

router = APIRouter(include_in_schema=False)
#: How the moves are compared: the same answer for everybody, and for every page of it.
ADVISER = "search:sims=1500,margin=0"
#: Answers that are remembered, for their lines are looked at one by one.
MOST_KNOWN = 200
_known: OrderedDict[tuple[str, int, str], Explanation] = OrderedDict()


@router.get("/tables/{table}/ask/{moves}")
async def choose(request: Request, table: TheTable, visitor: TheVisitor, moves: int) -> Response:
    """A decision of a finished game: which of its moves is it about?"""
    view = _decision(table, moves)
    context = shown(view, visitor, offers=True) | {
        "heading": texts.ASK,
        "task": _made(table, view, moves),
        "action": f"/tables/{table.id}/ask/{moves}",
    }
    return rendering.page(request, visitor, "exercise.html", **context)


@router.post("/tables/{table}/ask/{moves}")
async def ask(table: TheTable, moves: int, move: Annotated[str, Form(max_length=60)]) -> Response:
    check_move(_decision(table, moves), move)
    return RedirectResponse(f"/tables/{table.id}/ask/{moves}/answer?move={quote(move)}", 303)


@router.get("/tables/{table}/ask/{moves}/answer")
async def answer(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, moves: int, move: str
) -> Response:
    """Why the best move is better than this one, or this one than the next."""
    view = _decision(table, moves)
    why = await _why(request, services, visitor, table, view, moves, move)
    better, other = why.moves
    best, worse = why.chances or (0.0, 0.0)
    place = f"/tables/{table.id}/ask/{moves}"
    context = shown(view, visitor) | {
        "heading": texts.ASK,
        "task": _made(table, view, moves),
        "right": move == better.text,
        "said": texts.IS_BEST if move == better.text else texts.NOT_BEST,
        "verdict": [
            texts.best_was(describe_move(view, better), round(100 * best)),
            texts.only_leaves(describe_move(view, other), round(100 * worse)),
        ],
        "reasons": reasons_shown(why),
        "lines": f"{place}/line",
        "query": f"?move={quote(move)}",
        "analyse": f"/analysis/new/table/{table.id}/{moves}",
        "onward": [(place, texts.ASK_AGAIN), (f"/tables/{table.id}/replay/{moves}", texts.REPLAY)],
    }
    return rendering.page(request, visitor, "answer.html", **context)


@router.get("/tables/{table}/ask/{moves}/line/{which}/{step}")
async def see_line(
    request: Request,
    services: TheServices,
    table: TheTable,
    visitor: TheVisitor,
    moves: int,
    which: str,
    step: int,
    move: str,
) -> Response:
    """A line of the answer, move by move."""
    view = _decision(table, moves)
    why = await _why(request, services, visitor, table, view, moves, move)
    place = f"/tables/{table.id}/ask/{moves}"
    return line_page(request, visitor, why, which, step, texts.ASK, place, f"?move={quote(move)}", "answer")


def _decision(table: Table, moves: int) -> View:
    """What the player saw who decided then; NotOver while the game is on."""
    if not table.match.is_over:
        raise NotOver
    if not 0 <= moves < len(table.match) or table.match.history[moves].seat < 0:
        raise NotFound(say("nobody decides here; choose what chance brings first"))
    return table.match.fork(moves).view(table.match.history[moves].seat)


def _made(table: Table, view: View, moves: int) -> Phrase:
    made = table.match.history[moves].move
    assert made is not None
    who = view.names[view.seat or 0]
    return say("{who} chose “{move}”. Which move do you want to know about?").fill(
        who=who, move=describe_move(view, made)
    )


async def _why(
    request: Request, services: Services, visitor: Visitor, table: Table, view: View, moves: int, move: str
) -> Explanation:
    check_move(view, move)
    key = table.id, moves, move
    if key not in _known:
        check_ready(view.game.name)
        services.limiter.check_thought(visitor.person, request.scope, REASON_SECONDS)
        _known[key] = await services.autoplay.think(visitor.person, _explained, view, move)
        while len(_known) > MOST_KNOWN:
            _known.popitem(last=False)
    return _known[key]


def _explained(view: View, move: str) -> Explanation:
    return explain_move(view, move, bot=ADVISER)
