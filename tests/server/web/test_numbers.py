"""Numbers in paths, queries and forms: whatever stands there, no route answers with a 500, on any database."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from malecon.server.operations.settings import ServerSettings
from malecon.server.web.app import create_app
from tests.server.people import HERE, Browser, moderating, routes_of

#: What is no number for us, or none that a database holds.
HOSTILE = ("²", "٣", "-1", "9223372036854775807", "9223372036854775808", "9" * 30, "1e3", "1_0", "")
#: Numbers that pages read from the query themselves.
QUERY = ("as", "since", "version", "moves", "seat", "players", "step", "node", "number")
FIELDS = (
    *("players", "version", "fill", "seat", "rounds", "times", "most", "fewest", "lowest", "highest", "starts"),
    *("moves", "number", "node", "step", "index"),
)
#: These would end the session by which everything is asked.
ENDING = ("/account/logout", "/api/session")


class Site:
    """A server, a moderator with a session, and something real for every text in a path."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.mona = moderating(Browser(client, "Mona"), "Mona")
        table = Browser(client, "Bea").post(f"{self.mona.open('me', 'open')}/join").headers["location"]
        self.mona.post(f"{table}/talk", text="hello")
        new = self.mona.post("/analysis/new", game="santiago", players="2").headers["location"]
        cup = self.mona.post("/tournaments", game="santiago", format="series", name="Copa", bot="turista")
        self.names = {
            "/analysis": new.split("/")[2],
            "/tournaments": cup.headers["location"].rpartition("/")[2],
            "/waiting": self.mona.open("me", "open").rpartition("/")[2],
        }
        self.texts = {"table": table.rpartition("/")[2], "game": "santiago", "language": "en"}

    def gaps(self, path: str) -> list[str]:
        return re.findall(r"{(\w+)(?::\w+)?}", path)

    def fill(self, path: str, **hostile: str) -> str:
        """Return a path with something real in its gaps, apart from those given."""

        def value(match: re.Match[str]) -> str:
            name = match[1]
            own = next((value for prefix, value in self.names.items() if prefix in path), "nothing")
            return hostile.get(name) or self.texts.get(name) or (own if name == "name" else "0")

        return re.sub(r"{(\w+)(?::\w+)?}", value, path)

    def status(self, method: str, path: str, **more: Any) -> int:
        answer = self.client.request(method, path, headers=self.mona.headers, follow_redirects=False, **more)
        return int(answer.status_code)


@pytest.fixture
def site(database: str) -> Iterator[Site]:
    app = create_app(database, ServerSettings())
    with TestClient(app, raise_server_exceptions=False, client=HERE) as client:
        yield Site(client)


def routes(client: TestClient) -> list[tuple[str, str]]:
    """Return the method and path of every route, of pages and of the JSON interface."""
    pages = [
        (method, route.path)
        for route in routes_of(client)
        if isinstance(route, APIRoute)
        for method in sorted(route.methods)
    ]
    assert len(pages) > 60
    described = client.get("/api/openapi.json").json()["paths"]
    interface = [(method.upper(), path) for path, methods in described.items() for method in methods]
    return [(method, path) for method, path in dict.fromkeys((*pages, *interface)) if path not in ENDING]


def test_no_number_in_a_path_breaks_a_route(site: Site) -> None:
    failed = [
        (method, path, value)
        for method, pattern in routes(site.client)
        for gap in site.gaps(pattern)
        for value in HOSTILE
        if value and site.status(method, path := site.fill(pattern, **{gap: value})) >= 500
    ]
    assert failed == []


def test_no_number_in_a_query_breaks_a_route(site: Site) -> None:
    failed = [
        (method, path, value)
        for method, pattern in routes(site.client)
        for value in HOSTILE
        if site.status(method, path := site.fill(pattern), params=dict.fromkeys(QUERY, value)) >= 500
    ]
    assert failed == []


def test_no_number_in_a_form_breaks_a_route(site: Site) -> None:
    failed = [
        (path, value)
        for method, pattern in routes(site.client)
        if method == "POST" and not pattern.startswith("/api/")
        for value in HOSTILE
        if site.status("POST", path := site.fill(pattern), data={"game": "santiago"} | dict.fromkeys(FIELDS, value))
        >= 500
    ]
    assert failed == []


def test_storage_refuses_numbers_that_a_database_cannot_hold(site: Site) -> None:
    from malecon.kernel.errors import BadSetup
    from malecon.server.errors import NotFound

    services = site.client.app.state.services  # type: ignore[attr-defined]
    for number in (2**63, -(2**63) - 1, 10**30):
        with pytest.raises((BadSetup, NotFound)):
            services.conversations.message("table", number)
