"""Limits: who asks too much is told to wait, in their language; this machine and everybody else go on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from malecon.server.errors import TooOften
from malecon.server.operations import limits
from malecon.server.operations.limits import Buckets, Limiter, address_of
from malecon.server.operations.metrics import Metrics
from malecon.server.operations.settings import ServerSettings
from malecon.server.web.app import create_app
from malecon.server.web.connections import LimitedHttpProtocol
from malecon.server.workers.worker_pool import HINT, WorkerPool
from malecon.text import LANGUAGES
from tests.server.people import ORIGIN, Player, until


@contextmanager
def far_away(folder: Path, address: str = "203.0.113.9", **settings: int) -> Iterator[TestClient]:
    """A client that is not on this machine."""
    with TestClient(create_app(folder, ServerSettings(**settings)), client=(address, 5000)) as client:  # type: ignore[arg-type]
        yield client


def test_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(limits.time, "monotonic", lambda: now)
    buckets = Buckets(3, 60)
    for _ in range(3):
        buckets.take("a")
    with pytest.raises(TooOften) as refused:
        buckets.take("a")
    assert refused.value.wait == 20
    buckets.take("b")
    now += 20
    buckets.take("a")
    assert buckets.wait("a") == pytest.approx(20)
    buckets.charge("a", 6)
    assert buckets.wait("a") == pytest.approx(140)
    now += 1e6
    assert buckets.wait("a", 3) == 0  # full, and no fuller
    assert buckets.wait("a", 4) > 0
    for number in range(limits.MOST_CLIENTS + 10):
        buckets.charge(f"client {number}", 1)
    assert len(buckets._left) <= limits.MOST_CLIENTS
    endless = Buckets(0, 60)
    for _ in range(100):
        endless.take("a")


@pytest.mark.parametrize("language", LANGUAGES)
def test_too_many_requests(tmp_path: Path, language: str) -> None:
    with far_away(tmp_path, requests=5) as client:
        client.headers["accept-language"] = language
        assert [client.get("/api/games").status_code for _ in range(7)] == [200] * 5 + [429] * 2
        refused = client.get("/api/games")
        assert 1 <= int(refused.headers["retry-after"]) <= 12
        assert refused.json()["error"]
        page = client.get("/")
        assert page.status_code == 429
        assert f'<html lang="{language}"' in page.text
        assert client.get("/static/base.css").status_code == 200
        assert client.get("/healthz").status_code == 200
        for path in ("/static/nope", "/static/", "/healthzzz", "/drawing.css2", "/metrics/x"):
            assert client.get(path).status_code == 429, path
        assert client.post("/healthz", headers=ORIGIN).status_code == 429


def test_reading_goes_on_when_writing_must_wait(tmp_path: Path) -> None:
    with far_away(tmp_path, writes=3) as client:
        player = Player(client)  # that was one
        opened = player.open("me", "me")
        state = player.state(opened["id"])
        assert player.move(opened["id"], state["legal"][0]["move"]).status_code == 200
        state = player.state(opened["id"])
        assert player.move(opened["id"], "drive 1").status_code == 429
        assert player.state(opened["id"]) == state


def test_tables_by_address_and_by_person(tmp_path: Path) -> None:
    body = {"game": "santiago", "seats": [{"who": "me"}, {"who": "me"}]}
    with far_away(tmp_path / "a", tables=2) as client:
        answers = [Player(client).post("/api/tables", body) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert int(answers[-1].headers["retry-after"]) > 1000
        form = {"game": "santiago", "quick": "now"}
        assert client.post("/tables", data=form, headers={"origin": "http://testserver"}).status_code == 429
    with far_away(tmp_path / "b", open_tables=2) as client:
        player, other = Player(client), Player(client)
        answers = [player.post("/api/tables", body).status_code for _ in range(3)]
        assert answers == [201, 201, 409]
        assert other.post("/api/tables", body).status_code == 201


def test_live_connections(tmp_path: Path) -> None:
    with far_away(tmp_path, sockets=2) as client:
        path = f"/tables/{Player(client).open('me', 'me')['id']}/live"
        with (
            client.websocket_connect(path),
            client.websocket_connect(path),
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(path),
        ):
            pass
        with client.websocket_connect(path) as again:  # the others have left
            assert again.receive_json()["html"]


def test_guessing_passwords_is_slow_even_here(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, ServerSettings(logins=3))) as client:
        player = Player(client)
        guesses = [player.post("/api/session", {"name": "Ana", "password": f"guess {n} of many"}) for n in range(5)]
        assert [guess.status_code for guess in guesses] == [403] * 3 + [429] * 2
        data = {"name": "Ana", "password": "guess 6 of many"}
        page = client.post("/account/login", data=data, headers=ORIGIN)
        assert page.status_code == 429


def test_a_name_is_one_name_however_it_is_written() -> None:
    limiter = Limiter(ServerSettings(logins=1))  # five for one name
    names = ["Ana María", "ana  maría", " ANA MARÍA ", "Ana Mari\u0301a", "\uff21na\u2003Mar\u00eda", "ana mar\u00eda"]
    for number, name in enumerate(names):
        scope = {"type": "http", "client": (f"203.0.113.{number}", 1)}
        if number < 5:
            limiter.check_login(scope, name)
    with pytest.raises(TooOften):
        limiter.check_login(scope, name)


def test_bots_think_for_everybody(tmp_path: Path) -> None:
    """Who has used up their time gets no hints, and their bots wait; somebody else's do not."""
    with far_away(tmp_path, thought=100) as client:
        ana, bea = Player(client), Player(client)
        table = ana.open("me", "me", open_screens=True)["id"]
        hint = f"/tables/{table}/hint"
        services = client.app.state.services  # type: ignore[attr-defined]
        owner = services.tables.get_loaded(table).row.owner
        services.limiter.think_time.charge(owner, 200)
        refused = client.post(hint, headers=ana.headers | ORIGIN | {"accept": "application/json"})
        assert refused.status_code == 429
        mine = ana.open("bot:greedy", "bot:greedy")["id"]
        theirs = bea.open("bot:greedy", "bot:greedy")["id"]
        end = time.monotonic() + 20
        while bea.state(theirs)["turn"] is not None and time.monotonic() < end:
            time.sleep(0.05)
        assert bea.state(theirs)["turn"] is None
        assert len([move for move in ana.state(mine)["history"] if move["seat"] >= 0]) < 5


