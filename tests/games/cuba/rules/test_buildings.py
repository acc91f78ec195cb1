"""Every building and what it does (rulebook pp. 13 to 15)."""

import pytest

from malecon.games.cuba import tiles
from tests.games.cuba.table import SHIPS, Table, with_card


def using(building: str, **has) -> Table:
    """Blue's foreman may use the building, and nothing else but the warehouse."""
    return with_card("foreman", figure=6, built={6: building}, **has)


def uses(table: Table) -> list[str]:
    return [move for move in table.moves if move not in ("done", "store")]


# --- victory points


@pytest.mark.parametrize(
    ("building", "verb", "good"),
    [("cement works", "grind", "stone"), ("sawmill", "saw", "wood"), ("golf course", "sprinkle", "water")],
)
def test_cement_works_sawmill_and_golf_course_turn_up_to_four_materials_into_a_point_each(building, verb, good):
    table = using(building, yard=f"6 {good}")
    assert uses(table) == [f"{verb} {n} {good}" for n in (1, 2, 3, 4)]
    before = table.supply(good)
    table.play(f"{verb} 4 {good}")
    assert (table.points(), table.yard(), table.supply(good)) == (4, f"2 {good}", before + 4)
    table = using(building, yard=f"2 {good} 1 sugar")
    assert uses(table) == [f"{verb} {n} {good}" for n in (1, 2)]
    assert table.refusal(f"{verb} 3 {good}") == f"you have only 2 {good}"


def test_monastery_turns_up_to_two_crops_into_a_point_each():
    table = using("monastery", yard="1 sugar 1 tobacco", stored="1 tobacco")
    assert uses(table) == [
        *("donate sugar", "donate tobacco", "donate sugar tobacco", "donate tobacco tobacco"),
    ]
    table.play("donate tobacco tobacco")
    assert (table.points(), table.yard(), table.stored()) == (2, "1 sugar", "")


def test_monastery_one_crop():
    table = using("monastery", yard="1 sugar").play("donate sugar")
    assert table.points() == 1
    table = using("monastery", yard="1 sugar")
    assert table.refusal("donate sugar sugar") == "you have only 1 sugar cane"
    assert table.refusal("donate sugar citrus") == "you have no citrus fruit"
    assert table.refusal("donate tobacco") == "you have no tobacco"


@pytest.mark.parametrize(("building", "ware"), [("rum cafe", "rum"), ("cigar cafe", "cigars")])
def test_a_cafe_turns_up_to_three_of_its_ware_into_two_points_each(building, ware):
    table = using(building, yard=f"4 {ware}")
    assert uses(table) == [f"serve {n} {ware}" for n in (1, 2, 3)]
    table.play(f"serve 3 {ware}")
    assert (table.points(), table.yard()) == (6, f"1 {ware}")


def test_a_cafe_serves_only_its_own_ware():
    table = using("rum cafe", yard="2 cigars 1 sugar")
    assert uses(table) == []
    assert table.refusal("serve 1 cigars") == "you do not have the Cigar café"


def test_small_office_brings_one_trade_good_onto_a_ship_with_its_points():
    table = using("small office", yard="1 sugar 1 rum", stored="1 citrus")
    assert uses(table) == [
        "consign 1 sugar",
        "consign 1 citrus",
        "consign 2 sugar",
        "consign 2 citrus",
        "consign 2 rum",
    ]
    table.play("consign 2 rum")
    assert (table.points(), table.cargo(2), table.yard()) == (2, "1 rum", "1 sugar")


def test_small_office_needs_a_free_space_and_the_good():
    table = using("small office", yard="1 sugar", berths={2: "sctrr with 1 sugar"})
    assert table.refusal("consign 2 sugar") == "this ship has no room left for sugar cane"
    assert table.refusal("consign 2 rum") == "you have no rum"
    assert table.refusal("consign 3 rum") == "there is no ship at berth 3"
    assert table.refusal("consign 1 rum") == "this ship does not take rum"


def test_large_office_brings_up_to_two_of_the_same_kind_onto_a_ship():
    table = using("large office", yard="2 citrus 1 cigars")
    assert uses(table) == [
        *("dispatch 1 citrus", "dispatch 1 cigars", "dispatch 2 citrus", "dispatch 2 cigars"),
        "dispatch 1 citrus citrus",
    ]
    table.play("dispatch 1 citrus citrus")
    assert (table.points(), table.cargo(1), table.yard()) == (2, "2 citrus", "1 cigars")


