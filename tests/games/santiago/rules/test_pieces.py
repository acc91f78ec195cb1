"""The pieces (rulebook p. 6): where they move, when they stay, and the owner's point at the end of every turn."""

import pytest

from tests.games.santiago.table import Table


def test_example_martina_must_move_to_the_bank_and_philipp_gets_a_point_as_its_owner():
    table = Table(2, blue="factory market bank").lay(car="zorro")
    table.seat("red", on="market", pesos=0, goods="").seat("blue", on="factory", owns="bank", points=0)
    table.play("drive 1")
    assert table.goods("red") == "2 wood"
    assert table.moves == ["visit bank"]
    table.play("visit bank", "use bank")
    assert (table.pesos("red"), table.piece("red")) == (2, "bank")
    assert table.points("blue") == 1


def test_the_piece_must_move():
    table = Table().play("drive 1")
    assert "pass" not in table.moves
    assert table.refusal("pass") == "move your piece to a building first"


def test_the_piece_moves_to_a_building_under_the_cubans_flower():
    table = Table(white="bank church cafe", red="casino").play("drive 1")
    assert table.moves == ["visit bank", "visit church", "visit cafe"]
    assert table.refusal("visit casino") == "the Casino is not under a white flower"


def test_an_occupied_building_cannot_be_visited():
    table = Table(white="bank church cafe").seat("blue", on="bank").play("drive 1")
    assert table.moves == ["visit church", "visit cafe"]
    assert table.refusal("visit bank") == "the Bank is occupied by Blue’s piece"


def test_a_property_marker_does_not_occupy_a_building():
    table = Table(white="bank church cafe").seat("blue", owns="bank").play("drive 1")
    assert "visit bank" in table.moves


def test_the_piece_may_not_remain_in_the_same_building():
    table = Table(white="bank church cafe").seat("red", on="bank").play("drive 1")
    assert table.moves == ["visit church", "visit cafe"]
    assert table.refusal("visit bank") == "your piece already stands at the Bank and must move on"


def test_the_building_a_piece_left_is_free_again():
    table = Table(2, white="bank church cafe").seat("red", on="bank").lay(car="port")
    table.play("drive 1", "visit church", "pass").lay(car="port").play("drive 1")
    assert table.moves == ["visit bank", "visit cafe"]


def test_the_piece_remains_on_the_building_until_its_players_next_turn():
    table = Table(2, white="bank church cafe").play("drive 1", "visit church", "pass", "drive 1")
    assert table.piece("red") == "church"


# --- blocked


def blocked(players: int = 4) -> Table:
    """All three white buildings are occupied; Red is about to drive to Pedro."""
    table = Table(players, white="bank church cafe")
    table.seat("blue", on="bank").seat("yellow", on="church")
    return table.seat("red" if players == 3 else "green", on="cafe")


def test_if_all_buildings_are_occupied_the_piece_stays_and_may_use_the_one_it_stands_on():
    table = blocked().seat("red", on="casino", pesos=3, points=0).play("drive 1")
    assert (table.phase, table.piece("red")) == ("use", "casino")
    assert table.moves == ["buy 1 points", "pass"]
    table.play("buy 1 points")
    assert (table.points("red"), table.piece("red"), table.turn) == (1, "casino", "blue")


def test_ones_own_piece_under_the_flower_counts_as_an_occupant_and_may_use_its_building():
    table = blocked(3).seat("red", goods="1 rum").play("drive 1")
    assert (table.phase, table.piece("red")) == ("use", "cafe")
    assert table.moves == ["serve rum", "pass"]


def test_a_blocked_piece_in_a_building_it_cannot_use_ends_its_turn():
    table = blocked().seat("red", on="sawmill", goods="").play("drive 1")
    assert (table.phase, table.turn, table.piece("red")) == ("drive", "blue", "sawmill")


def test_a_blocked_piece_still_off_the_board_does_nothing():
    table = blocked().play("drive 1")
    assert table.piece("red") is None
    assert (table.phase, table.turn) == ("drive", "blue")


def test_the_cuban_gives_though_the_piece_is_blocked():
    table = blocked().seat("red", goods="").play("drive 1")
    assert table.goods("red") == "2 tobacco"


def test_two_players_can_never_block_each_other():
    table = Table(2, white="bank church cafe").seat("red", on="bank").seat("blue", on="church").play("drive 1")
    assert table.moves == ["visit cafe"]


def test_alonsos_guest_can_be_blocked_too_and_use_the_building_again():
    table = blocked().lay(car="pablo").seat("red", on="market", owns="casino", pesos=0, goods="1 rum")
    table.play("drive 1", "pass")
    assert (table.phase, table.piece("red")) == ("use", "market")


# --- the port and face-down Cubans: the piece stays and uses nothing


def test_at_the_port_the_piece_stays_and_uses_no_building():
    table = Table(2).lay(car="alonso").seat("red", on="bank", pesos=0).play("drive 1", "pass", "pass")
    assert (table.piece("red"), table.pesos("red")) == ("bank", 0)
    assert (table.phase, table.turn) == ("drive", "blue")


def test_at_a_face_down_cuban_the_piece_stays_and_uses_no_building():
    table = Table(2, white="church").lay(face_down="pedro").seat("red", on="bank", pesos=0, goods="").play("drive 1")
    assert (table.piece("red"), table.pesos("red"), table.goods("red")) == ("bank", 0, "")
    assert (table.phase, table.turn) == ("drive", "blue")


