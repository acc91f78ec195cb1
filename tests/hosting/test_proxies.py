"""The proxies of the page, in front of the server of the page: TLS, WebSockets, origins, sizes, names."""

from __future__ import annotations

import json
import signal
import socket
import ssl
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from malecon.server.operations.examples import example
from tests.hosting.pages import block
from tests.hosting.proxies import SITE, Proxy, Visitor, caddy, free_port, nginx, serving
from tests.paths import ROOT
from tests.server.people import until


def use(proxy: Proxy) -> None:
    """Do what people do: register, open a table, follow it live, upload a record, and be refused from elsewhere."""
    with Visitor(proxy) as visitor:
        home = visitor.get("/")
        assert home.status_code == 200
        assert "strict-transport-security" in home.headers
        assert "__Host-malecon=" in home.headers["set-cookie"]
        assert "Secure" in home.headers["set-cookie"]
        own = {"origin": proxy.origin}
        form = {"name": "Ana", "password": "a good secret 1"}
        assert visitor.post("/account/register", data=form, headers=own).status_code == 303
        table = visitor.post("/tables", data={"game": "santiago", "seat-0": "me", "seat-1": "me"}, headers=own)
        assert table.status_code == 303
        place = table.headers["location"]
        foreign = visitor.post("/tables", data={"game": "santiago"}, headers={"origin": "https://evil.example"})
        assert foreign.status_code == 403
        for path in ("/metrics", "/healthz"):
            assert visitor.get(path).status_code in (403, 404)
        large = visitor.post("/records", files={"record": ("game.json", b"x" * 2_000_000)}, headers=own)
        assert large.status_code == 400  # no record, but not too large
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in visitor.cookies.jar)
        for origin, opens in ((proxy.origin, True), ("https://evil.example", False)):
            with socket.create_connection(("127.0.0.1", proxy.port)) as line:
                secure = proxy.trust.wrap_socket(line, server_hostname=SITE)
                address = f"ws://{SITE}:{proxy.port}/api{place}/events"
                headers = {"cookie": cookies}
                if opens:
                    with connect(address, sock=secure, origin=origin, additional_headers=headers) as live:  # type: ignore[arg-type]
                        assert json.loads(live.recv(timeout=30))
                else:
                    with pytest.raises(InvalidStatus):
                        connect(address, sock=secure, origin=origin, additional_headers=headers)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_nginx(tmp_path: Path) -> None:
    text, port = block("nginx").text, free_port()
    assert text == example("nginx")
    with (
        serving(tmp_path / "club", port),
        nginx(text.replace("127.0.0.1:8000", f"127.0.0.1:{port}"), tmp_path) as proxy,
    ):
        use(proxy)
        log = (tmp_path / "club" / "log").read_text()
        assert "error" not in log


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_caddy(tmp_path: Path) -> None:
    text, port = block("caddy").text, free_port()
    assert text == example("caddy")
    with serving(tmp_path / "club", port), caddy(text.replace(":8000", f":{port}"), tmp_path) as proxy:
        use(proxy)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_caddy_of_the_container_leaves_out_who_is_not_well(tmp_path: Path) -> None:
    """The health checks of `container/Caddyfile` reach the servers, and one that stops answering gets no requests."""
    text, ports = (ROOT / "container" / "Caddyfile").read_text(), (free_port(), free_port())
    upstreams = " ".join(f"127.0.0.1:{port}" for port in ports)
    text = text.replace("{$MALECON_UPSTREAMS}", upstreams)
    first, second = tmp_path / "first", tmp_path / "second"
    with (
        serving(first, ports[0], MALECON_LOG="json"),
        serving(second, ports[1], MALECON_LOG="json") as process,
        caddy(text, tmp_path) as proxy,
        Visitor(proxy) as visitor,
    ):

        def checks(folder: Path) -> int:
            return (folder / "log").read_text().count('"route": "/healthz", "status": 200')

        before = checks(first), checks(second)
        until(
            lambda: {"n": min(checks(first) - before[0], checks(second) - before[1])}, lambda state: state["n"] >= 2, 30
        )
        process.send_signal(signal.SIGSTOP)  # it accepts connections and answers nothing
        try:

            def answers() -> dict[str, Any]:
                try:
                    return {"statuses": [visitor.get("/rules", timeout=4).status_code for _ in range(6)]}
                except httpx2.ReadTimeout:  # until the next health check, it gets requests
                    return {"statuses": []}

            state = until(answers, lambda state: state["statuses"], 60)
            assert state["statuses"] == [200] * 6
        finally:
            process.send_signal(signal.SIGCONT)


def test_a_name_that_is_missing_in_the_settings_is_in_the_log(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path / "club", port, MALECON_HOSTS=""):
        answer = httpx2.get(f"http://127.0.0.1:{port}/", headers={"host": SITE})
        assert answer.status_code == 421
        for _ in range(3):
            httpx2.get(f"http://127.0.0.1:{port}/", headers={"host": SITE})
        log = (tmp_path / "club" / "log").read_text()
        assert log.count(f"set MALECON_HOSTS={SITE}") == 1


def test_the_certificate_is_verified(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path / "club", port), caddy(example("caddy").replace(":8000", f":{port}"), tmp_path) as proxy:
        strict = ssl.create_default_context()
        with (
            socket.create_connection(("127.0.0.1", proxy.port)) as line,
            pytest.raises(ssl.SSLCertVerificationError),
        ):
            strict.wrap_socket(line, server_hostname=SITE)
