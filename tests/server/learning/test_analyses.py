"""The analysis board: who may look and change, what it may begin with, and that no game that is on gets into it."""

from __future__ import annotations

import html
import json
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient

from malecon import games
from malecon.bots.engine.block import block_of
from malecon.bots.history import known_to
from malecon.match import Move
from malecon.server.learning import analyses
from malecon.server.operations.memory import ANALYSES
from malecon.server.web.routes.teaching import analysis
from malecon.server.web.routes.teaching.analysis import MOST_SHOWN
from malecon.teaching.analysis import Analysis
from malecon.teaching.analysis import tree as tree_module
from malecon.teaching.analysis.tree import ROOT
from malecon.teaching.puzzles import shipped
from malecon.text import LANGUAGES, describe_move, translate
from tests.server.people import ORIGIN, Player, until
from tests.server.stored_games import large_analysis


class Board:
    """Somebody at the analysis board."""

    def __init__(self, client: TestClient) -> None:
        self.player = Player(client)
        self.client, self.headers = client, self.player.headers | ORIGIN

    def post(self, path: str, **form: Any) -> Any:
        return self.client.post(path, data=form, headers=self.headers, follow_redirects=False)

    def get(self, path: str) -> Any:
        return self.client.get(path, headers=self.headers)

    def begin(self, game: str = "santiago", **more: Any) -> str:
        """A new analysis; the address of the node it begins at."""
        answer = self.post("/analysis/new", game=game, players=2, **more)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    def load(self, document: str) -> str:
        """A new analysis with that document; its address."""
        answer = self.client.post(
            "/analysis/load", files={"file": ("a.json", document)}, headers=self.headers, follow_redirects=False
        )
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"]).rpartition("/")[0]

    def move(self, place: str, *moves: str) -> str:
        answer = self.post(f"{place}/move", move=list(moves))
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    def tree(self, place: str) -> Analysis:
        return Analysis.from_json(self.get(f"/analysis/{place.split('/')[2]}/file.json").text)


