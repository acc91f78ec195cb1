"""The examples in the README and the docs run as they stand, and the docs are a site whose links lead somewhere."""

from __future__ import annotations

import dataclasses
import doctest
import re
from pathlib import Path
from unittest import mock

import pytest
from website import build

from malecon import games
from malecon.drawing.game_drawing import GameDrawing
from malecon.kernel import registry, verbs
from malecon.kernel.game import Game
from malecon.study.chapters import GameChapters
from malecon.text import LANGUAGES
from malecon.text.game_text import GameText
from tests.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RULES = [build.rules_file(game, language) for game in games.names() for language in LANGUAGES]
MODULES = ("malecon.kernel.notation", "malecon.kernel.phrases", "malecon.text.languages")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page: Path) -> None:
    with mock.patch.dict(registry._packages):  # one of them registers a game
        failures, _ = doctest.testfile(str(page), module_relative=False)
    assert failures == 0


def test_the_pages_have_examples() -> None:
    examples = doctest.DocTestParser().get_examples
    assert len(examples((ROOT / "README.md").read_text())) >= 4
    assert len(examples((ROOT / "docs" / "programming.md").read_text())) >= 10


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name: str) -> None:
    module = __import__(name, fromlist=["_"])
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        made = target in RULES  # by the site
        assert made or (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_move_family_is_in_the_notation_page() -> None:
    page = (ROOT / "docs" / "notation.md").read_text()
    for name in games.names():
        verbs = {text.split()[0] for text in games.get(name).notation.names()}
        missing = {verb for verb in verbs if f"`{verb}" not in page}
        assert not missing, f"{name}: {missing}"


def test_everything_a_game_answers_and_tells_is_in_the_page_on_adding_one() -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text()
    fields = [field.name for field in dataclasses.fields(Game)]
    assert [name for name in (*verbs.VERBS, *fields) if f"`{name}`" not in page] == []
    for protocol in (GameText, GameDrawing, GameChapters):
        said = [name for name in (*vars(protocol), *protocol.__annotations__) if not name.startswith("_")]
        assert [name for name in said if f"`{name}`" not in page] == []


def test_the_page_on_adding_a_game_shows_the_files_of_one_as_they_are() -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text()
    files = sorted((ROOT / "tests" / "paseo").glob("*.py"))
    assert len(files) == 6
    for file in files:
        assert f"`{file.name}`" in page
        assert file.read_text().split('"""', 2)[2].strip() in page, file.name


def test_every_defence_in_the_threat_model_names_a_test_that_exists() -> None:
    named = re.findall(
        r"`(?:(tests)/)?([\w/]*test_\w+\.py)(?:::(test_\w+))?`", (ROOT / "docs" / "security.md").read_text()
    )
    assert len(named) > 25
    for top, path, function in named:
        file = ROOT / "tests" / ("" if top else "server") / path
        assert file.exists(), file
        assert f"def {function}(" in file.read_text() or not function, f"{path}::{function}"


def test_the_site_is_built_without_the_network(tmp_path: Path) -> None:
    assert build.build(tmp_path) == []
    site = tmp_path / "site"
    pages = {page.stem for page in site.glob("*.html")}
    assert pages == {"404", *(Path(name).stem for name in RULES), *(page.stem for page in (ROOT / "docs").glob("*.md"))}
    html = (site / "rules-cuba-de.html").read_text()
    assert "Parlament" in html
    assert '<svg class="m-tile"' in html
    navigation = (site / "index.html").read_text()
    shown = pages - {"404"} - {Path(name).stem for name in RULES if name.count("-") == 2}
    assert [page for page in shown if f'href="./{page}.html"' not in navigation] == ["index"]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("[here](nowhere.md) [there](index.md#no-such-part)", ["page does not exist", "anchor does not exist"]),
        (
            "![picture](images/none.png)\n\n<script src='https://example.org/x.js'></script>",
            ["images/none.png, which is not there", "loads https://example.org/x.js"],
        ),
    ],
)
def test_a_page_that_leads_nowhere_or_loads_from_elsewhere_fails_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, said: list[str]
) -> None:
    docs = tmp_path / "docs-with-a-fault"
    docs.mkdir()
    (docs / "index.md").write_text(f"# Start here\n\n{fault}\n")
    monkeypatch.setattr(build, "DOCS", docs)
    monkeypatch.setattr(build, "rules_page", lambda game, language: "# Rules\n")
    wrong = "".join(build.build(tmp_path))
    assert [text for text in said if text not in wrong] == []
