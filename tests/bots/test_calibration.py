"""Chances that people are shown: orderly, never beyond certainty, and measured for every table there can be."""

from __future__ import annotations

import itertools
import sys

import calibration
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from malecon import games
from malecon.bots.calibration import IDENTITY, CalibrationCurves, Curve, apply, compare, curves_for
from malecon.bots.history import position_from_history
from malecon.bots.searcher import Searcher, SearchPlan
from malecon.match import Match

EXPECTED = st.floats(0, 1)
CURVE = st.tuples(st.floats(-0.5, 0.5), st.floats(0.5, 2), st.floats(-0.02, 0.02), st.floats(0, 0.03))
HONESTY = st.builds(CalibrationCurves, CURVE, CURVE)


@given(HONESTY, EXPECTED, EXPECTED)
def test_a_better_move_keeps_the_better_chance(curves: CalibrationCurves, lower: float, other: float) -> None:
    low, high = (curves.chance(expected) for expected in sorted((lower, other)))
    assert 0 <= low <= high <= 1


@given(HONESTY)
def test_what_is_certain_stays_certain(curves: CalibrationCurves) -> None:
    assert (curves.chance(0.0), curves.chance(1.0)) == (0, 1)
    assert curves.shares((0.0, 1.0, 0.0)) == (0, 1, 0)


@given(HONESTY, st.lists(st.floats(0.01, 1), min_size=2, max_size=5))
def test_shares_add_up_and_keep_their_order(curves: CalibrationCurves, expected: list[float]) -> None:
    shares = curves.shares(expected)
    assert sum(shares) == pytest.approx(1)
    assert shares[int(np.argmax(expected))] == max(shares)


@pytest.mark.parametrize("name", games.names())
def test_every_table_of_our_games_was_measured(name: str) -> None:
    game = games.get(name)
    for players in range(game.fewest_players, game.most_players + 1):
        chances = [curves_for(name, players).chance(expected) for expected in np.linspace(0, 1, 201)]
        assert chances != [IDENTITY.chance(expected) for expected in np.linspace(0, 1, 201)]
        assert all(low < high for low, high in itertools.pairwise(chances))


def test_a_game_that_was_not_measured_shows_what_the_search_expects(paseo: str) -> None:
    assert curves_for(paseo, 2) == IDENTITY


def test_a_search_for_the_win_alone_tells_honest_chances() -> None:
    match = Match("santiago", 3, seed=4)
    position = position_from_history(match.view(match.turn))
    mind, plain = (Searcher(match.game, 3, SearchPlan(sims=300, margin=0.0), seed=1) for _ in range(2))
    plain.calibration = IDENTITY
    calibrated, expected = mind.search(position), plain.search(position)
    measured = curves_for("santiago", 3)
    assert calibrated.codes == expected.codes
    assert calibrated.chances == tuple(map(measured.chance, expected.chances))
    assert calibrated.seats == pytest.approx(measured.shares(expected.seats))
    assert mind.evaluate(calibrated.codes[1], 50) == measured.chance(plain.evaluate(calibrated.codes[1], 50))
    assert Searcher(match.game, 3, SearchPlan(sims=1, margin=0.1)).calibration == IDENTITY


@pytest.mark.parametrize("curve", [(0.0, 1.3, 0.0, 0.0), (-0.3, 0.8, 0.01, 0.02)])
def test_a_fit_finds_how_timid_or_bold_the_search_was(curve: Curve) -> None:
    random = np.random.default_rng(3)
    expected = random.uniform(0.01, 0.99, 200_000)
    won = (random.random(200_000) < [apply(chance, curve) for chance in expected]).astype(float)
    fitted = calibration.fit_curve(expected, won)
    for chance in np.linspace(0.05, 0.95, 10):
        assert apply(chance, fitted) == pytest.approx(apply(chance, curve), abs=0.01)


def test_calibration_weighs_classes_by_their_size() -> None:
    given = np.array([0.05] * 90 + [0.55] * 109 + [1.0])
    won = np.array([0.0] * 90 + [1.0] * 109 + [0.0])
    report = compare(given, won)
    assert [(group.number, group.size) for group in report.classes] == [(0, 90), (5, 109), (9, 1)]
    assert report.error == pytest.approx((90 * 0.05 + 109 * 0.45 + 1) / 200)
    assert report.worst == pytest.approx(0.45)  # one chance in two hundred says too little
    with pytest.raises(ValueError, match="at least one"):
        compare(given, won[:1])


def test_calibration_says_how_honest_the_chances_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = "calibration.py santiago --players 2 --games 2 --bot search:sims=4,margin=0"
    monkeypatch.setattr(sys, "argv", command.split())
    calibration.main()
    assert "expected calibration error" in capsys.readouterr().out
