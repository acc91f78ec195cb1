"""Bots that a page thinks for: at tables where one person plays alone, the search can run in that person's browser.

The page is sent the moves that its own person knows, and how the bot of that level searches; it works the position out
itself. So nothing is sent that its person may not know, and what rests on something face down is left to the server.
The server also thinks if no page has announced an engine, or if the page leaves or does not answer in time.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from malecon import bots
from malecon.bots.levels import BY_KEY
from malecon.bots.searcher import equip
from malecon.bots.specs import Spec, parse
from malecon.kernel import registry
from malecon.kernel.errors import IllegalMove
from malecon.kernel.game import OptionValue
from malecon.kernel.journal import new_journal
from malecon.kernel.phrases import say
from malecon.kernel.playing import make_logged_move
from malecon.kernel.positions import as_array
from malecon.kernel.view import View
from malecon.server.errors import BotHasMoved, NotYourSeat, PageTooOld, Refused, Stale
from malecon.server.operations.metrics import Metrics
from malecon.server.storage.rows import BOT, PERSON, SeatRow
from malecon.server.tables.table import Table

#: How much longer than the bot thinks a page may take: for the way there and back, and a slow machine.
PATIENCE_SECONDS = 3.0
#: The thinking time of a bot that counts simulations instead.
SIMULATIONS_SECONDS = 1.0
#: Bits of a seed: it fits into a number of JavaScript, and of the engine.
SEED_BITS = 31


# --- what is sent


class PageSearch(Struct, frozen=True):
    """How the bot searches: its budget, the chance to overlook a move, the size of its tree, and its settings."""

    sims: int
    ms: int
    miss: float
    nodes: int
    settings: Annotated[
        dict[str, float], Meta(description="Those of `SearchSettings`, which the engine's have names of")
    ]


class ThinkRequest(Struct, frozen=True, kw_only=True):
    """A decision of a bot for the page to make. The bot sees the position that `codes` lead to from `setup`."""

    version: Annotated[int, Meta(description="Of the table: the answer must name it")]
    seat: int
    game: str
    players: int
    options: dict[str, OptionValue]
    setup: Annotated[bytes, Meta(description="The record of the position before the first move")]
    codes: Annotated[bytes, Meta(description="All moves so far, 16 bits each, the lower byte first")]
    search: PageSearch
    seed: int
    seconds: Annotated[float, Meta(description="After this time the server thinks itself")]


_encode = msgspec.json.Encoder().encode


def think_request(person: View, bot: View, spec: str, version: int) -> ThinkRequest | None:
    """Return what a page needs to think for a bot; None if the server must think.

    The position and the moves come from the person's view alone.
    """
    if not _can_search(spec) or bots.is_instant(spec, bot.game.name) or not _is_open(person, bot):
        return None
    search = _search_of(spec, bot.game.name)
    assert bot.seat is not None
    players, options = len(person.names), dict(person.options)
    return ThinkRequest(
        version=version,
        seat=bot.seat,
        game=person.game.name,
        players=players,
        options=options,
        setup=_setup(person.game.name, players, tuple(options.items())),
        codes=person.history.codes.astype("<i2", copy=False).tobytes(),
        search=search,
        seed=secrets.randbits(SEED_BITS),
        seconds=(search.ms / 1000 or SIMULATIONS_SECONDS) + PATIENCE_SECONDS,
    )


def _is_open(person: View, bot: View) -> bool:
    """Return whether nothing that the bot or the person knows is face down, and the bot's move will not be either."""
    conceals, position = bot.game.conceals, bot.position
    if conceals is None:
        return True  # every move is made in the open, so all positions follow from the moves
    if not (person.history.is_open and bot.history.is_open):
        return False
    for code in bot.legal_moves.codes:
        if conceals(position, position, code):
            return False
        after = as_array(position)[0]
        make_logged_move(after, code, len(bot.history), new_journal())
        if conceals(position, after, code):
            return False
    return True


@lru_cache(1_000)
def _setup(game: str, players: int, options: tuple[tuple[str, OptionValue], ...]) -> bytes:
    return bytes(registry.get(game).new_position(players, **dict(options)).tobytes())


# --- which bots


@lru_cache(1_000)
def _spec(spec: str) -> Spec:
    return parse(spec, {key: level.spec for key, level in BY_KEY.items()})


def _can_search(spec: str) -> bool:
    """Return whether a bot searches, and needs nothing for it that a page does not have."""
    parsed = _spec(spec)
    return parsed.is_search and not parsed.plan.net and parsed.plan.threads == 1


@lru_cache(1_000)
def _search_of(spec: str, game: str) -> PageSearch:
    parsed = _spec(spec)
    plan = parsed.plan
    settings = equip(registry.get(game), plan)[0]._asdict()
    del settings["secrets"]  # the engine looks for itself
    return PageSearch(plan.sims, plan.ms, parsed.miss, plan.nodes, {name: +value for name, value in settings.items()})


def can_leave_to_page(seats: Sequence[SeatRow]) -> bool:
    """Return whether a page may think at a table: one person plays alone, against a bot that thinks for long.

    For other bots it takes less time to find a move than to ask for one.
    """
    people = [seat for seat in seats if seat.kind == PERSON]
    others = [seat.bot for seat in seats if seat.kind == BOT and seat.bot is not None]
    if len(people) != 1 or len(people) + len(others) != len(seats):
        return False
    return any(not _spec(bot).is_instant and _can_search(bot) for bot in others)


