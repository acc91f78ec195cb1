"""The routes of accounts: pages and the JSON interface. Playing needs no account."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

from babel.dates import format_date
from babel.numbers import format_decimal
from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from malecon.kernel import registry
from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import Phrase
from malecon.match import LONGEST_NAME
from malecon.server import texts
from malecon.server.accounts.accounts import LONGEST_PASSWORD, SHORTEST_PASSWORD, Account
from malecon.server.accounts.ratings import GameResult, PlayerStatistics
from malecon.server.accounts.visitors import Visitor, end_session, forget_guest, remember, set_session
from malecon.server.errors import Forbidden, NoAccount
from malecon.server.notifications import outgoing_http
from malecon.server.pages import rendering, table_view
from malecon.server.web.dependencies import TheServices, TheVisitor
from malecon.server.web.models import (
    REFUSALS,
    AccountDeletion,
    AccountState,
    Identity,
    LogIn,
    PasswordChange,
    Registration,
    ResultState,
    StatisticsState,
    WebhookRequest,
)
from malecon.server.web.services import Services

pages = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api", tags=["accounts"])
Text = Annotated[str, Form(max_length=2 * LONGEST_PASSWORD)]


def account_of(visitor: Visitor) -> Account:
    """Return the visitor's account; raise NoAccount for a guest."""
    if visitor.account is None:
        raise NoAccount
    return visitor.account


# --- what both do


async def _register(
    request: Request, services: Services, visitor: Visitor, name: str, password: str, invitation: str = ""
) -> str:
    """Register an account, which takes over the guest's games, and return a session."""
    if visitor.account is not None:
        raise Forbidden(texts.ALREADY_LOGGED_IN)
    services.limiter.check_login(request.scope, name)
    await asyncio.to_thread(services.moderation.check_invitation, invitation)
    await asyncio.to_thread(services.moderation.check_words, name)
    account, tables = await services.accounts.register(visitor.guest, name, password)
    services.moderation.reload()
    await services.refresh_tables(tables)
    services.limiter.remember_address(account.person, request.scope)
    return await asyncio.to_thread(services.sessions.begin, account.person, account.epoch)


async def _log_in(request: Request, services: Services, visitor: Visitor, name: str, password: str, bring: bool) -> str:
    services.limiter.check_login(request.scope, name)
    account = await services.accounts.log_in(name, password)
    if bring and visitor.account is None:
        await services.refresh_tables(await services.accounts.adopt(visitor.guest, account.person))
        services.moderation.reload()
    services.limiter.remember_address(account.person, request.scope)
    return await asyncio.to_thread(services.sessions.begin, account.person, account.epoch)


async def _change_password(request: Request, services: Services, visitor: Visitor, old: str, new: str) -> str:
    account = account_of(visitor)
    services.limiter.check_login(request.scope, account.name)
    changed = await services.accounts.change_password(account, old, new)
    return await asyncio.to_thread(services.sessions.begin, changed.person, changed.epoch)


async def _delete(request: Request, services: Services, visitor: Visitor, password: str) -> None:
    """Delete the account, or all data of a guest, who has no password."""
    if visitor.account is None:
        if visitor.is_new or password:  # the password is meant for an account: its session has ended
            raise NoAccount
        tables = await services.accounts.forget(visitor.person)
    else:
        services.limiter.check_login(request.scope, visitor.account.name)
        tables = await services.accounts.delete(visitor.account, password)
    await services.refresh_tables(tables)
    services.lobby.touch()


async def _set_hook(services: Services, visitor: Visitor, address: str) -> None:
    account = account_of(visitor)
    if not services.webhooks.are_on:
        raise Forbidden(texts.NO_HOOKS)
    await services.accounts.set_hook(account, outgoing_http.check_address(address) if address.strip() else None)


# --- pages


async def _page(
    request: Request,
    services: Services,
    visitor: Visitor,
    problem: MaleconError | None = None,
    done: Phrase | None = None,
) -> Response:
    status = 200 if problem is None else int(getattr(problem, "status", 400))
    more: dict[str, Any] = {"problem": None if problem is None else problem.phrase, "done": done}
    if visitor.account is None:
        guest_tables = [] if visitor.is_new else await services.tables.tables_of(visitor.guest, 1)
        return rendering.page(
            request,
            visitor,
            "login.html",
            status,
            has_games=bool(guest_tables),
            invited=await asyncio.to_thread(lambda: services.moderation.rules().invited),
            **more,
            **_LENGTHS,
        )
    person = visitor.person
    statistics, results = await asyncio.to_thread(
        lambda: (services.ratings.statistics(person), services.ratings.results(person))
    )
    bots = await asyncio.to_thread(services.ratings.of_bots)
    return rendering.page(
        request,
        visitor,
        "account.html",
        status,
        account=visitor.account,
        statistics=statistics,
        results=[(result, _day(result.finished, visitor.language)) for result in results],
        bots=bots,
        bot_names=table_view.BOT_NAMES,
        titles={name: registry.get(name).title for name in registry.names()},
        hooks_on=services.webhooks.are_on,
        moderates=services.moderation.is_moderator(visitor),
        number=lambda value: format_decimal(value, "0.0", visitor.language),
        **more,
        **_LENGTHS,
    )


