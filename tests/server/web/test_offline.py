"""What a browser keeps for when there is no network: whole replays of one's own finished games, and nobody else's."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

from malecon.kernel import registry
from malecon.server.errors import TooOften
from malecon.server.operations.limits import Limiter
from malecon.server.operations.memory import REPLAYS, Memory
from malecon.server.operations.settings import ServerSettings
from malecon.server.pages.replay_bundle import ReplayBundles
from malecon.server.web.routes import replay
from malecon.server.web.routes.installed import precached_paths
from tests.server.people import ORIGIN, PASSWORD, Player, register


def test_a_whole_replay_is_every_step(client: TestClient) -> None:
    ana, bea = Player(client, "de"), Player(client)
    opened = ana.open("me", "open")
    bea.post("/api/join", {"token": opened["seats"][1]["invitation"], "name": "Bea"})
    path = f"/tables/{opened['id']}"
    for _ in range(4):
        for player in (ana, bea):
            if legal := player.state(opened["id"])["legal"]:
                player.move(opened["id"], legal[0]["move"])
    assert ana.get(f"{path}/replay/all").status_code == 403  # it is not over
    for player in (ana, bea):
        client.post(f"{path}/stop", data={"agree": "on"}, headers=player.headers | ORIGIN)
    assert Player(client).get(f"{path}/replay/all").status_code == 403  # not of a game of theirs
    answer = ana.get(f"{path}/replay/all")
    assert answer.headers["content-encoding"] == "gzip"
    assert unquote(answer.headers["x-replay-title"]).startswith("Santiago de Cuba · ")
    assert unquote(answer.headers["x-replay-title"]).endswith(", Bea")
    whole = answer.json()
    total = len(ana.state(opened["id"])["history"])
    assert len(whole["steps"]) == total + 1
    accept = {"accept": "application/json"}
    for number in (0, whole["first"], total):
        step = client.get(f"{path}/replay/{number}", headers=ana.headers | accept).json()["html"]
        assert "".join(whole["pieces"][piece] for piece in whole["steps"][number]) == step
    assert whole["before"].startswith("<!doctype html>")
    assert whole["after"].rstrip().endswith("</html>")


def test_pages_that_the_worker_stores_name_nobody(client: TestClient) -> None:
    ana = Player(client)
    register(ana, "Anastasia")
    client.post("/settings", data={"name": "Anastasia", "language": "de"}, headers=ana.headers | ORIGIN)
    assert "Anastasia" in ana.get("/account").text
    paths = [path for path in precached_paths() if not path.startswith(("/static", "/drawing", "/engine"))]
    assert "/offline" in paths
    for path in paths:
        page = ana.get(path)
        assert "Anastasia" not in page.text, path
        assert '<html lang="de"' in page.text


def test_a_browser_that_logs_out_forgets_what_it_has_stored(client: TestClient) -> None:
    client.post("/account/register", data={"name": "Ana", "password": PASSWORD}, headers=ORIGIN)
    for path in ("/account/logout", "/account/delete"):
        client.post("/account/login", data={"name": "Ana", "password": PASSWORD}, headers=ORIGIN)
        done = client.post(path, data={"password": PASSWORD}, headers=ORIGIN, follow_redirects=False)
        assert done.status_code == 303
        assert done.headers["clear-site-data"] == '"cache", "storage"'
        assert "clear-site-data" not in client.get("/").headers


def stopped_game(client: TestClient) -> tuple[Player, Player, str]:
    """Two players and their game, which they agreed to stop after a few moves; its address."""
    ana, bea = Player(client), Player(client)
    opened = ana.open("me", "open")
    bea.post("/api/join", {"token": opened["seats"][1]["invitation"], "name": "Bea"})
    for player in (ana, bea):
        client.post(f"/tables/{opened['id']}/stop", data={"agree": "on"}, headers=player.headers | ORIGIN)
    return ana, bea, f"/tables/{opened['id']}"


def test_a_whole_replay_is_made_once_in_a_thread_and_charged_as_what_it_took(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bea, path = stopped_game(client)
    services = client.app.state.services  # type: ignore[attr-defined]
    threads: list[str] = []
    original = replay._context
    monkeypatch.setattr(
        replay, "_context", lambda *args: (threads.append(threading.current_thread().name), original(*args))[1]
    )
    charged: list[float] = []
    charge = services.limiter.charge_think_time
    monkeypatch.setattr(
        services.limiter, "charge_think_time", lambda who, seconds: (charged.append(seconds), charge(who, seconds))
    )
    first = ana.get(f"{path}/replay/all").json()
    assert {name for name in threads if name.startswith("replays")}
    assert len(set(threads)) == 2
    assert Counter(threads)[threads[-1]] == 1  # only the page around the steps is made by the event loop
    assert len(threads) == len(first["steps"]) + 1
    assert len(charged) == 1
    assert 0 < charged[0] < 30
    threads.clear()
    assert ana.get(f"{path}/replay/all").json() == first
    assert len(threads) == 1
    assert len(charged) == 1
    other = bea.get(f"{path}/replay/all").json()  # she sees something else
    assert other["pieces"] != first["pieces"]
    assert len(charged) == 2
    assert services.memory.used[REPLAYS] > 0


def test_one_whole_replay_is_made_for_a_person_at_a_time() -> None:
    async def ask() -> None:
        memory, go_on = Memory(0), threading.Event()
        bundles = ReplayBundles(Limiter(ServerSettings()), memory)

        def render(step: int) -> str:
            assert go_on.wait(30)
            return f"<li>{step}</li>"

        first = asyncio.create_task(bundles.make("ana", "a", 3, render))
        await asyncio.sleep(0)
        with pytest.raises(TooOften):
            await bundles.make("ana", "b", 3, render)
        same = asyncio.create_task(bundles.make("bea", "a", 3, lambda step: "never"))
        await asyncio.sleep(0)
        first.cancel()  # the person left; the work goes on for the other
        go_on.set()
        assert await same == b'{"pieces":["","<li>0</li>","<li>1</li>","<li>2</li>"],"steps":[[0,1],[0,2],[0,3]]}'
        assert bundles.kept("a") == await same
        assert await bundles.make("ana", "b", 1, render)
        await bundles.close()

    asyncio.run(ask())


def test_the_worker_knows_every_file_that_pages_need(client: TestClient) -> None:
    worker = client.get("/worker.js").text
    assert worker.startswith("self.settings = {")
    for path in ("/static/pages/replay.js", "/drawing.css", *(f"/rules/{name}" for name in registry.names())):
        assert f'"{path}"' in worker
