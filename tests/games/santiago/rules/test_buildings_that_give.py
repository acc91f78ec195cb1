"""Bank and church (rulebook p. 6): a plain gain."""

from tests.games.santiago.table import Table, in_building


def test_the_bank_gives_two_pesos():
    table = in_building("bank")
    assert table.moves == ["use bank", "pass"]
    assert table.play("use bank").pesos("red") == 2


def test_the_church_gives_one_point():
    table = in_building("church")
    assert table.moves == ["use church", "pass"]
    assert table.play("use church").points("red") == 1


def test_the_bank_never_runs_out_of_pesos():
    table = in_building("bank").everybody(pesos=1000)
    assert table.play("use bank").pesos("red") == 1002


def test_the_church_never_runs_out_of_points():
    table = in_building("church").everybody(points=1000)
    assert table.play("use church").points("red") == 1001


def test_a_building_gives_to_the_visitor_and_not_to_the_owner():
    table = Table(2, white="bank").seat("blue", owns="bank", pesos=0).seat("red", pesos=0)
    table.play("drive 1", "visit bank", "use bank")
    assert (table.pesos("red"), table.pesos("blue")) == (2, 0)
