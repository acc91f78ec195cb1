"""The JSON interface, described by OpenAPI: enough to write a bot or another client against it.

Ask once for a token and send it as `Authorization: Bearer TOKEN`; a browser's cookie does as well.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import numpy as np
from fastapi import APIRouter, Request, WebSocket
from pydantic_core import to_json
from starlette.responses import Response

from malecon import games, words
from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say
from malecon.match import Move, View
from malecon.server import texts
from malecon.server.errors import Forbidden
from malecon.server.page import live, table_view
from malecon.server.page.table_view import Viewer
from malecon.server.people.visitors import Visitor, new_identity
from malecon.server.tables.foresight import foresee
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import BOTS, NewSeat
from malecon.server.tables.table import Table
from malecon.server.tables.timing import CLOCKS, PACES
from malecon.server.web.dependencies import TheServices, TheTable, TheVisitor, number_or_none, services_of, visitor_of
from malecon.server.web.models import (
    REFUSALS,
    Catalogue,
    ForeseenMove,
    GameInfo,
    Identity,
    JoinWanted,
    MoveWanted,
    TableState,
    TableWanted,
    UndoWanted,
)

router = APIRouter(prefix="/api", tags=["tables"])


def position_fields(view: View) -> dict[str, Any]:
    """The record of a view by the names of its fields."""
    values, found = view.position.item(), {}
    for name, value in zip(view.game.dtype.names or (), values, strict=True):
        found[name] = value.tolist() if isinstance(value, np.ndarray) else value
    return found


def told(table: Table, visitor: Visitor) -> bytes:
    """The state as JSON, made once for everybody who only looks on in the same language."""
    who = visitor.person if table.has_part(visitor.person) else None
    return table.once(("state", visitor.language, who), lambda: to_json(state(table, visitor)))


def state(table: Table, visitor: Visitor) -> dict[str, Any]:
    """The table as this visitor sees it: a TableState, without the time that models take."""
    mine, turn, outcome = table.seats_of(visitor.person), table.match.turn, table.match.outcome
    view, to_move = _own_view(table, visitor)
    seat, language, owner = view.seat, visitor.language, table.row.owner == visitor.person
    return {
        "id": table.id,
        "game": table.match.game.name,
        "rules": table.match.game.rules_version,
        "options": dict(table.match.options),
        "version": table.version,
        "seat": seat,
        "turn": turn,
        "phase": table.match.phase,
        "prompt": words.say(words.prompt(view, seat), language),
        "can_undo": bool(mine) and table.may_undo(mine) is not None,
        "deadline": table.row.runs_out,
        "seats": [
            {
                "seat": number,
                "colour": table.match.game.colours[number],
                "name": words.say(table.match.names[number], language),
                "kind": row.kind,
                "bot": row.bot,
                "resigned": row.resigned,
                "mine": number in mine,
                "invitation": table_view.invitation(row, owner),
            }
            for number, row in enumerate(table.row.seats)
        ],
        "position": position_fields(view),
        "history": [
            {"seat": past.seat, "move": None if past.move is None else past.move.text} for past in view.history
        ],
        "legal": [_labelled(view, move, language) for move in view.legal_moves] if to_move else [],
        "result": None
        if outcome is None
        else {
            "winners": outcome.winners,
            "places": outcome.places,
            "points": outcome.points,
            "reason": outcome.reason,
            "scores": [dict(score.breakdown) for score in table.match.scores],
        },
        "dice": None if table.dice is None else dict(vars(table.dice)),
    }


def _own_view(table: Table, visitor: Visitor) -> tuple[View, bool]:
    """What the visitor sees, from the seat that is to move if it is theirs; and whether it is."""
    mine, turn = table.seats_of(visitor.person), table.match.turn
    seat = turn if turn in mine else mine[0] if mine else None
    to_move = seat is not None and turn == seat and not table.is_record and not table.row.seats[seat].resigned
    return table.match.view(seat), to_move


def _labelled(view: View, move: Move, language: str) -> dict[str, Any]:
    return {"move": move.text, "text": words.say(words.describe_move(view, move), language)}


def _foreseen(view: View, move: Move, language: str) -> ForeseenMove:
    ahead = foresee(view, move)
    told = " ".join(words.say(line, language) for line in (*ahead.lines, ahead.then))
    return ForeseenMove(**_labelled(view, move, language), preview=told, final=ahead.final)


class Told(Response):
    """A state that is JSON already."""

    media_type = "application/json"


@router.post("/people", status_code=201, summary="Get a token")
async def new_person() -> Identity:
    return Identity(token=new_identity())


@router.get("/games", summary="What can be played")
async def catalogue() -> Catalogue:
    found = [games.get(name) for name in games.names()]
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
            for game in found
        ],
        bots=list(BOTS),
        paces=list(PACES),
        clocks=CLOCKS,
    )


@router.post("/tables", status_code=201, summary="Open a table", responses=REFUSALS, response_model=TableState)
async def open_table(wanted: TableWanted, request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    _check_known(visitor)
    seats = tuple(NewSeat(seat.who, seat.name) for seat in wanted.seats)
    new = NewTable(
        wanted.game, seats, wanted.options, wanted.pace, automatic=False, clock=wanted.clock, time_up=wanted.time_up
    )
    await services.check_room(request, visitor)
    return Told(told(await services.tables.open(new, visitor.person), visitor), 201)


@router.get("/tables", summary="Your tables")
async def my_tables(services: TheServices, visitor: TheVisitor) -> list[str]:
    return [row.id for row in await services.tables.mine(visitor.person)]


@router.post("/join", summary="Take the seat of an invitation", responses=REFUSALS, response_model=TableState)
async def join(wanted: JoinWanted, services: TheServices, visitor: TheVisitor) -> Response:
    _check_known(visitor)
    return Told(told(await services.tables.join(wanted.token, visitor.person, wanted.name, automatic=False), visitor))


@router.get("/tables/{table}", summary="The table as you see it", responses=REFUSALS, response_model=TableState)
async def view(table: TheTable, visitor: TheVisitor) -> Response:
    return Told(told(table, visitor))


@router.get("/tables/{table}/legal", summary="Your legal moves, with what they would do", responses=REFUSALS)
async def legal(table: TheTable, visitor: TheVisitor) -> list[ForeseenMove]:
    view, to_move = _own_view(table, visitor)
    return [_foreseen(view, move, visitor.language) for move in view.legal_moves] if to_move else []


@router.post("/tables/{table}/moves", summary="Make a move", responses=REFUSALS, response_model=TableState)
async def move(wanted: MoveWanted, services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    await services.tables.move(table, visitor.person, wanted.move, wanted.version, wanted.seat)
    return Told(told(table, visitor))


@router.post("/tables/{table}/undo", summary="Take back your last move", responses=REFUSALS, response_model=TableState)
async def undo(wanted: UndoWanted, services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    await services.tables.undo(table, visitor.person, wanted.version)
    return Told(told(table, visitor))


@router.post(
    "/tables/{table}/seats/{seat}/remove", summary="Send somebody away", responses=REFUSALS, response_model=TableState
)
async def remove(services: TheServices, table: TheTable, visitor: TheVisitor, seat: int) -> Response:
    """As owner of the table: a bot plays on, until whoever has the new invitation sits down."""
    await services.tables.remove(table, visitor.person, seat)
    return Told(told(table, visitor))


@router.get("/tables/{table}/log", summary="What happened, in words", responses=REFUSALS)
async def log(table: TheTable, visitor: TheVisitor, since: int = 0) -> list[list[str]]:
    seat = table_view.perspective(table, Viewer.of(visitor)).seat
    view = table.match.view(seat)
    return [list(line.lines) for line in table_view.log(table, view, visitor.language, max(0, since))]


@router.get("/tables/{table}/record", summary="The record of a finished game", responses=REFUSALS)
async def record(table: TheTable, visitor: TheVisitor) -> dict[str, Any]:
    if not table_view.is_open(table, table_view.perspective(table, Viewer.of(visitor)).seat):
        raise Forbidden(say("something is still hidden; come back when the game is over"))
    found: dict[str, Any] = json.loads(table.record().to_json())
    return found


@router.websocket("/tables/{table}/events")
async def events(socket: WebSocket, table: str) -> None:
    """The table as you see it, after every change; with `?version=N` not before it differs from that.

    When your session ends, the connection is closed with code 4401.
    """
    services = services_of(socket)
    try:
        place = await services.tables.get(table)
    except MaleconError:
        await socket.close(1008)
        return
    visitor = await visitor_of(socket)
    await socket.accept()
    known = number_or_none(socket.query_params.get("version"))

    async def states() -> AsyncGenerator[str]:
        at_once = known != place.version
        async with aclosing(services.presence.changes(place, visitor, at_once)) as changes:
            async for _ in changes:
                yield told(place, visitor).decode()

    await live.follow(socket, states())


def _check_known(visitor: Visitor) -> None:
    if visitor.is_new:
        raise Forbidden(texts.NO_TOKEN)
