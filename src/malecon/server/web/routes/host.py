"""The routes of moderators: how the server does, reports, people, the site's texts and rules, and the log of acts."""

from __future__ import annotations

import asyncio
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from babel.dates import format_date, format_datetime, format_timedelta
from babel.numbers import format_decimal
from fastapi import APIRouter, Form, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from malecon import __version__
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import Phrase, say
from malecon.server.accounts.accounts import Account
from malecon.server.accounts.visitors import Visitor
from malecon.server.chat.messages import READY
from malecon.server.errors import NoSuchPage
from malecon.server.moderation.moderation import BANNED, MUTED, WHO_MAY_OPEN
from malecon.server.moderation.people import People
from malecon.server.moderation.site import LONGEST_ANNOUNCEMENT, LONGEST_NAME, LONGEST_TEXT
from malecon.server.operations.build import commit
from malecon.server.pages import rendering
from malecon.server.web.dependencies import Number, TheServices, TheVisitor
from malecon.server.web.services import Services
from malecon.text import translate

router = APIRouter(include_in_schema=False)
ATTACHED = {"content-disposition": 'attachment; filename="malecon.json"'}
_STARTED = time.time()
_MEGABYTE = 1_000_000


def _moderator(services: Services, visitor: Visitor) -> Account:
    """Return the account of a moderator; raise Forbidden for everybody else."""
    services.moderation.check_moderator(visitor)
    assert visitor.account is not None
    return visitor.account


async def _record(
    services: Services, by: Account, what: str, about: str | None = None, name: str | None = None, detail: str = ""
) -> None:
    await asyncio.to_thread(services.acts.record, by, what, about, name, detail)


# --- overview


