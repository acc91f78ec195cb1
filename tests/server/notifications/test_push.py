"""Web Push: sealed for one device and signed by us, for what each person wants to hear, once, and never in the way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from starlette.testclient import TestClient

from malecon.kernel.errors import BadSetup
from malecon.server.notifications import addresses, devices, dispatcher, encryption, outgoing_http, push
from malecon.server.operations.limits import Limiter
from malecon.server.operations.metrics import Metrics
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from malecon.server.web.app import create_app
from malecon.server.web.services import Services
from tests.clock import Clock
from tests.server.cluster import processes, wait_until
from tests.server.lobby.waiting_tables import waiting
from tests.server.people import HERE, PASSWORD, Browser, Player, log_in, register, until
from tests.server.postgres import Postgres
from tests.server.push_service import PushService, Subscriber, check_signature, decoded, encoded
from tests.server.slow_service import SlowService

LOCAL = ServerSettings(push="any", contact="mailto:host@example.org")


@pytest.fixture
def service() -> Iterator[PushService]:
    push_service = PushService()
    yield push_service
    push_service.close()


@pytest.fixture
def slow() -> Iterator[SlowService]:
    slow_service = SlowService()
    yield slow_service
    slow_service.close()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path, LOCAL), raise_server_exceptions=False, client=HERE) as test_client:
        yield test_client


def key_of(client: TestClient) -> str:
    return str(client.get("/push/key").json()["key"])


def subscribe(who: Player | Browser, device: Subscriber, status: int = 204) -> None:
    answer = who.client.post("/push/device", json=device.subscription(), headers=who.headers)
    assert answer.status_code == status, answer.text


def heard(device: Subscriber, key: str, number: int = 1) -> list[dict[str, Any]]:
    return until(lambda: device.heard(key), lambda messages: len(messages) >= number)  # type: ignore[arg-type, return-value]


def end_a_turn(first: Player, then: Player, table: str) -> None:
    """Play until the turn passes from the one to the other."""
    for player, other in ((then, first), (first, then)):
        while legal := player.state(table)["legal"]:
            player.move(table, legal[0]["move"])
        assert other.state(table)["legal"]


# --- the format


def test_the_example_of_rfc_8291() -> None:
    sealed = encryption.encrypt(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        own="yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
        salt=decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encoded(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_signature_is_for_one_service_and_for_half_a_day() -> None:
    private = encryption.new_private()
    header = encryption.authorization("https://push.example/send/1?x=2", private, "mailto:a@b.example", 1_000_000.5)
    claims = check_signature(header, encryption.public_of(private), "https://push.example")
    assert claims["exp"] == 1_000_000 + 12 * 3600
    with pytest.raises((AssertionError, InvalidSignature)):
        check_signature(header, encryption.public_of(encryption.new_private()), "https://push.example")


def test_two_messages_cannot_be_told_apart_by_their_length(service: PushService) -> None:
    device = devices.Device("", "", "", **Subscriber(service, "x").subscription()["keys"], language="en")
    short, long = (push.PushMessage("Cuba", "a" * n, "/", "t", 1).encrypted_for(device, "en") for n in (3, 90))
    assert len(short) == len(long)


# --- who is told what


def test_the_player_to_move_is_notified_in_their_language(client: TestClient, service: PushService) -> None:
    ana, bea = Player(client), Player(client, "de")
    phone = Subscriber(service, "phone")
    subscribe(bea, phone)
    opened = ana.open("me", "open")
    bea.post("/api/join", {"token": opened["seats"][1]["invitation"], "name": "Bea"})
    end_a_turn(ana, bea, opened["id"])
    (message,) = heard(phone, key_of(client))
    path = f"/tables/{opened['id']}"
    assert message == {
        "title": "Santiago de Cuba",
        "body": "Du bist am Zug.",
        "path": path,
        "tag": f"turn-{opened['id']}",
        "lang": "de",
    }


def test_nobody_is_told_of_games_against_bots_alone(client: TestClient, service: PushService) -> None:
    ana, tablet = Player(client), Subscriber(service, "tablet")
    subscribe(ana, tablet)
    opened = ana.open("me", "bot:turista")
    state = ana.my_turn(opened["id"])
    for _ in range(8):
        ana.move(opened["id"], state["legal"][0]["move"])
        state = ana.my_turn(opened["id"])
    assert tablet.heard(key_of(client)) == []


def test_the_three_wishes_are_apart(client: TestClient, service: PushService) -> None:
    """Of a free seat hears who wants to, once an hour; not who waits there, and not who wants other messages only."""
    ana, bea, carl = Browser(client, "Ana"), Browser(client, "Bea", "it"), Browser(client, "Carl")
    phones = [Subscriber(service, name) for name in ("ana", "bea", "carl")]
    for who, phone in zip((ana, bea, carl), phones, strict=True):
        subscribe(who, phone)
    bea.post("/settings", name="Bea", push_seat="on")
    ana.post("/settings", name="Ana", push_seat="on")
    carl.post("/settings", name="Carl", push_turn="on", push_rematch="on")
    place = ana.open("me", "open")
    key = key_of(client)
    (message,) = heard(phones[1], key)
    assert (message["path"], message["body"]) == (place, "C’è un posto libero a un tavolo pubblico.")
    Browser(client).open("me", "open")  # somebody else's: Ana hears of it, Bea has just heard of one
    assert heard(phones[0], key)[0]["path"].startswith("/waiting/")
    assert len(phones[1].heard(key)) == 1
    assert phones[2].heard(key) == []


def test_a_wish_to_play_again_is_told(client: TestClient, service: PushService) -> None:
    ana, bea = Player(client), Player(client, "es")
    phone = Subscriber(service, "phone")
    subscribe(bea, phone)
    opened = ana.open("me", "open")
    bea.post("/api/join", {"token": opened["seats"][1]["invitation"], "name": "Bea"})
    headers = ana.headers | {"origin": "http://testserver"}
    for player in (ana, bea):
        client.post(f"/tables/{opened['id']}/stop", data={"agree": "on"}, headers=headers | player.headers)
    assert client.post(f"/tables/{opened['id']}/again", headers=headers, follow_redirects=False).status_code == 303
    again = [message for message in heard(phone, key_of(client)) if message["tag"].startswith("again-")]
    while not again:
        again = [message for message in heard(phone, key_of(client), 2) if message["tag"].startswith("again-")]
    assert again[0]["path"] == f"/tables/{opened['id']}"
    assert "volver a jugar" in again[0]["body"]


def test_who_sits_at_the_table_is_told_later(client: TestClient, service: PushService, monkeypatch: Any) -> None:
    """While the page of the table is open nobody is told at once, and not at all once they have moved."""
    monkeypatch.setattr(push, "AT_TABLE_SECONDS", 0.3)
    ana, bea = Player(client), Player(client)
    phone = Subscriber(service, "phone")
    subscribe(bea, phone)
    opened = ana.open("me", "open")
    bea.post("/api/join", {"token": opened["seats"][1]["invitation"], "name": "Bea"})
    table = opened["id"]
    with client.websocket_connect(f"/tables/{table}/chat", headers=bea.headers) as socket:
        socket.receive_json()
        end_a_turn(ana, bea, table)
        (message,) = heard(phone, key_of(client))
    assert message["tag"] == f"turn-{table}"


def test_a_service_that_never_answers_holds_up_no_move(client: TestClient, slow: SlowService) -> None:
    ana, bea = Player(client), Player(client)
    phone = Subscriber(slow, "phone")  # type: ignore[arg-type]
    subscribe(bea, phone)
    table = ana.open("me", "open")
    bea.post("/api/join", {"token": table["seats"][1]["invitation"]})
    end_a_turn(ana, bea, table["id"])
    until(lambda: {"calls": slow.calls}, lambda counts: counts["calls"])
    kept = client.app.state.services.push  # type: ignore[attr-defined]
    bea.move(table["id"], bea.state(table["id"])["legal"][0]["move"])
    assert len(kept._dispatcher._queues) == 1  # the move was answered, and the service has still said nothing


# --- devices


def test_devices_that_are_gone_are_forgotten(client: TestClient, service: PushService, monkeypatch: Any) -> None:
    monkeypatch.setattr(dispatcher, "RETRY_SECONDS", (0.01, 0.01))
    kept = client.app.state.services.push  # type: ignore[attr-defined]
    ana = Browser(client, "Ana")
    ana.post("/settings", name="Ana", push_seat="on")
    (person,) = {device.person for device in _subscribed(kept, ana, Subscriber(service, "phone"))}
    for status, times, left in ((201, 1, 1), (503, 4, 1), (429, 7, 1), (400, 8, 1), (410, 9, 0)):
        service.status = status
        monkeypatch.setattr(push, "FREE_SEAT_SECONDS", -10.0)
        Browser(client).open("me", "open")
        until(lambda: {"n": len(service.taken)}, lambda counts, n=times: counts["n"] >= n)  # type: ignore[misc]
        until(lambda: {"n": len(kept._dispatcher._queues)}, lambda counts: not counts["n"])
        assert len(service.taken) == times
        assert len(kept.devices.of(person)) == left


def _subscribed(kept: push.PushNotifier, who: Browser, device: Subscriber) -> list[devices.Device]:
    subscribe(who, device)
    own = device.subscription()["endpoint"]
    return kept.devices._storage.read(
        lambda connection: [
            devices._device(row)
            for row in connection.execute(devices.select(devices.DEVICES)).mappings()
            if row["endpoint"] == own
        ]
    )


def test_a_device_belongs_to_one_person(client: TestClient, service: PushService) -> None:
    kept = client.app.state.services.push  # type: ignore[attr-defined]
    ana, bea = Browser(client, "Ana"), Browser(client, "Bea")
    shared = Subscriber(service, "shared")
    (mine,) = _subscribed(kept, ana, shared)
    (theirs,) = _subscribed(kept, bea, shared)
    assert theirs.person != mine.person
    forget = {"endpoint": shared.endpoint}
    assert ana.client.post("/push/forget", json=forget, headers=ana.headers).status_code == 204
    assert len(kept.devices.of(theirs.person)) == 1  # it is not Ana's any more
    assert bea.client.post("/push/forget", json=forget, headers=bea.headers).status_code == 204
    assert kept.devices.of(theirs.person) == []


def test_devices_follow_the_account_and_end_with_its_sessions(client: TestClient, service: PushService) -> None:
    kept = client.app.state.services.push  # type: ignore[attr-defined]
    ana, phone = Player(client), Subscriber(service, "phone")
    subscribe(ana, phone)
    register(ana)
    number = lambda: len(kept.devices._storage.read(  # noqa: E731
        lambda connection: connection.execute(devices.select(devices.DEVICES)).all()))  # fmt: skip
    assert number() == 1
    assert "devices" in ana.client.get("/account/export", headers=ana.headers).json()
    client.delete("/api/session", headers=ana.headers)
    assert number() == 0
    answer = ana.post("/api/session", {"name": "Ana", "password": PASSWORD})
    ana.headers = ana.headers | {"authorization": f"Bearer {answer.json()['token']}"}
    subscribe(ana, phone)
    assert ana.post("/api/account/delete", {"password": PASSWORD}).status_code == 204
    assert number() == 0


def test_a_device_ends_with_the_session_that_added_it(client: TestClient, service: PushService) -> None:
    kept = client.app.state.services.push  # type: ignore[attr-defined]
    ana, desk = Player(client), Player(client)
    subscribe(ana, Subscriber(service, "phone"))  # as a guest, who then registers in this browser
    register(ana)
    log_in(desk)
    subscribe(desk, Subscriber(service, "desk"))
    person = kept.devices._storage.read(
        lambda connection: connection.execute(devices.select(devices.DEVICES.c.person).distinct()).scalar_one()
    )
    assert len(kept.devices.of(person)) == 2
    client.post("/account/logout", headers=ana.headers, follow_redirects=False)
    assert [device.endpoint.rpartition("/")[2] for device in kept.devices.of(person)] == ["desk"]


def test_no_other_addresses_than_those_of_push_services(tmp_path: Path, service: PushService) -> None:
    """Https, the usual port, public: what it resolves to is looked at with every call, as for web hooks."""
    keys = Subscriber(service, "x").subscription()["keys"]
    for endpoint in (service.origin, "https://push.example:8443/x", "ftp://push.example", "https://a b/", "x" * 2000):
        with pytest.raises(BadSetup):
            devices.check_device("ana", endpoint, **keys, language="en", any_address=False)
    for wrong in ({"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": encoded(b"\4" + b"\1" * 64)}, {"auth": "ä" * 22}):
        with pytest.raises(BadSetup):
            devices.check_device("ana", "https://push.example/x", **keys | wrong, language="en", any_address=False)
    with pytest.raises(addresses.NotAllowed):
        asyncio.run(outgoing_http.send("https://127.0.0.1/x", {}, b""))
    with TestClient(create_app(tmp_path, ServerSettings(push="off")), client=HERE) as client:
        assert client.get("/push/key").status_code == 403
        subscribe(Player(client), Subscriber(service, "x"), status=403)
        assert 'id="push"' not in client.get("/settings").text


# --- devices that do not answer


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[Services]:
    services = Services(Storage(address_of(folder)), Metrics(), Limiter(LOCAL))
    yield services
    await services.close()


def add_device(services: Services, person: str, subscriber: Subscriber, confirmed: bool) -> devices.Device:
    data = subscriber.subscription()
    device = devices.check_device(person, data["endpoint"], **data["keys"], language="en", any_address=True)
    services.push.add(device)
    if confirmed:
        services.push.devices.confirm(device, time.time())
    return device


async def table_of_two(services: Services, person: str, other: str) -> Table:
    new = NewTable("santiago", (NewSeat("me"), NewSeat("person", "Other", other)), automatic=False)
    return await services.tables.open(new, person)


async def end_turn(services: Services, table: Table, person: str, other: str) -> None:
    """Play until the turn passes from the one to the other."""
    for player in (other, person):
        while table.waits_for(table.seats_of(player)):
            await services.tables.move(table, player, str(table.match.legal_moves[0]))


async def all_sent(services: Services) -> None:
    await wait_until(lambda: not services.push._background and not services.push._dispatcher._queues, 20)


@pytest.mark.parametrize("confirmed", [True, False])
def test_somebody_elses_hanging_devices_do_not_keep_a_person_from_being_notified(
    tmp_path: Path, service: PushService, slow: SlowService, monkeypatch: pytest.MonkeyPatch, confirmed: bool
) -> None:
    """Ten devices at fifty tables; none of their calls ends before the test does."""
    monkeypatch.setattr(outgoing_http, "TIMEOUT_SECONDS", 600.0)
    monkeypatch.setattr(devices, "MOST_PER_GUEST", devices.MOST_PER_PERSON)

    async def run() -> None:
        async with server(tmp_path) as services:
            phone = Subscriber(service, "phone")
            add_device(services, "victim", phone, confirmed)
            for number in range(10):
                add_device(services, "mallory", Subscriber(slow, f"{number}"), confirmed)  # type: ignore[arg-type]
            for _ in range(50):
                table = await table_of_two(services, "mallory", "friend")
                await end_turn(services, table, "friend", "mallory")
            await wait_until(lambda: slow.calls >= dispatcher.MAX_CONCURRENT_PER_OWNER, 20)
            table = await table_of_two(services, "victim", "friend")
            await end_turn(services, table, "friend", "victim")
            key = encryption.public_of(services.push.devices.private_key())
            await wait_until(lambda: len(phone.heard(key)) == 1, 20)
            assert slow.calls == dispatcher.MAX_CONCURRENT_PER_OWNER
            assert services.push._dispatcher._owners["mallory"].queues <= dispatcher.MOST_WAITING_PER_OWNER

    asyncio.run(run())


def test_a_device_that_times_out_three_times_is_left_alone_for_an_hour(
    tmp_path: Path, slow: SlowService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing_http, "TIMEOUT_SECONDS", 0.1)
    monkeypatch.setattr(dispatcher, "RETRY_SECONDS", (0.01, 0.01))
    clock = Clock()

    async def run() -> None:
        async with server(tmp_path) as services:
            services.push._failing = push.FailingDevices(clock)
            add_device(services, "ana", Subscriber(slow, "phone"), confirmed=True)  # type: ignore[arg-type]
            table = await table_of_two(services, "ana", "bea")
            for seconds_later, calls in ((0, 3), (push.PAUSE_SECONDS - 1, 3), (2, 6)):
                clock.advance(seconds_later)
                await end_turn(services, table, "bea", "ana")
                await all_sent(services)
                assert slow.calls == calls

    asyncio.run(run())


def test_a_new_device_gets_little_until_it_accepts_a_message(
    tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each message is tried once, and after three that were not accepted it hears nothing for a day."""
    monkeypatch.setattr(dispatcher, "RETRY_SECONDS", (0.01, 0.01))
    clock = Clock()

    async def run() -> None:
        async with server(tmp_path) as services:
            services.push._failing = push.FailingDevices(clock)
            add_device(services, "ana", Subscriber(service, "phone"), confirmed=False)
            table = await table_of_two(services, "ana", "bea")
            days = [(0.0, 200, 1), (0.0, 503, 2), (0.0, 400, 3), (0.0, 201, 3), (push.NEW_DEVICE_PAUSE_SECONDS, 201, 4)]
            for seconds_later, status, calls in (*days, (0.0, 503, 7)):  # from now on it is tried three times
                clock.advance(seconds_later)
                service.status = status
                await end_turn(services, table, "bea", "ana")
                await all_sent(services)
                assert len(service.taken) == calls
                assert services.push.devices.of("ana")[0].is_confirmed == (calls >= 4)

    asyncio.run(run())


