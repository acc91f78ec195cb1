"""Positions for the engine in a page: what its person may know and no byte more, and lines in words."""

from __future__ import annotations

import html
import json
import random
import re
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from malecon.bots.engine.block import block_for, block_of
from malecon.bots.engine.runtime import WasmEngine
from malecon.bots.engine.state import NO_HISTORY, layout_of
from malecon.bots.history import known_to
from malecon.kernel import registry
from malecon.kernel.view import View
from malecon.match import Match, Move
from malecon.server.pages.engine_positions import lines_in_words, open_position, own_position
from malecon.text import LANGUAGES, describe_move, translate
from tests.server.hidden import shuffle_hidden
from tests.server.people import ORIGIN, Player
from tests.server.stored_games import table_of

GAMES = [("santiago", {}), ("cuba", {}), ("cuba", {"envoys": True})]


def decisions(match: Match, dice: random.Random) -> Iterator[int]:
    """A random game, stopped at every decision: who is to move."""
    while match.turn is not None:
        yield match.turn
        match.push(dice.choice(list(match.legal_moves)))


def block_in(position: dict[str, Any]) -> bytes:
    return b64decode(position["block"])


def seen_in(block: bytes, view: View) -> bytes:
    """The record that a block shows."""
    at = layout_of(view.game).field("seen").offset.fixed
    return block[at : at + view.game.dtype.itemsize]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_hint_is_given_about_the_players_own_view(game: str, options: dict[str, Any]) -> None:
    """The bytes are those of the view; the moves only if the player knows them all."""
    hidden_moves = 0
    for seed in range(6):
        match = Match(game, 2 + seed % 3, seed=seed, options=options)
        for seat in decisions(match, random.Random(seed)):
            view = match.view(seat)
            block = block_in(own_position(view, "en"))
            assert block == block_for(view)
            assert seen_in(block, view) == view.position.tobytes()
            players, mover, moves = np.frombuffer(block[:12], np.int32)
            assert (players, mover) == (match.players, seat)
            if view.history.is_open:
                assert block.endswith(view.history.codes.tobytes())
                assert moves == len(view.history)
            else:
                hidden_moves += 1
                assert moves == NO_HISTORY
                assert not any(block[layout_of(view.game).field("start").offset.fixed :])
    assert (hidden_moves > 0) == (game == "cuba")  # bids and envoys lie face down


def test_what_stands_behind_screens_is_not_in_a_hint() -> None:
    """Positions that differ in what others hold give the same bytes, labels included."""
    for seed in range(8):
        dice = random.Random(seed)
        match = Match("santiago", 3, seed=seed)
        for seat in decisions(match, dice):
            other = table_of(match)
            shuffle_hidden(other, seat, dice)
            assert own_position(other.match.view(seat), "en") == own_position(match.view(seat), "en")


def test_what_lies_face_down_is_not_in_a_hint() -> None:
    """Two games that differ in a move made face down give the same bytes to somebody who cannot know it."""
    compared = 0
    for seed in range(30):
        dice = random.Random(seed)
        match = Match("cuba", 2 + seed % 3, seed=seed, options={"envoys": True})
        for _ in decisions(match, dice):
            if len(match.legal_moves) < 2:
                continue
            truth, other = match.fork(len(match)), match.fork(len(match))
            first, second = dice.sample(list(match.legal_moves), 2)
            truth.push(first)
            other.push(second)
            seat = truth.turn
            if seat is None or seat < 0 or seat != other.turn or truth.view(seat) != other.view(seat):
                continue
            assert own_position(truth.view(seat), "en") == own_position(other.view(seat), "en")
            compared += 1
    assert compared > 60


