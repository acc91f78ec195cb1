"""The routes of a table: its page, its live connection, and everything that can be done there."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Form, Request, WebSocket
from markupsafe import Markup
from pydantic_core import to_json
from starlette.responses import JSONResponse, RedirectResponse, Response

from malecon import words
from malecon.kernel.errors import IllegalMove, MaleconError
from malecon.kernel.phrases import say
from malecon.server import advice, clocks, drawn, live, rendering, showing, texts
from malecon.server.errors import NotFound, NotYourSeat
from malecon.server.house import TheHouse, TheTable, TheVisitor, done, house_of, visitor_of, wants_json
from malecon.server.people import Visitor, remember
from malecon.server.showing import Eye
from malecon.server.storage import BOT
from malecon.server.tables import NewSeat, NewTable, check_name

router = APIRouter(include_in_schema=False)
Version = Annotated[int | None, Form()]


def eye_of(visitor: Visitor, as_seat: int | None = None) -> Eye:
    return Eye(visitor.person, visitor.language, visitor.layout, as_seat)


def number_or_none(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None


@router.get("/tables/{table}")
async def show(request: Request, table: TheTable, visitor: TheVisitor) -> Response:
    if table.is_record:
        return RedirectResponse(f"/tables/{table.id}/replay/{len(table.match)}", 303)
    eye = eye_of(visitor, number_or_none(request.query_params.get("as")))
    body = live.render_table(table, eye)
    return rendering.page(
        request,
        visitor,
        "table.html",
        title=live.title(table, eye),
        table=table,
        game=table.match.game,
        choices=visitor.choices,
        layout=eye.layout,
        body=Markup(body),
        shown=live.seal(body),
    )


@router.get("/tables/{table}/seats/{seat}")
async def look_closer(
    request: Request, table: TheTable, visitor: TheVisitor, seat: int, moves: int | None = None
) -> Response:
    """What lies before a seat, large, as the visitor may see it: now, or after so many moves."""
    eye = eye_of(visitor, number_or_none(request.query_params.get("as")))
    where = showing.perspective(table, eye)
    if not 0 <= seat < table.match.players:
        raise NotFound(say("there is no seat {seat}", seat=seat))
    if moves is not None and not 0 <= moves <= len(table.match):
        raise NotFound(say("this game has only {moves} moves", moves=len(table.match)))
    view = table.match.view(where.seat) if moves is None else showing.past(table, moves, where.seat)
    heading = texts.held_by(view.names[seat])
    picture = drawn.close_up(view, seat, visitor.language, visitor.layout)
    if wants_json(request):
        return JSONResponse({"title": words.say(heading, visitor.language), "html": picture})
    back = f"/tables/{table.id}" if moves is None else f"/tables/{table.id}/replay/{moves}"
    return rendering.page(request, visitor, "close_up.html", heading=heading, drawn=picture, back=back)


@router.websocket("/tables/{table}/live")
async def connect(socket: WebSocket, table: str) -> None:
    house = house_of(socket)
    try:
        place = await house.tables.get(table)
    except MaleconError:
        await socket.close(1008)
        return
    visitor = await visitor_of(socket)
    await socket.accept()
    query = socket.query_params
    eye = eye_of(visitor, number_or_none(query.get("as")))
    follower = live.Follower(place, eye, number_or_none(query.get("moves")), query.get("shown"))

    async def messages() -> AsyncGenerator[str]:
        async with aclosing(house.presence.changes(place, visitor, at_once=True)) as changes:
            async for _ in changes:
                news = follower.message()
                if news is not None:
                    yield to_json(news).decode()

    await live.follow(socket, messages())


@router.post("/tables/{table}/move")
async def move(
    request: Request,
    house: TheHouse,
    table: TheTable,
    visitor: TheVisitor,
    move: Annotated[str, Form(max_length=200)] = "",
    version: Version = None,
) -> Response:
    await house.tables.move(table, visitor.person, move, version)
    return done(request, table)


@router.post("/tables/{table}/undo")
async def undo(
    request: Request, house: TheHouse, table: TheTable, visitor: TheVisitor, version: Version = None
) -> Response:
    await house.tables.undo(table, visitor.person, version)
    return done(request, table)


@router.post("/tables/{table}/redo")
async def redo(
    request: Request, house: TheHouse, table: TheTable, visitor: TheVisitor, version: Version = None
) -> Response:
    await house.tables.redo(table, visitor.person, version)
    return done(request, table)


@router.post("/tables/{table}/pace")
async def set_pace(
    request: Request, house: TheHouse, table: TheTable, visitor: TheVisitor, pace: Annotated[str, Form()] = ""
) -> Response:
    await house.tables.set_pace(table, visitor.person, pace)
    return done(request, table)


@router.post("/tables/{table}/seats/{seat}/leave")
async def leave(request: Request, house: TheHouse, table: TheTable, visitor: TheVisitor, seat: int) -> Response:
    await house.tables.leave_to_bot(table, visitor.person, seat)
    return done(request, table)


@router.post("/tables/{table}/seats/{seat}/return")
async def come_back(request: Request, house: TheHouse, table: TheTable, visitor: TheVisitor, seat: int) -> Response:
    await house.tables.take_back_seat(table, visitor.person, seat)
    return done(request, table)


@router.post("/tables/{table}/seats/{seat}/remove")
async def remove(request: Request, house: TheHouse, table: TheTable, visitor: TheVisitor, seat: int) -> Response:
    await house.tables.remove(table, visitor.person, seat)
    return done(request, table)


@router.get("/tables/{table}/why")
async def why(table: TheTable, visitor: TheVisitor, place: str = "") -> Response:
    """Why nothing can be done at a place on the board now, for whoever looks at it."""
    where = showing.perspective(table, eye_of(visitor))
    reason = showing.why_not(table, table.match.view(where.seat), place[:60], showing.may_move(table, where))
    return JSONResponse({"why": words.sentence(reason, visitor.language)})


@router.post("/tables/{table}/hint")
async def hint(request: Request, house: TheHouse, table: TheTable, visitor: TheVisitor) -> Response:
    """The best moves with their chances, for whoever is to move."""
    mine, turn = table.seats_of(visitor.person), table.match.turn
    if turn is None or turn not in mine:
        raise IllegalMove(say("there are hints only when it is your turn"))
    house.limiter.check_thought(visitor.person, request.scope)
    found = await advice.advise(house.driver, visitor.person, table.match.view(turn), visitor.language)
    return JSONResponse({"moves": found})


@router.post("/tables/{table}/again")
async def play_again(request: Request, house: TheHouse, table: TheTable, visitor: TheVisitor) -> Response:
    """A new table like this one: the same bots, the visitor on the same seats, links for everybody else."""
    mine = table.seats_of(visitor.person)
    if not mine:
        raise NotYourSeat
    seats = []
    for seat, row in enumerate(table.row.seats):
        who = "me" if seat in mine else f"bot:{row.bot}" if row.kind == BOT else "open"
        seats.append(NewSeat(who, row.name if seat in mine else None))
    wanted = NewTable(
        game=table.match.game.name,
        seats=tuple(seats),
        options=table.match.options,
        pace=table.row.pace,
        automatic=visitor.choices.automatic,
        clock=clocks.name_of(table.row.clock),
        time_up=table.row.time_up,
    )
    await house.check_room(request, visitor)
    new = await house.tables.open(wanted, visitor.person)
    return RedirectResponse(f"/tables/{new.id}", 303)


@router.get("/join/{token}")
async def invitation(request: Request, house: TheHouse, visitor: TheVisitor, token: str) -> Response:
    table, seat = await house.tables.invited(token)
    if table.row.seats[seat].person == visitor.person:
        return RedirectResponse(f"/tables/{table.id}", 303)
    seats = showing.seats_shown(table, eye_of(visitor))
    return rendering.page(
        request, visitor, "join.html", table=table, game=table.match.game, seat=seats[seat], seats=seats, token=token
    )


@router.post("/join/{token}")
async def join(
    request: Request,
    house: TheHouse,
    visitor: TheVisitor,
    token: str,
    name: Annotated[str, Form(max_length=80)] = "",
) -> Response:
    table = await house.tables.join(token, visitor.person, check_name(name), visitor.choices.automatic)
    response = done(request, table)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response
