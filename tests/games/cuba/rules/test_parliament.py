"""Parliament (rulebook pp. 6, 9 and 10): proposals, votes, bids, the winner's choice."""

import pytest

from tests.games.cuba.table import Table


def in_parliament(players: int = 3, *, pesos: dict[str, int] | None = None, law=None, **kept: str) -> Table:
    """Everybody has kept a card: the worker, unless named. Blue is the starting player and stays it."""
    table = Table(players).everybody(yard="", pesos=0).lay(law=law)
    for colour, n in (pesos or {}).items():
        table.seat(colour, pesos=n)
    table.to_parliament(**kept)
    return table


# --- proposals


def test_one_law_of_each_group_is_turned_up():
    table = Table()
    assert [table.proposal(group) for group in ("tax", "duty", "subsidy", "other")] == [
        "3",
        "water",
        "water",
        "harbour",
    ]


def test_chance_turns_up_only_cards_still_in_the_deck():
    table = Table(2, proposals=None).play("materials wood wood", "crops sugar sugar")
    table.play("materials wood wood", "crops sugar sugar")
    assert table.moves == [f"propose tax {law}" for law in ("1", "2", "3", "4", "5", "buildings")]
    assert table.refusal("propose duty water") == "this card cannot come up here"
    table.propose("tax 5", "duty water", "subsidy votes", "other drought")
    table.everybody(pesos=0, yard="").to_parliament(blue="mayor")
    table.play("enact tax other").chance()
    seen = [str(turn.move) for turn in table.match.history if str(turn.move).startswith("propose")]
    assert len(seen) == len(set(seen)) == 8


def test_proposals_are_not_in_force_before_parliament():
    assert Table().law("tax") == "2"


# --- votes


@pytest.mark.parametrize(
    ("card", "votes"), [("worker", 1), ("merchant", 2), ("architect", 3), ("foreman", 4), ("mayor", 5)]
)
def test_votes_are_the_value_of_the_card_kept(card, votes):
    table = in_parliament(blue=card, red="mayor" if card != "mayor" else "worker")
    assert table.position.votes[0] == votes


def test_the_most_votes_win():
    assert in_parliament(red="foreman", yellow="merchant").turn == "red"


# --- bids


def test_bids_from_nothing_up_to_all_money():
    table = in_parliament(pesos={"blue": 3})
    assert table.moves == ["bid 0", "bid 1", "bid 2", "bid 3"]
    assert table.refusal("bid 4") == "you have only 3 pesos"


def test_this_program_takes_no_bid_over_99():
    table = in_parliament(pesos={"blue": 150})
    assert len(table.moves) == 100


def test_everybody_with_money_bids_from_the_start_player_on():
    table = in_parliament(pesos={"blue": 3, "yellow": 2}, blue="mayor")
    order = []
    while table.phase == "bid":
        order.append(table.turn)
        table.play("bid 0")
    assert order == ["yellow", "blue"]  # red has no money; yellow is the starting player now


def test_bids_are_all_paid_by_losers_too():
    table = in_parliament(pesos={"blue": 5, "red": 5, "yellow": 5})
    table.play("bid 2", "bid 3", "bid 1")  # yellow, blue, red
    assert [table.pesos(c) for c in ("blue", "red", "yellow")] == [2, 4, 3]
    assert table.turn == "blue"
    assert table.position.votes[:3].tolist() == [4, 2, 3]


def test_nothing_is_paid_before_all_bids_are_in():
    table = in_parliament(pesos={"blue": 5, "red": 5, "yellow": 5}).play("bid 2", "bid 3")
    assert [table.pesos(c) for c in ("blue", "red", "yellow")] == [5, 5, 5]


def test_equal_highest_bid_once_more_out_of_what_they_have_left():
    table = in_parliament(pesos={"blue": 5, "red": 5, "yellow": 5}).play("bid 2", "bid 2", "bid 1")
    assert table.phase == "second bid"
    assert table.turn == "yellow"
    assert table.moves == ["bid 0", "bid 1", "bid 2", "bid 3"]
    table.play("bid 1", "bid 3")  # yellow, blue; red is out of it
    assert table.turn == "blue"
    assert [table.pesos(c) for c in ("blue", "red", "yellow")] == [0, 4, 2]
    assert table.position.votes[:3].tolist() == [6, 2, 4]


