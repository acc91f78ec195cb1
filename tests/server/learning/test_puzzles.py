"""The teacher's pages: puzzles, one's own mistakes, lines to step through; nothing about games that are still on."""

from __future__ import annotations

import re

from starlette.testclient import TestClient

from malecon.kernel import compile, registry
from malecon.teaching.puzzles import shipped
from malecon.text import LANGUAGES
from tests.server.people import ORIGIN, Player, until

JSON = {"accept": "application/json"}


def test_puzzles_in_every_language(client: TestClient) -> None:
    for language in LANGUAGES:
        page = client.get("/puzzles", headers={"accept-language": language}).text
        assert f'lang="{language}"' in page
        assert "style=" not in page
        assert 'href="/puzzles/santiago/today"' in page
        assert 'href="/puzzles/cuba/any?theme=' in page
    today = client.get("/puzzles/cuba/today", follow_redirects=False)
    assert client.get(today.headers["location"]).status_code == 200
    assert client.get("/puzzles/santiago/any?theme=delivery").status_code == 200
    for nowhere in ("/puzzles/santiago/0", "/puzzles/santiago/99999", "/puzzles/chess/1", "/puzzles/cuba/any?theme=x"):
        assert client.get(nowhere).status_code == 404


def test_a_puzzle_is_asked_answered_and_explained(client: TestClient) -> None:
    puzzle = shipped("santiago")[0]
    page = client.get("/puzzles/santiago/1").text
    offered = re.findall(r'name="move" value="([^"]+)"', page)
    assert offered == [move.text for move in puzzle.view.legal_moves]
    for move, right in ((puzzle.solution, True), (next(m for m in offered if m != puzzle.solution), False)):
        answer = client.post("/puzzles/santiago/1", data={"move": move}, headers=ORIGIN)
        assert answer.status_code == 200
        assert (("verdict right" in answer.text), ("verdict wrong" in answer.text)) == (right, not right)
        lines = set(re.findall(r'href="(/puzzles/santiago/1/line/[^"]+)"', answer.text))
        assert len(lines) >= 2
        for line in lines:
            shown = client.get(line.replace("&amp;", "&"))
            assert shown.status_code == 200
            assert 'aria-current="true"' in shown.text or "/0?" in line
    counted = client.post("/puzzles/santiago/1", data={"move": puzzle.solution}, headers=ORIGIN | JSON)
    assert counted.status_code == 204  # the engine in the page has answered already
    assert f'data-solution="{puzzle.solution}"' in page
    assert client.post("/puzzles/santiago/1", data={"move": "fly"}, headers=ORIGIN).status_code == 400
    assert client.get("/puzzles/santiago/1/line/third/1?move=" + puzzle.solution).status_code == 404


def test_reasons_need_no_machine_code(client: TestClient) -> None:
    puzzle = shipped("santiago")[1]
    position = registry.get("santiago").dtype
    compile.run_plain(position)
    try:
        answer = client.post("/puzzles/santiago/2", data={"move": puzzle.solution}, headers=ORIGIN)
    finally:
        compile.run_compiled(position)
    assert answer.status_code == 200
    assert "verdict right" in answer.text
    assert "/puzzles/santiago/2/line/better/1" in answer.text
    assert client.get("/puzzles/santiago/2/answer?move=fly").status_code == 400


def test_mistakes_of_a_finished_game_are_exercises(client: TestClient) -> None:
    player = Player(client)
    table = str(player.open("bot:greedy", "bot:greedy")["id"])
    until(lambda: player.state(table), lambda state: state["turn"] is None, 60)
    assert client.get(f"/tables/{table}/mistakes/30").status_code == 404
    client.post(f"/tables/{table}/review", headers=ORIGIN)
    until(lambda: client.get(f"/tables/{table}/review").json(), lambda state: state.get("ready"), 120)
    page = client.get(f"/tables/{table}/replay/20").text
    places = set(re.findall(rf'href="(/tables/{table}/mistakes/\d+)"', page))
    assert 1 <= len(places) <= 5
    assert 'class="sources' in page
    for place in sorted(places)[:2]:
        asked = client.get(place).text
        moves = re.findall(r'name="move" value="([^"]+)"', asked)
        pages = [client.post(place, data={"move": move}, headers=ORIGIN).text for move in moves[:12]]
        assert sum("verdict right" in text for text in pages) <= 1
        for which in ("better", "other"):
            assert client.get(f"{place}/line/{which}/1").status_code == 200
        assert client.post(place, data={"move": "fly"}, headers=ORIGIN).status_code == 400


def test_nobody_is_taught_in_a_game_that_is_on(client: TestClient) -> None:
    table = Player(client).open("me", "bot:greedy")["id"]
    for place in ("mistakes/20", "mistakes/20/line/better/1"):
        assert client.get(f"/tables/{table}/{place}").status_code == 404


def test_the_first_try_counts_for_people_with_an_account(client: TestClient) -> None:
    puzzle, ana = shipped("santiago")[4], Player(client)
    wrong = next(move.text for move in puzzle.view.legal_moves if move.text != puzzle.solution)

    def answer(move: str) -> str:
        return str(client.post("/puzzles/santiago/5", data={"move": move}, headers=ana.headers | ORIGIN).text)

    answer(wrong)  # a guest's is not counted
    assert "counts for a rating" in ana.get("/puzzles").text
    token = ana.post("/api/account", {"name": "Ana", "password": "correct horse battery"}).json()["token"]
    ana.headers |= {"authorization": f"Bearer {token}"}
    assert "1200, after 0 puzzles" in ana.get("/puzzles").text
    assert f"Rating of this puzzle: {puzzle.rating}<" not in answer(puzzle.solution)
    assert "after 1 puzzle<" in (rated := ana.get("/puzzles").text)
    answer(wrong)  # the second changes nothing
    assert re.findall(r"Your rating: \d+", ana.get("/puzzles").text) == re.findall(r"Your rating: \d+", rated) != []
