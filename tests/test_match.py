"""Match: the library's front door. Everything it promises, and everything it refuses."""

import copy
import dataclasses
import json
import pickle
import struct
import zlib
from collections import Counter

import numpy as np
import pytest

import malecon
from malecon import CHANCE, BadSetup, BadSnapshot, IllegalMove, Match, Move, NotAMove, UnknownGame, games
from malecon.bots import make
from malecon.bots.memory import remember
from malecon.games import view
from malecon.kernel import journal
from malecon.match import Record, Turn


def play_on(match: Match, decisions: int) -> Match:
    """So many moves of players who take the last one of the list: they rather pass than do anything."""
    for _ in range(decisions):
        if match.is_over:
            break
        match.push(match.legal_moves[-1])
    return match


@pytest.fixture
def match():
    """A game of three with a seed, some moves old."""
    return play_on(malecon.new("santiago", 3, seed=11), 30)


def first_drive(**more) -> Match:
    """A game of three in which the starting player is about to drive with 3 pesos."""
    match = malecon.new("santiago", players=3, seed=1, **more)
    match.push(match.legal_moves[0])  # the first demand
    return match


# --- new


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
    one, same, other = match.view(0), match.view(0), match.view(1)
    assert one == same
    assert hash(one) == hash(same)
    assert len({one, same, other, match.view(None)}) == 3
    assert repr(one) == f"<View santiago, seat 0 of 3, {len(match)} moves, {match.phase}>"
    assert repr(match.view(None)).startswith("<View santiago, a spectator of 3, ")
    assert one != "a view"


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


# --- where the game stands


def test_repr_tells_the_game_the_players_the_moves_and_the_phase(match):
    assert repr(malecon.new("santiago", 3, seed=1)) == "<Match santiago, 3 players, 27 moves, demand>"
    assert repr(match).startswith("<Match santiago, 3 players, ")


def test_the_position_is_a_copy(match):
    before = match.to_bytes()
    match.position.car = 9
    match.position.goods[0] = 8
    assert match.to_bytes() == before


def test_the_history_names_every_actor_and_move():
    match = Match("santiago", 2)
    match.push("place casino")
    match.draw_chance(seed=5)
    match.push("leave rum")
    assert match.history[0] == Turn(CHANCE, Move("santiago", "place casino"))
    assert str(match.history[27].move) == "leave rum"
    assert match.history[27].seat in (0, 1)
    assert len(match.history) == len(match)


def test_peek_is_the_last_move_or_none():
    match = Match("santiago", 2)
    assert match.peek() is None
    match.push("place casino")
    assert match.peek() == Turn(CHANCE, Move("santiago", "place casino"))


# --- legal moves


def test_legal_moves_can_be_counted_iterated_indexed_and_asked():
    legal = first_drive().legal_moves
    assert len(legal) == 4
    assert list(map(str, legal)) == ["drive 1", "drive 2", "drive 3", "drive 4"]
    assert legal[0] == Move("santiago", "drive 1")
    assert str(legal[-1]) == "drive 4"
    with pytest.raises(IndexError):
        legal[4]
    assert all(isinstance(move, Move) for move in legal)
    assert repr(legal) == "<LegalMoves drive 1, drive 2, drive 3, drive 4>"


@pytest.mark.parametrize("move", ["drive 2", " DRIVE\t2 ", Move("santiago", "drive 2"), Move("santiago", "Drive  2")])
def test_legal_moves_contain_a_move_however_it_is_written(move):
    assert move in first_drive().legal_moves


@pytest.mark.parametrize(
    "move", ["drive 5", "drive", "", "pass", Move("santiago", "drive 5"), 0, None, 2.0, ["drive 2"]]
)
def test_legal_moves_do_not_contain_what_is_none(move):
    assert move not in first_drive().legal_moves


def test_a_move_of_another_game_is_not_among_the_legal_ones():
    assert Move("cuba", "drive 2") not in first_drive().legal_moves


