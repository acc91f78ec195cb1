"""The host's pages: how the server does, people, texts, announcements, maintenance, and what moderators did."""

from __future__ import annotations

import re
import time

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from malecon import __version__
from malecon.server.storage.schema import SANCTIONS
from malecon.text import LANGUAGES
from tests.clock import Clock
from tests.server.people import Browser, Player, log_in, moderating, registered, services_of, until

PAGES = ("/host", "/host/people", "/host/site", "/host/log")


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_moderators_see_the_pages(client: TestClient, language: str) -> None:
    mona, ana = moderating(Browser(client, language=language), "Mona"), registered(Browser(client), "Ana")
    for page in PAGES:
        assert f'<html lang="{language}"' in mona.page(page)
        for stranger in (ana, Browser(client)):
            assert stranger.get(page).status_code == 403
    for action in ("announcement", "site", "rules", "forgive", "person", "people/Ana"):
        assert ana.post(f"/host/{action}", name="Ana", what="moderator").status_code == 403


def test_the_overview(client: TestClient) -> None:
    mona = moderating(Browser(client), "Mona")
    mona.open("me", "me", join="link")
    page = mona.page("/host")
    figures = dict(re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", page))
    assert figures["Health"] == "good"
    assert figures["Version"].startswith(__version__)
    assert figures["Unfinished tables"] == "1"
    assert "MB" in figures["Database"]
    assert figures["Last backup"] == "none scheduled"


def test_people_are_found_and_helped(client: TestClient) -> None:
    mona = moderating(Browser(client), "Mona")
    for name in ("Ana", "Anabel", "Bea", "100% Cuba"):
        registered(Browser(client), name)

    def listed(query: str) -> list[str]:
        return re.findall(r'<a href="/people/[^"]+"><bdi>(.*?)</bdi>', mona.page(f"/host/people?q={query}"))

    assert set(listed("")) == {"Mona", "Ana", "Anabel", "Bea", "100% Cuba"}
    assert set(listed("AN")) == {"Ana", "Anabel"}
    assert listed("%25") == ["100% Cuba"]
    assert listed("nobody") == []
    answer = mona.post("/host/people/Ana", what="reset")
    code = re.search(r"<strong>([A-Z0-9-]{23})</strong>", answer.text)
    assert code
    assert Browser(client).post("/account/recover", name="Ana", code=code[1], new="sugar and rum").status_code == 303
    assert log_in(Player(client), "Ana", "sugar and rum") == 201
    assert mona.post("/host/people/Bea", what="moderator").status_code == 303
    assert mona.post("/host/people/Bea", what="nonsense").status_code == 400
    assert mona.post("/host/people/Anabel", what="banned").status_code == 303
    assert "may not talk or play" in mona.page("/host/people")
    log = mona.page("/host/log")
    assert re.findall(r"<td>(made .*?|banned .*?)</td>", log) == [
        "banned somebody",
        "made somebody a moderator",
        "made a code for a new password",
    ]


def test_nothing_of_a_deleted_person_is_left_in_the_log(client: TestClient) -> None:
    mona = moderating(Browser(client), "Mona")
    registered(Browser(client), "Bob Rowdy")
    assert mona.post("/host/people/Bob Rowdy", what="banned").status_code == 303
    assert "Bob Rowdy" in mona.page("/host/log")
    assert mona.post("/host/person", name="Bob Rowdy", what="delete").status_code == 303
    for page in PAGES:
        assert "Bob Rowdy" not in mona.page(page), page
    assert services_of(client).storage.scalars(select(SANCTIONS.c.name)) == [None]
    assert "deleted everything about somebody" in mona.page("/host/log")


def test_texts_of_the_site(client: TestClient) -> None:
    mona, guest = moderating(Browser(client), "Mona"), Browser(client)
    assert guest.get("/site/imprint").status_code == 404
    texts = {
        "name": "Chess <Club>",
        "imprint": "Ana Ávila\nCalle 1\n\n<script>alert(1)</script>",
        "privacy": "",
        "conduct": "",
    }
    assert mona.post("/host/site", **texts).status_code == 303
    home = guest.page("/")
    assert "Chess &lt;Club&gt;" in home
    assert 'href="/site/imprint"' in home
    assert 'href="/site/privacy"' not in home
    page = guest.page("/site/imprint")
    assert "Ana Ávila<br>" in page
    assert "<script>alert" not in page
    assert client.get("/manifest.webmanifest").json()["name"] == "Chess <Club>"
    assert mona.post("/host/announcement", announcement="Tournament on Friday!").status_code == 303
    assert "Tournament on Friday!" in guest.page("/")
    assert mona.post("/host/announcement", announcement="").status_code == 303
    assert "announcement" not in guest.page("/")
    assert mona.post("/host/site", **texts | {"name": "x" * 41}).status_code == 400


def test_maintenance(client: TestClient, clock: Clock) -> None:
    mona, ana, bea = moderating(Browser(client), "Mona"), Player(client), Player(client)
    seats = [{"who": "me"}, {"who": "open"}]
    body = {"game": "santiago", "seats": seats, "pace": "instant", "clock": "ten-minutes"}
    opened = ana.post("/api/tables", body).json()
    table = opened["id"]
    assert bea.post("/api/join", {"token": opened["seats"][1]["invitation"]}).status_code == 200
    player = ana if ana.state(table)["legal"] else bea
    state = player.state(table)
    assert state["deadline"] == pytest.approx(clock.now + 600, abs=5)
    assert mona.post("/host/announcement", announcement="", maintenance="on").status_code == 303
    refused = player.move(table, state["legal"][0]["move"])
    assert refused.status_code == 503
    assert "maintenance" in refused.json()["error"]
    page = client.get("/")
    assert (page.status_code, page.headers["retry-after"]) == (503, "300")
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"/api/tables/{table}/events"):
        pass
    assert client.get("/healthz").status_code == client.get("/account").status_code == 200
    assert mona.get("/").status_code == mona.get("/host").status_code == 200
    closed = time.monotonic()
    until(
        lambda: {"seconds": time.monotonic() - closed}, lambda state: state["seconds"] > 1.2
    )  # a tick may be under way
    clock.advance(3600)
    assert mona.post("/host/announcement", announcement="").status_code == 303
    later = until(lambda: player.state(table), lambda state: state["deadline"] > clock.now)
    assert later["legal"]  # nobody has lost the turn
    assert player.move(table, later["legal"][0]["move"]).status_code == 200