_LENGTHS = {"longest_name": LONGEST_NAME, "shortest_password": SHORTEST_PASSWORD, "longest_password": LONGEST_PASSWORD}
_DONE = {
    "password": texts.PASSWORD_CHANGED,
    "hook": texts.SAVED,
    "deleted": texts.ACCOUNT_DELETED,
    "forgotten": texts.DATA_DELETED,
}


def _day(when: float, language: str) -> str:
    return format_date(datetime.fromtimestamp(when, UTC), "medium", language)


def _to_account(request: Request, visitor: Visitor, session: str | None, done: str = "") -> Response:
    response = RedirectResponse("/account" + (f"?done={done}" if done else ""), 303)
    secure = request.url.scheme == "https"
    remember(visitor, response, secure)
    if session is not None:
        set_session(response, session, secure)
    return response


@pages.get("/account")
async def account_page(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    return await _page(request, services, visitor, done=_DONE.get(request.query_params.get("done", "")))


@pages.post("/account/register")
async def register_form(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    name: Text = "",
    password: Text = "",
    invitation: Text = "",
) -> Response:
    try:
        session = await _register(request, services, visitor, name, password, invitation)
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    return _to_account(request, visitor, session)


@pages.post("/account/login")
async def login_form(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    name: Text = "",
    password: Text = "",
    bring: Annotated[str, Form()] = "",
) -> Response:
    try:
        session = await _log_in(request, services, visitor, name, password, bring == "on")
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    return _to_account(request, visitor, session)


@pages.post("/account/logout")
async def logout_form(
    request: Request, services: TheServices, visitor: TheVisitor, everywhere: Annotated[str, Form()] = ""
) -> Response:
    if everywhere and visitor.account is not None:
        await services.accounts.end_sessions(visitor.account)
    response = RedirectResponse("/", 303)
    end_session(response, request.url.scheme == "https")
    return response


@pages.post("/account/password")
async def password_form(
    request: Request, services: TheServices, visitor: TheVisitor, old: Text = "", new: Text = ""
) -> Response:
    try:
        session = await _change_password(request, services, visitor, old, new)
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    return _to_account(request, visitor, session, "password")


@pages.post("/account/hook")
async def hook_form(request: Request, services: TheServices, visitor: TheVisitor, address: Text = "") -> Response:
    try:
        await _set_hook(services, visitor, address)
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    return _to_account(request, visitor, None, "hook")


@pages.post("/account/delete")
async def delete_form(request: Request, services: TheServices, visitor: TheVisitor, password: Text = "") -> Response:
    try:
        await _delete(request, services, visitor, password)
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    secure = request.url.scheme == "https"
    response = RedirectResponse(f"/account?done={'deleted' if visitor.account else 'forgotten'}", 303)
    end_session(response, secure)
    if visitor.account is None:
        forget_guest(response, secure)
    return response


# --- the JSON interface


def _as_dict(row: PlayerStatistics | GameResult) -> dict[str, Any]:
    fields = dict(vars(row))
    if isinstance(row, PlayerStatistics) and row.rating is not None:
        fields["rating"] = vars(row.rating)
    return fields


@api.post("/account", status_code=201, summary="Register; your games become the account's", responses=REFUSALS)
async def register(body: Registration, request: Request, services: TheServices, visitor: TheVisitor) -> Identity:
    return Identity(token=await _register(request, services, visitor, body.name, body.password, body.invitation))


@api.post("/session", status_code=201, summary="Log in", responses=REFUSALS)
async def log_in(body: LogIn, request: Request, services: TheServices, visitor: TheVisitor) -> Identity:
    bring = body.bring and not visitor.is_new
    return Identity(token=await _log_in(request, services, visitor, body.name, body.password, bring))


@api.delete("/session", status_code=204, summary="Log out everywhere", responses=REFUSALS)
async def log_out(services: TheServices, visitor: TheVisitor) -> None:
    await services.accounts.end_sessions(account_of(visitor))


@api.get("/account", summary="Your account", responses=REFUSALS)
async def account(services: TheServices, visitor: TheVisitor) -> AccountState:
    own = account_of(visitor)
    results = await asyncio.to_thread(services.ratings.results, own.person)
    statistics = await asyncio.to_thread(services.ratings.statistics, own.person)  # of all these games at least
    return AccountState(
        name=own.name,
        hook=own.hook,
        statistics=[StatisticsState(**_as_dict(row)) for row in statistics],
        results=[ResultState(**_as_dict(row)) for row in results],
    )


@api.post("/account/password", summary="Change your password; all other sessions end", responses=REFUSALS)
async def change_password(
    body: PasswordChange, request: Request, services: TheServices, visitor: TheVisitor
) -> Identity:
    return Identity(token=await _change_password(request, services, visitor, body.old, body.new))


@api.post("/account/hook", status_code=204, summary="Where to post that it is your turn", responses=REFUSALS)
async def set_hook(body: WebhookRequest, services: TheServices, visitor: TheVisitor) -> None:
    await _set_hook(services, visitor, body.address or "")


@api.post("/account/delete", status_code=204, summary="Delete your account, or all data of a guest", responses=REFUSALS)
async def delete(body: AccountDeletion, request: Request, services: TheServices, visitor: TheVisitor) -> None:
    await _delete(request, services, visitor, body.password)
