"""The newspaper publisher (rulebook p. 7) and Cubans who lie face down."""

import pytest

from tests.games.santiago.table import STREET, Table, in_building


def test_the_newspaper_gives_one_peso():
    table = in_building("newspaper").play("print")
    assert (table.pesos("red"), table.face_down) == (1, "")


def test_the_newspaper_may_turn_any_face_up_cuban_over_the_cars_own_stop_included():
    table = in_building("newspaper")
    assert table.car == "zorro"
    assert sorted(table.moves) == sorted(["print", *(f"print {cuban}" for cuban in STREET), "pass"])
    table.play("print zorro")
    assert (table.pesos("red"), table.face_down) == (1, "zorro")


def test_a_cuban_who_is_face_down_already_cannot_be_turned():
    table = in_building("newspaper", face_down="jose pablo")
    assert "print jose" not in table.moves
    assert table.refusal("print jose") == "José is already face down"


def test_several_cubans_can_be_face_down_at_once():
    assert in_building("newspaper", face_down="jose pablo").play("print maria").face_down == "maria jose pablo"


def test_with_all_cubans_face_down_the_newspaper_still_gives_its_peso():
    table = in_building("newspaper")
    table.lay(face_down=" ".join(STREET))
    assert table.moves == ["print", "pass"]


@pytest.mark.parametrize("cuban", STREET)
def test_an_inactive_cuban_gives_nothing_and_no_building_is_used(cuban):
    table = Table(3).lay(face_down=cuban).seat("red", pesos=12, on="bank")
    before = [table.points(c) for c in ("red", "blue", "yellow")], table.goods("red")
    table.drive_to(cuban)
    assert (table.phase, table.turn) == ("drive", "blue")
    assert ([table.points(c) for c in ("red", "blue", "yellow")], table.goods("red")) == before
    assert table.pesos("red") == 12 - STREET.index(cuban)
    assert table.piece("red") == "bank"


def test_an_inactive_cuban_is_skipped_at_the_usual_cost():
    table = Table().lay(face_down="maria").seat("red", pesos=2, goods="").drive_to("jose")
    assert (table.pesos("red"), table.goods("red")) == (0, "2 sugar")


def test_a_tile_turns_face_up_again_when_the_car_has_passed_it():
    assert Table().lay(face_down="maria").drive_to("jose").face_down == ""


def test_a_tile_the_car_has_not_passed_stays_face_down():
    assert Table().lay(face_down="jose alonso").drive_to("maria").face_down == "jose alonso"


def test_a_tile_stays_face_down_while_the_car_stands_there():
    table = Table().lay(face_down="maria").drive_to("maria")
    assert (table.turn, table.car, table.face_down) == ("blue", "maria", "maria")


def test_a_tile_turns_face_up_when_the_car_leaves_it():
    table = Table().lay(face_down="maria").drive_to("maria").drive_to("jose")
    assert table.face_down == ""


def test_a_tile_turned_over_at_the_cars_own_stop_turns_back_when_the_car_leaves():
    table = in_building("newspaper").play("print zorro")
    assert (table.turn, table.face_down) == ("blue", "zorro")
    assert table.play("drive 1").face_down == ""


def test_a_full_lap_finds_the_tile_it_left_face_up_and_active():
    table = Table().lay(face_down="maria", car="maria").seat("red", pesos=9, points=0).play("drive 10")
    assert (table.car, table.face_down, table.points("red")) == ("maria", "", 2)


def test_a_drive_over_a_lap_finds_the_tile_it_passed_face_up_and_active():
    table = Table().lay(face_down="maria").seat("red", pesos=11, points=0).play("drive 12")
    assert (table.car, table.face_down, table.points("red")) == ("maria", "", 2)


def test_each_tile_passed_turns_face_up():
    table = Table().lay(face_down="pedro maria jose martinez miguel").seat("red", pesos=9).drive_to("conchita")
    assert table.face_down == "miguel"


def test_stopping_at_the_port_passes_the_tile_before_it():
    table = Table().lay(car="pablo", face_down="alonso").play("drive 2")
    assert (table.phase, table.face_down) == ("deliver", "")


def test_a_cuban_turned_over_meets_the_next_player():
    table = in_building("newspaper").play("print miguel", "drive 1")
    assert (table.car, table.goods("blue"), table.turn) == ("miguel", "", "yellow")


def test_the_newspaper_can_be_used_with_the_lawyer_too():
    table = Table().lay(car="pablo").seat("red", owns="newspaper", pesos=0).play("drive 1", "print pedro")
    assert (table.pesos("red"), table.face_down, table.phase) == (1, "pedro", "visit")
