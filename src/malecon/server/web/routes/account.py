"""The routes of accounts: pages and the JSON interface. Playing needs no account."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

from babel.dates import format_date
from babel.numbers import format_decimal
from fastapi import APIRouter, Form, Request
from msgspec import Struct
from starlette.responses import RedirectResponse, Response

from malecon.kernel import registry
from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import Phrase, say
from malecon.match import LONGEST_NAME
from malecon.server.accounts.accounts import LONGEST_PASSWORD, SHORTEST_PASSWORD, Account
from malecon.server.accounts.ratings import GameResult, PlayerStatistics
from malecon.server.accounts.sessions import device_name
from malecon.server.accounts.visitors import Visitor, end_session, forget_guest, remember, set_session
from malecon.server.errors import Forbidden, NoAccount
from malecon.server.notifications import addresses
from malecon.server.pages import rendering, table_view
from malecon.server.web.dependencies import TheServices, TheVisitor
from malecon.server.web.json_api import Endpoints
from malecon.server.web.schema import (
    AccountDeletion,
    Identity,
    LogIn,
    PasswordChange,
    Registration,
    WebhookRequest,
    from_form,
)
from malecon.server.web.services import Services

pages = APIRouter(include_in_schema=False)
api = Endpoints("/api", "accounts")


class AccountState(Struct, frozen=True):
    """Your account: statistics by game and number of players, and the last finished games."""

    name: str
    hook: str | None
    statistics: list[PlayerStatistics]
    results: list[GameResult]


def account_of(visitor: Visitor) -> Account:
    """Return the visitor's account; raise NoAccount for a guest."""
    if visitor.account is None:
        raise NoAccount
    return visitor.account


# --- what both do


async def _register(request: Request, services: Services, visitor: Visitor, body: Registration) -> str:
    """Register an account, which takes over the guest's games, and return a session."""
    if visitor.account is not None:
        raise Forbidden(say("you are already logged in"))
    services.limiter.check_login(request.scope, body.name)
    await asyncio.to_thread(services.moderation.check_invitation, body.invitation)
    await asyncio.to_thread(services.moderation.check_words, body.name)
    account, tables = await services.accounts.register(visitor.guest, body.name, body.password)
    services.moderation.reload()
    await services.refresh_tables(tables)
    services.limiter.remember_address(account.person, request.scope)
    return await _begin_session(request, services, account)


async def _log_in(request: Request, services: Services, visitor: Visitor, body: LogIn) -> str:
    services.limiter.check_login(request.scope, body.name)
    account = await services.accounts.log_in(body.name, body.password)
    if body.bring and visitor.account is None and not visitor.is_new:
        await services.refresh_tables(await services.accounts.adopt(visitor.guest, account.person))
        services.moderation.reload()
    services.limiter.remember_address(account.person, request.scope)
    return await _begin_session(request, services, account)


async def _begin_session(request: Request, services: Services, account: Account) -> str:
    device = device_name(request.headers.get("user-agent", ""))
    return await asyncio.to_thread(services.sessions.begin, account, device)


async def _change_password(request: Request, services: Services, visitor: Visitor, body: PasswordChange) -> str:
    account = account_of(visitor)
    services.limiter.check_login(request.scope, account.name)
    changed = await services.accounts.change_password(account, body.old, body.new)
    return await _begin_session(request, services, changed)


async def _delete(request: Request, services: Services, visitor: Visitor, body: AccountDeletion) -> None:
    """Delete the account, or all data of a guest, who has no password."""
    if visitor.account is None:
        if visitor.is_new or body.password:  # the password is meant for an account: its session has ended
            raise NoAccount
        tables = await services.accounts.forget(visitor.person)
    else:
        services.limiter.check_login(request.scope, visitor.account.name)
        tables = await services.accounts.delete(visitor.account, body.password)
    await services.refresh_tables(tables)
    services.lobby.touch()


