"""Reviews and hints: they see a blunder, blame nobody who made none, and come as data, sentences and a chart."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from malecon import games
from malecon.bots import make
from malecon.bots.history import position_from_history
from malecon.bots.solver import Solver
from malecon.bots.verdicts import Proof
from malecon.drawing import charts
from malecon.kernel.errors import BadSetup, IllegalMove
from malecon.match import Match
from malecon.teaching.review import Review, chart, remarks, review, tell

QUICK = "search:sims=40,margin=0"


def finished(game: str, players: int = 2) -> Match:
    match, bot = Match(game, players, seed=8, names=["Ana & Bo", *[None] * (players - 1)]), make("greedy", 1)
    while match.turn is not None:
        match.push(bot.choose(match.view(match.turn)))
    return match


@pytest.fixture(scope="module")
def reviewed() -> dict[str, tuple[Match, Review]]:
    reviews = {}
    for name, players in zip(games.names(), (2, 3), strict=False):
        match = finished(name, players)
        reviews[name] = (match, review(match, bot=QUICK))
    return reviews


@pytest.mark.parametrize("name", games.names())
def test_every_real_decision_is_reviewed(name: str, reviewed: dict[str, tuple[Match, Review]]) -> None:
    match, whole_review = reviewed[name]
    again = Match(match.game, match.players)
    at = {decision.index: decision for decision in whole_review.decisions}
    for index, turn in enumerate(match.history):
        real = turn.seat >= 0 and len(again.legal_moves) > 1
        assert (index in at) == real
        if real:
            decision = at[index]
            assert decision.seat == turn.seat
            assert decision.move == str(turn.move)
            assert decision.best in again.legal_moves
            assert 0 <= decision.after <= decision.before <= 1
            assert decision.best == decision.move or decision.loss > 0
            assert sum(decision.chances) == pytest.approx(1)
        again.push(turn.move)


@pytest.mark.parametrize("name", games.names())
def test_the_last_decisions_know_who_wins(name: str, reviewed: dict[str, tuple[Match, Review]]) -> None:
    match, whole_review = reviewed[name]
    winner = match.outcome.winners[0]
    assert max(range(match.players), key=lambda seat: whole_review.decisions[-1].chances[seat]) == winner


def test_turning_points_are_the_dearest_decisions_in_order(reviewed: dict[str, tuple[Match, Review]]) -> None:
    _, whole_review = reviewed["santiago"]
    points = whole_review.turning_points
    assert 1 <= len(points) <= 5
    assert [p.index for p in points] == sorted(p.index for p in points)
    assert (
        min(p.loss for p in points) >= sorted((d.loss for d in whole_review.decisions), reverse=True)[len(points) - 1]
    )


def test_a_review_is_data(reviewed: dict[str, tuple[Match, Review]]) -> None:
    _, whole_review = reviewed[games.names()[-1]]
    data = json.loads(json.dumps(whole_review.as_dict()))
    assert len(data["decisions"]) == len(whole_review.decisions)
    assert {"seat", "move", "best", "before", "after", "loss"} <= set(data["decisions"][0])
    assert sum(seat["decisions"] for seat in data["seats"]) == len(whole_review.decisions)


def test_a_review_is_told(reviewed: dict[str, tuple[Match, Review]]) -> None:
    match, whole_review = reviewed["santiago"]
    lines = [str(line) for line in tell(whole_review, match)]
    extra = sum(len(remarks(decision, match)) for decision in whole_review.turning_points)
    assert len(lines) == len(whole_review.turning_points) + extra + len(whole_review.cleared) + match.players
    assert any("Ana & Bo" in line for line in lines)


def test_turning_points_have_had_a_longer_look_and_a_changed_verdict_is_told(
    reviewed: dict[str, tuple[Match, Review]],
) -> None:
    match, whole_review = reviewed["santiago"]
    assert all(decision.first_look is not None for decision in whole_review.turning_points)
    changed = [decision for decision in whole_review.decisions if decision.has_changed]
    assert changed
    text = "\n".join(str(line) for line in tell(whole_review, match))
    kept = [decision for decision in changed if decision in whole_review.turning_points]
    assert text.count("A longer look changed the verdict") == len(kept)
    assert text.count("a longer look does not confirm it") == len(whole_review.cleared)


def test_what_is_proven_is_said_and_is_certain() -> None:
    match = lost_by_a_pass()
    whole_review = review(match, bot="search:sims=100,margin=0")
    decision = whole_review.decisions[-1]
    assert (decision.move, decision.proof, decision.proof_after) == ("pass", Proof.WON, Proof.LOST)
    assert (decision.before, decision.after) == (1.0, 0.0)
    assert decision.chances == (1.0, 0.0)
    assert json.loads(json.dumps(whole_review.as_dict()))["decisions"][-1]["proof"] == "won"
    text = "\n".join(str(line) for line in tell(whole_review, match))
    assert "This is proven: “Deliver 1 sugar cane" in text
    assert "This is proven: after this move, Red has lost." in text


def lost_by_a_pass() -> Match:
    """A match whose last move throws away a win that is proven: it passes instead of delivering the last good."""
    for seed in range(400):
        match, bot = Match("santiago", 2, seed=seed), make("random", seed)
        while match.turn is not None and len(match) < 700:
            view = match.view(match.turn)
            if match.phase == "deliver" and match.position.ship == 7 and match.turn == 0:
                verdict = Solver(match.game, 2).judge(position_from_history(view), 20_000)
                code = match.game.notation.code
                proofs = verdict.moves
                if proofs.get(code("pass")) == Proof.LOST and proofs.get(code("deliver 1 sugar")) == Proof.WON:
                    match.push("pass")
                    return match
            match.push(bot.choose(view))
    raise AssertionError("there is none")


def test_a_review_is_drawn(reviewed: dict[str, tuple[Match, Review]]) -> None:
    match, whole_review = reviewed["santiago"]
    root = ElementTree.fromstring(chart(whole_review, match.game.colours))
    lines = root.findall("{*}polyline")
    assert len(lines) == match.players
    assert all(len(line.get("points").split()) == len(whole_review.decisions) for line in lines)
    assert len(root.findall("{*}circle")) == len(whole_review.turning_points)


def test_a_chart_speaks_the_readers_language_and_marks_where_a_replay_stands() -> None:
    match = Match("santiago", 2, seed=1)
    for _ in range(12):
        match.push(next(iter(match.legal_moves)))
    whole_review = review(match, bot=QUICK)
    german = ElementTree.fromstring(chart(whole_review, match.game.colours, "de", at=len(match)))
    assert german.findtext("{*}title") == "Gewinnchance, Schritt für Schritt"
    assert {text.text for text in german.findall("{*}text")} >= {"Rot", "Blau"}
    (now,) = german.findall("{*}path[@class='chart-now']")
    assert now.get("d").startswith(f"M{charts.across(1):.1f} ")
    assert not ElementTree.fromstring(chart(whole_review, match.game.colours)).findall("{*}path[@class='chart-now']")


def test_an_empty_match_has_an_empty_review() -> None:
    whole_review = review(Match("santiago", 2), bot=QUICK)
    assert whole_review.decisions == ()
    assert ElementTree.fromstring(chart(whole_review, ("red", "blue"))) is not None


def test_a_review_needs_a_search() -> None:
    with pytest.raises(BadSetup, match="needs a search"):
        review(Match("santiago", 2), bot="greedy")


def test_hints_are_for_the_player_to_move() -> None:
    match = Match("santiago", 2, seed=3)
    hints = match.hint(bot="search:sims=100")
    assert 1 < len(hints) <= 3
    assert all(hint.move in match.legal_moves and 0 <= hint.chance <= 1 for hint in hints)
    assert sum(hint.thought for hint in hints) <= 1
    assert match.hint(match.turn, count=1, bot="search:sims=100")[0] == hints[0]
    with pytest.raises(IllegalMove):
        match.hint(1 - match.turn)
    with pytest.raises(BadSetup, match="needs a search"):
        match.hint(bot="greedy")
