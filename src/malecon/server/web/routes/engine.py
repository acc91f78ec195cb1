"""The engine modules of the games, for pages that think by themselves."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from malecon.kernel import registry
from malecon.server.errors import NoSuchPage
from malecon.server.pages.engine_files import engine_files

router = APIRouter(include_in_schema=False)
#: The address contains a digest of the bytes.
FOREVER = "public, max-age=31536000, immutable"


@router.get("/engine/{game}/{version}/{name}")
async def engine_file(request: Request, game: str, version: str, name: str) -> Response:
    """Return a file of a game's engine, if the version is the current one."""
    files = await asyncio.to_thread(engine_files, registry.get(game).name)  # checked against the rules the first time
    file = None if files is None or files.version != version else files.by_name.get(name)
    if file is None:
        raise NoSuchPage
    packed = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"cache-control": FOREVER, "vary": "accept-encoding"} | ({"content-encoding": "gzip"} if packed else {})
    return Response(file.packed if packed else file.plain, media_type=file.media_type, headers=headers)
