"""The pages of tournaments: announced, entered, played and ended by people with accounts; guests are told."""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.testclient import TestClient

from malecon.server.operations.memory import TOURNAMENTS
from malecon.server.operations.settings import ServerSettings
from malecon.server.tournaments import model, views
from malecon.server.web.app import create_app
from malecon.server.web.routes import tournaments
from tests.server.people import HERE, Browser, moderating, registered, until
from tests.server.tournaments.club import store_large

FORM = {"game": "santiago", "format": "swiss", "players": "2", "rounds": "2", "fewest": "2", "most": "8",
        "starts": "0", "clock": "day", "time_up": "bot", "join": "public", "name": "Copa <b>del</b> Mar"}  # fmt: skip


def announce(browser: Browser, **more: str) -> str:
    answer = browser.post("/tournaments", **FORM | more)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


@pytest.fixture
def people(client: TestClient) -> list[Browser]:
    return [registered(Browser(client), name) for name in ("Ana", "Bea", "Carla", "Dora")]


def test_a_tournament_from_the_pages(client: TestClient, people: list[Browser]) -> None:
    ana, bea, _, dora = people
    guest = Browser(client)
    page = announce(ana)
    assert guest.get("/tournaments").text.count("Copa &lt;b&gt;del&lt;/b&gt; Mar") == 1
    assert "You need an account" in guest.get(page).text
    assert guest.post(f"{page}/enter").status_code == 403
    for browser in people:
        assert browser.post(f"{page}/enter").status_code == 303
    dora.post(f"{page}/leave")
    assert "3 of 8 places taken" in bea.get(page).text
    assert bea.post(f"{page}/start").status_code == 403
    assert ana.post(f"{page}/start").status_code == 303
    assert dora.post(f"{page}/enter").status_code == 400
    shown = ana.get(page).text
    assert "Standings" in shown
    assert "Round 1 of 2" in shown
    assert "Bye" in shown  # one of three
    tables = set(re.findall(r"/tables/[\w-]+", shown))
    assert len(tables) == 1
    assert "behind by lot" in shown
    for browser in people[:3]:
        mine = re.search(r'id="my-table" href="(/tables/[\w-]+)"', browser.get(page).text)
        assert (mine is None) == ("You have a bye" in browser.get(page).text)
    for language in ("de", "es", "it"):
        bea.headers["accept-language"] = language
        assert bea.get(page).status_code == bea.get("/tournaments").status_code == 200
    assert bea.post(f"{page}/end").status_code == 403
    assert ana.post(f"{page}/end").status_code == 303
    assert "ended early" in guest.get(page).text
    assert "Copa" in guest.get("/tournaments").text
    assert '<a href="/tournaments">' in guest.get("/").text


def test_it_is_seen_live(client: TestClient, people: list[Browser]) -> None:
    ana, bea, *_ = people
    page = announce(ana)
    with bea.connect(f"{page}/live") as socket:
        assert "Nobody has entered yet" in socket.receive_json()["html"]
        ana.post(f"{page}/enter")
        assert "Ana" in socket.receive_json()["html"]
        bea.post(f"{page}/enter")
        assert "You have entered" in socket.receive_json()["html"]
        ana.post(f"{page}/start")
        assert socket.receive_json() == {"go": page}


def counted(monkeypatch: pytest.MonkeyPatch, where: Any, name: str) -> list[Any]:
    """The calls of a function from now on, by their last argument."""
    calls: list[Any] = []
    original = getattr(where, name)
    monkeypatch.setattr(where, name, lambda *args: (calls.append(args[-1]), original(*args))[1])
    return calls


