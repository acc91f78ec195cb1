"""Ways back into an account: recovery codes, codes of the host, codes by e-mail; and e-mails of what waits."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from sqlalchemy import select, update
from starlette.testclient import TestClient

from malecon.server.notifications import mail as mails
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.schema import ACCOUNTS, CODES, MAILS
from malecon.server.web.app import create_app
from tests.hosting.proxies import free_port
from tests.server.people import HERE, PASSWORD, Browser, Player, log_in, register, registered, services_of, until

NEW = "another good one"


class Inbox:
    """A mail server that keeps what it is sent; while it is `closed`, it refuses."""

    def __init__(self) -> None:
        from email import message_from_bytes, policy

        self._read = lambda content: message_from_bytes(content, policy=policy.default)
        self.mails: list[Message] = []
        self.closed = False

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        if self.closed:
            return "451 try again later"
        self.mails.append(self._read(envelope.content))
        return "250 OK"

    def text(self, number: int = -1) -> str:
        return str(self.mails[number].get_content())  # type: ignore[attr-defined]

    def wait(self, count: int) -> None:
        until(lambda: {"n": len(self.mails)}, lambda state: state["n"] >= count)


@pytest.fixture
def inbox() -> Iterator[tuple[Inbox, int]]:
    inbox = Inbox()
    port = free_port()
    controller = Controller(inbox, hostname="127.0.0.1", port=port)  # type: ignore[no-untyped-call]
    controller.start()  # type: ignore[no-untyped-call]
    yield inbox, port
    controller.stop()  # type: ignore[no-untyped-call]


@pytest.fixture
def client(tmp_path: Path, inbox: tuple[Inbox, int], monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(mails, "LOOK_SECONDS", 0.0)
    settings = ServerSettings(
        smtp_host="127.0.0.1", smtp_port=inbox[1], smtp_security="none", address="https://games.example"
    )
    with TestClient(create_app(tmp_path, settings), raise_server_exceptions=False, client=HERE) as client:
        yield client


def recover(client: TestClient, name: str, code: str, new: str = NEW) -> int:
    return int(Browser(client).post("/account/recover", name=name, code=code, new=new).status_code)


def test_recovery_codes_work_once_each(client: TestClient) -> None:
    ana = registered(Browser(client), "Ana")
    page = ana.post("/account/codes").text
    codes = re.findall(r"<code>([A-Z0-9-]{23})</code>", page)
    assert len(set(codes)) == 8
    assert codes[0] not in ana.page("/account")  # never again
    assert "8 recovery codes" in ana.page("/account")
    stored = services_of(client).storage.scalars(select(CODES.c.digest))
    assert not set(codes) & set(stored)
    assert recover(client, "Ana", codes[0][::-1]) == 403
    assert recover(client, "Bea", codes[0]) == 403
    assert recover(client, "Ana", codes[0], "password") == 400  # and the code is still valid
    assert recover(client, "ana", codes[0].lower().replace("-", " ")) == 303
    assert log_in(Player(client), "Ana", NEW) == 201
    assert ana.get("/account/codes").status_code == 405
    assert ana.get("/api/account").status_code == 401  # all sessions have ended
    assert recover(client, "Ana", codes[0]) == 403
    assert recover(client, "Ana", codes[1]) == 303
    assert log_in(Player(client), "Ana", "a good secret 1") == 403


def test_codes_by_e_mail(client: TestClient, inbox: tuple[Inbox, int]) -> None:
    box, ana = inbox[0], registered(Browser(client), "Ana")
    assert ana.post("/account/mail", mail="nobody", days="0").status_code == 400
    assert ana.post("/account/mail", mail="ana@example.org\nBcc: x@y.zz", days="0").status_code == 400
    assert ana.post("/account/mail", mail="ana@example.org", days="0").status_code == 303
    box.wait(1)
    assert box.mails[0]["To"] == "ana@example.org"
    code = re.search(r"[A-Z0-9]{5}(-[A-Z0-9]{5}){3}", box.text())
    assert code
    stranger = Browser(client)
    assert stranger.post("/account/recover/mail", name="Ana").status_code == 200  # not confirmed: nothing is sent
    assert ana.post("/account/mail/confirm", code="AAAAA-AAAAA-AAAAA-AAAAA").status_code == 403
    assert ana.post("/account/mail/confirm", code=code[0]).status_code == 303
    assert 'value="ana@example.org"' in ana.page("/account")
    answers = [stranger.post("/account/recover/mail", name=name) for name in ("Ana", "Nobody")]
    pages = [re.sub(r'"now": ?\d+|value="\w*"', "", answer.text) for answer in answers]
    assert pages[0] == pages[1]
    box.wait(2)
    link = re.search(r"https://games\.example/account/recover\?name=Ana&code=([A-Z0-9-]+)", box.text())
    assert link
    assert recover(client, "Ana", link[1]) == 303
    assert log_in(Player(client), "Ana", NEW) == 201
    time.sleep(0.3)
    assert len(box.mails) == 2
    assert services_of(client).storage.rows(select(MAILS)) == []


def test_an_e_mail_waits_for_its_server(
    client: TestClient, inbox: tuple[Inbox, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mails, "RETRY_SECONDS", (0.1, 0.1, 0.1))
    box, storage = inbox[0], services_of(client).storage
    box.closed = True
    services_of(client).mailer.queue("ana@example.org", "Hello", "first")
    until(lambda: {"n": storage.scalar(select(MAILS.c.tries)) or 0}, lambda state: state["n"] >= 1)
    box.closed = False
    box.wait(1)
    assert box.text().strip() == "first"
    until(lambda: {"rows": storage.rows(select(MAILS))}, lambda state: not state["rows"])
    box.closed = True
    services_of(client).mailer.queue("ana@example.org", "Hello", "never")
    until(lambda: {"rows": storage.rows(select(MAILS))}, lambda state: not state["rows"])  # given up
    assert len(box.mails) == 1


def test_a_summary_of_what_waits(client: TestClient, inbox: tuple[Inbox, int]) -> None:
    box, storage = inbox[0], services_of(client).storage
    ana = Player(client)
    register(ana)
    storage.execute(update(ACCOUNTS).values(mail="ana@example.org", summary_days=1, summary_due=0.0))
    table = ana.open("me", "me")["id"]
    services_of(client).summaries._looked = -1e9
    box.wait(1)
    assert f"https://games.example/tables/{table}" in box.text()
    assert "1 game waits for you" in box.text()
    assert services_of(client).summaries._claim(time.time()) == []  # not before tomorrow
    assert len(services_of(client).summaries._claim(time.time() + 25 * 3600)) == 1


def test_nothing_needs_e_mail(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, ServerSettings()), raise_server_exceptions=False, client=HERE) as client:
        ana = registered(Browser(client), "Ana")
        assert "/account/mail" not in ana.page("/account")
        assert ana.post("/account/mail", mail="ana@example.org", days="0").status_code == 403
        assert Browser(client).post("/account/recover/mail", name="Ana").status_code == 403
        assert "Ask the host" in Browser(client).page("/account/recover")
        assert log_in(Player(client), "Ana", PASSWORD) == 403
