"""The installed app: its manifest, its service worker, the page without a network, and devices for notifications."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from malecon.drawing.palette import PAGE
from malecon.kernel import registry
from malecon.kernel.phrases import say
from malecon.server.accounts.visitors import remember
from malecon.server.errors import Forbidden
from malecon.server.notifications import devices, encryption
from malecon.server.pages import previews, rendering
from malecon.server.pages.engine_files import MEDIA_TYPES, engine_address
from malecon.server.web.dependencies import TheServices, TheVisitor
from malecon.server.web.schema import DeviceRemoval, PushSubscription, from_json
from malecon.text import rulebook, translate

router = APIRouter(include_in_schema=False)
NO_PUSH = say("the host of this server has switched notifications off")

#: The service worker's caches: styles, scripts, engines, rules and the page that says that there is no network;
#: finished games that were looked at, of the person who is logged in; the last of them with every step; the puzzles of
#: the day and the lessons.
CACHES = {
    "files": "malecon-files-1",
    "pages": "malecon-pages-1",
    "replays": "malecon-replays-1",
    "learning": "malecon-learning-1",
}


@router.get("/manifest.webmanifest")
async def manifest(services: TheServices, visitor: TheVisitor) -> Response:
    icon = {"src": "/static/icon.svg", "type": "image/svg+xml", "sizes": "any"}
    pictures = [
        {"src": f"/icon-{size}.png", "type": "image/png", "sizes": f"{size}x{size}"} for size in previews.ICON_SIZES
    ]
    content = {
        "name": services.site.texts.title,
        "short_name": services.site.texts.title,
        "description": translate(say("Two board games from the Cuban waterfront"), visitor.language),
        "lang": visitor.language,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAGE["page"].day,
        "theme_color": PAGE["ink"].day,
        "icons": [icon, icon | {"purpose": "maskable"}, *pictures],
    }
    return JSONResponse(content, media_type="application/manifest+json")


@router.get("/worker.js")
def worker() -> Response:
    """Return the service worker, from the root so that its scope is the whole site, with the list of what it caches."""
    source = (rendering.STATIC / "worker.js").read_text("utf-8")
    settings = json.dumps({"precached": precached_paths(), "caches": CACHES})
    return Response(f"self.settings = {settings};\n{source}", media_type="text/javascript")


def precached_paths() -> list[str]:
    """Return the paths that can be opened without a network: the rules and engines of all games, styles, scripts."""
    rules = [f"/rules/{name}" for name in registry.names() if rulebook(registry.get(name)) is not None]
    names = sorted(file.relative_to(rendering.STATIC).as_posix() for file in rendering.STATIC.rglob("*.*"))
    files = [f"/static/{name}" for name in names if name != "worker.js"]
    addresses = filter(None, map(engine_address, registry.names()))
    engines = [address + name for address in addresses for name in MEDIA_TYPES]
    return ["/offline", "/rules", *rules, "/drawing.css", *files, *engines]


@router.get("/offline")
async def offline(request: Request, visitor: TheVisitor) -> Response:
    return rendering.offline_page(request, visitor, "offline.html", caches=CACHES)


# --- messages to devices


@router.get("/push/key")
async def push_key(services: TheServices) -> Response:
    """Return the server's public key: only its owner can send to the address that a browser gives."""
    if not services.push.are_on:
        raise Forbidden(NO_PUSH)
    private = await asyncio.to_thread(services.push.devices.private_key)
    return JSONResponse({"key": encryption.public_of(private)})


@router.post("/push/device")
async def add_device(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """Store a device of the visitor for notifications."""
    push = services.push
    if not push.are_on:
        raise Forbidden(NO_PUSH)
    body = await from_json(request, PushSubscription)
    keys = body.keys
    device = await asyncio.to_thread(
        devices.check_device,
        visitor.person,
        body.endpoint,
        keys.p256dh,
        keys.auth,
        visitor.language,
        push.any_address,
    )
    services.limiter.remember_address(visitor.person, request.scope)  # notifications take turns by address
    await asyncio.to_thread(push.add, replace(device, session=visitor.session_id or None))
    response = Response(status_code=204)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


@router.post("/push/forget")
async def forget_device(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    body = await from_json(request, DeviceRemoval)
    await asyncio.to_thread(services.push.devices.remove, devices.device_id(body.endpoint), visitor.person)
    return Response(status_code=204)
