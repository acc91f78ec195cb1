"""The examples in the README and the docs run as they stand."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = ("malecon.kernel.notation", "malecon.kernel.phrases", "malecon.words.languages")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page: Path) -> None:
    failures, _ = doctest.testfile(str(page), module_relative=False)
    assert failures == 0


def test_the_pages_have_examples() -> None:
    examples = doctest.DocTestParser().get_examples
    assert len(examples((ROOT / "README.md").read_text())) >= 4
    assert len(examples((ROOT / "docs" / "library.md").read_text())) >= 10


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name: str) -> None:
    module = __import__(name, fromlist=["_"])
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_move_family_is_in_the_notation_page() -> None:
    from malecon import games

    page = (ROOT / "docs" / "notation.md").read_text()
    for name in games.NAMES:
        verbs = {text.split()[0] for text in games.get(name).notation.names()}
        missing = {verb for verb in verbs if f"`{verb}" not in page}
        assert not missing, f"{name}: {missing}"
