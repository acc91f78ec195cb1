"""The container files say what the program understands; if there is an engine, they build and start."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from malecon.cli import app
from malecon.server.operations.settings import ServerSettings
from tests.paths import ROOT

FOLDER = ROOT / "container"


def test_the_container_file() -> None:
    text = (FOLDER / "Containerfile").read_text()
    command = json.loads(text.split("\nCMD ")[1])
    assert command[:2] == ["malecon", "serve"]
    assert "*" not in command  # every client could say who it is
    help_text = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).stdout
    for option in (word for word in command if word.startswith("--")):
        assert option in help_text
    for copied in re.findall(r"^COPY (.+) \S+$", text, re.M):
        for name in copied.split():
            assert (FOLDER.parent / name).exists(), name


def test_the_compose_file() -> None:
    compose = yaml.safe_load((FOLDER / "compose.yaml").read_text())
    services, networks = compose["services"], compose["networks"]
    assert set(services) == {"database", "malecon", "proxy"}
    assert (FOLDER / services["malecon"]["build"]["context"] / services["malecon"]["build"]["dockerfile"]).exists()
    assert "MALECON_DATABASE" in services["malecon"]["environment"]
    command = services["malecon"]["command"].split()
    trusted = command[command.index("--proxy") + 1]
    assert trusted == networks["default"]["ipam"]["config"][0]["subnet"]
    heard = []

    async def hear(scope: Any, _receive: Any, _send: Any) -> None:
        heard.append(scope["client"][0])

    for sender in ("172.30.42.7", "198.51.100.1"):  # not what the client claims, and only from the proxy
        headers = [(b"x-forwarded-for", b"127.0.0.1, 203.0.113.9")]
        scope: Any = {"type": "http", "client": (sender, 1), "scheme": "http", "headers": headers}
        asyncio.run(ProxyHeadersMiddleware(hear, trusted)(scope, None, None))  # type: ignore[arg-type]
    assert heard == ["203.0.113.9", "198.51.100.1"]
    for service in services.values():
        assert "/" not in service.get("image", "")
        assert all(name in services for name in service.get("depends_on", ()))
    assert "malecon 8000" in (FOLDER / "Caddyfile").read_text()


def test_containers_have_no_more_than_they_need() -> None:
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "mem_limit" in service, name
    server = services["malecon"]
    assert "cap_add" not in server
    assert "MALECON_SITE" in server["environment"]["MALECON_HOSTS"]
    program_megabytes = 250  # as docs/hosting.md says
    assert int(server["mem_limit"].removesuffix("m")) > server["environment"]["MALECON_MEMORY"] + program_megabytes
    settings = {field.name for field in fields(ServerSettings)}
    for variable in server["environment"]:
        setting = variable.removeprefix("MALECON_").lower()
        assert setting in settings or variable in ("MALECON_DATABASE", "MALECON_CACHE_DIR")


def test_the_image_is_built_by_pinned_tools_from_what_it_copies(tmp_path: Path) -> None:
    text = (FOLDER / "Containerfile").read_text()
    pinned = set((ROOT / "requirements-dev.txt").read_text().splitlines())
    build = [line for line in (ROOT / "requirements-build.txt").read_text().splitlines() if not line.startswith("#")]
    assert any(line.startswith("hatchling==") for line in build)
    assert set(build) <= pinned
    assert "pip install --no-cache-dir --no-deps --no-build-isolation ." in text
    for copied, target in re.findall(r"^COPY (.+) (\S+)$", text, re.M):
        for name in copied.split():
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, tmp_path / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, tmp_path / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", str(tmp_path / "wheels"), str(tmp_path)], check=True)
    assert list((tmp_path / "wheels").glob("malecon-*.whl"))


def engine() -> str:
    """A container engine that works here; the test is left out where there is none."""
    for name in ("podman", "docker"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True, check=False).returncode == 0:
            return name
    pytest.skip("no container engine works here: neither podman nor docker")


@pytest.mark.slow
def test_the_container_is_built_and_starts() -> None:
    tool = engine()
    base = re.search(r"^FROM (\S+)$", (FOLDER / "Containerfile").read_text(), re.M)
    assert base
    pulled = subprocess.run([tool, "pull", base[1]], capture_output=True, text=True, check=False)
    if pulled.returncode:
        pytest.skip(f"the base image cannot be had here: {pulled.stderr.strip()[-200:]}")
    file = str(FOLDER / "Containerfile")
    subprocess.run([tool, "build", "-f", file, "-t", "malecon-test", str(FOLDER.parent)], check=True)
    started = [tool, "run", "--rm", "--detach", "--publish", "127.0.0.1::8000", "malecon-test"]
    name = subprocess.run(started, capture_output=True, text=True, check=True).stdout.strip()
    try:
        port = subprocess.run([tool, "port", name, "8000"], capture_output=True, text=True, check=True).stdout
        address = f"http://{port.split()[-1]}"
        end = time.monotonic() + 120
        while True:
            try:
                assert json.load(urllib.request.urlopen(f"{address}/healthz", timeout=5)) == {"ok": True}
                break
            except OSError:
                assert time.monotonic() < end
                time.sleep(0.5)
        assert json.load(urllib.request.urlopen(f"{address}/api/games", timeout=30))
    finally:
        subprocess.run([tool, "stop", name], check=True, capture_output=True)
