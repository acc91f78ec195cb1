"""The JSON interface of tables, described by OpenAPI: enough to write a bot or another client against it.

A client gets a token once and sends it as `Authorization: Bearer TOKEN`; a browser's cookie works as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, WebSocket
from starlette.responses import Response

from malecon.kernel import registry
from malecon.kernel.phrases import say
from malecon.match import Move, View
from malecon.server.accounts.visitors import Visitor
from malecon.server.errors import Forbidden
from malecon.server.pages import live, table_view
from malecon.server.pages.table_view import Viewer
from malecon.server.storage.table_options import CLOCKS
from malecon.server.tables.move_preview import preview_move
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import BOTS, NewSeat
from malecon.server.tables.table import Table
from malecon.server.tables.timing import PACES
from malecon.server.web.broadcast import Subscription
from malecon.server.web.dependencies import (
    TheServices,
    TheTable,
    TheVisitor,
    accept_socket,
    check_known,
    number_or_none,
    services_of,
)
from malecon.server.web.models import (
    REFUSALS,
    Catalogue,
    ForeseenMove,
    GameInfo,
    Identity,
    JoinRequest,
    MoveRequest,
    TableDelta,
    TableRequest,
    TableState,
    UndoRequest,
)
from malecon.server.web.table_state import labelled, own_view, state_json
from malecon.text import translate

Since = Annotated[
    int | None, Query(ge=0, lt=1_000_000_000, description="Answer only with what has changed since this version")
]
router = APIRouter(prefix="/api", tags=["tables"])


def _foreseen(view: View, move: Move, language: str) -> ForeseenMove:
    ahead = preview_move(view, move)
    preview = " ".join(translate(line, language) for line in (*ahead.lines, ahead.then))
    return ForeseenMove(**labelled(view, move, language), preview=preview, final=ahead.final)


class EncodedJSON(Response):
    """A response whose content is JSON already."""

    media_type = "application/json"


@router.post("/people", status_code=201, summary="Get a token")
async def new_person(services: TheServices) -> Identity:
    return Identity(token=await services.guests.new_secret())


@router.get("/games", summary="What can be played")
async def catalogue() -> Catalogue:
    games = [registry.get(name) for name in registry.names()]
    return Catalogue(
        games=[
            GameInfo(
                name=game.name,
                title=game.title,
                rules=game.rules_version,
                fewest_players=game.fewest_players,
                most_players=game.most_players,
                colours=list(game.colours),
                options={key: list(option.choices) for key, option in game.options.items()},
            )
            for game in games
        ],
        bots=list(BOTS),
        paces=list(PACES),
        clocks=CLOCKS,
    )


@router.post("/tables", status_code=201, summary="Open a table", responses=REFUSALS, response_model=TableState)
async def open_table(body: TableRequest, request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    check_known(visitor)
    seats = tuple(NewSeat(seat.who, seat.name) for seat in body.seats)
    new = NewTable(
        body.game,
        seats,
        options=body.options,
        pace=body.pace,
        automatic=False,
        clock=body.clock,
        time_up=body.time_up,
        hints=body.hints,
    )
    await services.check_can_open_table(request, visitor)
    return EncodedJSON(state_json(await services.tables.open(new, visitor.person), visitor), 201)


@router.get("/tables", summary="Your tables")
async def my_tables(services: TheServices, visitor: TheVisitor) -> list[str]:
    return [row.id for row in await services.tables.tables_of(visitor.person)]


@router.post("/join", summary="Take the seat of an invitation", responses=REFUSALS, response_model=TableState)
async def join(body: JoinRequest, services: TheServices, visitor: TheVisitor) -> Response:
    check_known(visitor)
    return EncodedJSON(
        state_json(await services.tables.join(body.token, visitor.person, body.name, automatic=False), visitor)
    )


@router.get(
    "/tables/{table}", summary="The table as you see it", responses=REFUSALS, response_model=TableState | TableDelta
)
async def view(services: TheServices, table: TheTable, visitor: TheVisitor, since: Since = None) -> Response:
    if since is not None and since > table.version:  # they have a newer version from another process
        await services.tables.refresh(table)
    return EncodedJSON(state_json(table, visitor, since))


@router.get("/tables/{table}/legal", summary="Your legal moves, with what they would do", responses=REFUSALS)
async def legal(table: TheTable, visitor: TheVisitor) -> list[ForeseenMove]:
    view, to_move = own_view(table, visitor)
    return [_foreseen(view, move, visitor.language) for move in view.legal_moves] if to_move else []


@router.post("/tables/{table}/moves", summary="Make a move", responses=REFUSALS, response_model=TableState | TableDelta)
async def move(
    body: MoveRequest, services: TheServices, table: TheTable, visitor: TheVisitor, since: Since = None
) -> Response:
    await services.tables.move(table, visitor.person, body.move, body.version, body.seat)
    return EncodedJSON(state_json(table, visitor, since))


@router.post(
    "/tables/{table}/undo",
    summary="Take back your last move",
    responses=REFUSALS,
    response_model=TableState | TableDelta,
)
async def undo(
    body: UndoRequest, services: TheServices, table: TheTable, visitor: TheVisitor, since: Since = None
) -> Response:
    await services.tables.undo(table, visitor.person, body.version)
    return EncodedJSON(state_json(table, visitor, since))


@router.post(
    "/tables/{table}/seats/{seat}/remove", summary="Send somebody away", responses=REFUSALS, response_model=TableState
)
async def remove(services: TheServices, table: TheTable, visitor: TheVisitor, seat: int) -> Response:
    """As owner of the table: a bot plays on, until a person takes the seat by the new invitation."""
    await services.tables.remove(table, visitor.person, seat)
    return EncodedJSON(state_json(table, visitor))


@router.get("/tables/{table}/log", summary="What happened, in words", responses=REFUSALS)
async def log(table: TheTable, visitor: TheVisitor, since: int = 0) -> list[list[str]]:
    seat = table_view.perspective(table, Viewer.of(visitor)).seat
    view = table.match.view(seat)
    return [list(line.lines) for line in table_view.log(table, view, visitor.language, max(0, since))]


@router.get("/tables/{table}/record", summary="The record of a finished game", responses=REFUSALS)
async def record(table: TheTable, visitor: TheVisitor) -> dict[str, Any]:
    if not table_view.is_open(table, table_view.perspective(table, Viewer.of(visitor)).seat):
        raise Forbidden(say("some of this is still secret; come back when the game is over"))
    document: dict[str, Any] = json.loads(table.record().to_json())
    return document


@router.websocket("/tables/{table}/events")
async def events(socket: WebSocket, table: str) -> None:
    """The table as you see it, after every change; with `?version=N` not before it differs from that. With `?since=N`
    each message tells only what has changed: since that version, then since the message before.

    When your session ends, the connection is closed with code 4401.
    """
    accepted = await accept_socket(socket, table)
    if accepted is None:
        return
    services, (followed, visitor) = services_of(socket), accepted
    since = number_or_none(socket.query_params.get("since"))
    known_version = number_or_none(socket.query_params.get("version")) if since is None else since

    def shared() -> Callable[[], str | None]:
        """Return what makes the messages of spectators."""
        nobody = Viewer(None, visitor.language, visitor.layout)
        return _Events(followed, nobody, None if since is None else followed.version).message

    subscription = Subscription(
        socket,
        followed,
        visitor,
        own=_Events(followed, visitor, since),
        kind=("events", visitor.language, since is None),
        shared=shared,
        at_once=known_version != followed.version,
    )
    await live.send_streams(socket, services.broadcaster.follow(subscription))


class _Events:
    """Makes the messages of one connection: the whole state, or what has changed since the last message."""

    def __init__(self, table: Table, visitor: Visitor | Viewer, since: int | None) -> None:
        self._table, self._visitor, self._since = table, visitor, since

    def message(self) -> str:
        message = state_json(self._table, self._visitor, self._since).decode()
        self._since = None if self._since is None else self._table.version
        return message

    def forget(self) -> None:
        """Nothing to forget: a client that gets a move twice recognises it by its number."""
