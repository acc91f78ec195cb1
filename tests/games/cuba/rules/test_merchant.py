"""The merchant (rulebook p. 7): prices, purchases, sales, and the two free picks."""

import pytest

from tests.games.cuba.table import Table, with_card


@pytest.mark.parametrize(("standing", "price"), [(0, 7), (1, 6), (2, 5), (3, 4), (4, 3), (5, 2)])
def test_buying_a_crop_costs_seven_less_the_units_standing(standing, price):
    table = with_card("merchant", pesos=20, market=f"{standing} sugar").play("buy sugar")
    assert (table.pesos(), table.yard()) == (20 - price, "1 sugar")
    assert table.market("sugar") == max(0, standing - 1)


@pytest.mark.parametrize(("standing", "price"), [(0, 7), (1, 6), (2, 5), (3, 4)])
def test_buying_a_ware_costs_seven_less_the_units_standing(standing, price):
    table = with_card("merchant", pesos=20, market=f"{standing} rum").play("buy rum")
    assert (table.pesos(), table.yard()) == (20 - price, "1 rum")


@pytest.mark.parametrize(("standing", "price"), [(0, 6), (1, 5), (2, 4), (3, 3), (4, 2), (5, 1)])
def test_selling_a_crop_pays_six_less_the_units_standing(standing, price):
    table = with_card("merchant", yard="2 sugar", market=f"{standing} sugar").play("sell sugar")
    assert (table.pesos(), table.yard()) == (price, "1 sugar")
    assert table.market("sugar") == min(5, standing + 1)


@pytest.mark.parametrize(("standing", "price"), [(0, 6), (1, 5), (2, 4), (3, 3)])
def test_selling_a_ware_pays_six_less_the_units_standing(standing, price):
    table = with_card("merchant", yard="2 cigars", market=f"{standing} cigars").play("sell cigars")
    assert table.pesos() == price
    assert table.market("cigars") == min(3, standing + 1)


def test_an_empty_track_sells_from_the_supply_for_seven():
    table = with_card("merchant", pesos=20, market="0 rum")
    before = table.supply("rum")
    table.play("buy rum", "buy rum")
    assert (table.pesos(), table.supply("rum"), table.market("rum")) == (6, before - 2, 0)


def test_a_full_track_buys_into_the_supply_crops_for_one_and_wares_for_three():
    table = with_card("merchant", yard="2 sugar 2 rum", market="5 sugar 3 rum")
    before = table.supply("sugar"), table.supply("rum")
    table.play("sell sugar", "sell sugar", "sell rum", "sell rum")
    assert table.pesos() == 1 + 1 + 3 + 3
    assert (table.supply("sugar"), table.supply("rum")) == (before[0] + 2, before[1] + 2)
    assert (table.market("sugar"), table.market("rum")) == (5, 3)


def test_nothing_on_the_market_and_nothing_in_the_supply_cannot_be_bought():
    table = with_card("merchant", pesos=20, market="0 rum", supply="0 rum")
    assert table.refusal("buy rum") == "the supply has no rum left"


def test_purchases_and_sales_in_any_number_and_order():
    table = with_card("merchant", pesos=10, yard="3 sugar")
    table.play("sell sugar", "buy rum", "sell sugar", "buy cigars", "sell sugar", "done")
    assert table.yard() == "1 rum 1 cigars"
    assert table.pesos() == 10 + 3 + 2 + 1 - 5 - 5


def test_a_kind_bought_this_turn_cannot_be_sold_this_turn():
    table = with_card("merchant", pesos=10, yard="1 sugar").play("buy sugar")
    assert table.refusal("sell sugar") == "you cannot sell a kind that you bought this turn (our ruling)"
    assert "buy sugar" in table.moves


def test_a_kind_sold_this_turn_cannot_be_bought_this_turn():
    table = with_card("merchant", pesos=10, yard="2 sugar").play("sell sugar")
    assert table.refusal("buy sugar") == "you cannot buy a kind that you sold this turn (our ruling)"
    assert "sell sugar" in table.moves


