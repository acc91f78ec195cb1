"""Pages from templates: text in the reader's language, symbols beside counts, and the frame of every page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from babel.dates import format_datetime
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from malecon import __version__
from malecon.kernel import registry
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.questions import options_over_days
from malecon.server.accounts.visitors import Visitor, remember
from malecon.server.moderation.site import SiteTexts
from malecon.server.names import seat_names
from malecon.server.operations.build import commit
from malecon.server.pages import drawings
from malecon.server.pages.table_view import LogLine
from malecon.server.pages.translation import TranslatedEnvironment
from malecon.server.tables.table import MoveStory
from malecon.server.tables.timing import CLOCK_NAMES
from malecon.teaching.lessons import lessons
from malecon.text import (
    LANGUAGES,
    language_name,
    line,
    number_of_players,
    rulebook,
    sentence,
    tips,
    translate,
)
from malecon.text.languages import load

HERE = Path(__file__).parent
STATIC = HERE / "static"
#: How many pixels a symbol in a sentence is wide and high.
SYMBOL_SIZE = 15
#: Around a symbol until the whole sentence is there; no name has it, so nobody can write one.
MARK = "\N{WORD JOINER}"
#: A count, its word, its symbol, and the punctuation after it: they stay on one line. No character would keep a browser
#: from breaking the line beside a picture. The gap before the symbol is in the style sheet.
UNIT = re.compile(rf"((?:\d+ )?[^\s<>]+){MARK}(<svg.*?</svg>){MARK}([^\s<>{MARK}]*)")


@lru_cache(maxsize=2_000)
def with_symbols(phrase: Phrase | str | int | float, language: str) -> Markup:
    """Return a phrase as markup with symbols beside counts; names and templates are escaped."""
    return Markup(UNIT.sub(r'<span class="unit">\1\2\3</span>', _marked(phrase, language)).replace(MARK, ""))


def _marked(phrase: Phrase | str | int | float, language: str) -> str:
    if not isinstance(phrase, Phrase):
        return str(escape(translate(phrase, language)))
    gaps = {name: _marked(gap, language) for name, gap in phrase.gaps.items()}
    text = str(escape(load(language).template(phrase))).format(**gaps)
    return f"{text}{MARK}{drawings.symbol(phrase.symbol, SYMBOL_SIZE)}{MARK}" if phrase.symbol else text


def log_html(lines: Iterable[LogLine]) -> Markup:
    """Return the lines of a table's log, each an item of a part."""
    return Markup("".join(_log_line(line.colour, line.story, line.language, line.automatic) for line in lines))


@lru_cache(maxsize=10_000)  # a table is rendered after every move, and most of its log has been before
def _log_line(colour: str, story: MoveStory, language: str, automatic: bool) -> str:
    said = "".join(f"  <p>{with_symbols(phrase, language)}</p>\n" for phrase in story.phrases)
    if automatic:
        said += f'  <p class="kind automatic">{escape(translate(say("automatic"), language))}</p>\n'
    return f'<li class="of-{colour or "chance"}">\n{said}</li>{drawings.ITEM_MARK}\n'


def _when(seconds: float) -> str:
    """Return a time in the form that scripts read."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%MZ")


def _utc_time(seconds: float, language: str) -> str:
    """Return a time in words: the day and the hour in UTC."""
    return f"{format_datetime(datetime.fromtimestamp(seconds, UTC), 'd MMM, HH:mm', locale=language)} UTC"


def _accent(game: str) -> int:
    """Return which of the style sheet's four accents a game has; games take turns in the order of the registry."""
    return registry.names().index(game) % 4


def _part(content: str) -> Markup:
    return Markup(drawings.as_part(str(content)))  # else the marks would be escaped


#: Characters of all parts in the cache; with more it is emptied.
MOST_PARTS = 8_000_000
_parts: dict[Hashable, Markup] = {}
_parts_size = 0


def _cached_part(language: str, *key: Hashable, caller: Callable[[], str]) -> Markup:
    """Return a part whose content follows from a key and the language."""
    global _parts_size
    full_key = (language, key)
    part = _parts.get(full_key)
    if part is None:
        part = _part(caller())
        _parts_size += len(part)
        if _parts_size > MOST_PARTS:
            _parts.clear()
            _parts_size = len(part)
        _parts[full_key] = part
    return part


@cache
def templates(language: str) -> Environment:
    """Return the templates in a language; phrases that they are given become texts in it."""
    environment = TranslatedEnvironment(
        language,
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # else every rendering asks the disk whether a template has changed
    )
    environment.filters |= {
        "say": lambda phrase: translate(phrase, language),
        "sentence": lambda phrase: sentence(phrase, language),
        "with_symbols": lambda phrase: with_symbols(phrase, language),
        "part": _part,
        "when": _when,
        "utc_time": lambda seconds: _utc_time(seconds, language),
        "segment": partial(quote, safe=""),  # a name as one segment of a path: `urlencode` leaves slashes
    }
    environment.globals |= {
        "D": drawings,
        "cached_part": partial(_cached_part, language),
        "game_line": line,
        "game_players": number_of_players,
        "game_rulebook": rulebook,
        "game_tips": tips,
        "options_over_days": options_over_days,
        "seat_names": seat_names,
        "clock_names": CLOCK_NAMES,
        "lessons": lessons,
        "accent": _accent,
        "version": __version__,
        "languages": {key: language_name(key) for key in LANGUAGES},
    }
    return environment


def fragment(template: str, language: str, large: Mapping[str, str] = MappingProxyType({}), **context: Any) -> str:
    """Return a part of a page. HTML that is `large` is put in afterwards: every step of a template would copy it."""
    marks = {name: Markup(f"<!--{name}-->") for name in large}
    html = templates(language).get_template(template).render(**marks, **context)
    for name, content in large.items():
        html = html.replace(marks[name], content, 1)
    return html


def offline_page(request: Request, visitor: Visitor, template: str, **context: Any) -> HTMLResponse:
    """Return a page that the service worker stores: in the visitor's language, but without their name."""
    return page(request, replace(visitor, account=None), template, **context)


def lasting(texts: SiteTexts) -> SiteTexts:
    """Return the texts of the site without those that hold only now."""
    return replace(texts, announcement="", maintenance=False)


def kept_page(texts: SiteTexts, visitor: Visitor, template: str, path: str, **context: Any) -> str:
    """Return a whole page that a browser keeps for use without a network, without what holds only now."""
    around: dict[str, Any] = {"visitor": visitor, "path": path, "origin": "", "now": 0}
    return fragment(template, visitor.language, site=lasting(texts), commit=commit(), **around, **context)


def page(request: Request, visitor: Visitor, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """Return a whole page for a visitor, with the cookies that identify them."""
    html = fragment(
        template,
        visitor.language,
        visitor=visitor,
        path=request.url.path,
        site=request.app.state.services.site.texts,
        commit=commit(),
        origin=str(request.base_url).rstrip("/"),
        now=int(time.time()),
        **context,
    )
    response = HTMLResponse(html, status)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response
