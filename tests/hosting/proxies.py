"""nginx and Caddy, as Debian has them, in front of servers that run here, with a certificate of their own."""

from __future__ import annotations

import datetime
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.server.people import until

SITE = "games.example"


def need(program: str) -> str:
    """The path of a program; the test is left out, with the reason, where it is not installed."""
    path = shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")
    if path is None:
        pytest.skip(f"{program} is not installed here: apt-get install {program}")
    return path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def write_certificate(folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, SITE)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(SITE)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "tls.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "tls.key").write_bytes(private)


@dataclass(frozen=True)
class Proxy:
    """A running proxy: its ports, and what trusts its certificate."""

    port: int
    trust: ssl.SSLContext
    process: subprocess.Popen[bytes]

    @property
    def origin(self) -> str:
        return f"https://{SITE}:{self.port}"


@contextmanager
def _running(command: list[str], folder: Path, port: int) -> Iterator[Proxy]:
    trust = ssl.create_default_context(cafile=str(folder / "tls.crt"))
    with (folder / "proxy.log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            end = time.monotonic() + 30
            while True:
                assert process.poll() is None, (folder / "proxy.log").read_text()
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    assert time.monotonic() < end
                    time.sleep(0.05)
            yield Proxy(port, trust, process)
        finally:
            process.terminate()


@contextmanager
def nginx(text: str, folder: Path) -> Iterator[Proxy]:
    """nginx with the file of the page; only its ports and the folder of the certificate are others."""
    program, port, plain = need("nginx"), free_port(), free_port()
    write_certificate(folder)
    text = text.replace("/etc/malecon/", f"{folder}/").replace("listen 443 ", f"listen 127.0.0.1:{port} ")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{plain};")
    text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.M)
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"{'user root;' if os.geteuid() == 0 else ''} daemon off; worker_processes 1;\n"
        f"pid {folder}/nginx.pid; error_log {folder}/error.log;\n"
        f"events {{ worker_connections 1024; }}\nhttp {{ access_log off; {places}\n{text}\n}}\n"
    )
    command = [program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    with _running(command, folder, port) as proxy:
        yield proxy


@contextmanager
def caddy(text: str, folder: Path, **environment: str) -> Iterator[Proxy]:
    """Caddy with the file of the page; only its port and the certificate are others: it cannot get one here."""
    program, port = need("caddy"), free_port()
    write_certificate(folder)
    site = re.match(r"\S+", text)
    assert site
    tls = f"\ttls {folder}/tls.crt {folder}/tls.key\n"
    text = text.replace(f"{site[0]} {{\n", f"https://{SITE}:{port} {{\n{tls}", 1)
    first = "{\n\tauto_https off\n\tadmin off\n\tstorage file_system " + str(folder / "caddy") + "\n}\n"
    (folder / "Caddyfile").write_text(first + text)
    own = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)} | environment
    command = [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    old = dict(os.environ)
    os.environ.update(own)
    try:
        subprocess.run(
            [program, "validate", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"],
            check=True,
            capture_output=True,
        )
        with _running(command, folder, port) as proxy:
            yield proxy
    finally:
        os.environ.clear()
        os.environ.update(old)


@contextmanager
def serving(folder: Path, port: int, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """The server behind the proxy, started as the unit of the page starts it."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--data", str(folder), "--port", str(port)]
    own = {"MALECON_HOSTS": SITE, "MALECON_COMPILE": ""} | environment
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(command, stderr=log, stdout=log, text=True, env=os.environ | own) as process,
    ):
        try:
            until(lambda: {"ok": is_up(port)}, lambda state: state["ok"], 180)
            yield process
        finally:
            process.terminate()


def is_up(port: int) -> bool:
    try:
        return bool(json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5))["ok"])
    except OSError:
        return False


class Visitor(httpx2.Client):
    """A browser that knows where the site is, and trusts its certificate."""

    def __init__(self, proxy: Proxy) -> None:
        class Here(httpx2.HTTPTransport):
            def handle_request(self, request: Any) -> Any:
                request.extensions["sni_hostname"] = SITE
                request.url = request.url.copy_with(host="127.0.0.1")
                return super().handle_request(request)

        super().__init__(
            transport=Here(verify=proxy.trust, retries=3),
            base_url=proxy.origin,
            headers={"host": f"{SITE}:{proxy.port}"},
            timeout=30,
        )
