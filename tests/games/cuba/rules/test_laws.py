"""The laws at work (rulebook pp. 10 and 11), each under its own name."""

import pytest

from tests.games.cuba.table import Table

ORDER = ["yellow", "blue", "red"]  # yellow is the new starting player


def law_phase(law: dict[str, str | None], **has) -> Table:
    """The laws named are in force, the others as before the first parliament; yellow is asked first."""
    options = {key: has.pop(key) for key in ("count_warehouse", "plantations") if key in has}
    buildings = has.pop("built", {})
    table = Table(3, **options).everybody(pesos=0, yard="", points=0)
    table.to_parliament(yellow="foreman")
    for colour, built in buildings.items():
        table.seat(colour, built=built)
    table.everybody(**has)
    # to enact is to put in force what is proposed: let tax and duty be proposed as they shall be
    table.lay(law={"tax": "2", "duty": "citrus", "subsidy": None, "other": None} | law)
    table.position.proposal[:] = table.position.law
    return table.play("enact tax duty")


# --- I: taxes


@pytest.mark.parametrize("tax", [1, 2, 3, 4, 5])
def test_tax_of_so_many_pesos_two_points_for_paying(tax):
    table = law_phase({"tax": str(tax)}, pesos=tax)
    assert (table.turn, table.moves) == ("yellow", ["pay tax", "refuse tax"])
    table.play("pay tax")
    assert (table.pesos("yellow"), table.points("yellow")) == (0, 2)


@pytest.mark.parametrize("tax", [1, 2, 3, 4, 5])
def test_tax_a_player_with_too_little_is_not_asked(tax):
    table = law_phase({"tax": str(tax)}, pesos=tax - 1)
    assert [table.points(colour) for colour in ORDER] == [0, 0, 0]
    assert table.phase != "tax"


def test_tax_may_be_refused():
    table = law_phase({"tax": "2"}, pesos=5).play("refuse tax")
    assert (table.pesos("yellow"), table.points("yellow"), table.turn) == (5, 0, "blue")


def test_tax_each_player_in_turn_order_from_the_start_player():
    table = law_phase({"tax": "2"}, pesos=5)
    asked = []
    while table.phase == "tax":
        asked.append(table.turn)
        table.play("pay tax")
    assert asked == ORDER


def test_tax_per_building_one_peso_for_each_own_building():
    table = law_phase({"tax": "buildings"}, pesos=5, built={"yellow": {5: "hotel", 6: "hostel"}, "blue": {5: "dam"}})
    table.play("pay tax", "pay tax")
    assert [table.pesos(colour) for colour in ORDER] == [3, 4, 5]
    assert [table.points(colour) for colour in ORDER] == [2, 2, 2]  # red paid nothing, unasked


def test_tax_of_nothing_is_paid_without_asking_and_counts_for_the_extra_point():
    table = law_phase({"tax": "buildings", "duty": "sugar"}, pesos=0, yard="1 sugar")
    assert (table.phase, table.turn) == ("duty", "yellow")
    table.play("pay duty")
    assert table.points("yellow") == 5


def test_tax_the_printed_warehouse_does_not_count():
    table = law_phase({"tax": "buildings"}, pesos=0)
    assert [table.points(colour) for colour in ORDER] == [2, 2, 2]


def test_tax_option_count_warehouse_counts_the_printed_warehouse():
    table = law_phase({"tax": "buildings"}, pesos=1, count_warehouse=True).play("pay tax")
    assert (table.pesos("yellow"), table.points("yellow")) == (0, 2)


# --- II: duties


@pytest.mark.parametrize("good", ["citrus", "sugar", "tobacco", "water"])
def test_duty_of_one_good_two_points_for_paying(good):
    table = law_phase({"duty": good}, yard=f"1 {good}")
    before = table.supply(good)
    assert (table.turn, table.moves) == ("yellow", ["pay duty", "refuse duty"])
    table.play("pay duty")
    assert (table.points("yellow"), table.yard("yellow"), table.supply(good)) == (2, "", before + 1)


