"""The routes of games gone by: stepping through one, its record as a file, and playing on from any position."""

from __future__ import annotations

import asyncio
import gzip
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from babel.dates import format_date
from fastapi import APIRouter, Form, Request, UploadFile
from starlette.responses import JSONResponse, RedirectResponse, Response

from malecon.kernel.errors import BadRecord
from malecon.kernel.phrases import counted, say
from malecon.match import LARGEST_FILE, Record
from malecon.server.accounts.visitors import Visitor, remember
from malecon.server.errors import Forbidden, NotFound
from malecon.server.names import tidy_name
from malecon.server.pages import drawings, rendering, replay_bundle, table_view
from malecon.server.pages.table_view import Viewer
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from malecon.server.web.dependencies import TheServices, TheTable, TheVisitor, wants_json
from malecon.text import chapter, glossary, prompt, translate

router = APIRouter(include_in_schema=False)
#: What a review counts for in the time that bots think for somebody.
REVIEW_SECONDS = 60
#: The same for a whole replay, which takes two or three; seconds between two steps of it.
WHOLE_SECONDS, BREATH = 3.0, 0.005
OPPONENT = "bot:comerciante"


@router.get("/tables/{table}/replay")
async def replay_from_start(table: TheTable) -> Response:
    return RedirectResponse(f"/tables/{table.id}/replay/{_first_decision(table)}", 303)


