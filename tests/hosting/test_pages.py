"""Every block of the pages for hosts is run by a test, or says why it cannot be."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from malecon.arena import llm_bot
from malecon.server.operations.settings import ServerSettings, read_settings
from tests.hosting.pages import block, blocks
from tests.hosting.proxies import Visitor, free_port, is_up, nginx
from tests.paths import ROOT
from tests.server.people import Player, until
from tests.server.people import serving as serving_here
from tests.server.postgres import Postgres

EXAMPLE_DATABASE = "postgresql://malecon@localhost/malecon"


def test_every_block_is_tested_or_says_why_not() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "tests").rglob("*.py"))
    tested = [block for block in blocks() if block.mark == "tested"]
    assert len(tested) > 15
    for each in blocks():
        assert each.mark, f"{each.page}: mark the block that begins with {each.text.splitlines()[0]!r}"
        if each.mark == "tested":
            assert f'block("{each.name}")' in sources, f"{each.page}: no test uses the block {each.name}"
        else:
            assert len(each.name) > 20, f"{each.page}: say why {each.name!r} cannot be run"
    assert len({block.name for block in tested}) == len(tested)


@contextmanager
def shell(folder: Path) -> Iterator[dict[str, str]]:
    """An environment in which `malecon` is the program of these tests."""
    programs = folder / "bin"
    programs.mkdir()
    (programs / "malecon").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m malecon "$@"\n')
    (programs / "malecon").chmod(0o755)
    own = {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src"), "LC_ALL": "C.UTF-8"}
    yield {**os.environ, **own, "MALECON_COMPILE": ""}


def run(command: str, folder: Path, environment: dict[str, str], typed: str = "") -> str:
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, input=typed, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@contextmanager
def started(command: str, folder: Path, environment: dict[str, str], port: int) -> Iterator[subprocess.Popen[bytes]]:
    with (folder / f"{port}.log").open("wb") as log:
        words = ["bash", "-c", f"exec {command}" if "=" not in command.split()[0] else f"exec env {command}"]
        with subprocess.Popen(words, cwd=folder, env=environment, stdout=log, stderr=log) as process:
            try:
                until(lambda: {"ok": is_up(port)}, lambda state: state["ok"], 180)
                yield process
            finally:
                process.terminate()


def test_settings_in_files(tmp_path: Path) -> None:
    for name in ("toml", "school", "oidc"):
        file = tmp_path / f"{name}.toml"
        file.write_text(block(name).text)
        read = read_settings({}, file)
        assert {key for key, source in read.sources.items() if source == str(file)} == set(
            tomllib.loads(block(name).text)
        )
    assert read_settings({}, tmp_path / "oidc.toml").settings.oidc_client == "malecon"
    assert block("toml").text
    assert block("school").text
    assert block("oidc").text


def test_commands_for_accounts(tmp_path: Path) -> None:
    with shell(tmp_path) as environment:
        shown = [run(command, tmp_path, environment, "tres tristes tigres\n") for command in block("accounts").commands]
    assert "Ana is the moderator" in shown[0]
    assert "Bea" in shown[-1]
    assert shown[-1].count("moderator") == 2


def test_config(tmp_path: Path) -> None:
    with shell(tmp_path) as environment:
        (command,) = block("config").commands
        shown = tomllib.loads(run(command, tmp_path, environment))
    assert shown["requests"] == ServerSettings().requests


def test_a_server_on_a_network_of_ones_own(tmp_path: Path) -> None:
    """All but the compiling, which `tests/kernel` tries; on this machine only, and on a free port."""
    warm, serve = block("local").commands
    assert warm == "malecon warm"
    port = free_port()
    command = serve.replace("0.0.0.0", "127.0.0.1").replace("8000", str(port))
    assert command != serve
    with shell(tmp_path) as environment, started(command, tmp_path, environment, port):
        assert (tmp_path / "club" / "malecon.sqlite3").exists()


@pytest.mark.slow
def test_compiling_for_many_machines(tmp_path: Path) -> None:
    pack, serve = block("portable").commands
    port = free_port()
    with shell(tmp_path) as environment:
        run(pack, tmp_path, environment)
        own = environment | {"MALECON_CACHE_DIR": str(tmp_path / "cache"), "MALECON_DATA": str(tmp_path / "club")}
        with started(f"{serve} --port {port}", tmp_path, own, port):
            assert not list((tmp_path / "cache").glob("*/*.ready"))


def test_backups_and_moving_to_postgresql(tmp_path: Path, postgres: Postgres) -> None:
    with serving_here(tmp_path / "club") as client:
        Player(client).open("me", "me")
    address = postgres.new_database()
    with shell(tmp_path) as environment:
        for command in (*block("keep").commands, *block("move").commands):
            run(command.replace(EXAMPLE_DATABASE, address), tmp_path, environment)
        assert len(list((tmp_path / "backups").glob("malecon-*.zip"))) == 1
        assert "1 tables" in run(f"malecon doctor --database {address}", tmp_path, environment)


def test_several_processes_and_a_thinker(tmp_path: Path, postgres: Postgres) -> None:
    address, ports = postgres.new_database(), (free_port(), free_port())
    upstream = block("upstream").text
    proxy_file = re.sub(r"upstream malecon \{.*?\n\}\n", lambda _: upstream, block("nginx").text, flags=re.S)
    commands = block("processes").commands
    for old, new in zip(("8000", "8001"), map(str, ports), strict=True):
        proxy_file = proxy_file.replace(f"127.0.0.1:{old}", f"127.0.0.1:{new}")
        commands = [command.replace(f"--port {old}", f"--port {new}") for command in commands]
    commands = [command.replace(EXAMPLE_DATABASE, address) for command in commands]
    (think,) = block("think").commands
    with (
        shell(tmp_path) as environment,
        started(commands[0], tmp_path, environment, ports[0]),
        started(commands[1], tmp_path, environment, ports[1]),
        nginx(proxy_file, tmp_path) as proxy,
    ):
        with Visitor(proxy) as visitor:
            assert [visitor.get("/rules").status_code for _ in range(6)] == [200] * 6
        words = shlex.split(think.replace(EXAMPLE_DATABASE, address).replace("--threads 8", "--threads 1"))
        with subprocess.Popen(words, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as thinker:
            assert thinker.stdout
            assert "Thinking in 1 threads" in thinker.stdout.readline()
            thinker.send_signal(signal.SIGTERM)
            assert thinker.wait(30) == 0


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.close()


def test_pages_have_no_settings_that_there_are_not() -> None:
    names = {f"MALECON_{name.upper()}" for name in vars(ServerSettings())} | {"MALECON_CONFIG", "MALECON_NAME"}
    names.add(llm_bot.KEY)
    for page in (ROOT / "docs").glob("*.md"):
        assert set(re.findall(r"MALECON_[A-Z_]+[A-Z]", page.read_text())) <= names, page.name