@pytest.mark.parametrize("good", ["citrus", "sugar", "tobacco", "water"])
def test_duty_a_player_without_the_good_is_not_asked(good):
    others = {"citrus", "sugar", "tobacco", "water"} - {good}
    table = law_phase({"duty": good}, yard=" ".join(f"3 {other}" for other in others))
    assert table.phase != "duty"
    assert [table.points(colour) for colour in ORDER] == [0, 0, 0]


def test_duty_may_be_paid_from_the_warehouse():
    table = law_phase({"duty": "citrus"}, stored="1 citrus").play("pay duty")
    assert (table.points("yellow"), table.stored("yellow")) == (2, "")


def test_duty_is_paid_from_the_yard_first():
    table = law_phase({"duty": "citrus"}, stored="1 citrus", yard="1 citrus").play("pay duty")
    assert (table.yard("yellow"), table.stored("yellow")) == ("", "1 citrus")


def test_duty_of_two_materials_of_any_kind():
    table = law_phase({"duty": "materials"}, yard="2 wood 1 water 2 sugar")
    assert table.moves == ["pay duty wood wood", "pay duty wood water", "refuse duty"]
    table.play("pay duty wood water")
    assert (table.points("yellow"), table.yard("yellow")) == (2, "2 sugar 1 wood")
    assert table.refusal("pay duty") == "you choose the two goods for this duty; name them"
    assert table.refusal("pay duty water water") == "you have only 1 water"
    assert table.refusal("pay duty wood stone") == "you have no stone"
    assert table.refusal("pay duty sugar sugar") == "a different duty is in force: Duty of 2 materials"


def test_duty_of_two_crops_of_any_kind():
    table = law_phase({"duty": "crops"}, yard="1 sugar 3 wood", stored="1 sugar 1 tobacco")
    assert table.moves == ["pay duty sugar sugar", "pay duty sugar tobacco", "refuse duty"]
    table.play("pay duty sugar tobacco")
    assert (table.yard("yellow"), table.stored("yellow")) == ("3 wood", "1 sugar")


def test_duty_of_two_with_only_one_is_not_asked():
    assert law_phase({"duty": "crops"}, yard="1 sugar 5 rum").phase != "duty"
    assert law_phase({"duty": "materials"}, yard="1 wood 5 rum").phase != "duty"


def test_duty_may_be_refused():
    table = law_phase({"duty": "water"}, yard="1 water").play("refuse duty")
    assert (table.points("yellow"), table.yard("yellow"), table.turn) == (0, "1 water", "blue")


def test_who_pays_both_gets_the_extra_point_who_pays_one_does_not():
    table = law_phase({"tax": "2", "duty": "water"}, pesos=2, yard="1 water")
    table.play("pay tax", "pay tax", "refuse tax", "pay duty", "refuse duty", "pay duty")
    assert [table.points(colour) for colour in ORDER] == [5, 2, 2]


def test_first_all_taxes_then_all_duties():
    table = law_phase({}, pesos=2, yard="1 citrus")
    assert table.refusal("pay duty") == "first pay the tax, or decline to"
    table.play("pay tax", "pay tax", "pay tax")
    assert table.refusal("pay tax") == "first pay the duty, or decline to"


# --- III: subsidies


def points_of(table: Table) -> list[int]:
    return [table.points(colour) for colour in ORDER]


NO_TAX = {"tax": "5", "duty": "tobacco"}  # that nobody can pay


def test_no_subsidy_at_first():
    assert points_of(law_phase(NO_TAX)) == [0, 0, 0]


def test_subsidy_for_buildings():
    table = law_phase(NO_TAX | {"subsidy": "buildings"}, built={"blue": {5: "hotel", 6: "dam"}, "red": {7: "hostel"}})
    assert points_of(table) == [0, 2, 1]


def test_subsidy_for_buildings_with_the_option_counts_the_printed_warehouse():
    table = law_phase(NO_TAX | {"subsidy": "buildings"}, built={"blue": {5: "hotel"}}, count_warehouse=True)
    assert points_of(table) == [1, 2, 1]


def test_subsidy_for_material_fields_not_built_over():
    table = law_phase(NO_TAX | {"subsidy": "material fields"}, built={"blue": {2: "hotel", 5: "dam"}})
    assert points_of(table) == [5, 4, 5]  # two forests, two mountains, a lake


