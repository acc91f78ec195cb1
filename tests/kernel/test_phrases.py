"""Phrases: sentences as data, filled and counted in English; and the errors that carry them."""

import pickle

import pytest

from malecon.kernel import errors
from malecon.kernel.phrases import Phrase, counted, say


def test_gaps_are_filled():
    assert str(say("{who} drives to {where}", who="Ana", where="José")) == "Ana drives to José"


def test_phrases_nest():
    inner = counted("{n} peso", "{n} pesos", 2)
    assert str(say("you have {have}", have=inner)) == "you have 2 pesos"


@pytest.mark.parametrize(("n", "text"), [(0, "0 pesos"), (1, "1 peso"), (2, "2 pesos"), (-1, "-1 pesos")])
def test_one_is_singular_and_all_else_plural(n, text):
    assert str(counted("{n} peso", "{n} pesos", n)) == text


def test_braces_and_percent_signs_in_a_name_are_just_letters():
    assert str(say("it is {who}’s turn", who="{n} %s {0}")) == "it is {n} %s {0}’s turn"


def test_equal_phrases_are_equal_and_hash_alike():
    phrase, other = say("{a} and {b}", a=1, b="x"), say("{a} and {b}", a=1, b="x")
    assert phrase == other
    assert hash(phrase) == hash(other)
    assert phrase != say("{a} and {b}", a=2, b="x")
    assert Phrase("Red", context="seat") != Phrase("Red", context="flower")
    assert len({phrase, other, Phrase("Red", context="seat"), Phrase("Red", context="flower")}) == 3


def test_a_symbol_stays_when_gaps_are_filled_and_does_not_change_the_text():
    pesos = counted("{n} peso", "{n} pesos", 1).with_symbol("peso")
    assert (str(pesos.fill(n=2)), pesos.fill(n=2).symbol) == ("2 pesos", "peso")
    assert pickle.loads(pickle.dumps(pesos)) == pesos


def test_a_phrase_cannot_be_changed():
    with pytest.raises(AttributeError):
        say("text").text = "other"


ERRORS = [errors.BadSetup, errors.NotAMove, errors.IllegalMove, errors.BadRecord, errors.BadSnapshot]


@pytest.mark.parametrize("kind", ERRORS)
def test_every_error_says_its_phrase_and_keeps_it_for_translation(kind):
    phrase = say("the {what} is wrong", what="bank")
    error = kind(phrase)
    assert str(error) == "the bank is wrong"
    assert error.phrase == phrase
    assert isinstance(error, errors.MaleconError)
    assert isinstance(error, ValueError)


def test_a_bad_record_names_its_line():
    error = errors.BadRecord(say("no such move"), 12)
    assert (error.line, str(error), str(error.reason)) == (12, "line 12: no such move", "no such move")
    assert errors.BadRecord(say("no such move")).line is None


def test_an_unknown_game_is_told_which_games_there_are():
    assert str(errors.UnknownGame("go", ["santiago"])) == "there is no game called 'go'; choose from: santiago"


RAISED = [kind(say("you have no {good}", good="rum")) for kind in ERRORS]
RAISED += [errors.BadRecord(say("no such move"), 12), errors.UnknownGame("go", ["santiago"])]


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_errors_survive_the_way_between_processes(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.phrase) == (type(error), str(error), error.phrase)
    assert getattr(again, "line", None) == getattr(error, "line", None)
