"""The routes of a table: its page, its live connection, and everything that can be done at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Request, WebSocket
from markupsafe import Markup
from starlette.responses import JSONResponse, RedirectResponse, Response

from malecon.kernel.errors import BadSetup, IllegalMove
from malecon.kernel.game import Name
from malecon.kernel.phrases import counted, say
from malecon.match import View
from malecon.server.accounts.visitors import BROWSER, Visitor, check_where, remember
from malecon.server.errors import Forbidden, NoSuchInvitation, NotFound, NotYourSeat, Refused
from malecon.server.pages import chat_view, drawings, live, rendering, spoken_summary, table_view
from malecon.server.pages.engine_files import engine_digest
from malecon.server.pages.table_view import Viewer
from malecon.server.storage.rows import BOT, OPEN
from malecon.server.tables import hints
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from malecon.server.web.broadcast import Subscription
from malecon.server.web.dependencies import (
    Number,
    TheServices,
    TheTable,
    TheVisitor,
    accept_socket,
    number_or_none,
    redirect_or_version,
    services_of,
    waiting_count_stream,
    wants_json,
)
from malecon.server.web.schema import MoveRequest, UndoRequest, from_form
from malecon.server.web.services import Services
from malecon.server.web.table_commands import make_move, receive_moves, thinking_page
from malecon.text import sections, sentence, translate

router = APIRouter(include_in_schema=False)


@router.get("/tables/{table}")
async def show(request: Request, services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    if table.is_record:
        return RedirectResponse(f"/tables/{table.id}/replay/{len(table.match)}", 303)
    viewer = Viewer.of(visitor, number_or_none(request.query_params.get("as")))
    response = rendering.page(
        request,
        visitor,
        "table.html",
        title=live.title(table, viewer),
        table=table,
        game=table.match.game,
        choices=visitor.choices,
        layout=viewer.layout,
        large={"body": live.render_table(table, viewer)},
        shown=live.page_hash(table, viewer),
        engine=engine_digest(table.match.game.name) if thinking_page(table, visitor) and not table.is_over else None,
        talk=await chat_view.chat_panel(services.conversations, services.presence, table, visitor),
    )
    if table.is_over:  # it will not change: a browser may cache it for use without a network
        response.headers["x-game-over"] = "yes"
    return response


@router.get("/tables/{table}/seats/{seat}")
async def look_closer(
    request: Request, table: TheTable, visitor: TheVisitor, seat: Number, moves: Number | None = None
) -> Response:
    """Show the holdings of a seat, enlarged, as the visitor may see them: now, or after a number of moves."""
    viewer = Viewer.of(visitor, number_or_none(request.query_params.get("as")))
    where = table_view.perspective(table, viewer)
    if not 0 <= seat < table.match.players:
        raise NotFound(say("there is no seat {seat}", seat=seat))
    if moves is not None and not 0 <= moves <= len(table.match):
        raise NotFound(counted("this game has only {n} move", "this game has only {n} moves", len(table.match)))
    view = table.match.view(where.seat) if moves is None else table_view.past(table, moves, where.seat)
    heading = say("In front of {who}", who=view.names[seat])
    picture = drawings.close_up(view, seat, visitor.language, visitor.layout)
    if wants_json(request):
        return JSONResponse({"title": translate(heading, visitor.language), "html": picture})
    back = f"/tables/{table.id}" if moves is None else f"/tables/{table.id}/replay/{moves}"
    return rendering.page(request, visitor, "close_up.html", heading=heading, picture=picture, back=back)


@router.get("/tables/{table}/standing")
async def in_words(request: Request, table: TheTable, visitor: TheVisitor) -> Response:
    """Describe the game in sentences: a summary first, then all that the visitor may see."""
    where = table_view.perspective(table, Viewer.of(visitor, number_or_none(request.query_params.get("as"))))
    view = table.match.view(where.seat)
    summary = spoken_summary.summary(table, view, where, visitor.language)
    html = rendering.fragment("standing.html", visitor.language, summary=summary, sections=sections(view))
    if wants_json(request):
        return JSONResponse({"title": translate(say("In words"), visitor.language), "html": html, "announce": summary})
    back = f"/tables/{table.id}"
    return rendering.page(request, visitor, "close_up.html", heading=say("In words"), picture=Markup(html), back=back)


@router.websocket("/tables/{table}/live")
async def connect(socket: WebSocket, table: str) -> None:
    accepted = await accept_socket(socket, table)
    if accepted is None:
        return
    services, (followed, visitor) = services_of(socket), accepted
    query = socket.query_params
    viewer = Viewer.of(visitor, number_or_none(query.get("as")))
    follower = live.Follower(followed, viewer, number_or_none(query.get("moves")), query.get("shown"))

    def shared() -> Callable[[], str | None]:
        """Return what makes the messages of spectators."""
        spectator = live.Follower(followed, replace(viewer, person=None), None)
        spectator.message()
        return spectator.message

    subscription = Subscription(
        socket, followed, visitor, own=follower, kind=("page", viewer.language, viewer.layout), shared=shared
    )
    messages = services.broadcaster.follow(subscription)
    counts = waiting_count_stream(services, socket, visitor)
    page = thinking_page(followed, visitor)
    questions = () if page is None else (page.messages(),)
    commands = receive_moves(services, socket, followed, visitor, page)
    streams = messages, *counts, *questions
    try:
        await live.send_streams(socket, services.session_check, visitor, *streams, on_message=commands)
    finally:
        if page is not None:
            services.page_bots.withdraw(followed, page)


@router.post("/tables/{table}/move")
async def move(request: Request, services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    await make_move(services, table, visitor, await from_form(request, MoveRequest))
    return redirect_or_version(request, table)


@router.post("/tables/{table}/undo")
async def undo(request: Request, services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    body = await from_form(request, UndoRequest)
    await services.tables.undo(table, visitor.person, body.version)
    return redirect_or_version(request, table)


@router.post("/tables/{table}/redo")
async def redo(request: Request, services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    body = await from_form(request, UndoRequest)
    await services.tables.redo(table, visitor.person, body.version)
    return redirect_or_version(request, table)


@router.post("/tables/{table}/pace")
async def set_pace(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, pace: Annotated[str, Form()] = ""
) -> Response:
    await services.tables.set_pace(table, visitor.person, pace)
    return redirect_or_version(request, table)


@router.post("/tables/{table}/thinking")
async def set_page_thinks(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, where: Annotated[str, Form()] = ""
) -> Response:
    """Set where the bots of a casual game think: `browser` or `server`."""
    await services.tables.set_page_thinks(table, visitor.person, check_where(where) == BROWSER)
    return redirect_or_version(request, table)


@router.post("/tables/{table}/seats/{seat}/leave")
async def leave(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, seat: Number
) -> Response:
    await services.tables.leave_to_bot(table, visitor.person, seat)
    return redirect_or_version(request, table)


@router.post("/tables/{table}/seats/{seat}/return")
async def come_back(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, seat: Number
) -> Response:
    await services.tables.take_back_seat(table, visitor.person, seat)
    return redirect_or_version(request, table)


@router.post("/tables/{table}/seats/{seat}/remove")
async def remove(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, seat: Number
) -> Response:
    await services.tables.remove(table, visitor.person, seat)
    return redirect_or_version(request, table)


@router.post("/tables/{table}/seats/{seat}/resign")
async def resign(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, seat: Number
) -> Response:
    await services.tables.resign(table, visitor.person, seat)
    return redirect_or_version(request, table)


@router.get("/tables/{table}/why")
async def why(table: TheTable, visitor: TheVisitor, place: str = "") -> Response:
    """Return why nothing can be done at a place on the board now."""
    where = table_view.perspective(table, Viewer.of(visitor))
    reason = table_view.why_not(table, table.match.view(where.seat), place[:60], table_view.may_move(table, where))
    return JSONResponse({"why": sentence(reason, visitor.language)})


@router.post("/tables/{table}/hint")
async def hint(request: Request, services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    """Return the best moves with their chances, and why the best is better than the next, for the player to move."""
    view = _advised(table, visitor)
    services.limiter.check_think_time(visitor.person, request.scope)
    moves, why = await hints.advise(services.worker_pool, visitor.person, view, visitor.language)
    return JSONResponse({"moves": moves, "why": why})


@router.post("/tables/{table}/explain")
async def explain(
    request: Request,
    services: TheServices,
    table: TheTable,
    visitor: TheVisitor,
    move: Annotated[str, Form(max_length=60)],
) -> Response:
    """Return how a move of the player to move compares with the best, and why."""
    view = _advised(table, visitor)
    services.limiter.check_think_time(visitor.person, request.scope)
    return JSONResponse(
        {"why": await hints.compare(services.worker_pool, visitor.person, view, move, visitor.language)}
    )


def _advised(table: Table, visitor: Visitor) -> View:
    """Return the view of a visitor who may get hints; raise IllegalMove or Forbidden if they may not."""
    own_seats, turn = table.seats_of(visitor.person), table.match.turn
    if turn is None or turn not in own_seats:
        raise IllegalMove(say("hints are available only when it is your turn"))
    if not table.is_fair:
        raise Forbidden(say("With other people at the table there are no hints until the game is over."))
    return table.match.view(turn)


@router.post("/tables/{table}/again")
async def play_again(request: Request, services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    """Open a rematch, or join the one that was opened already: everybody's seat is reserved for them."""
    own_seats = table.seats_of(visitor.person)
    if not own_seats:
        raise NotYourSeat
    if not table.is_over:
        raise Refused(say("this game is not over yet"))
    seats = []
    for seat, row in enumerate(table.row.seats):
        who = "me" if seat in own_seats else f"bot:{row.bot}" if row.kind == BOT else "open"
        seats.append(NewSeat(who, row.name))
    settings = NewTable(
        game=table.match.game.name,
        seats=tuple(seats),
        automatic=visitor.choices.automatic,
        page_thinks=table.row.page_thinks,
        **table.row.table_options() | {"guide": False, "public": False},
    )
    await services.check_can_open_table(request, visitor)
    new = await services.tables.rematch(table, settings, visitor.person)
    for seat in own_seats:
        reserved = new.row.seats[seat]
        if reserved.kind == OPEN and reserved.token is not None:
            await services.tables.join(reserved.token, visitor.person, reserved.name, visitor.choices.automatic)
    return RedirectResponse(f"/tables/{new.id}", 303)