def test_subsidy_for_crop_fields_not_built_over():
    table = law_phase(NO_TAX | {"subsidy": "crop fields"}, built={"blue": {2: "hotel", 5: "dam"}})
    assert points_of(table) == [6, 5, 6]


def test_subsidy_for_water_at_most_seven():
    table = law_phase(NO_TAX | {"subsidy": "water"}, yard="3 water")
    assert points_of(table) == [3, 3, 3]
    assert table.yard("blue") == "3 water"  # nothing is paid for a subsidy
    table = law_phase(NO_TAX | {"subsidy": "water"}, yard="9 water")
    assert points_of(table) == [7, 7, 7]


def test_subsidy_for_votes_counts_only_the_card():
    table = law_phase(NO_TAX | {"subsidy": "votes"})
    assert points_of(table) == [4, 1, 1]


def test_subsidy_for_votes_counts_neither_town_hall_nor_bids():
    table = Table(3).everybody(pesos=0, yard="", points=0).seat("blue", built={6: "town hall"}, pesos=4)
    table.play("foreman", "use town hall").lay(law={"tax": "5", "duty": "tobacco", "subsidy": "votes"})
    table.to_parliament(blue="merchant").play("bid 3", "enact tax other")
    assert table.points("blue") == 2


def test_subsidy_for_pesos_one_for_each_three_at_most_seven():
    table = law_phase({"tax": "5", "duty": "tobacco", "subsidy": "pesos"}, pesos=4)
    assert points_of(table) == [1, 1, 1]
    table = law_phase({"tax": "1", "duty": "tobacco", "subsidy": "pesos"}, pesos=30)
    table.play("refuse tax", "pay tax", "pay tax")
    assert points_of(table) == [7, 9, 9]


def test_subsidies_are_counted_after_tax_and_duty():
    table = law_phase({"tax": "2", "duty": "tobacco", "subsidy": "pesos"}, pesos=4)
    table.play("pay tax", "refuse tax", "refuse tax")
    assert points_of(table) == [2, 1, 1]
    table = law_phase({"tax": "5", "duty": "water", "subsidy": "water"}, yard="2 water")
    table.play("pay duty", "refuse duty", "refuse duty")
    assert points_of(table) == [3, 2, 2]


# --- IV: other laws. Drought, building and harbour law: see worker, architect, mayor; corruption: see parliament.


def test_law_shortage_takes_two_of_each_crop_off_the_market():
    table = law_phase(NO_TAX | {"other": "shortage"})
    assert [table.market(good) for good in ("sugar", "citrus", "tobacco", "rum", "cigars")] == [1, 1, 1, 2, 2]


def test_law_shortage_takes_what_there_is():
    table = Table(3).everybody(pesos=0, yard="").lay(market="1 sugar 0 citrus 5 tobacco", law={"other": "shortage"})
    table.to_parliament().play("enact tax duty")
    assert [table.market(good) for good in ("sugar", "citrus", "tobacco")] == [0, 0, 3]


def test_law_surplus_brings_two_of_each_crop_onto_the_market():
    table = law_phase(NO_TAX | {"other": "surplus"})
    assert [table.market(good) for good in ("sugar", "citrus", "tobacco", "rum", "cigars")] == [5, 5, 5, 2, 2]


def test_law_surplus_as_far_as_spaces_and_supply_allow():
    table = Table(3).everybody(pesos=0, yard="").lay(market="4 sugar 5 citrus 0 tobacco", supply="1 tobacco")
    table.lay(law={"other": "surplus"}).to_parliament().play("enact tax duty")
    assert [table.market(good) for good in ("sugar", "citrus", "tobacco")] == [5, 5, 1]
    assert table.supply("tobacco") == 0


def test_a_market_law_acts_in_every_law_phase_while_it_is_in_force():
    table = law_phase(NO_TAX | {"other": "shortage"}).lay(market="5 sugar").chance()
    table.everybody(pesos=0, yard="").to_parliament().play("enact tax duty")
    assert table.market("sugar") == 3


def test_a_market_law_just_enacted_acts_at_once():
    proposals = ("tax 3", "duty water", "subsidy water", "other surplus")
    table = Table(3, proposals=proposals).everybody(pesos=0, yard="").to_parliament()
    table.play("enact tax other")
    assert table.market("sugar") == 5
