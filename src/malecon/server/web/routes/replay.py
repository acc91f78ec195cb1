"""The routes of replays: stepping through a game, its record as a file, its review, and playing on from a position."""

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
from malecon.match import LARGEST_FILE, Record, View
from malecon.server.accounts.visitors import Visitor, remember
from malecon.server.errors import Forbidden, NotFound
from malecon.server.names import person_name
from malecon.server.pages import drawings, rendering, replay_bundle, table_view
from malecon.server.pages.engine_files import engine_address
from malecon.server.pages.engine_positions import lines_in_words, open_position
from malecon.server.pages.table_view import Viewer
from malecon.server.tables.opening import NewTable
from malecon.server.tables.reviews import check_over
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from malecon.server.web.dependencies import Number, TheServices, TheTable, TheVisitor, wants_json
from malecon.server.web.schema import LinesRequest, from_json
from malecon.text import chapter, glossary, prompt, translate

router = APIRouter(include_in_schema=False)
#: The thinking time that a person must have left to ask for a whole replay; it is charged as what it takes.
BUNDLE_SECONDS = 3.0
OPPONENT = "bot:comerciante"


@router.get("/tables/{table}/replay")
async def replay_from_start(table: TheTable) -> Response:
    return RedirectResponse(f"/tables/{table.id}/replay/{_first_decision(table)}", 303)