def test_unused_devices_are_tidied_away(tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "UNUSED_SECONDS", -60.0)

    async def run() -> None:
        async with server(tmp_path) as services:
            for left in (0, 1):  # once an hour
                add_device(services, "ana", Subscriber(service, "phone"), confirmed=True)
                await services.push.tick()
                assert len(services.push.devices.of("ana")) == left

    asyncio.run(run())


def test_failures_at_the_same_time_count_as_one() -> None:
    clock, device = Clock(), devices.Device("id", "ana", "https://push.example/", "", "", "en", confirmed=1.0)
    failing, rounds = push.FailingDevices(clock), 0
    while not failing.is_paused(device):
        began, rounds = clock(), rounds + 1
        clock.advance(0.1)
        for _ in range(10):
            failing.add_failure(device, began)
    assert rounds == push.MOST_FAILURES


# --- two processes


def test_of_two_processes_one_tells_and_both_have_the_same_key(postgres: Postgres, service: PushService) -> None:
    async def run() -> None:
        async with processes(postgres.new_database(), 2, LOCAL) as both:
            keys = await asyncio.gather(*(asyncio.to_thread(services.push.devices.private_key) for services in both))
            assert keys[0] == keys[1]
            phones = [Subscriber(service, f"{number}") for number in range(6)]
            for number, phone in enumerate(phones):
                device_data = phone.subscription()
                device = devices.check_device(
                    f"p{number}", device_data["endpoint"], **device_data["keys"], language="en", any_address=True
                )
                both[number % 2].push.add(device)
                await asyncio.to_thread(both[0].storage.set_choices, f"p{number}", {"push_seat": True})
            opened = [await services.lobby.open(waiting(f"owner{n}", 3)) for n, services in enumerate(both)]
            assert len(opened) == 2
            end = time.monotonic() + 20
            while len(service.taken) < 6 or any(services.push._dispatcher._queues for services in both):
                assert time.monotonic() < end
                await asyncio.sleep(0.01)
            public = encryption.public_of(keys[0])
            assert [len(phone.heard(public)) for phone in phones] == [1] * 6

    asyncio.run(run())
