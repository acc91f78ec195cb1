"""The routes of the home page, of opening a table, of settings, and of the rules."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from malecon.bots import LEVELS
from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game
from malecon.kernel.phrases import Phrase, say
from malecon.server.accounts.visitors import BROWSER, THEMES, Visitor, as_stored, check_where, remember
from malecon.server.errors import NotFound
from malecon.server.lobby.waiting import FILL_MINUTES, FILLER
from malecon.server.names import person_name, visible_name
from malecon.server.pages import rendering, table_view
from malecon.server.storage.rows import TableRow
from malecon.server.storage.table_options import CLOCKS, HAND_OVER
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.timing import PACES
from malecon.server.web.dependencies import TheServices, TheVisitor
from malecon.server.web.services import Services
from malecon.server.web.table_forms import minutes_of, options_of, public_table, rating_of
from malecon.text import glossary as text_glossary
from malecon.text import rulebook as text_rulebook
from malecon.text import translate
from malecon.text.lists import commas

router = APIRouter(include_in_schema=False)
#: The opponents in a game that is started at once, and in a guided first game.
OPPONENT = "bot:comerciante"
FIRST_OPPONENT = "bot:turista"
#: The number of players in such a game.
QUICK_PLAYERS = 3


def quick_players(game: Game) -> int:
    """Return the number of players in a game that is started at once."""
    return min(max(QUICK_PLAYERS, game.fewest_players), game.most_players)


@dataclass(frozen=True)
class GameCard:
    """A game of the visitor on the home page."""

    row: TableRow
    title: str
    seats: list[table_view.SeatView]
    status: Phrase
    my_turn: bool


@router.get("/")
async def home(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    rows = [] if visitor.is_new else await services.tables.tables_of(visitor.person)
    cards = [await _card(services, visitor, row) for row in rows]
    waiting_for_me = [card for card in reversed(cards) if card.my_turn and not card.row.over]  # the longest first
    others = [card for card in cards if not card.my_turn and not card.row.over]
    snapshot = await services.lobby.fresh()
    return rendering.page(
        request,
        visitor,
        "home.html",
        games=[registry.get(name) for name in registry.names()],
        quick_players=quick_players,
        levels=LEVELS,
        paces=PACES,
        running=waiting_for_me + others,
        waits_longest=waiting_for_me[0].row.id if waiting_for_me else None,
        finished=[card for card in cards if card.row.over],
        clocks=CLOCKS,
        fills=FILL_MINUTES,
        filler=FILLER,
        lobby=services.lobby_pages.html(snapshot, visitor.language),
        waiting=snapshot.waiting_of(visitor.person),
        tournaments=await asyncio.to_thread(services.tournaments.store.open_number),
        glossaries={name: text_glossary(registry.get(name)) for name in registry.names()},
    )


async def _card(services: Services, visitor: Visitor, row: TableRow) -> GameCard:
    table = await services.tables.get(row.id)
    viewer = table_view.Viewer(visitor.person, visitor.language)
    where = table_view.perspective(table, viewer)
    outcome = table.match.outcome
    my_turn = table.waits_for(where.mine)
    if outcome is not None:
        status = say("Won by {names}", names=commas([table.match.names[seat] for seat in outcome.winners]))
    elif table.row.is_stopped:
        status = say("All agreed to stop. The game is not rated.")
    elif table.is_record:
        status = say("An old game. Step through it, or play on from any position.")
    elif my_turn:
        status = say("Your turn")
    else:
        status = table_view.prompt(table, table.match.view(where.seat), where)
    return GameCard(row, table.match.game.title, table_view.seat_views(table, viewer), status, my_turn)


@router.post("/tables")
async def open_table(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    game = registry.get(form.get("game", ""))
    name = person_name(form.get("name", visitor.choices.name))
    quick = form.get("quick", "")
    if quick:
        bot = FIRST_OPPONENT if quick == "first" else OPPONENT
        seats = [NewSeat("me", name), *(NewSeat(bot) for _ in range(quick_players(game) - 1))]
    else:
        seats = _seats(game, form, name)
    settings = NewTable(
        game=game.name,
        seats=tuple(seats),
        options=options_of(game, form),
        pace=form.get("pace", visitor.choices.pace),
        guide=quick == "first" or form.get("guide") == "on",
        automatic=visitor.choices.automatic,
        clock=form.get("clock", "none"),
        time_up=form.get("time_up", HAND_OVER),
        hints=form.get("hints") == "on",
        public=form.get("join") == "public",
        page_thinks=check_where(form.get("thinking", visitor.bots_think)) == BROWSER,
    )
    await services.check_can_open_table(request, visitor)
    if settings.public:
        await asyncio.to_thread(services.moderation.check_public, visitor)
    if name and name != visitor.choices.name:
        await _choose(services, visitor, name=name)
        visitor = replace(visitor, choices=visitor.choices.changed(name=name))  # the lobby shows it for a guest
    if settings.public and any(seat.who == "open" for seat in seats):
        public = await public_table(
            services,
            visitor,
            settings,
            lowest=rating_of(form.get("lowest", "")),
            highest=rating_of(form.get("highest", "")),
            fill=minutes_of(form.get("fill", "0")),
            bot=form.get("bot", FILLER),
        )
        waiting = await services.lobby.open(public)
        address = f"/waiting/{waiting.id}" if waiting.table is None else f"/tables/{waiting.table}"
    else:
        address = f"/tables/{(await services.tables.open(settings, visitor.person)).id}"
    response = RedirectResponse(address, 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


def _seats(game: Game, form: dict[str, str], name: str | None) -> list[NewSeat]:
    """Return the seats of a form, without unused ones. Only the first `me` has the name."""
    seats: list[NewSeat] = []
    named = False
    for number in range(game.most_players):
        who = form.get(f"seat-{number}", "")
        own_name = person_name(form.get(f"name-{number}", ""))
        if who in ("", "none"):
            continue
        if who == "me" and not named:
            own_name, named = own_name or name, True
        seats.append(NewSeat(who, own_name if who == "me" else None))
    if not seats:
        raise BadSetup(say("at least one player must sit at the table"))
    return seats


@router.get("/settings")
async def settings(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    return rendering.page(
        request,
        visitor,
        "settings.html",
        themes=THEMES,
        paces=PACES,
        pushes=services.push.are_on,
        saved=request.query_params.get("saved") == "1",
        back=_local(request.query_params.get("back", "/")),
    )


@router.post("/settings")
async def change_settings(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    name: Annotated[str, Form(max_length=40)] = "",
    language: Annotated[str, Form()] = "",
    theme: Annotated[str, Form()] = "auto",
    pace: Annotated[str, Form()] = "normal",
    thinking: Annotated[str, Form()] = "auto",
    confirm: Annotated[str, Form()] = "",
    automatic: Annotated[str, Form()] = "",
    sound: Annotated[str, Form()] = "",
    sounds: Annotated[str, Form()] = "",
    notify: Annotated[str, Form()] = "",
    here: Annotated[str, Form()] = "",
    talk: Annotated[str, Form()] = "",
    page: Annotated[str, Form()] = "",
    board: Annotated[str, Form()] = "",
    games: Annotated[str, Form()] = "",
    push_turn: Annotated[str, Form()] = "",
    push_seat: Annotated[str, Form()] = "",
    push_rematch: Annotated[str, Form()] = "",
    back: Annotated[str, Form()] = "/",
) -> Response:
    await _choose(
        services,
        visitor,
        name=visible_name(name) or "",
        language=language,
        theme=theme,
        pace=pace,
        thinking=thinking,
        confirm=confirm == "on",
        automatic=automatic == "on",
        sound=sound == "on",
        sounds=sounds == "on",
        notify=notify == "on",
        here=here == "on",
        talk=talk == "on",
        push_turn=push_turn == "on",
        push_seat=push_seat == "on",
        push_rematch=push_rematch == "on",
        **({} if visitor.account is None else {"page": page == "on", "board": board == "on", "games": games == "on"}),
    )
    response = RedirectResponse(f"/settings?saved=1&back={_local(back)}", 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


@router.post("/language")
async def change_language(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    language: Annotated[str, Form()] = "",
    back: Annotated[str, Form()] = "/",
) -> Response:
    await _choose(services, visitor, language=language)
    response = RedirectResponse(_local(back), 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


async def _choose(services: Services, visitor: Visitor, **new: str | bool) -> None:
    choices = visitor.choices.changed(**new)
    if choices.name != visitor.choices.name:
        await asyncio.to_thread(services.moderation.check_words, choices.name)
    await asyncio.to_thread(services.storage.set_choices, visitor.person, as_stored(choices))
    if choices.automatic != visitor.choices.automatic:
        await services.tables.set_automatic(visitor.person, choices.automatic)


def _local(address: str) -> str:
    """Return a path of this site, the home page in place of anything else."""
    parts = urlsplit(address)
    fits = address.startswith("/") and not address.startswith(("//", "/\\")) and not parts.scheme and not parts.netloc
    return parts.path if fits and parts.path.isascii() and parts.path.isprintable() else "/"


@router.get("/rules")
async def all_rules(request: Request, visitor: TheVisitor) -> Response:
    """List the games with a rules page."""
    games = [registry.get(name) for name in registry.names()]
    with_rules = [game for game in games if text_rulebook(game)]
    return rendering.offline_page(request, visitor, "rules_index.html", games=with_rules)


@router.get("/rules/{game}")
async def rules(request: Request, visitor: TheVisitor, game: str) -> Response:
    chosen = registry.get(game)
    rulebook = text_rulebook(chosen)
    if rulebook is None:
        raise NotFound(say("there is no rules page for {game}", game=chosen.title))
    return rendering.offline_page(
        request, visitor, "rules.html", game=chosen, rulebook=rulebook, glossary=text_glossary(chosen)
    )


@router.get("/glossary/{game}/{language}")
async def glossary(game: str, language: str) -> Response:
    """Return the descriptions of all things on a board, by kind and key, which the page shows under the pointer."""
    entries = text_glossary(registry.get(game))
    descriptions = {
        f"{kind}/{key}": _capital(f"{translate(entry.name, language)}: {translate(entry.text, language)}")
        for kind, things in entries.items()
        for key, entry in things.items()
    }
    return JSONResponse(descriptions, headers={"cache-control": "max-age=300"})


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
