"""The routes of the explorer: which choices were made in finished games, how often, and how they ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal
from urllib.parse import quote, urlencode

from babel.numbers import format_percent
from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from malecon.bots.specs import parse
from malecon.kernel import registry
from malecon.kernel.game import Game
from malecon.kernel.phrases import Phrase
from malecon.server.errors import NoSuchPage
from malecon.server.pages import rendering
from malecon.server.web.dependencies import Number, TheServices, TheVisitor
from malecon.teaching.explorer import after, name_of, shipped, tables, texts
from malecon.teaching.explorer.books import Book, bot_of
from malecon.teaching.explorer.choices import DEPTH, is_counted

router = APIRouter(include_in_schema=False)
#: Rows of a table that are listed.
MOST_ROWS = 15
#: Which games: those of bots that are shipped, or those of this server.
Source = Literal["bots", "here"]
Option = Annotated[str, Query(max_length=60)]


@dataclass(frozen=True)
class _Row:
    """A choice with its numbers, and the address of what followed it."""

    name: Phrase
    onward: str | None
    chosen: int
    share: float
    win_rate: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class _Place:
    """A page of the explorer: the game, and the choices so far."""

    game: Game
    players: int
    source: Source
    path: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        query = [("after", option) for option in self.path]
        if self.source == "here":
            query.insert(0, ("source", "here"))
        base = f"/explorer/{self.game.name}/{self.players}"
        return f"{base}?{urlencode(query, quote_via=quote)}" if query else base

    def at(self, *path: str) -> _Place:
        return _Place(self.game, self.players, self.source, path)


@router.get("/explorer")
async def explorer() -> Response:
    """Lead to the first game that has an explorer."""
    first = registry.get(next((name for name in registry.names() if tables(name)), registry.names()[0]))
    return RedirectResponse(f"/explorer/{first.name}/{first.fewest_players}", 303)


@router.get("/explorer/{game}/{players}")
async def explore(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    game: str,
    players: Number,
    source: Source = "bots",
    path: Annotated[list[Option] | None, Query(alias="after", max_length=DEPTH)] = None,
) -> Response:
    """Show the choices after these ones, and the tables of the game."""
    chosen = registry.get(game)
    if not (is_counted(chosen, {}) and chosen.fewest_players <= players <= chosen.most_players):
        raise NoSuchPage
    place = _Place(chosen, players, source, tuple(path or ()))
    if source == "bots":
        book = await asyncio.to_thread(shipped, game, players)
    else:
        book = await asyncio.to_thread(services.explorer_counts.book, game, players, _questions(place))
    for step, option in enumerate(place.path):
        if option not in book.questions.get(after(place.path[:step]), {}):
            raise NoSuchPage
    percent = _percent(visitor.language)
    about = texts.played_with(parse(bot_of(game)).plan.sims) if source == "bots" else texts.USUAL_ONLY
    return rendering.page(
        request,
        visitor,
        "explorer.html",
        games=[listed for listed in map(registry.get, registry.names()) if is_counted(listed, {})],
        chosen=chosen,
        players=players,
        source=source,
        sources=[
            (texts.BOTS_GAMES, _Place(chosen, players, "bots").address, source == "bots"),
            (texts.GAMES_HERE, _Place(chosen, players, "here").address, source == "here"),
        ],
        about=[texts.games_counted(book.games), about, texts.equals_win(percent(book.fair_share))],
        fair=round(100 * book.fair_share, 1),
        steps=[(texts.START, place.at().address)]
        + [(name_of(game, option), place.at(*place.path[: n + 1]).address) for n, option in enumerate(place.path)],
        opening=_opening(place, book),
        chapters=_tables(place, book),
        percent=percent,
    )


def _questions(place: _Place) -> list[str]:
    """Return the questions whose answers a page shows."""
    in_tables = [question for table in tables(place.game.name) for question in table.questions]
    return [after(place.path[:step]) for step in range(len(place.path) + 1)] + in_tables


def _opening(place: _Place, book: Book) -> list[_Row]:
    """Return the rows of the current choice, with links to what followed if it was counted."""

    def onward(option: str) -> str | None:
        further = place.at(*place.path, option)
        # Of the server's own games only the questions of this page are read.
        goes_on = place.source == "here" or book.choices_at(after(further.path))
        return further.address if goes_on and len(further.path) < DEPTH else None

    return _rows(place.game.name, book, after(place.path), onward)


def _tables(place: _Place, book: Book) -> list[tuple[Phrase, list[tuple[Phrase, list[_Row]]]]]:
    """Return the tables of a game with what was chosen there, without questions that never came up."""
    contents = []
    for table in tables(place.game.name):
        parts = [(label, _rows(place.game.name, book, question)) for question, label in table.questions.items()]
        contents.append((table.title, [(label, rows) for label, rows in parts if rows]))
    return [(title, parts) for title, parts in contents if parts]


def _rows(
    game: str, book: Book, question: str, onward: Callable[[str], str | None] = lambda option: None
) -> list[_Row]:
    """Return the rows of a question, the most frequent choice first."""
    return [
        _Row(
            name_of(game, row.option),
            onward(row.option),
            row.chosen,
            row.share,
            row.win_rate,
            row.interval,
        )
        for row in book.rows(question)[:MOST_ROWS]
        if row.chosen
    ]


def _percent(language: str) -> Callable[[float], str]:
    return lambda value: _percent_text(value, language)


@lru_cache(maxsize=20_000)  # a page has hundreds of them, and Babel takes its time for each
def _percent_text(value: float, language: str) -> str:
    return format_percent(value, locale=language)
