"""The pages: they are there, small, in every language, safe to show, and remember what somebody chose."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from malecon.match import Match
from malecon.server.pages import html_diff
from malecon.text import LANGUAGES
from tests.server.people import ORIGIN, Player, until


def open_table(client: TestClient, **form: str) -> str:
    client.get("/")
    fields = {"game": "santiago", "seat-0": "me", "seat-1": "bot:greedy", "pace": "instant"} | form
    answer = client.post("/tables", data=fields, headers=ORIGIN, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_in_every_language(client: TestClient, language: str) -> None:
    client.headers["accept-language"] = language
    table = open_table(client)
    for path in (
        "/",
        "/settings",
        "/rules/santiago",
        "/rules/cuba",
        table,
        f"{table}/replay",
        f"{table}/replay/3",
        "/nowhere",
    ):
        page = client.get(path)
        assert page.status_code == (404 if path == "/nowhere" else 200)
        assert f'<html lang="{language}"' in page.text
        assert len(page.content) < 200_000
        assert "style=" not in page.text  # the policy forbids it
        assert not re.search(r"<script(?! type=\"(module\" src=|application/json\"))", page.text)
        assert "default-src 'none'" in page.headers["content-security-policy"]


def test_nobody_needs_an_account(client: TestClient) -> None:
    first = client.get("/")
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert "set-cookie" not in client.get("/").headers
    table = open_table(client, name="Ana")
    assert "Ana" in client.get(table).text
    assert table in client.get("/").text


def test_play_now_and_first_game_start_at_once(client: TestClient) -> None:
    for quick in ("now", "first"):
        client.get("/")
        answer = client.post("/tables", data={"game": "santiago", "quick": quick}, headers=ORIGIN)
        assert answer.status_code == 200
        assert 'class="m-board' in answer.text
        assert ('class="guide"' in answer.text) or quick == "now"


def test_settings_are_kept(client: TestClient) -> None:
    client.get("/")
    form = {
        "name": "Ana",
        "language": "de",
        "theme": "dark",
        "pace": "fast",
        "confirm": "on",
        "back": "/rules/santiago",
    }
    page = client.post("/settings", data=form, headers=ORIGIN)
    assert page.status_code == 200
    assert '<html lang="de" data-theme="dark">' in page.text
    assert 'value="Ana"' in page.text
    assert 'href="/rules/santiago"' in page.text
    client.post("/language", data={"language": "it", "back": "/settings"}, headers=ORIGIN)
    again = client.get("/settings").text
    assert '<html lang="it" data-theme="dark">' in again


def test_names_cannot_carry_markup(client: TestClient) -> None:
    table = open_table(client, name="<b onclick=x>'\"&")
    page = client.get(table).text
    assert "<b onclick" not in page
    assert "&lt;b onclick" in page


def test_forms_work_without_script(client: TestClient) -> None:
    table = open_table(client, **{"seat-1": "me", "option-santiago-open_screens": "on"})
    page = client.get(table).text
    move = re.search(r'name="move" value="([^"]+)"', page)
    version = re.search(r'name="version" value="(\d+)"', page)
    assert move
    assert version
    data = {"move": move[1], "version": version[1]}
    answer = client.post(f"{table}/move", data=data, headers=ORIGIN)
    assert answer.status_code == 200
    assert 'class="log"' in answer.text
    stale = client.post(f"{table}/move", data=data, headers=ORIGIN)
    assert stale.status_code == 409


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_the_steps_of_a_replay_differ_in_their_parts_alone(client: TestClient, game: str) -> None:
    """So the page keeps the rest as it is: the slider that is dragged, and the speed that was chosen."""
    player = Player(client)
    table = player.open("bot:turista", "bot:turista", game=game)["id"]
    total = len(player.my_turn(table, 60)["history"])
    frames = set()
    for number in {*range(0, total, 9), total}:
        step = client.get(f"/tables/{table}/replay/{number}", headers=player.headers | {"accept": "application/json"})
        frames.add(tuple(html_diff.split(step.json()["html"])[::2]))
    assert len(frames) == 1


def test_replay_fork_and_record_of_a_finished_game(client: TestClient) -> None:
    player = Player(client)
    opened = player.open("bot:random", "bot:random")
    state = player.my_turn(opened["id"], 60)
    table = f"/tables/{opened['id']}"
    total = len(state["history"])
    assert client.get(table).text.count('class="scores"') == 1
    for number in (0, total // 2, total):
        page = client.get(f"{table}/replay/{number}", headers={"accept": "application/json"}).json()
        assert 'class="m-board' in page["html"]
    record = client.get(f"{table}/record.json")
    client.get("/")
    answer = client.post("/records", files={"file": ("game.json", record.content)}, headers=ORIGIN)
    assert answer.status_code == 200
    assert "/replay/" in str(answer.url)
    old = str(answer.url).rsplit("/replay", 1)[0]
    assert client.get(f"{old}/record.json").json() == record.json()
    forked = client.post(f"{old}/fork/{total - 3}", data={"seat": "1"}, headers=ORIGIN)
    assert forked.status_code == 200
    assert 'class="m-board' in forked.text


def test_the_description_of_the_interface(client: TestClient) -> None:
    described = client.get("/api/openapi.json").json()
    assert {"/api/tables", "/api/join", "/api/tables/{table}/moves", "/api/tables/{table}/legal"} <= set(
        described["paths"]
    )
    assert not any(path.startswith("/tables") for path in described["paths"])
    known = client.get("/api/games").json()
    assert [game["name"] for game in known["games"]]
    assert "greedy" in known["bots"]


def test_the_scores_of_a_finished_game_are_counted_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    player, counted = Player(client), []
    table = str(player.open("bot:random", "bot:random")["id"])
    until(lambda: player.state(table), lambda state: state["turn"] is None, 60)
    scores = Match.scores.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(Match, "scores", property(lambda match: (counted.append(match), scores(match))[1]))
    last = len(player.state(table)["history"])
    for language in ("en", "de"):
        for path in (f"/tables/{table}", f"/tables/{table}/replay/{last}", f"/api/tables/{table}"):
            answer = client.get(path, headers=player.headers | {"accept-language": language})
            assert answer.status_code == 200
    assert len(counted) <= 1
