"""The car (rulebook p. 3): what a drive costs, and what it passes on its way."""

import pytest

from tests.games.santiago.table import Table


def test_example_martina_drives_from_maria_to_pedro_for_two_pesos():
    street = ("maria", "jose", "martinez", "pedro", "conchita", "zorro", "miguel", "pablo", "alonso")
    table = Table(street=street, white="bank church cafe").lay(car="maria").seat("red", pesos=3)
    table.drive_to("pedro")
    assert table.pesos("red") == 1
    assert table.moves == ["visit bank", "visit church", "visit cafe"]  # the buildings under a white flower


def test_the_car_must_drive():
    table = Table()
    assert "pass" not in table.moves
    assert table.refusal("pass") == "drive the car first"


def test_the_first_step_is_free():
    table = Table().everybody(pesos=0)
    assert table.moves == ["drive 1"]
    assert table.play("drive 1").pesos("red") == 0


def test_each_further_step_costs_one_peso():
    for steps in (1, 2, 3, 5, 9):  # not to Martinez, who gives pesos
        assert Table().seat("red", pesos=10).play(f"drive {steps}").pesos("red") == 10 - (steps - 1)


def test_only_money_limits_a_drive():
    table = Table().seat("red", pesos=25)
    assert table.moves == [f"drive {steps}" for steps in range(1, 27)]


def test_a_drive_beyond_the_purse_is_refused():
    table = Table().seat("red", pesos=2)
    assert table.refusal("drive 4") == "you have 2 pesos; this drive costs 3 pesos"
    assert table.seat("red", pesos=1).refusal("drive 10") == "you have 1 peso; this drive costs 9 pesos"


def test_one_drive_has_at_most_forty_steps():
    table = Table().seat("red", pesos=100)
    assert len(table.moves) == 40
    assert table.moves[-1] == "drive 40"
    assert table.play("drive 40").pesos("red") == 61


def test_the_stop_after_the_port_is_stop_one():
    assert Table().lay(car="port").play("drive 1").car == "pedro"
    assert Table().lay(car="alonso").play("drive 2").car == "pedro"


def test_a_full_lap_is_ten_steps_for_nine_pesos():
    table = Table().lay(car="maria").seat("red", pesos=9, points=0).play("drive 10")
    assert table.car == "maria"
    assert table.pesos("red") == 0
    assert table.points("red") == 2  # Maria's
    assert table.value == 3  # the port was passed


def test_a_lap_from_the_port_to_the_port_passes_nothing_and_opens_a_delivery_round():
    table = Table().seat("red", pesos=9).play("drive 10")
    assert (table.car, table.phase, table.value) == ("port", "deliver", 2)


def test_passing_the_port_moves_the_marker_right():
    assert Table().lay(car="alonso").play("drive 2").value == 3
    assert Table().lay(car="pablo", value=3).play("drive 3").value == 4


def test_passing_the_port_opens_no_delivery_round():
    table = Table().lay(car="alonso").play("drive 2")
    assert table.phase == "visit"
    assert table.goods("blue") == "1 sugar 1 citrus 1 tobacco"


def test_driving_off_from_the_port_does_not_move_the_marker():
    assert Table().lay(car="port").play("drive 3").value == 2


def test_stopping_at_the_port_does_not_move_the_marker():
    assert Table().lay(car="alonso").play("drive 1").value == 2


def test_the_marker_moves_each_time_the_port_is_passed():
    assert Table().lay(car="alonso").seat("red", pesos=30).play("drive 12").value == 4


def test_passing_the_port_with_the_marker_on_four_sends_the_ship_off():
    table = Table().lay(car="alonso", value=4).play("drive 2")
    assert (table.ship, table.value, table.demand) == (2, 2, "")


def test_after_the_ship_left_in_mid_drive_the_turn_goes_on_as_usual():
    table = Table(white="bank church").lay(car="alonso", value=4).seat("red", goods="").play("drive 2")
    assert table.goods("red") == "2 tobacco"  # Pedro's
    table.play("visit bank", "use bank")
    assert table.phase == "roll"
    table.roll("1 1 1 1 1")
    assert (table.phase, table.turn) == ("demand", "red")
    table.play("leave rum")
    assert (table.phase, table.turn) == ("drive", "blue")


def test_a_second_passing_after_the_departure_moves_the_new_ships_marker():
    table = Table().lay(car="alonso", value=4).seat("red", pesos=30).play("drive 12")
    assert (table.ship, table.value) == (2, 3)


def test_one_long_drive_can_send_two_ships_off():
    table = Table().lay(car="alonso", value=4).seat("red", pesos=39).play("drive 32")
    assert (table.car, table.ship, table.value) == ("pedro", 3, 2)


def test_a_car_that_stops_at_the_port_after_passing_it_sent_the_ship_off_opens_no_delivery_round():
    table = Table(4).lay(car="alonso", value=4).seat("red", pesos=10).play("drive 11")
    assert table.car == "port"
    assert (table.ship, table.value) == (2, 2)  # and the marker does not move for it
    assert (table.phase, table.turn) == ("roll", "chance")
    table.roll("1 1 1 1 1")
    assert (table.phase, table.turn) == ("demand", "red")


def test_a_car_that_passes_the_port_and_stops_there_a_lap_later_opens_a_round_at_the_higher_value():
    table = Table().lay(car="alonso", value=2).seat("red", pesos=10).play("drive 11")
    assert (table.car, table.phase, table.value) == ("port", "deliver", 3)


def test_the_marker_moves_at_that_moment_of_the_drive():
    table = Table().lay(car="miguel", value=4, face_down="alonso pedro").seat("red", pesos=5).play("drive 5")
    noted = [kind for kind in table.happened if kind in ("drove", "pesos", "face up", "sailed", "points")]
    assert noted == ["drove", "pesos", "face up", "sailed", "face up", "points"]  # Alonso, the port, Pedro, Maria


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_players_drive_the_same_car(players):
    table = Table(players).everybody(pesos=0)
    table.play("drive 1", "visit bank", "pass")
    assert table.turn == "blue"
    assert table.play("drive 1").car == "maria"
