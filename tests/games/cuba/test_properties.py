"""What must hold in every game of Cuba; what holds in any game is in `tests/games`."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from malecon.games.cuba import events as kinds
from malecon.games.cuba.position import OVER
from malecon.kernel import verbs
from malecon.kernel.journal import events, new_journal
from tests.games.cuba.games import odd_tables
from tests.games.cuba.table import Table
from tests.games.random_games import legal_codes, matches, play_out

SEEDS = st.integers(0, 2**32)


@given(matches("cuba"))
@settings(max_examples=10)
def test_every_game_has_six_rounds_and_turns_up_four_laws_in_each(game):
    match, choices = game
    rounds = set()
    for move in choices:
        match.push(move)
        rounds.add(int(match.position.round_number))
        if match.turn != -1:
            seen = sum(6 - int(unseen).bit_count() for unseen in match.position.unseen_laws)
            assert seen == 4 * match.position.round_number
    assert rounds == {0, 1, 2, 3, 4, 5, 6}


@given(odd_tables(), SEEDS)
@settings(max_examples=60)
def test_the_journal_accounts_for_market_and_warehouse(table, seed):
    for match in play_out(table, 40, seed):
        for code in match.legal_moves.codes[:: 1 + len(match) % 3]:
            before, position, journal = match.position, match.position, new_journal()
            verbs.play_logged(position, code, journal)
            happened = events(journal)
            name = match.game.notation.name(code)
            assert (before.market + market_changes(happened) == position.market).all(), name
            stored = position.stored.sum() - before.stored.sum()
            into = sum(event.amount for event in happened if event.kind == kinds.STORED)
            assert stored <= into, "only what was stored is in the warehouse"


def market_changes(happened) -> np.ndarray:
    total = np.zeros(5, int)
    for event in happened:
        if event.kind == kinds.MARKET:
            total[event.thing] += event.amount
    return total


@given(matches("cuba"))
@settings(max_examples=10)
def test_the_journal_tells_of_everything_else_that_changed(game):
    match, choices = game
    for move in choices:
        before, made = match.position, len(match)
        match.push(move)
        happened = [event for index in range(made, len(match)) for event in match.events(index)]
        after = match.position
        counted = {kind: sum(event.kind == kind for event in happened) for kind in range(len(kinds.EVENTS))}
        assert (after.built != before.built).sum() == counted[kinds.BUILT]
        assert after.round_number - before.round_number == counted[kinds.ROUND]
        assert (after.figure != before.figure).sum() <= counted[kinds.FIGURE]
        assert (after.starter != before.starter) <= counted[kinds.STARTER] + (before.round_number == 0)
        assert (after.law != before.law).sum() <= counted[kinds.ENACTED]
        assert (after.phase == OVER) == counted[kinds.GAME_OVER]
        played = sum(int(after.played[s]).bit_count() - int(before.played[s]).bit_count() for s in range(5))
        assert counted[kinds.CARD] == played or after.round_number != before.round_number


@given(matches("cuba", envoys=True))
@settings(max_examples=10)
def test_moves_and_worth_can_be_tried_on_any_view(game):
    match, choices = game
    for move in choices:
        seat = match.turn
        view = match.view(seat).position
        assert np.isfinite(verbs.worth(view, seat))
        for code in legal_codes(match, view)[:: 1 + len(match) % 5]:
            trial = view.copy()
            verbs.play(trial, code)
            assert np.isfinite(verbs.worth(trial, seat))
        match.push(move)


@given(matches("cuba", envoys=True), st.integers(0, 4), SEEDS)
@settings(max_examples=10)
def test_a_view_can_be_played_to_the_end(game, viewer, seed):
    """A search goes on from what it sees, whatever the others may have laid down."""
    match, choices = game
    for number, move in enumerate(choices):
        if number % 40 == 20:
            position = match.view(viewer % match.players).position
            random = np.random.default_rng(seed)
            for _ in range(2_000):
                codes = legal_codes(match, position)
                if not codes:
                    break
                verbs.play(position, int(random.choice(codes)))
            assert verbs.actor(position) == verbs.NOBODY
        match.push(move)


def test_the_game_is_over():
    table = Table(2).everybody(yard="", pesos=0).lay(round_number=6).to_parliament().play("enact tax duty")
    assert table.refusal("worker") == "the game is over"
