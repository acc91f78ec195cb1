"""Distillery, cigar factory, black market, sawmill, café and casino (rulebook pp. 6 and 7)."""

import pytest

from tests.games.santiago.table import COLOURS, Table, in_building

# --- distillery and cigar factory

MAKERS = [("distillery", "sugar", "rum"), ("factory", "tobacco", "cigars")]


@pytest.mark.parametrize(("building", "raw", "ware"), MAKERS)
def test_any_amount_is_traded_for_the_same_amount(building, raw, ware):
    for made in (1, 2, 3, 4):
        table = in_building(building, goods=f"4 {raw}")
        assert table.moves == [f"make {n} {ware}" for n in (1, 2, 3, 4)] + ["pass"]
        table.play(f"make {made} {ware}")
        assert table.goods("red") == " ".join([f"{4 - made} {raw}"] * (made < 4) + [f"{made} {ware}"])
        assert (table.supply(raw), table.supply(ware)) == (8 - 4 + made, 8 - made)


@pytest.mark.parametrize(("building", "raw", "ware"), MAKERS)
def test_the_supply_limits_what_is_made(building, raw, ware):
    table = in_building(building, goods=f"4 {raw} 6 {ware}")
    assert table.moves == [f"make 1 {ware}", f"make 2 {ware}", "pass"]
    assert table.refusal(f"make 3 {ware}") in (
        "the supply has only 2 rum left",
        "the supply has only 2 cigars left",
    )


@pytest.mark.parametrize(("building", "raw", "ware"), MAKERS)
def test_what_the_player_holds_limits_what_is_made(building, raw, ware):
    table = in_building(building, goods=f"1 {raw}")
    assert table.moves == [f"make 1 {ware}", "pass"]
    assert table.refusal(f"make 2 {ware}") in ("you have only 1 sugar cane", "you have only 1 tobacco")


@pytest.mark.parametrize(("building", "raw", "ware"), MAKERS)
def test_nothing_is_made_of_nothing(building, raw, ware):
    table = in_building(building, goods=f"2 {ware} 2 wood")
    assert (table.phase, table.turn) == ("drive", "blue")


@pytest.mark.parametrize(("building", "raw", "ware"), MAKERS)
def test_nothing_is_made_when_the_supply_has_run_out(building, raw, ware):
    table = in_building(building, goods=f"3 {raw} 8 {ware}")
    assert (table.phase, table.turn) == ("drive", "blue")


@pytest.mark.parametrize(("building", "raw", "ware"), MAKERS)
def test_all_eight_can_be_made_at_once(building, raw, ware):
    table = in_building(building, goods=f"8 {raw}").play(f"make 8 {ware}")
    assert table.goods("red") == f"8 {ware}"
    assert (table.supply(raw), table.supply(ware)) == (8, 0)


def test_rum_and_cigars_cannot_be_turned_back():
    assert in_building("distillery", goods="1 rum").turn == "blue"
    assert in_building("factory", goods="1 cigars").turn == "blue"


# --- black market


def test_the_black_market_trades_one_good_for_one_of_another_kind():
    table = in_building("market", goods="2 rum")
    assert table.moves == ["swap rum sugar", "swap rum citrus", "swap rum tobacco", "swap rum cigars", "pass"]
    table.play("swap rum citrus")
    assert table.goods("red") == "1 citrus 1 rum"
    assert (table.supply("rum"), table.supply("citrus")) == (7, 7)
    assert table.turn == "blue"  # only one


@pytest.mark.parametrize("given", ["sugar", "citrus", "tobacco", "rum", "cigars"])
@pytest.mark.parametrize("taken", ["sugar", "citrus", "tobacco", "rum", "cigars"])
def test_any_good_can_be_traded_for_any_other_kind(given, taken):
    table = in_building("market", goods=f"1 {given}")
    if given == taken:
        assert f"swap {given} {taken}" not in table.moves
    else:
        assert table.play(f"swap {given} {taken}").goods("red") == f"1 {taken}"
        assert (table.supply(given), table.supply(taken)) == (8, 7)


def test_the_black_market_takes_no_wood():
    assert in_building("market", goods="5 wood").turn == "blue"  # nothing to trade
    assert not [move for move in in_building("market", goods="5 wood 1 rum").moves if "wood" in move]


def test_the_black_market_gives_no_wood():
    assert not [move for move in in_building("market", goods="1 rum").moves if "wood" in move]


def test_the_black_market_gives_only_what_is_in_supply():
    table = in_building("market", goods="1 rum 8 citrus")
    assert "swap rum citrus" not in table.moves
    assert table.refusal("swap rum citrus") == "the supply has no citrus fruit left"
    assert table.refusal("swap sugar rum") == "you have no sugar cane"


def test_the_last_one_in_supply_can_be_had_at_the_black_market():
    table = in_building("market", goods="1 rum 7 citrus").play("swap rum citrus")
    assert (table.goods("red"), table.supply("citrus")) == ("8 citrus", 0)


def test_the_good_just_given_is_no_reason_that_its_kind_is_in_supply():
    table = in_building("market", goods="8 sugar 8 citrus 8 tobacco 8 rum 8 cigars")
    assert table.turn == "blue"  # nothing of any kind is in supply