def test_a_tournament_is_rendered_once_for_all_who_look(
    client: TestClient, people: list[Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = people[0]
    page = announce(ana, rounds="3")
    for browser in people:
        browser.post(f"{page}/enter")
    ana.post(f"{page}/start")
    services = client.app.state.services  # type: ignore[attr-defined]
    rendered = counted(monkeypatch, tournaments, "_shared_body")
    read = counted(monkeypatch, services.tournaments.store, "find")
    stood = counted(monkeypatch, model, "standings")
    guest = Browser(client)
    pages = [browser.get(page).text for browser in (*people, guest, guest)]
    assert rendered == ["en"]
    assert len(read) <= 1
    assert len(stood) <= 1
    for own in pages[:4]:
        assert len(re.findall(r'class="[^"]*\bme"', own)) == 2  # in the standings, and at a table
        assert 'id="my-table"' in own
    assert not re.search(r'class="[^"]*\bme"', pages[4])
    assert 'id="my-table"' not in pages[4]
    people[1].headers["accept-language"] = "de"
    people[1].get(page)
    assert rendered == ["en", "de"]


def test_a_change_of_a_tournament_is_rendered_once_for_all_live_pages(
    client: TestClient, people: list[Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bea, carla, dora = people
    bea.headers["accept-language"] = "de"
    page = announce(ana)
    for browser in (ana, bea, carla):
        browser.post(f"{page}/enter")
    services = client.app.state.services  # type: ignore[attr-defined]
    rendered = counted(monkeypatch, tournaments, "_shared_body")
    read = counted(monkeypatch, services.tournaments.store, "names_of")
    with ExitStack() as stack:
        watching = [stack.enter_context(browser.connect(f"{page}/live")) for browser in (*people, Browser(client))]
        for socket in watching:
            assert "html" in socket.receive_json()
        rendered.clear()
        read.clear()
        dora.post(f"{page}/enter")
        seen = [socket.receive_json()["html"] for socket in watching]
    assert sorted(rendered) == ["de", "en"]
    assert len(read) == 1
    assert all("Dora" in html for html in seen)
    assert ["entrant me" in html for html in seen] == [True] * 4 + [False]


def test_the_page_of_a_large_tournament_is_one_pass_over_its_tables(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = client.app.state.services  # type: ignore[attr-defined]
    name = store_large(services.storage)
    stood = counted(monkeypatch, model, "standings")
    links = counted(monkeypatch, views, "RoundTableView")
    guest = Browser(client)
    sizes = [len(guest.get(f"/tournaments/{name}").text) for _ in range(3)]
    assert sizes[0] > 100_000
    assert len(stood) == 1
    assert len(links) == 15 * 64
    assert services.memory.used[TOURNAMENTS] > sizes[0]


def test_by_link_and_by_rating(client: TestClient, people: list[Browser]) -> None:
    ana, bea, *_ = people
    page = announce(ana, join="link", lowest="26")
    assert "Copa" not in bea.get("/tournaments").text
    assert "Copa" in ana.get("/tournaments").text
    assert "ratings from 26 to 99" in bea.get(page).text
    assert bea.post(f"{page}/enter").status_code == 403  # who was never rated has 25
    assert bea.get("/tournaments/nowhere").status_code == 404
    for more in ({"rounds": "x"}, {"players": "9"}, {"starts": "5"}, {"format": "cup"}, {"lowest": "-1"}):
        assert bea.post("/tournaments", **FORM | more).status_code == 400
    assert bea.get("/tournaments/new/cuba").status_code == bea.get("/tournaments/series/cuba").status_code == 200


def test_a_series_is_played_to_its_end(client: TestClient, people: list[Browser]) -> None:
    """A real game against a bot that moves at random, by real moves."""
    ana = people[0]
    ana.post("/settings", pace="instant", automatic="on")
    page = announce(ana, format="series", rounds="1", bot="random", name="")
    (table,) = re.findall(r'id="my-table" href="/tables/([\w-]+)"', ana.get(page).text)
    state: dict[str, Any] = ana.get(f"/api/tables/{table}").json()
    while state["turn"] is not None:
        if state["legal"]:  # without a version: a forced move may be made for her meanwhile
            move = {"move": state["legal"][0]["move"]}
            ana.client.post(f"/api/tables/{table}/moves", json=move, headers=ana.headers)
        state = ana.get(f"/api/tables/{table}").json()
    over = until(lambda: {"html": ana.get(page).text}, lambda now: "End the series" not in now["html"])["html"]
    assert f"Score {state['result']['places'].index(1) ^ 1} from 1 game" in over  # she sat on the first seat
    assert "seat 1" in over
    assert "Santiago de Cuba" in ana.get("/tournaments").text
    assert page not in people[1].get("/tournaments").text  # a series is not listed for others


def test_the_host_may_end_a_tournament(tmp_path: Any) -> None:
    app = create_app(tmp_path, ServerSettings())
    with TestClient(app, raise_server_exceptions=False, client=HERE) as client:
        ana, dora = registered(Browser(client), "Ana"), moderating(Browser(client), "Dora")
        page = announce(ana)
        assert "Call it off" in dora.get(page).text
        assert dora.post(f"{page}/end").status_code == 303
        assert "Copa" not in dora.get("/tournaments").text
        assert "called off" in ana.get(page).text
        kept = ana.get("/account/export").json()
        assert kept["tournaments"] == []