def test_legal_moves_keep_to_the_position_they_were_taken_from():
    match = first_drive()
    legal = match.legal_moves
    match.push("drive 1")
    assert list(map(str, legal)) == ["drive 1", "drive 2", "drive 3", "drive 4"]


def test_a_view_lists_nothing_before_it_is_asked(monkeypatch):
    listed = []
    monkeypatch.setattr(view, "legal_codes", lambda game, position: listed.append(1) or [0])
    match = first_drive()
    legal = match.view(match.turn).legal_moves
    assert listed == []
    assert len(legal) == 1
    assert listed == [1]


# --- push


@pytest.mark.parametrize("text", ["drive 2", "DRIVE 2", "  Drive \t 2\n"])
def test_a_move_can_be_pushed_as_text_however_it_is_spaced_and_capitalised(text):
    match = first_drive()
    assert match.push(text) == Move("santiago", "drive 2")
    assert str(match.history[28].move) == "drive 2"


def test_a_move_can_be_pushed_as_an_object():
    match = first_drive()
    move = Move("santiago", "drive 2")
    assert match.push(move) == move
    assert str(match.history[28].move) == "drive 2"


def test_a_move_parsed_is_in_its_proper_spelling():
    assert Move.parse(games.get("santiago"), " DRIVE   2") == Move("santiago", "drive 2")
    with pytest.raises(NotAMove):
        Move.parse(games.get("santiago"), "fly 2")


def test_a_move_knows_its_code_and_its_text():
    move = Move("santiago", "drive 2")
    assert move.code == 1
    assert str(move) == "drive 2"
    assert move == Move("santiago", "drive 2")
    assert len({move, Move("santiago", "drive 2")}) == 1


def test_a_move_of_another_game_is_refused():
    with pytest.raises(NotAMove, match="'drive 2' is a move in another game"):
        first_drive().push(Move("cuba", "drive 2"))


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("drvie 3", "drive 3"),
        ("drive 55", "drive 5"),
        ("sieze bank", "seize bank"),
        ("deliver 2 rumm", "deliver 2 rum"),
    ],
)
def test_text_that_is_no_move_is_refused_with_the_nearest_moves(text, near):
    with pytest.raises(NotAMove, match="is not a move; did you mean") as caught:
        first_drive().push(text)
    assert near in str(caught.value)


@pytest.mark.parametrize("text", ["", " ", "hello", "¿qué?", "0", "\x00", "{0}", "%s"])
def test_text_like_no_move_is_refused_plainly(text):
    with pytest.raises(NotAMove, match="is not a move"):
        first_drive().push(text)


def test_a_very_long_text_is_refused_shortly_and_quickly():
    with pytest.raises(NotAMove) as caught:
        first_drive().push("drive " * 100_000)
    assert len(str(caught.value)) < 200


def test_an_illegal_move_names_the_rule():
    with pytest.raises(IllegalMove, match="you have 3 pesos; this drive costs 4 pesos"):
        first_drive().push("drive 5")


def test_the_refusal_uses_the_players_names():
    match = Match("santiago", 2, names=["Ana {x}", "Bé"])
    for move in ("bank", "church", "cafe", "casino", "customs", "distillery", "factory", "harbormaster", "market"):
        match.push(f"place {move}")
    for move in ("newspaper", "office", "sawmill", "pedro", "alonso", "maria", "jose", "martinez", "conchita", "zorro"):
        match.push(f"place {move}")
    for move in ("place miguel", "place pablo", "starter red", "roll sugar 1", "roll citrus 1", "roll tobacco 1"):
        match.push(move)
    for move in ("roll rum 1", "roll cigars 1", "leave rum", "drive 1", "visit bank", "pass", "drive 1", "pass"):
        match.push(move)
    with pytest.raises(IllegalMove, match=r"^the Bank is occupied by Ana \{x\}’s piece$"):
        match.push("visit bank")


def test_the_seat_must_be_whose_turn_it_is():
    match = first_drive(names=["Ana", "Bé", "Çelik"])
    mover = match.turn
    with pytest.raises(IllegalMove, match=f"it is {match.names[mover]}’s turn"):
        match.push("drive 1", seat=(mover + 1) % 3)
    match.push("drive 1", seat=mover)