def test_a_second_bid_adds_to_the_votes():
    table = in_parliament(pesos={"blue": 4, "red": 2, "yellow": 4}, red="merchant")
    table.play("bid 2", "bid 2", "bid 1", "bid 0", "bid 0", "bid 1")  # yellow, blue, red; and once more
    assert table.position.votes[:3].tolist() == [3, 4, 3]
    assert table.turn == "red"


def test_still_equal_the_start_player_wins():
    table = in_parliament(pesos={"blue": 5, "yellow": 5}).play("bid 2", "bid 2", "bid 1", "bid 1")
    assert table.starter == "yellow"
    assert table.turn == "yellow"


def test_still_equal_else_the_next_of_them_clockwise_from_the_start_player():
    table = in_parliament(4, blue="foreman", red="foreman")
    assert table.starter == "green"
    assert table.turn == "blue"


def test_level_players_without_money_are_not_asked_again():
    table = in_parliament(pesos={"blue": 1, "yellow": 1}).play("bid 1", "bid 1")
    assert (table.phase, table.turn) == ("enact", "yellow")


def test_of_level_players_only_those_with_money_left_bid_again():
    table = in_parliament(pesos={"blue": 4, "yellow": 1}).play("bid 1", "bid 1")
    assert (table.phase, table.turn) == ("second bid", "blue")
    table.play("bid 1")
    assert (table.phase, table.turn) == ("enact", "blue")


def test_law_corruption_nobody_bids():
    table = in_parliament(pesos={"blue": 9, "red": 9}, law={"other": "corruption"}, red="mayor")
    assert (table.phase, table.turn) == ("enact", "red")
    assert table.pesos("blue") == 9


def test_law_corruption_equal_votes_are_not_bid_for_either():
    table = in_parliament(pesos={"blue": 9, "red": 9}, law={"other": "corruption"})
    assert (table.phase, table.turn) == ("enact", "yellow")  # the starting player


# --- the winner's choice


def test_the_winner_enacts_exactly_two_of_the_proposals():
    table = in_parliament(blue="mayor")
    assert table.moves == [
        *("enact tax duty", "enact tax subsidy", "enact tax other"),
        *("enact duty subsidy", "enact duty other", "enact subsidy other"),
    ]


def test_each_law_replaces_the_one_of_its_group_at_once_the_rest_leave_the_game():
    table = in_parliament(blue="mayor").play("enact tax subsidy")
    assert [table.law(group) for group in ("tax", "duty", "subsidy", "other")] == ["3", "citrus", "water", None]
    table.chance()
    assert table.position.unseen_laws.tolist().count(0) == 0
    assert "propose duty water" not in table.moves


def test_first_bid_then_enact():
    table = in_parliament(pesos={"blue": 3})
    assert table.refusal("enact tax duty") == "all the bids must be in first"
    table.play("bid 1")
    assert table.refusal("bid 1") == "enact two laws first"


# --- the starting player


def test_new_starting_player_is_the_one_with_the_highest_fourth_card():
    table = Table(3).everybody(pesos=0, yard="")
    board = table.position
    cards = {"blue": ("merchant", "worker"), "red": ("foreman", "worker"), "yellow": ("architect", "worker")}
    for seat, (last, kept) in enumerate(cards.values()):
        names = ["worker", "merchant", "architect", "foreman", "mayor"]
        board.played[seat] = 31 & ~(1 << names.index(last)) & ~(1 << names.index(kept))
    board.step = 9
    table.play("merchant", "done", "foreman", "architect")
    assert table.starter == "red"


def test_new_starting_player_among_equals_the_one_who_played_last():
    table = Table(3).everybody(pesos=0, yard="").to_parliament()
    assert table.starter == "yellow"


def test_new_starting_player_before_parliament_so_that_ties_and_laws_follow_the_new_order():
    table = Table(3).everybody(pesos=0, yard="").to_parliament()
    assert (table.starter, table.turn) == ("yellow", "yellow")
