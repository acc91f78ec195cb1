"""The routes of tournaments and series, as pages and as JSON: the list, announcing, entering, leaving, one live."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec
from fastapi import APIRouter, Request, WebSocket
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from malecon.bots import LEVELS
from malecon.kernel import registry
from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say
from malecon.server.accounts.visitors import Visitor
from malecon.server.errors import Forbidden
from malecon.server.lobby.waiting import FILLER
from malecon.server.pages import live, rendering
from malecon.server.storage.table_options import HAND_OVER
from malecon.server.tournaments import model, views
from malecon.server.tournaments.model import Tournament
from malecon.server.tournaments.runner import TournamentSnapshot
from malecon.server.tournaments.views import TournamentListed, TournamentState
from malecon.server.web.dependencies import TheServices, TheVisitor, services_of, visitor_of
from malecon.server.web.json_api import Endpoints
from malecon.server.web.schema import BadRequest, TournamentRequest
from malecon.server.web.services import Services
from malecon.server.web.table_forms import options_of, rating_of
from malecon.text import glossary

router = APIRouter(include_in_schema=False)
api = Endpoints("/api/tournaments", "tournaments")
#: Default values of the forms.
DEFAULT_ROUNDS = 5
DEFAULT_ENTRANTS = 16
DEFAULT_SERIES_GAMES = 6
#: When a tournament may start, by the hours until then.
START_NAMES = {
    0: say("when I press the button"),
    1: say("in an hour"),
    24: say("in a day"),
    72: say("in three days"),
    168: say("in a week"),
}


@router.get("/tournaments")
async def list_page(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """List the tournaments that can be entered, those that run and those that are over, and the visitor's series."""
    summaries = await asyncio.to_thread(services.tournaments.store.listed, visitor.person)
    entries = [(summary, views.facts(summary.tournament, visitor.language)) for summary in summaries]
    tournaments = [(summary, facts) for summary, facts in entries if not summary.tournament.is_series]
    return rendering.page(
        request,
        visitor,
        "tournaments.html",
        open=[pair for pair in tournaments if pair[0].tournament.state == model.OPEN],
        on=[pair for pair in tournaments if pair[0].tournament.state == model.ON],
        over=[pair for pair in tournaments if not pair[0].tournament.is_running],
        series=[pair for pair in entries if pair[0].tournament.is_series],
        games=[registry.get(name) for name in registry.names()],
    )


@router.get("/tournaments/new/{game}")
async def new_page(request: Request, visitor: TheVisitor, game: str) -> Response:
    return _form(request, visitor, game, series=False)


@router.get("/tournaments/series/{game}")
async def series_page(request: Request, visitor: TheVisitor, game: str) -> Response:
    return _form(request, visitor, game, series=True)


def _form(request: Request, visitor: Visitor, game: str, series: bool) -> Response:
    rules = registry.get(game)
    return rendering.page(
        request,
        visitor,
        "new_tournament.html",
        game=rules,
        glossary=glossary(rules),
        levels=LEVELS,
        level=FILLER,
        series=series,
        formats=model.FORMATS,
        format_names=views.FORMAT_NAMES,
        start_names=START_NAMES,
        rounds=DEFAULT_SERIES_GAMES if series else DEFAULT_ROUNDS,
        most_rounds=model.MOST_ROUNDS[model.SERIES if series else model.SWISS],
        most=DEFAULT_ENTRANTS,
        most_entrants=model.MOST_ENTRANTS[model.SWISS],
    )


