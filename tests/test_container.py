"""The container files say what the program understands; whether they build is for a machine with a container engine."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml
from typer.testing import CliRunner

from malecon.cli import app

FOLDER = Path(__file__).parent.parent / "container"


def test_the_container_file() -> None:
    text = (FOLDER / "Containerfile").read_text()
    command = json.loads(text.split("\nCMD ")[1])
    assert command[:2] == ["malecon", "serve"]
    told = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).stdout
    for option in (word for word in command if word.startswith("--")):
        assert option in told
    for copied in re.findall(r"^COPY (.+) \S+$", text, re.M):
        for name in copied.split():
            assert (FOLDER.parent / name).exists(), name


def test_the_compose_file() -> None:
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    assert set(services) == {"database", "malecon", "proxy"}
    assert (FOLDER / services["malecon"]["build"]["context"] / services["malecon"]["build"]["dockerfile"]).exists()
    assert "MALECON_DATABASE" in services["malecon"]["environment"]
    for service in services.values():
        assert "/" not in service.get("image", "")
        assert all(name in services for name in service.get("depends_on", ()))
    assert "malecon 8000" in (FOLDER / "Caddyfile").read_text()
