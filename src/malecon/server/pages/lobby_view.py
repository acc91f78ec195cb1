"""The lobby and a waiting table as pages show them: rendered once for every change and language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec
from markupsafe import Markup
from msgspec import Meta, Struct

from malecon.kernel import registry
from malecon.kernel.game import Name, OptionValue
from malecon.kernel.phrases import say
from malecon.server.lobby.lobby import LobbySnapshot, PublicGame
from malecon.server.lobby.waiting import WaitingSeat, WaitingTable, rating_range
from malecon.server.names import seat_names
from malecon.server.pages import rendering
from malecon.server.pages.table_view import BOT_NAMES, bot_name
from malecon.server.tables.timing import CLOCK_NAMES
from malecon.text import LANGUAGES, language_name, translate
from malecon.text import glossary as text_glossary

#: People online who are listed by name.
MOST_NAMES = 40


@dataclass(frozen=True)
class SeatCard:
    """A seat in the lobby."""

    colour: str
    letter: str
    name: str
    free: bool
    bot: bool
    rating: str


class LobbyPages:
    """Renders the lobby, with a cache for its latest revision, by language."""

    def __init__(self) -> None:
        self._revision = -1
        self._cache: dict[tuple[str, str], str] = {}

    def html(self, snapshot: LobbySnapshot, language: str) -> Markup:
        """Return the lobby on the home page."""
        return Markup(self._cached(snapshot, "lobby", language, lambda: _lobby(snapshot, language)))

    def message(self, snapshot: LobbySnapshot, language: str) -> str:
        """Return the message that updates the lobby on open pages."""

        def make() -> str:
            message = {"html": str(self.html(snapshot, language)), "waiting": len(snapshot.waiting)}
            return msgspec.json.encode(message).decode()

        return self._cached(snapshot, "message", language, make)

    def state(self, snapshot: LobbySnapshot) -> str:
        """Return the lobby as JSON, the same for everybody."""

        def make() -> str:
            waiting = [waiting_state(table) for table in snapshot.waiting]
            state = LobbyState(snapshot.revision, waiting, snapshot.games, snapshot.here, snapshot.guests)
            return msgspec.json.encode(state).decode()

        return self._cached(snapshot, "state", "", make)

    def waiting_message(self, snapshot: LobbySnapshot, waiting: WaitingTable, language: str) -> str:
        """Return the message that updates a waiting table, with the address of the game once it has started."""

        def make() -> str:
            go = None if waiting.table is None else f"/tables/{waiting.table}"
            return msgspec.json.encode({"html": waiting_html(waiting, language), "go": go}).decode()

        return self._cached(snapshot, f"{waiting.id} {waiting.revision} {waiting.table}", language, make)

    def _cached(self, snapshot: LobbySnapshot, kind: str, language: str, make: Callable[[], str]) -> str:
        if snapshot.revision != self._revision:
            self._cache.clear()
            self._revision = snapshot.revision
        text = self._cache.get((kind, language))
        if text is None:
            text = self._cache[kind, language] = make()
        return text


class WaitingSeatState(Struct, frozen=True):
    """A seat of a table that waits: free if it has neither a bot nor a person."""

    free: bool
    name: str | None
    account: Annotated[bool, Meta(description="Without one, the name is what guests call themselves")]
    rating: float | None
    bot: str | None


class WaitingState(Struct, frozen=True):
    """A table that waits for players. `table` is where it is played once it has started."""

    id: str
    game: str
    players: Annotated[tuple[int, ...], Meta(description="Numbers of players with which it may start")]
    options: Mapping[str, OptionValue]
    clock: str
    time_up: str
    hints: bool
    lowest: Annotated[float | None, Meta(description="The range of ratings of those who may join")]
    highest: float | None
    language: str
    opened: float
    bots_at: Annotated[float | None, Meta(description="When bots take the free seats; null for never")]
    seats: list[WaitingSeatState]
    table: str | None


class LobbyState(Struct, frozen=True):
    """What waits, what is played, and who is here: by name those with an account who do not mind."""

    revision: int
    waiting: list[WaitingState]
    games: tuple[PublicGame, ...]
    here: tuple[str, ...]
    guests: int


def waiting_state(waiting: WaitingTable) -> WaitingState:
    """Return a waiting table as JSON, without the identity of people."""
    return WaitingState(
        id=waiting.id,
        game=waiting.game,
        players=waiting.numbers,
        options=waiting.options,
        clock=waiting.clock,
        time_up=waiting.time_up,
        hints=waiting.hints,
        lowest=waiting.lowest,
        highest=waiting.highest,
        language=waiting.language,
        opened=waiting.opened,
        bots_at=waiting.fill_at,
        seats=[
            WaitingSeatState(seat.is_free, seat.name, seat.account, seat.rating, seat.bot) for seat in waiting.seats
        ],
        table=waiting.table,
    )


def go(address: str) -> str:
    """Return the message that leads a page to another address."""
    return msgspec.json.encode({"go": address}).decode()


def _lobby(snapshot: LobbySnapshot, language: str) -> str:
    return rendering.fragment(
        "lobby.html",
        language,
        waiting=[(waiting, card(waiting, language)) for waiting in snapshot.waiting],
        games=[(game, registry.get(game.game).title, _players(game, language)) for game in snapshot.games],
        here=snapshot.here[:MOST_NAMES],
        more=snapshot.guests + len(snapshot.here[MOST_NAMES:]),
    )


def waiting_html(waiting: WaitingTable, language: str) -> str:
    return rendering.fragment("waiting_body.html", language, waiting=waiting, card=card(waiting, language))


@dataclass(frozen=True)
class WaitingCard:
    """A waiting table as a card in the lobby."""

    title: str
    seats: list[SeatCard]
    facts: list[str]  # number of players, clock, ratings, hints and options
    language: str


def card(waiting: WaitingTable, language: str) -> WaitingCard:
    game = registry.get(waiting.game)
    colours = [translate(name, language) for name in seat_names(game)]
    names = [_seat_name(seat, language) for seat in waiting.seats]
    letters = [_letter(seat, language) for seat in waiting.seats]
    seats = [
        SeatCard(
            colour=game.colours[number],
            letter=letters[number],
            name=names[number] or (translate(say("free"), language) if seat.is_free else colours[number]),
            free=seat.is_free,
            bot=seat.bot is not None,
            rating="" if seat.rating is None else str(round(seat.rating)),
        )
        for number, seat in enumerate(waiting.seats)
    ]
    facts: list[Name] = [say("{numbers} players", numbers=_numbers(waiting.numbers))]
    if waiting.clock != "none":
        facts.append(CLOCK_NAMES[waiting.clock])
    if waiting.lowest is not None or waiting.highest is not None:
        low, high = rating_range(waiting.lowest, waiting.highest)
        facts.append(say("ratings from {low} to {high}", low=round(low), high=round(high)))
    if waiting.hints:
        facts.append(say("hints allowed"))
    glossary = text_glossary(game).get("options", {})
    for key, value in waiting.options.items():
        if value is True and value != game.options[key].default and key in glossary:
            facts.append(glossary[key].name)
    spoken = language_name(waiting.language) if waiting.language in LANGUAGES else waiting.language
    return WaitingCard(game.title, seats, [translate(fact, language) for fact in facts], spoken)


def _letter(seat: WaitingSeat, language: str) -> str:
    name = seat.name if seat.bot is None else translate(BOT_NAMES.get(seat.bot, say("Bot")), language)
    return (name or "")[:1].upper()


def _numbers(numbers: tuple[int, ...]) -> Name:
    if len(numbers) == 1:
        return str(numbers[0])
    return say("{first} or {last}", first=", ".join(map(str, numbers[:-1])), last=str(numbers[-1]))


def _seat_name(seat: WaitingSeat, language: str) -> str:
    if seat.bot is not None:
        return translate(bot_name(seat.bot), language)
    if seat.person is None:
        return ""
    if seat.account:
        return seat.name or ""
    return translate(say("Guest") if seat.name is None else say("{name} (guest)", name=seat.name), language)


def _players(game: PublicGame, language: str) -> list[str]:
    rules = registry.get(game.game)
    colours = seat_names(rules)
    return [
        translate(bot_name(bot) if bot is not None else name or colours[number], language)
        for number, (name, bot) in enumerate(zip(game.names, game.bots, strict=True))
    ]
