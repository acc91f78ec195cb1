"""The routes of the conversation at a table, also as JSON: reading, writing, muting, reporting, agreeing to stop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Form, Request, WebSocket
from msgspec import Meta, Struct
from starlette.responses import JSONResponse, RedirectResponse, Response

from malecon.kernel.phrases import Phrase, say
from malecon.server.accounts.visitors import Visitor, remember
from malecon.server.chat.conversations import MUTED
from malecon.server.chat.messages import GALLERY, READY, SEATED, ChatMessage, check_ready, plain
from malecon.server.errors import Forbidden
from malecon.server.names import visible_name
from malecon.server.pages import live
from malecon.server.pages.chat_view import ChatFollower, has_chat, muted_people
from malecon.server.tables.table import Table
from malecon.server.web.dependencies import (
    Number,
    TheServices,
    TheTable,
    TheVisitor,
    accept_socket,
    check_known,
    services_of,
    wants_json,
)
from malecon.server.web.json_api import Endpoints
from malecon.server.web.schema import MOST, ChatRequest, from_form
from malecon.server.web.services import Services
from malecon.text import translate

router = APIRouter(include_in_schema=False)
api = Endpoints("/api/tables/{table}/talk", "conversation")
NOBODY_TO_TALK_TO = say("there is nobody to talk to at this table")
SinceMessage = Annotated[int, Meta(ge=-1, lt=MOST, description="Only messages with a higher number")]


class ChatMessageState(Struct, frozen=True):
    """A message of the player on `seat` or, in the gallery, of a spectator. You read a ready phrase in your own
    language.
    """

    number: int
    room: Annotated[str, Meta(description="seated or gallery")]
    seat: int | None
    name: str | None
    account: bool
    text: str
    phrase: str | None
    said: float


@router.websocket("/tables/{table}/chat")
async def connect(socket: WebSocket, table: str) -> None:
    entered = await accept_socket(socket, table)
    if entered is None:
        return
    services, (place, visitor) = services_of(socket), entered
    if not has_chat(place):
        await socket.close(1008)
        return
    conversation = await services.conversations.of(place.id)
    muted = await muted_people(services.conversations, visitor)
    follower = ChatFollower(place, conversation, visitor.person, visitor.language, visitor.choices.talk, muted)

    async def messages() -> AsyncGenerator[str]:
        woken = asyncio.Event()
        plays = bool(place.seats_of(visitor.person))
        if plays:  # only players read more after the game; spectators need not be woken by moves
            place.listeners.add(woken.set)
        try:
            with conversation.listening(woken.set), services.presence.listening(place.id, woken.set):
                while True:
                    woken.clear()
                    message = follower.message(services.presence.at(place.id))
                    if message is not None:
                        yield message
                    await woken.wait()
        finally:
            place.listeners.discard(woken.set)

    with services.presence.visiting(visitor, place.id):
        await live.send_streams(socket, services.session_check, visitor, messages())


@router.post("/tables/{table}/talk")
async def speak(request: Request, services: TheServices, table: TheTable, visitor: TheVisitor) -> Response:
    """Add a message: players to each other, spectators in the gallery."""
    await _add_message(request, services, table, visitor, await from_form(request, ChatRequest))
    return _done(request, table, visitor)


async def _add_message(request: Request, services: Services, table: Table, visitor: Visitor, body: ChatRequest) -> None:
    if not has_chat(table):
        raise Forbidden(NOBODY_TO_TALK_TO)
    services.limiter.check_message(request.scope, visitor.person)
    message = _message(table, visitor, body)
    await asyncio.to_thread(services.moderation.check_talk, visitor, message.text, message.name or "")
    await services.conversations.say(table.id, message)


def _message(table: Table, visitor: Visitor, body: ChatRequest) -> ChatMessage:
    own = table.seats_of(visitor.person)
    account = visitor.account is not None
    name = visitor.account.name if visitor.account is not None else visible_name(visitor.choices.name)
    return ChatMessage(
        number=-1,
        room=SEATED if own else GALLERY,
        person=visitor.person,
        seat=own[0] if own else None,
        name=table.row.seats[own[0]].name if own else name,
        account=account,
        text="" if body.phrase else plain(body.text),
        phrase=check_ready(body.phrase) if body.phrase else None,
        said=time.time(),
    )


@router.post("/tables/{table}/talk/{number}/mute")
async def mute(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, number: Number
) -> Response:
    """Mute the author of a message, at all tables."""
    message = await asyncio.to_thread(services.conversations.message, table.id, number)
    await asyncio.to_thread(services.conversations.relate, visitor.person, message.person, MUTED)
    return _done(request, table, visitor, say("You have muted this person."), reconnect=True)


@router.post("/tables/{table}/talk/{number}/report")
async def report(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, number: Number
) -> Response:
    """Report a message to the moderators."""
    services.limiter.check_message(request.scope, visitor.person)
    await asyncio.to_thread(services.conversations.message, table.id, number)
    await asyncio.to_thread(services.conversations.report, table.id, number, visitor.person)
    return _done(request, table, visitor, say("The host will look at it. Thank you."))


@router.post("/tables/{table}/stop")
async def agree_to_stop(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, agree: Annotated[str, Form()] = ""
) -> Response:
    """Propose or agree to stop the game; it stops when all agree."""
    await services.tables.agree_to_stop(table, visitor.person, agree == "on")
    return _done(request, table, visitor)


def _done(
    request: Request, table: Table, visitor: Visitor, notice: Phrase | None = None, reconnect: bool = False
) -> Response:
    response: Response
    if wants_json(request):
        text = translate(notice, visitor.language) if notice else None
        response = JSONResponse({"notice": text, "reconnect": reconnect})
    else:
        response = RedirectResponse(f"/tables/{table.id}", 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


# --- the JSON interface


@api.get("", "What was said, as far as you hear it")
async def messages(
    services: Services, table: Table, visitor: Visitor, since: SinceMessage = -1
) -> list[ChatMessageState]:
    """The last 200 messages of each room, or those after number `since`. Players hear the gallery when the game is
    over.
    """
    if not has_chat(table):
        raise Forbidden(NOBODY_TO_TALK_TO)
    conversation, muted = await services.conversations.of(table.id), await muted_people(services.conversations, visitor)
    follower = ChatFollower(table, conversation, visitor.person, visitor.language, True, muted)
    return [_state(message, visitor.language) for message in follower.readable() if message.number > since]


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


@api.post("", "Say something", status=204)
async def say_something(
    body: ChatRequest, request: Request, services: Services, table: Table, visitor: Visitor
) -> None:
    """Players talk to each other, all others in the gallery."""
    check_known(visitor)
    await _add_message(request, services, table, visitor, body)
