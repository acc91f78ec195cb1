"""The routes of accounts: pages and the JSON interface. Playing needs no account."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import urlencode

from babel.dates import format_date
from babel.numbers import format_decimal
from fastapi import APIRouter, Form, Request
from msgspec import Struct
from starlette.responses import RedirectResponse, Response

from malecon.kernel import registry
from malecon.kernel.errors import BadSetup, MaleconError
from malecon.kernel.phrases import Phrase, say
from malecon.match import LONGEST_NAME
from malecon.server.accounts.accounts import Account
from malecon.server.accounts.passwords import LONGEST_PASSWORD, SHORTEST_PASSWORD
from malecon.server.accounts.ratings import GameResult, PlayerStatistics
from malecon.server.accounts.sessions import device_name
from malecon.server.accounts.visitors import Visitor, end_session, forget_guest, remember, set_session
from malecon.server.errors import Forbidden, NameTaken, NoAccount, NoSuchPage
from malecon.server.notifications import addresses
from malecon.server.notifications.mail import LONGEST_ADDRESS, check_mail_address
from malecon.server.notifications.summaries import DAYS
from malecon.server.pages import rendering, table_view
from malecon.server.web import oidc
from malecon.server.web.dependencies import Number, TheServices, TheVisitor
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
from malecon.text import translate

pages = APIRouter(include_in_schema=False)
#: What a browser must bring back from the provider.
OIDC_COOKIE = "malecon-oidc"
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
    services.limiter.check_registration(request.scope)
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
    services.limiter.login_succeeded(request.scope, body.name)
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
    services.limiter.login_succeeded(request.scope, account.name)
    return await _begin_session(request, services, changed)


async def _delete(request: Request, services: Services, visitor: Visitor, body: AccountDeletion) -> None:
    """Delete the account, or all data of a guest, who has no password."""
    if visitor.account is None:
        if visitor.is_new or body.password:  # the password is meant for an account: its session has ended
            raise NoAccount
        tables = await services.accounts.forget(visitor.person)
    else:
        services.limiter.check_login(request.scope, visitor.account.name)
        if visitor.account.identity and not body.password:  # they log in elsewhere and may have no password
            tables = await services.accounts.forget(visitor.person, visitor.account.name)
        else:
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
    new_codes: Sequence[str] = (),
) -> Response:
    status = 200 if problem is None else int(getattr(problem, "status", 400))
    more: dict[str, Any] = {"problem": None if problem is None else problem.phrase, "done": done}
    more |= {"provider": services.oidc.label if services.oidc.is_on else None, "mail_on": services.mailer.is_on}
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
    codes_left = await asyncio.to_thread(services.recovery.count_recovery_codes, person)
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
        codes_left=codes_left,
        new_codes=new_codes,
        summary_days=DAYS,
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
    "recovered": say("The password has been changed, and all other devices have been logged out."),
    "mail": say("We have sent a code to this address; enter it here."),
    "confirmed": say("This address is confirmed."),
    "linked": say("From now on you can log in there."),
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


# --- a forgotten password, e-mail, and logging in elsewhere


async def _recover_page(
    request: Request, services: Services, visitor: Visitor, problem: MaleconError | None = None, sent: bool = False
) -> Response:
    status = 200 if problem is None else int(getattr(problem, "status", 400))
    return rendering.page(
        request,
        visitor,
        "recover.html",
        status,
        name=request.query_params.get("name", "")[:LONGEST_NAME],
        code=request.query_params.get("code", "")[:60],
        mail_on=services.mailer.is_on,
        problem=None if problem is None else problem.phrase,
        sent=sent,
        **_LENGTHS,
    )


@pages.get("/account/recover")
async def recover_page(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    return await _recover_page(request, services, visitor)


@pages.post("/account/recover")
async def recover_form(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    name: Annotated[str, Form(max_length=LONGEST_NAME)] = "",
    code: Annotated[str, Form(max_length=100)] = "",
    new: Annotated[str, Form(max_length=LONGEST_PASSWORD)] = "",
) -> Response:
    """Set a new password by a recovery code, or by one of the host or an e-mail, and log in."""
    try:
        services.limiter.check_login(request.scope, name)
        account = await services.recovery.set_password(name, code, new)
    except MaleconError as problem:
        return await _recover_page(request, services, visitor, problem)
    services.limiter.login_succeeded(request.scope, name)
    return _to_account(request, visitor, await _begin_session(request, services, account), "recovered")


@pages.post("/account/recover/mail")
async def recover_by_mail(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    name: Annotated[str, Form(max_length=LONGEST_NAME)] = "",
) -> Response:
    """Send a code to the confirmed address of an account; whether there is one, the answer does not say."""
    if not services.mailer.is_on:
        raise Forbidden(say("this server sends no e-mails"))
    services.limiter.check_login(request.scope, name)
    services.mail_tasks.begin(_send_reset_code(services, name, visitor.language))
    return await _recover_page(request, services, visitor, sent=True)


async def _send_reset_code(services: Services, name: str, language: str) -> None:
    account = await asyncio.to_thread(services.accounts.find, name)
    if account is None or account.mail is None:
        return
    code = await asyncio.to_thread(services.recovery.make_reset_code, account.person)
    link = (
        f"{services.limiter.settings.public_address}/account/recover?{urlencode({'name': account.name, 'code': code})}"
    )
    lines = [
        translate(say("Hello {name},", name=account.name), language),
        "",
        translate(say("with this code you can choose a new password within a day: {code}", code=code), language),
        link,
        "",
        translate(say("If you did not ask for it, you need not do anything."), language),
    ]
    subject = translate(say("A new password"), language)
    await asyncio.to_thread(services.mailer.queue, account.mail, subject, "\n".join(lines))


@pages.post("/account/codes")
async def codes_form(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """Make recovery codes, and show them this once."""
    account = account_of(visitor)
    codes = await asyncio.to_thread(services.recovery.make_recovery_codes, account.person)
    return await _page(request, services, visitor, new_codes=codes)


@pages.post("/account/mail")
async def mail_form(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    mail: Annotated[str, Form(max_length=LONGEST_ADDRESS)] = "",
    days: Annotated[Number, Form()] = 0,
) -> Response:
    """Send a code to a new address, or forget the address; and set how often a summary is sent."""
    account = account_of(visitor)
    try:
        if not services.mailer.is_on:
            raise Forbidden(say("this server sends no e-mails"))
        if days not in DAYS:
            raise BadSetup(say("invalid request"))
        await asyncio.to_thread(services.accounts.set_summary, account, days)
        if not mail.strip():
            await asyncio.to_thread(services.accounts.set_mail, account.person, None)
            return _to_account(request, visitor, None, "hook")
        address = check_mail_address(mail)
        if address == account.mail:
            return _to_account(request, visitor, None, "hook")
        services.limiter.check_login(request.scope, account.name)  # or others could be sent e-mails without end
        code = await asyncio.to_thread(services.recovery.make_mail_code, account.person, address)
        text = translate(say("Your code is {code}. Enter it on your account page.", code=code), visitor.language)
        subject = translate(say("Confirm your address"), visitor.language)
        await asyncio.to_thread(services.mailer.queue, address, subject, text)
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    return _to_account(request, visitor, None, "mail")


@pages.post("/account/mail/confirm")
async def confirm_form(
    request: Request, services: TheServices, visitor: TheVisitor, code: Annotated[str, Form(max_length=100)] = ""
) -> Response:
    account = account_of(visitor)
    try:
        services.limiter.check_login(request.scope, account.name)
        await asyncio.to_thread(services.recovery.confirm_mail, account.person, code)
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    services.limiter.login_succeeded(request.scope, account.name)
    return _to_account(request, visitor, None, "confirmed")


@pages.get(oidc.PATH)
async def begin_oidc(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """Send the browser to the provider; a signed cookie says what it must bring back."""
    if not services.oidc.is_on:
        raise NoSuchPage
    begun = await services.oidc.begin(_callback(request, services))
    response = RedirectResponse(begun.address, 303)
    secure = request.url.scheme == "https"
    remember(visitor, response, secure)
    text = await asyncio.to_thread(services.sessions.sign, f"{begun.state} {begun.nonce} {begun.verifier}")
    response.set_cookie(
        OIDC_COOKIE, text, max_age=oidc.LOGIN_SECONDS, path=oidc.PATH, httponly=True, samesite="lax", secure=secure
    )
    return response


@pages.get(oidc.CALLBACK)
async def finish_oidc(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """Log in whom the provider has sent back: into their account, a new one, or the one they are logged in to."""
    if not services.oidc.is_on:
        raise NoSuchPage
    try:
        person = await _known_person(request, services)
        account = await _account_of_person(request, services, visitor, person)
    except MaleconError as problem:
        return await _page(request, services, visitor, problem)
    session = await _begin_session(request, services, account)
    done = "linked" if visitor.account is not None else ""
    response = _to_account(request, visitor, session, done)
    response.delete_cookie(OIDC_COOKIE, path=oidc.PATH)
    return response


async def _known_person(request: Request, services: Services) -> oidc.KnownPerson:
    begun = await asyncio.to_thread(services.sessions.read, request.cookies.get(OIDC_COOKIE, "")[:1000])
    parts = [] if begun is None or begun.age > oidc.LOGIN_SECONDS else begun.id.split(" ")
    query = request.query_params
    if len(parts) != 3 or not secrets.compare_digest(parts[0].encode(), query.get("state", "").encode()):
        raise oidc.LoginFailed
    if not query.get("code"):
        raise oidc.LoginFailed
    return await services.oidc.finish(query["code"][:2000], _callback(request, services), parts[1], parts[2])


async def _account_of_person(
    request: Request, services: Services, visitor: Visitor, person: oidc.KnownPerson
) -> Account:
    known = await asyncio.to_thread(services.accounts.find_by_identity, person.identity)
    if visitor.account is not None:
        if known is not None and known.person != visitor.account.person:
            raise Forbidden(say("somebody else has an account here by that log-in"))
        await asyncio.to_thread(services.accounts.set_identity, visitor.account, person.identity)
        return visitor.account
    if known is not None:
        return known
    services.limiter.check_registration(request.scope)
    for number in range(1, 30):
        name = (person.name[: LONGEST_NAME - 4] or "Player") + ("" if number == 1 else f" {number}")
        try:
            await asyncio.to_thread(services.moderation.check_words, name)
            account, tables = await services.accounts.register(visitor.guest, name, None, identity=person.identity)
        except (NameTaken, BadSetup) as problem:
            if isinstance(problem, BadSetup):  # a name that we do not allow
                person = replace(person, name="Player")
            continue
        await services.refresh_tables(tables)
        services.moderation.reload()
        return account
    raise NameTaken


def _callback(request: Request, services: Services) -> str:
    base = services.limiter.settings.public_address or f"{request.url.scheme}://{request.headers.get('host', '')}"
    return base + oidc.CALLBACK


# --- the set-up of a new server


@pages.get("/setup")
async def setup_page(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    if await asyncio.to_thread(services.setup.is_done):
        return RedirectResponse("/", 303)
    return rendering.page(request, visitor, "setup.html", problem=None, code=_code_of(request), **_LENGTHS)


def _code_of(request: Request) -> str:
    return request.query_params.get("code", "")[:60]


@pages.post("/setup")
async def setup_form(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    code: Annotated[str, Form(max_length=60)] = "",
    name: Annotated[str, Form(max_length=LONGEST_NAME)] = "",
    password: Annotated[str, Form(max_length=LONGEST_PASSWORD)] = "",
    site: Annotated[str, Form(max_length=LONGEST_NAME)] = "",
) -> Response:
    """Create the host's account by the code of the log."""
    try:
        services.limiter.check_login(request.scope, name)
        await asyncio.to_thread(services.setup.check, code)
        if visitor.account is not None:
            raise Forbidden(say("you are already logged in"))
        account, tables = await services.accounts.register(visitor.guest, name, password, is_moderator=True)
    except MaleconError as problem:
        status = int(getattr(problem, "status", 400))
        return rendering.page(request, visitor, "setup.html", status, problem=problem.phrase, code=code, **_LENGTHS)
    services.limiter.login_succeeded(request.scope, name)
    await asyncio.to_thread(services.setup.finish)
    await asyncio.to_thread(services.acts.record, account, "setup")
    if site.strip():
        await asyncio.to_thread(lambda: services.site.change(name=site))
    await services.refresh_tables(tables)
    response = RedirectResponse("/host", 303)
    secure = request.url.scheme == "https"
    remember(visitor, response, secure)
    set_session(response, await _begin_session(request, services, account), secure)
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