def test_persons_cost_nothing_so_bots_think_for_addresses(tmp_path: Path) -> None:
    """Making up persons gives nobody more of the bots' time."""
    with far_away(tmp_path, thought=100, address_thought=150) as client:
        services = client.app.state.services  # type: ignore[attr-defined]
        people = [Player(client) for _ in range(3)]
        tables = [player.open("me", "me", open_screens=True)["id"] for player in people]
        for table in tables[:2]:
            services.limiter.charge_think_time(services.tables.get_loaded(table).row.owner, 90)
        paths = [f"/tables/{table}/hint" for table in tables]
        headers = [player.headers | ORIGIN | {"accept": "application/json"} for player in people]
        assert [client.post(path, headers=head).status_code for path, head in zip(paths, headers, strict=True)] == [
            429
        ] * 3
        register = {"name": "Ana", "password": "sugar and rum"}
        token = people[2].post("/api/account", register).json()["token"]  # an account is no new address
        again = client.post(paths[2], headers=headers[2] | {"authorization": f"Bearer {token}"})
        assert again.status_code == 429
        waiting = people[0].open("bot:greedy", "bot:greedy")["id"]
        elsewhere = TestClient(client.app, client=("198.51.100.7", 5000))
        elsewhere.portal = client.portal  # of the same server
        other = Player(elsewhere)
        theirs = other.open("bot:greedy", "bot:greedy")["id"]
        until(lambda: other.state(theirs), lambda state: state["turn"] is None)
        assert len([move for move in people[0].state(waiting)["history"] if move["seat"] >= 0]) < 5


def test_owners_take_turns_in_the_bots_pool() -> None:
    async def think() -> list[str]:
        pool, order = WorkerPool(1, Limiter(ServerSettings()), Metrics()), list[str]()
        greedy = [asyncio.create_task(pool.run(HINT, "ana", order.append, "ana")) for _ in range(20)]
        hung_up = asyncio.create_task(pool.run(HINT, "carla", order.append, "carla"))
        await asyncio.sleep(0)
        modest = [asyncio.create_task(pool.run(HINT, "bea", order.append, "bea")) for _ in range(2)]
        await asyncio.sleep(0)
        hung_up.cancel()
        await asyncio.gather(*greedy, *modest)
        await pool.run(HINT, "ana", order.append, "last")  # no thread was lost
        pool.close()
        return order

    order = asyncio.run(think())
    assert order.index("bea") <= 3
    assert order[:7].count("bea") == 2
    assert len(order) == 23


