"""What must hold in every game, searched by Hypothesis in random games and in odd positions."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from malecon import IllegalMove
from malecon.games.santiago import events as kinds
from malecon.games.santiago import tiles
from malecon.kernel import verbs
from malecon.kernel.journal import LONGEST, events, new_journal
from malecon.kernel.randomness import randomness
from malecon.match import Match
from santiago.games import GAME, NAMES, holdings, legal_codes, matches, odd_tables, play_out

SEEDS = st.integers(0, 2**32)


def sound(position) -> None:
    """What is true of every position there is."""
    players = int(position.players)
    assert (position.goods[:players].sum(axis=0) + position.supply == 8).all(), "8 of each kind"
    for name in ("supply", "demand", "pesos", "points", "goods", "markers", "face_down"):
        assert np.min(position[name]) >= 0, name
    assert (holdings(position)[players:] == 0).all(), "empty seats stay empty"
    assert 2 <= position.value <= 4
    assert 1 <= position.ship <= 8
    assert 0 <= position.car <= 9
    assert (position.ship == 8) == (verbs.actor(position) == verbs.NOBODY)
    assert position.face_down < 1 << 9
    assert (position.demand <= tiles.DICE.max(axis=1)).all()
    pieces = [piece for piece in position.piece[:players].tolist() if piece >= 0]
    assert len(set(pieces)) == len(pieces), "two pieces on one building"
    for seat in range(players):
        assert (position.owner == seat).sum() + position.markers[seat] == 3


# --- conservation, bounds, the end


@given(matches())
def test_goods_are_conserved_nothing_is_negative_and_every_game_ends(game):
    match, choices = game
    for move in choices:
        match.push(move)
        sound(match._position)
    assert match.is_over
    assert match.phase == "over"
    assert match.outcome is not None


@given(odd_tables(), SEEDS)
@settings(max_examples=100)
def test_goods_are_conserved_and_nothing_is_negative_from_any_position(table, seed):
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


# --- listed <=> playable


@given(odd_tables(), SEEDS)
def test_every_listed_move_is_playable(table, seed):
    for match in play_out(table, 40, seed):
        for move in match.legal_moves:
            other = match.copy()
            other.push(move)
            sound(other._position)


CLAIMS = {
    # What a refusal claims, and whether it is true of the position: (position, seat, what the pattern found).
    r"you have (\d+) pesos?, this (?:drive )?costs (\d+) pesos?": lambda p, s, have, cost: (
        p.pesos[s] == int(have) < int(cost)
    ),
    r"you have no peso to give": lambda p, s: p.pesos[s] == 0,
    r"you have no point to give": lambda p, s: p.points[s] == 0,
    r"you have no (sugar cane|citrus fruit|tobacco|rum|cigars|wood)": lambda p, s, good: p.goods[s, kind(good)] == 0,
    r"you have only (\d+) points?": lambda p, s, n: p.points[s] == int(n),
    r"you have only (\d+) (sugar cane|citrus fruit|tobacco|rum|cigar|wood)s?": lambda p, s, n, good: (
        p.goods[s, kind(good)] == int(n) > 0
    ),
    r"the supply has no (.+)": lambda p, s, good: p.supply[kind(good)] == 0,
    r"the supply has only (\d+) (.+?)s?": lambda p, s, n, good: p.supply[kind(good)] == int(n) > 0,
    r"the ship does not ask for (.+)": lambda p, s, good: p.demand[kind(good)] == 0,
    r"the ship asks only for (\d+) (.+?)s?": lambda p, s, n, good: p.demand[kind(good)] == int(n) > 0,
    r"the (.+) is occupied by (.+)": lambda p, s, place, who: p.piece[seat(who)] == building(place) != p.piece[s],
    r"the (.+) does not lie under a (.+) flower": lambda p, s, place, colour: (
        p.building_at.tolist().index(building(place)) // 3 != tiles.FLOWERS.index(colour)
    ),
    r"your piece already stands at the (.+) and must move on": lambda p, s, place: p.piece[s] == building(place),
    r"your piece is not at the (.+)": lambda p, s, place: p.piece[s] != building(place),
    r"the (.+) belongs to (.+)": lambda p, s, place, who: p.owner[building(place)] == seat(who) != s,
    r"the (.+) is already yours": lambda p, s, place: p.owner[building(place)] == s,
    r"the (.+) is not yours to use": lambda p, s, place: p.owner[building(place)] != s,
    r"you have no property marker left": lambda p, s: p.markers[s] == 0,
    r"the value cannot fall below 2": lambda p, s: p.value == 2,
    r"(.+) is already face down": lambda p, s, who: p.face_down >> cuban(who) & 1,
    r"only chance makes this move": lambda p, s: p.actor >= 0,
    r"this tile or face cannot come up now": lambda p, s: p.actor == -1,
    r"first the dice or tiles must come up": lambda p, s: p.actor == -1,
    r"first the car must drive": lambda p, s: phase(p) == "drive",
    r"first a good must be chosen from Pablo": lambda p, s: phase(p) == "pablo",
    r"first El Zorro must be given a peso, a good or a point": lambda p, s: phase(p) == "zorro",
    r"first Alonso’s services must be used or declined": lambda p, s: phase(p) == "alonso",
    r"first the piece must move to a building": lambda p, s: phase(p) == "visit",
    r"first the building must be used or declined": lambda p, s: phase(p) == "use",
    r"first the delivery round must end": lambda p, s: phase(p) == "deliver",
    r"first one die must be left out of the new demand": lambda p, s: phase(p) == "demand",
}
PLACES = "Bank,Church,Distillery,Cigar factory,Black market,Sawmill,Café,Customs office,Casino,"
PLACES = [*PLACES.split(",")[:-1], "Harbormaster’s office", "Office", "Newspaper"]


def kind(good: str) -> int:
    return ["sugar cane", "citrus fruit", "tobacco", "rum", "cigar", "wood"].index(good.removesuffix("s"))


def building(name: str) -> int:
    return PLACES.index(name)


def seat(name: str) -> int:
    return ["Red", "Blue", "Yellow", "Green"].index(name)


def cuban(name: str) -> int:
    return ["Pedro", "Maria", "José", "Martinez", "Conchita", "El Zorro", "Miguel", "Pablo", "Alonso"].index(name)


def phase(position) -> str:
    return GAME.phases[position.phase]


def claim_holds(message: str, position) -> bool:
    """Whether what a refusal says is specific, and true of the position."""
    for pattern, holds in CLAIMS.items():
        found = re.fullmatch(pattern, message)
        if found:
            return bool(holds(position, int(position.actor), *found.groups()))
    raise AssertionError(f"no specific reason: {message!r}")


@given(odd_tables(), SEEDS)
def test_every_unlisted_move_is_refused_with_a_true_reason_and_changes_nothing(table, seed):
    for number, match in enumerate(play_out(table, 12, seed)):
        if number % 3 == 0 or match.phase in ("alonso", "deliver", "use"):
            refuses_all_unlisted(match)


def refuses_all_unlisted(match: Match) -> None:
    before, moves = match._position.tobytes(), len(match)
    for code in set(range(len(NAMES))) - set(match.legal_moves.codes):
        with pytest.raises(IllegalMove) as caught:
            match.push(NAMES[code])
        assert claim_holds(str(caught.value), match._position), (NAMES[code], str(caught.value))
    assert match._position.tobytes() == before
    assert len(match) == moves


def test_every_unlisted_chance_move_is_refused():
    match = Match("santiago", 3)
    while match.turn == -1:
        refuses_all_unlisted(match)
        match.push(match.legal_moves[0])


# --- undo


@given(matches())
def test_pop_restores_every_byte_and_pushing_again_draws_the_same_chance(game):
    match, choices = game
    for move in choices:
        before = match.to_bytes()
        match.push(move)
        after = match.to_bytes()
        assert str(match.pop()) == move
        assert match.to_bytes() == before
        match.push(move)
        assert match.to_bytes() == after


@given(matches())
def test_a_whole_game_can_be_taken_back_and_played_again(game):
    match, choices = game
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


@given(odd_tables(), SEEDS)
@settings(max_examples=100)
def test_the_journal_accounts_for_every_peso_point_and_good(table, seed):
    for match in play_out(table, 40, seed):
        for code in match.legal_moves.codes[:: 1 + len(match) % 3]:
            position, silent, journal = match.position, match.position, new_journal()
            before = holdings(position)
            verbs.narrate(position, code, journal)
            verbs.play(silent, code)
            assert position.tobytes() == silent.tobytes(), "the journal changes nothing"
            assert journal[0, 0] <= LONGEST
            assert (before + changes(journal) == holdings(position)).all(), NAMES[code]


def changes(journal) -> np.ndarray:
    total = np.zeros((4, 8), int)
    for event in events(journal):
        if event.kind == kinds.PESOS:
            total[event.seat, 0] += event.amount
        elif event.kind == kinds.POINTS:
            total[event.seat, 1] += event.amount
        elif event.kind == kinds.GOODS:
            total[event.seat, 2 + event.thing] += event.amount
    return total


@given(odd_tables(), SEEDS)
def test_the_journal_tells_of_everything_else_that_changed(table, seed):
    """Of flags, dice, ships, tiles, owners and pieces, the last word in the journal is how they stand afterwards."""
    for match in play_out(table, 60, seed):
        position, journal = match.position, new_journal()
        before = match.position
        code = match.legal_moves.codes[seed % len(match.legal_moves)]
        verbs.narrate(position, code, journal)
        told = {kind: [e for e in events(journal) if e.kind == kind] for kind in range(len(kinds.EVENTS))}
        assert position.ship - before.ship == len(told[kinds.SAILED])
        assert (position.face_down != before.face_down) == bool(told[kinds.FACE_UP] or told[kinds.FACE_DOWN])
        assert (position.owner != before.owner).sum() == len(told[kinds.SEIZED])
        assert (position.piece != before.piece).sum() == len(told[kinds.MOVED])
        assert (position.car != before.car) <= bool(told[kinds.DROVE])
        assert (position.ship == 8) == bool(told[kinds.GAME_OVER])
        if not told[kinds.SAILED]:
            assert (position.value != before.value) <= bool(told[kinds.FLAG])
            if position.active != before.active:
                assert [e.seat for e in told[kinds.TURN]] == [position.active]


# --- scores and standings


@given(matches())
def test_the_breakdown_of_every_score_sums_to_its_points(game):
    match, choices = game
    for number, move in enumerate(choices):
        match.push(move)
        if number % 60 == 0:
            breakdown_sums(match)
    breakdown_sums(match)


def breakdown_sums(match: Match) -> None:
    for score in match.scores:
        assert sum(score.breakdown.values()) == score.points == match._position.points[score.seat]


@given(matches())
def test_the_standing_agrees_with_the_outcome_and_with_the_rules(game):
    match, choices = game
    for move in choices:
        match.push(move)
    position, outcome = match._position, match.outcome
    ranks = [
        (int(position.points[s]), int(position.goods[s].sum()) % 3, int(position.pesos[s]))
        for s in range(match.players)
    ]
    assert outcome.places == tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    assert outcome.winners == tuple(s for s, rank in enumerate(ranks) if rank == max(ranks))
    assert outcome.points == tuple(points for points, _, _ in ranks)
    standings = [int(verbs.standing(position, s)) for s in range(match.players)]
    for one in range(match.players):
        for other in range(match.players):
            assert (standings[one] > standings[other]) == (ranks[one] > ranks[other])
            assert (standings[one] == standings[other]) == (ranks[one] == ranks[other])


# --- views


@given(matches(open_screens=False), st.data())
def test_a_view_contains_nothing_the_seat_may_not_know(game, data):
    match, choices = game
    for number, move in enumerate(choices):
        if number % 20 == 0:
            view_hides_the_rest(match, data.draw(SEEDS))
        match.push(move)
    assert match.is_over
    for viewer in (None, *range(match.players)):
        assert match.view(viewer).position.tobytes() == match._position.tobytes(), "at the end all is visible"


def view_hides_the_rest(match: Match, seed: int) -> None:
    """Whatever the others hold, the view is the same, byte by byte; and what one holds oneself is in it."""
    truth = match.position
    random = np.random.default_rng(seed)
    for viewer in (None, *range(match.players)):
        seen = match.view(viewer)
        other = match.copy()
        for hidden in range(match.players):
            if hidden != viewer:
                other._position.pesos[hidden] = random.integers(0, 300)
                other._position.points[hidden] = random.integers(0, 300)
                other._position.goods[hidden] = random.integers(0, 9, 6)
        assert other._position.tobytes() != truth.tobytes()
        again = other.view(viewer)
        assert again.position.tobytes() == seen.position.tobytes()
        assert again.history == seen.history == match.history
        assert again.names == seen.names
        if viewer is not None:
            for name in ("pesos", "points", "goods"):
                assert seen.position[name][viewer].tolist() == truth[name][viewer].tolist()
            assert verbs.worth(seen.position, viewer) == verbs.worth(truth, viewer)
            if match.turn == viewer:
                assert seen.legal_moves.codes == legal_codes(truth)


@given(odd_tables(), SEEDS)
def test_a_guess_at_what_is_hidden_fits_all_that_is_seen_and_nothing_else(table, seed):
    truth = table.position
    for viewer in range(table.match.players):
        seen = table.match.view(viewer).position
        guessed = seen.copy()
        verbs.guess(guessed, viewer, randomness(seed))
        sound(guessed)
        for name in truth.dtype.names:
            if name not in ("pesos", "points", "goods"):
                assert guessed[name].tolist() == truth[name].tolist(), name
            else:
                assert guessed[name][viewer].tolist() == truth[name][viewer].tolist(), name


@given(odd_tables(), SEEDS)
def test_where_nothing_is_hidden_there_is_nothing_to_guess(table, seed):
    guessed = table.position.copy()
    verbs.guess(guessed, 0, randomness(seed))
    assert guessed.tobytes() == table.position.tobytes()


@given(matches(open_screens=True))
def test_with_open_screens_every_view_is_the_whole_truth(game):
    match, choices = game
    for number, move in enumerate(choices):
        if number % 20 == 0:
            for viewer in (None, *range(match.players)):
                assert match.view(viewer).position.tobytes() == match._position.tobytes()
        match.push(move)


# --- snapshots and records


@given(matches())
def test_a_copy_and_a_snapshot_go_on_as_the_match_does(game):
    match, choices = game
    twin = match.copy()
    for number, move in enumerate(choices):
        match.push(move)
        if number % 3 == 0:
            twin = Match.from_bytes(twin.to_bytes())
        twin.push(move)
    assert twin.to_bytes() == match.to_bytes()
    assert twin.scores == match.scores
    assert twin.record() == match.record()


@given(matches())
def test_a_record_replays_to_the_same_position(game):
    match, choices = game
    for move in choices:
        match.push(move)
    again = match.record().replay()
    assert again._position.tobytes() == match._position.tobytes()
    assert again.history == match.history
    assert again.outcome == match.outcome