def test_large_office_may_bring_one():
    table = using("large office", yard="2 citrus").play("dispatch 2 citrus")
    assert (table.points(), table.cargo(2), table.yard()) == (2, "1 citrus", "1 citrus")


def test_large_office_two_need_two_spaces_and_two_goods():
    table = using("large office", yard="1 cigars 2 citrus")
    assert table.refusal("dispatch 2 citrus citrus") == "this ship has room only for 1 citrus fruit"
    assert table.refusal("dispatch 1 cigars cigars") == "you have only 1 cigar"


def test_hotel_two_points():
    assert using("hotel").play("use hotel").points() == 2


def test_hostel_one_point():
    assert using("hostel").play("use hostel").points() == 1


# --- sources of money


def test_ware_shop_sells_one_ware_for_six_pesos():
    table = using("ware shop", yard="2 rum 1 cigars")
    assert uses(table) == ["vend rum", "vend cigars"]
    table.play("vend rum")
    assert (table.pesos(), table.yard()) == (6, "1 rum 1 cigars")
    table = using("ware shop", yard="2 rum 1 sugar")
    assert table.refusal("vend cigars") == "you have no cigars"
    assert table.refusal("vend sugar") == "you do not have the Farm shop"


def test_crop_shop_sells_one_crop_for_four_pesos():
    table = using("crop shop", stored="1 citrus")
    assert uses(table) == ["vend citrus"]
    table.play("vend citrus")
    assert (table.pesos(), table.stored()) == (4, "")
    table = using("crop shop", yard="1 sugar")
    assert table.refusal("vend citrus") == "you have no citrus fruit"


def test_material_shop_sells_up_to_two_materials_for_two_pesos_each():
    table = using("material shop", yard="2 wood 1 water")
    assert uses(table) == ["vend wood", "vend water", "vend wood wood", "vend wood water"]
    table.play("vend wood water")
    assert (table.pesos(), table.yard()) == (4, "1 wood")
    assert using("material shop", yard="1 stone").play("vend stone").pesos() == 2
    assert using("material shop", yard="1 stone").refusal("vend wood stone") == "you have no wood"


def test_small_bank_two_pesos():
    assert using("small bank").play("use small bank").pesos() == 2


def test_large_bank_four_pesos():
    assert using("large bank").play("use large bank").pesos() == 4


# --- factories and black market


def test_black_market_turns_one_trade_good_into_another():
    table = using("black market", yard="1 sugar", stored="1 tobacco")
    assert uses(table) == [
        *("swap sugar citrus", "swap sugar tobacco", "swap sugar rum", "swap sugar cigars"),
        *("swap tobacco sugar", "swap tobacco citrus", "swap tobacco rum", "swap tobacco cigars"),
    ]
    table.play("swap tobacco cigars")
    assert (table.yard(), table.stored()) == ("1 sugar 1 cigars", "")


def test_black_market_takes_from_the_supply_and_gives_to_it():
    table = using("black market", yard="1 rum", supply="0 cigars")
    assert "swap rum cigars" not in table.moves
    assert table.refusal("swap rum cigars") == "the supply has no cigars left"
    assert table.refusal("swap sugar rum") == "you have no sugar cane"
    before = table.supply("rum"), table.supply("sugar")
    table.play("swap rum sugar")
    assert (table.supply("rum"), table.supply("sugar")) == (before[0] + 1, before[1] - 1)


@pytest.mark.parametrize(
    ("building", "crop", "ware"), [("cigar factory", "tobacco", "cigars"), ("distillery", "sugar", "rum")]
)
def test_a_factory_turns_any_number_of_its_crop_into_its_ware(building, crop, ware):
    table = using(building, yard=f"2 {crop}", stored=f"2 {crop}")
    assert uses(table) == [f"make {n} {ware}" for n in (1, 2, 3, 4)]
    table.play(f"make 3 {ware}")
    assert (table.yard(), table.stored()) == (f"3 {ware}", f"1 {crop}")


@pytest.mark.parametrize(
    ("building", "crop", "ware"), [("cigar factory", "tobacco", "cigars"), ("distillery", "sugar", "rum")]
)
def test_a_factory_makes_no_more_than_the_supply_has(building, crop, ware):
    table = using(building, yard=f"5 {crop}", supply=f"2 {ware}")
    assert uses(table) == [f"make {n} {ware}" for n in (1, 2)]
    assert table.refusal(f"make 3 {ware}").startswith("the supply has only 2 ")
    table = using(building, yard=f"1 {crop}")
    assert table.refusal(f"make 2 {ware}").startswith("you have only 1 ")


