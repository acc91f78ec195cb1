"""Seats: invitations, names, and who may give a seat away."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.server.people import Browser, Player, registered, serving


def test_an_owner_cannot_give_a_persons_seat_to_a_bot(client: TestClient) -> None:
    owner, guest = Player(client), Player(client)
    opened = owner.open("me", "open", "open")
    table = opened["id"]
    guest.post("/api/join", {"token": opened["seats"][1]["invitation"]})
    origin = {"origin": "http://testserver", "accept": "application/json"}
    leave = [client.post(f"/tables/{table}/seats/{seat}/leave", headers=owner.headers | origin) for seat in (1, 2, 0)]
    assert [answer.status_code for answer in leave] == [403, 200, 200]
    assert owner.state(table)["seats"][1]["bot"] is None
    assert client.post(f"/tables/{table}/seats/1/leave", headers=guest.headers | origin).status_code == 200


def test_a_used_invitation_shows_nothing(client: TestClient) -> None:
    owner, guest = Player(client), Player(client)
    token = owner.open("me", "open")["seats"][1]["invitation"]
    assert client.get(f"/join/{token}").status_code == 200
    guest.post("/api/join", {"token": token})
    assert client.get(f"/join/{token}").status_code == 404


def test_an_owner_can_remove_somebody(client: TestClient) -> None:
    ana, bea, carla = Player(client), Player(client), Player(client)
    opened = ana.open("me", "open")
    bea.post("/api/join", {"token": opened["seats"][1]["invitation"], "name": "Bea"})
    path = f"/api/tables/{opened['id']}/seats"
    assert bea.post(f"{path}/0/remove", None).status_code == 403
    assert carla.post(f"{path}/1/remove", None).status_code == 403
    assert ana.post(f"{path}/0/remove", None).status_code == 400  # not oneself
    assert ana.post(f"{path}/7/remove", None).status_code == 400
    state = ana.post(f"{path}/1/remove", None).json()
    assert state["seats"][1]["bot"]
    link = state["seats"][1]["invitation"]
    assert link != opened["seats"][1]["invitation"]
    assert bea.state(opened["id"])["seat"] is None
    assert bea.post("/api/join", {"token": opened["seats"][1]["invitation"]}).status_code == 404
    joined = carla.post("/api/join", {"token": link, "name": "Carla"}).json()
    assert (joined["seat"], joined["seats"][1]["bot"]) == (1, None)


@pytest.mark.parametrize("name", ["x" * 41, "a\u202eb", "a\u0007b"])
def test_an_invalid_name_takes_no_seat(tmp_path: Path, name: str) -> None:
    with serving(tmp_path) as client:
        ana, ben = Player(client), Player(client)
        opened = ana.open("me", "open")
        token = opened["seats"][1]["invitation"]
        assert ben.post("/api/join", {"token": token, "name": name}).status_code == 400
        assert ana.state(opened["id"]) == opened
    with serving(tmp_path) as client:  # and nothing of it was kept
        ana.client = ben.client = client
        assert ana.state(opened["id"]) == opened
        assert ben.post("/api/join", {"token": token, "name": "Ben"}).status_code == 200


def test_only_the_player_of_a_seat_sends_its_stand_in_away(client: TestClient) -> None:
    owner, guest = Browser(client), Browser(client)
    table = owner.open("me", "open", "open", join="link", clock="ten-minutes", time_up="resign")
    token = owner.get(f"/api{table}").json()["seats"][1]["invitation"]
    guest.post(f"/join/{token}", name="Bea")
    assert guest.post(f"{table}/seats/1/leave").status_code == 303
    assert owner.post(f"{table}/seats/1/return").status_code == 403
    assert f"{table}/seats/1/return" not in owner.page(table)
    assert owner.get(f"/api{table}").json()["seats"][1]["bot"]
    assert f"{table}/seats/1/return" in guest.page(table)
    assert guest.post(f"{table}/seats/1/return").status_code == 303
    assert owner.post(f"{table}/seats/2/leave").status_code == 303  # a free seat is the host's to fill
    assert f"{table}/seats/2/return" in owner.page(table)
    assert owner.post(f"{table}/seats/2/return").status_code == 303


def test_nobody_is_removed_from_a_public_table(client: TestClient) -> None:
    ana, bea = registered(Browser(client), "Ana"), registered(Browser(client), "Bea")
    table = bea.post(f"{ana.open('me', 'open', clock='day')}/join").headers["location"]
    seats = ana.get(f"/api{table}").json()["seats"]
    theirs = next(seat["seat"] for seat in seats if not seat["mine"])
    assert ana.post(f"{table}/seats/{theirs}/remove").status_code == 403
    assert f"{table}/seats/{theirs}/remove" not in ana.page(table)
    assert bea.get(f"/api{table}").json()["seat"] == theirs
    assert ana.post(f"{table}/pace", pace="fast").status_code == 303  # what every player can do remains
    for player in (ana, bea):
        assert player.post(f"{table}/stop", agree="on").status_code == 303
    assert ana.post(f"{table}/again").status_code == 303
