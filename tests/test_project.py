"""What contributors and readers are told is true: the commands in the docs, the templates, the workflow."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
import yaml

import malecon
from malecon.cli import app
from tests.paths import ROOT

PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every call of malecon in a console block, with the page it stands on."""
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.S):
            for line in block.splitlines():
                words = shlex.split(line.removeprefix("$ "), comments=True)
                if words and Path(words[0]).name == "malecon" and len(words) > 1:
                    end = next((place for place, word in enumerate(words) if word in ("<", ">")), None)
                    yield page.name, words[1:end]


@pytest.mark.parametrize(("page", "words"), list(commands()))
def test_commands_in_the_docs_are_understood(page: str, words: list[str]) -> None:
    known = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert words[0] in known, f"{page}: malecon {words[0]}"
    known[words[0]].make_context(words[0], words[1:])  # raises where an argument or option does not fit


def test_forms_and_workflow_can_be_read() -> None:
    folder = ROOT / ".github"
    for form in (folder / "ISSUE_TEMPLATE").glob("*.yml"):
        read = yaml.safe_load(form.read_text())
        assert form.name == "config.yml" or {"name", "description", "body"} <= set(read), form.name
    (job,) = yaml.safe_load((folder / "workflows" / "ci.yml").read_text())["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]


def test_the_citation_is_of_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {malecon.__version__}\n" in text
    assert "cff-version: 1.2.0" in text
