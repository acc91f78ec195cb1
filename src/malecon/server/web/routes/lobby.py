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
from malecon.server import community_texts
from malecon.server.accounts.visitors import Visitor, remember
from malecon.server.errors import Forbidden, NotYourTable
from malecon.server.lobby.waiting import FILLER, WaitingTable, seats_for
from malecon.server.pages import live, lobby_view, rendering
from malecon.server.tables import timing
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
from malecon.server.web.models import REFUSALS, GameSearch, LobbyState, PublicTableRequest, WaitingState
from malecon.server.web.services import Services
from malecon.server.web.table_forms import candidate_of, fill_time, minutes_of, public_table, seat_of

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/lobby", tags=["lobby"])


@router.websocket("/lobby/live")
async def connect(socket: WebSocket) -> None:
    """The lobby for those who look at the home page; whoever waits is taken to their game when it starts."""
    services = services_of(socket)
    visitor = await _enter(socket)
    if visitor is None:
        return

    async def messages() -> AsyncGenerator[str]:
        waits = {one.id for one in (await services.lobby.fresh()).waiting_of(visitor.person)}
        async with aclosing(services.lobby.changes()) as changes:
            async for shown in changes:
                now = {one.id for one in shown.waiting_of(visitor.person)}
                gone, waits = waits - now, now
                for name in gone:
                    started = await _started(services, name)
                    if started is not None and visitor.person in started.people:
                        yield lobby_view.go(f"/tables/{started.table}")
                yield services.lobby_pages.message(shown, visitor.language)

    with services.presence.visiting(visitor):
        await live.follow(socket, messages(), *waiting_count_stream(services, socket, visitor))


@router.websocket("/waiting/{name}/live")
async def wait(socket: WebSocket, name: str) -> None:
    """One waiting table, for those who sit there or think about it."""
    services = services_of(socket)
    visitor = await _enter(socket)
    if visitor is None:
        return

    async def messages() -> AsyncGenerator[str]:
        async with aclosing(services.lobby.changes()) as changes:
            async for shown in changes:
                known = next((one for one in shown.waiting if one.id == name), None)
                found = known if known is not None else await _started(services, name)
                if found is None:
                    yield lobby_view.go("/")
                    return
                is_mine = visitor.person in found.people
                if found.table is None or is_mine:
                    yield services.lobby_pages.waiting_message(shown, found, visitor.language)
                else:
                    yield lobby_view.go(f"/tables/{found.table}")

    with services.presence.visiting(visitor):
        await live.follow(socket, messages())


async def _enter(socket: WebSocket) -> Visitor | None:
    try:
        visitor = await visitor_of(socket)
    except MaleconError:
        await socket.close(1008)
        return None
    await socket.accept()
    return visitor


async def _started(services: Services, name: str) -> WaitingTable | None:
    """A waiting table that the lobby does not show any more; None where it was given up."""
    try:
        found = await services.lobby.find(name)
    except MaleconError:
        return None
    return found


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
    known = await services.lobby.find(name)
    if known.table is not None and visitor.person in known.people:
        return known
    services.limiter.lives_at(visitor.person, request.scope)
    await asyncio.to_thread(services.moderation.check_play, visitor)
    if set(known.people) & set(await _avoided(services, visitor)):
        raise Forbidden(community_texts.CANNOT_JOIN)
    return await services.lobby.join(name, await candidate_of(services, visitor, known.game))


@router.post("/waiting/{name}/leave")
async def leave(services: TheServices, visitor: TheVisitor, name: str) -> Response:
    await services.lobby.leave(name, visitor.person)
    return RedirectResponse("/", 303)