def test_nobody_may_move_for_chance():
    match = Match("santiago", 2)
    with pytest.raises(IllegalMove, match="it is chance’s turn"):
        match.push("place bank", seat=0)
    match.push("place bank", seat=CHANCE)


def test_a_refused_move_changes_nothing(match):
    before = match.to_bytes()
    for text in ("hello", "drive 40", "place bank", "roll rum 3"):
        with pytest.raises((NotAMove, IllegalMove)):
            match.push(text)
    with pytest.raises(IllegalMove):
        match.push(match.legal_moves[0], seat=(match.turn + 1) % 3)
    assert match.to_bytes() == before


def test_chance_moves_that_follow_a_move_are_drawn():
    match = malecon.new("santiago", 3, seed=1)
    while not match.is_over:
        assert match.turn != CHANCE
        match.push(match.legal_moves[-1])
    assert any(turn.seat == CHANCE for turn in match.history[30:])


def test_chance_is_uniform_over_its_outcomes():
    """The first tile, the starting player and the first die of many games, whatever their seeds."""
    drawn = [Match("santiago", 3, seed=seed).history for seed in range(1_200)]
    for move, outcomes in [(0, 12), (12, 9), (21, 3), (22, 6), (23, 6)]:
        seen = Counter(str(history[move].move) for history in drawn)
        assert len(seen) == outcomes
        expected = 1_200 / outcomes
        assert sum((count - expected) ** 2 / expected for count in seen.values()) < 2.5 * outcomes + 10


def test_nothing_a_player_sees_depends_on_dice_to_come(match):
    other = match.copy()
    other.draw_chance(seed=12345)
    assert other.to_bytes() != match.to_bytes()
    for viewer in (None, 0, 1, 2):
        mine, theirs = match.view(viewer), other.view(viewer)
        for field in dataclasses.fields(mine):
            one, two = getattr(mine, field.name), getattr(theirs, field.name)
            assert one.tobytes() == two.tobytes() if field.name == "position" else one == two
    assert other.record().to_json() == match.record().to_json()


def test_once_the_game_is_over_every_move_is_refused():
    match = play_on(malecon.new("santiago", 2, seed=3), 10_000)
    assert match.is_over
    assert match.turn is None
    assert len(match.legal_moves) == 0
    with pytest.raises(IllegalMove, match="the game is over"):
        match.push("drive 1")
    with pytest.raises(NotAMove):
        match.push("hello")


# --- pop


def test_pop_takes_the_last_move_back():
    match = first_drive()
    before = match.to_bytes()
    match.push("drive 1")
    assert match.pop() == Move("santiago", "drive 1")
    assert match.to_bytes() == before


def test_pop_takes_back_what_chance_drew_and_pushing_again_draws_the_same():
    match = malecon.new("santiago", 3, seed=1)
    while not (len(match) > 40 and match.history[-1].seat == CHANCE):
        match.push(match.legal_moves[-1])
    after = match.to_bytes()
    move = match.pop()
    match.push(move)
    assert match.to_bytes() == after


def test_another_move_after_pop_draws_its_own_chance():
    match = malecon.new("santiago", 3, seed=1)
    moves = [str(match.push(match.legal_moves[-1])) for _ in range(40)]
    for _ in moves:
        match.pop()
    assert match.phase == "demand"
    match.push("leave sugar" if moves[0] != "leave sugar" else "leave rum")
    assert match.phase == "drive"


def test_nothing_can_be_taken_back_at_the_start():
    with pytest.raises(IndexError, match="no move to take back"):
        Match("santiago", 3).pop()
    match = malecon.new("santiago", 3, seed=1)  # only chance has moved, and it is not ours to undo
    before = match.to_bytes()
    with pytest.raises(IndexError, match="no move to take back"):
        match.pop()
    assert match.to_bytes() == before


def test_where_chance_is_ones_own_its_moves_are_taken_back_one_by_one():
    match = Match("santiago", 3)
    match.push("place casino")
    match.push("place bank")
    assert str(match.pop()) == "place bank"
    assert str(match.pop()) == "place casino"
    assert len(match) == 0


