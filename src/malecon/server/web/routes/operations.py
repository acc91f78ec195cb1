"""The routes for monitoring: health and metrics. A proxy may restrict them."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from malecon.server.web.dependencies import TheServices

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def health(services: TheServices) -> Response:
    """Return 200 while the database can be read and written and no data is missing; else 503."""
    await asyncio.to_thread(services.storage.ping)
    trouble = services.storage.health.problem
    return JSONResponse({"ok": True}) if trouble is None else JSONResponse({"ok": False, "problem": trouble}, 503)


@router.get("/metrics")
async def metrics(services: TheServices) -> Response:
    text = services.metrics.text(
        services.tables.count,
        services.tables.thinking,
        services.storage.health.problem is not None,
        services.bot_moves.remote_workers.threads,
    )
    return Response(text, media_type="text/plain; version=0.0.4")
