"""The worker (rulebook pp. 6 and 7), on the common plantation:

1 warehouse   2 forest     3 sugar     4 mountain
5 tobacco     6 mountain   7 citrus    8 forest
9 citrus     10 sugar     11 tobacco  12 lake
"""

import pytest

from tests.games.cuba.table import GOODS, Table, with_card

DROUGHT = {"other": "drought"}


def test_example_stone_two_wood_one_citrus_and_one_tobacco():
    table = with_card("worker").play("field 6", "harvest citrus", "harvest tobacco")
    assert table.yard() == "1 citrus 1 tobacco 2 wood 1 stone"


def test_the_figure_goes_to_any_of_the_twelve_fields_or_stays():
    table = with_card("worker", figure=7)
    assert table.moves == [f"field {n}" for n in range(1, 13)]
    table.play("field 7")
    assert table.position.figure[0] == 6


def test_at_most_two_crop_fields_are_used_all_materials_are():
    table = with_card("worker").play("field 8")  # row T M C F, column M F L
    assert table.yard() == "1 citrus 1 tobacco 1 wood 2 stone 1 water"


def test_without_a_choice_nothing_is_asked_and_the_next_player_is_on():
    table = with_card("worker").play("field 1")  # row W F S M, column T C: three crops
    assert table.moves == ["harvest sugar", "harvest citrus", "harvest tobacco"]
    table = with_card("worker", built={3: "hotel"}).play("field 1")
    assert table.yard() == "1 citrus 1 tobacco 1 wood 1 stone"
    assert (table.turn, table.phase) == ("red", "card")


def test_a_player_with_more_than_two_crop_fields_chooses_two():
    table = with_card("worker").play("field 9")  # row C S T L, column W T: four crops
    assert table.yard() == "1 water"
    table.play("harvest tobacco")
    assert table.moves == ["harvest sugar", "harvest citrus", "harvest tobacco"]
    table.play("harvest tobacco")
    assert table.yard() == "2 tobacco 1 water"


def test_materials_come_first_so_water_just_gained_can_be_spent():
    table = with_card("worker").play("field 9", "harvest sugar", "harvest citrus")
    assert table.moves == ["irrigate tobacco", "done"]
    table.play("irrigate tobacco")
    assert table.yard() == "1 sugar 1 citrus 1 tobacco"
    assert table.supply("water") == 15


def test_one_more_crop_field_for_each_water():
    table = with_card("worker", yard="5 water").play("field 9", "harvest sugar", "harvest citrus")
    table.play("irrigate tobacco", "irrigate tobacco")
    assert table.yard() == "1 sugar 1 citrus 2 tobacco 4 water"
    assert table.turn == "red"


def test_irrigation_may_be_declined():
    table = with_card("worker", yard="5 water").play("field 9", "harvest sugar", "harvest citrus", "done")
    assert table.yard() == "1 sugar 1 citrus 6 water"


def test_never_the_same_field_twice():
    table = with_card("worker", yard="9 water").play("field 9", "harvest sugar", "harvest citrus")
    refused = table.refusal("irrigate sugar")
    assert refused == "there is no unused sugar cane field in the figure’s row or column"


def test_a_built_over_field_gives_nothing():
    table = with_card("worker", built={12: "hotel", 10: "hostel"}).play("field 9")
    assert table.moves == ["harvest citrus", "harvest tobacco"]
    table.play("harvest citrus")
    assert table.yard() == "1 citrus 1 tobacco"


def test_the_field_under_the_figure_counts_too():
    table = with_card("worker").play("field 12")
    assert "1 water" in table.yard()


def test_law_drought_only_one_crop_field_is_free():
    table = with_card("worker", law=DROUGHT, yard="1 water").play("field 6", "harvest citrus")
    assert table.yard() == "1 citrus 2 wood 1 stone 1 water"
    assert table.moves == ["irrigate sugar", "irrigate tobacco", "done"]  # water still helps


def test_law_drought_does_not_touch_materials():
    table = with_card("worker", law=DROUGHT).play("field 8")
    assert "1 wood 2 stone 1 water" in table.yard()


def test_an_empty_supply_gives_nothing():
    table = with_card("worker", supply="0 stone 0 tobacco").play("field 6")
    assert table.yard() == "1 sugar 1 citrus 2 wood"
    assert "nothing left" in table.happened


def test_a_short_supply_gives_what_is_left():
    table = with_card("worker", supply="1 wood").play("field 6")
    assert table.yard() == "1 wood 1 stone"


def test_the_last_crop_of_the_supply_can_be_harvested_once():
    table = with_card("worker", supply="1 tobacco", yard="3 water").play("field 9")
    table.play("harvest tobacco")
    assert table.refusal("harvest tobacco") == "the supply has no tobacco left"


def test_all_harvested_goods_go_into_the_yard():
    table = with_card("worker").play("field 6", "harvest citrus", "harvest tobacco")
    assert table.stored() == ""


ROWS = ["WFSM", "TMCF", "CSTL"]
GIVES = {"S": "sugar", "C": "citrus", "T": "tobacco", "F": "wood", "M": "stone", "L": "water"}


@pytest.mark.parametrize("field", range(1, 13))
def test_every_field_activates_its_row_and_column(field):
    """With enough water, all of it can be had."""
    row, column = divmod(field - 1, 4)
    cross = ROWS[row] + "".join(ROWS[other][column] for other in range(3) if other != row)
    table = with_card("worker", yard="9 water").play(f"field {field}")
    while table.turn == "blue":
        table.play(table.moves[0])
    crops = [GIVES[letter] for letter in cross if letter in "SCT"]
    for letter, good in GIVES.items():
        spent = max(0, len(crops) - 2) - 9 if good == "water" else 0
        assert table.position.yard[0, GOODS.index(good)] == cross.count(letter) - spent, good


def test_first_the_figure_must_be_placed():
    table = with_card("worker")
    assert table.refusal("done") == "place your figure first"
    assert table.refusal("irrigate sugar") == "place your figure first"
    table.play("field 6")
    assert table.refusal("done") == "choose the crops first"


def test_the_figure_on_a_building_activates_as_well():
    table = Table().everybody(yard="").seat("blue", built={6: "hotel"}).play("worker", "field 6")
    table.play("harvest citrus", "harvest tobacco")
    assert table.yard() == "1 citrus 1 tobacco 2 wood"
