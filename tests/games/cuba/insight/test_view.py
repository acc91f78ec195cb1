"""What a player may know: everything but others' bids and envoys, until they are revealed."""

import pytest

from malecon.games.cuba.position import UNKNOWN
from malecon.kernel import verbs
from malecon.kernel.randomness import randomness
from tests.games.cuba.table import Table


def bidding(players: int = 3, pesos: int = 5) -> Table:
    """Yellow, the new starting player, is to bid first."""
    table = Table(players).everybody(yard="", pesos=pesos)
    return table.to_parliament()


def test_money_goods_and_cards_played_are_open():
    table = Table(3).seat("red", yard="1 rum", stored="2 sugar").play("mayor", "forgo")
    for viewer in (None, 0, 1, 2):
        assert table.match.view(viewer).position.tobytes() == table.position.tobytes()
        assert table.match.view(viewer).history == table.match.history


def test_a_bid_is_in_nobody_elses_view_until_all_are_in():
    table = bidding().play("bid 3", "bid 2")
    assert table.position.bid[:3].tolist() == [2, UNKNOWN, 3]
    assert table.match.view(2).position.bid[:3].tolist() == [UNKNOWN, UNKNOWN, 3]
    assert table.match.view(1).position.bid[:3].tolist() == [UNKNOWN] * 3
    assert table.match.view(None).position.bid[:3].tolist() == [UNKNOWN] * 3


def test_money_spent_on_a_bid_is_not_visible_before():
    table = bidding().play("bid 3", "bid 2")
    assert table.match.view(1).position.pesos[:3].tolist() == [5, 5, 5]


def test_a_bid_is_not_in_the_history_others_see_until_all_are_in():
    table = bidding().play("bid 3", "bid 2")
    assert [turn.move for turn in table.match.view(1).history[-2:]] == [None, None]
    assert [str(turn.move) for turn in table.match.view(2).history[-2:]] == ["bid 3", "None"]
    table.play("bid 1")
    assert [str(turn.move) for turn in table.match.view(None).history[-3:]] == ["bid 3", "bid 2", "bid 1"]


def test_a_second_bid_is_hidden_too_the_first_ones_are_known():
    table = bidding().play("bid 3", "bid 3", "bid 1", "bid 2")
    assert table.phase == "second bid"
    assert [str(turn.move) for turn in table.match.view(1).history[-4:]] == ["bid 3", "bid 3", "bid 1", "None"]
    assert table.match.view(0).position.bid[:3].tolist() == [UNKNOWN] * 3


def test_no_journal_gives_a_bid_away_before_all_are_in():
    table = bidding().play("bid 3", "bid 2")
    assert [table.match.events(len(table.match) - n) for n in (1, 2)] == [[], []]
    table.play("bid 1")
    assert table.happened.count("bid") == 3


def test_bids_of_the_round_before_are_known():
    table = bidding().play("bid 3", "bid 2", "bid 1", "enact tax duty")
    while table.phase != "card":
        table.play(table.moves[0])
    assert all(turn.move is not None for turn in table.match.view(None).history)


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_the_rules_can_go_on_from_a_view(viewer):
    """A bot tries moves on its view; a bid it cannot know counts as none."""
    table = bidding()
    for _ in range(3):
        if table.match.turn == viewer:
            view = table.match.view(viewer).position
            verbs.play(view, table.match.game.notation.code("bid 2"))
            assert view.bid[viewer] == 2 or view.phase != table.position.phase
            return
        table.play("bid 4")


def test_guess_fills_in_what_others_may_have_bid_and_nothing_else():
    table = bidding(pesos=4).play("bid 3", "bid 2")
    seen = set()
    for seed in range(60):
        view = table.match.view(1).position
        verbs.guess(view, 1, randomness(seed))
        assert view.bid[1] == UNKNOWN  # still to come
        assert 0 <= min(view.bid[0], view.bid[2]) <= max(view.bid[0], view.bid[2]) <= 4
        seen.add((int(view.bid[0]), int(view.bid[2])))
        view.bid[:] = table.position.bid
        assert view.tobytes() == table.position.tobytes()
    assert len(seen) > 10


def test_guess_leaves_out_players_who_were_not_asked():
    table = bidding().seat("blue", pesos=0)
    table.position.bidders = 0b010  # only red is left
    table.position.bid[2] = 3
    table.position.actor = 1
    view = table.match.view(1).position
    verbs.guess(view, 1, randomness(1))
    assert view.bid[0] == UNKNOWN
    assert view.bid[2] >= 0


def test_guess_fills_in_envoys_that_were_not_played():
    table = Table(3, envoys=True).play("envoy mayor", "envoy worker")
    seen = set()
    for seed in range(60):
        view = table.match.view(2).position
        verbs.guess(view, 2, randomness(seed))
        assert view.envoy[2] == UNKNOWN
        seen.add(int(view.envoy[0]))
    assert seen == {0, 1, 2, 3, 4}
    table.play("envoy foreman").everybody(yard="").play("architect", "mayor", "mayor")
    for seed in range(60):
        view = table.match.view(2).position
        verbs.guess(view, 2, randomness(seed))
        assert view.envoy[0] != 2
        assert view.envoy[1] != 4
        assert view.envoy[2] == 3


def test_guess_knows_who_bids_a_second_time():
    table = bidding().play("bid 3", "bid 3", "bid 1", "bid 2")
    view = table.match.view(0).position
    verbs.guess(view, 0, randomness(1))
    assert view.bid[0] == view.bid[1] == UNKNOWN
    assert 0 <= view.bid[2] <= 2


def test_a_view_without_secrets_needs_no_guess():
    table = Table(3)
    view = table.match.view(1).position
    verbs.guess(view, 1, randomness(1))
    assert view.tobytes() == table.position.tobytes()
