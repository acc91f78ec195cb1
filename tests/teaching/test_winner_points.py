"""Where the points of winners come from: measured, and shipped for every seat."""

from __future__ import annotations

from malecon.teaching import winner_points


def test_where_winners_have_their_points_from_is_measured() -> None:
    measured = winner_points.measure("santiago", 2, 2)
    assert sum(points.games for points in measured.values()) >= 2
    assert all(sum(points.points.values()) > 10 for points in measured.values())
    assert winner_points.usual("santiago", 9, 0) is None


def test_what_winners_have_is_known_for_every_seat() -> None:
    for game, most in (("santiago", 4), ("cuba", 5)):
        for players in range(2, most + 1):
            usual = [winner_points.usual(game, players, seat) for seat in range(players)]
            assert all(points is not None and points.games > 0 and sum(points.points.values()) > 10 for points in usual)
