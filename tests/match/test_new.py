"""A new match: what it begins with, and what it refuses to begin with."""

import numpy as np
import pytest

import malecon
from malecon import CHANCE, BadSetup, IllegalMove, Match, NotAMove, UnknownGame
from malecon.bots import make
from malecon.kernel import journal
from tests.match.games import first_drive


def test_a_new_match_waits_for_the_first_decision():
    match = malecon.new("santiago", players=3, seed=1)
    assert match.phase == "demand"
    assert match.turn in range(3)
    assert not match.is_over
    assert match.outcome is None
    assert len(match) == 12 + 9 + 1 + 5  # tiles, starter, dice


def test_the_same_seed_is_the_same_game_and_another_is_another():
    assert malecon.new("santiago", 3, seed=1).to_bytes() == malecon.new("santiago", 3, seed=1).to_bytes()
    assert malecon.new("santiago", 3, seed=1).history != malecon.new("santiago", 3, seed=2).history


def test_without_a_seed_every_new_game_is_another():
    assert len({malecon.new("santiago", 3).history for _ in range(4)}) == 4


def test_a_match_of_ones_own_waits_for_chance_to_be_pushed():
    match = Match("santiago", 3)
    assert match.turn == CHANCE
    assert len(match) == 0
    match.push("place casino")
    assert match.turn == CHANCE
    assert len(match) == 1


def test_from_now_on_chance_can_be_drawn():
    match = Match("santiago", 3)
    match.push("place casino")
    match.draw_chance(seed=5)
    assert match.phase == "demand"
    assert str(match.history[0].move) == "place casino"
    other = Match("santiago", 3)
    other.push("place casino")
    other.draw_chance(seed=5)
    assert other.history == match.history


def test_unknown_games_are_refused_with_those_there_are():
    with pytest.raises(UnknownGame, match=r"there is no game called 'go'; choose from: .*santiago"):
        malecon.new("go", 3)


@pytest.mark.parametrize("players", [1, 5, 0, -3, 10**9, True, 2.0, "3", None])
def test_numbers_of_players_the_game_is_not_for_are_refused(players):
    with pytest.raises(BadSetup, match="Santiago de Cuba is for 2 to 4 players"):
        Match("santiago", players)


@pytest.mark.parametrize("seed", [np.int64(5), np.uint8(5), 5 + (1 << 64), 5 - (1 << 64)])
def test_a_seed_is_any_integer_and_its_lowest_64_bits_count(seed):
    assert malecon.new("santiago", np.int8(2), seed=seed).history == malecon.new("santiago", 2, seed=5).history


@pytest.mark.parametrize("seed", [5.0, "5", True, [5], np.float32(5), 5j])
def test_what_is_no_integer_is_no_seed(seed):
    with pytest.raises(BadSetup, match="a seed is a whole number, not"):
        malecon.new("santiago", 2, seed=seed)
    match = malecon.new("santiago", 2, seed=5)
    with pytest.raises(BadSetup, match="a seed is a whole number, not"):
        match.draw_chance(seed)


@pytest.mark.parametrize("names", ["ab", {"a", "b"}, 7, iter(["a", "b"])])
def test_names_of_the_wrong_kind_are_refused(names):
    with pytest.raises(BadSetup, match="names are a list with one for each seat"):
        malecon.new("santiago", 2, names=names)


@pytest.mark.parametrize("move", [3, None, b"drive 3", ["drive 3"], 2.5])
def test_what_is_neither_text_nor_move_is_refused(move):
    with pytest.raises(NotAMove, match="is not a move"):
        first_drive().push(move)


def test_legal_moves_can_be_sliced():
    moves = first_drive().legal_moves
    assert list(moves[0:2]) == [moves[0], moves[1]]
    assert repr(moves[:1]) == "<LegalMoves drive 1>"
    assert list(moves[::-1]) == list(moves)[::-1]
    assert not len(moves[99:])


