"""The installed app: its manifest, its service worker, the page without a network, and devices for notifications."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import JSONResponse, Response

from malecon.drawing.palette import PAGE
from malecon.kernel import registry
from malecon.server import community_texts, texts
from malecon.server.accounts.visitors import remember
from malecon.server.errors import Forbidden
from malecon.server.notifications import devices, encryption
from malecon.server.pages import rendering
from malecon.server.web.dependencies import TheServices, TheVisitor
from malecon.server.web.models import Model
from malecon.text import rulebook, translate

router = APIRouter(include_in_schema=False)


@router.get("/manifest.webmanifest")
async def manifest(visitor: TheVisitor) -> Response:
    icon = {"src": "/static/icon.svg", "type": "image/svg+xml", "sizes": "any"}
    content = {
        "name": "Malecón",
        "short_name": "Malecón",
        "description": translate(texts.SLOGAN, visitor.language),
        "lang": visitor.language,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAGE["page"].day,
        "theme_color": PAGE["ink"].day,
        "icons": [icon, icon | {"purpose": "maskable"}],
    }
    return JSONResponse(content, media_type="application/manifest+json")


@router.get("/worker.js")
async def worker() -> Response:
    """Return the service worker, from the root so that its scope is the whole site, with the list of what it caches."""
    source = (rendering.STATIC / "worker.js").read_text("utf-8")
    return Response(f"const PRECACHED = {json.dumps(precached_paths())};\n{source}", media_type="text/javascript")


def precached_paths() -> list[str]:
    """Return the paths that can be opened without a network: the rules of every game, styles and scripts."""
    rules = [f"/rules/{name}" for name in registry.names() if rulebook(registry.get(name)) is not None]
    files = sorted(f"/static/{file.name}" for file in rendering.STATIC.glob("*.*") if file.name != "worker.js")
    return ["/offline", "/rules", *rules, "/drawing.css", *files]


@router.get("/offline")
async def offline(request: Request, visitor: TheVisitor) -> Response:
    return rendering.page(request, visitor, "offline.html")


# --- messages to devices

Endpoint = Annotated[str, Field(max_length=devices.LONGEST_ENDPOINT)]


class PushKeys(Model):
    p256dh: Annotated[str, Field(max_length=200)]
    auth: Annotated[str, Field(max_length=100)]


class PushSubscription(Model):
    """A device as its browser describes it."""

    endpoint: Endpoint
    keys: PushKeys


class DeviceRemoval(Model):
    endpoint: Endpoint


@router.get("/push/key")
async def push_key(services: TheServices) -> Response:
    """Return the server's public key: only its owner can send to the address that a browser gives."""
    if not services.push.are_on:
        raise Forbidden(community_texts.NO_PUSH)
    private = await asyncio.to_thread(services.push.devices.private_key)
    return JSONResponse({"key": encryption.public_of(private)})


@router.post("/push/device")
async def add_device(body: PushSubscription, request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """Store a device of the visitor for notifications."""
    push = services.push
    if not push.are_on:
        raise Forbidden(community_texts.NO_PUSH)
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
    await asyncio.to_thread(push.add, device)
    response = Response(status_code=204)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


@router.post("/push/forget")
async def forget_device(body: DeviceRemoval, services: TheServices, visitor: TheVisitor) -> Response:
    await asyncio.to_thread(services.push.devices.remove, devices.device_id(body.endpoint), visitor.person)
    return Response(status_code=204)
