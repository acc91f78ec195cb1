"""Lessons on their pages: played to the goal, wrong turns with words, taken back, and remembered."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from malecon import games
from malecon.match import Match
from malecon.server.pages import guide
from malecon.teaching.lessons import find, lessons
from malecon.text import LANGUAGES, translate
from tests.server.people import ORIGIN, Player


def play(client: TestClient, address: str, move: str) -> tuple[str, str]:
    """Make a move; the address it leads to, and the page there."""
    answer = client.post(address, data={"move": move}, headers=ORIGIN)
    assert answer.status_code == 200, answer.text
    return str(answer.url).removeprefix("http://testserver"), answer.text


def test_lessons_in_every_language(client: TestClient) -> None:
    for language in LANGUAGES:
        page = client.get("/learn", headers={"accept-language": language}).text
        assert f'lang="{language}"' in page
        assert "style=" not in page
        for name in games.names():
            assert all(f'href="/learn/{name}/{lesson.key}"' in page for lesson in lessons(name))
            assert translate(lessons(name)[0].title, language) in page


@pytest.mark.parametrize("name", games.names())
def test_a_lesson_is_played_and_remembered(client: TestClient, name: str) -> None:
    lesson, following = lessons(name)[:2]
    address = f"/learn/{name}/{lesson.key}"
    assert "verdict" not in client.get(address).text
    _, page = play(client, address, lesson.wrong[0].example[0])
    assert str(lesson.wrong[0].words) in page
    assert f'href="{address}" data-key="u"' in page  # it can be taken back
    for move in lesson.solution:
        address, page = play(client, address, move)
    assert "verdict right" in page
    assert str(lesson.why) in page
    assert f'href="/learn/{name}/{following.key}"' in page
    assert 'name="move"' not in page
    listed = client.get("/learn").text
    assert f"1 of {len(lessons(name))} done" in listed
    assert str(following.title) in listed


def test_a_guests_lessons_go_with_them_to_an_account(client: TestClient) -> None:
    ana, lesson = Player(client), lessons("santiago")[0]
    done = f"/learn/santiago/{lesson.key}"
    client.post(done, data={"move": lesson.solution[0]}, headers=ana.headers | ORIGIN)
    assert "1 of 10 done" in ana.get("/learn").text
    token = ana.post("/api/account", {"name": "Ana", "password": "correct horse battery"}).json()["token"]
    ana.headers |= {"authorization": f"Bearer {token}"}
    assert "1 of 10 done" in ana.get("/learn").text
    assert "1 of 10 done" not in Player(client).get("/learn").text


def test_what_is_no_lesson_or_no_move(client: TestClient) -> None:
    for nowhere in ("/learn/santiago/flying", "/learn/chess/first-drive", "/learn/cuba/first-drive"):
        assert client.get(nowhere).status_code == 404
    address = "/learn/santiago/first-drive"
    for moves in ("?m=fly", "?m=drive+9", "?m=drive+3&m=pass", "?" + "&".join(["m=pass"] * 21)):
        assert client.get(address + moves).status_code == 400, moves
    assert client.post(address, data={"move": "fly"}, headers=ORIGIN).status_code == 400


@pytest.mark.parametrize("name", games.names())
def test_the_first_game_ends_with_what_to_try_next(name: str) -> None:
    match = Match(name, 2, seed=4)
    assert guide.next_lessons(match, 0) == ()
    while not match.is_over:
        match.push(match.legal_moves[0])
    for seat in range(2):
        lessons = guide.next_lessons(match, seat)
        assert 1 <= len(lessons) <= 3
        assert all(find(name, lesson.key) is lesson for lesson in lessons)
    assert guide.next_lessons(match, None) == ()


def test_every_source_of_a_lesson_is_one_of_its_game() -> None:
    for name in games.names():
        known = set(games.get(name).sources)
        assert {source for lesson in lessons(name) for source in lesson.sources} <= known
        assert re.fullmatch(r"[a-z-]+", "".join(lesson.key for lesson in lessons(name)))


@pytest.mark.parametrize("name", ["santiago", "cuba"])
def test_all_lessons_for_a_browser_without_a_network(client: TestClient, name: str) -> None:
    """Every page on the way to the goal, and what each other move there leads to; each as the server shows it."""
    bundle = client.get(f"/learn/{name}/all").json()
    pages = {
        path: "".join(bundle["pieces"][piece] for piece in step)
        for path, step in zip(bundle["paths"], bundle["steps"], strict=True)
    }
    for lesson in lessons(name):
        solved = f"/learn/{name}/{lesson.key}?{urlencode([('m', move) for move in lesson.solution])}"
        assert 'class="verdict right"' in pages[solved]
        for turn in lesson.wrong:
            moves = [("m", move) for move in turn.example]
            if tuple(turn.example[:-1]) == lesson.solution[: len(turn.example) - 1]:
                assert 'id="hint"' in pages[f"/learn/{name}/{lesson.key}?{urlencode(moves)}"]

    def main(page: str) -> str:
        return page.partition("<main")[2]

    for path in list(pages)[:: max(1, len(pages) // 10)]:
        assert main(pages[path]) == main(client.get(path).text), path