@router.get("/join/{token}")
async def invitation(request: Request, services: TheServices, visitor: TheVisitor, token: str) -> Response:
    return await _invitation(request, services, visitor, token)


async def _invitation(
    request: Request, services: Services, visitor: Visitor, token: str, name: str | None = None, problem: Name = ""
) -> Response:
    """Return the form of an invitation; if it was not valid, with the problem and the name that was entered."""
    table, seat = await services.tables.invited(token)
    row = table.row.seats[seat]
    if row.person == visitor.person:
        return RedirectResponse(f"/tables/{table.id}", 303)
    if row.kind != OPEN:  # it is taken
        raise NoSuchInvitation
    seats = table_view.seat_views(table, Viewer.of(visitor))
    return rendering.page(
        request,
        visitor,
        "join.html",
        status=400 if problem else 200,
        table=table,
        game=table.match.game,
        seat=seats[seat],
        seats=seats,
        token=token,
        name=visitor.choices.name if name is None else name,
        problem=problem,
    )


@router.post("/join/{token}")
async def join(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    token: str,
    name: Annotated[str, Form(max_length=80)] = "",
) -> Response:
    try:
        table = await services.tables.join(token, visitor.person, name, visitor.choices.automatic)
    except BadSetup as error:  # a name that is taken, or none at all
        if wants_json(request):
            raise
        return await _invitation(request, services, visitor, token, name[:40], error.phrase)
    response = redirect_or_version(request, table)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response
