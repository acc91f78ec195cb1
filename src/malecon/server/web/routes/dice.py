"""The dice of a table: what was promised before the game and what proves it afterwards."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from malecon.kernel.phrases import Phrase, say
from malecon.server.errors import NotFound
from malecon.server.pages import rendering
from malecon.server.web.dependencies import TheTable, TheVisitor

router = APIRouter(include_in_schema=False)


@router.get("/tables/{table}/dice")
async def dice(request: Request, table: TheTable, visitor: TheVisitor) -> Response:
    if table.dice is None:
        raise NotFound(
            say("the dice of this game cannot be checked: it was played before this was possible, or elsewhere")
        )
    return rendering.page(
        request,
        visitor,
        "dice.html",
        table=table,
        game=table.match.game,
        dice=table.dice,
        since=since(table.dice.first),
    )


def since(first: int) -> Phrase | None:
    """Return from which move the dice apply, for a game that went on from another one."""
    return (
        say("These dice apply from move {number}; the moves before it come from another game.", number=first)
        if first
        else None
    )
