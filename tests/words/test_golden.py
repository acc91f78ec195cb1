"""A whole game told in every language, word for word. After a change for the better: `python tests/words/golden.py`."""

import re

import pytest

from malecon import words
from words.golden import FOLDER, told

ENGLISH = re.compile(r"\b(the|of|at|to|and|for|drives|takes|moves|ship|pesos? at|points?|rolls|leaves|wins)\b", re.I)


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_the_golden_game_is_told_as_before(language):
    assert told(language) == (FOLDER / f"{language}.txt").read_text("utf-8")


@pytest.mark.parametrize("language", [language for language in words.LANGUAGES if language != "en"])
def test_no_english_is_left(language):
    assert not ENGLISH.findall(told(language))


def test_all_languages_tell_equally_much():
    counts = {language: told(language).count("\n") for language in words.LANGUAGES}
    assert len(set(counts.values())) == 1, counts
