"""What a player may know: the board is open, holdings stand behind screens."""

import pytest

from malecon.games.santiago.position import UNKNOWN
from tests.games.santiago.table import Table

HELD = ("pesos", "points", "goods")


def shown(table: Table, viewer: int | None, seat: int) -> list:
    position = table.match.view(viewer).position
    return [position[name][seat].tolist() for name in HELD]


def unknown() -> list:
    return [UNKNOWN, UNKNOWN, [UNKNOWN] * 6]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seat_sees_its_own_holdings_and_not_the_others(players):
    table = Table(players).seat("red", pesos=7, points=5, goods="2 rum")
    for viewer in range(players):
        for seat in range(players):
            truth = [table.position[name][seat].tolist() for name in HELD]
            assert shown(table, viewer, seat) == (truth if viewer == seat else unknown())


def test_a_spectator_sees_nobodys_holdings():
    table = Table(4)
    assert [shown(table, None, seat) for seat in range(4)] == [unknown()] * 4


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_with_open_screens_everybody_sees_everything(viewer):
    table = Table(3, open_screens=True)
    assert table.match.view(viewer).position.tobytes() == table.position.tobytes()


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_the_board_the_supply_the_markers_and_the_ship_are_open_to_all(viewer):
    table = Table(3).seat("blue", owns="bank", on="casino").lay(face_down="maria", value=3, car="jose", ship=4)
    seen = table.match.view(viewer).position
    for name in table.position.dtype.names:
        if name not in HELD:
            assert seen[name].tolist() == table.position[name].tolist(), name


def test_a_view_is_a_copy():
    table = Table()
    before = table.position.tobytes()
    table.match.view(0).position.car = 7
    assert table.position.tobytes() == before


def test_everybody_sees_every_move():
    table = Table().play("drive 1", "visit bank")
    for viewer in (None, 0, 1, 2):
        assert table.match.view(viewer).history == table.match.history


def test_the_player_to_move_sees_the_same_moves_as_the_rules():
    table = Table().lay(car="alonso", demand="1 citrus 1 sugar").play("drive 1")
    for seat in range(3):
        view = table.match.view(seat)
        assert view.turn == seat
        assert list(map(str, view.legal_moves)) == table.moves
        table.play("pass")
