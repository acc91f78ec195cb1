"""Making a move, the same for forms, the JSON interface and live connections."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from starlette.websockets import WebSocket

from malecon.kernel.errors import MaleconError
from malecon.server.accounts.visitors import Visitor
from malecon.server.tables.table import Table
from malecon.server.web.schema import MoveRequest, Problem, bad_request
from malecon.server.web.services import Services
from malecon.text import sentence

_decode = msgspec.json.Decoder(MoveRequest).decode


async def make_move(services: Services, table: Table, visitor: Visitor, request: MoveRequest) -> None:
    """Make a move for a visitor; raise a refusal, and change nothing, if it is not theirs to make or not legal."""
    await services.tables.move(table, visitor.person, request.move, request.version, request.seat)


def receive_moves(
    services: Services, socket: WebSocket, table: Table, visitor: Visitor
) -> Callable[[str | bytes], Awaitable[str | None]]:
    """Return what handles the messages of a live connection: each is a move to make; a refusal is answered."""

    async def receive(message: str | bytes) -> str | None:
        try:
            services.limiter.check(socket.scope, writes=True, opens=False)
            await services.session_check.check(visitor)
            await make_move(services, table, visitor, _decode(message))
        except MaleconError as error:
            return _problem(error, visitor.language)
        except ValueError as error:
            return _problem(bad_request(error), visitor.language)
        return None

    return receive


def _problem(error: MaleconError, language: str) -> str:
    return msgspec.json.encode(Problem(sentence(error.phrase, language))).decode()
