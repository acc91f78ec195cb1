"""The guard in front of every request: which host names are answered."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from malecon.server.operations.settings import ServerSettings
from malecon.server.web.app import create_app
from tests.server.processes import server


def test_unknown_host_names_are_refused(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, ServerSettings(hosts="malecon.example"))) as client:
        for host, status in (
            ("malecon.example", 200),
            ("MALECON.example:8000", 200),
            ("127.0.0.1:8000", 200),
            ("[::1]:8000", 200),
            ("localhost", 200),
            ("evil.example", 421),
            ("127.0.0.1.evil.example", 421),
            ("[", 421),
        ):
            assert client.get("/healthz", headers={"host": host}).status_code == status, host
            api_status = client.get("/api/tables/none", headers={"host": host}).status_code
            assert api_status == (404 if status == 200 else 421), host
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/tables/x/live", headers={"host": "evil"}):
            pass
    with server(tmp_path) as (port, _):
        for host, status in ((b"localhost", b"200"), (b"evil.example", b"421")):
            with socket.create_connection(("127.0.0.1", port)) as line:
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
                assert line.recv(100).split()[1] == status