def test_views_are_equal_where_they_show_the_same_and_short_to_read(match):
    view, same, other = match.view(0), match.view(0), match.view(1)
    assert view == same
    assert hash(view) == hash(same)
    assert len({view, same, other, match.view(None)}) == 3
    assert repr(view) == f"<View santiago, seat 0 of 3, {len(match)} moves, {match.phase}>"
    assert repr(match.view(None)).startswith("<View santiago, a spectator of 3, ")
    assert view != "a view"


@pytest.mark.parametrize("spec", ["random", "greedy", "search:sims=2"])
def test_a_bot_refuses_a_view_in_which_another_is_to_move(match, spec):
    for seat in (None, *(seat for seat in range(3) if seat != match.turn)):
        with pytest.raises(IllegalMove, match="not this seat’s turn"):
            make(spec).choose(match.view(seat))


def test_a_notebook_shows_what_everybody_holds(match):
    drawn = match._repr_svg_()
    for seat in range(3):
        assert f"{match.position.pesos[seat]}</text>" in drawn
        assert f'id="seat-{seat}"' in drawn


def test_a_journal_that_is_full_takes_no_more():
    pages = journal.new_journal()[:4].copy()
    fence = np.full((1, 5), 77, np.int32)
    book = np.concatenate([pages, fence])
    for amount in range(9):
        journal.note(book[:4], 1, 0, amount, -1, -1)
    assert (book[4] == 77).all()
    assert [event.amount for event in journal.events(book[:4])] == [0, 1, 2]


def test_the_front_door_has_no_other_names():
    assert set(malecon.__all__) <= set(dir(malecon))
    with pytest.raises(AttributeError, match="no attribute 'typo'"):
        _ = malecon.typo


def test_options_the_game_does_not_have_are_refused():
    with pytest.raises(BadSetup, match="there is no option 'closed_doors'; choose from: open_screens"):
        malecon.new("santiago", 3, closed_doors=True)


@pytest.mark.parametrize("value", ["yes", 1, 0, None, "True"])
def test_values_an_option_cannot_take_are_refused(value):
    with pytest.raises(BadSetup, match=r"open_screens cannot be .*; choose from: False, True"):
        malecon.new("santiago", 3, open_screens=value)


def test_options_are_kept_and_cannot_be_changed():
    match = malecon.new("santiago", 3, open_screens=True)
    assert match.options == {"open_screens": True}
    with pytest.raises(TypeError):
        match.options["open_screens"] = False
    assert malecon.new("santiago", 3).options == {"open_screens": False}


@pytest.mark.parametrize("names", [[], ["Ana"], ["Ana", "Bé", "Çelik", "Đorđe"]])
def test_names_must_be_as_many_as_players(names):
    with pytest.raises(BadSetup, match=f"3 players need 3 names, not {len(names)}"):
        malecon.new("santiago", 3, names=names)


@pytest.mark.parametrize("name", ["", "a" * 41, "two\nlines", "\x1b[31mred", "\u202eabc", 7, b"Ana", "\ud800"])
def test_names_that_cannot_be_shown_are_refused(name):
    with pytest.raises(BadSetup, match="a name has 1 to 40 printable characters"):
        malecon.new("santiago", 2, names=["Ana", name])


def test_seats_without_a_name_are_called_by_their_colour():
    match = malecon.new("santiago", 4, names=["Ana", None, "日本 👋", None])
    assert [str(name) for name in match.names] == ["Ana", "Blue", "日本 👋", "Green"]
    assert [str(name) for name in malecon.new("santiago", 2).names] == ["Red", "Blue"]


@pytest.mark.parametrize("game", [[1], {}, None, 3, "chess"])
def test_what_is_no_game_is_an_unknown_game(game: object) -> None:
    with pytest.raises(malecon.UnknownGame):
        malecon.new(game, players=2)  # type: ignore[arg-type]
