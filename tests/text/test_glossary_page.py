"""docs/glossary.md and the catalogs use the same words, and none of the words to avoid."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from malecon import games
from malecon.text import extract
from malecon.text.languages import load
from tests.paths import ROOT

PAGE = ROOT / "docs" / "glossary.md"
LANGUAGES = {"de": 1, "es": 2, "it": 3}  # by column; English is the first

for name in games.names():
    games.get(name)  # its catalogs count, too

AVOID = "## Words to avoid"

Row = tuple[str, ...]


def table(text: str) -> list[Row]:
    lines = re.findall(r"^\|(.+)\|$", text, re.M)
    rows = [tuple(cell.strip() for cell in line.split("|")) for line in lines]
    return [row for row in rows if len(row) == 5 and row[0] not in ("English", "instead of", "---")]


def rows() -> list[Row]:
    return table(PAGE.read_text().split(AVOID)[0])


def said(language: str) -> dict[str, set[str]]:
    """What a catalog says for each English text, whatever the context, in lower case."""
    translations: dict[str, set[str]] = defaultdict(set)
    for (_, text), forms in load(language).templates.items():
        translations[text] |= {form.lower() for form in forms}
    return translations


def test_every_row_is_complete() -> None:
    assert len(rows()) > 120
    assert [row for row in rows() if not all(row)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogs_say_what_the_glossary_says(language: str) -> None:
    translations = said(language)
    compared, wrong = 0, []
    for row in rows():
        cell = row[LANGUAGES[language]]
        if row[0] in translations:
            compared += 1
            if cell.lower() not in translations[row[0]]:
                wrong.append((row[0], cell, translations[row[0]]))
    assert wrong == []
    assert compared > 80


def avoided(column: int) -> list[str]:
    """Patterns of the words to avoid in one column, English being the second."""
    cells = [row[column] for row in table(PAGE.read_text().split(AVOID)[1])]
    words = [word.strip() for cell in cells for word in cell.split(",") if word.strip()]
    return [rf"\b{re.escape(word[:-1])}\w*" if word.endswith("*") else rf"\b{re.escape(word)}\b" for word in words]


def test_english_avoids_the_words_to_avoid() -> None:
    texts = [text for message in extract.collect() for text in (message.text, message.plural)]
    assert [(word, text) for word in avoided(1) for text in texts if re.search(word, text, re.I)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogs_avoid_the_words_to_avoid(language: str) -> None:
    patterns = avoided(LANGUAGES[language] + 1)
    assert len(patterns) >= 3
    forms = [form for texts in load(language).templates.values() for form in texts]
    # As written: a German noun has a capital, and "läuft aus" may stand apart.
    assert [(word, form) for word in patterns for form in forms if re.search(word, form)] == []


def test_a_german_turn_and_a_german_move_differ() -> None:
    for (_, text), forms in load("de").templates.items():
        if any(re.search(r"\bZ(u|ü)g(s|e|es|en)?\b", form) for form in forms):
            assert re.search("turn|waiting for chance", text, re.I), text