@router.get("/tables/{table}/replay/all")
async def whole_replay(request: Request, services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    """Every step of one's own finished game in one piece: a browser keeps it for when there is no network."""
    if not table.is_over or not table.seats_of(visitor.person):
        raise Forbidden(say("only a finished game of your own can be kept"))
    services.limiter.check_thought(visitor.person, request.scope, WHOLE_SECONDS)
    services.limiter.charge_thought(visitor.person, WHOLE_SECONDS)
    whole, first, review = replay_bundle.ReplayBundle(), _first_decision(table), services.reviews.of(table)
    before = after = ""
    async with services.replay_lock:  # however many want one: it is not urgent
        for moves in range(len(table.match) + 1):
            context = _context(table, visitor, moves) | {"review": review}
            html = rendering.fragment("replay_body.html", visitor.language, **context)
            whole.add(html)
            if moves == first:
                around = {"visitor": visitor, "path": f"/tables/{table.id}", "now": 0, "warming_up": None}
                page = rendering.fragment("replay.html", visitor.language, **around, **context)
                before, _, after = page.partition(html)
            await asyncio.sleep(BREATH)  # others go first
    names = ", ".join(seat.name for seat in table_view.seats_shown(table, Viewer.of(visitor)))
    day = format_date(datetime.fromtimestamp(table.row.created, UTC), "medium", visitor.language)
    told = whole.told() | {"first": first, "before": before, "after": after}
    packed = "gzip" in request.headers.get("accept-encoding", "")
    body = await asyncio.to_thread(_encoded, told, packed)
    headers = {"x-replay-title": quote(f"{table.match.game.title} · {day} · {names}")}
    return Response(
        body, media_type="application/json", headers=headers | ({"content-encoding": "gzip"} if packed else {})
    )


def _encoded(told: dict[str, Any], packed: bool) -> bytes:
    data = msgspec.json.encode(told)
    return gzip.compress(data, 6) if packed else data


@router.get("/tables/{table}/replay/{moves}")
async def replay(request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, moves: int) -> Response:
    if not 0 <= moves <= len(table.match):
        raise NotFound(counted("this game has only {n} move", "this game has only {n} moves", len(table.match)))
    context = _context(table, visitor, moves) | {"review": services.reviews.of(table)}
    if wants_json(request):
        html = rendering.fragment("replay_body.html", visitor.language, **context)
        flights = drawings.flights(table.match, context["view"], max(0, moves - 1), moves)
        return JSONResponse({"html": html, "moves": moves, "flights": flights})
    return rendering.page(request, visitor, "replay.html", **context)


def _context(table: Table, visitor: Visitor, moves: int) -> dict[str, Any]:
    seat = table_view.perspective(table, Viewer.of(visitor)).seat
    view = table_view.past(table, moves, seat)
    now = table.match.everything() if table.is_record else table.match.view(seat)
    return {
        "table": table,
        "game": table.match.game,
        "view": view,
        "moves": moves,
        "total": len(table.match),
        "first": _first_decision(table),
        "board": drawings.board(view, visitor.language, {}, visitor.layout),
        "panels": [drawings.panel(view, i, visitor.language, {}) for i in range(table.match.players)],
        "seats": table_view.seats_shown(table, Viewer.of(visitor)),
        "log": replay_bundle.log(table, now, visitor.language, moves),
        "jumps": replay_bundle.jumps(table, moves),
        "chapter": chapter(view),
        "prompt": prompt(view, None),
        "outcome": table.match.outcome if moves == len(table.match) else None,
        "scores": table.match.scores if moves == len(table.match) and table.match.is_over else (),
        "glossary": glossary(table.match.game),
        "can_review": table.match.is_over,
        "can_ask": table.match.is_over and view.turn is not None and view.turn >= 0,
        "can_analyse": table.match.is_over or table.is_record,
        "can_fork": table_view.is_open(table, seat) and view.turn is not None,
        "can_download": table_view.is_open(table, seat),
    }


@router.post("/tables/{table}/review")
async def begin_review(
    request: Request,
    services: TheServices,
    table: TheTable,
    visitor: TheVisitor,
    moves: Annotated[int | None, Form()] = None,
) -> Response:
    """Let a bot look at every decision of a finished game; the replay shows what it found."""
    services.limiter.check_thought(visitor.person, request.scope, REVIEW_SECONDS)
    services.limiter.charge_thought(visitor.person, REVIEW_SECONDS)
    begun = services.reviews.ask(table)
    if wants_json(request):
        return JSONResponse({"ready": begun.is_ready})
    shown = len(table.match) if moves is None or not 0 <= moves <= len(table.match) else moves
    return RedirectResponse(f"/tables/{table.id}/replay/{shown}", 303)


@router.get("/tables/{table}/review")
async def see_review(services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    """How far the review is, for the page that waits for it."""
    begun = services.reviews.of(table)
    if begun is None:
        raise NotFound(say("nobody has asked for a review of this game yet"))
    return JSONResponse(
        {"ready": begun.is_ready, "over": begun.broke, "status": translate(begun.status, visitor.language)}
    )


def _first_decision(table: Table) -> int:
    """Where a replay begins: after chance has set up the table."""
    return next((number for number, entry in enumerate(table.ledger.moves) if entry.seat >= 0), len(table.match))


@router.get("/tables/{table}/record.json")
async def record(table: TheTable, visitor: TheVisitor) -> Response:
    _check_open(table, visitor)
    name = f"{table.match.game.name}-{table.id}.json"
    return Response(
        table.record().to_json(),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def _check_open(table: Table, visitor: Visitor) -> None:
    """The record tells everything: while something is hidden from this visitor, or others play, there is none."""
    if not table.is_fair:
        raise Forbidden(say("no looking ahead while others play; come back when the game is over"))
    if not table_view.is_open(table, table_view.perspective(table, Viewer.of(visitor)).seat):
        raise Forbidden(say("some of this is still secret; come back when the game is over"))


@router.post("/tables/{table}/fork/{moves}")
async def play_on(
    request: Request,
    services: TheServices,
    table: TheTable,
    visitor: TheVisitor,
    moves: int,
    seat: Annotated[int, Form()] = 0,
) -> Response:
    """A new game from this position: the visitor on one seat, bots on the others."""
    _check_open(table, visitor)
    if not 0 <= moves <= len(table.match):
        raise NotFound(counted("this game has only {n} move", "this game has only {n} moves", len(table.match)))
    if not 0 <= seat < table.match.players:
        raise NotFound(say("there is no seat {seat}", seat=seat))
    me = NewSeat("me", tidy_name(visitor.choices.name))
    wanted = NewTable(
        game=table.match.game.name,
        seats=tuple(me if other == seat else NewSeat(OPPONENT) for other in range(table.match.players)),
        options=table.match.options,
        pace=visitor.choices.pace,
        automatic=visitor.choices.automatic,
    )
    await services.check_can_open_table(request, visitor)
    new = await services.tables.open(wanted, visitor.person, begun=table.match.fork(moves))
    response = RedirectResponse(f"/tables/{new.id}", 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


@router.post("/records")
async def open_record(request: Request, services: TheServices, visitor: TheVisitor, file: UploadFile) -> Response:
    data = await file.read(LARGEST_FILE + 1)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadRecord(say("this is not UTF-8 text")) from None
    await services.check_can_open_table(request, visitor)
    record = await asyncio.to_thread(Record.from_json, text)  # a large one takes long, and others want to play
    table = await services.tables.open_record(record, visitor.person)
    response = RedirectResponse(f"/tables/{table.id}/replay", 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response
