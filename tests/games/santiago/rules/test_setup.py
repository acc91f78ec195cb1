"""Setup (rulebook pp. 2 and 3): the tiles, the starting capital, the first demand."""

import itertools

import pytest

import malecon
from malecon.games.santiago import tiles
from malecon.match import Match
from tests.games.santiago.table import COLOURS, STREET, Table


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_to_four_can_play(players):
    table = Table(players)
    assert table.phase == "drive"
    assert table.match.players == players


@pytest.mark.parametrize("players", [0, 1, 5])
def test_fewer_than_two_or_more_than_four_cannot(players):
    with pytest.raises(malecon.BadSetup, match=f"Santiago de Cuba is for 2 to 4 players, not {players}"):
        Match("santiago", players)


def test_any_building_may_come_to_any_site_and_each_lies_once():
    match = Match("santiago", 3)
    for building in reversed(tiles.BUILDING_KEYS):
        assert match.turn == malecon.CHANCE
        match.push(f"place {building}")
        assert f"place {building}" not in match.legal_moves
    assert match.position.building_at.tolist() == list(reversed(range(12)))


def test_chance_draws_each_building_not_yet_placed_with_the_same_probability():
    match = Match("santiago", 3)
    assert len(match.legal_moves) == 12
    match.push("place casino")
    assert sorted(map(str, match.legal_moves)) == sorted(f"place {b}" for b in tiles.BUILDING_KEYS if b != "casino")


def test_three_sites_lie_under_each_flower():
    table = Table(white="bank church cafe", yellow="casino office market").lay(car="alonso")
    table.seat("red", pesos=9)
    assert table.drive_to("pedro").moves == ["visit bank", "visit church", "visit cafe"]
    table = Table(white="bank church cafe", yellow="casino office market")
    table.seat("red", pesos=9)
    assert table.drive_to("jose").moves == ["visit casino", "visit office", "visit market"]


def test_the_nine_cubans_are_placed_at_random_each_once():
    match = Match("santiago", 3)
    for building in tiles.BUILDING_KEYS:
        match.push(f"place {building}")
    assert sorted(map(str, match.legal_moves)) == sorted(f"place {cuban}" for cuban in STREET)
    for left, cuban in zip(range(9, 0, -1), reversed(STREET), strict=True):
        assert len(match.legal_moves) == left
        match.push(f"place {cuban}")
        assert f"place {cuban}" not in match.legal_moves
    assert match.phase == "choose starter"


def test_the_street_is_nine_cuban_stops_then_the_port():
    table = Table().everybody(pesos=0)
    passed = []
    for _ in range(11):
        while table.phase != "drive":
            table.play("pass" if "pass" in table.moves else table.moves[-1])
        table.play("drive 1")
        passed.append(table.car)
    assert passed == [*STREET, "port", STREET[0]]


def test_the_car_starts_at_the_port():
    assert Table().car == "port"


def test_the_first_ship_is_in_port_and_the_marker_on_two():
    table = Table()
    assert (table.ship, table.value) == (1, 2)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_example_the_red_player_receives_three_pesos_two_points_and_three_goods(players):
    table = Table(players)
    for colour in COLOURS[:players]:
        assert table.pesos(colour) == 3
        assert table.points(colour) == 2
        assert table.goods(colour) == "1 sugar 1 citrus 1 tobacco"
        assert table.markers(colour) == 3
        assert table.piece(colour) is None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_are_eight_of_each_good_so_the_players_leave_the_rest_in_the_supply(players):
    table = Table(players)
    assert [table.supply(good) for good in ("sugar", "citrus", "tobacco")] == [8 - players] * 3
    assert [table.supply(good) for good in ("rum", "cigars", "wood")] == [8, 8, 8]


def test_nobody_owns_a_building_at_the_start_and_every_cuban_is_face_up():
    table = Table()
    assert all(table.owner(building) is None for building in tiles.BUILDING_KEYS)
    assert table.face_down == ""


