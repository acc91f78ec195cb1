"""What must hold in every game, searched by Hypothesis in random games and in odd positions."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from malecon import IllegalMove
from malecon.kernel import verbs
from malecon.kernel.common.holdings import GOODS, PESOS, POINTS
from malecon.kernel.journal import LONGEST, events, new_journal
from malecon.match import Match
from tests.games.cuba import games as cuba
from tests.games.random_games import legal_codes, matches, play_out
from tests.games.santiago import games as santiago
from tests.open_match import OpenMatch

SEEDS = st.integers(0, 2**32)
#: What is particular to each game: its odd positions, what is always true of it, what its players hide.
EACH_GAME = pytest.mark.parametrize("own", [santiago, cuba], ids=["santiago", "cuba"])
#: As many examples as the profile says, or a part of them where every one takes long.
MANY, SOME, FEW = (settings(max_examples=settings.default.max_examples * n // 4) for n in (16, 3, 2))


# --- conservation, bounds, the end


@EACH_GAME
@given(data=st.data())
@SOME
def test_pieces_are_conserved_nothing_is_negative_and_every_game_ends(own, data):
    match, choices = data.draw(matches(own.GAME))
    for move in choices:
        match.push(move)
        own.sound(match.position)
    assert match.is_over
    assert match.phase == "over"
    assert match.outcome is not None


@EACH_GAME
@given(data=st.data(), seed=SEEDS)
@MANY
def test_pieces_are_conserved_and_nothing_is_negative_from_any_position(own, data, seed):
    table = data.draw(own.odd_tables())
    for match in play_out(table, 60, seed):
        own.sound(match.position)
    own.sound(table.position)


@EACH_GAME
@given(data=st.data())
@SOME
def test_a_decision_always_has_a_move_and_the_list_has_no_move_twice(own, data):
    match, choices = data.draw(matches(own.GAME))
    for move in choices:
        codes = match.legal_moves.codes
        assert 0 < len(codes) == len(set(codes)) <= match.game.most_legal
        match.push(move)
    assert match.legal_moves.codes == []


# --- listed <=> playable


@EACH_GAME
@given(data=st.data(), seed=SEEDS)
def test_every_listed_move_is_playable(own, data, seed):
    for match in play_out(data.draw(own.odd_tables()), 30, seed):
        for move in match.legal_moves:
            other = match.copy()
            other.push(move)
            own.sound(other.position)


#: The phases in which most can be wrong with a move.
CHOOSY = ("alonso", "deliver", "use", "trade", "ship", "build", "duty", "second bid")


@EACH_GAME
@given(data=st.data(), seed=SEEDS)
@FEW
def test_every_unlisted_move_is_refused_with_a_true_reason_and_changes_nothing(own, data, seed):
    for number, match in enumerate(play_out(data.draw(own.odd_tables()), 20, seed)):
        if number % 3 == 0 or match.phase in CHOOSY:
            refuses_all_unlisted(own, match)


def refuses_all_unlisted(own, match: Match) -> None:
    before, moves = match.position.tobytes(), len(match)
    names = match.game.notation.names()
    for code in set(range(len(names))) - set(match.legal_moves.codes):
        reason = str(match.game.why_illegal(match.position, code, match.names))
        assert claim_holds(own, reason, match.position), (names[code], reason)
        if code % 8 == len(match) % 8:
            with pytest.raises(IllegalMove, match=re.escape(reason)):
                match.push(names[code])
    assert match.position.tobytes() == before
    assert len(match) == moves


def claim_holds(own, message: str, position) -> bool:
    """Whether what a refusal says is specific, and true of the position."""
    for pattern, holds in own.CLAIMS.items():
        matched = re.fullmatch(pattern, message)
        if matched:
            return bool(holds(position, int(position.actor), *matched.groups()))
    raise AssertionError(f"no specific reason: {message!r}")


@EACH_GAME
def test_every_unlisted_move_is_refused_in_the_setup_and_soon_after(own):
    match = Match(own.GAME, 3, options=own.SECRET)
    while len(match) < 60:
        if match.turn == -1 or len(match) % 3 == 0:
            refuses_all_unlisted(own, match)
        match.push(match.legal_moves[len(match) % len(match.legal_moves)])


# --- undo


@EACH_GAME
@given(data=st.data())
@FEW
def test_pop_restores_every_byte_and_pushing_again_draws_the_same_chance(own, data):
    match, choices = data.draw(matches(own.GAME))
    for number, move in enumerate(choices):
        if number % 4:
            match.push(move)
            continue
        before = match.to_bytes()
        match.push(move)
        after = match.to_bytes()
        assert str(match.pop()) == move
        assert match.to_bytes() == before
        match.push(move)
        assert match.to_bytes() == after


@EACH_GAME
@given(data=st.data())
@FEW
def test_a_whole_game_can_be_taken_back_and_played_again(own, data):
    match, choices = data.draw(matches(own.GAME))
    start = match.to_bytes()
    made = []
    for move in choices:
        match.push(move)
        made.append(move)
    end = match.to_bytes()
    assert [str(match.pop()) for _ in made] == made[::-1]
    assert match.to_bytes() == start
    for move in made:
        match.push(move)
    assert match.to_bytes() == end


# --- the journal is a ledger


@EACH_GAME
@given(data=st.data(), seed=SEEDS)
@MANY
def test_the_journal_accounts_for_every_peso_point_and_good(own, data, seed):
    for match in play_out(data.draw(own.odd_tables()), 40, seed):
        for code in match.legal_moves.codes[:: 1 + len(match) % 3]:
            position, silent, journal = match.position, match.position, new_journal()
            before = own.holdings(position)
            verbs.play_logged(position, code, journal)
            verbs.play(silent, code)
            assert position.tobytes() == silent.tobytes(), "the journal changes nothing"
            assert journal[0, 0] <= LONGEST
            after = own.holdings(position)
            assert (before + changes(journal, after.shape) == after).all(), match.game.notation.name(code)


def changes(journal, shape: tuple[int, ...]) -> np.ndarray:
    """What the journal says has changed: pesos, points and goods of every seat, one row each."""
    total = np.zeros(shape, int)
    for event in events(journal):
        if event.kind == PESOS:
            total[event.seat, 0] += event.amount
        elif event.kind == POINTS:
            total[event.seat, 1] += event.amount
        elif event.kind == GOODS:
            total[event.seat, 2 + event.thing] += event.amount
    return total


# --- scores and standings


@EACH_GAME
@given(data=st.data())
@FEW
def test_the_breakdown_of_every_score_sums_to_its_points(own, data):
    match, choices = data.draw(matches(own.GAME))
    for number, move in enumerate(choices):
        match.push(move)
        if number % 150 == 0:
            breakdown_sums(match)
    breakdown_sums(match)


def breakdown_sums(match: Match) -> None:
    for score in match.scores:
        assert sum(score.breakdown.values()) == score.points == match.position.points[score.seat]
        assert set(score.breakdown) == {"start", *match.game.sources}


@EACH_GAME
@given(data=st.data())
@FEW
def test_the_standing_agrees_with_the_outcome_and_with_the_rules(own, data):
    match, choices = data.draw(matches(own.GAME))
    for move in choices:
        match.push(move)
    position, outcome = match.position, match.outcome
    ranks = [own.rank(position, seat) for seat in range(match.players)]
    assert outcome.places == tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    assert outcome.winners == tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
    assert outcome.points == tuple(points for points, *_ in ranks)
    standings = [int(verbs.standing(position, seat)) for seat in range(match.players)]
    for first in range(match.players):
        for other in range(match.players):
            assert (standings[first] > standings[other]) == (ranks[first] > ranks[other])
            assert (standings[first] == standings[other]) == (ranks[first] == ranks[other])


# --- views


@EACH_GAME
@given(data=st.data(), seed=SEEDS)
@FEW
def test_a_view_contains_nothing_the_seat_may_not_know(own, data, seed):
    match, choices = data.draw(matches(own.GAME, **own.SECRET))
    for number, move in enumerate(choices):
        if own.secrets(match.position) and (number % 20 == 0 or match.phase in ("envoy", "bid", "second bid")):
            view_hides_the_rest(own, match, seed + number)
        match.push(move)
    assert match.is_over
    for viewer in (None, *range(match.players)):
        assert match.view(viewer).position.tobytes() == match.position.tobytes(), "at the end all is visible"


def view_hides_the_rest(own, match: Match, seed: int) -> None:
    """Whatever the others hide, the view is the same, byte by byte; and what one hides oneself is in it."""
    truth = match.position
    random = np.random.default_rng(seed)
    for viewer in (None, *range(match.players)):
        seen = match.view(viewer)
        other = OpenMatch.of(match)
        for hidden in range(match.players):
            if hidden != viewer:
                own.scramble(other.board, hidden, random)
        again = other.view(viewer)
        assert again.position.tobytes() == seen.position.tobytes()
        assert again.history == seen.history
        assert again.names == seen.names
        if viewer is not None:
            for name in own.secrets(truth):
                assert seen.position[name][viewer].tolist() == truth[name][viewer].tolist()
            assert verbs.worth(seen.position, viewer) == verbs.worth(truth, viewer)
            if match.turn == viewer:
                assert seen.legal_moves.codes == legal_codes(match, truth)


# --- snapshots and records


@EACH_GAME
@given(data=st.data())
@FEW
def test_a_copy_a_snapshot_and_a_record_go_on_as_the_match_does(own, data):
    match, choices = data.draw(matches(own.GAME))
    twin = match.copy()
    for number, move in enumerate(choices):
        match.push(move)
        if number % 10 == 0:
            twin = Match.from_bytes(twin.to_bytes())
        twin.push(move)
    assert twin.to_bytes() == match.to_bytes()
    assert twin.scores == match.scores
    assert twin.record() == match.record()
    again = match.record().replay()
    assert again.position.tobytes() == match.position.tobytes()
    assert again.history == match.history
    assert again.outcome == match.outcome
