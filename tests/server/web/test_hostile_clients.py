"""What attacking the service as a person found (F8 to F14): each finding is a test that failed then."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import connect

from malecon.server.accounts.guests import person_of
from malecon.server.accounts.sessions import Sessions
from malecon.server.errors import NoSuchTable
from malecon.server.operations.limits import Settings
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from malecon.server.tables.actions import TableActions
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.web.app import create_app
from malecon.text import LANGUAGES
from tests.server.people import Player, serving
from tests.server.processes import server

# --- F8 to F14


def test_f8_others_play_while_a_large_record_is_read(client: TestClient) -> None:
    player = Player(client)
    table = player.open("me", "me")["id"]
    large = json.dumps({"malecon-record": 1, "moves": [["white", "drive 1"]] * 150_000})
    sender = threading.Thread(
        target=client.post,
        args=("/records",),
        kwargs={"files": {"file": large[:3_900_000]}, "headers": {"origin": "http://testserver"}},
    )
    sender.start()
    times = []
    while sender.is_alive():
        began = time.perf_counter()
        player.state(table)
        times.append(time.perf_counter() - began)
    sender.join()
    assert times
    assert sorted(times)[len(times) // 2] < 0.2


def test_f9_nobody_is_replaced_by_the_owner_and_still_rated(client: TestClient) -> None:
    owner, guest = Player(client), Player(client)
    opened = owner.open("me", "open", "open")
    table = opened["id"]
    guest.post("/api/join", {"token": opened["seats"][1]["invitation"]})
    origin = {"origin": "http://testserver", "accept": "application/json"}
    leave = [client.post(f"/tables/{table}/seats/{seat}/leave", headers=owner.headers | origin) for seat in (1, 2, 0)]
    assert [answer.status_code for answer in leave] == [403, 200, 200]
    assert owner.state(table)["seats"][1]["bot"] is None
    assert client.post(f"/tables/{table}/seats/1/leave", headers=guest.headers | origin).status_code == 200


def test_f10_other_names_are_not_answered(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, Settings(hosts="malecon.example"))) as client:
        for host, status in (
            ("malecon.example", 200),
            ("MALECON.example:8000", 200),
            ("127.0.0.1:8000", 200),
            ("[::1]:8000", 200),
            ("localhost", 200),
            ("evil.example", 421),
            ("127.0.0.1.evil.example", 421),
            ("[", 421),
        ):
            assert client.get("/healthz", headers={"host": host}).status_code == status, host
            found = client.get("/api/tables/none", headers={"host": host}).status_code
            assert found == (404 if status == 200 else 421), host
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/tables/x/live", headers={"host": "evil"}):
            pass
    with server(tmp_path) as (port, _):
        for host, status in ((b"localhost", b"200"), (b"evil.example", b"421")):
            with socket.create_connection(("127.0.0.1", port)) as line:
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
                assert line.recv(100).split()[1] == status


def test_f11_a_used_invitation_shows_nothing(client: TestClient) -> None:
    owner, guest = Player(client), Player(client)
    token = owner.open("me", "open")["seats"][1]["invitation"]
    assert client.get(f"/join/{token}").status_code == 200
    guest.post("/api/join", {"token": token})
    assert client.get(f"/join/{token}").status_code == 404


def test_f11_names_that_look_alike_are_one_name(client: TestClient) -> None:
    def register(name: str) -> int:
        answer = Player(client).post("/api/account", {"name": name, "password": "correct horse battery"})
        return int(answer.status_code)

    assert register("copa") == 201
    assert register("сора") == 409  # the same in Cyrillic letters
    assert register("cора") == 400  # and mixed
    assert register("Мария") == 201
    assert register("хорор") == 201
    assert register("xopop") == 409  # and the other way round
    assert register("ΧΟΡΟΡ") == 409
    assert register("тοκ") == 400
    assert register("τοκ") == 201
    assert register("tok") == 409


def test_f11_guests_do_not_choose_their_own_secret(database: str) -> None:
    chosen, old = "a" * 40, "b" * 32
    storage = Storage(database)
    storage.set_choices(person_of(old), {"name": "Bea"})  # from before secrets were marked
    storage.close()
    with serving(database) as client:
        player = Player(client)
        table = player.open("me", "me")["id"]
        token = player.headers["authorization"].split()[1]
        for wrong in (chosen, token[:-1] + ("A" if token[-1] != "A" else "B"), "x" + token[1:]):
            assert client.get(f"/api/tables/{table}", headers={"authorization": f"Bearer {wrong}"}).status_code == 401
        assert client.get("/api/account", headers={"authorization": f"Bearer {old}"}).status_code != 401
        client.cookies.set("malecon", chosen)
        client.get("/")
        given = {cookie.value for cookie in client.cookies.jar if cookie.name == "malecon"} - {chosen}
        assert len(given) == 1  # a browser gets one of ours instead
    with serving(database) as client:  # the key stays the same, also in another process
        player.client = client
        assert player.state(table)["legal"]
        Sessions(client.app.state.services.storage).new_key(forget=True)  # type: ignore[attr-defined]
    with serving(database) as client:
        player.client = client
        assert player.state(table)["legal"]


def test_f11_rubbish_on_a_live_connection_leaves_no_traceback(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        table = Player(client).open("me", "me")["id"]
    with server(tmp_path) as (port, process):
        with connect(f"ws://127.0.0.1:{port}/api/tables/{table}/events") as live:
            live.recv()
            live.send(b"\xff\xfe", text=True)
            with suppress(Exception):
                live.recv(timeout=3)
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
        for path in (b"/healthz", b"/static/base.css", b"/") * 5:  # and who resets it in the middle of an answer
            with socket.create_connection(("127.0.0.1", port)) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                line.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
        time.sleep(0.5)
        process.terminate()
        process.wait(20)
    assert "Traceback" not in (tmp_path / "stderr").read_text()


def test_f11_who_has_seen_a_version_never_sees_less(client: TestClient) -> None:
    """The other process has not heard of the move yet; it looks it up before it answers."""
    services = client.app.state.services  # type: ignore[attr-defined]
    player = Player(client)
    state = player.open("me", "me", open_screens=True)
    other = TableActions(services.storage)
    theirs = asyncio.run(other.get(state["id"]))
    new = player.move(state["id"], state["legal"][0]["move"]).json()
    ours = services.tables.alive(state["id"])
    services.tables._forget(ours)
    services.tables._live[state["id"]] = theirs
    assert theirs.version < new["version"]
    assert player.get(f"/api/tables/{state['id']}?since={new['version']}").json()["version"] == new["version"]


def test_f13_a_table_that_could_not_be_loaded_once_is_one_table_afterwards(tmp_path: Path) -> None:
    storage = Storage(address_of(tmp_path))

    async def race() -> None:
        tables = TableActions(storage)
        new = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False)
        name = (await tables.open(new, "me")).id
        tables._forget(tables._live[name])
        load, fails = storage.load, [True, False, False, False]

        def broken(table: str, with_snapshot: bool = True) -> object:
            time.sleep(0.05)
            if fails.pop(0):
                raise NoSuchTable
            return load(table, with_snapshot)

        storage.load = broken  # type: ignore[method-assign, assignment]
        first = [asyncio.create_task(tables.get(name)) for _ in range(3)]
        await asyncio.sleep(0.02)
        first[0].cancel()  # whoever hangs up takes nobody along
        failed = await asyncio.gather(*first, return_exceptions=True)
        assert [type(one) for one in failed[1:]] == [NoSuchTable] * 2
        found = await asyncio.gather(*(tables.get(name) for _ in range(20)))
        assert len({id(table) for table in found}) == 1
        assert tables._loading == {}

    asyncio.run(race())
    storage.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_f14_a_wrong_token_is_refused(client: TestClient, language: str) -> None:
    player = Player(client)
    table = player.open("me", "me")["id"]
    for wrong in ("x", "", "a.b.c", "ñ" * 30, "x" * 300):
        headers = {"authorization": f"Bearer {wrong}".encode(), "accept-language": language}
        for path in ("/api/tables", f"/api/tables/{table}", "/"):
            answer = client.get(path, headers=headers)
            assert answer.status_code == 401, (wrong, path)
        assert client.get("/api/tables", headers=headers).json()["error"]
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"/api/tables/{table}/events", headers={"authorization": "Bearer x"}),
    ):
        pass