def test_a_finished_game_is_seen_by_the_seat_to_move() -> None:
    """As the server's own search sees it: what others had laid face down then is not known."""
    for game, options in GAMES:
        match = Match(game, 3, seed=4, options=options)
        for _ in decisions(match, random.Random(4)):
            pass
        for moves in range(len(match)):
            view = match.everything(moves)
            position = open_position(view, "en", "/lines")
            turn = view.turn
            if turn is None or turn < 0:
                assert position is None
                continue
            assert position is not None
            known = known_to(view.game, view.position, turn)
            assert block_in(position) == block_of(view.game, 3, known, turn)
            labels = {str(move) for move in match.fork(moves).legal_moves}
            assert set(position["labels"]) == labels


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_the_lines_of_the_engine_become_words(game: str) -> None:
    match = Match(game, 3, seed=2)
    for _, _ in zip(range(40), decisions(match, random.Random(2)), strict=False):
        pass
    while match.turn is None or match.turn < 0:
        match.push(next(iter(match.legal_moves)))
    position = open_position(match.everything(), "en", "")
    assert position is not None
    engine = WasmEngine(registry.get(game), 1 << 12)
    engine.set_block(block_in(position))
    assert engine.call("begin") > 0
    engine.call("think", 1500)
    engine.call("read")
    results = engine.state(match.players).results
    name = match.game.notation.name
    lines = [[name(int(code)) for code in results.lines[row, : results.lengths[row]]][:12] for row in range(3)]
    for language in LANGUAGES:
        for line, words in zip(lines, lines_in_words(match.everything(), lines, language), strict=True):
            played = match.fork(len(match))
            for text, word in zip(line, words, strict=False):
                assert word["seat"] == played.turn
                label = describe_move(played.everything(), Move(game, text))
                assert word["label"] == translate(label, language)
                played.push(text)
            assert len(words) == len(line) or game == "cuba"  # there the engine guesses what lies face down
    assert lines_in_words(match.everything(), [["fly"], []], "en") == [[], []]


def test_hints_in_the_page_are_for_those_who_may_have_hints(client: TestClient) -> None:
    ana, bea = Player(client), Player(client)
    body = {"game": "santiago", "seats": [{"who": "me"}, {"who": "open"}], "pace": "instant"}
    table = ana.post("/api/tables", body).json()
    bea.post("/api/join", {"token": table["seats"][1]["invitation"]})
    mover = (ana, bea)[ana.state(table["id"])["turn"]]
    path = f"/tables/{table['id']}/hint"
    assert mover.get(f"{path}/position").status_code == 403
    reasons = {"better": "drive 1", "other": "drive 2"}
    assert client.post(f"{path}/reasons", data=reasons, headers=mover.headers | ORIGIN).status_code == 403
    alone = ana.open("me", "bot:random")["id"]
    state = ana.my_turn(alone)
    sent = ana.get(f"/tables/{alone}/hint/position").json()
    assert sent["engine"].startswith("/engine/santiago/")
    assert list(sent["labels"]) == [move["move"] for move in state["legal"]]
    better, other = [move["move"] for move in state["legal"]][:2]
    path = f"/tables/{alone}/hint/reasons"
    answer = client.post(path, data={"better": better, "other": other}, headers=ana.headers | ORIGIN)
    assert all(isinstance(sentence, str) for sentence in answer.json()["why"])
    wrong = client.post(path, data={"better": better, "other": "fly"}, headers=ana.headers | ORIGIN)
    assert wrong.status_code == 400
    assert bea.get(f"/tables/{alone}/hint/position").status_code == 400  # not their turn


def test_a_running_game_is_not_analysed(client: TestClient) -> None:
    ana = Player(client)
    table = ana.open("me", "bot:random", open_screens=True)["id"]
    ana.my_turn(table)
    page = ana.get(f"/tables/{table}/replay/30").text
    assert "engine-position" not in page
    assert "data-engine" not in page
    assert ana.get(f"/tables/{table}/replay/30/position").status_code == 403
    lines = ana.post(f"/tables/{table}/replay/30/lines", {"lines": []})
    assert lines.status_code == 403


def test_a_record_is_analysed_step_by_step(client: TestClient) -> None:
    match = Match("cuba", 2, seed=1)
    for _ in decisions(match, random.Random(1)):
        pass
    ana = Player(client)
    opened = client.post(
        "/records",
        files={"file": ("a.json", match.record().to_json())},
        headers=ana.headers | ORIGIN,
        follow_redirects=False,
    )
    place = opened.headers["location"]
    step = next(number for number in range(30, len(match)) if match.history[number].seat >= 0)
    page = ana.get(f"{place}/{step}").text
    data = re.search(r"data-position='([^']*)'", page)
    assert data is not None
    position = json.loads(html.unescape(data[1]))
    assert position == ana.get(f"{place}/{step}/position").json()
    assert position["made"] == str(match.history[step].move)
    answer = ana.post(position["lines"], {"lines": [[position["made"]]]}).json()
    assert answer["lines"] == [[{"seat": match.history[step].seat, "label": position["labels"][position["made"]]}]]
    assert ana.post(position["lines"], {"lines": [["x"] * 13]}).status_code == 400
    assert ana.get(f"{place}/{len(match)}/position").json() is None
    assert ana.get(f"{place}/{len(match) + 1}/position").status_code == 404