@router.get("/host")
async def host_page(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    _moderator(services, visitor)
    reports = await asyncio.to_thread(services.moderation.reports)
    with_text = [
        (report, translate(READY[report.phrase], visitor.language) if report.phrase in READY else report.text)
        for report in reports
    ]
    figures = await asyncio.to_thread(_figures, services, visitor.language)
    problem = services.storage.health.problem
    return rendering.page(request, visitor, "host.html", reports=with_text, figures=figures, problem=problem)


def _figures(services: Services, language: str) -> list[tuple[Phrase, str | Phrase]]:
    """Return what the overview says about the server."""

    def number(value: int) -> str:
        return format_decimal(value, locale=language)

    running, finished = services.storage.count_tables()
    online = len(services.presence.people())
    waiting = sum(int(sample.value) for metric in services.metrics.think_queue.collect() for sample in metric.samples)
    backup: str | Phrase = say("none scheduled")
    if services.backups.last is not None:
        backup = format_timedelta(int(services.backups.last - time.time()), locale=language, add_direction=True)
    elif services.limiter.settings.backup_folder:
        backup = say("none yet")
    figures: list[tuple[Phrase, str | Phrase]] = [
        (say("Health"), say("good") if services.storage.health.problem is None else say("bad")),
        (say("Version"), f"{__version__} {commit()}".strip()),
        (say("Running since"), _moment(_STARTED, language)),
        (say("Unfinished tables"), number(running)),
        (say("Finished tables"), number(finished)),
        (say("Tables in memory"), number(services.tables.count)),
        (say("People online"), number(online)),
        (say("Moves and hints that wait for a thread"), number(waiting)),
        (say("Threads of thinkers"), number(services.bot_moves.remote_workers.threads)),
        (say("Database"), _database(services, language)),
        (say("Last backup"), backup),
        (say("Open reports"), number(len(services.moderation.reports()))),
    ]
    return figures


def _database(services: Services, language: str) -> str:
    """Return the kind and size of the database, and for SQLite how much room its disk has."""
    size = format_decimal(round(services.storage.size_bytes() / _MEGABYTE, 1), locale=language)
    file = services.storage.engine.url.database
    if services.storage.is_shared or not file:
        return f"PostgreSQL, {size} MB"
    free = format_decimal(round(shutil.disk_usage(Path(file).parent).free / _MEGABYTE), locale=language)
    room = translate(say("{free} MB free", free=free), language)
    return f"SQLite, {size} MB ({room})"


def _moment(when: float, language: str) -> str:
    return format_datetime(datetime.fromtimestamp(when, UTC), "short", locale=language) + " UTC"


@router.post("/host/reports/{table}/{number}")
async def handle_report(
    services: TheServices, visitor: TheVisitor, table: str, number: Number, what: Annotated[str, Form()] = ""
) -> Response:
    """Dismiss a report, or hide the message and optionally mute or ban its author."""
    by = _moderator(services, visitor)
    if what not in ("dismiss", "hide", MUTED, BANNED):
        raise BadSetup(say("invalid request"))
    message = await asyncio.to_thread(services.conversations.message, table, number)
    if what in (MUTED, BANNED):
        await asyncio.to_thread(services.moderation.sanction, message.person, what, message.name)
        await _record(services, by, what, message.person, message.name)
    await asyncio.to_thread(services.moderation.close_report, table, number, what != "dismiss")
    verdict = "dismissed" if what == "dismiss" else "hidden"
    await _record(services, by, verdict, message.person, message.name, table)
    await services.conversations.reload(table)
    return RedirectResponse("/host", 303)


# --- people


async def _people_page(
    request: Request, services: Services, visitor: Visitor, code: str = "", code_name: str = ""
) -> Response:
    query = request.query_params.get("q", "")[:40]
    listed, count, sanctions = await asyncio.to_thread(
        lambda: (
            People(services.storage).search(query),
            People(services.storage).count(),
            services.moderation.sanctions(),
        )
    )

    def day(when: float | None) -> str:
        return "" if when is None else format_date(datetime.fromtimestamp(when, UTC), "medium", visitor.language)

    return rendering.page(
        request,
        visitor,
        "host_people.html",
        people=[(person, day(person.seen)) for person in listed],
        count=count,
        query=query,
        sanctions=sanctions,
        code=code,
        code_name=code_name,
    )


@router.get("/host/people")
async def people_page(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    _moderator(services, visitor)
    return await _people_page(request, services, visitor)


@router.post("/host/people/{name}")
async def change_person(
    request: Request, services: TheServices, visitor: TheVisitor, name: str, what: Annotated[str, Form()] = ""
) -> Response:
    """Mute or ban a person with an account, lift the sanction, make a code for a password, or a moderator."""
    by = _moderator(services, visitor)
    if what not in ("", MUTED, BANNED, "reset", "moderator", "no_moderator"):
        raise BadSetup(say("invalid request"))
    account, _ = await asyncio.to_thread(services.profiles.find, name)
    await _record(services, by, what or "forgiven", account.person, account.name)
    if what == "reset":
        code = await asyncio.to_thread(services.recovery.make_reset_code, account.person)
        return await _people_page(request, services, visitor, code, account.name)
    if what in ("moderator", "no_moderator"):
        await asyncio.to_thread(services.accounts.set_moderator, account, what == "moderator")
    else:
        await asyncio.to_thread(services.moderation.sanction, account.person, what or None, account.name)
    return RedirectResponse("/host/people", 303)


@router.post("/host/forgive")
async def forgive(
    services: TheServices, visitor: TheVisitor, person: Annotated[str, Form(max_length=60)] = ""
) -> Response:
    by = _moderator(services, visitor)
    await asyncio.to_thread(services.moderation.sanction, person, None)
    await _record(services, by, "forgiven", person)
    return RedirectResponse("/host/people", 303)


@router.post("/host/person")
async def about_person(
    services: TheServices,
    visitor: TheVisitor,
    name: Annotated[str, Form(max_length=80)] = "",
    what: Annotated[str, Form()] = "",
) -> Response:
    """Export or delete everything about one person."""
    by = _moderator(services, visitor)
    account, _ = await asyncio.to_thread(services.profiles.find, name)
    if what == "export":
        await _record(services, by, "exported", account.person, account.name)
        return JSONResponse(await asyncio.to_thread(services.moderation.export, account.person), headers=ATTACHED)
    if what != "delete":
        raise BadSetup(say("invalid request"))
    await services.refresh_tables(await services.accounts.forget(account.person, account.name))
    await _record(services, by, "deleted")
    services.lobby.touch()
    return RedirectResponse("/host/people", 303)


# --- the site and its rules


@router.get("/host/site")
async def site_page(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    _moderator(services, visitor)
    rules = await asyncio.to_thread(services.moderation.rules)
    await asyncio.to_thread(services.site.load)
    return rendering.page(request, visitor, "host_site.html", rules=rules, who=WHO_MAY_OPEN)


@router.post("/host/rules")
async def set_rules(
    services: TheServices,
    visitor: TheVisitor,
    public: Annotated[str, Form()] = "",
    invited: Annotated[str, Form()] = "",
    words: Annotated[str, Form(max_length=8000)] = "",
    new_code: Annotated[str, Form()] = "",
) -> Response:
    by = _moderator(services, visitor)
    await asyncio.to_thread(services.moderation.set_rules, public, invited == "on", words, new_code == "on")
    await _record(services, by, "rules")
    return RedirectResponse("/host/site", 303)


@router.post("/host/announcement")
async def set_announcement(
    services: TheServices,
    visitor: TheVisitor,
    announcement: Annotated[str, Form(max_length=LONGEST_ANNOUNCEMENT)] = "",
    maintenance: Annotated[str, Form()] = "",
) -> Response:
    """Set what every page shows, and whether only moderators can come in."""
    by = _moderator(services, visitor)
    before, is_closed = services.site.texts, maintenance == "on"
    await asyncio.to_thread(lambda: services.site.change(announcement=announcement, maintenance=is_closed))
    if before.announcement != announcement.strip():
        await _record(services, by, "announcement")
    if before.maintenance != is_closed:
        await _record(services, by, "maintenance")
    return RedirectResponse("/host/site", 303)


@router.post("/host/site")
async def set_site(
    services: TheServices,
    visitor: TheVisitor,
    name: Annotated[str, Form(max_length=LONGEST_NAME)] = "",
    imprint: Annotated[str, Form(max_length=LONGEST_TEXT)] = "",
    privacy: Annotated[str, Form(max_length=LONGEST_TEXT)] = "",
    conduct: Annotated[str, Form(max_length=LONGEST_TEXT)] = "",
) -> Response:
    by = _moderator(services, visitor)
    texts = {"name": name, "imprint": imprint, "privacy": privacy, "conduct": conduct}
    await asyncio.to_thread(lambda: services.site.change(**texts))
    await _record(services, by, "site")
    return RedirectResponse("/host/site", 303)


@router.get("/site/{name}")
async def site_text(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    """Show the imprint, the privacy text or the house rules."""
    text = services.site.texts.pages.get(name)
    if text is None:
        raise NoSuchPage
    paragraphs = [part for part in text.replace("\r\n", "\n").split("\n\n") if part.strip()]
    return rendering.page(request, visitor, "site_text.html", name=name, paragraphs=paragraphs)


# --- the log


@router.get("/host/log")
async def log_page(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    _moderator(services, visitor)
    acts = await asyncio.to_thread(services.acts.latest)
    with_times = [(act, _moment(act.made, visitor.language)) for act in acts]
    return rendering.page(request, visitor, "host_log.html", acts=with_times)


@router.get("/account/export")
async def own_export(services: TheServices, visitor: TheVisitor) -> Response:
    """Export all stored data of the visitor, with or without an account."""
    return JSONResponse(await asyncio.to_thread(services.moderation.export, visitor.person), headers=ATTACHED)