async def _set_hook(services: Services, visitor: Visitor, body: WebhookRequest) -> None:
    account = account_of(visitor)
    if not services.webhooks.are_on:
        raise Forbidden(say("web hooks are switched off on this server"))
    address = (body.address or "").strip()
    await services.accounts.set_hook(account, addresses.check_address(address) if address else None)


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
    sessions = await asyncio.to_thread(services.sessions.of, person)
    return rendering.page(
        request,
        visitor,
        "account.html",
        status,
        account=visitor.account,
        statistics=statistics,
        results=[(result, _day(result.finished, visitor.language)) for result in results],
        sessions=[(session, _day(session.seen, visitor.language)) for session in sessions],
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
    "password": say("The password has been changed, and all other devices have been logged out."),
    "hook": say("Saved."),
    "deleted": say("The account has been deleted."),
    "forgotten": say("Everything kept about you has been deleted."),
    "session": say("This device has been logged out."),
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
async def register_form(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    try:
        session = await _register(request, services, visitor, await from_form(request, Registration))
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    return _to_account(request, visitor, session)


@pages.post("/account/login")
async def login_form(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    try:
        session = await _log_in(request, services, visitor, await from_form(request, LogIn))
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    return _to_account(request, visitor, session)


@pages.post("/account/logout")
async def logout_form(
    request: Request, services: TheServices, visitor: TheVisitor, everywhere: Annotated[str, Form()] = ""
) -> Response:
    if visitor.account is not None and everywhere:
        await services.accounts.end_sessions(visitor.account)
    elif visitor.account is not None:
        await services.accounts.end_session(visitor.account, visitor.session_id)
    response = RedirectResponse("/", 303)
    end_session(response, request.url.scheme == "https")
    return response


@pages.post("/account/sessions/end")
async def end_session_form(
    request: Request, services: TheServices, visitor: TheVisitor, session: Annotated[str, Form(max_length=100)] = ""
) -> Response:
    """End one of the visitor's sessions, on another device."""
    await services.accounts.end_session(account_of(visitor), session)
    return _to_account(request, visitor, None, "session")


@pages.post("/account/password")
async def password_form(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    try:
        session = await _change_password(request, services, visitor, await from_form(request, PasswordChange))
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    return _to_account(request, visitor, session, "password")


@pages.post("/account/hook")
async def hook_form(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    try:
        await _set_hook(services, visitor, await from_form(request, WebhookRequest))
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    return _to_account(request, visitor, None, "hook")


@pages.post("/account/delete")
async def delete_form(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    try:
        await _delete(request, services, visitor, await from_form(request, AccountDeletion))
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    secure = request.url.scheme == "https"
    response = RedirectResponse(f"/account?done={'deleted' if visitor.account else 'forgotten'}", 303)
    end_session(response, secure)
    if visitor.account is None:
        forget_guest(response, secure)
    return response


# --- the JSON interface


@api.post("/account", "Register; your games become the account's", status=201)
async def register(body: Registration, request: Request, services: Services, visitor: Visitor) -> Identity:
    return Identity(await _register(request, services, visitor, body))


@api.post("/session", "Log in", status=201)
async def log_in(body: LogIn, request: Request, services: Services, visitor: Visitor) -> Identity:
    return Identity(await _log_in(request, services, visitor, body))


@api.delete("/session", "Log out everywhere")
async def log_out(services: Services, visitor: Visitor) -> None:
    await services.accounts.end_sessions(account_of(visitor))


@api.get("/account", "Your account")
async def account(services: Services, visitor: Visitor) -> AccountState:
    own = account_of(visitor)
    results = await asyncio.to_thread(services.ratings.results, own.person)
    statistics = await asyncio.to_thread(services.ratings.statistics, own.person)  # of all these games at least
    return AccountState(own.name, own.hook, statistics, results)


@api.post("/account/password", "Change your password; all other sessions end")
async def change_password(body: PasswordChange, request: Request, services: Services, visitor: Visitor) -> Identity:
    return Identity(await _change_password(request, services, visitor, body))


@api.post("/account/hook", "Where to post that it is your turn", status=204)
async def set_hook(body: WebhookRequest, services: Services, visitor: Visitor) -> None:
    await _set_hook(services, visitor, body)


@api.post("/account/delete", "Delete your account, or all data of a guest", status=204)
async def delete(body: AccountDeletion, request: Request, services: Services, visitor: Visitor) -> None:
    await _delete(request, services, visitor, body)