@router.post("/tournaments")
async def announce(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """Open a new tournament, or a new series against bots."""
    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    game = registry.get(form.get("game", ""))
    is_series = form.get("format") == model.SERIES
    hours = _number(form, "starts", 0)
    if hours not in START_NAMES:
        raise BadRequest("starts")
    body = TournamentRequest(
        game=game.name,
        format=form.get("format", ""),
        players=_number(form, "players", 2),
        rounds=_number(form, "times" if form.get("format") == model.ROUND_ROBIN else "rounds", 1),
        name=form.get("name", ""),
        options=options_of(game, form),
        clock=form.get("clock", "day"),
        time_up=form.get("time_up", HAND_OVER),
        public=form.get("join") == "public",
        lowest=rating_of(form.get("lowest", "")),
        highest=rating_of(form.get("highest", "")),
        fewest=_number(form, "fewest", 2),
        most=_number(form, "most", DEFAULT_ENTRANTS),
        starts=time.time() + 3600 * hours if hours else None,
        bot=form.get("bot") if is_series else None,
    )
    return _to((await _open(request, services, visitor, _tournament_of(body, visitor))).id)


async def _open(request: Request, services: Services, visitor: Visitor, tournament: Tournament) -> Tournament:
    _check_account(visitor)
    await services.check_can_open_table(request, visitor)
    if tournament.public:
        await asyncio.to_thread(services.moderation.check_public, visitor)
    await asyncio.to_thread(services.moderation.check_words, tournament.name)
    return await services.tournaments.open(tournament)


@router.get("/tournaments/{name}")
async def tournament_page(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    snapshot = await services.tournaments.look(name)
    tournament = snapshot.tournament
    return rendering.page(
        request,
        visitor,
        "tournament.html",
        tournament=tournament,
        facts=views.facts(tournament, visitor.language),
        bye_rule=views.bye_rule(tournament),
        me=tournament.entrant_of(visitor.person),
        may_end=_may_end(services, visitor, tournament),
        is_owner=visitor.person == tournament.owner,
        body=Markup(await _body(snapshot, visitor)),
    )


async def _body(snapshot: TournamentSnapshot, visitor: Visitor) -> str:
    """Return what a viewer is shown of a tournament: what everybody sees, with the viewer's own rows marked."""
    everybody = await snapshot.once(("html", visitor.language), lambda: _shared_body(snapshot, visitor.language))
    personal = views.personal_view(snapshot.tournament, visitor.person)
    if personal.entrant is None:
        return everybody
    notice = rendering.fragment("tournament_notice.html", visitor.language, personal=personal)
    return notice + everybody.replace(f' e{personal.entrant}"', ' me"')


def _shared_body(snapshot: TournamentSnapshot, language: str) -> str:
    view = views.view(snapshot.tournament, snapshot.names, language)
    return rendering.fragment("tournament_body.html", language, tournament=snapshot.tournament, shown=view)


@router.websocket("/tournaments/{name}/live")
async def follow(socket: WebSocket, name: str) -> None:
    """Send a tournament to its page; when its state changes, the page is loaded again."""
    accepted = await _accept_socket(socket, name)
    if accepted is None:
        return
    services, visitor, first = accepted

    async def messages() -> AsyncGenerator[str]:
        async with aclosing(services.tournaments.changes(name)) as changes:
            async for snapshot in changes:
                if snapshot.tournament.state != first.state:
                    yield msgspec.json.encode({"go": f"/tournaments/{name}"}).decode()
                    return
                yield msgspec.json.encode({"html": await _body(snapshot, visitor)}).decode()

    with services.presence.visiting(visitor):
        await live.send_streams(socket, services.session_check, visitor, messages())


async def _accept_socket(socket: WebSocket, name: str) -> tuple[Services, Visitor, Tournament] | None:
    """Accept a live connection to a tournament; close it and return None if there is none."""
    services = services_of(socket)
    try:
        visitor = await visitor_of(socket)
        tournament = (await services.tournaments.look(name)).tournament
    except MaleconError:
        await socket.close(1008)
        return None
    await socket.accept()
    return services, visitor, tournament


@router.post("/tournaments/{name}/enter")
async def enter(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    await _enter(request, services, visitor, name)
    return _to(name)


async def _enter(request: Request, services: Services, visitor: Visitor, name: str) -> None:
    _check_account(visitor)
    services.limiter.remember_address(visitor.person, request.scope)
    await asyncio.to_thread(services.moderation.check_play, visitor)
    tournament = await asyncio.to_thread(services.tournaments.store.find, name)
    ratings = await asyncio.to_thread(services.ratings.means, visitor.person, tournament.game)
    model.check_entry(tournament, ratings.get(tournament.players))
    await services.tournaments.join(name, visitor.person)


@router.post("/tournaments/{name}/leave")
async def leave(services: TheServices, visitor: TheVisitor, name: str) -> Response:
    """Take back an entry, or withdraw for good."""
    await services.tournaments.leave(name, visitor.person)
    return _to(name)


@router.post("/tournaments/{name}/start")
async def start(services: TheServices, visitor: TheVisitor, name: str) -> Response:
    await _start(services, visitor, name)
    return _to(name)


async def _start(services: Services, visitor: Visitor, name: str) -> None:
    tournament = await asyncio.to_thread(services.tournaments.store.find, name)
    if tournament.owner != visitor.person:
        raise Forbidden(say("only those who announced a tournament can do this"))
    await services.tournaments.start(name)


@router.post("/tournaments/{name}/end")
async def end(services: TheServices, visitor: TheVisitor, name: str) -> Response:
    await _end(services, visitor, name)
    return _to(name)


async def _end(services: Services, visitor: Visitor, name: str) -> None:
    tournament = await asyncio.to_thread(services.tournaments.store.find, name)
    if not _may_end(services, visitor, tournament):
        raise Forbidden(say("only those who announced a tournament can do this"))
    await services.tournaments.end(name)


def _may_end(services: Services, visitor: Visitor, tournament: Tournament) -> bool:
    """Return whether a visitor may end a tournament: its owner or a moderator may."""
    return tournament.is_running and (visitor.person == tournament.owner or services.moderation.is_moderator(visitor))


def _check_account(visitor: Visitor) -> None:
    if visitor.account is None:
        raise Forbidden(say("You need an account for tournaments, so that your games and your place remain yours."))


def _number(form: dict[str, str], key: str, default: int) -> int:
    text = form.get(key, "").strip() or str(default)
    if not text.isascii() or not text.isdigit() or len(text) > 4:
        raise BadRequest(key)
    return int(text)


def _to(name: str) -> Response:
    return RedirectResponse(f"/tournaments/{name}", 303)


# --- the JSON interface


@api.get("", "Tournaments and your own series")
async def listed(services: Services, visitor: Visitor) -> list[TournamentListed]:
    """Public ones and those that concern you: running ones first, then the last that ended."""
    return [
        views.listed(summary.tournament, summary.entrants, summary.is_mine)
        for summary in await asyncio.to_thread(services.tournaments.store.listed, visitor.person)
    ]


@api.post("", "Announce a tournament", status=201, opens_table=True)
async def announce_tournament(
    body: TournamentRequest, request: Request, services: Services, visitor: Visitor
) -> TournamentState:
    """You need an account. A series begins at once; a tournament when its time has come, or its owner starts it."""
    opened = await _open(request, services, visitor, _tournament_of(body, visitor))
    return await _read_state(services, visitor, opened.id)


def _tournament_of(body: TournamentRequest, visitor: Visitor) -> Tournament:
    values = msgspec.structs.asdict(body)
    if body.format == model.SERIES:
        values |= {"clock": "none", "public": False, "starts": None, "fewest": 1, "most": 1}
    elif body.bot is not None:
        raise BadRequest("bot")
    return Tournament(id="", owner=visitor.person, **values)


@api.get("/{name}", "A tournament")
async def tournament_state(services: Services, visitor: Visitor, name: str) -> TournamentState:
    return await _read_state(services, visitor, name)


@router.websocket("/api/tournaments/{name}/events")
async def events(socket: WebSocket, name: str) -> None:
    """A tournament now, and after every change."""
    accepted = await _accept_socket(socket, name)
    if accepted is None:
        return
    services, visitor, _ = accepted

    async def messages() -> AsyncGenerator[str]:
        async with aclosing(services.tournaments.changes(name)) as changes:
            async for snapshot in changes:
                yield msgspec.json.encode(await _state(snapshot, visitor)).decode()

    with services.presence.visiting(visitor):
        await live.send_streams(socket, services.session_check, visitor, messages())


@api.post("/{name}/enter", "Enter")
async def enter_tournament(request: Request, services: Services, visitor: Visitor, name: str) -> TournamentState:
    await _enter(request, services, visitor, name)
    return await _read_state(services, visitor, name)


@api.post("/{name}/leave", "Take your entry back, or withdraw for good")
async def leave_tournament(services: Services, visitor: Visitor, name: str) -> TournamentState:
    await services.tournaments.leave(name, visitor.person)
    return await _read_state(services, visitor, name)


@api.post("/{name}/start", "Start now")
async def start_tournament(services: Services, visitor: Visitor, name: str) -> TournamentState:
    """As its owner."""
    await _start(services, visitor, name)
    return await _read_state(services, visitor, name)


@api.post("/{name}/end", "End it early")
async def end_tournament(services: Services, visitor: Visitor, name: str) -> TournamentState:
    """As its owner, or as a moderator."""
    await _end(services, visitor, name)
    return await _read_state(services, visitor, name)


async def _read_state(services: Services, visitor: Visitor, name: str) -> TournamentState:
    return await _state(await services.tournaments.look(name), visitor)


async def _state(snapshot: TournamentSnapshot, visitor: Visitor) -> TournamentState:
    everybody = await snapshot.once("state", lambda: views.state(snapshot.tournament, snapshot.names))
    return views.personal_state(everybody, snapshot.tournament, visitor.person)
