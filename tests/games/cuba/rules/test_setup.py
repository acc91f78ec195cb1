"""Before the first round (rulebook pp. 4 and 5)."""

import pytest

from malecon.match import Match
from tests.games.cuba.table import SHIPS, START, Table
from tests.open_match import OpenMatch


def test_start_with_ten_pesos_no_points_no_goods_and_the_figure_on_the_printed_warehouse():
    table = Table(5, proposals=None)
    for colour in ("blue", "red", "yellow", "green", "purple"):
        assert (table.pesos(colour), table.points(colour), table.yard(colour)) == (10, 0, "")
        assert table.built(1, colour) == "printed warehouse"
    assert table.position.figure.tolist() == [0] * 5


def test_the_market_starts_with_three_of_each_crop_and_two_of_each_ware():
    table = Table(2, proposals=None)
    assert [table.market(good) for good in ("sugar", "citrus", "tobacco", "rum", "cigars")] == [3, 3, 3, 2, 2]
    assert [table.supply(good) for good in ("sugar", "rum", "wood")] == [12, 8, 15]


def test_two_ships_at_the_first_berths_one_on_the_high_sea_berth_3_free():
    table = Table()
    assert [table.ship(berth) for berth in (2, 1, 0)] == list(SHIPS)
    assert table.ship(3) is None


def test_chance_draws_every_ship_with_equal_chance_and_each_only_once():
    match = Match("cuba", 3)
    for left in (15, 14, 13):
        assert len(match.legal_moves) == left
        match.push(match.legal_moves[0])
    assert match.phase == "choose starter"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_start_player_is_drawn_among_all(players):
    match = Match("cuba", players)
    for _ in range(3):
        match.push(match.legal_moves[0])
    assert len(match.legal_moves) == players


def test_two_materials_and_two_crops_of_choice_kinds_may_repeat():
    table = Table(2, proposals=None)
    assert table.moves == [
        *("materials wood wood", "materials wood stone", "materials wood water"),
        *("materials stone stone", "materials stone water", "materials water water"),
    ]
    table.play("materials water water")
    assert table.moves == [
        *("crops sugar sugar", "crops sugar citrus", "crops sugar tobacco"),
        *("crops citrus citrus", "crops citrus tobacco", "crops tobacco tobacco"),
    ]
    table.play("crops sugar tobacco")
    assert table.yard("blue") == "1 sugar 1 tobacco 2 water"


def test_start_goods_are_chosen_in_turn_order_from_the_start_player():
    table = Table(3, proposals=None, starter="yellow")
    order = []
    for _ in range(3):
        order.append(table.turn)
        table.play(*START)
    assert order == ["yellow", "blue", "red"]
    assert table.phase == "propose"


def test_start_goods_go_into_the_yard_out_of_the_supply():
    table = Table(2)
    assert table.yard("red") == "1 sugar 1 citrus 1 wood 1 stone"
    assert table.stored("red") == ""
    assert [table.supply(good) for good in ("sugar", "citrus", "tobacco", "wood", "water")] == [10, 10, 12, 13, 15]


def test_in_force_before_the_first_parliament_tax_2_duty_citrus_nothing_else():
    table = Table()
    assert [table.law(group) for group in ("tax", "duty", "subsidy", "other")] == ["2", "citrus", None, None]


def test_option_common_plantations_gives_everybody_the_same():
    table = Table(2, plantations="common").everybody(yard="")
    for colour in ("blue", "red"):
        table.play("worker", "field 12")
        assert table.yard(colour).endswith("1 wood 1 stone 1 water")
        table.play("harvest citrus", "harvest sugar", "done")


def test_option_individual_plantations_gives_each_colour_its_own():
    table = Table(2, plantations="individual").everybody(yard="")
    table.play("worker", "field 10")  # blue: S M over C; T C S L
    assert table.yard("blue").endswith("1 stone 1 water")
    table.play("harvest tobacco", "harvest citrus")
    table.play("irrigate sugar")
    table.play("worker", "field 10")  # red: M F over L; C L S T
    assert table.yard("red").endswith("1 wood 1 stone 1 water")


def test_individual_plantations_are_the_default():
    assert Match("cuba", 2).options["plantations"] == "individual"


def test_first_choices_must_be_made_first():
    table = Table(2, proposals=None)
    assert table.refusal("worker") == "choose your two starting materials first"
    table.play("materials wood wood")
    assert table.refusal("worker") == "choose your two starting crops first"
    assert table.refusal("draw sctrr") == "only chance can make this move"


def test_a_drawn_ship_cannot_be_drawn_again():
    table = Table(2, proposals=None)
    table.match = OpenMatch("cuba", 2)
    table.play("draw sctrr")
    assert table.refusal("draw sctrr") == "this card cannot come up here"
    assert table.refusal("worker") == "the cards must be turned up first"