def to_merchant_in_the_next_round(table: Table) -> Table:
    """The others keep their workers, nobody builds or bids; then Blue, with a sugar and pesos, plays the merchant."""
    before = table.position.round_number
    table.to_parliament()
    while table.turn != "blue" or "merchant" not in table.moves:
        moves = table.moves
        table.play(next((move for move in ("done", "pass", "bid 0") if move in moves), moves[0]))
    assert table.position.round_number == before + 1
    return table.seat("blue", pesos=10, yard="1 sugar").play("merchant")


@pytest.mark.parametrize("first", ["sell sugar", "buy sugar"])
def test_a_kind_sold_or_bought_can_be_bought_and_sold_in_the_next_round(first):
    table = with_card("merchant", pesos=10, yard="2 sugar").play(first, "done")
    table = to_merchant_in_the_next_round(table)
    assert {"buy sugar", "sell sugar"} <= set(table.moves)
    second = "buy sugar" if first == "sell sugar" else "sell sugar"
    table.play(second)
    assert table.yard() == ("2 sugar" if second == "buy sugar" else "")


def test_crops_are_sold_from_the_yard_first():
    table = with_card("merchant", yard="1 sugar", stored="1 sugar").play("sell sugar")
    assert (table.yard(), table.stored()) == ("", "1 sugar")
    table.play("sell sugar")
    assert table.stored() == ""


def test_bought_goods_go_into_the_yard():
    table = with_card("merchant", pesos=10).play("buy citrus")
    assert (table.yard(), table.stored()) == ("1 citrus", "")


def test_too_dear():
    table = with_card("merchant", pesos=4)
    assert table.refusal("buy rum") == "you have 4 pesos; this costs 5 pesos"


def test_materials_are_not_traded():
    table = with_card("merchant", pesos=10, yard="3 wood 3 stone 3 water")
    assert not [
        move for move in table.moves if move.startswith(("buy", "sell")) and move.split()[1] in "wood stone water"
    ]


def test_alternative_any_material_for_nothing():
    for material in ("wood", "stone", "water"):
        table = with_card("merchant").play(f"pick {material}")
        assert (table.yard(), table.turn) == (f"1 {material}", "red")


def test_alternative_a_crop_with_the_lowest_price_for_nothing():
    table = with_card("merchant", market="3 sugar 4 citrus 2 tobacco")
    assert [move for move in table.moves if move in ("pick sugar", "pick citrus", "pick tobacco")] == ["pick citrus"]
    assert table.refusal("pick sugar") == "only a crop with the lowest price is free"
    before = table.supply("citrus")
    table.play("pick citrus")
    assert (table.yard(), table.market("citrus"), table.supply("citrus")) == ("1 citrus", 4, before - 1)


def test_alternative_the_player_chooses_among_equally_cheap_crops():
    table = with_card("merchant", market="4 sugar 4 citrus 2 tobacco")
    assert {"pick sugar", "pick citrus"} <= set(table.moves)
    assert "pick tobacco" not in table.moves


def test_alternatives_each_only_once_a_round():
    table = with_card("merchant").play("pick wood", "merchant")
    assert table.refusal("pick stone") == "the free material has already been taken this round"
    table.play("pick sugar", "merchant")
    assert table.turn == "blue"  # yellow had no money, no goods and no pick left
    assert "idle" in table.happened


def test_alternative_crop_taken():
    table = with_card("merchant").play("pick sugar", "merchant")
    assert table.refusal("pick sugar") == "the free crop has already been taken this round"
    assert table.moves == ["pick wood", "pick stone", "pick water", "done"]


def test_alternative_is_instead_of_trading():
    table = with_card("merchant", pesos=10).play("buy sugar")
    assert table.refusal("pick wood") == "you take a free good instead of trading, not in addition"


def test_alternative_needs_something_in_the_supply():
    table = with_card("merchant", supply="0 wood 0 sugar")
    assert table.refusal("pick wood") == "the supply has no wood left"
    assert table.refusal("pick sugar") == "the supply has no sugar cane left"


def test_a_merchant_may_do_nothing():
    table = with_card("merchant").play("done")
    assert table.turn == "red"
    assert table.position.material_picked == table.position.crop_picked == 0


def test_what_one_does_not_have_cannot_be_sold():
    assert with_card("merchant").refusal("sell rum") == "you have no rum"


def test_first_the_merchant_must_end():
    assert with_card("merchant").refusal("worker") == "finish the Merchant’s trading first"
