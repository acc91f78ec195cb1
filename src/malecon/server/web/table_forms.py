"""Forms that open tables and tournaments, read into the values that the lobby and tournaments take."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.questions import options_over_days
from malecon.match import Match
from malecon.server.accounts.visitors import Visitor
from malecon.server.lobby.waiting import FILL_MINUTES, SeatCandidate, WaitingSeat, WaitingTable
from malecon.server.names import visible_name
from malecon.server.tables import timing
from malecon.server.tables.opening import NewTable
from malecon.server.web.services import Services


async def candidate_of(services: Services, visitor: Visitor, game: str) -> SeatCandidate:
    """Return a visitor as a candidate for a seat: with an account, by its name and with their ratings."""
    if visitor.account is None:
        name = visible_name(visitor.choices.name)
        await asyncio.to_thread(services.moderation.check_words, name or "")
        return SeatCandidate(visitor.person, name, automatic=visitor.choices.automatic)
    ratings = await asyncio.to_thread(services.ratings.means, visitor.person, game)
    return SeatCandidate(visitor.person, visitor.account.name, True, visitor.choices.automatic, ratings)


async def public_table(
    services: Services,
    visitor: Visitor,
    settings: NewTable,
    *,
    lowest: float | None,
    highest: float | None,
    fill: int,
    bot: str,
) -> WaitingTable:
    """Return a table that waits for players with such ratings: its seats for friends are free for everybody.

    After `fill` minutes, bots of that kind take free seats; 0 is never.
    """
    candidate = await candidate_of(services, visitor, settings.game)
    players = len(settings.seats)
    seats = []
    for seat in settings.seats:
        kind, _, level = seat.who.partition(":")
        seats.append(seat_of(candidate, players) if kind == "me" else WaitingSeat(bot=level or None))
    if not any(seat.person for seat in seats):
        raise BadSetup(say("at a public table, one of the seats must be yours; take one"))
    timing.check_clock(settings.clock, settings.time_up)
    chosen = timing.options_for(registry.get(settings.game), settings.clock, settings.options)
    options = Match(settings.game, players, options=chosen).options
    return WaitingTable(
        id="",
        game=settings.game,
        numbers=(players,),
        owner=visitor.person,
        **settings.table_options() | {"options": dict(options), "guide": False},
        lowest=lowest,
        highest=highest,
        language=visitor.language,
        fill_at=fill_time(fill),
        bot=bot,
        seats=tuple(seats),
    )


def options_of(game: Game, form: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return the options of a form: check boxes are off if they are missing, others keep their default.

    An option whose default depends on the clock is left out if nothing was chosen.
    """
    chosen: dict[str, OptionValue] = {}
    for key, option in game.options.items():
        value = form.get(f"option-{game.name}-{key}")
        if key in options_over_days(game) and not value:
            continue
        if option.choices == (False, True):
            chosen[key] = value == "on"
        elif value is not None:
            chosen[key] = value
    return chosen


def rating_of(text: str) -> float | None:
    """Return the rating in a field of a form, None if it is empty; raise BadSetup if it is not a rating."""
    text = text.strip()
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 2:
        raise BadSetup(say("a rating is a number from 0 to 99"))
    return float(text)


def minutes_of(text: str) -> int:
    """Return the number of minutes in a field; -1, which is never a choice, if it is not a number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 2 else -1


def fill_time(minutes: int) -> float | None:
    """Return the time at which bots take free seats, None for never; raise BadSetup if the number is not a choice."""
    if minutes not in FILL_MINUTES:
        raise BadSetup(
            say(
                "bots cannot take the free seats at that time; choose from: {known}",
                known=", ".join(map(str, FILL_MINUTES)),
            )
        )
    return time.time() + 60 * minutes if minutes else None


def seat_of(candidate: SeatCandidate, players: int) -> WaitingSeat:
    rating = candidate.ratings.get(players) if candidate.account else None
    return WaitingSeat(candidate.person, candidate.name, candidate.account, candidate.automatic, rating=rating)
