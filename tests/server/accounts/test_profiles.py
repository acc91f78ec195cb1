"""Pages of people and bots, leader boards, friends and blocked; what is public is each person's own choice."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert
from starlette.testclient import TestClient

from malecon.kernel.errors import BadSetup
from malecon.match import Match
from malecon.server.accounts.accounts import Account, Accounts
from malecon.server.accounts.profiles import MIN_RATED_GAMES, Profiles
from malecon.server.names import account_name
from malecon.server.pages import rendering
from malecon.server.storage import schema
from malecon.server.storage.rows import BOT, PERSON, SeatRow
from malecon.server.storage.store import Storage
from malecon.server.web.routes import people
from tests.server.people import Browser, registered
from tests.server.stored_games import store_finished_game


@pytest.fixture
def finished() -> Match:
    match = Match("santiago", 2, seed=11)
    while match.turn is not None:
        match.push(str(match.legal_moves[0]))
    return match


def test_curves_opponents_openings_and_leaders(database: str, finished: Match) -> None:
    import asyncio

    storage = Storage(database)
    accounts = Accounts(storage)
    ana, _ = asyncio.run(accounts.register("guest-a", "Ana", "a good secret 1"))
    bea, _ = asyncio.run(accounts.register("guest-b", "Bea", "a good secret 2"))
    for _ in range(MIN_RATED_GAMES):
        store_finished_game(
            storage, finished, SeatRow(PERSON, ana.person, name="Ana"), SeatRow(PERSON, bea.person, name="Bea")
        )
    store_finished_game(storage, finished, SeatRow(PERSON, ana.person, name="Ana"), SeatRow(BOT, bot="turista"))
    profiles = Profiles(storage)
    places = finished.outcome.places if finished.outcome else ()
    curve = profiles.curves(ana.person)["santiago", 2]
    assert len(curve) == MIN_RATED_GAMES + 1
    assert (curve[-2] > curve[0]) == (places[0] < places[1])
    opponents = {row.who: row for row in profiles.opponents(ana.person)}
    assert opponents[bea.person].games == MIN_RATED_GAMES
    assert opponents[bea.person].ahead + opponents[bea.person].behind == MIN_RATED_GAMES
    bot = opponents["bot:turista"]
    assert (bot.games, bot.ahead, bot.behind) == (1, int(places[0] < places[1]), int(places[0] > places[1]))
    (opening,) = profiles.openings(ana.person)
    assert opening.times == MIN_RATED_GAMES + 1
    assert opening.wins == (MIN_RATED_GAMES + 1 if places[0] == 1 else 0)
    leaders = profiles.leaders("santiago", 2)
    assert {row.name for row in leaders} == {"Ana", "Bea"}  # the bot has not played enough
    assert [row.place for row in leaders] == [1, 2]
    assert leaders[0].score >= leaders[1].score
    storage.set_choices(bea.person, {"board": False})
    assert [row.name for row in profiles.leaders("santiago", 2)] == ["Ana"]
    assert profiles.leaders("cuba", 2) == []
    # a deleted account leaves nothing here
    asyncio.run(accounts.delete(ana, "a good secret 1"))
    assert profiles.leaders("santiago", 2) == []
    assert profiles.curves(ana.person) == {}
    storage.close()


def test_all_games_count(database: str) -> None:
    """Also if there are many of them."""
    storage = Storage(database)
    people = ("ana", "bea", "bot:turista")
    rows = [
        {"table": f"t{n}", "seat": seat, "who": who, "game": "cuba", "players": 3, "place": 1 + (seat + n) % 3}
        | {"points": 9, "finished": float(n), "rated": True, "opening": f"first/{n % 2}"}
        for n in range(600)
        for seat, who in enumerate(people)
    ]
    account = {
        "person": "bea",
        "name": "Bea",
        "key": "bea",
        "skeleton": "bea",
        "password": "",
        "epoch": 1,
        "created": 0.0,
    }

    def work(connection: Connection) -> None:
        connection.execute(insert(schema.RESULTS), rows)
        connection.execute(insert(schema.ACCOUNTS), account)

    storage.write(work)
    profiles = Profiles(storage)
    bea, bot = sorted(profiles.opponents("ana"), key=lambda row: row.who)
    assert (bea.who, bea.games, bea.ahead, bea.behind) == ("bea", 600, 400, 200)
    assert (bot.who, bot.games) == ("bot:turista", 600)
    assert (bot.ahead, bot.behind) == (200, 400)
    assert [(row.times, row.wins, row.table) for row in profiles.openings("ana")] == [
        (300, 100, "t598"),
        (300, 100, "t599"),
    ]
    storage.close()


def test_the_axes_of_a_curve_have_a_few_round_numbers_around_it() -> None:
    assert people.ticks_for(23.4, 31.2) == [20, 25, 30, 35]
    assert people.ticks_for(25, 25) == [25, 25.5]
    assert people.ticks_for(-3, 40) == [-20, 0, 20, 40]
    for low, high in ((0.0, 1.0), (24.9, 25.1), (1480.0, 1533.0), (-7.5, -7.4)):
        ticks = people.ticks_for(low, high)
        assert ticks[0] <= low
        assert high <= ticks[-1]
        assert 2 <= len(ticks) <= people.MOST_STEPS + 2
    drawn = people.rating_curve([24.0, 26.5, 25.0], "Games & more", lambda value: f"{value:.1f}")
    for label in ("24.0", "26.0", ">1<", ">3<", "Games &amp; more"):
        assert label in drawn


def test_a_page_in_every_language_and_hidden_at_will(client: TestClient) -> None:
    ana = registered(Browser(client), "Ana Ávila")
    for language in ("en", "de", "es", "it"):
        assert "Ana Ávila" in Browser(client, language=language).page("/people/Ana%20%C3%81vila")
    assert "Ana Ávila" in ana.page("/people/ana%20%C3%A1vila")  # names are compared as always
    stranger = Browser(client)
    assert stranger.get("/people/nobody").status_code == 404
    ana.post("/settings", name="Ana", here="on", talk="on", board="on", games="on")
    assert stranger.get("/people/Ana%20%C3%81vila").status_code == 403
    assert "Ana Ávila" in ana.page("/people/Ana%20%C3%81vila")


def test_bots_and_boards_have_pages(client: TestClient) -> None:
    somebody = Browser(client)
    assert "Turista" in somebody.page("/bots/turista")
    assert somebody.get("/bots/nobody").status_code == 404
    for path in ("/leaders", "/leaders?game=cuba&players=5", "/leaders?game=santiago&players=77"):
        assert "Leader board" in somebody.page(path)
    assert somebody.get("/leaders?game=go").status_code == 404


def test_friends_and_blocked(client: TestClient) -> None:
    ana, bea = registered(Browser(client), "Ana"), registered(Browser(client), "Bea")
    assert ana.post("/people/Bea/relation", kind="friend").status_code == 303
    assert re.search(r'<section class="card">\s*<h2>Friends</h2>.*Bea', ana.page("/people/Ana"), re.DOTALL)
    assert "<h2>Friends</h2>" not in bea.page("/people/Ana")  # nobody's business
    place = bea.open("me", "open")
    assert ana.post("/people/Bea/relation", kind="blocked").status_code == 303
    assert ana.post(f"{place}/join").status_code == 403
    form: dict[str, Any] = {"game": "santiago", "players": ["2"], "clock": "none", "fill": "0"}
    assert ana.post("/find", **form).headers["location"].startswith("/waiting/")  # not to Bea
    assert ana.post("/people/Bea/relation", kind="").status_code == 303
    assert ana.post(f"{place}/join").status_code == 303
    assert ana.post("/people/Ana/relation", kind="friend").status_code == 400
    assert ana.post("/people/Bea/relation", kind="enemy").status_code == 400
    assert ana.post("/people/Zoe/relation", kind="friend").status_code == 404


def test_guests_who_register_keep_their_seat_in_the_lobby(client: TestClient) -> None:
    ana, bea = Browser(client), Browser(client)
    place = ana.open("me", "open")
    registered(ana, "Ana")
    assert "/leave" in ana.page(place)
    table = bea.post(f"{place}/join").headers["location"]
    assert ana.get(f"/api{table}").json()["seat"] == 0


def test_opponents_who_hide_their_page_are_not_named(database: str) -> None:
    storage = Storage(database)
    accounts, profiles = Accounts(storage), Profiles(storage)

    async def play() -> tuple[Account, Account]:
        ana, _ = await accounts.register("guest 1", "Ana", "a good secret 1")
        bea, _ = await accounts.register("guest 2", "Bea", "a good secret 1")
        return ana, bea

    ana, bea = asyncio.run(play())
    rows = [
        {"table": "t", "seat": seat, "who": who, "game": "santiago", "players": 2, "place": 1 + seat}
        | {"points": 1, "finished": 1.0, "rated": False}
        for seat, who in enumerate((ana.person, bea.person))
    ]
    storage.write(lambda connection: connection.execute(insert(schema.RESULTS), rows))
    assert [row.name for row in profiles.opponents(ana.person)] == ["Bea"]
    storage.set_choices(bea.person, {"page": False})
    assert profiles.opponents(ana.person) == []
    assert [row.name for row in profiles.opponents(bea.person)] == ["Ana"]
    storage.close()


def test_a_link_to_a_page_leads_nowhere_else() -> None:
    for template in ("lobby.html", "tournament_body.html", "lobby_card.html", "account.html", "person.html"):
        source = (Path(rendering.__file__).parent / "templates" / template).read_text()
        links = re.findall(r"/people/\{\{([^}]*)\}\}", source)
        assert links, template
        assert all(link.strip().endswith("|segment") for link in links), template
    link = rendering.templates("en").from_string('<a href="/people/{{ name|segment }}">').render(name="../host?a#b c")
    assert link == '<a href="/people/..%2Fhost%3Fa%23b%20c">'
    for name in ("../host", "a\\b"):
        with pytest.raises(BadSetup):
            account_name(name)
