"""The container files say what the program understands; if there is an engine, they build and start."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import make_url
from typer.testing import CliRunner
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from malecon.cli import app
from malecon.server.operations.memory import default_budget
from malecon.server.operations.settings import read_settings
from tests.hosting.debian import new_system, wheels
from tests.hosting.proxies import free_port, need
from tests.paths import ROOT

FOLDER = ROOT / "container"


COMPOSE = ("compose.yaml", "compose-sqlite.yaml")
#: What the program needs besides its caches, in megabytes.
PROGRAM_MEGABYTES = 500


def test_the_container_file() -> None:
    text = (FOLDER / "Containerfile").read_text()
    command = json.loads(text.split("\nCMD ")[1])
    assert command[:2] == ["malecon", "serve"]
    help_text = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).stdout
    for option in (word for word in command if word.startswith("--")):
        assert option in help_text
    for copied in re.findall(r"^COPY (.+) \S+$", text, re.M):
        for name in copied.split():
            assert (FOLDER.parent / name).exists(), name
    settings = dict(re.findall(r"(MALECON_\w+)=(\S+)", text.split("\nENV ")[1].split("\n\n")[0]))
    read = read_settings(settings, look_for_file=False).settings
    assert read.data == re.search(r"^VOLUME (\S+)$", text, re.M)[1]  # type: ignore[index]
    assert (read.host, read.port, read.log) == ("0.0.0.0", 8000, "json")


def environment_of(service: dict[str, Any]) -> dict[str, str]:
    """The settings of a service, with what the host must choose filled in."""
    chosen = {"MALECON_HOSTS": "games.example", "POSTGRES_PASSWORD": "p@ss/w:rd"}
    return {
        name: re.sub(r"\$\{(\w+)[^}]*\}", lambda match: chosen[match[1]], str(value))
        for name, value in service.get("environment", {}).items()
    }


@pytest.mark.parametrize("name", COMPOSE)
def test_the_compose_files(name: str) -> None:
    compose = yaml.safe_load((FOLDER / name).read_text())
    services, networks = compose["services"], compose["networks"]
    servers = [service for key, service in services.items() if key.startswith("malecon")]
    assert len(servers) == (2 if name == "compose.yaml" else 1)
    heard = []

    async def hear(scope: Any, _receive: Any, _send: Any) -> None:
        heard.append(scope["client"][0])

    for server in servers:
        assert (FOLDER / server["build"]["context"] / server["build"]["dockerfile"]).exists()
        read = read_settings(
            {key: value for key, value in environment_of(server).items() if key.startswith("MALECON_")},
            look_for_file=False,
        ).settings
        assert read.hosts == "games.example"
        assert read.proxy == networks["default"]["ipam"]["config"][0]["subnet"]
        assert read.backup_folder.startswith("/data/")
        assert any(volume.endswith(":/data") for volume in server["volumes"])
        assert server["env_file"] == [{"path": "malecon.env", "required": False}]  # for all other settings
        assert default_budget(int(server["mem_limit"].removesuffix("m")) * 1_000_000) + PROGRAM_MEGABYTES <= int(
            server["mem_limit"].removesuffix("m")
        )
        first = read.proxy.rpartition(".")[0] + ".7"
        for sender in (first, "198.51.100.1"):  # not what the client claims, and only from the proxy
            headers = [(b"x-forwarded-for", b"127.0.0.1, 203.0.113.9")]
            scope: Any = {"type": "http", "client": (sender, 1), "scheme": "http", "headers": headers}
            asyncio.run(ProxyHeadersMiddleware(hear, read.proxy)(scope, None, None))  # type: ignore[arg-type]
    assert heard == ["203.0.113.9", "198.51.100.1"] * len(servers)
    if name == "compose.yaml":  # a password with signs that an address cannot have
        environment = environment_of(services["malecon1"])
        assert make_url(environment["MALECON_DATABASE"]).password is None
        assert environment["PGPASSWORD"] == "p@ss/w:rd"
        assert services["thinker"]["command"].startswith("malecon think")
    upstreams = services["proxy"]["environment"]["MALECON_UPSTREAMS"].split()
    assert {upstream.partition(":")[0] for upstream in upstreams} == {key for key in services if "malecon" in key}
    variables = set(re.findall(r"\{\$(\w+)\}", (FOLDER / "Caddyfile").read_text()))
    assert variables == set(services["proxy"]["environment"])
    for service in services.values():
        assert "/" not in service.get("image", "")
        assert all(needed in services for needed in service.get("depends_on", ()))


@pytest.mark.parametrize("file", COMPOSE)
def test_containers_have_no_more_than_they_need(file: str) -> None:
    services = yaml.safe_load((FOLDER / file).read_text())["services"]
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "mem_limit" in service, name
        assert service["logging"]["options"]["max-size"], name
        assert service["restart"] == "unless-stopped", name
        assert not name.startswith("malecon") or "cap_add" not in service


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


def test_the_budget_of_the_container_follows_from_its_limit() -> None:
    assert default_budget(1_500_000_000) == 800
    assert default_budget(800_000_000) == 300


def engine() -> str | None:
    """A container engine that works here, and can get the base image."""
    base = re.search(r"^FROM (\S+)$", (FOLDER / "Containerfile").read_text(), re.M)
    assert base
    for name in ("podman", "docker"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True, check=False).returncode == 0:
            pulled = subprocess.run([name, "pull", base[1]], capture_output=True, check=False)
            if pulled.returncode == 0:
                return name
    return None


@pytest.mark.slow
def test_the_container_is_built_and_starts(tmp_path: Path) -> None:
    tool = engine()
    if tool is None:
        build_step_by_step(tmp_path)
        return
    file = str(FOLDER / "Containerfile")
    subprocess.run([tool, "build", "-f", file, "-t", "malecon-test", str(FOLDER.parent)], check=True)
    started = [tool, "run", "--rm", "--detach", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"]
    started += ["--publish", "127.0.0.1::8000", "malecon-test"]
    name = subprocess.run(started, capture_output=True, text=True, check=True).stdout.strip()
    try:
        port = subprocess.run([tool, "port", name, "8000"], capture_output=True, text=True, check=True).stdout
        address = f"http://{port.split()[-1]}"
        wait_for_health(address)
        assert json.load(urllib.request.urlopen(f"{address}/api/games", timeout=30))
    finally:
        subprocess.run([tool, "stop", name], check=True, capture_output=True)


def wait_for_health(address: str) -> dict[str, Any]:
    end = time.monotonic() + 180
    while True:
        try:
            health: dict[str, Any] = json.load(urllib.request.urlopen(f"{address}/healthz", timeout=5))
            assert health["ok"] is True
            return health
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.5)


def build_step_by_step(folder: Path) -> None:
    """Build the image with buildah, on a Debian that debootstrap makes, and start it as its user."""
    buildah = [need("buildah"), "--root", str(folder / "storage"), "--runroot", str(folder / "run")]
    buildah += ["--storage-driver", "vfs"]
    root = new_system(folder)
    environment = os.environ | {"BUILDAH_ISOLATION": "chroot", "LC_ALL": "C.UTF-8"}
    house = wheels(folder / "wheels", ("requirements.txt", "requirements-postgres.txt", "requirements-build.txt"))

    def run(*words: str) -> str:
        done = subprocess.run(
            [*buildah, *words], env=environment, capture_output=True, text=True, check=False, cwd=ROOT
        )
        assert done.returncode == 0, f"{words}: {done.stdout[-1500:]}{done.stderr[-1500:]}"
        return done.stdout.strip()

    policy = folder / "policy.json"
    policy.write_text('{"default": [{"type": "insecureAcceptAnything"}]}')
    base = run("from", "--signature-policy", str(policy), "scratch")
    run("add", base, str(root), "/")
    run("add", base, str(house), "/wheels")
    inside = ["run", "--isolation", "chroot", "--env", "DEBIAN_FRONTEND=noninteractive", base, "--", "/bin/sh", "-c"]
    run(*inside, "apt-get update && apt-get install --yes --no-install-recommends python3 python3-pip python3-venv")
    # the base image of the file has Python and pip at hand, and may install into it
    run(*inside, "ln -s python3 /usr/bin/python && rm -f /usr/lib/python3*/EXTERNALLY-MANAGED")
    run("config", "--env", "PIP_NO_INDEX=1", "--env", "PIP_FIND_LINKS=/wheels", "--env", "PIP_CERT=", base)
    run("commit", "--signature-policy", str(policy), "--format", "docker", base, "malecon-base")
    text = (FOLDER / "Containerfile").read_text().replace("FROM python:3.11-slim", "FROM localhost/malecon-base")
    (folder / "Containerfile").write_text(text)
    build = ["build", "--isolation", "chroot", "--signature-policy", str(policy), "--pull-never", "--format", "docker"]
    build += ["--build-arg", "COMMIT=0123456789abcdef"]
    run(*build, "-f", str(folder / "Containerfile"), "-t", "malecon-test", ".")
    settings = json.loads(run("inspect", "--type", "image", "malecon-test"))["Docker"]["config"]
    assert settings["User"] == "malecon"
    assert settings["Volumes"] == {"/data": {}}
    assert settings["Healthcheck"]["Test"][0] == "CMD"
    image = run("from", "--signature-policy", str(policy), "--pull-never", "localhost/malecon-test")
    port = free_port()
    start = ["run", "--isolation", "chroot", "--user", "malecon", "--env", f"MALECON_PORT={port}", image, "--"]
    with subprocess.Popen([*buildah, *start, *settings["Cmd"]], env=environment, cwd=ROOT) as server:
        try:
            health = wait_for_health(f"http://127.0.0.1:{port}")
            assert health["commit"] == "0123456789"
            assert json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/api/games", timeout=60))
            check = [*start, *settings["Healthcheck"]["Test"][1:]]
            check = [word.replace(":8000/", f":{port}/") for word in check]
            assert subprocess.run([*buildah, *check], env=environment, cwd=ROOT, check=False).returncode == 0
            mounted = Path(run("mount", image))
            assert (mounted / "data" / "malecon.sqlite3").stat().st_uid == 1000
        finally:
            server.terminate()
