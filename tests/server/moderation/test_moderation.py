"""What the host decides: who may open public tables, words, invitations, reports, and what is kept about one person."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from sqlalchemy import insert, select
from starlette.testclient import TestClient, WebSocketTestSession

from malecon.kernel.errors import BadSetup
from malecon.server.accounts.guests import person_of
from malecon.server.accounts.transfer import name_mark, transfer_relations, transfer_sanctions
from malecon.server.chat.conversations import Conversations
from malecon.server.moderation.moderation import BANNED, MUTED, Moderation
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.schema import ACCOUNTS, PUZZLE_RATINGS, PUZZLE_TRIES, RELATIONS, SANCTIONS, metadata
from malecon.server.storage.store import Storage
from malecon.server.web.app import create_app
from tests.server.people import HERE, ORIGIN, Browser, Player, moderating, registered, services_of
from tests.server.postgres import Postgres, until_somebody_waits

PASSWORD = "a good secret 1"


def rules(mona: Browser, **chosen: str) -> None:
    assert mona.post("/host/rules", **{"public": "everybody", "words": ""} | chosen).status_code == 303


def open_as(browser: Browser, name: str, *seats: str, **more: str) -> Any:
    """What is answered to somebody who opens a table under this name."""
    return browser.post(
        "/tables", game="santiago", name=name, **{f"seat-{n}": who for n, who in enumerate(seats)}, **more
    )


def test_only_moderators_see_the_host_page(client: TestClient) -> None:
    mona, ana = moderating(Browser(client), "Mona"), registered(Browser(client), "Ana")
    assert "What moderators did" in mona.page("/host")
    for stranger in (ana, Browser(client)):
        assert stranger.get("/host").status_code == 403
        assert stranger.post("/host/rules", public="everybody").status_code == 403
        assert stranger.post("/host/reports/x/0", what="banned").status_code == 403
        assert stranger.post("/host/people/Mona", what="banned").status_code == 403
        assert stranger.post("/host/forgive", person="x").status_code == 403
        assert stranger.post("/host/person", name="Mona", what="export").status_code == 403


def test_who_may_open_public_tables(client: TestClient) -> None:
    mona, ana, guest = moderating(Browser(client), "Mona"), registered(Browser(client), "Ana"), Browser(client)
    public: dict[str, Any] = {"game": "santiago", "join": "public", "seat-0": "me", "seat-1": "open"}
    seek: dict[str, Any] = {"game": "santiago", "players": ["2"], "clock": "day", "fill": "0"}
    assert guest.post("/tables", **public).status_code == 303
    rules(mona, public="accounts")
    assert guest.post("/tables", **public).status_code == guest.post("/find", **seek).status_code == 403
    assert ana.post("/tables", **public).status_code == 303
    rules(mona, public="moderators")
    assert ana.post("/find", **seek).status_code == 403
    assert mona.post("/tables", **public).status_code == 303
    assert guest.post("/tables", **public | {"join": "link"}).status_code == 303  # by link nobody else is concerned
    assert mona.post("/host/rules", public="nobody").status_code == 400


def test_words_that_are_not_allowed(database: str) -> None:
    storage = Storage(database)
    moderation = Moderation(storage)
    moderation.set_rules("everybody", False, "Rotter, bad egg\nfoo", False)
    for said in ("you ROTTER!", "a bad egg", "rótter", "r\u043etter"):  # the last with a Cyrillic letter
        with pytest.raises(BadSetup):
            moderation.check_words(said)
    moderation.check_words("rotterdam is a fine port")
    assert Moderation(storage).rules() == moderation.rules()
    storage.close()


def test_forbidden_words_cannot_be_hidden_by_capitals(database: str) -> None:
    storage = Storage(database)
    moderation = Moderation(storage)
    moderation.set_rules("everybody", False, "zorrillo", False)
    for text in ("ZORRILLO", "zorrIllo", "a Zorrillo"):
        with pytest.raises(BadSetup):
            moderation.check_words(text)
    storage.close()


@pytest.mark.parametrize("hidden", ["\u200b", "\u00ad", "\u202e", "\u2060", "\u034f", "\ufe0f", "\u115f", "\u0301"])
def test_forbidden_words_cannot_be_hidden_by_what_is_invisible(client: TestClient, hidden: str) -> None:
    """Wherever others see what somebody has written: in chats, notes, names of tournaments, guests and players."""
    mona, ana, bea = moderating(Browser(client), "Mona"), registered(Browser(client), "Ana"), Browser(client, "Bea")
    rude = Browser(client, "zor" + hidden + "rillo")  # before the word was forbidden
    table = bea.post(f"{ana.open('me', 'open')}/join").headers["location"]
    invitation = ana.get(f"/api{ana.open('me', 'open', join='link')}").json()["seats"][1]["invitation"]
    analysis = str(ana.post("/analysis/new", game="santiago", players="2").headers["location"])
    waiting = ana.open("me", "open")
    rules(mona, words="zorrillo")
    word = f"you zor{hidden}rillo"
    name = f"Zor{hidden}rillo"
    answers = {
        "chat": ana.post(f"{table}/talk", text=word),
        "note": ana.post(f"{analysis}/note", text=word),
        "settings": bea.post("/settings", name=name),
        "player": open_as(bea, name, "me", "me"),
        "second player": open_as(bea, "Bea", "me", "me", **{"name-1": name}),
        "public": open_as(bea, name, "me", "open", join="public"),
        "invited": bea.post(f"/join/{invitation}", name=name),
        "tournament": ana.post("/tournaments", game="santiago", format="series", name=name, bot="turista"),
        "gallery": rude.post(f"{table}/talk", text="hello"),
        "joins": rude.post(f"{waiting}/join"),
        "looks for a game": rude.post("/find", game="santiago", players="2", clock="day", fill="0"),
        "registers": rude.post("/account/register", name=name, password=PASSWORD),
    }
    assert {key: answer.status_code for key, answer in answers.items()} == dict.fromkeys(answers, 400)
    assert bea.post("/settings", name="Bea").status_code == 303


def test_by_invitation_only(client: TestClient) -> None:
    mona, guest = moderating(Browser(client), "Mona"), Browser(client)
    invites = guest.open("me", "open", join="link")
    token = guest.get(f"/api{invites}").json()["seats"][1]["invitation"]
    rules(mona, invited="on")
    stranger = Browser(client)
    assert stranger.post("/tables", game="santiago", quick="now").status_code == 403
    assert (
        stranger.client.post(
            "/api/tables",
            json={"game": "santiago", "seats": [{"who": "me"}, {"who": "open"}]},
            headers=stranger.headers,
        ).status_code
        == 403
    )
    assert stranger.post("/account/register", name="Ann", password=PASSWORD).status_code == 403
    assert stranger.post("/account/register", name="Ann", password=PASSWORD, invitation="x").status_code == 403
    assert 'name="invitation"' in stranger.page("/account")
    code = mona.page("/host/site").partition('id="code" readonly value="')[2].partition('"')[0]
    assert len(code) == 12
    assert stranger.post("/account/register", name="Ann", password=PASSWORD, invitation=code).status_code == 303
    friend = Browser(client)
    assert friend.post(f"/join/{token}", name="Friend").status_code == 303  # was invited to this very seat


def test_reports_are_seen_to_with_one_click(client: TestClient) -> None:
    mona, ana, bea = moderating(Browser(client), "Mona"), registered(Browser(client), "Ana"), Browser(client, "Bea")
    table = bea.post(f"{ana.open('me', 'open')}/join").headers["location"]
    for text in ("one", "two", "three"):
        ana.post(f"{table}/talk", text=f"rude {text}")
    for number in range(3):
        bea.post(f"{table}/talk/{number}/report")
        bea.post(f"{table}/talk/{number}/report")
    page = mona.page("/host")
    assert page.count("rude ") == 3
    assert page.count("1 ×") == 3
    name = table.rpartition("/")[2]
    assert mona.post(f"/host/reports/{name}/0", what="dismiss").status_code == 303
    assert "rude one" in bea.page(table)
    assert mona.post(f"/host/reports/{name}/1", what="muted").status_code == 303
    assert "rude two" not in bea.page(table)
    assert ana.post(f"{table}/talk", text="hello").status_code == 403
    assert ana.open("me", "open", join="link").startswith("/tables/")  # muted is not banned
    assert mona.post(f"/host/reports/{name}/2", what="banned").status_code == 303
    assert ana.post("/tables", game="santiago", quick="now").status_code == 403
    assert "Nothing was reported." in mona.page("/host")
    person = mona.page("/host/people").partition('name="person" value="')[2].partition('"')[0]
    assert mona.post("/host/forgive", person=person).status_code == 303
    assert ana.post(f"{table}/talk", text="sorry").status_code == 303


def test_what_is_hidden_or_deleted_vanishes_from_open_pages_of_every_process(postgres: Postgres) -> None:
    address, settings = postgres.new_database(), ServerSettings()
    with (
        TestClient(create_app(address, settings), raise_server_exceptions=False, client=HERE) as here,
        TestClient(create_app(address, settings), raise_server_exceptions=False, client=HERE) as there,
    ):
        mona, ana, bea = moderating(Browser(here), "Mona"), Browser(here, "Ana"), Browser(here, "Bea")
        table = bea.post(f"{ana.open('me', 'open')}/join").headers["location"]
        talker, reader = registered(Browser(here), "Talker"), Browser(there)
        name = table.rpartition("/")[2]
        with reader.connect(f"{table}/chat") as far, Browser(here).connect(f"{table}/chat") as near:
            for text in ("something vile", "my real name is Jane Roe", "good luck"):
                speaker = ana if text == "good luck" else talker
                assert speaker.post(f"{table}/talk", text=text).status_code == 303
            for socket in (far, near):
                lines = ""
                while "good luck" not in lines:
                    lines += "".join(socket.receive_json().get("lines", ()))
            assert ana.post(f"{table}/talk/0/report").status_code == 303
            assert ana.post(f"{table}/talk/1/report").status_code == 303
            assert mona.post(f"/host/reports/{name}/0", what="hide").status_code == 303
            assert gone(far) == gone(near) == [0]
            for browser in (reader, Browser(here)):
                assert "something vile" not in browser.page(table)
                assert "Jane Roe" in browser.page(table)
            assert mona.post("/host/person", name="Talker", what="delete").status_code == 303
            assert gone(far) == gone(near) == [1]
            for browser in (reader, Browser(here)):
                assert "Jane Roe" not in browser.page(table)
                assert "good luck" in browser.page(table)
            assert "Jane Roe" not in mona.page("/host")
            assert "Nothing was reported." in mona.page("/host")
            assert reader.post(f"{table}/talk/1/mute").status_code == 404
            assert ana.post(f"{table}/talk", text="and again").status_code == 303
            assert 'id="said-3"' in reader.page(table)  # no number is used twice


def gone(socket: WebSocketTestSession) -> list[int]:
    """The numbers of the messages that are taken back next."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message.get("gone"):
            return list(message["gone"])


