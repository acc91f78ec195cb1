"""A whole game told in every language, word for word. After a change for the better: `python -m tests.text.golden`."""

import re

import pytest

from malecon.text import LANGUAGES
from tests.text.golden import GAMES, kept, log_lines

ENGLISH = re.compile(
    r"\b(the|of|at|to|and|for|drives|takes|moves|ship|pesos? at|points?|rolls|leaves|wins|plays|buys|sells|loads|bids?|"
    r"votes?|law|tax|duty|subsidy|field|berth|builds|harvests|pays|with)\b",
    re.I,
)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_golden_game_is_told_as_before(game, language):
    assert log_lines(game, language) == kept(game, language).read_text("utf-8")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_no_english_is_left(game, language):
    assert not ENGLISH.findall(log_lines(game, language))


@pytest.mark.parametrize("game", GAMES)
def test_all_languages_tell_equally_much(game):
    counts = {language: log_lines(game, language).count("\n") for language in LANGUAGES}
    assert len(set(counts.values())) == 1, counts
