"""Pictures of the lobby, a chat, a profile and a leader board for the docs; `make_images` takes them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from sqlalchemy import select

from malecon.match import Match
from malecon.server.accounts.profiles import first_moves
from malecon.server.accounts.ratings import Ratings
from malecon.server.storage.database import address_of
from malecon.server.storage.rows import BOT, PERSON, SeatRow
from malecon.server.storage.schema import ACCOUNTS
from malecon.server.storage.store import Storage
from malecon.server.tables.opening import NewTable, new_table
from malecon.server.tables.seats import NewSeat

Take = Callable[[Any, str], None]
PEOPLE = {"Amaranta": "es", "Benedikt": "de", "Chiara": "it", "Dolores": "en"}
BOTS = ("aprendiz", "comerciante", "capitan")


def community(open_page: Callable[[str], Page], take: Take, data: Path) -> None:
    """Four people who know each other meet. `open_page` opens a page in a language, `take` takes a picture."""
    pages = {name: open_page(language) for name, language in PEOPLE.items()}
    for name, page in pages.items():
        form = {"name": name, "password": f"{name} keeps a secret"}
        assert page.request.post("/account/register", form=form).ok
    _past_games(data)
    ana, ben, chiara, dolores = pages.values()
    _open(ana, "santiago", "me", "open", "bot:capitan")
    _open(ben, "cuba", "me", "open", "open", "open", clock="day")
    place = _open(chiara, "santiago", "me", "open")
    assert dolores.request.post(f"{place}/join").ok  # that one can be watched
    for page in pages.values():
        page.goto("/")
        page.wait_for_selector("#lobby[data-ready]")
    _open(open_page("it"), "santiago", "me", "open", "open", name="Rosa")
    dolores.wait_for_selector("#lobby .waiting:nth-of-type(3)")
    dolores.wait_for_selector("#lobby .here >> text=Chiara")
    take(dolores.locator("section:has(> #lobby), .lobby-card").first, "lobby")
    _talk(ben, chiara, ana)
    take(ben, "conversation")
    ana.goto("/people/Dolores")
    take(ana, "person")
    chiara.goto("/leaders?game=cuba&players=3")
    take(chiara, "leaders")


def _open(page: Page, game: str, *seats: str, **more: str) -> str:
    """Open a public table; where one waits."""
    form = {"game": game, "join": "public", **more} | {f"seat-{number}": who for number, who in enumerate(seats)}
    language = str(page.evaluate("navigator.language"))
    return page.request.post("/tables", form=form, headers={"accept-language": language}).url


def _talk(ben: Page, chiara: Page, ana: Page) -> None:
    """Two of them play, one looks on."""
    place = _open(ben, "cuba", "me", "open")
    table = chiara.request.post(f"{place}/join").url
    for page in (chiara, ana, ben):
        page.goto(table)
        page.wait_for_selector("#talk[data-ready]", state="attached")
    ben.locator("#talk > summary").click()
    for page, said in (
        (chiara, {"phrase": "hello"}),
        (ben, {"phrase": "luck"}),
        (chiara, {"text": "Prima partita a Cuba, sii gentile!"}),
        (ben, {"text": "Ich baue nur ein paar Häuser …"}),
        (chiara, {"phrase": "thinking"}),
    ):
        assert page.request.post(f"{table}/talk", form=said).ok
        ben.wait_for_timeout(200)
    ben.wait_for_selector("#talk-lines li:nth-of-type(5)")
    ben.wait_for_timeout(7_000)  # the notices have gone


def _past_games(data: Path) -> None:
    """Sixty games of these people and some bots, as if they had been played; the strong win more often."""
    storage, dice = Storage(address_of(data)), random.Random(12)
    with storage.engine.connect() as connection:
        people = {row.name: row.person for row in connection.execute(select(ACCOUNTS.c.name, ACCOUNTS.c.person))}
    strength = {"Dolores": 3.0, "Chiara": 2.2, "Amaranta": 2.0, "Benedikt": 1.2} | {"capitan": 2.6}
    matches = {(game, number): _played(game, number) for game in ("santiago", "cuba") for number in range(4)}
    for _ in range(60):
        match = matches[dice.choice(("santiago", "cuba")), dice.randrange(4)]
        names = dice.sample([*people, *dice.sample(BOTS, 2)], match.players)
        if not set(names) & set(people):
            continue
        luck = {name: strength.get(name, 1.5) + dice.gauss(0, 1.2) for name in names}
        assert match.outcome is not None
        best = sorted(range(match.players), key=lambda seat: match.outcome.places[seat] if match.outcome else 0)
        seats = [SeatRow(BOT)] * match.players
        for seat, name in zip(best, sorted(names, key=lambda name: -luck[name]), strict=True):
            seats[seat] = SeatRow(PERSON, people[name], name=name) if name in people else SeatRow(BOT, bot=name)
        new = NewTable(match.game.name, tuple(NewSeat("me") for _ in seats), public=True)
        row, entries = new_table(new, "", begun=match)
        assert row.dice is not None
        row = replace(row, seats=tuple(seats), dice=replace(row.dice, first=0))
        storage.create(row, entries)
        Ratings(storage).settle(row, match.outcome, openings=first_moves(match))
    storage.close()


def _played(game: str, seed: int) -> Match:
    match, dice = Match(game, 3, seed=seed), random.Random(seed)
    while match.turn is not None:
        match.push(str(dice.choice(match.legal_moves)))
    return match
