"""El Zorro the pickpocket (rulebook p. 4)."""

import pytest

from tests.games.santiago.table import Table, in_building


def robbed(players: int = 4) -> Table:
    """Red meets El Zorro; everybody else decides in turn what to give."""
    return Table(players).lay(car="conchita").everybody(goods="", pesos=1, points=1).seat("red", pesos=0, points=0)


def test_each_other_player_gives_clockwise_from_the_active_player():
    table = robbed().play("drive 1")
    givers = []
    while table.phase == "zorro":
        givers.append(table.turn)
        table.play("give peso")
    assert givers == ["blue", "yellow", "green"]
    assert table.pesos("red") == 3


def test_the_robbing_goes_round_the_table_from_the_active_player():
    table = robbed().lay(turn="yellow").seat("red", pesos=1).play("drive 1")
    givers = []
    while table.phase == "zorro":
        givers.append(table.turn)
        table.play("give peso")
    assert givers == ["green", "red", "blue"]


def test_with_two_players_only_the_other_one_gives():
    table = robbed(2).play("drive 1")
    assert (table.phase, table.turn) == ("zorro", "blue")
    table.play("give point")
    assert (table.phase, table.turn) == ("drive", "blue")
    assert (table.points("red"), table.points("blue")) == (1, 0)


def test_the_robbed_choose_between_a_peso_a_point_and_each_good_they_hold():
    table = robbed().seat("blue", goods="2 sugar 1 citrus 1 tobacco 1 rum 3 cigars 2 wood").play("drive 1")
    assert sorted(table.moves) == sorted(
        ["give peso", "give point", "give sugar", "give citrus", "give tobacco", "give rum", "give cigars"]
    )


def test_a_good_goes_to_the_active_player_and_not_to_the_supply():
    table = robbed().seat("blue", goods="2 rum").play("drive 1")
    supply = table.supply("rum")
    table.play("give rum")
    assert (table.goods("blue"), table.goods("red"), table.supply("rum")) == ("1 rum", "1 rum", supply)


def test_a_point_goes_to_the_active_player():
    table = robbed().play("drive 1", "give point")
    assert (table.points("blue"), table.points("red")) == (0, 1)


def test_each_gives_exactly_one_thing():
    table = robbed().seat("blue", pesos=5).play("drive 1", "give peso")
    assert table.pesos("blue") == 4
    assert table.turn == "yellow"


def test_wood_is_never_given():
    table = robbed().seat("blue", goods="1 wood").play("drive 1")
    assert table.moves == ["give peso", "give point"]


def test_a_player_with_something_to_give_must_give():
    table = robbed().play("drive 1")
    assert table.refusal("pass") == "first give El Zorro a peso, a good or a point"


def test_nobody_can_give_what_they_do_not_have():
    table = robbed().seat("blue", pesos=0, goods="1 sugar").play("drive 1")
    assert table.refusal("give peso") == "you have no peso to give"
    assert table.refusal("give rum") == "you have no rum"
    table.play("give sugar").seat("yellow", points=0)
    assert table.refusal("give point") == "you have no point to give"


def test_who_has_none_of_these_gives_nothing():
    table = robbed().seat("yellow", pesos=0, points=0).play("drive 1", "give peso")
    assert table.turn == "green"  # Yellow was skipped


@pytest.mark.parametrize("last", [{"pesos": 1}, {"points": 1}, {"goods": "1 sugar"}, {"goods": "1 cigars"}])
def test_who_has_one_single_thing_left_gives_it(last):
    table = Table(2).everybody(pesos=0, points=0, goods="").lay(car="conchita").seat("blue", **last).play("drive 1")
    assert (table.phase, table.turn) == ("zorro", "blue")
    assert len(table.moves) == 1
    table.play(table.moves[0])
    assert (table.pesos("blue"), table.points("blue"), table.goods("blue")) == (0, 0, "")


def test_who_has_only_wood_gives_nothing():
    table = robbed().seat("blue", pesos=0, points=0, goods="3 wood").play("drive 1")
    assert table.turn == "yellow"
    assert table.goods("blue") == "3 wood"


def test_if_nobody_has_anything_the_turn_goes_on():
    table = Table(4).everybody(pesos=0, points=0, goods="").lay(car="conchita").play("drive 1")
    assert (table.phase, table.turn) == ("drive", "blue")
    assert (table.pesos("red"), table.points("red"), table.goods("red")) == (0, 0, "")


def test_the_piece_stays_where_it_is_and_may_use_its_building_again():
    table = robbed(2).seat("red", on="bank").play("drive 1", "give point")
    assert (table.phase, table.turn, table.piece("red")) == ("use", "red", "bank")
    assert table.moves == ["use bank", "pass"]
    table.play("use bank")
    assert (table.pesos("red"), table.piece("red")) == (2, "bank")
    assert (table.phase, table.turn) == ("drive", "blue")


def test_using_the_building_again_is_optional():
    table = in_building("bank").play("pass")
    assert (table.pesos("red"), table.turn) == (0, "blue")


def test_what_was_given_can_be_used_in_the_building_at_once():
    table = robbed(2).seat("red", on="cafe").seat("blue", goods="1 rum").play("drive 1", "give rum")
    assert table.moves == ["serve rum", "pass"]


def test_in_the_very_first_round_el_zorros_guest_uses_no_building():
    table = Table(2).seat("red", pesos=5).drive_to("zorro").play("give peso")
    assert table.piece("red") is None
    assert (table.phase, table.turn) == ("drive", "blue")


def test_the_active_player_gives_nothing_to_themself():
    table = robbed(2).seat("red", pesos=4, points=4).play("drive 1")
    assert table.turn == "blue"
    table.play("give peso")
    assert (table.pesos("red"), table.points("red")) == (5, 4)
    assert table.turn != "red" or table.phase != "zorro"


def test_the_active_piece_on_a_strangers_building_brings_the_owner_a_point_after_el_zorro():
    table = robbed(2).seat("red", on="bank").seat("blue", owns="bank").play("drive 1", "give peso", "pass")
    assert table.points("blue") == 2  # 1 kept, 1 as owner


def test_nobody_is_robbed_while_el_zorro_is_face_down():
    table = robbed().lay(face_down="zorro").seat("red", on="bank").play("drive 1")
    assert (table.phase, table.turn) == ("drive", "blue")  # and the building cannot be used either
    assert table.pesos("red") == 0