def test_everything_about_one_person(client: TestClient) -> None:
    mona, ana, bea = moderating(Browser(client), "Mona"), registered(Browser(client), "Ana"), Browser(client, "Bea")
    table = bea.post(f"{ana.open('me', 'open')}/join").headers["location"]
    ana.post(f"{table}/talk", text="my own words")
    export = mona.post("/host/person", name="ana", what="export").json()
    assert export["account"][0]["name"] == "Ana"
    assert export["messages"][0]["text"] == "my own words"
    assert "argon2" not in str(export)
    assert ana.get("/account/export").json() == export
    assert bea.get("/account/export").json()["seats"][0]["name"] == "Bea"  # guests as well
    assert mona.post("/host/person", name="Ana", what="delete").status_code == 303
    assert "my own words" not in Browser(client).page(table)
    assert mona.post("/host/person", name="Ana", what="export").status_code == 404
    assert mona.post("/host/people/Ana", what=BANNED).status_code == 404


def test_two_sanctions_of_one_person_at_once(postgres: Postgres) -> None:
    """Two moderators act at the same time: one waits for the other, and none fails."""
    address = postgres.new_database()
    storage = Storage(address)
    moderation = Moderation(storage)
    with psycopg.connect(address) as other, ThreadPoolExecutor(1) as pool:
        other.execute("INSERT INTO sanctions (person, kind, made) VALUES ('ana', 'muted', 1)")
        waiting = pool.submit(moderation.sanction, "ana", BANNED, "Ana")
        with psycopg.connect(address, autocommit=True) as looking:
            until_somebody_waits(looking)
        other.commit()
        waiting.result(20)
    assert moderation.sanctions() == [("ana", BANNED, "Ana")]
    storage.close()


