"""The Cubans who simply give (rulebook p. 4), short supply, and Pablo the fence."""

import pytest

from tests.games.santiago.table import Table


def bare() -> Table:
    """Nobody has anything, but Red the money to drive anywhere."""
    return Table().everybody(pesos=0, points=0, goods="").seat("red", pesos=9)


@pytest.mark.parametrize(
    ("cuban", "goods"),
    [("pedro", "2 tobacco"), ("jose", "2 sugar"), ("conchita", "2 citrus"), ("miguel", "2 wood")],
)
def test_a_merchant_gives_two_of_their_good_from_the_supply(cuban, goods):
    table = bare().drive_to(cuban)
    assert table.goods("red") == goods
    assert table.supply(goods.split()[1]) == 6


def test_maria_the_dancer_gives_two_points():
    table = bare().drive_to("maria")
    assert table.points("red") == 2
    assert table.goods("red") == ""


def test_martinez_the_musician_gives_three_pesos():
    table = bare().seat("red", pesos=3).drive_to("martinez")
    assert table.pesos("red") == 3  # the drive cost the 3 they had
    assert table.points("red") == 0


def test_nobody_else_receives_anything():
    table = Table().seat("red", pesos=9)
    before = [(table.pesos(c), table.points(c), table.goods(c)) for c in ("blue", "yellow")]
    table.drive_to("maria")
    assert [(table.pesos(c), table.points(c), table.goods(c)) for c in ("blue", "yellow")] == before


@pytest.mark.parametrize("cuban", ["pedro", "maria", "jose", "martinez", "conchita", "miguel"])
def test_a_pure_gain_is_taken_at_once_without_asking(cuban):
    table = bare().drive_to(cuban)
    assert (table.phase, table.turn) == ("visit", "red")


@pytest.mark.parametrize(
    ("cuban", "good"), [("pedro", "tobacco"), ("jose", "sugar"), ("conchita", "citrus"), ("miguel", "wood")]
)
def test_short_supply_gives_what_is_left(cuban, good):
    table = bare().seat("blue", goods=f"7 {good}").drive_to(cuban)
    assert table.goods("red") == f"1 {good}"
    assert table.supply(good) == 0


@pytest.mark.parametrize(
    ("cuban", "good"), [("pedro", "tobacco"), ("jose", "sugar"), ("conchita", "citrus"), ("miguel", "wood")]
)
def test_nobody_receives_goods_that_have_run_out(cuban, good):
    table = bare().seat("blue", goods=f"8 {good}").drive_to(cuban)
    assert table.goods("red") == ""
    assert table.goods("blue") == f"8 {good}"
    assert table.phase == "visit"  # the piece still moves


def test_pesos_and_points_never_run_out():
    table = Table(white="bank").everybody(pesos=500, points=500)
    assert table.drive_to("maria").points("red") == 502
    table = Table(white="bank").everybody(pesos=500, points=500)
    assert table.drive_to("martinez").pesos("red") == 500 - 3 + 3


# --- Pablo the fence


def test_pablo_gives_one_good_of_choice_from_the_supply_but_no_wood():
    table = bare().drive_to("pablo")
    assert table.phase == "pablo"
    assert table.moves == ["take sugar", "take citrus", "take tobacco", "take rum", "take cigars"]
    table.play("take cigars")
    assert table.goods("red") == "1 cigars"
    assert table.supply("cigars") == 7
    assert table.phase == "visit"


def test_pablo_gives_only_what_is_in_supply():
    table = bare().seat("blue", goods="8 rum 8 sugar").drive_to("pablo")
    assert table.moves == ["take citrus", "take tobacco", "take cigars"]
    assert table.refusal("take rum") == "the supply has no rum left"
    assert table.refusal("take sugar") == "the supply has no sugar cane left"


def test_pablo_gives_the_last_one_in_supply():
    table = bare().seat("blue", goods="7 sugar 8 citrus 8 tobacco 8 rum 8 cigars").drive_to("pablo")
    assert table.moves == ["take sugar"]
    table.play("take sugar")
    assert (table.goods("red"), table.supply("sugar")) == ("1 sugar", 0)


def test_pablo_takes_no_pass_for_an_answer():
    assert bare().drive_to("pablo").refusal("pass") == "choose a good from Pablo first"


def test_with_pablo_and_nothing_in_supply_nothing_happens():
    table = bare().seat("blue", goods="8 sugar 8 citrus 8 tobacco 8 rum 8 cigars").drive_to("pablo")
    assert table.goods("red") == ""
    assert (table.phase, table.turn) == ("visit", "red")
    assert table.supply("wood") == 8  # there was wood, but Pablo deals in none
