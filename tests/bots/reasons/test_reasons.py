"""Reasons in words: every claim is found in the line it cites, nothing is known that the seat may not know."""

from __future__ import annotations

import json

import numpy as np
import pytest

from malecon.bots import make
from malecon.bots.reasons import explain, explain_move
from malecon.kernel.errors import BadSetup, IllegalMove
from malecon.match import Match
from malecon.teaching.review import explain as explain_review
from malecon.teaching.review import remarks, review, tell
from malecon.text import LANGUAGES, translate
from tests.bots.reasons.replaying import check

QUICK = "search:sims=60,margin=0"
GAMES = [("santiago", 2), ("santiago", 4), ("cuba", 2), ("cuba", 3)]


def finished(game: str, players: int, seed: int, bots: str = "greedy", **options) -> Match:
    match, bot = Match(game, players, seed=seed, options=options), make(bots, seed)
    while match.turn is not None:
        match.push(bot.choose(match.view(match.turn)))
    return match


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_each_claim_of_a_review_is_found_in_the_line_it_cites(game: str, players: int) -> None:
    match = finished(game, players, seed=5)
    judged = review(match, bot=QUICK)
    why = explain_review(judged, match)
    assert list(why) == [point.index for point in judged.turning_points]
    assert sum(check(explanation) for explanation in why.values()) > 0
    for point in judged.turning_points:
        assert [move.text for move in why[point.index].moves] == [point.best, point.move]
    lines = tell(judged, match, why)
    extra = [line for point in judged.turning_points for line in (*remarks(point, match), *why[point.index].claims)]
    assert len(lines) == len(judged.turning_points) + len(extra) + len(judged.cleared) + players
    for language in LANGUAGES:
        assert all(translate(line, language) for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_each_claim_of_two_hundred_reviews_is_found_in_the_line_it_cites(game: str) -> None:
    claims = 0
    for seed in range(200):
        bots = ("greedy", "random", "search:sims=20")[seed % 3]
        options = {"envoys": seed % 4 == 0} if game == "cuba" else {}
        match = finished(game, 2 + seed % (3 if game == "santiago" else 4), seed, bots, **options)
        why = explain_review(review(match, bot="search:sims=100,margin=0"), match)
        claims += sum(check(explanation) for explanation in why.values())
    assert claims > 1000


def test_a_match_explains_a_move() -> None:
    match = Match("santiago", 3, seed=4)
    while match.phase != "drive":
        match.push(match.legal_moves[0])
    best = match.explain(bot="search:sims=300")
    worst = str(match.legal_moves[-1])
    why = match.explain(worst, bot="search:sims=300")
    assert worst in map(str, why.moves)
    assert why.moves[0] == best.moves[0]
    assert why.chances is not None
    assert why.chances[0] >= why.chances[1]
    assert check(best) + check(why) > 0
    data = json.loads(json.dumps(why.as_dict()))
    assert data["better"][0] == str(why.moves[0])
    assert len(data["claims"]) == len(why.sentences)
    with pytest.raises(IllegalMove):
        match.explain("deliver 1 rum")
    with pytest.raises(BadSetup, match="needs a search"):
        match.explain(bot="greedy")


def test_where_moves_are_equally_good_nothing_is_said() -> None:
    """At the very end of a lost game no move matters."""
    match = finished("santiago", 2, seed=6)
    for moves in reversed(range(len(match))):
        then = match.fork(moves)
        if then.turn is not None and then.turn >= 0 and len(then.legal_moves) > 1:
            why = explain_move(then.view(then.turn), then.legal_moves[0], bot="search:sims=200")
            if why.chances is not None and why.chances[0] - why.chances[1] < 0.01:
                assert why.claims == ()
                return
    pytest.fail("no such position")


def test_reasons_come_from_the_view_and_never_from_the_truth() -> None:
    """Two games that differ in a bid still face down: the same reasons, to the byte."""
    match = finished("cuba", 3, seed=3)
    at = next(
        index
        for index, turn in enumerate(match.history)
        if str(turn.move).startswith("bid") and str(match.history[index + 1].move).startswith("bid")
    )
    first, second = match.fork(at), match.fork(at)
    bids = list(first.legal_moves)
    first.push(bids[0])
    second.push(bids[-1])
    assert first.turn == second.turn
    explanations = []
    for game in (first, second):
        codes = game.legal_moves.codes
        why = explain(game.view(game.turn), codes[0], codes[-1], seed=1)
        explanations.append((why.better.start.tobytes(), why.better.moves, why.other.moves, why.sentences))
        position = why.better.view(game.turn, 0).position
        assert position.tobytes() == game.view(game.turn).position.tobytes()
    assert explanations[0] == explanations[1]


def test_a_line_is_seen_with_the_eyes_of_its_seat() -> None:
    match = finished("santiago", 3, seed=2).fork(60)
    codes = match.legal_moves.codes
    why = explain(match.view(match.turn), codes[0], codes[-1])
    for moves in (0, len(why.better)):
        view = why.better.view(match.turn, moves)
        others = [seat for seat in range(3) if seat != match.turn]
        assert (np.array(view.position.goods)[others] == -1).all()