@router.get("/tables/{table}/replay/all")
async def whole_replay(request: Request, services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    """Return every step of a visitor's own finished game, for a browser to keep for use without a network."""
    if not table.is_over or not table.seats_of(visitor.person):
        raise Forbidden(say("only a finished game of your own can be kept"))
    review, bundles = services.reviews.of(table), services.replay_bundles
    review = review if review is not None and review.is_ready else None
    viewer, language = Viewer.of(visitor), visitor.language
    seats = table_view.seat_views(table, viewer)
    # everything that a step shows besides the game: who looks, in which form
    key = (table.id, table.revision, tuple(seats), language, visitor.layout, review is not None)
    bundle = bundles.kept(key)
    if bundle is None:
        services.limiter.check_think_time(visitor.person, request.scope, BUNDLE_SECONDS)
        own = table.detached()

        def render(moves: int) -> str:
            return rendering.fragment("replay_body.html", language, **_context(own, visitor, moves), review=review)

        bundle = await bundles.make(visitor.person, key, len(table.match) + 1, render)
    first = _first_decision(table)
    context = _context(table, visitor, first) | {"review": review}
    page = rendering.kept_page(services.site.texts, visitor, "replay.html", f"/tables/{table.id}", **context)
    before, _, after = page.partition(rendering.fragment("replay_body.html", language, **context))
    names = ", ".join(seat.name for seat in seats)
    day = format_date(datetime.fromtimestamp(table.row.created, UTC), "medium", language)
    packed = "gzip" in request.headers.get("accept-encoding", "")
    body = await asyncio.to_thread(_encoded, bundle, {"first": first, "before": before, "after": after}, packed)
    headers = {"x-replay-title": quote(f"{table.match.game.title} · {day} · {names}")}
    return Response(
        body, media_type="application/json", headers=headers | ({"content-encoding": "gzip"} if packed else {})
    )


def _encoded(bundle: bytes, page: dict[str, Any], packed: bool) -> bytes:
    """Return a bundle together with the page around its steps, as one JSON object."""
    data = msgspec.json.encode(page)[:-1] + b"," + bundle[1:]
    return gzip.compress(data, 3) if packed else data


@router.get("/tables/{table}/replay/{moves}")
async def replay(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, moves: Number
) -> Response:
    if not 0 <= moves <= len(table.match):
        raise NotFound(counted("this game has only {n} move", "this game has only {n} moves", len(table.match)))
    context = _context(table, visitor, moves) | {"review": services.reviews.of(table)}
    if wants_json(request):
        html = rendering.fragment("replay_body.html", visitor.language, **context)
        flights = drawings.flights(table.match, context["view"], max(0, moves - 1), moves)
        return JSONResponse({"html": html, "moves": moves, "flights": flights})
    return rendering.page(request, visitor, "replay.html", **context)


@router.get("/tables/{table}/replay/{moves}/position")
async def position(table: TheTable, visitor: TheVisitor, moves: Number) -> Response:
    """Return a position of a finished game for the engine in the page."""
    return JSONResponse(_position(table, visitor, moves, _analysed(table, moves)))


@router.post("/tables/{table}/replay/{moves}/lines")
async def tell_lines(request: Request, table: TheTable, visitor: TheVisitor, moves: Number) -> Response:
    """Put the lines of the engine in the page into words."""
    view = _analysed(table, moves)
    body = await from_json(request, LinesRequest)
    return JSONResponse({"lines": lines_in_words(view, body.lines, visitor.language)})


def _analysed(table: Table, moves: int) -> View:
    """Return everything after a number of moves; raise Forbidden while the game runs."""
    check_over(table)
    if not 0 <= moves <= len(table.match):
        raise NotFound(counted("this game has only {n} move", "this game has only {n} moves", len(table.match)))
    return table.match.everything(moves)


def _position(table: Table, visitor: Visitor, moves: int, view: View) -> dict[str, Any] | None:
    """Return a position for the engine in the page, together with the move that was made there."""
    position = open_position(view, visitor.language, f"/tables/{table.id}/replay/{moves}/lines")
    if position is not None and moves < len(table.match):
        position["made"] = str(table.match.history[moves].move)
    return position


def _context(table: Table, visitor: Visitor, moves: int) -> dict[str, Any]:
    seat = table_view.perspective(table, Viewer.of(visitor)).seat
    view = table_view.past(table, moves, seat)
    now = table.match.everything() if table.is_record else table.match.view(seat)
    can_analyse = table.match.is_over or table.is_record
    return {
        "table": table,
        "game": table.match.game,
        "view": view,
        "moves": moves,
        "total": len(table.match),
        "first": _first_decision(table),
        "board": drawings.board(view, visitor.language, {}, visitor.layout),
        "panels": [drawings.panel(view, i, visitor.language, {}) for i in range(table.match.players)],
        "seats": table_view.seat_views(table, Viewer.of(visitor)),
        "log": replay_bundle.log(table, now, visitor.language, moves),
        "jumps": replay_bundle.jumps(table, moves),
        "chapter": chapter(view),
        "prompt": prompt(view, None),
        "outcome": table.match.outcome if moves == len(table.match) else None,
        "scores": table.scores if moves == len(table.match) and table.match.is_over else (),
        "glossary": glossary(table.match.game),
        "can_review": table.match.is_over,
        "can_ask": table.match.is_over and view.turn is not None and view.turn >= 0,
        "can_analyse": can_analyse,
        "engine": engine_address(table.match.game.name) if can_analyse else None,
        "engine_seats": list(zip(table.match.game.colours, table.match.names, strict=False)),
        "position": _position(table, visitor, moves, view) if can_analyse else None,
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
    """Begin the review of a finished game, which its replay shows."""
    review = services.reviews.ask(table, visitor.person, request.scope)
    if wants_json(request):
        return JSONResponse({"ready": review.is_ready})
    step = len(table.match) if moves is None or not 0 <= moves <= len(table.match) else moves
    return RedirectResponse(f"/tables/{table.id}/replay/{step}", 303)


@router.get("/tables/{table}/review")
async def see_review(services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    """Return how far the review is, for the page that waits for it."""
    review = services.reviews.of(table)
    if review is None:
        raise NotFound(say("nobody has asked for a review of this game yet"))
    return JSONResponse(
        {"ready": review.is_ready, "over": review.failed, "status": translate(review.status, visitor.language)}
    )


def _first_decision(table: Table) -> int:
    """Return the move at which a replay begins: after chance has set up the table."""
    return next((number for number, entry in enumerate(table.game_log.moves) if entry.seat >= 0), len(table.match))


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
    """Raise Forbidden if a visitor may not have the record: something is hidden from them, or others play."""
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
    moves: Number,
    seat: Annotated[int, Form()] = 0,
) -> Response:
    """Open a new game from this position: the visitor on one seat, bots on the others."""
    _check_open(table, visitor)
    if not 0 <= moves <= len(table.match):
        raise NotFound(counted("this game has only {n} move", "this game has only {n} moves", len(table.match)))
    if not 0 <= seat < table.match.players:
        raise NotFound(say("there is no seat {seat}", seat=seat))
    me = NewSeat("me", person_name(visitor.choices.name))
    settings = NewTable(
        game=table.match.game.name,
        seats=tuple(me if other == seat else NewSeat(OPPONENT) for other in range(table.match.players)),
        options=table.match.options,
        pace=visitor.choices.pace,
        automatic=visitor.choices.automatic,
    )
    await services.check_can_open_table(request, visitor)
    new = await services.tables.open(settings, visitor.person, begun=table.match.fork(moves))
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
    record = await asyncio.to_thread(Record.from_json, text)  # a large one takes long
    table = await services.tables.open_record(record, visitor.person)
    response = RedirectResponse(f"/tables/{table.id}/replay", 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response
