"""Runs inside the new system, in a network of its own: starts what systemd would, and uses the site as people do."""

from __future__ import annotations

import fcntl
import http.client
import json
import re
import socket
import ssl
import struct
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

from websockets.sync.client import connect

SITE = "games.example"
UNIT = Path("/etc/systemd/system/malecon.service").read_text()


def bring_up_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        fcntl.ioctl(line, 0x8914, struct.pack("16sh", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP


def start() -> subprocess.Popen[bytes]:
    """Start the service as its unit says: the same user, environment, folder and command."""
    for folder, mode in (("/var/lib/malecon", 0o700), ("/var/cache/malecon", 0o755)):
        Path(folder).mkdir(exist_ok=True, mode=mode)
        subprocess.run(["chown", "malecon:", folder], check=True)
    environment = dict(line.split("=", 1) for line in re.findall(r"^Environment=(.*)$", UNIT, re.M))
    (command,) = re.findall(r"^ExecStart=(.*)$", UNIT, re.M)
    words = [
        "runuser",
        "--user",
        "malecon",
        "--",
        "env",
        *(f"{k}={v}" for k, v in environment.items()),
        *command.split(),
    ]
    return subprocess.Popen(words, cwd="/var/lib/malecon", stderr=open("/run/malecon.log", "wb"))


def ask(method: str, path: str, form: dict[str, str] | None = None, cookies: str = "") -> http.client.HTTPResponse:
    trust = ssl.create_default_context(cafile="/etc/malecon/tls.crt")
    line = trust.wrap_socket(socket.create_connection(("127.0.0.1", 443)), server_hostname=SITE)
    connection = http.client.HTTPConnection(SITE)
    connection.sock = line
    headers = {"origin": f"https://{SITE}", "cookie": cookies, "content-type": "application/x-www-form-urlencoded"}
    connection.request(method, path, urlencode(form) if form else None, headers)
    return connection.getresponse()


def cookies_of(answer: http.client.HTTPResponse) -> str:
    given = [value.split(";")[0] for name, value in answer.getheaders() if name.lower() == "set-cookie"]
    return "; ".join(given)


def main(password: str) -> None:
    bring_up_loopback()
    server = start()
    end = time.monotonic() + 120
    while True:
        try:
            with http.client.HTTPConnection("127.0.0.1", 8000).sock or socket.create_connection(("127.0.0.1", 8000)):
                break
        except OSError:
            assert server.poll() is None, Path("/run/malecon.log").read_text()
            assert time.monotonic() < end
            time.sleep(0.2)
    subprocess.run(["nginx", "-t"], check=True)
    subprocess.run(["nginx"], check=True)
    home = ask("GET", "/")
    assert home.status == 200, home.status
    login = ask("POST", "/account/login", {"name": "Ana", "password": password}, cookies_of(home))
    assert login.status == 303, login.read()
    cookies = cookies_of(home) + "; " + cookies_of(login)
    assert ask("GET", "/host", cookies=cookies).status == 200
    opened = ask("POST", "/tables", {"game": "santiago", "seat-0": "me", "seat-1": "me"}, cookies)
    assert opened.status == 303, opened.read()
    place = opened.getheader("location")
    trust = ssl.create_default_context(cafile="/etc/malecon/tls.crt")
    line = trust.wrap_socket(socket.create_connection(("127.0.0.1", 443)), server_hostname=SITE)
    headers = {"cookie": cookies}
    with connect(
        f"ws://{SITE}/api{place}/events", sock=line, origin=f"https://{SITE}", additional_headers=headers
    ) as live:
        assert json.loads(live.recv(timeout=30))
    plain = http.client.HTTPConnection("127.0.0.1", 80)
    plain.request("GET", "/", headers={"host": SITE})
    assert plain.getresponse().status == 301
    owner = Path("/var/lib/malecon/malecon.sqlite3").owner()
    subprocess.run(["nginx", "-s", "stop"], check=True)
    server.terminate()
    server.wait(30)
    print(json.dumps({"owner": owner, "log": Path("/run/malecon.log").read_text()[-300:]}))


main(sys.argv[1])
