"""The greedy bot's guess at what a position is worth, and where its games end."""

import pytest
from hypothesis import given, settings

from malecon.kernel import verbs
from malecon.simulation.statistics import simulate
from tests.games.cuba.table import Table
from tests.games.random_games import matches


@pytest.mark.parametrize("players", [3, 4, 5])
def test_greedy_against_itself_lands_where_people_do(players):
    """People report winners in the 60s to 80s, usually 71 to 79, and last places in the 50s and up."""
    summary = simulate("cuba", players, 150, seed=1, bots=["greedy"] * players)
    assert 65 <= summary.mean_winning_score <= 85
    assert summary.mean_last_score >= 50
    assert max(summary.mean_scores) - min(summary.mean_scores) < 5  # no seat is much better than another


def test_greedy_beats_random():
    summary = simulate("cuba", 3, 100, seed=1, bots=["greedy", "random", "random"])
    assert summary.win_rates[0] > 0.95


@given(matches("cuba", envoys=True))
@settings(max_examples=8)
def test_worth_reads_only_what_the_seat_may_know(game):
    match, choices = game
    for move in choices:
        if len(match) % 5 == 0 or match.phase in ("bid", "second bid", "envoy"):
            seat = match.turn
            assert verbs.worth(match.view(seat).position, seat) == verbs.worth(match.position, seat)
        match.push(move)


def worth_of(table: Table, colour: str = "blue") -> float:
    return float(verbs.worth(table.position, ["blue", "red", "yellow"].index(colour)))


AT_THE_END = {"played": "worker merchant foreman mayor"}  # of the round: nothing more can be made of crops


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"points": 5}, {"points": 4}),
        ({"pesos": 6}, {"pesos": 5}),
        ({"stored": "2 sugar"} | AT_THE_END, {"yard": "2 sugar"} | AT_THE_END),
        ({"yard": "1 rum"}, {"yard": "1 sugar"}),
        ({"yard": "2 wood"}, {"yard": "1 wood"}),
        ({"built": {6: "hotel"}}, {"built": {6: "hostel"}}),
        ({"built": {6: "hostel"}}, {}),
    ],
)
def test_what_a_player_would_rather_have(better, worse):
    table = Table(3).everybody(yard="", pesos=0)
    value = worth_of(table.seat("blue", **better))
    other = worth_of(Table(3).everybody(yard="", pesos=0).seat("blue", **worse))
    assert value > other
