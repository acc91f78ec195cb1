"""The end (rulebook p. 8): the seventh departure, the last exchange, who wins."""

import pytest

from tests.games.santiago.table import Table, in_building


def last_ship(players: int = 3, **under) -> Table:
    """The seventh ship is in port, the car just before it; Blue owns the Bank, where Red's piece stands."""
    table = Table(players, **under).everybody(goods="", points=10, pesos=0)
    table.lay(car="alonso", ship=7, demand="1 rum", value=2)
    return table.seat("blue", owns="bank").seat("red", on="bank", pesos=9)


def ended(table: Table) -> bool:
    return table.match.is_over and table.turn is None and table.phase == "over" and table.moves == []


# --- the moment


def test_the_game_ends_the_moment_the_last_demand_is_delivered():
    table = last_ship().seat("red", goods="1 rum").seat("yellow", goods="1 rum").play("drive 1", "deliver 1 rum")
    assert ended(table)
    assert [table.points(c) for c in ("red", "blue", "yellow")] == [12, 10, 10]  # no owner's point


def test_the_game_ends_the_moment_all_have_passed_at_4():
    table = last_ship().lay(value=4).play("drive 1", "pass", "pass", "pass")
    assert ended(table)
    assert [table.points(c) for c in ("red", "blue", "yellow")] == [10, 10, 10]


def test_the_game_ends_in_mid_drive_when_the_port_is_passed_at_4():
    table = last_ship().lay(value=4, face_down="alonso pedro").seat("red", pesos=5).play("drive 3")
    assert ended(table)
    assert [table.points(c) for c in ("red", "blue", "yellow")] == [10, 10, 10]  # Maria was never reached
    assert table.pesos("red") == 3  # the drive was paid
    assert table.face_down == "pedro"  # and he was never passed


def test_the_game_ends_in_the_middle_of_a_lap_when_the_seventh_ship_leaves():
    table = last_ship().lay(ship=6, value=4).seat("red", pesos=39).play("drive 32")
    assert ended(table)
    assert table.points("blue") == 10


@pytest.mark.parametrize(
    ("building", "move", "has"),
    [
        ("harbormaster", "flag right", {"value": 4}),
        ("customs", "clear rum", {"demand": "2 rum"}),
        ("office", "consign rum", {"demand": "1 rum", "goods": "1 rum"}),
    ],
)
def test_the_game_ends_the_moment_a_building_sends_the_seventh_ship_off(building, move, has):
    table = in_building(building, ship=7, **has).seat("blue", owns=building)
    table.play(move)
    assert ended(table)
    assert table.points("blue") == 0  # no owner's point


@pytest.mark.parametrize(
    ("building", "move"), [("harbormaster", "flag right"), ("customs", "clear rum"), ("office", "consign rum")]
)
def test_the_game_ends_with_the_lawyer_before_the_piece_moves(building, move):
    table = last_ship().lay(car="pablo", value=4, demand="1 rum").seat("red", owns=building, goods="1 rum")
    table.play("drive 1", move)
    assert ended(table)
    assert (table.piece("red"), table.points("blue")) == ("bank", 10)


def test_the_game_ends_when_the_seventh_ship_is_asked_for_nothing():
    table = last_ship(white="church").lay(ship=6, value=4).play("drive 2", "visit church", "use church")
    assert (table.ship, table.phase) == (7, "roll")
    table.roll("0 0 0 0 0").play("leave rum")
    assert ended(table)


def test_the_sixth_departure_does_not_end_the_game():
    table = last_ship().lay(ship=6, value=4).play("drive 1", "pass", "pass", "pass")
    assert not table.match.is_over
    assert table.match.outcome is None
    assert table.points("blue") == 11  # the turn goes on to its end


def test_an_owners_point_of_earlier_turns_counts_but_not_that_of_the_last():
    table = last_ship(2).lay(value=3).play("drive 1", "pass", "pass")  # Red's turn ends on Blue's Bank
    assert table.points("blue") == 11
    table.lay(car="alonso", turn="red").play("drive 1", "pass", "pass")
    assert ended(table)
    assert table.points("blue") == 11


def test_nobody_can_move_once_the_game_is_over():
    table = last_ship().lay(value=4).play("drive 2")
    assert table.refusal("drive 1") == "the game is over"


# --- the last exchange