# --- power


def test_church_removes_one_proposal_now():
    table = using("church")
    assert uses(table) == ["veto tax", "veto duty", "veto subsidy", "veto other"]
    table.play("veto duty")
    assert table.proposal("duty") is None
    assert table.law("duty") == "citrus"  # the law in force is not touched
    assert [table.proposal(group) for group in ("tax", "subsidy", "other")] == ["3", "water", "harbour"]


def test_church_not_the_group_vetoed_in_the_round_before():
    table = Table().everybody(yard="").seat("blue", built={6: "church"})
    table.position.vetoed_before = tiles.GROUP_KEYS.index("tax")
    table.play("foreman")
    assert uses(table) == ["veto duty", "veto subsidy", "veto other"]
    assert table.refusal("veto tax") == "you vetoed this group in the previous round: tax"


def test_church_a_group_is_safe_for_one_round_only():
    table = using("church").play("veto tax")
    assert table.position.vetoed == 0
    table.to_parliament().everybody(pesos=0)
    end_round(table)
    assert (table.position.vetoed_before, table.position.vetoed) == (0, -1)
    table.to_parliament().everybody(pesos=0)
    end_round(table)
    assert table.position.vetoed_before == -1


def end_round(table: Table) -> None:
    while table.position.round_number == (before := table.position.round_number) and table.phase != "card":
        table.play(table.moves[0])
        if table.position.round_number != before:
            break
    table.chance()


def test_church_leaves_three_proposals_for_parliament():
    table = using("church").play("veto duty").everybody(pesos=0).to_parliament(blue="mayor")
    assert table.moves == ["enact tax subsidy", "enact tax other", "enact subsidy other"]
    assert table.refusal("enact tax duty") == "this group’s proposal has been vetoed: duty"


def test_town_hall_two_votes_this_round():
    table = using("town hall").play("use town hall").everybody(pesos=0).to_parliament(blue="merchant", red="architect")
    assert table.position.votes[:3].tolist() == [4, 3, 1]
    assert table.turn == "blue"


def test_town_hall_unused_gives_nothing():
    table = using("town hall").play("done").everybody(pesos=0).to_parliament(blue="merchant", red="architect")
    assert table.turn == "red"


def test_dam_two_water():
    assert using("dam").play("use dam").yard() == "2 water"
    assert using("dam", supply="1 water").play("use dam").yard() == "1 water"
    table = using("dam", supply="0 water", yard="1 sugar")
    assert table.refusal("use dam") == "the supply has no water left"


def test_lighthouse_takes_any_card_of_the_deck_for_the_one_on_the_high_sea():
    table = using("lighthouse")
    assert len(uses(table)) == 12
    assert table.refusal(f"call {SHIPS[0]}") == "this ship is not in the deck"
    table.play("call sstzz")
    assert table.ship(0) == "sstzz"
    assert SHIPS[2] in table.unseen
    assert len(table.unseen) == 12


def test_lighthouse_the_deck_is_shuffled_so_no_order_is_known_any_more():
    table = with_card("worker", built={6: "lighthouse"})
    table.position.queued = 2
    for place, name in enumerate(("sscrr", "ccsrr")):
        table.position.queue[place] = tiles.SHIP_KEYS.index(name)
        table.position.unseen_ships ^= 1 << int(table.position.queue[place])
    table.position.phase = 6  # a card
    table.play("foreman")
    assert "call sscrr" in table.moves
    table.play("call ccsrr")
    assert table.queue == []
    assert {"sscrr", SHIPS[2]} <= table.unseen
    assert "ccsrr" not in table.unseen


def test_warehouse_stores_all_crops():
    table = with_card("foreman", figure=12, built={12: "warehouse"}, yard="1 sugar 2 tobacco 1 rum").play("store")
    assert (table.stored(), table.yard()) == ("1 sugar 2 tobacco", "1 rum")


@pytest.mark.parametrize("building", tiles.BUILDING_KEYS)
def test_every_building_is_used_by_moves_of_its_own(building):
    everything = "4 sugar 4 citrus 4 tobacco 4 rum 4 cigars 4 wood 4 stone 4 water"
    table = using(building, yard=everything)
    for move in uses(table) or ["store"]:
        other = using(building, yard=everything).play(move)
        assert "used" in other.happened
