"""Customs office, harbormaster's office and office (rulebook p. 7): buildings that act on the ship."""

import pytest

from tests.games.santiago.table import Table, in_building

# --- customs office


def test_the_customs_office_turns_one_die_to_0():
    table = in_building("customs", demand="2 sugar 1 citrus 3 rum")
    assert table.moves == ["clear sugar", "clear citrus", "clear rum", "pass"]
    table.play("clear rum")
    assert table.demand == "2 sugar 1 citrus"
    assert (table.ship, table.points("red"), table.supply("rum")) == (1, 0, 8)


def test_the_customs_office_finds_only_dice_that_show_more_than_0():
    table = in_building("customs", demand="1 citrus 1 rum")
    assert table.refusal("clear sugar") == "the ship does not ask for sugar cane"


def test_the_customs_office_that_neutralizes_the_final_demand_sends_the_ship_off():
    table = in_building("customs", demand="3 rum", value=3).play("clear rum")
    assert (table.ship, table.value) == (2, 2)
    table.roll("1 1 1 1 1")
    assert (table.phase, table.turn) == ("demand", "red")


# --- harbormaster's office


@pytest.mark.parametrize(("value", "left"), [(2, []), (3, ["flag left"]), (4, ["flag left"])])
def test_the_harbormaster_moves_the_marker_one_flag_right_or_left_down_to_2(value, left):
    table = in_building("harbormaster", value=value)
    assert table.moves == ["flag right", *left, "pass"]


def test_the_harbormaster_raises_the_value_by_one():
    assert in_building("harbormaster", value=2).play("flag right").value == 3
    assert in_building("harbormaster", value=3).play("flag right").value == 4


def test_the_harbormaster_lowers_the_value_by_one():
    assert in_building("harbormaster", value=3).play("flag left").value == 2
    assert in_building("harbormaster", value=4).play("flag left").value == 3


def test_the_harbormaster_cannot_lower_the_value_below_2():
    assert in_building("harbormaster", value=2).refusal("flag left") == "the value cannot fall below 2"


def test_the_harbormaster_sends_the_ship_off_from_4():
    table = in_building("harbormaster", value=4, demand="3 rum").play("flag right")
    assert (table.ship, table.value, table.demand) == (2, 2, "")
    table.roll("1 1 1 1 1")
    assert (table.phase, table.turn) == ("demand", "red")


def test_visiting_the_harbormaster_without_using_it_moves_nothing():
    assert in_building("harbormaster", value=4).play("pass").value == 4


# --- office


def test_the_office_delivers_one_good_in_demand_for_exactly_two_points():
    for value in (2, 3, 4):
        table = in_building("office", goods="3 rum", demand="2 rum 1 sugar", value=value)
        assert table.moves == ["consign rum", "pass"]
        table.play("consign rum")
        assert (table.points("red"), table.goods("red"), table.demand) == (2, "2 rum", "1 sugar 1 rum")
        assert table.supply("rum") == 6
        assert table.turn == "blue"  # only one


def test_the_office_takes_no_wood():
    assert in_building("office", goods="3 wood", demand="2 rum").turn == "blue"
    assert in_building("office", goods="3 wood 1 rum", demand="2 rum 1 sugar").moves == ["consign rum", "pass"]


def test_the_office_takes_only_what_is_in_demand_and_held():
    table = in_building("office", goods="1 rum 1 tobacco", demand="2 rum 1 sugar")
    assert table.refusal("consign tobacco") == "the ship does not ask for tobacco"
    assert table.refusal("consign sugar") == "you have no sugar cane"


def test_the_office_that_meets_the_final_demand_sends_the_ship_off():
    table = in_building("office", goods="1 rum", demand="1 rum", value=4).play("consign rum")
    assert (table.ship, table.value, table.points("red")) == (2, 2, 2)
    table.roll("1 1 1 1 1")
    assert (table.phase, table.turn) == ("demand", "red")


def test_the_marker_does_not_move_when_the_office_delivers():
    assert in_building("office", goods="1 rum", demand="2 rum", value=3).play("consign rum").value == 3


# --- after a departure in the same turn


def after_departure(building: str) -> Table:
    """Red passes the port, the ship leaves, and Red visits the building with goods of every kind."""
    table = Table(white=building).lay(car="alonso", value=4)
    table.seat("red", goods="1 sugar 1 citrus 1 tobacco 1 rum 1 cigars 1 wood", pesos=1)
    return table.play("drive 2", f"visit {building}")


def test_after_a_departure_the_customs_office_finds_nothing_to_act_on():
    assert after_departure("customs").phase == "roll"


def test_after_a_departure_the_office_finds_nothing_to_act_on():
    table = after_departure("office")
    assert (table.phase, table.goods("red")) == ("roll", "1 sugar 1 citrus 3 tobacco 1 rum 1 cigars 1 wood")


def test_after_a_departure_the_harbormaster_may_move_the_marker():
    table = after_departure("harbormaster")
    assert table.moves == ["flag right", "pass"]
    table.play("flag right").roll("1 1 1 1 1").play("leave rum")
    assert (table.ship, table.value) == (2, 3)  # the new ship begins at 3
