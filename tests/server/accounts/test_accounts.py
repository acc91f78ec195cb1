"""People: guests at once, accounts that keep games across devices, sessions that end, seats that change hands."""

from __future__ import annotations

import logging
import re
import time
from pathlib import Path

import pytest
from itsdangerous import URLSafeTimedSerializer
from sqlalchemy import insert, select
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from typer.testing import CliRunner

from malecon import cli
from malecon.server.accounts.guests import person_of
from malecon.server.accounts.session_check import LOGGED_OUT
from malecon.server.accounts.visitors import COOKIE, SESSION_COOKIE
from malecon.server.errors import BadPassword
from malecon.server.storage import database as databases
from malecon.server.storage.schema import ACCOUNTS, KEYS, PEOPLE, RATINGS, SNAPSHOTS
from malecon.text import LANGUAGES
from tests.server.people import ORIGIN, PASSWORD, Player, log_in, register, services_of, serving, until, use


def test_a_guest_registers_and_goes_on_on_another_device(client: TestClient) -> None:
    ana, other = Player(client), Player(client)
    running = ana.open("me", "me")
    guest = dict(ana.headers)
    register(ana)
    assert ana.get("/api/tables").json() == [running["id"]]
    state = ana.state(running["id"])
    assert state["seat"] is not None  # the seats came along
    assert ana.move(running["id"], state["legal"][0]["move"]).status_code == 200
    assert client.get("/api/tables", headers=guest).json() == []  # and are the guest's no more
    assert client.post(f"/api/tables/{running['id']}/undo", json={}, headers=guest).status_code == 403
    mine = other.open("me", "me")
    assert log_in(other, bring=True) == 201
    assert set(other.get("/api/tables").json()) == {running["id"], mine["id"]}
    assert other.get("/api/account").json()["name"] == "Ana"


def test_names_and_passwords(client: TestClient) -> None:
    ana = Player(client)
    for name, password, status in (
        ("A", PASSWORD, 400),
        ("A\u0000na", PASSWORD, 400),
        ("Ana", "short", 400),
        ("Anastasia", "anastasia", 400),
        ("Ana", "aaaaaaaaaa", 400),
        ("x" * 41, PASSWORD, 400),
    ):
        assert ana.post("/api/account", {"name": name, "password": password}).status_code == status, name
    register(ana, "  Ana  María ")
    taken = Player(client)
    assert taken.post("/api/account", {"name": "ana maría", "password": PASSWORD}).status_code == 409
    assert ana.post("/api/account", {"name": "Another", "password": PASSWORD}).status_code == 403  # one is enough
    assert log_in(taken, "ANA MARÍA") == 201
    assert log_in(Player(client), "Ana María", "sugar and rums") == 403
    assert log_in(Player(client), "Nobody") == 403


def test_a_password_is_kept_as_a_hash_and_nothing_of_it_is_logged(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, "httpx2")  # the client of the test tells what it calls
    ana, guest = Player(client), Player(client)
    secret = guest.headers["authorization"].split()[1]
    token = register(ana)
    table = ana.open("me", "open")
    invitation = table["seats"][1]["invitation"]
    assert guest.post("/api/join", {"token": invitation}).status_code == 200
    client.get(f"/join/{invitation}")
    assert log_in(Player(client), password="wrong password") == 403
    assert log_in(Player(client)) == 201
    with services_of(client).storage.engine.connect() as connection:
        row = connection.execute(select(ACCOUNTS)).one()
        keys = connection.execute(select(KEYS)).all()
    assert row.password.startswith("$argon2id$")
    assert PASSWORD not in str(row)
    for never in (PASSWORD, "wrong password", token, secret, invitation, *(key.secret for key in keys), row.password):
        assert never not in caplog.text


