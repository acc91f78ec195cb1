"""Nothing is copied from a rulebook: no run of more than eight words, in any language. Skipped if none is at hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from malecon import games
from malecon.text import extract
from malecon.text.languages import LANGUAGES, SOURCE, load
from tests.paths import ROOT

for name in games.names():
    games.get(name)  # its catalogs count, too

PROJECT = ROOT
LONGEST = 8


def find_rulebooks() -> list[Path]:
    """The rulebooks' text, in a folder beside the project or beside its parent."""
    folders = [parent / "shared" / "seeds" for parent in (*PROJECT.parents[:2], PROJECT.parent)]
    return sorted({path for folder in folders for path in folder.glob("*.txt")})


def runs(text: str) -> set[tuple[str, ...]]:
    """Every run of one word more than may be the same, without signs and gaps."""
    words = re.findall(r"\w+", re.sub(r"{\w+}", " ", text.lower().replace("_", " ")))
    return {tuple(words[i : i + LONGEST + 1]) for i in range(len(words) - LONGEST)}


@pytest.fixture(scope="module")
def printed() -> set[tuple[str, ...]]:
    rulebooks = find_rulebooks()
    if not rulebooks:
        pytest.skip("the rulebooks are not at hand")
    return {run for path in rulebooks for run in runs(path.read_text("utf-8"))}


def test_a_copied_sentence_would_be_found(printed):
    assert printed & runs("At the end of your turn, your playing piece is on a building that belongs to another player")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_copied(language, printed):
    if language == SOURCE:
        texts = [message.text for message in extract.collect()]
    else:
        texts = [form for forms in load(language).templates.values() for form in forms]
    assert [(text, copied) for text in texts if (copied := runs(text) & printed)] == []


def test_no_page_is_copied(printed):
    pages = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
    assert [(page.name, copied) for page in pages if (copied := runs(page.read_text("utf-8")) & printed)] == []