def test_pop_works_after_a_snapshot(match):
    again = Match.from_bytes(match.to_bytes())
    while len(match) > 28:
        assert again.pop() == match.pop()
        assert again.to_bytes() == match.to_bytes()


def chance_after(match: Match) -> list[str]:
    """What chance draws when the players go on."""
    play_on(match, 150)
    return [str(turn.move) for turn in match.history if turn.seat == CHANCE][27:]


def test_chance_still_draws_at_random_after_a_move_older_than_the_dealer_was_taken_back():
    """A record is replayed, goes on with chance drawn, and a move of the record is taken back."""
    record = play_on(malecon.new("santiago", 3, seed=11), 5).record()
    drawn = []
    for seed in range(6):
        match = record.replay(seed=seed)
        match.pop()
        drawn.append(tuple(chance_after(match)[:10]))
    assert len(set(drawn)) > 1


def test_chance_still_draws_at_random_after_a_move_of_a_fork_was_taken_back():
    match = play_on(malecon.new("santiago", 3, seed=11), 10)
    drawn = []
    for _ in range(6):
        fork = match.fork(len(match))
        fork.pop()
        drawn.append(tuple(chance_after(fork)[:10]))
    assert len(set(drawn)) > 1


# --- fork, copy


def test_a_fork_has_only_the_first_moves(match):
    for moves in (0, 5, 22, 28, len(match)):
        fork = match.fork(moves)
        assert fork.history[:moves] == match.history[:moves]
        assert (fork.options, fork.names, fork.players) == (match.options, match.names, match.players)


def test_a_fork_of_a_match_with_a_dealer_has_a_dealer_of_its_own(match):
    assert match.fork(0).phase == "demand"
    assert len({match.fork(5).history for _ in range(4)}) == 4


def test_a_fork_of_a_match_without_a_dealer_waits_for_chance():
    match = Match("santiago", 3)
    match.push("place casino")
    fork = match.fork(1)
    assert fork.turn == CHANCE
    assert fork.history == match.history


@pytest.mark.parametrize("moves", [-1, 10_000])
def test_a_fork_beyond_the_match_is_refused(match, moves):
    with pytest.raises(IndexError, match=f"this match has {len(match)} moves"):
        match.fork(moves)


def test_a_fork_leaves_the_match_alone(match):
    before = match.to_bytes()
    play_on(match.fork(28), 20)
    assert match.to_bytes() == before


def test_a_copy_goes_on_independently(match):
    before = match.to_bytes()
    copy = match.copy()
    assert copy.to_bytes() == before
    play_on(copy, 10)
    assert match.to_bytes() == before
    copy = match.copy()
    play_on(match, 10)
    assert copy.to_bytes() == before


def test_a_copy_draws_the_same_chance(match):
    copy = match.copy()
    play_on(match, 200)
    play_on(copy, 200)
    assert copy.history == match.history


# --- what happened


def test_events_tell_what_a_move_changed():
    match = first_drive()
    match.push("drive 3")
    kinds = [event.kind for event in match.events(28)]
    assert len(kinds) >= 2
    assert match.events(28) == match.events(len(match) - 1)
    with pytest.raises(IndexError):
        match.events(len(match))


def test_asking_for_events_changes_nothing(match):
    before = match.to_bytes()
    for index in range(len(match)):
        match.events(index)
    assert match.to_bytes() == before


def test_scores_name_where_every_point_came_from(match):
    for score in match.scores:
        assert next(iter(score.breakdown)) == "start"
        assert score.breakdown["start"] == 2
        assert set(score.breakdown) == {"start", *match.game.sources}
        assert sum(score.breakdown.values()) == score.points


def test_the_outcome_is_told_only_at_the_end(match):
    assert match.outcome is None
    play_on(match, 10_000)
    assert match.outcome.winners
    assert sorted(match.outcome.points, reverse=True)[0] == match.outcome.points[match.outcome.winners[0]]


# --- views


