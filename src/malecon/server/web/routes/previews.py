"""Pictures of tables and puzzles for previews of links, and icons for home screens."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.responses import Response

from malecon.kernel import registry
from malecon.server.errors import NoSuchPage
from malecon.server.pages import previews
from malecon.server.web.dependencies import Number, TheTable, TheVisitor
from malecon.teaching.puzzles import shipped

router = APIRouter(include_in_schema=False)
PNG = "image/png"
#: How long a browser may keep a picture that does not change, and that of a running game.
DAY = "public, max-age=86400"
MINUTE = "public, max-age=60"


@router.get("/tables/{table}/preview.png")
async def table_preview(table: TheTable, visitor: TheVisitor) -> Response:
    """Return the board as spectators see it."""
    view, key = table.match.view(None), (table.id, str(table.version))
    picture = await asyncio.to_thread(previews.preview, view, visitor.language, *key)
    return Response(picture, media_type=PNG, headers={"cache-control": DAY if table.is_over else MINUTE})


@router.get("/puzzles/{game}/{number}/preview.png")
async def puzzle_preview(visitor: TheVisitor, game: str, number: Number) -> Response:
    """Return the board of a puzzle."""
    puzzles = await asyncio.to_thread(shipped, registry.get(game).name)
    if not 1 <= number <= len(puzzles):
        raise NoSuchPage
    puzzle = puzzles[number - 1]
    picture = await asyncio.to_thread(previews.preview, puzzle.view, visitor.language, puzzle.key)
    return Response(picture, media_type=PNG, headers={"cache-control": DAY})


@router.get("/icon-{size}.png")
async def icon(size: Number) -> Response:
    if size not in previews.ICON_SIZES:
        raise NoSuchPage
    return Response(await asyncio.to_thread(previews.icon, size), media_type=PNG, headers={"cache-control": DAY})