@pytest.mark.parametrize(
    ("goods", "points"),
    [("", 10), ("2 sugar", 10), ("3 wood", 11), ("1 rum 1 wood 1 citrus", 11), ("5 sugar", 11), ("4 rum 5 wood", 13)],
)
def test_every_three_goods_of_any_kind_wood_included_make_one_point(goods, points):
    assert last_ship().lay(value=4).seat("yellow", goods=goods).play("drive 2").points("yellow") == points


def test_all_players_exchange_their_goods():
    table = last_ship().lay(value=4).everybody(goods="1 rum 1 wood 1 sugar").play("drive 2")
    assert [table.points(c) for c in ("red", "blue", "yellow")] == [11, 11, 11]


def test_goods_are_not_exchanged_before_the_end():
    table = last_ship().lay(ship=6, value=4).everybody(goods="2 wood 1 sugar").seat("red", on="office")
    table.play("drive 1", "pass", "pass", "pass")
    assert [table.points(c) for c in ("red", "blue", "yellow")] == [10, 10, 10]


def test_a_good_delivered_last_is_not_exchanged_as_well():
    table = last_ship().seat("red", goods="1 rum 2 wood").play("drive 1", "deliver 1 rum")
    assert table.points("red") == 12


def test_money_is_worth_nothing():
    table = last_ship().lay(value=4).seat("yellow", pesos=99).play("drive 2")
    assert table.points("yellow") == 10


def test_the_exchange_is_a_source_of_its_own_in_the_scores():
    table = last_ship().lay(value=4).seat("yellow", goods="4 rum 5 wood").play("drive 2")
    assert table.match.scores[2].breakdown["exchange"] == 3


# --- who wins


def finish(*players: dict) -> Table:
    """The game ends with these holdings (before the last exchange)."""
    table = Table(len(players)).lay(car="alonso", ship=7, value=4).everybody(goods="")
    for colour, has in zip(("red", "blue", "yellow", "green"), players, strict=False):
        table.seat(colour, **({"points": 10, "goods": "", "pesos": 0} | has))
    table.position.pesos[0] += 1  # for the drive
    return table.play("drive 2")


def test_most_points_win():
    outcome = finish({"points": 11}, {"points": 13}, {"points": 12, "pesos": 90, "goods": "2 wood"}).match.outcome
    assert outcome.winners == (1,)
    assert outcome.places == (3, 1, 2)
    assert outcome.points == (11, 13, 12)
    assert outcome.reason == "points"


def test_points_of_the_exchange_count():
    outcome = finish({"points": 11}, {"points": 10, "goods": "6 wood"}).match.outcome
    assert (outcome.winners, outcome.points) == ((1,), (11, 12))


def test_a_tie_goes_to_the_most_goods_left_over_after_the_exchange():
    outcome = finish(
        {"goods": "1 rum", "pesos": 50}, {"goods": "2 wood"}, {"points": 9, "goods": "2 rum"}
    ).match.outcome
    assert outcome.winners == (1,)
    assert outcome.places == (2, 1, 3)
    assert outcome.reason == "goods"


def test_goods_that_were_exchanged_do_not_break_a_tie():
    outcome = finish({"points": 10, "goods": "3 rum"}, {"points": 11, "goods": "1 sugar"}).match.outcome
    assert (outcome.points, outcome.winners, outcome.reason) == ((11, 11), (1,), "goods")


def test_a_further_tie_goes_to_the_most_pesos():
    outcome = finish({"goods": "2 rum", "pesos": 4}, {"goods": "2 wood", "pesos": 5}, {"pesos": 50}).match.outcome
    assert outcome.winners == (1,)
    assert outcome.places == (2, 1, 3)
    assert outcome.reason == "pesos"


def test_then_the_win_is_shared():
    outcome = finish({"pesos": 4}, {"pesos": 4}, {"pesos": 3}).match.outcome
    assert outcome.winners == (0, 1)
    assert outcome.places == (1, 1, 3)
    assert outcome.reason == "shared"


def test_all_can_share_the_win():
    outcome = finish({}, {}, {}, {}).match.outcome
    assert outcome.winners == (0, 1, 2, 3)
    assert outcome.places == (1, 1, 1, 1)


def test_a_tie_behind_the_winner_is_broken_the_same_way():
    outcome = finish({"points": 20}, {"goods": "1 rum"}, {"goods": "2 rum"}, {"goods": "1 wood"}).match.outcome
    assert outcome.places == (1, 3, 2, 3)
    assert outcome.reason == "points"


def test_the_screens_are_removed_at_the_end():
    table = finish({"goods": "2 rum"}, {"pesos": 7})
    for viewer in (None, 0, 1):
        assert table.match.view(viewer).position.tobytes() == table.position.tobytes()
