"""The dice of a table: promised before the game, told after it, and in no byte before."""

from __future__ import annotations

import random
from pathlib import Path

from starlette.testclient import TestClient

from malecon.match import Record
from malecon.match.dice import commitment_of
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from tests.server.people import ORIGIN, Player, serving


def secret_of(folder: Path, table: str) -> str:
    storage = Storage(address_of(folder))
    loaded = storage.load(table)
    storage.close()
    assert loaded is not None
    assert loaded.row.dice is not None
    assert loaded.row.dice.secret is not None
    return loaded.row.dice.secret


def everything(client: TestClient, player: Player, table: str) -> str:
    """Every byte that anybody can get of a table."""
    pages = [
        f"/tables/{table}",
        f"/tables/{table}/dice",
        f"/tables/{table}/replay/3",
        f"/tables/{table}/record.json",
        "/",
    ]
    programs = [f"/api/tables/{table}", f"/api/tables/{table}/record", f"/api/tables/{table}/log", "/metrics"]
    answers = [client.get(path, headers=player.headers) for path in pages + programs]
    with client.websocket_connect(f"/tables/{table}/live", headers=player.headers) as socket:
        live = str(socket.receive_json())
    return live + "".join(f"{answer.headers} {answer.text}" for answer in answers)


def test_the_secret_is_told_when_the_game_is_over_and_never_before(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        player, dice = Player(client), random.Random(1)
        opened = player.open("me", "me", open_screens=True)
        table, promised = opened["id"], opened["dice"]["commitment"]
        secret = secret_of(tmp_path, table)
        assert commitment_of(secret) == promised
        state = opened
        while state["turn"] is not None:
            assert state["dice"] == {"commitment": promised, "first": 0, "secret": None}
            if dice.random() < 0.05:
                assert secret not in everything(client, player, table)
            if state["can_undo"] and dice.random() < 0.2:
                player.post(f"/api/tables/{table}/undo", {})
            state = player.move(table, dice.choice(player.state(table)["legal"])["move"]).json()
        assert state["dice"] == {"commitment": promised, "first": 0, "secret": secret}
        assert secret in client.get(f"/tables/{table}/dice").text
        record = Record.from_json(player.get(f"/tables/{table}/record.json").text)
        proven, drawn = record.prove_dice()
        assert proven == drawn > 10

        # an old game keeps its proof when it is opened again, and one that goes on from it has dice of its own
        client.get("/")
        again = client.post("/records", files={"file": ("game.json", record.to_json())}, headers=ORIGIN)
        old = again.url.path.split("/")[2]
        assert Record.from_json(client.get(f"/tables/{old}/record.json").text).dice == record.dice
        forked = client.post(f"/tables/{table}/fork/40", data={"seat": 0}, headers=player.headers)
        new = player.state(forked.url.path.split("/")[2])
        assert new["dice"]["first"] == 40
        assert new["dice"]["commitment"] != promised
        assert new["dice"]["secret"] is None


def test_two_tables_never_share_their_dice(client: TestClient) -> None:
    player = Player(client)
    commitments = {player.open("me", "me")["dice"]["commitment"] for _ in range(8)}
    assert len(commitments) == 8


def test_the_secret_is_told_when_all_agree_to_stop(client: TestClient) -> None:
    ana, bea, carla = Player(client), Player(client), Player(client)
    opened = ana.open("me", "open", "open")
    table, invitations = opened["id"], [seat["invitation"] for seat in opened["seats"]]
    bea.post("/api/join", {"token": invitations[1], "name": "Bea"})
    for player in (ana, bea):
        assert player.state(table)["dice"]["secret"] is None
        client.post(f"/tables/{table}/stop", data={"agree": "on"}, headers=player.headers | ORIGIN)
    secret = ana.state(table)["dice"]["secret"]
    assert commitment_of(secret) == opened["dice"]["commitment"]
    assert bea.get(f"/api/tables/{table}?since={opened['version']}").json()["dice"]["secret"] == secret
    assert secret in client.get(f"/tables/{table}/dice").text
    # and nothing makes the game go on with dice that are known
    assert carla.post("/api/join", {"token": invitations[2], "name": "Carla"}).status_code == 404
    resign = client.post(f"/tables/{table}/seats/0/resign", headers=ana.headers | ORIGIN, follow_redirects=False)
    assert resign.status_code == 400
    assert ana.post(f"/api/tables/{table}/seats/1/remove", None).status_code == 400
    assert ana.state(table)["dice"]["secret"] == secret
    assert ana.move(table, "drive 1").status_code == 400
