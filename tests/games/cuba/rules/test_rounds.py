"""Cards, rounds, the end of a round and of the game (rulebook pp. 6 and 12)."""

import pytest

from malecon.games.cuba import tiles
from tests.games.cuba.table import COLOURS, Table


def end_of_round(table: Table, round_number: int = 1) -> Table:
    """Nobody can pay anything; two laws end the round."""
    table.lay(round_number=round_number).everybody(pesos=0).to_parliament()
    return table.play("enact tax duty")


# --- cards


def test_each_player_plays_one_card_after_the_other_clockwise_from_the_start_player():
    table = Table(4, starter="yellow").everybody(yard="")
    order = []
    for _ in range(8):
        order.append(table.turn)
        table.play("mayor" if len(order) <= 4 else "architect")
    assert order == ["yellow", "green", "blue", "red"] * 2


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_parliament_meets_when_everybody_has_played_four_cards(players):
    table = Table(players).everybody(yard="", pesos=0)
    for card in ("mayor", "architect", "foreman"):
        table.play(*[card] * players)
    for _ in range(players):
        assert table.phase == "card"
        table.play("merchant", "done")
    assert table.phase == "bid"  # some have pesos from the mayor


def test_a_card_can_be_played_only_once_a_round():
    table = Table(2).everybody(yard="").play("mayor", "mayor")
    assert table.moves == ["worker", "merchant", "architect", "foreman"]
    assert table.refusal("mayor") == "you have already played the Mayor this round"


def test_all_cards_are_back_in_the_next_round():
    table = end_of_round(Table(3).everybody(yard="")).chance()
    assert table.moves == ["worker", "merchant", "architect", "foreman", "mayor"]


def test_a_card_is_played_even_if_nothing_can_be_done_with_it():
    table = Table(2).everybody(yard="", pesos=0)
    table.position.not_built = table.position.not_shipped = 2
    table.position.material_picked = table.position.crop_picked = 1
    table.play("merchant", "architect")
    assert (table.pesos(), table.points("red"), table.turn) == (0, 0, "blue")
    assert "worker" in table.moves
    assert "merchant" not in table.moves


def test_first_a_character_must_be_played():
    assert Table().refusal("done") == "play a character card first"


# --- the end of a round


def test_all_crops_in_yards_return_to_the_supply_those_stored_stay():
    table = Table(3).everybody(yard="2 sugar 1 tobacco 3 rum 4 wood", stored="2 citrus")
    before = table.supply("sugar")
    end_of_round(table)
    for colour in COLOURS[:3]:
        assert (table.yard(colour), table.stored(colour)) == ("3 rum 4 wood", "2 citrus")
    assert table.supply("sugar") == before + 6


def test_the_alternatives_markers_come_off():
    table = Table(3).everybody(yard="")
    board = table.position
    board.material_picked = board.crop_picked = 1
    board.not_built = board.not_shipped = 2
    end_of_round(table)
    assert (board.material_picked, board.crop_picked, board.not_built, board.not_shipped) == (0, 0, 0, 0)


def test_the_new_start_player_begins_the_next_round():
    table = end_of_round(Table(3).everybody(yard="")).chance()
    assert (table.starter, table.turn) == ("yellow", "yellow")
    assert table.position.round_number == 2


def test_a_used_town_hall_is_forgotten():
    table = Table(3).everybody(yard="")
    table.position.town_hall = 1
    end_of_round(table)
    assert table.position.town_hall == -1


# --- the end of the game


def test_after_the_sixth_round_two_points_for_each_own_building():
    table = Table(3).everybody(yard="", points=10).seat("red", built={5: "hotel", 6: "dam"})
    end_of_round(table, 6)
    assert table.match.is_over
    assert table.match.outcome.points == (10, 14, 10)
    assert table.match.outcome.winners == (1,)


def test_the_printed_warehouse_gives_no_final_points_unless_the_table_says_so():
    table = Table(3, count_warehouse=True).everybody(yard="", points=10).seat("red", built={5: "hotel"})
    end_of_round(table, 6)
    assert table.match.outcome.points == (12, 14, 12)


def test_most_points_win():
    table = Table(2).everybody(yard="", points=10).seat("red", points=11)
    outcome = end_of_round(table, 6).match.outcome
    assert (outcome.winners, outcome.places, outcome.reason) == ((1,), (2, 1), "points")


def test_then_most_money():
    table = Table(3).everybody(yard="", points=10, pesos=0).lay(round_number=6, law={"tax": "5"}).to_parliament()
    table.seat("red", pesos=3).seat("yellow", pesos=4)
    table.play("enact duty other")
    outcome = table.match.outcome
    assert (outcome.winners, outcome.places, outcome.reason) == ((2,), (3, 2, 1), "pesos")


def test_then_the_win_is_shared():
    table = end_of_round(Table(3).everybody(yard="", points=10), 6)
    outcome = table.match.outcome
    assert (outcome.winners, outcome.places, outcome.reason) == ((0, 1, 2), (1, 1, 1), "shared")


def test_the_game_lasts_six_rounds():
    table = Table(2).everybody(yard="")
    for number in range(1, tiles.ROUNDS):
        end_of_round(table, number).chance()
        assert not table.match.is_over
    end_of_round(table, 6)
    assert table.match.is_over
    assert table.moves == []


def test_the_breakdown_names_ships_buildings_laws_subsidies_alternatives_and_final_buildings():
    table = Table(3).everybody(yard="").seat("blue", yard="1 rum", built={6: "hotel", 5: "small office"}, figure=6)
    table.match._length = 0  # the layout above is no part of the history
    table.play("mayor", "ship 2 rum", "architect", "architect")
    assert table.match.scores[0].breakdown["ships"] == 2
    assert table.match.scores[1].breakdown["alternatives"] == 2
    assert table.match.scores[2].breakdown["alternatives"] == 1
    table.seat("blue", yard="1 sugar").play("foreman", "use hotel", "consign 1 sugar")
    assert table.match.scores[0].breakdown["buildings"] == 2
    assert table.match.scores[0].breakdown["ships"] == 3  # the office's delivery too
    table.lay(law={"subsidy": "crop fields"}, round_number=6).to_parliament()
    while not table.match.is_over:
        table.play(next((m for m in table.moves if m.startswith(("pay", "enact"))), table.moves[0]))
    score = table.match.scores[0]
    assert score.breakdown["final buildings"] == 4
    assert score.breakdown["subsidies"] == 5
    assert score.breakdown["laws"] == 2
    assert sum(score.breakdown.values()) == score.points
