"""Logging in by OpenID Connect, against a provider that runs here."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from malecon.server.operations.settings import ServerSettings
from malecon.server.web.app import create_app
from tests.server.people import HERE, ORIGIN

CLIENT, SECRET = "malecon", "a client's secret"


class Provider:
    """A small provider: whoever comes is the person `who`; `change` spoils the token."""

    def __init__(self) -> None:
        self.key = rsa.generate_private_key(65537, 2048)
        self.who: dict[str, Any] = {"sub": "1", "preferred_username": "Ana"}
        self.change: dict[str, Any] = {}
        self.sign_with = self.key
        self.is_gone = False
        self.issuer = ""
        self._codes: dict[str, dict[str, str]] = {}
        self.app = Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self.configuration),
                Route("/authorize", self.authorize),
                Route("/token", self.token, methods=["POST"]),
                Route("/keys", self.keys),
            ]
        )

    async def configuration(self, _request: Request) -> Response:
        if self.is_gone:
            return Response(status_code=503)
        endpoints = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        known = {name: f"{self.issuer}/{path}" for name, path in endpoints.items()}
        return JSONResponse({"issuer": self.issuer} | known)

    async def authorize(self, request: Request) -> Response:
        query = dict(request.query_params)
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        assert "openid" in query["scope"].split()
        code = f"code-{len(self._codes)}"
        self._codes[code] = query
        answer = urlencode({"code": code, "state": query["state"]})
        return RedirectResponse(f"{query['redirect_uri']}?{answer}", 303)

    async def token(self, request: Request) -> Response:
        form = dict(await request.form())
        query = self._codes.pop(str(form["code"]), None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(str(form["code_verifier"]).encode()).digest()).rstrip(b"=")
        right = query and query["code_challenge"] == challenge.decode() and form["client_secret"] == SECRET
        if not query or not right or query["redirect_uri"] != form["redirect_uri"]:
            return JSONResponse({"error": "invalid_grant"}, 400)
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 60, "nonce": query["nonce"]}
        content = claims | self.who | self.change
        token = jwt.encode(content, self.sign_with, "RS256", headers={"kid": "one"})
        return JSONResponse({"id_token": token, "access_token": "x", "token_type": "Bearer"})

    async def keys(self, _request: Request) -> Response:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return JSONResponse({"keys": [public | {"kid": "one", "alg": "RS256", "use": "sig"}]})


@pytest.fixture
def provider() -> Iterator[Provider]:
    import socket

    provider, listening = Provider(), socket.create_server(("127.0.0.1", 0))
    provider.issuer = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(provider.app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield provider
    server.should_exit = True
    thread.join(10)
    listening.close()


@pytest.fixture
def client(tmp_path: Path, provider: Provider) -> Iterator[TestClient]:
    settings = ServerSettings(
        oidc_issuer=provider.issuer,
        oidc_client=CLIENT,
        oidc_secret=SECRET,
        oidc_name="Club",
        address="http://testserver",
    )
    with TestClient(create_app(tmp_path, settings), raise_server_exceptions=False, client=HERE) as client:
        yield client


def visit(client: TestClient, provider: Provider) -> Any:
    """Follow the button, the provider and the way back, as a browser does; the last answer."""
    import httpx2

    begun = client.get("/account/oidc", follow_redirects=False)
    assert begun.status_code == 303
    assert begun.headers["location"].startswith(f"{provider.issuer}/authorize?")
    sent_back = httpx2.get(begun.headers["location"], follow_redirects=False)
    back = urlsplit(sent_back.headers["location"])
    assert back.path == "/account/oidc/callback"
    return client.get(f"{back.path}?{back.query}", follow_redirects=False)


def name_of(client: TestClient) -> str | None:
    title = re.search(r'<h1 class="page-title">(.*?)</h1>', client.get("/account").text)
    return title[1] if title else None


def test_somebody_logs_in_and_comes_back(client: TestClient, provider: Provider) -> None:
    assert "Log in with Club" in client.get("/account").text
    opened = client.post("/tables", data={"game": "santiago", "seat-0": "me", "seat-1": "me"}, headers=ORIGIN)
    assert opened.status_code == 200
    assert visit(client, provider).status_code == 303
    assert name_of(client) == "Ana"
    table = opened.url.path.rpartition("/")[2]
    assert table in client.get("/").text  # the guest's games came along
    client.cookies.clear()
    provider.who = {"sub": "1", "preferred_username": "Ana renamed"}
    visit(client, provider)
    assert name_of(client) == "Ana"  # the same person, whatever the provider calls them now
    client.cookies.clear()
    provider.who = {"sub": "2", "preferred_username": "Ana"}
    visit(client, provider)
    assert name_of(client) == "Ana 2"
    client.cookies.clear()
    provider.who = {"sub": "3"}
    visit(client, provider)
    assert name_of(client) == "Player"


def test_an_account_is_linked(client: TestClient, provider: Provider) -> None:
    client.post("/account/register", data={"name": "Bea", "password": "a good secret 1"}, headers=ORIGIN)
    assert visit(client, provider).headers["location"] == "/account?done=linked"
    client.cookies.clear()
    visit(client, provider)
    assert name_of(client) == "Bea"
    client.cookies.clear()
    client.post("/account/register", data={"name": "Carla", "password": "a good secret 1"}, headers=ORIGIN)
    assert visit(client, provider).status_code == 403  # that person is Bea already
    assert name_of(client) == "Carla"


@pytest.mark.parametrize(
    "change",
    [
        {"iss": "http://elsewhere.example"},
        {"aud": "another client"},
        {"exp": 1},
        {"nonce": "another"},
        {"sub": ""},
    ],
)
def test_a_token_that_is_not_right_logs_nobody_in(
    client: TestClient, provider: Provider, change: dict[str, Any]
) -> None:
    provider.change = change
    assert visit(client, provider).status_code == 403
    assert name_of(client) == "Account"


def test_a_token_of_another_key_logs_nobody_in(client: TestClient, provider: Provider) -> None:
    provider.sign_with = rsa.generate_private_key(65537, 2048)
    assert visit(client, provider).status_code == 403
    assert name_of(client) == "Account"


def test_what_another_browser_began_is_refused(client: TestClient, provider: Provider) -> None:
    import httpx2

    begun = client.get("/account/oidc", follow_redirects=False)
    query = parse_qs(urlsplit(begun.headers["location"]).query)
    sent_back = httpx2.get(begun.headers["location"], follow_redirects=False)
    back = urlsplit(sent_back.headers["location"])
    client.cookies.clear()
    assert client.get(f"{back.path}?{back.query}", follow_redirects=False).status_code == 403
    assert client.get("/account/oidc/callback?code=x&state=y", follow_redirects=False).status_code == 403
    assert query["state"]
    assert name_of(client) == "Account"


def test_a_provider_that_is_gone(client: TestClient, provider: Provider) -> None:
    provider.is_gone = True
    answer = client.get("/account/oidc", follow_redirects=False)
    assert answer.status_code == 502
    assert "does not answer" in answer.text
    provider.is_gone = False
    assert visit(client, provider).status_code == 303


def test_without_settings_there_is_nothing(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path), raise_server_exceptions=False, client=HERE) as client:
        assert client.get("/account/oidc").status_code == 404
        assert client.get("/account/oidc/callback").status_code == 404
        assert "/account/oidc" not in client.get("/account").text
