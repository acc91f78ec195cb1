"""The foreman (rulebook p. 8): which buildings may be used, in which order, how often.

The figure on field 6 activates fields 5, 6, 7, 8, 2 and 10.
"""

from tests.games.cuba.table import Table, with_card

BANKS = {5: "small bank", 7: "large bank", 12: "hotel", 9: "hostel"}


def test_every_building_in_the_row_and_column_each_once_in_any_order():
    table = with_card("foreman", figure=6, built=BANKS)
    table.play("use large bank", "use small bank")
    assert table.pesos() == 6
    assert table.turn == "red"


def test_the_other_order():
    table = with_card("foreman", figure=6, built=BANKS).play("use small bank")
    assert table.moves == ["use large bank", "done"]
    assert table.refusal("use small bank") == "the Small bank has already been used this round"


def test_the_building_under_the_figure_too():
    table = with_card("foreman", figure=6, built={6: "hotel", 2: "hostel"}).play("use hotel", "use hostel")
    assert table.points() == 3


def test_or_any_one_own_building():
    table = with_card("foreman", figure=6, built=BANKS).play("use hotel")
    assert (table.points(), table.turn) == (2, "red")


def test_one_elsewhere_can_only_be_used_alone():
    table = with_card("foreman", figure=6, built=BANKS).play("use small bank")
    refused = table.refusal("use hotel")
    assert refused == "the Hotel is not in the figure’s row or column, so you can use it only on its own"


def test_some_may_be_left_unused():
    table = with_card("foreman", figure=6, built=BANKS).play("use small bank", "done")
    assert table.pesos() == 2
    table = with_card("foreman", figure=6, built=BANKS).play("done")
    assert table.pesos() == 0


def test_results_of_one_can_be_used_by_another_distil_then_the_cafe():
    table = with_card("foreman", figure=6, built={5: "distillery", 7: "rum cafe"}, yard="3 sugar")
    assert table.refusal("serve 1 rum") == "you have no rum"
    table.play("make 3 rum", "serve 3 rum")
    assert (table.points(), table.yard()) == (6, "")


def test_the_foreman_uses_the_figure_where_it_stands_whether_the_worker_was_played_or_not():
    table = with_card("foreman", figure=12, built={12: "hotel", 11: "hostel"}).play("use hotel", "use hostel")
    assert table.points() == 3


def test_a_building_of_somebody_else_cannot_be_used():
    table = Table().everybody(yard="1 sugar").seat("red", built={5: "hotel"}).play("foreman")
    assert table.refusal("use hotel") == "you do not have the Hotel"


def test_the_printed_warehouse_stores_all_crops_of_the_yard():
    table = with_card("foreman", yard="2 sugar 1 citrus 3 rum 2 wood", stored="1 sugar").play("store")
    assert (table.stored(), table.yard()) == ("3 sugar 1 citrus", "3 rum 2 wood")


def test_the_printed_warehouse_counts_as_a_building_for_the_foreman():
    table = with_card("foreman", figure=6, yard="1 sugar", built={5: "hotel"}).play("store")
    assert (table.turn, table.points()) == ("red", 0)  # it stood elsewhere, so it was the only one
    table = with_card("foreman", figure=5, yard="1 sugar", built={6: "hotel"}).play("store", "use hotel")
    assert table.points() == 2


def test_the_built_warehouse_stores_like_the_printed_one():
    table = with_card("foreman", figure=12, built={12: "warehouse", 11: "hotel"}, yard="2 sugar")
    table.play("store", "use hotel")
    assert (table.stored(), table.points()) == ("2 sugar", 2)


def test_of_two_alike_the_one_on_the_cross_is_used_first():
    table = with_card("foreman", figure=6, built={5: "distillery", 12: "distillery", 7: "hotel"}, yard="2 sugar")
    table.play("make 2 rum", "use hotel")
    assert table.points() == 2


def test_two_distilleries_on_the_cross_are_two_buildings():
    table = with_card("foreman", figure=6, yard="2 sugar", built={5: "distillery", 7: "distillery"})
    table.play("make 1 rum", "make 1 rum")
    assert (table.yard(), table.turn) == ("2 rum", "red")


def test_the_foreman_is_played_even_if_nothing_can_be_done():
    table = with_card("foreman")
    assert table.turn == "red"
    assert "idle" in table.happened
    assert table.position.played[0] == 1 << 3


def test_a_use_that_would_do_nothing_is_not_offered():
    table = with_card("foreman", figure=6, built={5: "distillery", 7: "hotel"})
    assert table.moves == ["use hotel", "done"]
    assert table.refusal("store") == "there are no crops in your yard"


def test_law_harbour_the_foreman_goes_on_after_an_office_has_sent_a_ship_off():
    table = with_card(
        "foreman",
        figure=6,
        built={5: "small office", 7: "hotel"},
        yard="1 rum",
        law={"other": "harbour"},
        berths={2: "sctrr with 1 sugar 1 citrus 1 tobacco 1 rum", 3: "sstzz"},
    )
    table.play("consign 2 rum")
    assert table.turn == "chance"
    table.draw("sscrr")
    assert table.moves == ["use hotel", "done"]


def test_law_harbour_an_office_elsewhere_ends_the_card():
    table = with_card(
        "foreman",
        figure=6,
        built={12: "large office", 7: "hotel"},
        yard="2 rum",
        law={"other": "harbour"},
        berths={2: "sctrr with 1 sugar 1 citrus 1 tobacco", 3: "sstzz"},
    )
    table.play("dispatch 2 rum rum").draw("sscrr")
    assert (table.turn, table.phase, table.points()) == ("red", "card", 4)
