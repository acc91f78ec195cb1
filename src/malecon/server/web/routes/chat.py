"""The routes of the conversation at a table, also as JSON: hearing, speaking, muting, reporting, agreeing to stop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, WebSocket
from starlette.responses import JSONResponse, RedirectResponse, Response

from malecon.kernel.phrases import Phrase
from malecon.server import community_texts as company
from malecon.server.accounts.visitors import Visitor, remember
from malecon.server.chat.conversations import MUTED
from malecon.server.chat.messages import GALLERY, READY, SEATED, ChatMessage, check_ready, plain
from malecon.server.errors import Forbidden
from malecon.server.names import visible_name
from malecon.server.pages import live
from malecon.server.pages.chat_view import ChatFollower, has_chat
from malecon.server.tables.table import Table
from malecon.server.web.chat_panel import unheard_by
from malecon.server.web.dependencies import (
    TheServices,
    TheTable,
    TheVisitor,
    accept_socket,
    check_known,
    services_of,
    wants_json,
)
from malecon.server.web.models import REFUSALS, ChatMessageState, ChatRequest
from malecon.server.web.services import Services
from malecon.text import translate

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/tables/{table}/talk", tags=["conversation"])


@router.websocket("/tables/{table}/company")
async def connect(socket: WebSocket, table: str) -> None:
    entered = await accept_socket(socket, table)
    if entered is None:
        return
    services, (place, visitor) = services_of(socket), entered
    if not has_chat(place):
        await socket.close(1008)
        return
    conversation = await services.conversations.of(place.id)
    unheard = await unheard_by(services, visitor)
    follower = ChatFollower(place, conversation, visitor.person, visitor.language, visitor.choices.talk, unheard)

    async def messages() -> AsyncGenerator[str]:
        woken = asyncio.Event()
        plays = bool(place.seats_of(visitor.person))
        if plays:  # who looks on hears all there is already; moves do not wake them here
            place.listeners.add(woken.set)
        try:
            with (
                conversation.heard_by(woken.set),
                services.presence.heard_at(place.id, woken.set),
                services.session_check.listening(visitor, woken.set),
            ):
                while True:
                    await services.session_check.check(visitor)
                    woken.clear()
                    news = follower.message(services.presence.at(place.id))
                    if news is not None:
                        yield news
                    await woken.wait()
        finally:
            place.listeners.discard(woken.set)

    with services.presence.visiting(visitor, place.id):
        await live.follow(socket, messages())


@router.post("/tables/{table}/talk")
async def speak(
    request: Request,
    services: TheServices,
    table: TheTable,
    visitor: TheVisitor,
    text: Annotated[str, Form(max_length=2000)] = "",
    phrase: Annotated[str, Form(max_length=40)] = "",
) -> Response:
    """Say something at the table: those who play to each other, all others in the gallery."""
    await _speak(request, services, table, visitor, text, phrase)
    return _done(request, table, visitor)


async def _speak(request: Request, services: Services, table: Table, visitor: Visitor, text: str, phrase: str) -> None:
    if not has_chat(table):
        raise Forbidden(company.NOBODY_TO_TALK_TO)
    services.limiter.check_message(request.scope, visitor.person)
    await asyncio.to_thread(services.moderation.check_talk, visitor, text)
    await services.conversations.say(table.id, _message(table, visitor, text, phrase))


def _message(table: Table, visitor: Visitor, text: str, phrase: str) -> ChatMessage:
    mine = table.seats_of(visitor.person)
    account = visitor.account is not None
    name = visitor.account.name if visitor.account is not None else visible_name(visitor.choices.name)
    return ChatMessage(
        number=-1,
        room=SEATED if mine else GALLERY,
        person=visitor.person,
        seat=mine[0] if mine else None,
        name=table.row.seats[mine[0]].name if mine else name,
        account=account,
        text="" if phrase else plain(text),
        phrase=check_ready(phrase) if phrase else None,
        said=time.time(),
    )


@router.post("/tables/{table}/talk/{number}/mute")
async def mute(request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, number: int) -> Response:
    """Hear nothing more of whoever said that, at any table."""
    said = await asyncio.to_thread(services.conversations.message, table.id, number)
    await asyncio.to_thread(services.conversations.relate, visitor.person, said.person, MUTED)
    return _done(request, table, visitor, company.MUTED, again=True)


@router.post("/tables/{table}/talk/{number}/report")
async def report(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, number: int
) -> Response:
    """Tell the host of what was said."""
    services.limiter.check_message(request.scope, visitor.person)
    await asyncio.to_thread(services.conversations.message, table.id, number)
    await asyncio.to_thread(services.conversations.report, table.id, number, visitor.person)
    return _done(request, table, visitor, company.REPORTED)


@router.post("/tables/{table}/stop")
async def agree_to_stop(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, agree: Annotated[str, Form()] = ""
) -> Response:
    """Propose or agree to stop the game; it stops when all agree."""
    await services.tables.agree_to_stop(table, visitor.person, agree == "on")
    return _done(request, table, visitor)


def _done(
    request: Request, table: Table, visitor: Visitor, told: Phrase | None = None, again: bool = False
) -> Response:
    response: Response
    if wants_json(request):
        response = JSONResponse({"told": translate(told, visitor.language) if told else None, "again": again})
    else:
        response = RedirectResponse(f"/tables/{table.id}", 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


# --- the JSON interface


@api.get("", summary="What was said, as far as you hear it", responses=REFUSALS)
async def heard(
    services: TheServices, table: TheTable, visitor: TheVisitor, since: Annotated[int, Query(ge=-1)] = -1
) -> list[ChatMessageState]:
    """The last 200 messages, or those after number `since`. Players hear the gallery when the game is over."""
    if not has_chat(table):
        raise Forbidden(company.NOBODY_TO_TALK_TO)
    conversation, unheard = await services.conversations.of(table.id), await unheard_by(services, visitor)
    follower = ChatFollower(table, conversation, visitor.person, visitor.language, True, unheard)
    return [_state(one, visitor.language) for one in follower.audible() if one.number > since]


def _state(message: ChatMessage, language: str) -> ChatMessageState:
    ready = READY.get(message.phrase or "")
    return ChatMessageState(
        number=message.number,
        room=message.room,
        seat=message.seat,
        name=message.name,
        account=message.account,
        text=message.text if ready is None else translate(ready, language),
        phrase=message.phrase,
        said=message.said,
    )


@api.post("", status_code=204, summary="Say something", responses=REFUSALS)
async def say_something(
    wanted: ChatRequest, request: Request, services: TheServices, table: TheTable, visitor: TheVisitor
) -> None:
    """Players talk to each other, all others in the gallery."""
    check_known(visitor)
    await _speak(request, services, table, visitor, wanted.text, wanted.phrase or "")
