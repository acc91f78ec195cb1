"""Conversations at tables: who hears what, plain text only, muting, reports, agreeing to stop."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from starlette.testclient import TestClient

from malecon.kernel.errors import BadSetup
from malecon.server.chat.conversations import BLOCKED, FRIEND, MOST_LISTED, Conversations
from malecon.server.chat.messages import GALLERY, LONGEST, READY, SEATED, ChatMessage, plain
from malecon.server.errors import Refused
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.store import Storage
from malecon.server.web.app import create_app
from tests.server.cluster import processes, wait_until
from tests.server.people import Browser, Player
from tests.server.postgres import Postgres, lose_acknowledgement, until_somebody_waits


def said(text: str, person: str = "ana", room: str = SEATED) -> ChatMessage:
    return ChatMessage(-1, room, person, 0 if room == SEATED else None, person, False, text, None, 1.0)


def test_text_is_plain() -> None:
    assert plain("  a\n\tb  ") == "a b"
    assert plain("\u202egnirts\u202c \u2066x\u2069\u200b\x00") == "gnirts x"
    assert plain("e\u0301") == "é"
    assert plain("z" + "\u0335" * 50) == "z" + "\u0335" * 3
    assert plain("👩‍🚀 <b>שלום</b>") == "👩‍🚀 <b>שלום</b>"
    for wrong in ("", " \u200b\u202e ", "x" * (LONGEST + 1), "\u200d"):
        with pytest.raises(BadSetup):
            plain(wrong)


def test_all_that_is_said_at_once_is_kept_in_one_order(database: str) -> None:
    storages = [Storage(database), Storage(database)]
    talks = [Conversations(storage) for storage in storages]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: talks[n % 2]._write("table", said(str(n))), range(60)))
    kept = talks[0]._read("table", -1)
    assert [message.number for message in kept] == list(range(60))
    assert {message.text for message in kept} == {str(n) for n in range(60)}
    assert len(talks[1]._read("table", 9)) == 50 <= MOST_LISTED
    for storage in storages:
        storage.close()


def test_what_people_are_to_each_other(database: str) -> None:
    storage = Storage(database)
    talk = Conversations(storage)
    talk.relate("ana", "bea", FRIEND)
    talk.relate("ana", "carl", BLOCKED)
    assert talk.relations("ana") == {"bea": FRIEND, "carl": BLOCKED}
    assert talk.avoided("carl") == ("ana",)
    assert talk.avoided("ana") == ("carl",)
    talk.relate("ana", "carl", None)
    assert talk.avoided("ana") == ()
    storage.close()


def test_a_message_whose_acknowledgement_was_lost_is_stored_once(postgres: Postgres) -> None:
    storage = Storage(postgres.new_database())
    talk = Conversations(storage)
    talk._write("table", said("hello"))
    lose_acknowledgement(storage)
    talk._write("table", replace(said("hello"), said=2.0))
    assert [message.said for message in talk._read("table", -1)] == [1.0, 2.0]
    storage.close()


def test_two_relations_to_the_same_person_at_once(postgres: Postgres) -> None:
    """Both tabs of a browser block somebody: one waits for the other, and none fails."""
    address = postgres.new_database()
    storage = Storage(address)
    talk = Conversations(storage)
    with psycopg.connect(address) as other, ThreadPoolExecutor(1) as pool:
        other.execute("INSERT INTO relations (person, other, kind) VALUES ('ana', 'bea', 'friend')")
        waiting = pool.submit(talk.relate, "ana", "bea", BLOCKED)
        with psycopg.connect(address, autocommit=True) as looking:
            until_somebody_waits(looking)
        other.commit()
        waiting.result(20)
    assert talk.relations("ana") == {"bea": BLOCKED}
    storage.close()


def test_the_other_process_hears_it(postgres: Postgres) -> None:
    async def run() -> None:
        async with processes(postgres.new_database(), 2) as (first, other):
            here, there = await first.conversations.of("table"), await other.conversations.of("table")
            await first.conversations.say("table", said("hello"))
            assert [message.text for message in here.messages] == ["hello"]
            await wait_until(lambda: [message.text for message in there.messages] == ["hello"])

    asyncio.run(run())


def test_what_spectators_say_leaves_room_for_the_players(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("malecon.server.chat.conversations.MOST_LISTED", 5)
    monkeypatch.setattr("malecon.server.chat.conversations.MOST_STORED", 8)
    storage = Storage(database)
    talk = Conversations(storage)

    async def run() -> list[str]:
        conversation = await talk.of("table")
        for number in range(3):
            await talk.say("table", said(f"player {number}"))
        for number in range(8):
            await talk.say("table", said(f"gallery {number}", "carl", GALLERY))
        with pytest.raises(Refused):  # they have said enough
            await talk.say("table", said("gallery", "carl", GALLERY))
        await talk.say("table", said("player 3"))
        assert conversation.messages == talk._read("table", -1)
        return [message.text for message in conversation.messages]

    heard = asyncio.run(run())
    storage.close()
    assert heard == ["player 0", "player 1", "player 2", *(f"gallery {number}" for number in range(3, 8)), "player 3"]


# --- over the web


@pytest.fixture
def three(client: TestClient) -> tuple[Browser, Browser, Browser, str]:
    """Two who play, one who looks on, and their table."""
    ana, bea, carl = Browser(client, "Ana"), Browser(client, "Bea", "de"), Browser(client, "Carl")
    place = ana.open("me", "open")
    table = bea.post(f"{place}/join").headers["location"]
    return ana, bea, carl, table


def hear(socket: Any) -> list[str]:
    """The next lines that come."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message.get("lines"):
            return list(message["lines"])


