"""The JSON interface of tables: enough to write a bot or another client against it.

A client gets a token once and sends it as `Authorization: Bearer TOKEN`; a browser's cookie works as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import unquote

import msgspec
from fastapi import APIRouter, WebSocket
from msgspec import Meta, Struct
from starlette.requests import Request

from malecon.kernel import registry
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.questions import Order
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
from malecon.server.web.dependencies import accept_socket, check_known, number_or_none, services_of
from malecon.server.web.json_api import Endpoints
from malecon.server.web.schema import (
    MOST,
    AnswerRequest,
    Identity,
    JoinRequest,
    MoveRequest,
    Number,
    OrderRequest,
    TableRequest,
    UndoRequest,
)
from malecon.server.web.services import Services
from malecon.server.web.table_commands import make_move, receive_moves
from malecon.server.web.table_state import LegalMove, TableDelta, TableState, labelled, own_view, state_json
from malecon.text import translate

Since = Annotated[int, Meta(ge=0, lt=MOST, description="Answer only with what has changed since this version")] | None
router = APIRouter()
api = Endpoints("/api", "tables")


class GameInfo(Struct, frozen=True):
    name: str
    title: str
    rules: int
    fewest_players: int
    most_players: int
    colours: tuple[str, ...]
    options: dict[str, tuple[OptionValue, ...]]


class Catalogue(Struct, frozen=True):
    """What can be played, against whom, and how fast."""

    games: list[GameInfo]
    bots: list[str]
    paces: list[str]
    clocks: Annotated[dict[str, int], Meta(description="Seconds for a turn")]


class ForeseenMove(LegalMove, frozen=True):
    """A legal move with what it would do, and whether it ends your turn."""

    preview: str
    final: bool


@api.post("/people", "Get a token", status=201)
async def new_person(services: Services) -> Identity:
    return Identity(await services.guests.new_secret())


@api.get("/games", "What can be played")
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
                colours=tuple(game.colours),
                options={key: tuple(option.choices) for key, option in game.options.items()},
            )
            for game in games
        ],
        bots=list(BOTS),
        paces=list(PACES),
        clocks=CLOCKS,
    )


@api.post("/tables", "Open a table", status=201, returns=TableState, opens_table=True)
async def open_table(body: TableRequest, request: Request, services: Services, visitor: Visitor) -> bytes:
    check_known(visitor)
    new = NewTable(
        body.game,
        tuple(NewSeat(seat.who, seat.name) for seat in body.seats),
        options=body.options,
        pace=body.pace,
        automatic=False,
        clock=body.clock,
        time_up=body.time_up,
        hints=body.hints,
        page_thinks=body.page_thinks,
    )
    await services.check_can_open_table(request, visitor)
    return state_json(await services.tables.open(new, visitor.person), visitor)


@api.get("/tables", "Your tables")
async def my_tables(services: Services, visitor: Visitor) -> list[str]:
    return [row.id for row in await services.tables.tables_of(visitor.person)]


@api.post("/join", "Take the seat of an invitation", returns=TableState)
async def join(body: JoinRequest, services: Services, visitor: Visitor) -> bytes:
    check_known(visitor)
    return state_json(await services.tables.join(body.token, visitor.person, body.name, automatic=False), visitor)


@api.get("/tables/{table}", "The table as you see it", returns=TableState | TableDelta, is_small=True)
async def view(services: Services, table: Table, visitor: Visitor, since: Since = None) -> bytes:
    if since is not None and since > table.version:  # they have a newer version from another process
        await services.tables.refresh(table)
    return state_json(table, visitor, since)


@api.get("/tables/{table}/legal", "Your legal moves, with what they would do")
async def legal(table: Table, visitor: Visitor) -> list[ForeseenMove]:
    view, to_move = own_view(table, visitor)
    return [_foreseen(view, move, visitor.language) for move in view.legal_moves] if to_move else []


def _foreseen(view: View, move: Move, language: str) -> ForeseenMove:
    ahead, label = preview_move(view, move), labelled(view, move, language)
    preview = " ".join(translate(line, language) for line in (*ahead.lines, ahead.then))
    return ForeseenMove(label.move, label.text, preview, ahead.final)


@api.post("/tables/{table}/moves", "Make a move", returns=TableState | TableDelta, is_small=True)
async def move(body: MoveRequest, services: Services, table: Table, visitor: Visitor, since: Since = None) -> bytes:
    await make_move(services, table, visitor, body)
    return state_json(table, visitor, since)


@api.post("/tables/{table}/answers", "Answer a question before your turn", returns=TableState | TableDelta)
async def answer(body: AnswerRequest, services: Services, table: Table, visitor: Visitor, since: Since = None) -> bytes:
    """It is secret, can be changed until it is used, and is played when the rules reach your seat. It is dropped if
    what you can do, or what it costs, has changed by then. When it is your turn, it is played at once.
    """
    await services.tables.answer(table, visitor.person, body.question, body.move, body.version)
    return state_json(table, visitor, since)


@api.delete("/tables/{table}/answers/{question}", "Withdraw an answer")
async def withdraw_answer(services: Services, table: Table, visitor: Visitor, question: str) -> None:
    await services.tables.withdraw_answer(table, visitor.person, unquote(question))


@api.post("/tables/{table}/orders", "Give a standing order", returns=TableState | TableDelta)
async def give_order(
    body: OrderRequest, services: Services, table: Table, visitor: Visitor, since: Since = None
) -> bytes:
    """It answers for you until you stop it, or until something has happened that you would want to know of."""
    await services.tables.give_order(table, visitor.person, Order(body.kind, tuple(body.prefers), body.limit))
    return state_json(table, visitor, since)


@api.delete("/tables/{table}/orders/{kind}", "Stop a standing order")
async def stop_order(services: Services, table: Table, visitor: Visitor, kind: str) -> None:
    await services.tables.stop_order(table, visitor.person, unquote(kind))


@api.post("/tables/{table}/undo", "Take back your last move", returns=TableState | TableDelta)
async def undo(body: UndoRequest, services: Services, table: Table, visitor: Visitor, since: Since = None) -> bytes:
    await services.tables.undo(table, visitor.person, body.version)
    return state_json(table, visitor, since)


@api.post("/tables/{table}/seats/{seat}/remove", "Send somebody away", returns=TableState)
async def remove(services: Services, table: Table, visitor: Visitor, seat: int) -> bytes:
    """As owner of the table: a bot plays on, until a person takes the seat by the new invitation."""
    await services.tables.remove(table, visitor.person, seat)
    return state_json(table, visitor)


@api.get("/tables/{table}/log", "What happened, in words")
async def log(table: Table, visitor: Visitor, since: Number = 0) -> list[list[str]]:
    seat = table_view.perspective(table, Viewer.of(visitor)).seat
    view = table.match.view(seat)
    return [list(line.lines) for line in table_view.log(table, view, visitor.language, since)]


@api.get("/tables/{table}/record", "The record of a finished game", returns=dict[str, Any])
async def record(table: Table, visitor: Visitor) -> bytes:
    if not table_view.is_open(table, table_view.perspective(table, Viewer.of(visitor)).seat):
        raise Forbidden(say("some of this is still secret; come back when the game is over"))
    return msgspec.json.format(table.record().to_json().encode(), indent=-1)


@router.websocket("/api/tables/{table}/events")
async def events(socket: WebSocket, table: str) -> None:
    """The table as you see it, after every change; with `?version=N` not before it differs from that. With `?since=N`
    each message tells only what has changed: since that version, then since the message before.

    A MoveRequest that you send makes a move; if it is refused, you get a Problem. When your session ends, the
    connection is closed with code 4401.
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
    messages = services.broadcaster.follow(subscription)
    commands = receive_moves(services, socket, followed, visitor)
    await live.send_streams(socket, services.session_check, visitor, messages, on_message=commands)


class _Events:
    """Makes the messages of one connection: the whole state, or what has changed since the last message."""

    def __init__(self, table: Table, visitor: Visitor | Viewer, since: int | None) -> None:
        self._table, self._visitor, self._since = table, visitor, since
        self._seen: object = None

    def message(self) -> str | None:
        """Return the next message; None if only somebody else's plans have changed."""
        seen = self._table.seen_by(self._visitor.person)
        if seen == self._seen:
            return None
        self._seen = seen
        message = state_json(self._table, self._visitor, self._since).decode()
        self._since = None if self._since is None else self._table.version
        return message

    def forget(self) -> None:
        """Nothing to forget: a client that gets a move twice recognises it by its number."""
