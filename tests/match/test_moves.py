"""Where a match stands, its legal moves, and what pushing one does."""

import copy
import dataclasses
from collections import Counter

import pytest

import malecon
from malecon import CHANCE, IllegalMove, Match, Move, NotAMove, games
from malecon.kernel import view
from malecon.match import History, Turn
from tests.match.games import first_drive, play_on

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


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_a_history_is_a_sequence_of_turns_and_of_codes(game):
    match = malecon.new(game, 3, seed=4)
    play_on(match, 80)
    history, turns = match.history, tuple(match.history)
    assert (history, hash(history)) == (turns, hash(turns))
    assert turns == history
    assert history != turns[:-1]
    assert history[3:9] == turns[3:9]
    assert (history[-1], history.index(turns[40])) == (turns[-1], turns.index(turns[40]))
    assert history.codes.tolist() == [turn.move.code for turn in turns] == [match.code_at(i) for i in range(len(match))]
    assert history.seats.tolist() == [turn.seat for turn in turns]
    assert History.of(match.game, turns) == history == copy.deepcopy(history)
    with pytest.raises(IndexError):
        history[len(match)]
    with pytest.raises(ValueError, match="read-only"):
        history.codes[0] = 1
    match.pop()
    assert history == turns  # it keeps to what it was taken from


def test_what_lies_face_down_has_no_code():
    match = malecon.new("cuba", 2, seed=3)
    while match.phase != "bid" or match.view(match.turn).history.is_open:
        play_on(match, 1)
    history = match.view(match.turn).history
    assert history[-1].move is None
    assert history.codes[-1] == view.FACE_DOWN
    assert match.history.is_open
    assert History.of(match.game, history) == history


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
            own, other_value = getattr(mine, field.name), getattr(theirs, field.name)
            assert own.tobytes() == other_value.tobytes() if field.name == "position" else own == other_value
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


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_a_move_by_its_code_is_the_move_by_its_text(game):
    by_text, by_code = (malecon.new(game, 3, seed=4) for _ in range(2))
    while by_text.turn is not None and len(by_text) < 120:
        code = by_code.legal_moves.codes[len(by_text) % len(by_code.legal_moves)]
        assert by_code.push_code(code, seat=by_code.turn) == by_text.push(by_text.game.notation.name(code))
    assert by_code.to_bytes() == by_text.to_bytes()


def test_a_code_is_checked_as_a_text_is(match):
    before, seat = match.to_bytes(), match.turn
    illegal = next(code for code in range(len(match.game.notation)) if code not in match.legal_moves.codes)
    for code, wrong in ((illegal, IllegalMove), (-1, NotAMove), (len(match.game.notation), NotAMove), ("1", NotAMove)):
        with pytest.raises(wrong):
            match.push_code(code)
    with pytest.raises(IllegalMove):
        match.push_code(match.legal_moves.codes[0], seat=(seat + 1) % match.players)
    assert match.to_bytes() == before