# --- the pages


class ThinkingPage:
    """A live connection of the person at a table. Once it has announced an engine, it can be asked for a move."""

    def __init__(self, person: str) -> None:
        self.person = person
        self._messages: asyncio.Queue[bytes] = asyncio.Queue()
        self._request: ThinkRequest | None = None
        self._legal: list[int] = []
        self._answer: asyncio.Future[int | None] | None = None

    async def messages(self) -> AsyncGenerator[str]:
        """Yield what is to be sent to the page."""
        while True:
            yield (await self._messages.get()).decode()

    def accept(self, digest: str) -> None:
        """Tell the page that it will be asked."""
        self._messages.put_nowait(_encode({"engine": digest}))

    async def ask(self, table: Table, request: ThinkRequest, legal: list[int]) -> int | None:
        """Return the page's move; None if it leaves or cannot think any more.

        Raise TimeoutError if it takes too long, and Stale if the bot is no longer to move, or not with a page's help.
        """
        answer: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self._answer = answer
        self._request, self._legal = request, legal

        def check() -> None:
            if not answer.done():
                is_due = table.version == request.version and not table.is_outdated
                if not is_due or not table.row.page_thinks or not table.seats_of(self.person):
                    answer.set_exception(Stale())

        table.listeners.add(check)
        self._messages.put_nowait(_encode({"think": request}))
        try:
            async with asyncio.timeout(request.seconds):
                code = await answer
        except BaseException:
            self._stop(request)
            raise
        finally:
            table.listeners.discard(check)
            self._request = self._answer = None
        if code is None:
            self._stop(request)
        return code

    def _stop(self, request: ThinkRequest) -> None:
        self._messages.put_nowait(_encode({"stop_thinking": request.version}))

    def answer(self, version: int, seat: int, code: int) -> None:
        """Accept the page's move. Raise BotHasMoved if it was not asked for, or not any more, and IllegalMove.

        After an illegal move the server thinks.
        """
        request, answer = self._request, self._answer
        if request is None or answer is None or answer.done() or (request.version, request.seat) != (version, seat):
            raise BotHasMoved
        if code not in self._legal:
            answer.set_result(None)
            raise IllegalMove(say("this is not a legal move of the bot"))
        answer.set_result(code)

    def leave(self) -> None:
        """End the request that the page is thinking about, if there is one."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(None)


class PageBots:
    """The pages connected to this process that can think, by their tables."""

    def __init__(self, metrics: Metrics, engine_digest: Callable[[str], str | None]) -> None:
        self._metrics = metrics
        self._engine_digest = engine_digest
        self._pages: dict[str, list[ThinkingPage]] = {}
        self._awaited: dict[str, asyncio.Event] = {}  # tables whose page must say whether it can think

    def announce(self, table: Table, page: ThinkingPage, digest: str) -> None:
        """Note that a page can think. Raise a refusal if it may not, or if its engine is not the one served now."""
        if not table.seats_of(page.person):
            raise NotYourSeat
        if not table.row.casual:
            raise Refused(say("the bots of this table think on the server"))
        if digest != self._engine_digest(table.match.game.name):
            raise PageTooOld
        self._drop(table, page)
        self._pages.setdefault(table.id, []).append(page)
        self._stop_waiting(table)
        page.accept(digest)

    def withdraw(self, table: Table, page: ThinkingPage) -> None:
        """Note that a page cannot think any more, or has gone; the server takes over at once."""
        self._drop(table, page)
        self._stop_waiting(table)
        page.leave()

    def _stop_waiting(self, table: Table) -> None:
        if table.id in self._awaited:
            self._awaited[table.id].set()

    def _drop(self, table: Table, page: ThinkingPage) -> None:
        pages = self._pages.get(table.id, [])
        if page in pages:
            pages.remove(page)
            if not pages:
                del self._pages[table.id]

    async def wait_for_page(self, table: Table, seconds: float) -> None:
        """Return when a page of this table has said whether it can think, if it may; at the latest after this time."""
        if not table.row.page_thinks or table.id in self._pages:
            return
        self._awaited[table.id] = asyncio.Event()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._awaited[table.id].wait()
        finally:
            del self._awaited[table.id]

    async def choose(self, table: Table, view: View, spec: str) -> int | None:
        """Return the move that a page chose for a bot; None if the server must think.

        Raise Stale if the bot is no longer to move. A page that has not answered must announce itself again.
        """
        pages = self._pages.get(table.id)
        if not pages or not table.row.page_thinks:
            return None
        page = pages[-1]
        own_seats = table.seats_of(page.person)
        if not own_seats:
            return None
        request = think_request(table.match.view(own_seats[0]), view, spec, table.version)
        if request is None:
            return None
        try:
            code = await page.ask(table, request, view.legal_moves.codes)
        except TimeoutError:
            self._metrics.page_takeovers.labels("late").inc()
            self._drop(table, page)
            return None
        if code is None:
            self._metrics.page_takeovers.labels("gone").inc()
            self._drop(table, page)
        return code
