"""People and forms as the lobby and tournaments take them: who wants to sit down, and what shall be played."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.phrases import say
from malecon.match import Match
from malecon.server.accounts.visitors import Visitor
from malecon.server.lobby.waiting import FILLER, FILLS, SeatCandidate, WaitingSeat, WaitingTable
from malecon.server.names import visible_name
from malecon.server.tables.opening import NewTable
from malecon.server.web.services import Services


async def candidate_of(services: Services, visitor: Visitor, game: str) -> SeatCandidate:
    """The visitor as somebody who wants to sit down: with an account, by its name and with their ratings."""
    if visitor.account is None:
        return SeatCandidate(visitor.person, visible_name(visitor.choices.name), automatic=visitor.choices.automatic)
    ratings = await asyncio.to_thread(services.ratings.means, visitor.person, game)
    return SeatCandidate(visitor.person, visitor.account.name, True, visitor.choices.automatic, ratings)


async def public_table(services: Services, visitor: Visitor, wanted: NewTable, form: Mapping[str, str]) -> WaitingTable:
    """The waiting table of a form: seats for friends are free for everybody."""
    guest = await candidate_of(services, visitor, wanted.game)
    players = len(wanted.seats)
    seats = []
    for seat in wanted.seats:
        kind, _, bot = seat.who.partition(":")
        mine = seat_of(guest, players) if kind == "me" else WaitingSeat(bot=bot or None)
        seats.append(mine)
    if not any(seat.person for seat in seats):
        raise BadSetup(say("at a public table, one of the seats must be yours; take one"))
    options = Match(wanted.game, players, options=wanted.options).options
    return WaitingTable(
        id="",
        game=wanted.game,
        numbers=(players,),
        options=dict(options),
        owner=visitor.person,
        pace=wanted.pace,
        clock=wanted.clock,
        time_up=wanted.time_up,
        hints=wanted.hints,
        lowest=rating_given(form.get("lowest", "")),
        highest=rating_given(form.get("highest", "")),
        language=visitor.language,
        fill_at=fill_time(minutes_of(form.get("fill", "0"))),
        bot=form.get("bot", FILLER),
        seats=tuple(seats),
    )


def options_of(game: Game, form: Mapping[str, str]) -> dict[str, OptionValue]:
    """Check boxes of the form are off where they are missing; other options keep their default."""
    chosen: dict[str, OptionValue] = {}
    for key, option in game.options.items():
        value = form.get(f"option-{game.name}-{key}")
        if option.choices == (False, True):
            chosen[key] = value == "on"
        elif value is not None:
            chosen[key] = value
    return chosen


def rating_given(text: str) -> float | None:
    """The rating of a form, if there is one; BadSetup where it is none."""
    text = text.strip()
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 2:
        raise BadSetup(say("a rating is a number from 0 to 99"))
    return float(text)


def minutes_of(text: str) -> int:
    """The number of a form; one that is no choice where it is no number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 2 else -1


def fill_time(minutes: int) -> float | None:
    """When bots fill up; BadSetup where that is no choice."""
    if minutes not in FILLS:
        raise BadSetup(
            say("bots cannot take the free seats at that time; choose from: {known}", known=", ".join(map(str, FILLS)))
        )
    return time.time() + 60 * minutes if minutes else None


def seat_of(guest: SeatCandidate, players: int) -> WaitingSeat:
    rating = guest.ratings.get(players) if guest.account else None
    return WaitingSeat(guest.person, guest.name, guest.account, guest.automatic, rating=rating)
