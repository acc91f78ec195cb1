"""“Why not this?”: about one's own moves at the table, where hints are fair, and any move of a finished game."""

from __future__ import annotations

import re
from typing import Any

from starlette.testclient import TestClient

from tests.server.people import ORIGIN, Player, until


def ask(player: Player, table: str, move: str) -> Any:
    headers = player.headers | ORIGIN | {"accept": "application/json"}
    return player.client.post(f"/tables/{table}/explain", data={"move": move}, headers=headers)


def test_about_ones_own_move_at_the_table(client: TestClient) -> None:
    ana = Player(client)
    table = str(ana.open("me", "bot:greedy")["id"])
    moves = [legal_move["move"] for legal_move in ana.my_turn(table)["legal"]]
    reasons = ask(ana, table, moves[-1]).json()["why"]
    assert len(reasons) >= 2
    assert all("%" in line for line in reasons[:2])
    assert ask(ana, table, "fly").status_code == 400
    assert ask(Player(client), table, moves[0]).status_code == 400  # it is not their turn
    shared = str(ana.open("me", "open")["id"])
    assert ask(ana, shared, "leave rum").status_code in (400, 403)
    assert [legal_move["move"] for legal_move in ana.state(table)["legal"]] == moves  # nothing was made


def test_about_any_move_of_a_finished_game(client: TestClient) -> None:
    player = Player(client)
    running = player.open("me", "bot:greedy")["id"]
    assert client.get(f"/tables/{running}/ask/27").status_code == 403
    assert "/ask/" not in client.get(f"/tables/{running}/replay/26").text
    table = str(player.open("bot:greedy", "bot:greedy")["id"])
    until(lambda: player.state(table), lambda state: state["turn"] is None, 60)
    page = client.get(f"/tables/{table}/replay/27").text
    assert f'href="/tables/{table}/ask/27"' in page
    moves = re.findall(r'name="move" value="([^"]+)"', client.get(f"/tables/{table}/ask/27").text)
    assert len(moves) > 1
    asked = client.post(f"/tables/{table}/ask/27", data={"move": moves[-1]}, headers=ORIGIN)
    assert asked.status_code == 200
    assert "verdict" in asked.text
    lines = set(re.findall(rf'href="(/tables/{table}/ask/27/line/[^"]+)"', asked.text))
    assert len(lines) >= 2
    for line in lines:
        assert client.get(line.replace("&amp;", "&")).status_code == 200
    assert client.post(f"/tables/{table}/ask/27", data={"move": "fly"}, headers=ORIGIN).status_code == 400
    for nowhere in (0, 99999):  # chance's, and after the end
        assert client.get(f"/tables/{table}/ask/{nowhere}").status_code == 404
