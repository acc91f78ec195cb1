"""The port (rulebook p. 5): the delivery round, and wood."""

import pytest

import malecon
from tests.games.santiago.table import Table


def delivery_round(players: int = 3, demand: str = "2 sugar 2 rum", value: int = 2, **has) -> Table:
    """Red has just driven to the port. Nobody has goods but those given by colour."""
    table = Table(players).everybody(goods="", points=0, pesos=0).lay(car="alonso", demand=demand, value=value)
    for colour, goods in has.items():
        table.seat(colour, goods=goods)
    return table.play("drive 1")


def test_example_delivery_round_of_peter_martina_philipp_and_wolf():
    table = Table(4, names=["Peter", "Martina", "Philipp", "Wolf"]).everybody(goods="", points=0)
    table.lay(car="alonso", demand="4 citrus 2 sugar 1 rum", value=3)
    table.seat("red", goods="2 citrus 1 rum").seat("blue", goods="2 sugar").seat("yellow", goods="2 sugar 1 citrus")
    table.play("drive 1")
    table.play("deliver 2 citrus")
    assert table.points("red") == 6
    table.play("deliver 2 sugar")
    assert table.points("blue") == 6
    assert table.refusal("deliver 2 sugar") == "the ship does not ask for sugar cane"
    table.play("deliver 1 citrus")
    assert table.points("yellow") == 3
    assert table.moves == ["pass"]  # Wolf has nothing to deliver
    table.play("pass")
    assert table.turn == "red"
    table.play("deliver 1 rum")
    assert table.points("red") == 9
    assert (table.demand, table.value) == ("1 citrus", 3)
    table.play("pass", "pass")
    assert table.turn == "red"
    table.play("pass")
    assert (table.demand, table.value, table.ship) == ("1 citrus", 4, 1)
    assert (table.phase, table.turn) == ("drive", "blue")


def test_example_with_the_last_citrus_fruit_delivered_the_ship_would_have_left():
    table = delivery_round(demand="1 citrus", value=3, blue="1 citrus").play("pass", "deliver 1 citrus")
    assert (table.ship, table.value, table.phase) == (2, 2, "roll")


def test_the_round_starts_with_the_active_player_and_goes_clockwise():
    table = Table(4).lay(car="alonso", turn="yellow").play("drive 1")
    turns = []
    while table.phase == "deliver":
        turns.append(table.turn)
        table.play("pass")
    assert turns == ["yellow", "green", "red", "blue"]


def test_each_delivers_one_kind_at_a_time():
    table = delivery_round(red="2 sugar 2 rum", blue="1 rum").play("deliver 2 sugar")
    assert table.turn == "blue"
    assert table.goods("red") == "2 rum"


def test_any_number_from_one_up_to_the_smaller_of_held_and_demanded():
    table = delivery_round(demand="3 rum 1 sugar", red="2 rum 3 sugar")
    assert sorted(table.moves) == ["deliver 1 rum", "deliver 1 sugar", "deliver 2 rum", "pass"]
    assert table.refusal("deliver 3 rum") == "you have only 2 rum"
    assert table.refusal("deliver 2 sugar") == "the ship asks only for 1 sugar cane"
    assert table.refusal("deliver 1 citrus") == "the ship does not ask for citrus fruit"


def test_what_the_player_does_not_hold_cannot_be_delivered():
    assert delivery_round(red="").refusal("deliver 1 rum") == "you have no rum"


@pytest.mark.parametrize("value", [2, 3, 4])
def test_each_unit_is_worth_what_the_marker_shows(value):
    table = delivery_round(demand="3 rum 1 sugar", value=value, red="3 rum").play("deliver 3 rum")
    assert table.points("red") == 3 * value


def test_delivered_goods_return_to_the_supply():
    table = delivery_round(red="2 rum").play("deliver 2 rum")
    assert (table.goods("red"), table.supply("rum")) == ("", 8)


def test_the_demand_falls_by_what_was_delivered():
    assert delivery_round(demand="3 rum 1 sugar", red="2 rum").play("deliver 2 rum").demand == "1 sugar 1 rum"


def test_a_player_may_pass_though_they_could_deliver():
    table = delivery_round(red="2 rum").play("pass")
    assert (table.turn, table.goods("red")) == ("blue", "2 rum")


def test_who_passed_is_out_of_this_round():
    table = delivery_round(red="2 rum", blue="2 sugar").play("pass", "deliver 1 sugar", "pass")
    assert table.turn == "blue"  # not Red again
    table.play("deliver 1 sugar")
    assert table.turn == "blue"  # nobody else is left


def test_the_round_skips_who_passed_and_goes_on_clockwise():
    table = delivery_round(4, demand="3 rum 2 sugar", red="2 rum", yellow="1 sugar", green="1 sugar")
    turns = []
    for move in ("deliver 1 rum", "pass", "deliver 1 sugar", "pass", "deliver 1 rum", "pass"):
        turns.append(table.turn)
        table.play(move)
    assert turns == ["red", "blue", "yellow", "green", "red", "yellow"]
    assert table.turn == "red"  # the only one who has not passed


def test_who_passed_may_deliver_again_in_the_next_round():
    table = delivery_round(2, red="2 rum").play("pass", "pass").lay(car="alonso").play("drive 1")
    assert (table.phase, table.turn) == ("deliver", "blue")
    table.play("pass")
    assert "deliver 2 rum" in table.moves