def test_this_machine_is_not_limited(tmp_path: Path) -> None:
    for address in ("127.0.0.1", "::1"):
        with far_away(tmp_path / address[0], address, requests=3, writes=3, sockets=1, tables=1) as client:
            assert all(client.get("/api/games").status_code == 200 for _ in range(6))
            assert Player(client).open("me", "me")
            assert Player(client).open("me", "me")


def test_addresses() -> None:
    def client_of(host: str) -> str | None:
        return address_of({"type": "http", "client": (host, 1)})

    assert client_of("203.0.113.9") == "203.0.113.9"
    assert client_of("::ffff:203.0.113.9") == "203.0.113.9"
    assert client_of("2001:db8:1:2:3::4") == client_of("2001:db8:1:2::9") != client_of("2001:db8:1:3::9")
    assert client_of("127.0.0.1") is client_of("::1") is client_of("::ffff:127.0.0.1") is None
    # what makes no sense is nobody's way around the limits, and all of it is one client
    assert client_of("testclient") == client_of("127.0.0.1, x") == client_of("") == client_of("unix:") == limits.UNKNOWN
    assert address_of({"type": "http", "client": None}) is None


def test_only_a_trusted_proxy_says_who_asks(tmp_path: Path) -> None:
    app = create_app(tmp_path, ServerSettings(requests=2))
    for proxy, trusted in (("198.51.100.1", True), ("198.51.100.2", False)):
        behind = ProxyHeadersMiddleware(app, trusted_hosts="198.51.100.1")
        with TestClient(behind, client=(proxy, 1)) as client:
            codes = [
                client.get("/api/games", headers={"x-forwarded-for": f"192.0.2.77, 203.0.113.{n}"}).status_code
                for n in range(5)
            ]
        # trusted: five clients, whatever they claimed about who sent them; else one client that tells stories
        assert codes == ([200] * 5 if trusted else [200] * 2 + [429] * 3)


def test_closed_connections_are_not_counted() -> None:
    limiter = Limiter(ServerSettings())
    scope = {"type": "websocket", "client": ("203.0.113.9", 1)}
    assert limiter.open_socket(scope)
    limiter.close_socket(scope)
    assert not limiter.sockets


FAR = ("203.0.113.5", 1)


def test_bursts_are_small() -> None:
    limiter = Limiter(ServerSettings())
    scope = {"type": "http", "client": FAR}
    moves = 0
    with suppress(TooOften):
        for _ in range(1_100):
            limiter.check(scope, True, False)
            moves += 1
    assert 50 <= moves <= 100


def test_a_bucket_refills_evenly() -> None:
    buckets = Buckets(600, 60, burst=30)
    for _ in range(30):
        buckets.take("ana")
    with pytest.raises(TooOften) as refused:
        buckets.take("ana")
    assert refused.value.wait == 1
    assert buckets.wait("ana", 10) == pytest.approx(1.0, abs=0.1)
    buckets.take("bea", 1000)  # what costs more than a bucket holds needs a full one
    with pytest.raises(TooOften):
        buckets.take("bea")


def test_static_files_and_metrics_are_limited(tmp_path: Path) -> None:
    app, headers = (
        create_app(tmp_path, ServerSettings(requests=20, metrics_token="t0k")),
        {"authorization": "Bearer t0k"},
    )
    for number, path in enumerate(("/metrics", "/static/base.css")):
        with TestClient(app, client=(f"203.0.113.{number}", 1), headers=headers) as client:
            answers = [client.get(path).status_code for _ in range(130)]
            assert answers[0] == 200
            assert 429 in answers
    with TestClient(
        create_app(tmp_path, ServerSettings(requests=20)), client=("127.0.0.1", 1)
    ) as client:  # the host itself is not limited
        assert {client.get("/metrics").status_code for _ in range(50)} == {200}


