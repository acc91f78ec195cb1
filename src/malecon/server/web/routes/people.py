"""The routes of profiles: accounts, bots, leader boards, friends and blocked people."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import quote

from babel.dates import format_date
from babel.numbers import format_decimal
from fastapi import APIRouter, Form, Request
from markupsafe import Markup, escape
from starlette.responses import RedirectResponse, Response

from malecon.bots import LEVELS
from malecon.kernel import registry
from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say
from malecon.server.accounts.profiles import MIN_RATED_GAMES, Opening
from malecon.server.accounts.ratings import BOT_PREFIX
from malecon.server.accounts.visitors import Visitor
from malecon.server.chat.conversations import BLOCKED, FRIEND, MUTED
from malecon.server.errors import Forbidden, NotFound, Refused
from malecon.server.pages import rendering, table_view
from malecon.server.web.dependencies import Number, TheServices, TheVisitor
from malecon.server.web.services import Services
from malecon.text import describe_move, translate

router = APIRouter(include_in_schema=False)
#: The size of a rating curve, and the area of its plot.
CURVE_WIDTH = 360
CURVE_HEIGHT = 140
LEFT = 46
RIGHT = 350
TOP = 12
BOTTOM = 112
#: The distance of ticks is one of these times a power of ten.
NICE_STEPS = (1, 2, 5, 10)
#: Steps between the lowest and the highest tick, at most.
MOST_STEPS = 3


@router.get("/people/{name}")
async def person_page(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    """Show a profile, with what its owner lets others see."""
    account, chosen = await asyncio.to_thread(services.profiles.find, name)
    is_me = account.person == visitor.person
    if not (chosen.page or is_me):
        raise Forbidden(say("this person keeps their page to themselves"))
    person = account.person
    ratings, profiles = services.ratings, services.profiles
    statistics, results = await asyncio.to_thread(lambda: (ratings.statistics(person), ratings.results(person, 20)))
    curves, opponents, openings = await asyncio.to_thread(
        lambda: (profiles.curves(person), profiles.opponents(person), profiles.openings(person))
    )
    shows_games = chosen.games or is_me
    public = await asyncio.to_thread(profiles.public_tables, [result.table for result in results])
    relation = {} if visitor.is_new else await asyncio.to_thread(services.conversations.relations, visitor.person)
    names = await asyncio.to_thread(profiles.names, list(relation)) if is_me else {}
    online = services.presence.people()
    circles = [
        (
            heading,
            [(names[other], other in online) for other, kind in relation.items() if kind == which and other in names],
        )
        for which, heading in (
            (FRIEND, say("Friends")),
            (BLOCKED, say("Blocked")),
            (MUTED, say("Muted")),
        )
    ]
    described = (
        [(opening, await _describe_opening(services, opening, visitor.language)) for opening in openings]
        if shows_games
        else []
    )
    played, numbers = translate(say("Games"), visitor.language), _numbers(visitor)
    return rendering.page(
        request,
        visitor,
        "person.html",
        account=account,
        is_me=is_me,
        is_here=chosen.here and person in online,
        statistics=statistics,
        curves=[
            (registry.get(game).title, players, values[-1], rating_curve(values, played, numbers["number"]))
            for (game, players), values in curves.items()
            if len(values) > 1
        ],
        results=[
            (result, _day(result.finished, visitor.language), is_me or result.table in public)
            for result in (results if shows_games else ())
        ],
        opponents=[(opening, _bot_name(opening.who, visitor)) for opening in opponents],
        openings=[(registry.get(opening.game).title, moves, opening) for opening, moves in described if moves],
        relation=relation.get(person),
        circles=circles,
        **numbers,
    )


async def _describe_opening(services: Services, opening: Opening, language: str) -> str:
    """Return an opening in words; empty if its game cannot be read any more."""
    try:
        table = await services.tables.get(opening.table)
    except MaleconError:
        return ""
    moves: list[str] = []
    for number, turn in enumerate(table.match.history):
        if turn.seat == opening.seat and turn.move is not None:
            view = table.match.fork(number).view(opening.seat)
            moves.append(translate(describe_move(view, turn.move), language))
            if len(moves) == opening.moves:
                break
    return " → ".join(moves)


def _bot_name(who: str, visitor: Visitor) -> str | None:
    if not who.startswith(BOT_PREFIX):
        return None
    return translate(table_view.bot_name(who.removeprefix(BOT_PREFIX)), visitor.language)


def _numbers(visitor: Visitor) -> dict[str, Any]:
    return {
        "number": lambda value: format_decimal(value, "0.0", visitor.language),
        "titles": {name: registry.get(name).title for name in registry.names()},
    }


def _day(when: float, language: str) -> str:
    return format_date(datetime.fromtimestamp(when, UTC), "medium", language)


@router.get("/bots/{level}")
async def bot_page(request: Request, services: TheServices, visitor: TheVisitor, level: str) -> Response:
    """Show a level of the bots and its ratings."""
    chosen = next((candidate for candidate in LEVELS if candidate.key == level), None)
    if chosen is None:
        raise NotFound(say("nobody here has this name"))
    all_ratings = await asyncio.to_thread(services.ratings.of_bots)
    ratings = [
        (game, players, ratings_of_game[level])
        for (game, players), ratings_of_game in sorted(all_ratings.items())
        if level in ratings_of_game
    ]
    return rendering.page(request, visitor, "bot.html", level=chosen, ratings=ratings, **_numbers(visitor))


@router.get("/leaders")
async def leaders_page(
    request: Request, services: TheServices, visitor: TheVisitor, game: str = "", players: Number = 0
) -> Response:
    """Show the leader board of a game and a number of players."""
    chosen = registry.get(game) if game else registry.get(registry.names()[0])
    count = players if chosen.fewest_players <= players <= chosen.most_players else min(3, chosen.most_players)
    leaders = await asyncio.to_thread(services.profiles.leaders, chosen.name, count)
    return rendering.page(
        request,
        visitor,
        "leaders.html",
        games=[registry.get(name) for name in registry.names()],
        chosen=chosen,
        players=count,
        leaders=[(leader, _bot_name(leader.who, visitor), leader.who.removeprefix(BOT_PREFIX)) for leader in leaders],
        enough=MIN_RATED_GAMES,
        **_numbers(visitor),
    )


@router.post("/people/{name}/relation")
async def relate(
    services: TheServices, visitor: TheVisitor, name: str, kind: Annotated[str, Form(max_length=20)] = ""
) -> Response:
    """Make a person a friend, block or mute them, or none of these."""
    if visitor.is_new:
        raise Refused(say("you need an account for this: register or log in first"))
    if kind not in ("", FRIEND, BLOCKED, MUTED):
        raise Refused(say("invalid request"))
    account, _ = await asyncio.to_thread(services.profiles.find, name)
    await asyncio.to_thread(services.conversations.relate, visitor.person, account.person, kind or None)
    return RedirectResponse(f"/people/{quote(account.name, safe='')}", 303)


# --- rating curves


def ticks_for(low: float, high: float) -> list[float]:
    """Return a few round numbers, the first not above `low` and the last not below `high`."""
    least = max(high - low, 1) / MOST_STEPS
    power = 10.0 ** math.floor(math.log10(least))
    step = next(nice * power for nice in NICE_STEPS if nice * power >= least * 0.999)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(number * step, 6) for number in range(first, max(last, first + 1) + 1)]


def rating_curve(values: Sequence[float], across: str, number: Callable[[float], str]) -> Markup:
    """Return the SVG of a line through these values, with a dot at the last: values upwards, their count across."""
    ticks = ticks_for(min(values), max(values))

    def up(value: float) -> float:
        return BOTTOM - (value - ticks[0]) / (ticks[-1] - ticks[0]) * (BOTTOM - TOP)

    step = (RIGHT - LEFT) / max(1, len(values) - 1)
    points = [(LEFT + place * step, up(value)) for place, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    grid = "".join(f"M{LEFT} {up(tick):.1f}H{RIGHT}" for tick in ticks)
    below = CURVE_HEIGHT - 8
    labels = [
        *(f'<text x="{LEFT - 6}" y="{up(tick) + 4:.1f}" text-anchor="end">{number(tick)}</text>' for tick in ticks),
        f'<text x="{LEFT}" y="{below}">1</text>',
        f'<text x="{(LEFT + RIGHT) / 2:g}" y="{below}" text-anchor="middle">{escape(across)}</text>',
        f'<text x="{RIGHT}" y="{below}" text-anchor="end">{len(values)}</text>',
    ]
    x, y = points[-1]
    return Markup(
        f'<svg class="curve" viewBox="0 0 {CURVE_WIDTH} {CURVE_HEIGHT}" aria-hidden="true"><path d="{grid}"/>'
        f'<polygon points="{LEFT},{BOTTOM} {line} {x:.1f},{BOTTOM}"/><polyline points="{line}"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5"/>{"".join(labels)}</svg>'
    )
