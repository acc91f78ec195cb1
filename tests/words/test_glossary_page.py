"""docs/glossary.md and the catalogs use the same words; rows with a star say where the catalogs do not follow yet."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from malecon.words.languages import load

PAGE = Path(__file__).parents[2] / "docs" / "glossary.md"
LANGUAGES = {"de": 1, "es": 2, "it": 3}  # by column; English is the first
BETTER = "★"

Row = tuple[str, ...]


def rows() -> list[Row]:
    lines = re.findall(r"^\|(.+)\|$", PAGE.read_text(), re.M)
    found = [tuple(cell.strip() for cell in line.split("|")) for line in lines]
    return [row for row in found if len(row) == 5 and row[0] != "English" and not row[0].startswith("---")]


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
        if BETTER not in row[0] + cell and row[0] in translations:
            compared += 1
            if cell.lower() not in translations[row[0]]:
                wrong.append((row[0], cell, translations[row[0]]))
    assert wrong == []
    assert compared > 80