def talk(browser: Browser, table: str, text: str) -> int:
    return int(browser.post(f"{table}/talk", text=text).status_code)


def test_what_was_decided_about_a_guest_holds_for_their_account(client: TestClient) -> None:
    mona, bad, victim = moderating(Browser(client), "Mona"), Browser(client, "Bad"), Browser(client, "Victim")
    table = victim.post(f"{bad.open('me', 'open', clock='day')}/join").headers["location"]
    assert talk(bad, table, "insult one") == 303
    assert victim.post(f"{table}/talk/0/mute").status_code == 303
    victim.post(f"{table}/talk/0/report")
    assert mona.post(f"/host/reports/{table.rpartition('/')[2]}/0", what="banned").status_code == 303
    registered(bad, "Bandit")
    assert talk(bad, table, "insult two") == 403
    assert bad.post("/tables", game="santiago", quick="now").status_code == 403
    assert "Bandit" in mona.page("/host/people")
    person = mona.page("/host/people").partition('name="person" value="')[2].partition('"')[0]
    assert mona.post("/host/forgive", person=person).status_code == 303
    assert talk(bad, table, "insult three") == 303
    assert "insult three" not in victim.page(table)  # who had muted the guest


def test_the_stricter_of_two_sanctions_holds(database: str) -> None:
    storage = Storage(database)
    moderation = Moderation(storage)
    for guest, account, stricter in ((MUTED, BANNED, BANNED), (BANNED, MUTED, BANNED), (MUTED, None, MUTED)):
        moderation.sanction("guest", guest)
        moderation.sanction("account", account)
        storage.write(lambda connection: transfer_sanctions(connection, "guest", "account", "Ana"))
        assert moderation.sanctions() == [("account", stricter, "Ana")]
    storage.close()


