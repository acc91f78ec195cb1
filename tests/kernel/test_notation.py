"""Notation: every move has one code and one spelling, in every game."""

import pytest

from malecon import games
from malecon.kernel.notation import Notation

GAMES = [pytest.param(games.get(name), id=name) for name in games.NAMES]


@pytest.mark.parametrize("game", GAMES)
def test_every_code_and_its_name_lead_to_each_other(game):
    names = game.notation.names()
    assert len(names) == len(game.notation) == len(set(names))
    for code, name in enumerate(names):
        assert game.notation.name(code) == name
        assert game.notation.code(name) == code


@pytest.mark.parametrize("game", GAMES)
def test_spacing_and_capitals_do_not_matter(game):
    for code, name in enumerate(game.notation.names()):
        assert game.notation.code(name.upper()) == code
        assert game.notation.code("  " + name.title().replace(" ", " \t ") + "\n") == code


@pytest.mark.parametrize("game", GAMES)
def test_moves_are_short_words_in_plain_ascii(game):
    for name in game.notation.names():
        assert name.isascii()
        assert name == " ".join(name.lower().split())
        assert len(name) <= 40


@pytest.mark.parametrize("game", GAMES)
def test_codes_fit_a_list_of_moves(game):
    assert len(game.notation) < 2**15


def test_families_are_numbered_in_order_and_the_last_choice_varies_fastest():
    notation = Notation()
    assert notation.family("pass") == 0
    assert notation.family("deliver {} {}", (1, 2), ("rum", "citrus")) == 1
    assert notation.names() == ("pass", "deliver 1 rum", "deliver 1 citrus", "deliver 2 rum", "deliver 2 citrus")
    assert len(notation) == 5


def test_two_moves_of_one_name_are_refused():
    notation = Notation()
    notation.family("drive {}", (1, 2))
    with pytest.raises(ValueError, match="two moves are called 'drive 2'"):
        notation.family("drive {}", (2, 3))


@pytest.mark.parametrize("text", ["", " ", "drive", "drive 0", "drive 41", "drive 01", "drive -1", "drive1", "drivé 1"])
def test_what_is_no_move_has_no_code(text):
    assert games.get("santiago").notation.code(text) is None