# --- using is optional


def test_using_a_building_is_optional():
    table = Table(white="bank church cafe").seat("red", pesos=0).play("drive 1", "visit bank")
    assert table.moves == ["use bank", "pass"]
    assert table.play("pass").pesos("red") == 0


def test_a_building_is_used_only_once():
    table = Table(white="bank").play("drive 1", "visit bank", "use bank")
    assert table.turn == "blue"


def test_only_the_building_visited_can_be_used():
    table = Table(white="bank church").seat("red", owns="church").play("drive 1", "visit bank")
    assert table.refusal("use church") == "your piece is not at the Church"


def test_a_building_that_can_do_nothing_offers_no_use_and_ends_the_turn():
    table = Table(white="sawmill").seat("red", goods="").play("drive 1", "visit sawmill")
    assert (table.phase, table.turn) == ("drive", "blue")


# --- the owner's point


def owned(**under) -> Table:
    """Blue owns the Bank and has no points yet."""
    return Table(3, **under).seat("blue", owns="bank", points=0)


def test_the_owner_gets_a_point_when_a_visitors_turn_ends_on_their_building():
    table = owned(white="bank").play("drive 1", "visit bank")
    assert table.points("blue") == 0  # not yet: the visitor may still use it
    assert table.play("use bank").points("blue") == 1


def test_the_owner_gets_the_point_though_the_building_was_not_used():
    assert owned(white="bank").play("drive 1", "visit bank", "pass").points("blue") == 1


def test_the_owner_gets_the_point_though_the_building_could_not_be_used():
    table = owned(white="sawmill").seat("blue", owns="sawmill").seat("red", goods="")
    assert table.play("drive 1", "visit sawmill").points("blue") == 1


def test_nobody_gets_a_point_for_their_own_building():
    table = Table(white="bank").seat("red", owns="bank", points=0).play("drive 1", "visit bank", "use bank")
    assert [table.points(colour) for colour in ("red", "blue", "yellow")] == [0, 2, 2]


def test_an_unowned_building_brings_no_point_to_anybody():
    table = Table(white="bank").play("drive 1", "visit bank", "use bank")
    assert [table.points(colour) for colour in ("red", "blue", "yellow")] == [2, 2, 2]


def test_the_visitor_does_not_pay_for_the_owners_point():
    table = owned(white="bank").seat("red", points=4, pesos=1).play("drive 1", "visit bank", "pass")
    assert (table.points("red"), table.pesos("red")) == (4, 1)


def test_only_the_active_players_piece_counts():
    table = owned(white="church").seat("yellow", on="bank").play("drive 1", "visit church", "pass")
    assert table.points("blue") == 0


def test_the_owner_gets_a_point_after_the_port_too():
    table = owned().lay(car="alonso").seat("red", on="bank").play("drive 1", "pass", "pass")
    assert table.points("blue") == 0
    assert table.play("pass").points("blue") == 1


def test_the_owner_gets_a_point_after_a_port_without_a_delivery_round_too():
    table = owned().lay(car="alonso", value=4).seat("red", on="bank", pesos=10).play("drive 11")
    assert (table.phase, table.points("blue")) == ("roll", 1)


def test_the_owner_gets_a_point_after_el_zorro_too():
    table = owned().lay(car="conchita").seat("red", on="bank").play("drive 1", "give peso", "give peso")
    assert (table.phase, table.points("blue")) == ("use", 0)
    assert table.play("use bank").points("blue") == 1


def test_the_owner_gets_a_point_after_a_face_down_cuban_too():
    assert owned().lay(face_down="pedro").seat("red", on="bank").play("drive 1").points("blue") == 1


def test_the_owner_gets_a_point_after_a_blocked_move_too():
    table = blocked().seat("blue", owns="sawmill", points=0).seat("red", on="sawmill", goods="").play("drive 1")
    assert table.points("blue") == 1


def test_an_owner_gets_a_point_every_turn_a_piece_stays_there():
    table = Table(2).seat("blue", owns="bank", points=0).seat("red", on="bank").lay(face_down="pedro jose")
    table.play("drive 1")
    table.lay(turn="red").play("drive 2")
    assert (table.car, table.points("blue")) == ("jose", 2)


def test_a_piece_off_the_board_brings_no_point():
    table = owned().lay(face_down="pedro").play("drive 1")
    assert [table.points(colour) for colour in ("red", "blue", "yellow")] == [2, 0, 2]


def test_the_owner_of_the_building_left_gets_nothing():
    table = owned(white="church").seat("red", on="bank").play("drive 1", "visit church", "pass")
    assert table.points("blue") == 0


def test_a_building_seized_under_a_visitors_piece_pays_from_the_visitors_next_turn_on():
    table = Table(2).lay(car="pablo", face_down="pedro").seat("blue", on="office", points=0).seat("red", points=0)
    table.play("drive 1", "seize office", "visit bank", "pass")
    assert table.points("red") == 0  # Blue's turn has not ended there yet
    table.play("drive 2")  # Blue passes the port to Pedro, who is face down: the piece stays
    assert table.points("red") == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_point_goes_to_the_owner_and_nobody_else(players):
    table = Table(players, white="bank").everybody(points=0).seat("blue", owns="bank")
    table.play("drive 1", "visit bank", "use bank")
    assert [table.points(c) for c in ("red", "blue", "yellow", "green")] == [0, 1, 0, 0]