def test_players_hear_each_other_and_the_gallery_hears_all(three: tuple[Browser, Browser, Browser, str]) -> None:
    ana, bea, carl, table = three
    with bea.connect(f"{table}/chat") as german, carl.connect(f"{table}/chat") as gallery:
        assert german.receive_json()["all"]
        assert gallery.receive_json()["all"]
        assert carl.post(f"{table}/talk", text="Ana should sell now").status_code == 303
        assert "Ana should sell now" in hear(gallery)[0]
        assert ana.post(f"{table}/talk", phrase="hello").status_code == 303
        line = hear(german)[0]  # nothing of the gallery came before it
        assert "Hallo!" in line
        assert "Ana" in line
        assert "Hello!" in hear(gallery)[0]
    assert "should sell" not in ana.page(table) + bea.page(table)
    assert "should sell" in Browser(carl.client).page(table)


def test_the_gallery_is_heard_when_the_game_is_over(three: tuple[Browser, Browser, Browser, str]) -> None:
    ana, bea, carl, table = three
    carl.post(f"{table}/talk", text="what a game")
    with ana.connect(f"{table}/chat") as mine:
        assert mine.receive_json()["lines"] == []
        assert ana.post(f"{table}/stop", agree="on").status_code == 303
        assert "what a game" not in ana.page(table)
        assert bea.post(f"{table}/stop", agree="on").status_code == 303
        assert "what a game" in hear(mine)[0]
    assert "what a game" in bea.page(table)


def test_only_all_together_stop_a_game(three: tuple[Browser, Browser, Browser, str]) -> None:
    ana, bea, carl, table = three
    ana.post(f"{table}/stop", agree="on")
    ana.post(f"{table}/stop", agree="")
    bea.post(f"{table}/stop", agree="on")
    assert carl.post(f"{table}/stop", agree="on").status_code == 403
    assert "All agreed to stop" not in ana.page(table)
    ana.post(f"{table}/stop", agree="on")
    assert "All agreed to stop" in ana.page(table)
    assert "All agreed to stop" in ana.page("/")
    state = ana.get(f"/api{table}").json()
    assert state["legal"] == []
    assert state["result"] is None
    for browser in (ana, bea):
        assert browser.post(f"{table}/move", move="leave rum").status_code in (400, 403, 409)
        assert browser.post(f"{table}/stop", agree="").status_code == 400
    assert 'action="/tables/' not in carl.page("/").split("my-games")[0] or table not in carl.page("/")


def test_markup_and_tricks_stay_text(three: tuple[Browser, Browser, Browser, str]) -> None:
    ana, bea, carl, table = three
    ana.post(f"{table}/talk", text="<img src=x onerror=alert(1)> javascript:alert(1) \u202eevil")
    for reader in (ana, bea, carl):
        page = reader.page(table)
        assert "<img src=x" not in page
        assert "&lt;img src=x" in page
        assert "\u202e" not in page
        assert 'href="javascript' not in page
    assert ana.post(f"{table}/talk", text=" ").status_code == 400
    assert ana.post(f"{table}/talk", text="x" * 301).status_code == 400
    assert ana.post(f"{table}/talk", phrase="insult").status_code == 400


def test_muting_reporting_and_silence(three: tuple[Browser, Browser, Browser, str]) -> None:
    ana, bea, carl, table = three
    ana.post(f"{table}/talk", text="boo")
    assert bea.post(f"{table}/talk/0/report").status_code == 303
    assert bea.post(f"{table}/talk/7/report").status_code == 404
    assert bea.post(f"{table}/talk/0/mute").status_code == 303
    ana.post(f"{table}/talk", text="again")
    assert ">boo<" not in bea.page(table)
    assert ">again<" not in bea.page(table)
    assert ">boo<" in carl.page(table)
    assert ana.post(f"{table}/talk/0/mute").status_code == 400  # oneself
    carl.post("/settings", name="Carl", talk="")
    assert ">boo<" not in carl.page(table)


def test_nobody_says_too_much(tmp_path: Any) -> None:
    with TestClient(create_app(tmp_path, ServerSettings(messages=6)), client=("127.0.0.1", 5)) as client:
        ana, bea = Browser(client, "Ana"), Browser(client, "Bea")
        table = bea.post(f"{ana.open('me', 'open')}/join").headers["location"]
        answers = [ana.post(f"{table}/talk", phrase="hello").status_code for _ in range(6)]
        assert answers[:2] == [303, 303]
        assert answers[-1] == 429
        assert bea.post(f"{table}/talk", phrase="hello").status_code == 303


def test_no_talk_where_one_plays_bots(client: TestClient) -> None:
    ana = Player(client)
    table = ana.open("me", "bot:greedy")["id"]
    assert ana.client.post(f"/tables/{table}/talk", data={"text": "hi"}, headers=ana.headers).status_code == 403
    assert 'id="talk"' not in ana.get(f"/tables/{table}").text


def test_who_watches_and_who_is_away(three: tuple[Browser, Browser, Browser, str]) -> None:
    ana, _, carl, table = three
    with ana.connect(f"{table}/chat") as mine:
        assert "Away: Bea" in mine.receive_json()["here"]
        with carl.connect(f"{table}/chat") as gallery:
            gallery.receive_json()
            while True:
                if "Watching: 1 guest." in mine.receive_json().get("here", ""):
                    break


def test_every_ready_phrase_is_there_in_every_language() -> None:
    from malecon.text import LANGUAGES, translate

    for language in LANGUAGES:
        sentences = {translate(phrase, language) for phrase in READY.values()}
        assert len(sentences) == len(READY)
    assert GALLERY != SEATED
