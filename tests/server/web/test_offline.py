"""What a browser keeps for when there is no network: whole replays of one's own finished games, and nobody else's."""

from __future__ import annotations

from urllib.parse import unquote

from starlette.testclient import TestClient

from malecon.kernel import registry
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
    paths = [path for path in precached_paths() if not path.startswith(("/static", "/drawing"))]
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


def test_the_worker_knows_every_file_that_pages_need(client: TestClient) -> None:
    worker = client.get("/worker.js").text
    assert worker.startswith("const PRECACHED = [")
    for path in ("/static/replay.js", "/drawing.css", *(f"/rules/{name}" for name in registry.names())):
        assert f'"{path}"' in worker