def test_the_flowers_of_the_cubans():
    expected = {
        "pedro": "white",
        "alonso": "white",
        "jose": "yellow",
        "conchita": "yellow",
        "miguel": "blue",
        "martinez": "blue",
        "maria": "red",
        "pablo": "red",
    }
    under = {"white": "bank", "yellow": "church", "blue": "newspaper", "red": "harbormaster"}
    for cuban, flower in expected.items():
        table = Table(**under).seat("red", pesos=9).drive_to(cuban)
        if cuban == "pablo":
            table.play("take rum")
        if cuban == "alonso":
            table.play("pass")
        for other, building in under.items():
            assert (f"visit {building}" in table.moves) == (other == flower), (cuban, building)


def test_el_zorro_has_no_flower():
    table = Table().everybody(pesos=0, points=0, goods="").lay(car="conchita").seat("red", on="bank")
    table.play("drive 1")
    assert table.phase == "use"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_player_can_become_the_starting_player(players):
    match = Match("santiago", players)
    for tile in (*tiles.BUILDING_KEYS, *STREET):
        match.push(f"place {tile}")
    assert list(map(str, match.legal_moves)) == [f"starter {colour}" for colour in COLOURS[:players]]


@pytest.mark.parametrize(("players", "starter"), [(p, s) for p in (2, 3, 4) for s in COLOURS[:p]])
def test_the_last_in_turn_order_sets_the_first_demand_and_the_starter_begins(players, starter):
    table = Table(players, starter=starter, dice=None)
    assert table.turn == "chance"
    table.roll("1 4 2 3 1b")
    right_of_starter = COLOURS[(COLOURS.index(starter) - 1) % players]
    assert (table.phase, table.turn) == ("demand", right_of_starter)
    table.play("leave rum")
    assert (table.phase, table.turn) == ("drive", starter)


def test_turns_go_clockwise():
    table = Table(4, starter="yellow").everybody(pesos=0)
    turns = []
    for _ in range(5):
        turns.append(table.turn)
        table.play("drive 1")
        while table.phase != "drive":
            table.play("pass" if "pass" in table.moves else table.moves[-1])
    assert turns == ["yellow", "green", "red", "blue", "yellow"]


@pytest.mark.parametrize("good", ["sugar", "tobacco", "rum", "cigars"])
def test_a_die_shows_0_1_1_2_2_3(good):
    table = Table(dice=None)
    while f"roll {good} 0" not in table.moves:
        table.play(table.moves[0])
    assert table.moves == [f"roll {good} {face}" for face in ("0", "1", "1b", "2", "2b", "3")]


def test_the_orange_die_shows_a_four_instead_of_the_second_one():
    table = Table(dice=None).play("roll sugar 0")
    assert table.moves == [f"roll citrus {face}" for face in ("0", "1", "2", "2b", "3", "4")]


def test_both_equal_faces_of_a_die_show_the_same_number():
    for first, second in itertools.product(("1", "1b"), ("2", "2b")):
        table = Table(dice=f"{first} 0 {second} 3 0", leave="cigars")
        assert table.demand == "1 sugar 2 tobacco 3 rum"


@pytest.mark.parametrize("left_out", ["sugar", "citrus", "tobacco", "rum", "cigars"])
def test_four_dice_lie_on_the_ship_as_rolled_and_the_fifth_is_not_in_demand_whatever_it_shows(left_out):
    table = Table(dice="1 4 2 3 1", leave=left_out)
    rolled = ["1 sugar", "4 citrus", "2 tobacco", "3 rum", "1 cigars"]
    assert table.demand == " ".join(die for die in rolled if left_out not in die)


def test_exactly_one_of_the_five_dice_must_be_left_out():
    table = Table(dice=None).roll("1 4 2 3 1")
    assert table.moves == ["leave sugar", "leave citrus", "leave tobacco", "leave rum", "leave cigars"]
    assert table.refusal("pass") == "first choose the die to leave out"


def test_the_first_demand_brings_nobody_an_owners_point():
    table = Table(dice=None).seat("red", owns="bank").seat("yellow", on="bank")
    table.roll("1 1 1 1 1").play("leave rum")
    assert table.points("red") == 2