def offered(page: str) -> list[str]:
    return re.findall(r'name="move" value="([^"]+)"', page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_every_language(client: TestClient, language: str) -> None:
    board = Board(client)
    board.headers["accept-language"] = language
    places = ["/analysis", board.begin(), board.begin("cuba"), board.begin(by_hand="yes")]
    for place in places:
        page = board.get(place)
        assert page.status_code == 200
        assert f'<html lang="{language}"' in page.text
        assert "style=" not in page.text
        assert len(page.content) < 200_000


@pytest.mark.parametrize("game", games.names())
def test_moves_for_everybody_side_lines_and_notes(client: TestClient, game: str) -> None:
    board = Board(client)
    start = board.begin(game)
    moves = offered(board.get(start).text)
    first, second = board.move(start, moves[0]), board.move(start, moves[1])
    assert first != second
    assert board.move(start, moves[0]) == first  # it is there
    page = board.get(start).text
    assert f'href="{first}"' in page
    assert f'href="{second}"' in page
    assert board.post(f"{second}/note", text="<b>better</b>").status_code == 303
    assert "&lt;b&gt;better&lt;/b&gt;" in board.get(second).text
    led = board.post(f"{second}/lead").headers["location"]
    tree = board.tree(start)
    assert tree.nodes[int(led.rpartition("/")[2])].note == "<b>better</b>"
    before = len(tree)
    back = board.post(f"{led}/remove").headers["location"]
    assert len(board.tree(start)) == before - 1
    assert back == start
    assert board.post(f"{start}/move", move="fly").status_code == 400
    assert board.get(f"{start}000").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_the_tree_speaks_in_words_and_says_whose_move_it_is(client: TestClient, game: str, language: str) -> None:
    board = Board(client)
    board.headers["accept-language"] = language
    place = board.post(f"/analysis/new/puzzle/{game}/1").headers["location"]
    tree = board.tree(place)
    written = re.findall(r'<li>\s*<a\s+href="[^"]*/(\d+)"[^>]*>(.*?)</a>\s*</li>', board.get(place).text, re.DOTALL)
    assert {int(number) for number, _ in written} == tree.neighbourhood(len(tree) - 1, MOST_SHOWN) - {ROOT}
    for number, link in written:
        parent = tree.nodes[int(number)].parent
        said = translate(describe_move(tree.view(parent), Move(game, tree.nodes[int(number)].move)), language)
        turn = tree.turn(parent)
        who = translate(tree.names[turn], language) if turn is not None and turn >= 0 else None
        text = html.unescape(re.sub(r'<span class="badge[^>]*>[^<]*</span>|<[^>]+>', "", link))
        assert " ".join(text.split()) == f"{tree.depth(int(number))} {f'{who}: ' if who else ''}{said}"


def test_others_look_and_make_a_copy(client: TestClient) -> None:
    ana, ben = Board(client), Board(client)
    place = ana.begin()
    moves = offered(ben.get(place).text)
    for deed in ("move", "note", "remove", "lead", "draw"):
        assert ben.post(f"{place}/{deed}", move=moves[0]).status_code == 403
    for deed in ("setup", "delete"):
        assert ben.post(f"/analysis/{place.split('/')[2]}/{deed}").status_code == 403
    assert f'action="{place}/copy"' in ben.get(place).text
    copied = ben.post(f"{place}/copy", move=moves[0]).headers["location"]
    assert copied.split("/")[2] != place.split("/")[2]
    assert len(ben.tree(copied)) == len(ana.tree(place)) + 1
    assert ben.move(copied, offered(ben.get(copied).text)[0])
    assert place not in ben.get("/analysis").text
    assert ana.post(f"/analysis/{place.split('/')[2]}/delete").status_code == 303
    assert ana.get(place).status_code == 404


def test_a_game_that_is_on_is_not_analysed_and_one_that_is_over_is(client: TestClient) -> None:
    board = Board(client)
    running = str(board.player.open("me", "bot:greedy")["id"])
    alone = str(board.player.open("me", "bot:greedy", open_screens=True)["id"])
    for table in (running, alone):
        for somebody in (board, Board(client)):
            assert somebody.post(f"/analysis/new/table/{table}/5").status_code == 403
        assert "/analysis/new/table" not in board.get(f"/tables/{table}/replay/3").text
    assert "/analysis/" not in board.get(f"/tables/{running}").text
    over = str(board.player.open("bot:greedy", "bot:greedy")["id"])
    until(lambda: board.player.state(over), lambda state: state["turn"] is None, 60)
    assert f'action="/analysis/new/table/{over}/30"' in board.get(f"/tables/{over}/replay/30").text
    place = board.post(f"/analysis/new/table/{over}/30").headers["location"]
    assert place.endswith("/30")
    assert board.get(place).status_code == 200
    record = json.loads(board.get(f"/tables/{over}/record.json").text)
    assert [f"{line.partition(': ')[2]}" for line in record["moves"]] == [n.move for n in board.tree(place).nodes[1:]]


def test_puzzles_and_files(client: TestClient) -> None:
    board, puzzle = Board(client), shipped("santiago")[0]
    place = board.post("/analysis/new/puzzle/santiago/1").headers["location"]
    assert set(offered(board.get(place).text)) == {move.text for move in puzzle.view.legal_moves}
    assert board.post("/analysis/new/puzzle/santiago/99999").status_code == 404
    text = board.get(f"/analysis/{place.split('/')[2]}/file.json").text
    again = client.post(
        "/analysis/load", files={"file": ("a.json", text)}, headers=board.headers, follow_redirects=False
    )
    assert again.status_code == 303
    assert board.tree(again.headers["location"]).to_json() == text
    record = puzzle.match.record().to_json()
    loaded = client.post(
        "/analysis/load", files={"file": ("r.json", record)}, headers=board.headers, follow_redirects=False
    )
    assert board.tree(loaded.headers["location"]).to_json() == text
    for bad in (b"\xff", b"{}", b'{"analysis": 1}', text.replace("place", "palace").encode()):
        answer = client.post("/analysis/load", files={"file": ("b.json", bad)}, headers=board.headers)
        assert answer.status_code == 400


def test_a_table_laid_out_by_hand(client: TestClient) -> None:
    board = Board(client)
    setup = board.begin(by_hand="yes")
    page = " ".join(board.get(setup).text.split())
    form = dict(re.findall(r'<input id="([^"]+)" name="[^"]+" type="number"[^>]* value="([^"]*)"', page))
    for key, options in re.findall(r'<select id="([^"]+)" name="[^"]+">(.*?)</select>', page, re.S):
        chosen = re.search(r'value="([^"]*)" selected', options)
        form[key] = chosen[1] if chosen else ""
    form.pop("language", None)
    wrong = board.post(setup, **form | {"goods.red.rum": "5", "goods.blue.rum": "5"})
    assert wrong.status_code == 400
    assert "There are only 8 of a kind: too much rum." in wrong.text
    assert 'name="goods.red.rum" type="number" min="0" max="8" value="5"' in " ".join(
        wrong.text.split()
    )  # nothing is lost
    assert board.post(setup, **form | {"goods.red.rum": "many"}).status_code == 400
    assert board.post(setup, **form | {"goods.red.rum": "9"}).status_code == 400
    assert board.post(setup, **form | {"piece.red": "palace"}).status_code == 400
    right = board.post(setup, **form | {"pesos.red": "7", "goods.red.rum": "5"})
    assert right.status_code == 303
    tree = board.tree(setup)
    assert (int(tree.position(0).pesos[0]), int(tree.position(0).goods[0, 3])) == (7, 5)
    place = right.headers["location"]
    other = board.post(f"{place}/setup").headers["location"]
    assert other.endswith("/setup")
    assert other != setup
    start = board.begin("cuba")  # before anybody has chosen goods: no fields tell that
    assert f'action="{start}/setup"' not in board.get(start).text
    assert board.post(f"{start}/setup").status_code == 400


def test_chance_is_chosen_or_decides(client: TestClient) -> None:
    board = Board(client)
    name = board.begin().split("/")[2]
    page = board.get(f"/analysis/{name}/0").text
    assert "place bank" in offered(page)
    here = board.post(f"/analysis/{name}/0/draw").headers["location"]
    assert board.tree(here).turn(int(here.rpartition("/")[2])) in (0, 1)
    thinks = board.post(f"/analysis/{name}/0/think")
    assert thinks.status_code == 400


def test_the_search_thinks_as_long_as_it_may(client: TestClient) -> None:
    """On the server, for pages that cannot think themselves."""
    board = Board(client)
    place = board.begin()
    thought = board.post(f"{place}/think").json()
    assert {move["name"] for move in thought["moves"]} <= set(offered(board.get(place).text))
    assert all(0 <= move["chance"] <= 1 for move in thought["moves"])
    assert sum(thought["seats"]) == pytest.approx(1)
    assert thought["simulations"] > 0
    services = client.app.state.services  # type: ignore[attr-defined]
    services.limiter.charge_think_time(services.analyses.get(place.split("/")[2]).owner, 10_000)
    assert board.post(f"{place}/think").status_code == 429


def test_the_page_gets_the_position_and_the_words_of_lines(client: TestClient) -> None:
    board = Board(client)
    place = board.begin("cuba")
    data = re.search(r"data-position='([^']*)'", board.get(place).text)
    assert data is not None
    position = json.loads(html.unescape(data[1]))
    tree, node = board.tree(place), int(place.rpartition("/")[2])
    assert set(position["labels"]) == {str(move) for move in tree.legal_moves(node)}
    turn = tree.turn(node)
    assert turn is not None
    known = known_to(tree.game, tree.position(node), turn)
    assert b64decode(position["block"]) == block_of(tree.game, 2, known, turn)
    first = next(iter(position["labels"]))
    other = Board(client)  # everybody who may look may let the engine think
    lines = client.post(position["lines"], json={"lines": [[first, "fly"]]}, headers=other.headers).json()
    assert lines == {"lines": [[{"seat": turn, "label": position["labels"][first]}]]}
    assert client.post(position["lines"], json={"lines": "all"}, headers=other.headers).status_code == 400
    start = place.rpartition("/")[0] + "/0"  # chance is to move
    assert "data-position" not in board.get(start).text
    assert client.post(f"{start}/lines", json={"lines": []}, headers=other.headers).status_code == 400


def test_nobody_keeps_too_many(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "MOST_PER_PERSON", 2)
    board = Board(client)
    for _ in range(2):
        board.begin()
    answer = board.post("/analysis/new", game="santiago", players=2)
    assert answer.status_code == 403
    assert "2 analyses" in answer.text


def test_two_changes_at_once_lose_nothing(client: TestClient) -> None:
    board = Board(client)
    name = board.begin().split("/")[2]
    kept = client.app.state.services.analyses  # type: ignore[attr-defined]

    async def both() -> None:
        stored, tree = await kept.open(name)
        await kept.change(stored, tree, noted("one"))
        with pytest.raises(Exception, match="moved on"):
            await kept.change(stored, tree, noted("two"))
        assert tree.nodes[0].note == ""
        assert (await kept.open(name))[1].nodes[0].note == "one"

    def noted(text: str) -> Callable[[Analysis], int]:
        return lambda tree: tree.note(0, text) or 0

    client.portal.call(both)  # type: ignore[union-attr]
    assert board.tree(f"/analysis/{name}").nodes[0].note == "one"


def test_pages_and_notes_of_a_large_analysis_cost_what_those_of_a_small_one_do(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, counts = Board(client), Counter[str]()

    def counted(where: Any, name: str) -> None:
        original = getattr(where, name)

        def counting(*args: Any, **named: Any) -> Any:
            counts[name] += 1
            return original(*args, **named)

        monkeypatch.setattr(where, name, counting)

    counted(tree_module, "make_move")
    counted(tree_module, "legal_codes")
    counted(tree_module, "json_text")
    counted(analysis, "_tree_move")
    counted(analysis, "tell_step")
    costs = []
    for moves in (150, 4_000):
        place = board.load(large_analysis("santiago", moves))
        board.get(f"{place}/{moves - 1}")
        assert board.post(f"{place}/0/note", text="first").status_code == 303  # every node is written once
        for node in (0, 20, moves // 2, moves - 1):
            counts.clear()
            page = board.get(f"{place}/{node}")
            assert page.status_code == 200
            note = board.post(f"{place}/{node}/note", text=f"about {node}")
            assert note.status_code == 303
            costs.append((counts.copy(), len(page.content)))
    small, big = costs[:4], costs[4:]
    for work, size in big:
        assert work["legal_codes"] == 0  # nothing is checked again
        assert work["make_move"] <= MOST_SHOWN
        assert work["json_text"] <= 2
        assert work["_tree_move"] <= MOST_SHOWN
        assert work["tell_step"] <= max(other["tell_step"] for other, _ in small)
        assert size <= 1.5 * max(other for _, other in small)


def test_every_move_of_a_large_analysis_is_reached_by_links(client: TestClient) -> None:
    board = Board(client)
    place = board.load(large_analysis("santiago", 600))
    reached, todo = {0}, [0]
    while todo:
        page = board.get(f"{place}/{todo.pop()}").text
        links = {int(number) for number in re.findall(rf'href="{place}/(\d+)"', page)}
        todo += links - reached
        reached |= links
    assert reached == set(range(600))


def test_an_analysis_is_never_stored_that_could_not_be_read_again(client: TestClient) -> None:
    board = Board(client)
    place = board.load(large_analysis("santiago", 600))
    note = "x" * 2_000
    saved = 0
    for node in range(600):
        answer = board.post(f"{place}/{node}/note", text=note)
        if answer.status_code != 303:
            assert answer.status_code == 400
            assert "1000000 characters" in answer.text
            break
        saved += 1
    assert 400 < saved < 500
    client.app.state.services.analyses._trees.clear()  # type: ignore[attr-defined]
    assert board.get(f"{place}/{saved}").status_code == 200
    assert [node.note for node in board.tree(place).nodes] == [note] * saved + [""] * (600 - saved)
    assert board.post(f"{place}/0/note", text="").status_code == 303


def test_trees_count_in_the_memory_budget_and_are_read_once_for_all(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, read = Board(client), []
    services = client.app.state.services  # type: ignore[attr-defined]
    from_json = Analysis.from_json
    place = board.load(large_analysis("santiago", 600))
    monkeypatch.setattr(Analysis, "from_json", lambda text: (read.append(text), from_json(text))[1])
    with ThreadPoolExecutor(6) as several:
        pages = list(several.map(lambda node: board.get(f"{place}/{node}").status_code, range(12)))
    assert pages == [200] * 12
    assert len(read) == 1
    used = services.memory.used[ANALYSES]
    assert used > 600 * 1_000
    services.memory._most = services.memory.used.total() + 100_000
    others = [board.begin() for _ in range(12)]
    for other in others:
        board.get(other)
    assert services.memory.given_back[ANALYSES] > 0
    assert services.memory.used.total() <= services.memory._most
    assert board.get(f"{place}/3").status_code == 200
    assert len(read) > 1
    assert board.post(f"{place}/delete").status_code == 303
    assert place.split("/")[2] not in services.analyses._trees


def test_what_is_nowhere(client: TestClient) -> None:
    board = Board(client)
    for nowhere in ("/analysis/none", "/analysis/none/0", "/analysis/none/setup", "/analysis/none/file.json"):
        assert board.get(nowhere).status_code == 404
    assert board.post("/analysis/new", game="chess", players=2).status_code == 404
    assert board.post("/analysis/new", game="santiago", players=9).status_code == 400
    assert board.post("/analysis/new", game="santiago", players=9, by_hand="yes").status_code == 400
    assert board.get(board.begin().rpartition("/")[0] + "/setup").status_code == 404
