"""The routes for monitoring: health and metrics. A proxy should keep them to the host."""

from __future__ import annotations

import asyncio
import secrets

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from malecon import __version__
from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say
from malecon.server.errors import Forbidden
from malecon.server.operations.build import commit
from malecon.server.operations.limits import address_of
from malecon.server.web.dependencies import TheServices

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def health(services: TheServices) -> Response:
    """Return 200 while the database can be read and written and no data is missing; else 503 with the problem."""
    refusal = ""
    try:
        await asyncio.to_thread(services.storage.ping)
    except MaleconError as error:
        refusal = str(error)
    problem = services.storage.health.problem or refusal or None
    build = {"version": __version__, "commit": commit()}
    if problem is None:
        return JSONResponse({"ok": True, **build})
    return JSONResponse({"ok": False, "problem": problem, **build}, 503)


@router.get("/metrics")
async def metrics(request: Request, services: TheServices) -> Response:
    """Return the figures for Prometheus, to programs on this machine or with the host's token."""
    token = services.limiter.settings.metrics_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
    if not secrets.compare_digest(given, token.encode()) if token else address_of(request.scope) is not None:
        raise Forbidden(say("only programs on the server itself, or with its token, may read this"))
    text = services.metrics.text(
        services.tables.count,
        services.tables.thinking,
        services.storage.health.problem is not None,
        services.bot_moves.remote_workers.threads,
    )
    return Response(text, media_type="text/plain; version=0.0.4")
