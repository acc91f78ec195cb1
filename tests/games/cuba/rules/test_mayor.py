"""The mayor (rulebook p. 9): goods onto one ship, or pesos."""

import pytest

from tests.games.cuba.table import SHIPS, Table, with_card

# berth 1 ccszz, berth 2 sctrz; for tests of berth 3, sstrz lies there
THREE = {3: "sstrz"}


@pytest.mark.parametrize("berth", [1, 2, 3])
def test_points_per_unit_by_berth(berth):
    table = with_card("mayor", yard="1 sugar 1 cigars", berths=THREE)
    table.play(f"ship {berth} sugar")
    assert table.points() == berth
    table.play(f"ship {berth} cigars")
    assert (table.points(), table.yard(), table.cargo(berth)) == (2 * berth, "", "1 sugar 1 cigars")


def test_any_number_of_goods_onto_one_ship():
    table = with_card("mayor", yard="2 sugar 2 citrus 2 tobacco 2 rum 2 cigars")
    table.play("ship 2 rum", "ship 2 sugar", "ship 2 citrus", "ship 2 tobacco", "ship 2 cigars")
    assert (table.points(), table.cargo(2)) == (10, "1 sugar 1 citrus 1 tobacco 1 rum 1 cigars")
    assert table.turn == "red"


def test_only_one_ship():
    table = with_card("mayor", yard="2 sugar 2 citrus").play("ship 1 citrus")
    assert table.moves == ["ship 1 sugar", "ship 1 citrus", "done"]
    assert table.refusal("ship 2 sugar") == "the Mayor loads only one ship, the one at berth 1"


def test_a_ship_takes_only_what_it_has_spaces_for():
    table = with_card("mayor", yard="1 rum 2 citrus")
    assert table.refusal("ship 1 rum") == "this ship does not take rum"
    table.play("ship 2 citrus")
    assert table.refusal("ship 2 citrus") == "this ship has no room left for citrus fruit"


def test_spaces_already_taken_are_not_free():
    table = with_card("mayor", yard="1 rum 1 sugar", berths={2: "sctrr with 2 rum"})
    assert table.refusal("ship 2 rum") == "this ship has no room left for rum"


def test_berth_3_is_empty_in_the_first_round():
    assert with_card("mayor", yard="1 rum").refusal("ship 3 rum") == "there is no ship at berth 3"


def test_the_ship_on_the_high_sea_cannot_be_loaded():
    table = with_card("mayor", yard="9 sugar 9 citrus 9 tobacco 9 rum 9 cigars")
    assert {move.split()[1] for move in table.moves if move.startswith("ship")} == {"1", "2"}


def test_one_may_stop_loading():
    table = with_card("mayor", yard="1 sugar 1 citrus").play("ship 2 sugar", "done")
    assert (table.yard(), table.points(), table.turn) == ("1 citrus", 2, "red")


def test_crops_are_loaded_from_the_yard_first():
    table = with_card("mayor", yard="1 citrus", stored="1 citrus").play("ship 1 citrus")
    assert (table.yard(), table.stored()) == ("", "1 citrus")
    table.play("ship 1 citrus")
    assert table.stored() == ""


def test_cargo_is_neither_in_the_supply_nor_on_the_market():
    table = with_card("mayor", yard="1 rum")
    before = table.supply("rum"), table.market("rum")
    table.play("ship 2 rum")
    assert (table.supply("rum"), table.market("rum")) == before


def test_materials_are_not_shipped():
    table = Table().everybody(yard="5 wood 5 stone 5 water").play("mayor")
    assert table.turn == "red"


def test_alternative_four_pesos_for_the_first_two_for_the_second_then_nothing():
    table = Table(4).everybody(pesos=0, yard="1 sugar")
    for _ in range(4):
        table.play("mayor", "forgo")
    assert [table.pesos(colour) for colour in ("blue", "red", "yellow", "green")] == [4, 2, 0, 0]


def test_alternative_who_cannot_deliver_forgoes_without_being_asked():
    table = Table(3).everybody(pesos=0, yard="").play("mayor", "mayor", "mayor")
    assert [table.pesos(colour) for colour in ("blue", "red", "yellow")] == [4, 2, 0]


def test_alternative_only_instead_of_a_delivery():
    table = with_card("mayor", yard="2 sugar 1 citrus")
    assert table.refusal("done") == "load something, or decline the delivery"
    table.play("ship 1 sugar")
    assert table.refusal("forgo") == "you have already loaded something"


def test_law_harbour_a_ship_filled_by_the_mayor_leaves_at_once_and_the_others_move_up_at_once():
    table = with_card(
        "mayor",
        yard="1 rum",
        law={"other": "harbour"},
        berths={3: "sscrr", 2: "sctrr with 1 sugar 1 citrus 1 tobacco 1 rum"},
    )
    table.play("ship 2 rum")
    assert table.points() == 2
    assert (table.turn, table.phase) == ("chance", "draw ship")
    assert [table.ship(berth) for berth in (3, 2, 1)] == ["sscrr", SHIPS[1], SHIPS[2]]
    table.draw("sstzz")
    assert table.ship(0) == "sstzz"
    assert table.queue == ["sctrr"]
    assert (table.turn, table.phase) == ("red", "card")


def test_without_the_harbour_law_a_full_ship_stays_until_the_end_of_the_round():
    table = with_card("mayor", yard="1 rum", berths={2: "sctrr with 1 sugar 1 citrus 1 tobacco 1 rum"})
    table.play("ship 2 rum")
    assert table.ship(2) == "sctrr"
    assert table.turn == "red"


def test_law_harbour_a_ship_not_full_stays():
    table = with_card("mayor", yard="1 rum", law={"other": "harbour"}).play("ship 2 rum")
    assert table.ship(2) == SHIPS[0]
    assert table.turn == "red"