def test_only_a_client_that_keeps_flooding_is_answered_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal costs work, too: floods of them are answered late, and with nothing."""
    waited = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(limits.asyncio, "sleep", sleep)
    limiter = Limiter(ServerSettings())
    bad, good = {"type": "http", "client": FAR}, {"type": "http", "client": ("203.0.113.6", 1)}

    async def flood() -> None:
        held = [await limiter.delay(bad) for _ in range(60)]
        assert held[:15] == [False] * 15
        assert held[-1]
        assert not await limiter.delay(good)
        assert len(waited) == sum(held)
        assert set(waited) == {limits.REFUSAL_DELAY_SECONDS}
        assert not limiter._delayed

    asyncio.run(flood())
    monkeypatch.undo()
    with TestClient(create_app(tmp_path, ServerSettings(requests=5)), client=FAR) as client:
        answers = [client.get("/") for _ in range(3)]
        assert answers[2].text
        while answers[-1].text and len(answers) < 500:  # on a slow machine some of them are forgiven meanwhile
            answers.append(client.get("/"))
        assert not answers[-1].text
        assert {answer.status_code for answer in answers[1:]} <= {429, 200}
        assert answers[-1].status_code == 429
        assert "retry-after" in answers[-1].headers


def test_right_passwords_are_not_counted(tmp_path: Path) -> None:
    """A class behind one address comes in at once; who guesses passwords is slowed down as before."""
    with far_away(tmp_path, logins=3, registrations=30, requests=24_000, writes=3_000) as client:
        bodies = [{"name": f"Pupil {number}", "password": "a good secret 1"} for number in range(31)]
        headers = [{"authorization": f"Bearer {client.post('/api/people').json()['token']}"} for _ in bodies]
        made = [
            client.post("/api/account", json=body, headers=own).status_code
            for body, own in zip(bodies, headers, strict=True)
        ]
        assert made == [201] * 30 + [429]
        assert [client.post("/api/session", json=body).status_code for body in bodies[:8]] == [201] * 8
        wrong = {"name": "Pupil 1", "password": "a wrong secret"}
        assert [client.post("/api/session", json=wrong).status_code for _ in range(4)] == [403] * 3 + [429]


def test_an_address_of_a_shared_network_stands_for_many(tmp_path: Path) -> None:
    limiter = Limiter(ServerSettings(shared_networks="198.51.100.0/24, 2001:db8:7::/48", shared_people=40, tables=2))
    assert limiter.people_behind("198.51.100.7") == limiter.people_behind("2001:db8:7:1::/64") == 40
    assert limiter.people_behind("203.0.113.9") == limiter.people_behind(limits.UNKNOWN) == 1
    scope = {"type": "http", "client": ("198.51.100.7", 1), "headers": []}
    for _ in range(80):
        limiter.check(scope, True, True)
    with pytest.raises(TooOften):
        limiter.check(scope, True, True)
    other = {"type": "http", "client": ("203.0.113.9", 1), "headers": []}
    for _ in range(2):
        limiter.check(other, True, True)
    with pytest.raises(TooOften):
        limiter.check(other, True, True)


def test_known_people_raise_the_limits_of_their_address() -> None:
    limiter = Limiter(ServerSettings(sockets=2))
    scope = {"type": "websocket", "client": ("203.0.113.9", 1), "headers": []}
    limiter.remember_person(scope, "new", time.time() - 3600)  # registered an hour ago: anybody could
    assert limiter.people_behind("203.0.113.9") == 1
    for number in range(20):
        limiter.remember_person(scope, f"person {number}", time.time() - 2 * limits.KNOWN_AGE_SECONDS)
    assert limiter.people_behind("203.0.113.9") == limits.MOST_KNOWN_PEOPLE
    assert sum(limiter.open_socket(scope) for _ in range(40)) == 2 * limits.MOST_KNOWN_PEOPLE
    people = limiter._known_people["203.0.113.9"]
    for person in list(people)[3:]:
        people[person] -= 2 * limits.KNOWN_SECONDS
    assert limiter.people_behind("203.0.113.9") == 3


def test_connections_of_the_proxy_are_not_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = ServerSettings(proxy="172.30.42.0/24", shared_networks="198.51.100.0/24")
    monkeypatch.setattr(LimitedHttpProtocol, "most_of_one", 10)
    monkeypatch.setattr(LimitedHttpProtocol, "proxies", settings.proxies)
    monkeypatch.setattr(LimitedHttpProtocol, "shared", settings.shared)
    monkeypatch.setattr(LimitedHttpProtocol, "shared_people", 40)
    monkeypatch.setattr(LimitedHttpProtocol, "open", dict.fromkeys(("172.30.42.7", "198.51.100.7", "203.0.113.9"), 300))
    protocol = LimitedHttpProtocol.__new__(LimitedHttpProtocol)
    refused = [protocol._has_too_many(client) for client in ("172.30.42.7", "198.51.100.7", "203.0.113.9")]
    assert refused == [False, False, True]
