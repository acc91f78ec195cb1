"""The lobby and a waiting table as pages show them: made once for every change and language, whoever looks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from markupsafe import Markup

from malecon.kernel import registry
from malecon.kernel.game import Name
from malecon.server import community_texts as company
from malecon.server import texts
from malecon.server.lobby.lobby import LobbySnapshot, PublicGame
from malecon.server.lobby.waiting import HIGHEST, LOWEST, WaitingSeat, WaitingTable
from malecon.server.pages import rendering
from malecon.server.pages.table_view import BOT_NAMES, bot_name
from malecon.text import glossary as text_glossary
from malecon.text import translate

#: Names of those who are here that are shown.
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
    """What was made for the last revision of the lobby, by language."""

    def __init__(self) -> None:
        self._revision = -1
        self._made: dict[tuple[str, str], str] = {}

    def html(self, shown: LobbySnapshot, language: str) -> Markup:
        """The lobby on the home page."""
        return Markup(self._once(shown, "lobby", language, lambda: _lobby(shown, language)))

    def message(self, shown: LobbySnapshot, language: str) -> str:
        """The same for pages that are open."""

        def make() -> str:
            told = {"html": str(self.html(shown, language)), "waiting": len(shown.waiting)}
            return msgspec.json.encode(told).decode()

        return self._once(shown, "message", language, make)

    def state(self, shown: LobbySnapshot) -> str:
        """The lobby as JSON; the same for everybody."""

        def make() -> str:
            told = {
                "revision": shown.revision,
                "waiting": [waiting_state(one) for one in shown.waiting],
                "games": shown.games,
                "here": shown.here,
                "guests": shown.guests,
            }
            return msgspec.json.encode(told).decode()

        return self._once(shown, "state", "", make)

    def waiting_message(self, shown: LobbySnapshot, waiting: WaitingTable, language: str) -> str:
        """A waiting table for those who sit there; where to go once it has started."""

        def make() -> str:
            go = None if waiting.table is None else f"/tables/{waiting.table}"
            return msgspec.json.encode({"html": waiting_html(waiting, language), "go": go}).decode()

        return self._once(shown, f"{waiting.id} {waiting.revision} {waiting.table}", language, make)

    def _once(self, shown: LobbySnapshot, kind: str, language: str, make: Callable[[], str]) -> str:
        if shown.revision != self._revision:
            self._made.clear()
            self._revision = shown.revision
        found = self._made.get((kind, language))
        if found is None:
            found = self._made[kind, language] = make()
        return found


def waiting_state(waiting: WaitingTable) -> dict[str, Any]:
    """A waiting table as JSON; who somebody is stays with us."""
    seats = [
        {"free": seat.is_free, "name": seat.name, "account": seat.account, "rating": seat.rating, "bot": seat.bot}
        for seat in waiting.seats
    ]
    same = ("id", "game", "options", "clock", "time_up", "hints", "lowest", "highest", "language", "opened", "table")
    told = {name: getattr(waiting, name) for name in same}
    return told | {"players": waiting.numbers, "bots_at": waiting.fill_at, "seats": seats}


def go(address: str) -> str:
    """The message that takes a page elsewhere."""
    return msgspec.json.encode({"go": address}).decode()


def _lobby(shown: LobbySnapshot, language: str) -> str:
    return rendering.fragment(
        "lobby.html",
        language,
        waiting=[(one, card(one, language)) for one in shown.waiting],
        games=[(one, registry.get(one.game).title, _players(one, language)) for one in shown.games],
        here=shown.here[:MOST_NAMES],
        more=shown.guests + len(shown.here[MOST_NAMES:]),
    )


def waiting_html(waiting: WaitingTable, language: str) -> str:
    return rendering.fragment("waiting_body.html", language, waiting=waiting, card=card(waiting, language))


@dataclass(frozen=True)
class Card:
    """A waiting table, in words."""

    title: str
    seats: list[SeatCard]
    told: list[str]  # clock, options and whatever else one wants to know before sitting down
    language: str


def card(waiting: WaitingTable, language: str) -> Card:
    game = registry.get(waiting.game)
    colours = [translate(name, language) for name in texts.seat_names(game)]
    names = [_seat_name(seat, language) for seat in waiting.seats]
    letters = [_letter(seat, language) for seat in waiting.seats]
    seats = [
        SeatCard(
            colour=game.colours[number],
            letter=letters[number],
            name=names[number] or (translate(company.FREE, language) if seat.is_free else colours[number]),
            free=seat.is_free,
            bot=seat.bot is not None,
            rating="" if seat.rating is None else str(round(seat.rating)),
        )
        for number, seat in enumerate(waiting.seats)
    ]
    told: list[Name] = [company.numbers_of_players(_numbers(waiting.numbers))]
    if waiting.clock != "none":
        told.append(texts.CLOCK_NAMES[waiting.clock])
    if waiting.lowest is not None or waiting.highest is not None:
        low = LOWEST if waiting.lowest is None else waiting.lowest
        told.append(company.rated_between(round(low), round(HIGHEST if waiting.highest is None else waiting.highest)))
    if waiting.hints:
        told.append(company.WITH_HINTS)
    glossary = text_glossary(game).get("options", {})
    for key, value in waiting.options.items():
        if value is True and value != game.options[key].default and key in glossary:
            told.append(glossary[key].name)
    spoken = texts.LANGUAGE_NAMES.get(waiting.language, waiting.language)
    return Card(game.title, seats, [translate(one, language) for one in told], spoken)


def _letter(seat: WaitingSeat, language: str) -> str:
    name = seat.name if seat.bot is None else translate(BOT_NAMES.get(seat.bot, texts.BOT), language)
    return (name or "")[:1].upper()


def _numbers(numbers: tuple[int, ...]) -> Name:
    if len(numbers) == 1:
        return str(numbers[0])
    return company.or_numbers(", ".join(map(str, numbers[:-1])), str(numbers[-1]))


def _seat_name(seat: WaitingSeat, language: str) -> str:
    if seat.bot is not None:
        return translate(bot_name(seat.bot), language)
    if seat.person is None:
        return ""
    if seat.account:
        return seat.name or ""
    return translate(company.GUEST if seat.name is None else company.guest_named(seat.name), language)


def _players(game: PublicGame, language: str) -> list[str]:
    known = registry.get(game.game)
    colours = texts.seat_names(known)
    return [
        translate(bot_name(bot) if bot is not None else name or colours[number], language)
        for number, (name, bot) in enumerate(zip(game.names, game.bots, strict=True))
    ]
