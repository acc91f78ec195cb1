"""What must hold in every game, searched by Hypothesis in random games and in odd positions."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cuba.games import GAME, NAMES, goods_held, holdings, legal_codes, matches, odd_tables, play_out
from malecon.games.cuba import events as kinds
from malecon.games.cuba import tiles
from malecon.kernel import verbs
from malecon.kernel.journal import LONGEST, events, new_journal
from malecon.match import Match

SEEDS = st.integers(0, 2**32)


def sound(position) -> None:
    """What is true of every position there is."""
    players = int(position.players)
    pieces = goods_held(position).sum(axis=0) + position.supply
    pieces[:5] += position.market + position.cargo.sum(axis=0)
    assert pieces.tolist() == tiles.PIECES.tolist(), "no piece is lost or made"
    for name in ("supply", "market", "cargo", "yard", "stored", "pesos", "points", "buildings_left", "picks", "ripe"):
        assert np.min(position[name]) >= 0, name
    assert (position.market <= tiles.MARKET_SPACES).all()
    assert (holdings(position)[players:] == 0).all(), "empty seats stay empty"
    sound_buildings(position)
    sound_ships(position)
    sound_laws(position)
    assert 0 <= position.round_number <= 6
    for seat in range(players):
        assert 0 <= int(position.played[seat]).bit_count() <= 4
        assert 0 <= position.figure[seat] < 12


def sound_buildings(position) -> None:
    total = position.buildings_left.astype(int)
    for building in position.built[position.built >= 0]:
        if building < len(total):
            total[building] += 1
    if position.planned >= 0:
        total[position.planned] += 1
    assert total.tolist() == tiles.BUILDING_TILES.tolist()
    assert (position.built == tiles.PRINTED_WAREHOUSE).sum() == position.players


def sound_ships(position) -> None:
    ships = [ship for ship in position.ship_at.tolist() if ship >= 0]
    ships += position.queue[: position.queued].tolist()
    ships += [ship for ship in range(15) if position.unseen_ships >> ship & 1]
    assert sorted(ships) == list(range(15)), "fifteen ship cards"
    assert (position.queue[position.queued :] == -1).all()
    for berth in range(4):
        wants = tiles.SHIP_WANTS[position.ship_at[berth]] if position.ship_at[berth] >= 0 else np.zeros(5)
        assert (position.cargo[berth] <= wants).all()
    assert not position.cargo[tiles.HIGH_SEA].any()


def sound_laws(position) -> None:
    for group in range(4):
        unseen = int(position.unseen_laws[group])
        assert 0 <= unseen < 64
        if position.proposal[group] >= 0:
            assert not unseen >> int(position.proposal[group]) & 1
        assert -1 <= position.law[group] < 6


# --- conservation, bounds, the end


@given(matches())
def test_pieces_tiles_and_cards_are_conserved_and_every_game_ends_after_six_rounds(game):
    match, choices = game
    rounds = set()
    for move in choices:
        match.push(move)
        sound(match._position)
        rounds.add(int(match._position.round_number))
        turned_up = (int(match._position.round_number) - 1) * 4 + 4
        if match.turn != -1:
            assert sum(6 - int(unseen).bit_count() for unseen in match._position.unseen_laws) == max(0, turned_up)
    assert match.is_over
    assert rounds == {0, 1, 2, 3, 4, 5, 6}
    assert match.outcome is not None


@given(odd_tables(), SEEDS)
@settings(max_examples=60)
def test_everything_is_conserved_and_nothing_is_negative_from_any_position(table, seed):
    for match in play_out(table, 60, seed):
        sound(match._position)
    sound(table.position)


@given(matches())
def test_a_decision_always_has_a_move_and_the_list_has_no_move_twice(game):
    match, choices = game
    for move in choices:
        codes = match.legal_moves.codes
        assert 0 < len(codes) == len(set(codes)) <= GAME.most_legal
        match.push(move)
    assert match.legal_moves.codes == []


@given(odd_tables(), SEEDS)
def test_every_listed_move_is_playable(table, seed):
    for match in play_out(table, 30, seed):
        for move in match.legal_moves:
            other = match.copy()
            other.push(move)
            sound(other._position)


# --- undo


@given(matches())
@settings(max_examples=10)
def test_pop_restores_every_byte_and_pushing_again_draws_the_same_chance(game):
    match, choices = game
    for number, move in enumerate(choices):
        if number % 7:
            match.push(move)
            continue
        before = match.to_bytes()
        match.push(move)
        after = match.to_bytes()
        assert str(match.pop()) == move
        assert match.to_bytes() == before
        match.push(move)
        assert match.to_bytes() == after


# --- the journal is a ledger


@given(odd_tables(), SEEDS)
@settings(max_examples=60)
def test_the_journal_accounts_for_every_peso_point_and_good(table, seed):
    for match in play_out(table, 40, seed):
        for code in match.legal_moves.codes[:: 1 + len(match) % 3]:
            position, silent, journal = match.position, match.position, new_journal()
            before = match.position
            verbs.narrate(position, code, journal)
            verbs.play(silent, code)
            assert position.tobytes() == silent.tobytes(), "the journal changes nothing"
            assert journal[0, 0] <= LONGEST
            told = events(journal)
            assert (holdings(before) + changes(told) == holdings(position)).all(), NAMES[code]
            assert (before.market + market_changes(told) == position.market).all(), NAMES[code]
            stored = position.stored.sum() - before.stored.sum()
            into = sum(event.amount for event in told if event.kind == kinds.STORED)
            assert stored <= into, "only what was stored is in the warehouse"


def changes(told) -> np.ndarray:
    total = np.zeros((5, 10), int)
    for event in told:
        if event.kind == kinds.PESOS:
            total[event.seat, 0] += event.amount
        elif event.kind == kinds.POINTS:
            total[event.seat, 1] += event.amount
        elif event.kind == kinds.GOODS:
            total[event.seat, 2 + event.thing] += event.amount
    return total


def market_changes(told) -> np.ndarray:
    total = np.zeros(5, int)
    for event in told:
        if event.kind == kinds.MARKET:
            total[event.thing] += event.amount
    return total


@given(matches())
@settings(max_examples=10)
def test_the_journal_tells_of_everything_else_that_changed(game):
    match, choices = game
    for move in choices:
        before, made = match.position, len(match)
        match.push(move)
        told = [event for index in range(made, len(match)) for event in match.events(index)]
        after = match._position
        counted = {kind: sum(event.kind == kind for event in told) for kind in range(len(kinds.EVENTS))}
        assert (after.built != before.built).sum() == counted[kinds.BUILT]
        assert after.round_number - before.round_number == counted[kinds.ROUND]
        assert (after.figure != before.figure).sum() <= counted[kinds.FIGURE]
        assert (after.starter != before.starter) <= counted[kinds.STARTER] + (before.round_number == 0)
        assert (after.law != before.law).sum() <= counted[kinds.ENACTED]
        assert (after.phase == GAME.phases.index("over")) == counted[kinds.GAME_OVER]
        played = sum(int(after.played[s]).bit_count() - int(before.played[s]).bit_count() for s in range(5))
        assert counted[kinds.CARD] == played or after.round_number != before.round_number


# --- scores and standings


@given(matches())
@settings(max_examples=10)
def test_the_breakdown_of_every_score_sums_to_its_points(game):
    match, choices = game
    for move in choices:
        match.push(move)
    for score in match.scores:
        assert sum(score.breakdown.values()) == score.points == match._position.points[score.seat]
        assert set(score.breakdown) == {"start", *GAME.sources}


@given(matches())
@settings(max_examples=10)
def test_the_standing_agrees_with_the_outcome_and_with_the_rules(game):
    match, choices = game
    for move in choices:
        match.push(move)
    position, outcome = match._position, match.outcome
    ranks = [(int(position.points[s]), int(position.pesos[s])) for s in range(match.players)]
    assert outcome.places == tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    assert outcome.winners == tuple(s for s, rank in enumerate(ranks) if rank == max(ranks))
    assert outcome.points == tuple(points for points, _ in ranks)


# --- views


@given(matches(envoys=True), st.data())
@settings(max_examples=8)
def test_a_view_contains_nothing_the_seat_may_not_know(game, data):
    match, choices = game
    for move in choices:
        secret = match.phase in ("envoy", "bid", "second bid") and match._position.round_number % 3 == 1
        if match._position.face_down and (secret or len(match) % 50 == 0):
            view_hides_the_rest(match, data.draw(SEEDS))
        match.push(move)


def view_hides_the_rest(match: Match, seed: int) -> None:
    """Whatever the others have laid down, the view is the same, byte by byte; and what one laid oneself is in it."""
    truth = match.position
    random = np.random.default_rng(seed)
    for viewer in (None, *range(match.players)):
        seen = match.view(viewer)
        other = match.copy()
        hidden = truth.envoy if truth.face_down == 1 else truth.bid
        for seat in range(match.players):
            if seat != viewer:
                (other._position.envoy if truth.face_down == 1 else other._position.bid)[seat] = random.integers(0, 5)
        again = other.view(viewer)
        assert again.position.tobytes() == seen.position.tobytes()
        assert again.history == seen.history
        if viewer is not None:
            shown = seen.position.envoy if truth.face_down == 1 else seen.position.bid
            assert shown[viewer] == hidden[viewer]
            if match.turn == viewer:
                assert seen.legal_moves.codes == legal_codes(truth)


@given(matches(envoys=True))
@settings(max_examples=10)
def test_moves_and_worth_can_be_tried_on_any_view(game):
    match, choices = game
    for move in choices:
        seat = match.turn
        view = match.view(seat).position
        assert np.isfinite(verbs.worth(view, seat))
        for code in legal_codes(view)[:: 1 + len(match) % 5]:
            trial = view.copy()
            verbs.play(trial, code)
            assert np.isfinite(verbs.worth(trial, seat))
        match.push(move)


@given(matches(envoys=True), st.integers(0, 4), SEEDS)
@settings(max_examples=10)
def test_a_view_can_be_played_to_the_end(game, viewer, seed):
    """Whoever searches goes on from what it sees, whatever the others may have laid down."""
    match, choices = game
    for number, move in enumerate(choices):
        if number % 40 == 20:
            position = match.view(viewer % match.players).position
            random = np.random.default_rng(seed)
            for _ in range(2_000):
                codes = legal_codes(position)
                if not codes:
                    break
                verbs.play(position, int(random.choice(codes)))
            assert verbs.actor(position) == verbs.NOBODY
        match.push(move)


# --- snapshots and records


@given(matches())
@settings(max_examples=10)
def test_a_copy_and_a_record_replay_to_the_same_position(game):
    match, choices = game
    twin = match.copy()
    for number, move in enumerate(choices):
        match.push(move)
        if number % 20 == 0:
            twin = Match.from_bytes(twin.to_bytes())
        twin.push(move)
    assert twin.to_bytes() == match.to_bytes()
    again = match.record().replay()
    assert again._position.tobytes() == match._position.tobytes()
    assert again.history == match.history
    assert again.outcome == match.outcome