@pytest.mark.parametrize("seat", [3, -1, 99, "red", 1.5])
def test_there_is_no_view_of_a_seat_that_is_not_there(match, seat):
    with pytest.raises(BadSetup, match="there is no seat"):
        match.view(seat)


def test_a_view_lists_moves_only_for_the_seat_to_move(match):
    for viewer in (None, 0, 1, 2):
        view = match.view(viewer)
        assert view.turn == match.turn
        if viewer == match.turn:
            assert view.legal_moves.codes == match.legal_moves.codes
        else:
            with pytest.raises(IllegalMove, match="it is not this seat’s turn"):
                _ = view.legal_moves


def test_a_spectator_has_no_moves_while_chance_acts():
    with pytest.raises(IllegalMove):
        _ = Match("santiago", 2).view(None).legal_moves


def test_a_view_knows_who_it_is_for_and_the_players_names(match):
    assert match.view(1).seat == 1
    assert match.view(None).seat is None
    assert match.view(1).names == match.names


def test_a_perfect_memory_of_moves_made_in_the_open_knows_everything(match):
    """A bot may count what it has seen, as a person with a good memory would."""
    for viewer in (None, 0, 1, 2):
        assert remember(match.view(viewer)).tobytes() == match.position.tobytes()


def test_a_memory_is_a_copy(match):
    view = match.view(0)
    before = view.position.tobytes()
    remember(view).car = 9
    assert view.position.tobytes() == before


def test_who_has_not_seen_the_whole_game_remembers_only_what_they_see(match):
    match._position.pesos[1] += 5  # a table laid out by hand: the moves do not lead here
    assert remember(match.view(1)).tobytes() == match.view(1).position.tobytes()
    assert remember(match.view(1)).pesos[0] == -1


def test_a_view_of_everything_hides_nothing_and_goes_back_to_any_move(match):
    assert match.everything().position.tobytes() == match.position.tobytes()
    assert match.everything().history == match.history
    for moves in (0, 5, 30, len(match)):
        view = match.everything(moves)
        assert view.history == match.history[:moves]
        assert view.position.tobytes() == match.record().replay().fork(moves).position.tobytes()
    for moves in (-1, len(match) + 1):
        with pytest.raises(IndexError, match=f"this match has {len(match)} moves"):
            match.everything(moves)


def test_a_log_of_codes_can_be_made_at_once(match):
    again = Match("santiago", 3)
    again.make_all([turn.move.code for turn in match.history])
    assert again.history == match.history
    assert again.position.tobytes() == match.position.tobytes()
    again.pop()
    assert again.position.tobytes() == match.everything(len(match) - 1).position.tobytes()


# --- snapshots


def test_a_snapshot_holds_everything():
    match = play_on(malecon.new("santiago", 3, seed=1, names=["Ana", None, "日本 👋"], open_screens=True), 25)
    again = Match.from_bytes(match.to_bytes())
    assert again.to_bytes() == match.to_bytes()
    for name in ("players", "options", "names", "history", "phase", "turn", "scores"):
        assert getattr(again, name) == getattr(match, name), name
    assert again.record() == match.record()
    assert again.position.tobytes() == match.position.tobytes()


def test_a_snapshot_of_a_match_without_moves_or_dealer_can_be_taken():
    match = Match("santiago", 3)
    again = Match.from_bytes(match.to_bytes())
    assert again.to_bytes() == match.to_bytes()
    assert again.turn == CHANCE
    again.push("place bank")


def test_a_snapshot_with_any_byte_damaged_is_refused():
    data = malecon.new("santiago", 2, seed=1).to_bytes()
    for place in range(len(data)):
        for change in (0x01, 0x80, 0xFF):
            damaged = bytearray(data)
            damaged[place] ^= change
            with pytest.raises(BadSnapshot):
                Match.from_bytes(bytes(damaged))


def test_a_snapshot_cut_short_anywhere_is_refused():
    data = malecon.new("santiago", 2, seed=1).to_bytes()
    for size in range(len(data)):
        with pytest.raises(BadSnapshot):
            Match.from_bytes(data[:size])