def test_the_last_player_left_goes_on_until_they_pass_too():
    table = delivery_round(demand="2 rum 2 sugar 2 citrus", yellow="1 rum 1 sugar 1 citrus").play("pass", "pass")
    for good in ("rum", "sugar", "citrus"):
        assert table.turn == "yellow"
        table.play(f"deliver 1 {good}")
    assert table.moves == ["pass"]
    table.play("pass")
    assert (table.phase, table.value) == ("drive", 3)


def test_a_player_who_can_deliver_nothing_must_pass():
    assert delivery_round(red="3 tobacco 2 cigars").moves == ["pass"]


def test_when_all_have_passed_the_marker_moves_right_and_the_ship_stays():
    table = delivery_round().play("pass", "pass", "pass")
    assert (table.value, table.ship, table.demand) == (3, 1, "2 sugar 2 rum")
    assert (table.phase, table.turn) == ("drive", "blue")


def test_when_all_have_passed_at_4_the_ship_leaves_though_it_is_not_full():
    table = delivery_round(value=4).play("pass", "pass", "pass")
    assert (table.value, table.ship, table.demand) == (2, 2, "")
    table.roll("1 1 1 1 1")
    assert (table.phase, table.turn) == ("demand", "red")


def test_the_marker_moves_once_however_many_deliveries_there_were():
    table = delivery_round(red="2 rum", blue="1 sugar").play(
        "deliver 1 rum", "deliver 1 sugar", "pass", "deliver 1 rum", "pass", "pass"
    )
    assert (table.demand, table.value) == ("1 sugar", 3)


def test_when_the_demand_is_met_the_ship_leaves_at_once():
    table = delivery_round(demand="1 rum", red="1 rum", blue="1 rum").play("deliver 1 rum")
    assert (table.ship, table.value, table.phase) == (2, 2, "roll")  # nobody else is asked


def test_the_player_who_drove_to_the_port_sets_the_new_demand_not_the_one_who_delivered_last():
    table = delivery_round(demand="1 rum", yellow="1 rum").play("pass", "pass", "deliver 1 rum")
    table.roll("1 1 1 1 1")
    assert (table.phase, table.turn) == ("demand", "red")
    table.play("leave rum")
    assert table.turn == "blue"


def test_the_value_does_not_change_during_a_round():
    table = delivery_round(demand="2 rum 2 sugar", red="1 rum", blue="1 rum", value=3)
    table.play("deliver 1 rum", "deliver 1 rum")
    assert (table.points("red"), table.points("blue"), table.value) == (3, 3, 3)


# --- wood


def test_example_two_wood_replace_two_sugar_cane_or_two_rum_for_two_points():
    for good, left in [("sugar", "1 tobacco 2 rum"), ("rum", "2 sugar 1 tobacco")]:
        table = delivery_round(demand="2 sugar 2 rum 1 tobacco", value=4, red="2 wood")
        table.play(f"deliver 2 wood {good}")
        assert (table.points("red"), table.demand, table.goods("red")) == (2, left, "")
        assert table.supply("wood") == 8


def test_example_two_wood_cannot_replace_one_tobacco_and_one_rum():
    table = delivery_round(demand="2 sugar 2 rum 1 tobacco", red="2 wood")
    assert table.refusal("deliver 2 wood tobacco") == "the ship asks only for 1 tobacco"
    with pytest.raises(malecon.NotAMove):
        table.match.push("deliver 1 wood tobacco rum")
    table.play("deliver 1 wood tobacco")
    assert (table.demand, table.turn) == ("2 sugar 2 rum", "blue")  # the other wood must wait


def test_example_one_wood_and_one_sugar_cane_cannot_be_delivered_at_once():
    table = delivery_round(demand="2 sugar 2 rum 1 tobacco", red="1 wood 1 sugar")
    assert sorted(table.moves) == [
        "deliver 1 sugar",
        "deliver 1 wood rum",
        "deliver 1 wood sugar",
        "deliver 1 wood tobacco",
        "pass",
    ]


@pytest.mark.parametrize("value", [2, 3, 4])
def test_each_wood_is_worth_one_point_wherever_the_marker_is(value):
    table = delivery_round(demand="3 rum 1 sugar", value=value, red="3 wood").play("deliver 3 wood rum")
    assert (table.points("red"), table.demand) == (3, "1 sugar")


def test_wood_is_delivered_in_any_number_up_to_one_kinds_demand():
    table = delivery_round(demand="4 citrus 1 sugar", red="3 wood")
    assert sorted(table.moves) == [
        "deliver 1 wood citrus",
        "deliver 1 wood sugar",
        "deliver 2 wood citrus",
        "deliver 3 wood citrus",
        "pass",
    ]
    assert table.refusal("deliver 4 wood citrus") == "you have only 3 wood"
    assert table.refusal("deliver 1 wood rum") == "the ship does not ask for rum"


def test_less_wood_than_demanded_lowers_the_die_by_as_much():
    assert delivery_round(demand="4 citrus", red="3 wood").play("deliver 3 wood citrus").demand == "1 citrus"


def test_wood_can_meet_the_last_demand_and_send_the_ship_off():
    table = delivery_round(demand="2 rum", red="2 wood").play("deliver 2 wood rum")
    assert (table.ship, table.points("red"), table.phase) == (2, 2, "roll")


def test_wood_leaves_the_other_goods_alone():
    table = delivery_round(demand="2 rum 1 sugar", red="1 wood 1 rum").play("deliver 1 wood rum")
    assert table.goods("red") == "1 rum"
