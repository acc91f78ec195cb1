"""The engine modules and their scripts, as browsers fetch them."""

from __future__ import annotations

import gzip

import pytest
from starlette.testclient import TestClient

from malecon.bots.engine import module
from malecon.kernel import registry
from malecon.server.pages import engine_files
from malecon.server.pages.engine_files import engine_address

#: What a browser may have to fetch for one game.
MOST_BYTES = 250_000


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_the_engine_of_a_game_is_served_compressed_and_kept_for_ever(client: TestClient, game: str) -> None:
    address = engine_address(game)
    assert address is not None
    built, total = module.load(game), 0
    for name, media_type in (("engine.wasm", "application/wasm"), ("engine.json", "application/json")):
        response = client.get(address + name, headers={"accept-encoding": "gzip"})
        assert response.status_code == 200
        assert response.headers["content-type"] == media_type
        assert "immutable" in response.headers["cache-control"]
        assert response.headers["content-encoding"] == "gzip"
        assert response.headers["vary"] == "accept-encoding"
        total += int(response.headers["content-length"])
        plain = client.get(address + name, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == response.content
        assert len(gzip.compress(plain.content)) < len(plain.content)
        if name == "engine.wasm":
            assert plain.content == built.wasm
        else:
            assert plain.json() == built.description
    assert total < MOST_BYTES


def test_other_versions_and_files_of_an_engine_are_not_there(client: TestClient) -> None:
    address = engine_address("santiago")
    assert address is not None
    for path in (
        "/engine/santiago/0123456789abcdef/engine.wasm",
        f"{address}position.py",
        address.replace("santiago", "cuba") + "engine.wasm",
        address.replace("santiago", "nothing") + "engine.wasm",
    ):
        response = client.get(path)
        assert response.status_code == 404, path
        assert response.headers["cache-control"] == "no-store"


def test_a_stale_engine_is_not_served(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    address = engine_address("santiago")
    assert address is not None
    built = module.load("santiago")
    stale = built._replace(description=built.description | {"digest": "0" * 64})

    def load(name: str) -> module.EngineModule:
        module.check(registry.get(name), stale)
        return stale

    monkeypatch.setattr(module, "load", load)
    engine_files.engine_files.cache_clear()
    try:
        assert engine_address("santiago") is None
        assert client.get(f"{address}engine.wasm").status_code == 404
    finally:
        engine_files.engine_files.cache_clear()


def test_the_scripts_of_the_engine_are_served_and_may_compile_modules(client: TestClient) -> None:
    for name in ("engine.js", "worker.js"):
        response = client.get(f"/static/engine/{name}")
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/javascript")
        policy = dict(
            part.strip().partition(" ")[::2] for part in response.headers["content-security-policy"].split(";")
        )
        assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
        assert policy["worker-src"] == "'self'"
