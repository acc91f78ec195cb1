"""Ships that leave and arrive (rulebook p. 8): the marker, the demand of the new ship, four zeros."""

import pytest

from tests.games.santiago.table import Table, in_building


def sent_off(**lay) -> Table:
    """Red has just passed the port with the marker on 4 and must still visit a white building."""
    return Table(white="bank").lay(car="alonso", value=4, **lay).play("drive 2")


def test_a_departure_is_instant():
    table = sent_off()
    assert (table.phase, table.ship) == ("visit", 2)


def test_the_marker_goes_back_to_2():
    assert sent_off().value == 2


def test_the_ships_dice_come_off_and_the_next_ship_has_no_demand_until_the_end_of_the_turn():
    table = sent_off()
    assert table.demand == ""
    table.play("visit bank")
    assert (table.phase, table.demand) == ("use", "")


def test_at_the_end_of_the_turn_the_active_player_rolls_five_dice_and_leaves_one_out():
    table = sent_off().play("visit bank", "use bank")
    assert table.turn == "chance"
    table.roll("3 4 0 1 2")
    assert (table.phase, table.turn) == ("demand", "red")
    table.play("leave citrus")
    assert table.demand == "3 sugar 1 rum 2 cigars"
    assert (table.phase, table.turn) == ("drive", "blue")


def test_the_owners_point_comes_before_the_roll():
    table = Table(white="bank").lay(car="alonso", value=4).seat("blue", owns="bank", points=0)
    table.play("drive 2", "visit bank", "use bank")
    assert (table.phase, table.points("blue")) == ("roll", 1)
    table.roll("1 1 1 1 1").play("leave rum")
    assert table.points("blue") == 1  # and comes only once


def test_the_ship_that_leaves_is_not_asked_again_for_its_goods():
    table = Table(2).lay(car="alonso", demand="1 rum").seat("red", goods="1 rum").play("drive 1", "deliver 1 rum")
    table.roll("1 0 0 0 0").play("leave rum")
    assert table.demand == "1 sugar"


def test_two_departures_in_one_turn_make_one_roll():
    table = Table(white="harbormaster").lay(car="pablo", value=4, demand="1 rum")
    table.seat("red", owns="harbormaster").play("drive 1", "flag right")
    assert (table.ship, table.value) == (2, 2)
    table.play("visit harbormaster", "flag right")
    assert (table.ship, table.value, table.phase) == (2, 3, "roll")
    table.roll("1 1 1 1 1").play("leave rum")
    assert (table.phase, table.turn) == ("drive", "blue")


def test_a_new_ship_may_leave_before_it_has_any_demand():
    table = Table(white="bank").lay(car="alonso", value=4).seat("red", pesos=39).play("drive 32")
    assert table.ship == 3
    table.play("visit bank", "pass").roll("1 1 1 1 1").play("leave rum")
    assert (table.ship, table.demand) == (3, "1 sugar 1 citrus 1 tobacco 1 cigars")


# --- four zeros


@pytest.mark.parametrize("left_out", ["sugar", "citrus", "tobacco", "rum", "cigars"])
def test_if_the_four_dice_kept_all_show_0_the_ship_leaves_at_once_and_the_same_player_rolls_again(left_out):
    dice = {"sugar": 0, "citrus": 0, "tobacco": 0, "rum": 0, "cigars": 0} | {left_out: 3}
    table = Table(dice=None).roll(" ".join(map(str, dice.values())))
    assert table.turn == "yellow"
    table.play(f"leave {left_out}")
    assert (table.ship, table.phase, table.demand) == (2, "roll", "")
    table.roll("1 1 1 1 1")
    assert (table.phase, table.turn) == ("demand", "yellow")
    table.play("leave rum")
    assert (table.ship, table.turn, table.phase) == (2, "red", "drive")


def test_with_five_zeros_the_ship_leaves_whichever_die_is_left_out():
    assert Table(dice=None).roll("0 0 0 0 0").play("leave rum").ship == 2


def test_with_one_die_over_0_kept_the_ship_stays():
    table = Table(dice=None).roll("0 2 0 0 0").play("leave rum")
    assert (table.ship, table.demand, table.phase) == (1, "2 citrus", "drive")


def test_four_zeros_again_and_again_send_one_ship_after_another_off():
    table = Table(dice=None)
    for ship in (2, 3, 4):
        table.roll("0 0 0 0 0").play("leave rum")
        assert table.ship == ship


def test_four_zeros_put_the_marker_back_to_2():
    table = Table(white="harbormaster").lay(car="alonso", value=4).play("drive 2", "visit harbormaster", "flag right")
    assert table.value == 3
    table.roll("0 0 0 0 0").play("leave rum")
    assert (table.ship, table.value) == (3, 2)


def test_four_zeros_bring_the_owner_no_second_point():
    table = Table(white="bank").lay(car="alonso", value=4).seat("blue", owns="bank", points=0)
    table.play("drive 2", "visit bank", "use bank").roll("0 0 0 0 0").play("leave rum")
    assert table.points("blue") == 1
    table.roll("1 1 1 1 1").play("leave rum")
    assert table.points("blue") == 1


# --- who sets the demand: always the player whose turn it is, for these four causes


def test_the_player_who_triggered_the_delivery_round_sets_the_demand():
    table = Table(2).lay(car="alonso", demand="1 rum").seat("blue", goods="1 rum")
    table.play("drive 1", "pass", "deliver 1 rum").roll("1 1 1 1 1")
    assert table.turn == "red"


def test_the_player_who_skipped_the_port_sets_the_demand():
    assert sent_off().play("visit bank", "pass").roll("1 1 1 1 1").turn == "red"


@pytest.mark.parametrize(
    ("building", "move", "lay"),
    [
        ("harbormaster", "flag right", {"value": 4}),
        ("customs", "clear rum", {"demand": "2 rum"}),
        ("office", "consign rum", {"demand": "1 rum", "goods": "1 rum"}),
    ],
)
def test_the_player_who_sent_the_ship_off_with_a_building_sets_the_demand(building, move, lay):
    table = in_building(building, **lay).play(move)
    assert table.ship == 2
    assert table.roll("1 1 1 1 1").turn == "red"


def test_the_ship_token_moves_one_space_with_each_departure():
    table = in_building("customs", demand="2 rum", ship=5).play("clear rum")
    assert table.ship == 6
