"""The table as an app that can be installed: its manifest, its service worker, and the page without a network."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, JSONResponse, Response

from malecon import words
from malecon.server import texts
from malecon.server.page import rendering
from malecon.server.web.dependencies import TheVisitor

router = APIRouter(include_in_schema=False)


@router.get("/manifest.webmanifest")
async def manifest(visitor: TheVisitor) -> Response:
    icon = {"src": "/static/icon.svg", "type": "image/svg+xml", "sizes": "any"}
    told = {
        "name": "Malecón",
        "short_name": "Malecón",
        "description": words.say(texts.SLOGAN, visitor.language),
        "lang": visitor.language,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f3dfbd",
        "theme_color": "#1d2a3a",
        "icons": [icon, icon | {"purpose": "maskable"}],
    }
    return JSONResponse(told, media_type="application/manifest+json")


@router.get("/worker.js")
async def worker() -> Response:
    """From the top of the site, or it could only look after its own folder."""
    return FileResponse(rendering.STATIC / "worker.js", media_type="text/javascript")


@router.get("/offline")
async def offline(request: Request, visitor: TheVisitor) -> Response:
    return rendering.page(request, visitor, "offline.html")