def test_the_stricter_of_two_relations_holds(database: str) -> None:
    storage = Storage(database)
    people = Conversations(storage)
    for person, other, kind in (
        ("guest", "bea", "blocked"),
        ("account", "bea", "friend"),
        ("carla", "guest", "muted"),
        ("carla", "account", "blocked"),
        ("dora", "guest", "muted"),
        ("guest", "account", "muted"),
    ):
        people.relate(person, other, kind)
    storage.write(lambda connection: transfer_relations(connection, "guest", "account"))
    assert people.relations("guest") == {}
    assert people.relations("account") == {"bea": "blocked"}
    assert people.relations("carla") == {"account": "blocked"}
    assert people.relations("dora") == {"account": "muted"}
    storage.close()


def test_a_sanction_outlives_its_account_and_holds_for_the_name(client: TestClient) -> None:
    mona, bea = moderating(Browser(client), "Mona"), registered(Browser(client), "Bea")
    rogue = registered(Browser(client), "Rogue")
    assert bea.post("/people/Rogue/relation", kind="blocked").status_code == 303
    assert mona.post("/host/people/Rogue", what="banned").status_code == 303
    assert rogue.post("/account/delete", password=PASSWORD).status_code == 303
    with services_of(client).storage.engine.connect() as connection:
        for table in (SANCTIONS, RELATIONS):
            (row,) = connection.execute(select(table)).all()
            assert "rogue" not in str(row).lower()  # nothing but a digest
    again = registered(Browser(client), "R0GUE")  # which looks the same
    assert again.post("/tables", game="santiago", quick="now").status_code == 403
    assert "R0GUE" in mona.page("/host/people")
    assert again.post(f"{bea.open('me', 'open', clock='day')}/join").status_code == 403  # she has still blocked them


