"""The first visit to a new server: only who can read its log becomes the host."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from malecon.server.web.app import create_app
from tests.server.people import HERE, Browser, registered, services_of, serving


def test_the_code_of_the_log_makes_the_host(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    app = create_app(tmp_path)
    app.state.asks_for_setup = True
    form = {"name": "Ana", "password": "tres tristes tigres", "site": "Chess Club"}
    with TestClient(app, raise_server_exceptions=False, client=HERE) as client:
        code = re.search(r"/setup with the code ([A-Z0-9-]{23})", caplog.text)
        assert code
        assert services_of(client).setup.code() == code[1]  # the same for every process
        stranger = Browser(client)
        assert stranger.post("/setup", code="AAAAA-AAAAA-AAAAA-AAAAA", **form).status_code == 403
        assert stranger.post("/setup", code="", **form).status_code == 403
        assert "Set up this server" in stranger.page("/setup")
        host = Browser(client)
        assert host.post("/setup", code=code[1], **form | {"password": "password"}).status_code == 400
        done = host.post("/setup", code=code[1].lower(), **form)
        assert (done.status_code, done.headers["location"]) == (303, "/host")
        client.cookies = done.cookies
        page = client.get("/host")
        assert page.status_code == 200
        assert "Chess Club" in page.text
        client.cookies.clear()
        assert stranger.post("/setup", code=code[1], **form | {"name": "Eve"}).status_code == 403
        assert stranger.get("/setup").status_code == 303
    caplog.clear()
    again = create_app(tmp_path)
    again.state.asks_for_setup = True
    with TestClient(again, client=HERE):
        assert "setup" not in caplog.text


def test_no_name_makes_a_moderator(tmp_path: Path) -> None:
    """Whoever registers the name of a moderator who has gone is nobody special."""
    with serving(tmp_path) as client:
        ana = registered(Browser(client), "Ana")
        accounts = services_of(client).accounts
        account = accounts.find("Ana")
        assert account is not None
        accounts.set_moderator(account, True)
        assert ana.get("/host").status_code == 200
        assert Browser(client).post("/account/register", name="ANA", password="a good secret 1").status_code == 409
        assert ana.post("/account/delete", password="a good secret 1").status_code == 303
        stranger = registered(Browser(client), "Ana")
        assert stranger.get("/host").status_code == 403
