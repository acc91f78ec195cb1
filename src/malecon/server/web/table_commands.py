"""Making a move, the same for forms, the JSON interface and live connections; and what pages send about bots.

Over a live connection, a player's page sends moves, and, at a table where it may think for bots, the engine it has and
the moves that its engine was asked for.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from starlette.websockets import WebSocket

from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say
from malecon.server.accounts.visitors import Visitor
from malecon.server.errors import Refused
from malecon.server.tables.page_bots import ThinkingPage
from malecon.server.tables.table import Table
from malecon.server.web.schema import (
    BotMove,
    EngineAnnouncement,
    EngineProblem,
    LiveRequest,
    MoveRequest,
    Problem,
    bad_request,
)
from malecon.server.web.services import Services
from malecon.text import sentence

_keys = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


async def make_move(services: Services, table: Table, visitor: Visitor, request: MoveRequest) -> None:
    """Make a move for a visitor; raise a refusal, and change nothing, if it is not theirs to make or not legal."""
    await services.tables.move(table, visitor.person, request.move, request.version, request.seat)


def thinking_page(table: Table, visitor: Visitor) -> ThinkingPage | None:
    """Return what a live connection of this visitor needs to think for bots; None if it may not."""
    may_think = table.row.casual and table.seats_of(visitor.person)
    return ThinkingPage(visitor.person) if may_think else None


def receive_moves(
    services: Services, socket: WebSocket, table: Table, visitor: Visitor, page: ThinkingPage | None = None
) -> Callable[[str | bytes], Awaitable[str | None]]:
    """Return what handles the messages of a live connection: each is a move to make; a refusal is answered.

    With a `page`, that connection may think for bots, too.
    """

    async def receive(message: str | bytes) -> str | None:
        problem: type[Problem | EngineProblem] = Problem
        try:
            kind = _kind(message)
            problem = Problem if kind is MoveRequest else EngineProblem
            services.limiter.check(socket.scope, writes=kind is MoveRequest, opens=False)
            await services.session_check.check(visitor)
            request = msgspec.json.decode(message, type=kind)
            if isinstance(request, MoveRequest):
                await make_move(services, table, visitor, request)
            else:
                _think(services, table, page, request)
        except MaleconError as error:
            return _refusal(problem, error, visitor.language)
        except ValueError as error:
            return _refusal(problem, bad_request(error), visitor.language)
        return None

    return receive


def _kind(message: str | bytes) -> type[LiveRequest]:
    keys = _keys(message)
    return EngineAnnouncement if "engine" in keys else BotMove if "code" in keys else MoveRequest


def _think(services: Services, table: Table, page: ThinkingPage | None, request: EngineAnnouncement | BotMove) -> None:
    """Handle what a page sends about bots: `autoplay` waits for its move, and makes it like any other."""
    if page is None:
        raise Refused(say("the bots of this table think on the server"))
    if isinstance(request, BotMove):
        page.answer(request.version, request.seat, request.code)
    elif request.engine is None:
        services.page_bots.withdraw(table, page)
    else:
        services.page_bots.announce(table, page, request.engine)


def _refusal(problem: type[Problem | EngineProblem], error: MaleconError, language: str) -> str:
    return msgspec.json.encode(problem(sentence(error.phrase, language))).decode()
