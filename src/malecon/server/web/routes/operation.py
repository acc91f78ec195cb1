"""What the operator's programs ask: whether the server is well, and its numbers. A proxy may keep others out."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from malecon.server.web.dependencies import TheServices

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def health(services: TheServices) -> Response:
    """200 while the database answers, else 503."""
    await asyncio.to_thread(services.storage.ping)
    return JSONResponse({"ok": True})


@router.get("/metrics")
async def metrics(services: TheServices) -> Response:
    told = services.metrics.text(services.tables.count, services.tables.thinking)
    return Response(told, media_type="text/plain; version=0.0.4")