@router.post("/waiting/{name}/start")
async def start(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    """As owner: have bots take the free seats at once."""
    return _to(request, visitor, await _start(services, visitor, name))


async def _start(services: Services, visitor: Visitor, name: str) -> WaitingTable:
    if (await services.lobby.find(name)).owner != visitor.person:
        raise NotYourTable
    return await services.lobby.fill_now(name)


@router.post("/find")
async def find(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """Seat somebody with others who want the same."""
    form = await request.form()
    sought = GameSearch.model_construct(
        game=str(form.get("game", "")),
        players=[int(text) for text in map(str, form.getlist("players")) if text.isdigit() and len(text) < 3],
        clock=str(form.get("clock", "none")),
        fill=minutes_of(str(form.get("fill", "0"))),
        bot=str(form.get("bot", FILLER)),
    )
    return _to(request, visitor, await _find(request, services, visitor, sought))


async def _find(request: Request, services: Services, visitor: Visitor, sought: GameSearch) -> WaitingTable:
    game, numbers = registry.get(sought.game), sorted(set(sought.players))
    if not numbers:
        raise BadSetup(say("choose at least one number of players"))
    await services.check_can_open_table(request, visitor)
    await asyncio.to_thread(services.moderation.check_public, visitor)
    guest = await candidate_of(services, visitor, game.name)
    wanted = WaitingTable(
        id="",
        game=game.name,
        numbers=tuple(numbers),
        options={key: option.default for key, option in game.options.items()},
        owner=visitor.person,
        pace=visitor.choices.pace,
        clock=sought.clock,
        time_up=timing.HAND_OVER,
        language=visitor.language,
        fill_at=fill_time(sought.fill),
        bot=sought.bot,
        seats=seats_for(max(numbers), [seat_of(guest, max(numbers))]),
    )
    return await services.lobby.seek(wanted, guest, await _avoided(services, visitor))


async def _avoided(services: Services, visitor: Visitor) -> tuple[str, ...]:
    """Those whom a visitor does not want to meet, or who do not want to meet them."""
    return () if visitor.is_new else await asyncio.to_thread(services.conversations.avoided, visitor.person)


def _to(request: Request, visitor: Visitor, waiting: WaitingTable) -> Response:
    address = f"/waiting/{waiting.id}" if waiting.table is None else f"/tables/{waiting.table}"
    response = RedirectResponse(address, 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


# --- the JSON interface


@api.get("", summary="The lobby: what waits, what is played, who is here", response_model=LobbyState)
async def lobby_state(services: TheServices) -> Response:
    text = services.lobby_pages.state(await services.lobby.fresh())
    return Response(text, media_type="application/json")


@api.websocket("/events")
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
            async for shown in changes:
                yield services.lobby_pages.state(shown)

    with services.presence.visiting(visitor):
        await live.follow(socket, messages())


@api.post("", status_code=201, summary="Open a public table", responses=REFUSALS, response_model=WaitingState)
async def open_public(
    wanted: PublicTableRequest, request: Request, services: TheServices, visitor: TheVisitor
) -> dict[str, Any]:
    """It starts when all seats are taken, and at once where none is free."""
    check_known(visitor)
    seats = tuple(NewSeat(seat.who, seat.name) for seat in wanted.seats)
    new = NewTable(
        wanted.game,
        seats,
        wanted.options,
        wanted.pace,
        clock=wanted.clock,
        time_up=wanted.time_up,
        hints=wanted.hints,
        public=True,
    )
    await services.check_can_open_table(request, visitor)
    await asyncio.to_thread(services.moderation.check_public, visitor)
    limits = {"lowest": wanted.lowest, "highest": wanted.highest}
    form = {name: str(value) for name, value in limits.items() if value is not None}
    form |= {"fill": str(wanted.fill), "bot": wanted.bot}
    return lobby_view.waiting_state(await services.lobby.open(await public_table(services, visitor, new, form)))


@api.post("/find", summary="Find a game with others", responses=REFUSALS, response_model=WaitingState)
async def find_game(wanted: GameSearch, request: Request, services: TheServices, visitor: TheVisitor) -> dict[str, Any]:
    check_known(visitor)
    return lobby_view.waiting_state(await _find(request, services, visitor, wanted))


@api.get("/{name}", summary="A table that waits", responses=REFUSALS, response_model=WaitingState)
async def one_waiting(services: TheServices, name: str) -> dict[str, Any]:
    return lobby_view.waiting_state(await services.lobby.find(name))


@api.post("/{name}/join", summary="Take a free seat", responses=REFUSALS, response_model=WaitingState)
async def join_waiting(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> dict[str, Any]:
    """Unless the clock gives a day or more, stay connected to `/api/lobby/events`: after a minute away, your seat is
    free again.
    """
    check_known(visitor)
    return lobby_view.waiting_state(await _join(request, services, visitor, name))


@api.post("/{name}/leave", status_code=204, summary="Give your seat back", responses=REFUSALS)
async def leave_waiting(services: TheServices, visitor: TheVisitor, name: str) -> None:
    await services.lobby.leave(name, visitor.person)


@api.post("/{name}/start", summary="Start now with bots", responses=REFUSALS, response_model=WaitingState)
async def start_waiting(services: TheServices, visitor: TheVisitor, name: str) -> dict[str, Any]:
    """As owner of the table."""
    return lobby_view.waiting_state(await _start(services, visitor, name))
