"""The architect (rulebook p. 8): paying, placing, and the points for going without."""

import pytest

from malecon.games.cuba import arrays, tiles
from tests.games.cuba.table import Table, with_card

PLENTY = "5 wood 5 stone 5 water"


@pytest.mark.parametrize("building", tiles.BUILDING_KEYS)
def test_a_building_is_paid_in_materials_and_placed(building):
    cost = dict(zip(tiles.MATERIALS, arrays.BUILDING_COST[tiles.BUILDING_KEYS.index(building)].tolist(), strict=True))
    exactly = " ".join(f"{n} {material}" for material, n in cost.items() if n)
    table = with_card("architect", yard=exactly).play(f"build {building}", "on 7")
    assert (table.yard(), table.built(7), table.turn) == ("", building, "red")
    for material in (m for m, n in cost.items() if n):
        short = " ".join(f"{n - (m == material)} {m}" for m, n in cost.items() if n)
        short_of_it = with_card("architect", yard=short)
        assert short_of_it.turn == "red" or f"build {building}" not in short_of_it.moves


def test_materials_go_back_to_the_supply():
    table = with_card("architect", yard=PLENTY)
    before = table.supply("stone")
    table.play("build large bank")
    assert table.supply("stone") == before + 3


def test_on_any_own_field_but_the_printed_warehouse_or_another_building():
    table = with_card("architect", yard=PLENTY, built={2: "hotel"}).play("build dam")
    assert table.moves == [f"on {n}" for n in range(3, 13)]
    assert table.refusal("on 1") == "the Printed warehouse stands on this field"
    assert table.refusal("on 2") == "the Hotel stands on this field"


def test_under_the_figure_too():
    table = with_card("architect", yard=PLENTY, figure=6).play("build dam", "on 6")
    assert table.built(6) == "dam"
    assert table.position.figure[0] == 5


def test_one_building_a_card():
    table = with_card("architect", yard=PLENTY).play("build dam", "on 6")
    assert (table.turn, table.phase) == ("red", "card")


def test_a_tile_that_is_gone_cannot_be_built():
    table = Table().everybody(yard=PLENTY).seat("red", built={5: "hotel"}).play("architect")
    assert "build hotel" not in table.moves
    assert table.refusal("build hotel") == "the Hotel is no longer in the supply"


def test_there_are_two_distilleries_and_one_player_may_build_both():
    table = Table().everybody(yard=PLENTY).seat("blue", built={5: "distillery"}).play("architect")
    table.play("build distillery", "on 6", "architect")
    assert "build distillery" not in table.moves
    assert "build cigar factory" in table.moves


def test_too_few_materials():
    table = with_card("architect", yard="2 wood 1 stone")
    assert table.refusal("build hotel") == "you have 1 stone; this costs 2 stone"
    assert table.refusal("build golf course") == "you have 0 water; this costs 2 water"


def test_law_building_two_pesos_more():
    table = with_card("architect", yard=PLENTY, pesos=3, law={"other": "building"}).play("build dam")
    assert table.pesos() == 1


def test_law_building_without_two_pesos_nothing_can_be_built():
    table = with_card("architect", yard=PLENTY, pesos=1, law={"other": "building"})
    assert table.points() == 2  # so the card was for the alternative
    assert table.turn == "red"


def test_law_building_pesos_named_in_the_refusal():
    table = Table().everybody(yard=PLENTY, pesos=5).lay(law={"other": "building"}).play("architect")
    table.position.pesos[0] = 1
    assert table.refusal("build dam") == "you have 1 peso; this costs 2 pesos"


def test_alternative_two_points_for_the_first_one_for_the_second_then_nothing():
    table = Table(4).everybody(yard=PLENTY)
    for _ in range(4):
        table.play("architect", "forgo")
    assert [table.points(colour) for colour in ("blue", "red", "yellow", "green")] == [2, 1, 0, 0]


def test_alternative_who_cannot_build_forgoes_without_being_asked():
    table = Table(3).everybody(yard="").play("architect", "architect", "architect")
    assert [table.points(colour) for colour in ("blue", "red", "yellow")] == [2, 1, 0]


def test_alternative_building_does_not_use_it_up():
    table = Table(3).everybody(yard=PLENTY).play("architect", "build dam", "on 3", "architect", "forgo")
    assert table.points("red") == 2


def test_first_choose_and_place():
    table = with_card("architect", yard=PLENTY)
    assert table.refusal("done") == "first choose a building, or decline to build"
    table.play("build dam")
    assert table.refusal("forgo") == "first choose a field for the new building"