def test_a_snapshot_with_something_behind_it_is_refused():
    with pytest.raises(BadSnapshot):
        Match.from_bytes(malecon.new("santiago", 2, seed=1).to_bytes() + b"\0")


@pytest.mark.parametrize("data", [b"", b"malecon1", b"{}", b"\x89PNG\r\n\x1a\n" * 9, b"malecon1" + bytes(100)])
def test_bytes_that_are_no_snapshot_are_refused(data):
    with pytest.raises(BadSnapshot):
        Match.from_bytes(data)


def forged(change) -> bytes:
    """A snapshot whose head was changed and whose checksum fits again."""
    data = malecon.new("santiago", 2, seed=1).to_bytes()
    body = data[12:]
    size = struct.unpack_from("<I", body)[0]
    head = json.loads(body[4 : 4 + size])
    changed = change(head)
    text = changed if isinstance(changed, bytes) else json.dumps(head).encode()
    body = struct.pack("<I", len(text)) + text + body[4 + size :]
    return data[:8] + struct.pack("<I", zlib.crc32(body)) + body


def test_a_snapshot_of_another_version_of_the_rules_is_refused():
    assert Match.from_bytes(forged(lambda head: None)).phase == "demand"  # the forgery itself is sound
    with pytest.raises(BadSnapshot, match="another version of the rules"):
        Match.from_bytes(forged(lambda head: head.update(rules=99)))


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head.update(game="go"),
        lambda head: head.update(players=9),
        lambda head: head.pop("moves"),
        lambda head: b"no JSON",
        lambda head: b"[]",
    ],
    ids=["game", "players", "missing", "no JSON", "a list"],
)
def test_a_snapshot_of_another_program_is_refused_though_its_checksum_fits(change):
    with pytest.raises(BadSnapshot):
        Match.from_bytes(forged(change))


# --- records


def test_a_match_gives_its_record_and_load_reads_it(match, tmp_path):
    match.record().write(tmp_path / "game.json")
    again = malecon.load(tmp_path / "game.json")
    assert again.history == match.history
    assert again.position.tobytes() == match.position.tobytes()
    assert isinstance(match.record(), Record)


def test_the_front_door_names_everything_it_promises():
    for name in malecon.__all__:
        assert getattr(malecon, name) is not None
    with pytest.raises(AttributeError, match="module 'malecon' has no attribute 'nothing'"):
        _ = malecon.nothing


# --- what is handed in by programs


@pytest.mark.parametrize("codes", [[0], [289, 10_000], [-1], [289, 289], [40_000]])
def test_a_log_that_does_not_replay_is_refused_and_changes_nothing(codes):
    match = Match("santiago", 3)
    before = match.to_bytes()
    with pytest.raises((IllegalMove, NotAMove)):
        match.make_all(codes)
    assert match.to_bytes() == before
    assert match.turn == CHANCE
    assert len(match.legal_moves) == 12


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copied_or_pickled_match_is_one_of_its_own(match, again):
    before = match.to_bytes()
    twin = again(match)
    assert twin.to_bytes() == before
    play_on(twin, 10)
    assert match.to_bytes() == before
    play_on(match, 10)
    assert match.to_bytes() == twin.to_bytes()


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copied_or_pickled_view_shows_the_same(match, again):
    seen = match.view(match.turn)
    twin = again(seen)
    assert twin.game is seen.game
    assert twin.position.tobytes() == seen.position.tobytes()
    assert (twin.seat, twin.history, twin.names) == (seen.seat, seen.history, seen.names)
    assert dict(twin.options) == dict(seen.options)
    assert twin.legal_moves.codes == seen.legal_moves.codes
    if twin is not seen:
        twin.position.car = 9
        assert twin.position.tobytes() != seen.position.tobytes()


def test_a_game_pickles_by_its_name():
    game = games.get("santiago")
    assert pickle.loads(pickle.dumps(game)) is game
    assert copy.deepcopy(game) is copy.copy(game) is game
    assert len(pickle.dumps(game)) < 100
