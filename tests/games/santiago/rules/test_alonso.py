"""Alonso the lawyer (rulebook p. 4): seizing buildings, using one's own, declining."""

import pytest

from malecon.games.santiago import tiles
from tests.games.santiago.table import Table


def at_alonso(players: int = 3, **under) -> Table:
    return Table(players, **under).lay(car="pablo")


def test_example_martina_uses_her_bank_with_the_lawyer_and_then_a_white_building_as_well():
    table = at_alonso(white="church cafe market", red="bank").seat("red", owns="bank", pesos=0, points=0)
    table.play("drive 1", "use bank")
    assert table.pesos("red") == 2
    assert table.moves == ["visit church", "visit cafe", "visit market"]
    table.play("visit church", "use church")
    assert (table.points("red"), table.piece("red")) == (1, "church")
    assert table.markers("red") == 2  # she seized nothing this time


def test_any_unowned_building_can_be_seized_with_a_property_marker():
    table = at_alonso().play("drive 1")
    assert table.moves == [f"seize {building}" for building in tiles.BUILDING_KEYS] + ["pass"]
    table.play("seize casino")
    assert table.owner("casino") == "red"
    assert table.markers("red") == 2


def test_a_piece_on_a_building_does_not_keep_it_from_being_seized():
    table = at_alonso().seat("blue", on="casino").play("drive 1", "seize casino")
    assert table.owner("casino") == "red"


def test_the_building_ones_own_piece_stands_on_can_be_seized():
    table = at_alonso(white="bank church cafe").seat("red", on="bank").play("drive 1", "seize bank")
    assert table.owner("bank") == "red"
    assert "visit bank" not in table.moves


@pytest.mark.parametrize("owner", ["red", "blue", "yellow", "green"])
def test_a_building_that_belongs_to_another_cannot_be_seized(owner):
    seizer = "blue" if owner == "red" else "red"
    table = at_alonso(4).lay(turn=seizer).seat(owner, owns="casino").play("drive 1")
    assert "seize casino" not in table.moves
    assert table.refusal("seize casino") == f"the Casino belongs to {owner.capitalize()}"


def test_a_building_cannot_be_seized_twice():
    table = at_alonso().seat("red", owns="casino").play("drive 1")
    assert "seize casino" not in table.moves
    assert table.refusal("seize casino") == "the Casino is already yours"


def test_the_refusal_names_the_owner_as_they_call_themselves():
    table = Table(names=["Ana", "Bé", "Çelik"]).lay(car="pablo").seat("yellow", owns="office").play("drive 1")
    assert table.refusal("seize office") == "the Office belongs to Çelik"


def test_each_player_seizes_at_most_three_buildings():
    table = at_alonso().seat("red", owns="casino office bank").play("drive 1")
    assert table.markers("red") == 0
    assert not [move for move in table.moves if move.startswith("seize")]
    assert table.refusal("seize church") == "you have no property marker left"


def test_the_third_building_can_be_seized_with_the_last_marker():
    table = at_alonso().seat("red", owns="casino office").play("drive 1", "seize bank")
    assert (table.owner("bank"), table.markers("red")) == ("red", 0)


def test_seizing_is_not_using():
    table = at_alonso().seat("red", pesos=0).play("drive 1", "seize bank")
    assert table.pesos("red") == 0
    assert table.phase == "visit"


def test_with_the_markers_used_up_own_buildings_can_still_be_used():
    table = at_alonso().seat("red", owns="bank church sawmill", goods="1 wood").play("drive 1")
    assert table.moves == ["use bank", "use church", "use sawmill", "pass"]


@pytest.mark.parametrize("occupant", ["red", "blue"])
def test_an_own_building_can_be_used_though_it_is_occupied(occupant):
    table = at_alonso().seat("red", owns="bank", pesos=0).seat(occupant, on="bank").play("drive 1", "use bank")
    assert table.pesos("red") == 2


def test_only_own_buildings_can_be_used_with_the_lawyer():
    table = at_alonso().seat("blue", owns="bank").seat("red", on="church").play("drive 1")
    assert table.refusal("use bank") == "the Bank does not belong to you"
    assert table.refusal("use church") == "the Church does not belong to you"


def test_it_is_one_or_the_other():
    table = at_alonso().seat("red", owns="bank").play("drive 1", "use bank")
    assert table.phase == "visit"  # no seizing any more
    table = at_alonso().seat("red", owns="bank").play("drive 1", "seize church")
    assert table.phase == "visit"  # no using any more


def test_only_one_own_building_is_used():
    table = at_alonso().seat("red", owns="bank church", points=0).play("drive 1", "use bank")
    assert table.points("red") == 0
    assert table.phase == "visit"


def test_the_lawyer_can_be_declined():
    table = at_alonso().seat("red", owns="bank", pesos=0).play("drive 1", "pass")
    assert (table.phase, table.pesos("red"), table.markers("red")) == ("visit", 0, 2)


def test_a_use_that_cannot_do_anything_is_not_offered():
    table = at_alonso().seat("red", owns="sawmill cafe distillery", goods="").play("drive 1")
    assert table.moves == ["pass"]
    assert table.refusal("use sawmill") == "you have no wood"


def test_afterwards_the_piece_moves_to_a_white_building_as_usual():
    table = at_alonso(white="bank church cafe").seat("red", on="bank").play("drive 1", "seize market")
    assert table.moves == ["visit church", "visit cafe"]


def test_an_own_building_used_with_the_lawyer_can_be_visited_and_used_again():
    table = at_alonso(white="bank church cafe").seat("red", owns="bank", pesos=0)
    table.play("drive 1", "use bank", "visit bank", "use bank")
    assert table.pesos("red") == 4


def test_a_building_just_seized_can_be_visited_and_brings_no_point_to_oneself():
    table = at_alonso(white="church bank cafe").seat("red", points=0)
    table.play("drive 1", "seize church", "visit church", "pass")
    assert table.points("red") == 0


def test_while_alonso_is_face_down_nothing_can_be_seized():
    table = at_alonso().lay(face_down="alonso").play("drive 1")
    assert (table.phase, table.turn) == ("drive", "blue")


def test_after_the_own_newspaper_turned_alonso_face_down_the_piece_still_moves_to_a_white_building():
    table = at_alonso(white="bank church cafe").seat("red", owns="newspaper").play("drive 1", "print alonso")
    assert table.face_down == "alonso"
    assert table.moves == ["visit bank", "visit church", "visit cafe"]


def test_the_ship_sent_off_by_the_own_harbormaster_leaves_before_the_piece_moves():
    table = at_alonso(white="customs office harbormaster").lay(value=4).seat("red", owns="harbormaster", goods="1 rum")
    table.play("drive 1", "flag right")
    assert (table.ship, table.value, table.demand, table.phase) == (2, 2, "", "visit")
