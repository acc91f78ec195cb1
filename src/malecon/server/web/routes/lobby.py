"""The routes of the lobby, as pages and as JSON: its live connection, waiting tables, finding a game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter, Request, WebSocket
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from malecon.kernel import registry
from malecon.kernel.errors import BadSetup, MaleconError
from malecon.kernel.phrases import say
from malecon.server.accounts.visitors import Visitor, remember
from malecon.server.errors import Forbidden, NotYourTable
from malecon.server.lobby.waiting import WaitingTable, seats_for
from malecon.server.pages import live, lobby_view, rendering
from malecon.server.pages.lobby_view import WaitingState, waiting_state
from malecon.server.storage.table_options import HAND_OVER
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.web.dependencies import (
    TheServices,
    TheVisitor,
    check_known,
    services_of,
    visitor_of,
    waiting_count_stream,
)
from malecon.server.web.json_api import Endpoints
from malecon.server.web.schema import GameSearch, PublicTableRequest, from_text
from malecon.server.web.services import Services
from malecon.server.web.table_forms import candidate_of, fill_time, public_table, seat_of

router = APIRouter(include_in_schema=False)
api = Endpoints("/api/lobby", "lobby")


@router.websocket("/lobby/live")
async def connect(socket: WebSocket) -> None:
    """Send the lobby to a home page; people who wait are led to their game when it starts."""
    services = services_of(socket)
    visitor = await _enter(socket)
    if visitor is None:
        return

    async def messages() -> AsyncGenerator[str]:
        waits = {waiting.id for waiting in (await services.lobby.fresh()).waiting_of(visitor.person)}
        async with aclosing(services.lobby.changes()) as changes:
            async for snapshot in changes:
                now = {waiting.id for waiting in snapshot.waiting_of(visitor.person)}
                gone, waits = waits - now, now
                for name in gone:
                    started = await _started(services, name)
                    if started is not None and visitor.person in started.people:
                        yield lobby_view.go(f"/tables/{started.table}")
                yield services.lobby_pages.message(snapshot, visitor.language)

    with services.presence.visiting(visitor):
        await live.send_streams(
            socket, services.session_check, visitor, messages(), *waiting_count_stream(services, socket, visitor)
        )


@router.websocket("/waiting/{name}/live")
async def wait(socket: WebSocket, name: str) -> None:
    """Send a waiting table to its page."""
    services = services_of(socket)
    visitor = await _enter(socket)
    if visitor is None:
        return

    async def messages() -> AsyncGenerator[str]:
        async with aclosing(services.lobby.changes()) as changes:
            async for snapshot in changes:
                listed = next((waiting for waiting in snapshot.waiting if waiting.id == name), None)
                waiting = listed if listed is not None else await _started(services, name)
                if waiting is None:
                    yield lobby_view.go(f"/waiting/{name}")  # which says that it waits no longer
                    return
                is_mine = visitor.person in waiting.people
                if waiting.table is None or is_mine:
                    yield services.lobby_pages.waiting_message(snapshot, waiting, visitor.language)
                else:
                    yield lobby_view.go(f"/tables/{waiting.table}")

    with services.presence.visiting(visitor):
        await live.send_streams(socket, services.session_check, visitor, messages())


async def _enter(socket: WebSocket) -> Visitor | None:
    try:
        visitor = await visitor_of(socket)
    except MaleconError:
        await socket.close(1008)
        return None
    await socket.accept()
    return visitor


async def _started(services: Services, name: str) -> WaitingTable | None:
    """Return a table that no longer waits because it has started; None if it was closed."""
    try:
        waiting = await services.lobby.find(name)
    except MaleconError:
        return None
    return waiting


@router.get("/waiting/{name}")
async def waiting_page(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    waiting = await services.lobby.find(name)
    if waiting.table is not None:
        return RedirectResponse(f"/tables/{waiting.table}", 303)
    return rendering.page(
        request,
        visitor,
        "waiting.html",
        waiting=waiting,
        title=registry.get(waiting.game).title,
        mine=visitor.person in waiting.people,
        is_owner=visitor.person == waiting.owner,
        body=Markup(lobby_view.waiting_html(waiting, visitor.language)),
    )


@router.post("/waiting/{name}/join")
async def join(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    return _to(request, visitor, await _join(request, services, visitor, name))


async def _join(request: Request, services: Services, visitor: Visitor, name: str) -> WaitingTable:
    waiting = await services.lobby.find(name)
    if waiting.table is not None and visitor.person in waiting.people:
        return waiting
    services.limiter.remember_address(visitor.person, request.scope)
    await asyncio.to_thread(services.moderation.check_play, visitor)
    if set(waiting.people) & set(await _avoided(services, visitor)):
        raise Forbidden(say("you cannot join this table"))
    return await services.lobby.join(name, await candidate_of(services, visitor, waiting.game))


@router.post("/waiting/{name}/leave")
async def leave(services: TheServices, visitor: TheVisitor, name: str) -> Response:
    await services.lobby.leave(name, visitor.person)
    return RedirectResponse("/", 303)


@router.post("/waiting/{name}/start")
async def start(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    """Let bots take the free seats at once; for the owner of the table."""
    return _to(request, visitor, await _start(services, visitor, name))


async def _start(services: Services, visitor: Visitor, name: str) -> WaitingTable:
    if (await services.lobby.find(name)).owner != visitor.person:
        raise NotYourTable
    return await services.lobby.fill_now(name)


@router.post("/find")
async def find(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """Seat a visitor with others who look for the same game."""
    form = await request.form()
    texts = {name: value for name, value in form.items() if isinstance(value, str) and value}
    given: dict[str, Any] = {name: texts[name] for name in ("game", "clock", "fill", "bot") if name in texts}
    search = from_text(given | {"players": form.getlist("players")}, GameSearch)
    return _to(request, visitor, await _find(request, services, visitor, search))


async def _find(request: Request, services: Services, visitor: Visitor, search: GameSearch) -> WaitingTable:
    game, numbers = registry.get(search.game), sorted(set(search.players))
    if not numbers:
        raise BadSetup(say("choose at least one number of players"))
    await services.check_can_open_table(request, visitor)
    await asyncio.to_thread(services.moderation.check_public, visitor)
    candidate = await candidate_of(services, visitor, game.name)
    new = WaitingTable(
        id="",
        game=game.name,
        numbers=tuple(numbers),
        options={key: option.default for key, option in game.options.items()},
        owner=visitor.person,
        pace=visitor.choices.pace,
        clock=search.clock,
        time_up=HAND_OVER,
        language=visitor.language,
        fill_at=fill_time(search.fill),
        bot=search.bot,
        seats=seats_for(max(numbers), [seat_of(candidate, max(numbers))]),
    )
    return await services.lobby.seek(new, candidate, await _avoided(services, visitor))


async def _avoided(services: Services, visitor: Visitor) -> tuple[str, ...]:
    """Return the people whom a visitor has blocked or who have blocked them."""
    return () if visitor.is_new else await asyncio.to_thread(services.conversations.avoided, visitor.person)


def _to(request: Request, visitor: Visitor, waiting: WaitingTable) -> Response:
    address = f"/waiting/{waiting.id}" if waiting.table is None else f"/tables/{waiting.table}"
    response = RedirectResponse(address, 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


# --- the JSON interface


@api.get("", "The lobby: what waits, what is played, who is here", returns=lobby_view.LobbyState)
async def lobby_state(services: Services) -> bytes:
    return services.lobby_pages.state(await services.lobby.fresh()).encode()


@router.websocket("/api/lobby/events")
async def events(socket: WebSocket) -> None:
    """The lobby after every change, quick ones together. While you are connected you count as being here, and keep your
    seat at a table that waits.
    """
    services = services_of(socket)
    visitor = await _enter(socket)
    if visitor is None:
        return

    async def messages() -> AsyncGenerator[str]:
        async with aclosing(services.lobby.changes()) as changes:
            async for snapshot in changes:
                yield services.lobby_pages.state(snapshot)

    with services.presence.visiting(visitor):
        await live.send_streams(socket, services.session_check, visitor, messages())


@api.post("", "Open a public table", status=201, opens_table=True)
async def open_public(body: PublicTableRequest, request: Request, services: Services, visitor: Visitor) -> WaitingState:
    """It starts when all seats are taken, and at once if none is free."""
    check_known(visitor)
    new = NewTable(
        body.game,
        tuple(NewSeat(seat.who, seat.name) for seat in body.seats),
        options=body.options,
        pace=body.pace,
        clock=body.clock,
        time_up=body.time_up,
        hints=body.hints,
        public=True,
    )
    await services.check_can_open_table(request, visitor)
    await asyncio.to_thread(services.moderation.check_public, visitor)
    public = await public_table(
        services, visitor, new, lowest=body.lowest, highest=body.highest, fill=body.fill, bot=body.bot
    )
    return waiting_state(await services.lobby.open(public))


@api.post("/find", "Find a game with others", opens_table=True)
async def find_game(body: GameSearch, request: Request, services: Services, visitor: Visitor) -> WaitingState:
    check_known(visitor)
    return waiting_state(await _find(request, services, visitor, body))


@api.get("/{name}", "A table that waits")
async def one_waiting(services: Services, name: str) -> WaitingState:
    return waiting_state(await services.lobby.find(name))


@api.post("/{name}/join", "Take a free seat")
async def join_waiting(request: Request, services: Services, visitor: Visitor, name: str) -> WaitingState:
    """Unless the clock gives a day or more, stay connected to `/api/lobby/events`: after a minute away, your seat is
    free again.
    """
    check_known(visitor)
    return waiting_state(await _join(request, services, visitor, name))


@api.post("/{name}/leave", "Give your seat back", status=204)
async def leave_waiting(services: Services, visitor: Visitor, name: str) -> None:
    await services.lobby.leave(name, visitor.person)


@api.post("/{name}/start", "Start now with bots")
async def start_waiting(services: Services, visitor: Visitor, name: str) -> WaitingState:
    """As owner of the table."""
    return waiting_state(await _start(services, visitor, name))