# --- sawmill


def test_the_sawmill_trades_one_wood_for_one_point_and_one_peso():
    table = in_building("sawmill", goods="3 wood")
    assert table.moves == ["use sawmill", "pass"]
    table.play("use sawmill")
    assert (table.goods("red"), table.points("red"), table.pesos("red")) == ("2 wood", 1, 1)
    assert table.supply("wood") == 6
    assert table.turn == "blue"  # only one


def test_the_sawmill_needs_wood():
    assert in_building("sawmill", goods="3 rum").turn == "blue"


# --- café


def test_the_cafe_gives_two_points_for_one_rum():
    table = in_building("cafe", goods="3 rum")
    assert table.moves == ["serve rum", "pass"]
    table.play("serve rum")
    assert (table.goods("red"), table.points("red"), table.supply("rum")) == ("2 rum", 2, 6)


def test_the_cafe_gives_two_points_for_one_cigar():
    table = in_building("cafe", goods="2 cigars")
    assert table.moves == ["serve cigars", "pass"]
    table.play("serve cigars")
    assert (table.goods("red"), table.points("red"), table.supply("cigars")) == ("1 cigars", 2, 7)


def test_example_the_cafe_gives_up_to_four_points_for_one_rum_and_one_cigar():
    table = in_building("cafe", goods="1 rum 1 cigars")
    assert table.moves == ["serve rum", "serve cigars", "serve rum cigars", "pass"]
    table.play("serve rum cigars")
    assert (table.goods("red"), table.points("red")) == ("", 4)


def test_example_two_rum_or_two_cigars_are_not_possible_at_the_cafe():
    table = in_building("cafe", goods="2 rum").play("serve rum")
    assert (table.goods("red"), table.points("red"), table.turn) == ("1 rum", 2, "blue")
    table = in_building("cafe", goods="2 cigars").play("serve cigars")
    assert (table.goods("red"), table.points("red"), table.turn) == ("1 cigars", 2, "blue")


def test_the_cafe_takes_nothing_but_rum_and_cigars():
    assert in_building("cafe", goods="2 sugar 2 citrus 2 tobacco 2 wood").turn == "blue"


def test_the_cafe_refuses_what_the_player_does_not_have():
    table = in_building("cafe", goods="1 rum")
    assert table.refusal("serve cigars") == "you have no cigars"
    assert table.refusal("serve rum cigars") == "you have no cigars"
    table = in_building("cafe", goods="1 cigars")
    assert table.refusal("serve rum") == "you have no rum"
    assert table.refusal("serve rum cigars") == "you have no rum"


# --- casino


def test_the_casino_gives_one_point_for_every_three_pesos():
    for bought in (1, 2):
        table = in_building("casino", pesos=8)
        assert table.moves == ["buy 1 points", "buy 2 points", "pass"]
        table.play(f"buy {bought} points")
        assert (table.pesos("red"), table.points("red")) == (8 - 3 * bought, bought)


def test_the_casino_gives_three_pesos_for_every_point():
    for sold in (1, 2, 3):
        table = in_building("casino", points=3)
        assert table.moves == ["sell 1 points", "sell 2 points", "sell 3 points", "pass"]
        table.play(f"sell {sold} points")
        assert (table.pesos("red"), table.points("red")) == (3 * sold, 3 - sold)


def test_only_one_direction_in_one_use_of_the_casino():
    table = in_building("casino", pesos=6, points=2).play("sell 1 points")
    assert (table.phase, table.turn) == ("drive", "blue")


def test_with_two_pesos_and_no_points_the_casino_offers_nothing():
    assert in_building("casino", pesos=2).turn == "blue"


def test_the_casino_refuses_what_the_player_cannot_pay():
    table = in_building("casino", pesos=5, points=1)
    assert table.refusal("buy 2 points") == "you have 5 pesos; this costs 6 pesos"
    assert table.refusal("sell 2 points") == "you have only 1 point"


def test_the_casino_exchanges_at_most_99_points_at_once():
    table = in_building("casino", pesos=1000, points=1000)
    assert len(table.moves) == 99 + 99 + 1
    table.play("buy 99 points")
    assert (table.pesos("red"), table.points("red")) == (1000 - 297, 1099)


def test_the_longest_list_of_moves_fits():
    table = Table().lay(car="pablo").seat("red", pesos=1000, points=1000, owns="casino market", goods="8 rum")
    table.seat("red", goods="1 sugar 1 citrus 1 tobacco 1 rum 1 cigars").play("drive 1")
    assert len(table.moves) == 99 + 99 + 20 + 10 + 1 <= table.match.game.most_legal


def test_nothing_a_building_does_touches_the_other_players():
    for building, has in [("market", {"goods": "1 rum"}), ("cafe", {"goods": "1 rum"}), ("casino", {"pesos": 3})]:
        table = in_building(building, **has)
        table.play(table.moves[0])
        assert [(table.pesos(c), table.points(c), table.goods(c)) for c in COLOURS[1:3]] == [(0, 0, "")] * 2