def test_sessions_end(client: TestClient) -> None:
    ana, phone = Player(client), Player(client)
    register(ana)
    log_in(phone)
    answer = ana.post("/api/account/password", {"old": PASSWORD, "new": "tobacco and coffee"})
    assert answer.status_code == 200
    assert phone.get("/api/account").status_code == 401  # changing the password ended it
    assert ana.get("/api/account").status_code == 401
    use(ana, answer.json()["token"])
    assert ana.get("/api/account").status_code == 200
    assert ana.post("/api/account/password", {"old": PASSWORD, "new": "tobacco and sugar"}).status_code == 403
    assert log_in(phone) == 403
    assert log_in(phone, password="tobacco and coffee") == 201
    assert client.delete("/api/session", headers=phone.headers).status_code == 204
    assert ana.get("/api/account").status_code == 401
    assert client.delete("/api/session", headers=Player(client).headers).status_code == 403


def test_logging_out_ends_the_session_in_every_process(database: str) -> None:
    with serving(database) as client, serving(database) as other:
        ana, phone, bea = Player(client), Player(client), Player(client)
        register(ana)
        log_in(phone)
        table = bea.open("me", "me", open_screens=True)["id"]
        with (
            other.websocket_connect(f"/api/tables/{table}/events", headers=ana.headers) as mine,
            other.websocket_connect(f"/api/tables/{table}/events", headers=phone.headers) as theirs,
        ):
            mine.receive_json()
            theirs.receive_json()
            assert client.post("/account/logout", headers=ana.headers, follow_redirects=False).status_code == 303
            for server in (client, other):
                assert server.get("/api/account", headers=ana.headers).status_code == 401
                assert server.get("/api/account", headers=phone.headers).status_code == 200
            if services_of(other).storage.is_shared:  # the process with the connection is notified
                assert is_closed(mine)
                services_of(other).session_check.recheck()
                bea.move(table, bea.state(table)["legal"][0]["move"])
                assert theirs.receive_json()["version"] > 0  # the phone has a session of its own


