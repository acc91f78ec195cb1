"""The routes of moderators: the rules of the server, reports, sanctions, and the data of one person."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.chat.messages import READY
from malecon.server.moderation.moderation import BANNED, MUTED, WHO_MAY_OPEN
from malecon.server.pages import rendering
from malecon.server.web.dependencies import Number, TheServices, TheVisitor
from malecon.text import translate

router = APIRouter(include_in_schema=False)
ATTACHED = {"content-disposition": 'attachment; filename="malecon.json"'}


@router.get("/host")
async def host_page(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    services.moderation.check_moderator(visitor)
    rules, reports, sanctions = await asyncio.to_thread(
        lambda: (services.moderation.rules(), services.moderation.reports(), services.moderation.sanctions())
    )
    with_text = [
        (report, translate(READY[report.phrase], visitor.language) if report.phrase in READY else report.text)
        for report in reports
    ]
    return rendering.page(
        request,
        visitor,
        "host.html",
        rules=rules,
        reports=with_text,
        sanctions=sanctions,
        who=WHO_MAY_OPEN,
        saved=False,
    )


@router.post("/host/rules")
async def set_rules(
    services: TheServices,
    visitor: TheVisitor,
    public: Annotated[str, Form()] = "",
    invited: Annotated[str, Form()] = "",
    words: Annotated[str, Form(max_length=8000)] = "",
    new_code: Annotated[str, Form()] = "",
) -> Response:
    services.moderation.check_moderator(visitor)
    await asyncio.to_thread(services.moderation.set_rules, public, invited == "on", words, new_code == "on")
    return RedirectResponse("/host", 303)


@router.post("/host/reports/{table}/{number}")
async def handle_report(
    services: TheServices, visitor: TheVisitor, table: str, number: Number, what: Annotated[str, Form()] = ""
) -> Response:
    """Dismiss a report, or hide the message and optionally mute or ban its author."""
    services.moderation.check_moderator(visitor)
    if what not in ("dismiss", "hide", MUTED, BANNED):
        raise BadSetup(say("invalid request"))
    message = await asyncio.to_thread(services.conversations.message, table, number)
    if what in (MUTED, BANNED):
        await asyncio.to_thread(services.moderation.sanction, message.person, what, message.name)
    await asyncio.to_thread(services.moderation.close_report, table, number, what != "dismiss")
    await services.conversations.reload(table)
    return RedirectResponse("/host", 303)


@router.post("/host/people/{name}")
async def sanction(
    services: TheServices, visitor: TheVisitor, name: str, what: Annotated[str, Form()] = ""
) -> Response:
    """Mute or ban a person with an account, or lift the sanction."""
    services.moderation.check_moderator(visitor)
    if what not in ("", MUTED, BANNED):
        raise BadSetup(say("invalid request"))
    account, _ = await asyncio.to_thread(services.profiles.find, name)
    await asyncio.to_thread(services.moderation.sanction, account.person, what or None, account.name)
    return RedirectResponse("/host", 303)


@router.post("/host/forgive")
async def forgive(
    services: TheServices, visitor: TheVisitor, person: Annotated[str, Form(max_length=60)] = ""
) -> Response:
    services.moderation.check_moderator(visitor)
    await asyncio.to_thread(services.moderation.sanction, person, None)
    return RedirectResponse("/host", 303)


@router.post("/host/person")
async def about_person(
    services: TheServices,
    visitor: TheVisitor,
    name: Annotated[str, Form(max_length=80)] = "",
    what: Annotated[str, Form()] = "",
) -> Response:
    """Export or delete everything about one person."""
    services.moderation.check_moderator(visitor)
    account, _ = await asyncio.to_thread(services.profiles.find, name)
    if what == "export":
        return JSONResponse(await asyncio.to_thread(services.moderation.export, account.person), headers=ATTACHED)
    if what != "delete":
        raise BadSetup(say("invalid request"))
    await services.refresh_tables(await services.accounts.forget(account.person, account.name))
    services.lobby.touch()
    return RedirectResponse("/host", 303)


@router.get("/account/export")
async def own_export(services: TheServices, visitor: TheVisitor) -> Response:
    """Export all stored data of the visitor, with or without an account."""
    return JSONResponse(await asyncio.to_thread(services.moderation.export, visitor.person), headers=ATTACHED)