def test_an_export_is_complete_and_deletion_leaves_nothing(client: TestClient) -> None:
    """Whatever table of the database names a person is in the export, and names them no more afterwards."""
    mona, ana = moderating(Browser(client), "Mona"), registered(Browser(client), "Ana Ávila")
    storage = services_of(client).storage
    with storage.engine.connect() as connection:
        person = connection.execute(select(ACCOUNTS.c.person).where(ACCOUNTS.c.name == "Ana Ávila")).scalar_one()
    ana.open("me", "open", clock="day")
    tournament = {"game": "santiago", "format": "swiss", "players": 2, "rounds": 1, "name": "Cup"}
    answer = client.post("/api/tournaments", json=tournament, headers=ana.headers)
    assert answer.status_code == 201, answer.text
    mona.post("/host/people/Ana Ávila", what="muted")
    tried = {"person": person, "puzzle": "p1", "solved": True, "made": 1.0}
    rated = {"who": person, "rating": 1600.0, "tries": 1}
    with storage.engine.begin() as connection:
        connection.execute(insert(PUZZLE_TRIES), tried)
        connection.execute(insert(PUZZLE_RATINGS), rated)
    export = ana.get("/account/export").json()
    assert export["sanctions"][0]["kind"] == "muted"
    assert export["puzzles"][0]["puzzle"] == "p1"
    assert export["puzzle_rating"] == [{"rating": 1600.0, "tries": 1}]
    assert export["own_tournaments"][0]["name"] == "Cup"
    assert len(export["waiting"]) == len(export["own_waiting"]) == 1
    assert ana.post("/account/delete", password=PASSWORD).status_code == 303
    with storage.engine.connect() as connection:
        for table in metadata.sorted_tables:
            rows = str(connection.execute(select(table)).all())
            assert person not in rows, table.name
            assert "Ávila" not in rows, table.name


def test_a_guest_deletes_everything(client: TestClient) -> None:
    bea, ana, services = Browser(client, "Beatriz"), Browser(client, "Ana"), services_of(client)
    person = person_of(bea.headers["authorization"].split()[1])
    assert "/account/export" in bea.page("/account")
    assert "/account/export" not in client.get("/account").text  # nothing is kept about a new visitor
    table = bea.post(f"{ana.open('me', 'open', clock='day')}/join").headers["location"]
    bea.post(f"{table}/talk", text="my own words")
    bea.open("me", "open", clock="day")
    assert bea.post("/account/delete", password="meant for an account").status_code == 403
    assert bea.post("/account/delete").headers["location"] == "/account?done=forgotten"
    state = ana.get(f"/api{table}").json()
    assert "Beatriz" not in str(state)
    assert any(seat["bot"] for seat in state["seats"])
    assert services.lobby.store.waiting() == []
    with services.storage.engine.connect() as connection:
        for stored in metadata.sorted_tables:
            rows = str(connection.execute(select(stored)).all())
            assert person not in rows, stored.name
            assert "Beatriz" not in rows, stored.name
    program = Player(client)
    opened = program.open("me", "open")
    assert program.post("/api/account/delete", {}).status_code == 204
    assert program.state(opened["id"])["seat"] is None


def test_a_browser_forgets_a_guest_who_deletes_everything(client: TestClient) -> None:
    client.post("/settings", data={"name": "Bea"}, headers=ORIGIN)
    assert 'value="Bea"' in client.get("/settings").text
    assert "has been deleted" in client.post("/account/delete", headers=ORIGIN).text
    assert 'value="Bea"' not in client.get("/settings").text


def test_a_sanction_cannot_be_escaped_by_capitals() -> None:
    assert name_mark("Ian") == name_mark("ian") == name_mark("IAN") != name_mark("Ana")