def test_one_session_of_several_can_be_ended(client: TestClient) -> None:
    def enter(path: str, device: str) -> dict[str, str]:
        client.cookies.clear()
        answer = client.post(path, data={"name": "Ana", "password": PASSWORD}, headers=ORIGIN | {"user-agent": device})
        assert answer.status_code == 200
        return {"cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}

    phone = enter(
        "/account/register", "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/129 Mobile Safari/537"
    )
    desk = enter("/account/login", "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0")
    client.cookies.clear()
    page = client.get("/account", headers=desk).text
    assert "Chrome, Android" in page
    assert "Firefox, Linux" in page
    (other,) = re.findall(r'name="session" value="(\w+)"', page)
    stranger = Player(client)
    register(stranger, "Bea")
    client.post("/account/sessions/end", data={"session": other}, headers=stranger.headers)
    assert "Chrome, Android" in client.get("/account", headers=phone).text  # it is nobody else's to end
    done = client.post("/account/sessions/end", data={"session": other}, headers=desk | ORIGIN)
    assert "This device has been logged out." in done.text
    assert "Chrome, Android" not in client.get("/account", headers=desk).text
    gone = client.get("/account", headers=phone)
    assert 'name="password"' in gone.text
    assert f"{SESSION_COOKIE}=" in str(gone.headers.get_list("set-cookie"))  # the browser forgets it
    assert gone.headers["clear-site-data"] == '"cache", "storage"'


def test_sessions_signed_by_a_clock_ahead_are_accepted(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    ana = Player(client)
    sessions = services_of(client).sessions
    session = sessions.read(register(ana))
    assert session is not None
    for ahead, status in ((50, 200), (600, 401)):
        with monkeypatch.context() as patched:
            now = int(time.time()) + ahead
            patched.setattr("itsdangerous.TimestampSigner.get_timestamp", lambda signer, now=now: now)
            token = sessions.sign(session.id)
        assert client.get("/api/account", headers={"authorization": f"Bearer {token}"}).status_code == status


def test_a_new_key_is_known_to_other_processes_at_once(database: str) -> None:
    with serving(database) as client, serving(database) as other:
        ana = Player(client)
        register(ana)
        assert at(other, ana).get("/api/account").status_code == 200
        services_of(client).sessions.new_key()
        assert log_in(ana) == 201
        assert at(other, ana).get("/api/account").status_code == 200


def test_a_log_in_under_way_begins_no_session_once_all_are_ended(client: TestClient) -> None:
    register(Player(client))
    services = services_of(client)

    async def overtaken() -> None:
        account = await services.accounts.log_in("Ana", PASSWORD)
        await services.accounts.change_password(account, PASSWORD, "tobacco and coffee")
        with pytest.raises(BadPassword):
            services.sessions.begin(account, "thief")

    client.portal.call(overtaken)  # type: ignore[union-attr]


def test_an_account_has_a_limited_number_of_sessions(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("malecon.server.accounts.sessions.MOST_SESSIONS", 3)
    first = Player(client)
    register(first)
    players = [first]
    for _ in range(3):
        players.append(Player(client))
        assert log_in(players[-1]) == 201
    assert [player.get("/api/account").status_code for player in players] == [401, 200, 200, 200]


def at(client: TestClient, player: Player) -> Player:
    """The same person at another server."""
    other = Player(client)
    other.headers = player.headers
    return other


def out(player: Player, way: str) -> None:
    """Be logged out on all devices, one way or another."""
    if way == "everywhere":
        assert player.client.delete("/api/session", headers=player.headers).status_code == 204
    elif way == "password":
        asked = {"old": PASSWORD, "new": "tobacco and coffee"}
        assert player.post("/api/account/password", asked).status_code == 200
    else:
        assert player.post("/api/account/delete", {"password": PASSWORD}).status_code == 204


def is_closed(socket: WebSocketTestSession) -> bool:
    """Whether all that comes is that the session is over."""
    with pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_json()
    return closed.value.code == LOGGED_OUT


@pytest.mark.parametrize("way", ["everywhere", "password", "deleted"])
def test_nothing_is_sent_after_logging_out(client: TestClient, way: str) -> None:
    ana, phone, bea = Player(client), Player(client), Player(client)
    register(ana)
    log_in(phone)
    table = bea.open("me", "me", open_screens=True)
    here, events = services_of(client).session_check._listeners, f"/api/tables/{table['id']}/events"
    with (
        client.websocket_connect(events, headers=phone.headers) as program,
        client.websocket_connect(f"/tables/{table['id']}/live", headers=phone.headers) as page,
        client.websocket_connect(events, headers=Player(client).headers) as guest,
    ):
        for socket in (program, page, guest):
            socket.receive_json()
        until(lambda: here, lambda listeners: sum(map(len, listeners.values())) == 2)  # type: ignore[arg-type, return-value]
        out(ana, way)
        until(lambda: here, lambda listeners: not listeners)  # type: ignore[arg-type, return-value]
        assert bea.move(table["id"], table["legal"][0]["move"]).status_code == 200
        assert is_closed(program)
        assert is_closed(page)
        assert guest.receive_json()["version"] > table["version"]


def test_nothing_is_sent_after_the_session_ended_in_another_process(database: str) -> None:
    """Another process ends it. If its news are slow or lost, the next message is not sent all the same."""
    with serving(database) as client, serving(database) as other:
        ana, bea = Player(client), Player(client)
        register(ana)
        table = bea.open("me", "me", open_screens=True)
        services, elsewhere = services_of(client), services_of(other)
        with client.websocket_connect(f"/api/tables/{table['id']}/events", headers=ana.headers) as socket:
            socket.receive_json()
            bea.move(table["id"], table["legal"][0]["move"])
            before = socket.receive_json()
            again, services.session_check.recheck = services.session_check.recheck, lambda person=None: None  # type: ignore[method-assign]
            out(at(other, ana), "everywhere")
            legal = bea.state(table["id"])["legal"]
            assert bea.move(table["id"], legal[0]["move"]).status_code == 200
            assert is_closed(socket)
            assert before["version"] < bea.state(table["id"])["version"]
        services.session_check.recheck = again  # type: ignore[method-assign]
        if elsewhere.storage.is_shared:  # then they hear of it before anything happens at the table
            assert log_in(ana) == 201
            with client.websocket_connect(f"/api/tables/{table['id']}/events", headers=ana.headers) as socket:
                socket.receive_json()
                out(at(other, ana), "everywhere")
                until(lambda: services.session_check._listeners, lambda listeners: not listeners)  # type: ignore[arg-type, return-value]
                assert is_closed(socket)


def test_keys_can_be_changed_and_sessions_cannot_be_forged(client: TestClient) -> None:
    ana = Player(client)
    token = register(ana)
    sessions = services_of(client).sessions
    session = sessions.read(token)
    assert session is not None
    forged = URLSafeTimedSerializer("guessed", salt="malecon session").dumps(session.id)
    body, _, signature = token.rpartition(".")
    for bad in (str(forged), token[:-2], f"{body}x.{signature}", f"..{signature}", "a.b.c", "." * 300):
        assert client.get("/api/account", headers={"authorization": f"Bearer {bad}"}).status_code == 401
    sessions.new_key()
    assert ana.get("/api/account").status_code == 200  # the key before is still believed
    fresh = Player(client)
    log_in(fresh)
    sessions.new_key()
    assert ana.get("/api/account").status_code == 401  # but no older one
    assert fresh.get("/api/account").status_code == 200
    sessions.new_key(forget=True)
    assert fresh.get("/api/account").status_code == 401


def test_a_deleted_account_leaves_nothing_but_moves(client: TestClient) -> None:
    ana, bea = Player(client), Player(client)
    guest = person_of(ana.headers["authorization"].split()[1])
    services_of(client).storage.set_choices(guest, {"name": "Ana"})
    register(ana)
    opened = ana.open("me", "open", pace="instant")
    bea.post("/api/join", {"token": opened["seats"][1]["invitation"], "name": "Bea"})
    with databases.writing(services_of(client).storage.engine) as connection:
        connection.execute(insert(SNAPSHOTS), {"table": opened["id"], "number": 1, "data": b"Ana"})
    assert ana.post("/api/account/delete", {"password": "wrong password"}).status_code == 403
    assert ana.post("/api/account/delete", {"password": PASSWORD}).status_code == 204
    assert ana.get("/api/account").status_code == 401
    assert ana.get("/api/tables").status_code == 401  # the session is nobody's now
    state = bea.my_turn(opened["id"])
    assert state["seats"][0]["bot"]
    assert state["seats"][0]["name"] != "Ana"
    assert state["legal"]  # the bot has played on
    with services_of(client).storage.engine.connect() as connection:
        for table in (ACCOUNTS, RATINGS, SNAPSHOTS):
            assert connection.execute(select(table)).all() == []
        assert all("Ana" not in str(row) for row in connection.execute(select(PEOPLE)))
    register(Player(client))  # the name is free again


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages(client: TestClient, language: str) -> None:
    client.headers["accept-language"] = language
    page = client.get("/account")
    assert page.status_code == 200
    assert f'<html lang="{language}"' in page.text
    client.post("/tables", data={"game": "santiago", "seat-0": "me", "seat-1": "me"}, headers=ORIGIN)
    assert 'name="bring"' in client.get("/account").text
    wrong = client.post("/account/login", data={"name": "Ana", "password": "nothing at all"}, headers=ORIGIN)
    assert wrong.status_code == 403
    assert 'role="alert"' in wrong.text
    mine = client.post("/account/register", data={"name": "Ana", "password": PASSWORD}, headers=ORIGIN)
    assert mine.status_code == 200
    assert re.search(r"<h1[^>]*>Ana</h1>", mine.text)
    assert "/tables/" in client.get("/").text
    data = {"old": PASSWORD, "new": "tobacco and coffee"}
    assert 'role="status"' in client.post("/account/password", data=data, headers=ORIGIN).text
    assert client.post("/account/hook", data={"address": "https://example.org"}, headers=ORIGIN).status_code == 403
    client.post("/account/logout", headers=ORIGIN)
    assert 'name="password"' in client.get("/account").text
    assert "/tables/" not in client.get("/").text.replace('action="/tables/', "")
    client.post("/account/login", data={"name": "ana", "password": "tobacco and coffee"}, headers=ORIGIN)
    gone = client.post("/account/delete", data={"password": "tobacco and coffee"}, headers=ORIGIN)
    assert 'role="status"' in gone.text


def test_cookies_are_for_this_site_only(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        plain = client.post("/account/register", data={"name": "Ana", "password": PASSWORD}, follow_redirects=False)
        client.cookies.clear()
        client.base_url = "https://testserver"  # type: ignore[assignment]
        secure = client.post("/account/login", data={"name": "Ana", "password": PASSWORD}, follow_redirects=False)
    for answer, is_secure in ((plain, False), (secure, True)):
        cookies = answer.headers.get_list("set-cookie")
        prefix = "__Host-" if is_secure else ""  # by which a browser takes it from this host only
        assert {cookie.partition("=")[0] for cookie in cookies} == {prefix + COOKIE, prefix + SESSION_COOKIE}
        for cookie in cookies:
            assert "path=/;" in cookie.lower()
            assert "domain" not in cookie.lower()
            assert "httponly" in cookie.lower()
            assert "samesite=lax" in cookie.lower()
            assert ("secure" in cookie.lower().replace("malecon-session", "")) == is_secure
    assert "strict-transport-security" in secure.headers
    assert "strict-transport-security" not in plain.headers


def test_an_old_session_is_renewed(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    client.post("/account/register", data={"name": "Ana", "password": PASSWORD}, headers=ORIGIN)
    assert "set-cookie" not in client.get("/account").headers
    monkeypatch.setattr("malecon.server.accounts.visitors.RENEWAL_AGE_SECONDS", -1)
    assert SESSION_COOKIE in client.get("/account").headers["set-cookie"]


def test_accounts_are_the_same_on_either_database(database: str) -> None:
    with serving(database) as client:
        ana = Player(client)
        opened = ana.open("me", "me")
        register(ana)
        assert ana.state(opened["id"])["seat"] is not None
    with serving(database) as client:
        again = Player(client)
        assert log_in(again) == 201
        assert again.get("/api/tables").json() == [opened["id"]]
        assert again.post("/api/account/delete", {"password": PASSWORD}).status_code == 204


def test_a_new_key_from_the_command_line(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        ana = Player(client)
        register(ana)
    for arguments, status in (([], 200), (["--forget"], 401)):
        done = CliRunner().invoke(cli.app, ["new-key", "--data", str(tmp_path), *arguments])
        assert done.exit_code == 0, done.output
        with serving(tmp_path) as client:
            ana.client = client
            assert ana.get("/api/account").status_code == status


def test_names_that_look_alike_count_as_the_same_name(client: TestClient) -> None:
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


def test_names_that_differ_in_what_nobody_sees_are_taken(client: TestClient) -> None:
    def register(name: str) -> int:
        return int(Player(client).post("/api/account", {"name": name, "password": PASSWORD}).status_code)

    assert register("Vera") == 201
    for name in ("Vera\u034f", "Vera\ufe0f", "Vera\U000e0100", "Vera\u180b", "Ve\u115fra"):  # all invisible
        assert register(name) == 409
    for name in ("\u13d9era", "\ua4e6era", "\u1d20era"):  # Cherokee, Lisu, a small capital
        assert register(name) == 400
