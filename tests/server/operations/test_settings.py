"""Settings: one description, read from a file, the environment and the command line; what is unknown is refused."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from malecon.kernel.errors import BadSetup
from malecon.server.operations.settings import (
    COMMAND_LINE,
    DEFAULT,
    GROUPS,
    ServerSettings,
    markdown_table,
    read_settings,
)
from tests.cli.command import malecon
from tests.paths import ROOT


def test_settings_come_from_the_environment() -> None:
    assert ServerSettings.of({}) == ServerSettings()
    settings = ServerSettings.of(
        {"MALECON_REQUESTS": "7", "MALECON_HOOKS": "public", "MALECON_TABLES": "", "OTHER": "x"}
    )
    assert (settings.requests, settings.hooks, settings.tables) == (7, "public", ServerSettings().tables)


def test_what_is_nearer_to_the_command_line_holds(tmp_path: Path) -> None:
    file = tmp_path / "malecon.toml"
    file.write_text('hosts = "games.example"\nrequests = 5\nwrites = 6\n')
    environment = {"MALECON_CONFIG": str(file), "MALECON_REQUESTS": "7", "MALECON_PORT": "9000"}
    read = read_settings(environment, command_line={"port": 9001, "data": None})
    chosen = {name: getattr(read.settings, name) for name in ("hosts", "requests", "writes", "port", "data")}
    assert chosen == {"hosts": "games.example", "requests": 7, "writes": 6, "port": 9001, "data": ""}
    assert [read.sources[name] for name in chosen] == [
        str(file),
        "MALECON_REQUESTS",
        str(file),
        COMMAND_LINE,
        DEFAULT,
    ]


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"MALECON_REQUESTS": "many"}, "MALECON_REQUESTS cannot be 'many'"),
        ({"MALECON_SOCKETS": "-1"}, "MALECON_SOCKETS"),
        ({"MALECON_REQUESTS": "99999999999"}, "MALECON_REQUESTS"),
        ({"MALECON_HOOKS": "yes"}, "off, public, any"),
        ({"MALECON_PROXY": "*"}, "192.0.2.7"),
        ({"MALECON_PROXY": "0.0.0.0/0"}, "192.0.2.7"),
        ({"MALECON_PROXY": "garbage"}, "192.0.2.7"),
        ({"MALECON_HOSTS": "https://games.example"}, "games.example"),
        ({"MALECON_ADDRESS": "games.example"}, "https://games.example"),
        ({"MALECON_OIDC_ISSUER": "http://[broken"}, "https://"),
        ({"MALECON_MAIL_FROM": "nobody"}, "club@games.example"),
        ({"MALECON_REQUEST": "7"}, "did you mean MALECON_REQUESTS?"),
        ({"MALECON_MODERATORS": "Ana"}, "malecon account moderator"),
        ({"MALECON_CONFIG": "/nowhere/malecon.toml"}, "/nowhere/malecon.toml cannot be read"),
    ],
)
def test_what_is_wrong_is_refused_with_what_is_right(environment: dict[str, str], said: str) -> None:
    with pytest.raises(BadSetup, match=re.escape(said)):
        read_settings(environment)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("requets = 5", "there is no setting requets; did you mean requests?"),
        ('requests = "5"', "requests cannot be '5'"),
        ("requests = true", "requests cannot be True"),
        ("hosts = 5", "hosts cannot be 5"),
        ("hosts", "cannot be read"),
    ],
)
def test_a_file_is_checked_as_the_environment_is(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "malecon.toml"
    file.write_text(text)
    with pytest.raises(BadSetup, match=re.escape(said)):
        read_settings({}, file)


def test_the_command_prints_what_holds_and_where_it_comes_from(tmp_path: Path) -> None:
    file = tmp_path / "malecon.toml"
    file.write_text('hosts = "games.example"\nsmtp_password = "sesame"\n')
    shown = malecon("config", "--config", str(file), MALECON_WRITES="9")
    assert shown.returncode == 0
    lines = dict(line.split(" #", 1) for line in shown.stdout.splitlines())
    sources = {name.strip(): source.strip() for name, source in lines.items()}
    assert sources['hosts = "games.example"'] == str(file)
    assert sources["writes = 9"] == "MALECON_WRITES"
    assert sources["requests = 2400"] == DEFAULT
    assert "sesame" not in shown.stdout
    assert len(lines) == len(fields(ServerSettings))
    assert tomllib.loads(shown.stdout)["writes"] == 9  # what it prints is a file of settings
    refused = malecon("config", MALECON_REQUET="1")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "did you mean MALECON_REQUESTS?" in refused.stderr


def test_a_server_with_a_misspelt_setting_does_not_start(tmp_path: Path) -> None:
    refused = malecon("serve", "--no-browser", "--data", str(tmp_path / "club"), MALECON_HOST_NAMES="games.example")
    assert refused.returncode == 2
    assert "MALECON_HOST" in refused.stderr
    assert not (tmp_path / "club").exists()


def test_the_docs_have_all_settings_as_they_are() -> None:
    """`python -m tests.server.operations.test_settings` writes the tables."""
    page = (ROOT / "docs" / "hosting.md").read_text()
    assert page == with_tables(page)
    assert all(f"<!-- settings: {group} -->" in page for group in GROUPS)


def with_tables(page: str) -> str:
    for group in GROUPS:
        mark, end = f"<!-- settings: {group} -->\n", "\n<!-- end -->"
        if mark in page:
            before, after = page.split(mark, 1)
            page = before + mark + markdown_table(group) + end + after.split(end, 1)[1]
    return page


if __name__ == "__main__":
    path = ROOT / "docs" / "hosting.md"
    path.write_text(with_tables(path.read_text()))
