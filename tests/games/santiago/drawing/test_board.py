"""The board of Santiago de Cuba: everything is on it, and nothing that screens hide."""

from __future__ import annotations

import malecon
from malecon.games.santiago import tiles
from tests.drawing.positions import games
from tests.drawing.tables import drawn, parsed
from tests.open_match import OpenMatch


def test_everything_on_the_table_is_there() -> None:
    match = malecon.new("santiago", players=4, seed=1)
    ids = {element.get("id") for element in parsed(drawn(match.view(match.turn))).iter()}
    expected = {f"building-{key}" for key in tiles.BUILDING_KEYS} | {f"cuban-{key}" for key in tiles.CUBAN_KEYS}
    expected |= {f"stop-{stop}" for stop in range(1, tiles.STOPS)} | {f"supply-{key}" for key in tiles.GOOD_KEYS}
    expected |= {f"die-{key}" for key in tiles.DEMANDED} | {"flag-2", "flag-3", "flag-4", "flag-sail"}
    expected |= {f"seat-{seat}" for seat in range(4)} | {f"m-piece-{seat}" for seat in range(4)}
    assert expected | {"port", "ship", "ships", "m-car", "m-value", "m-ship"} <= ids


def test_what_screens_hide_is_not_in_the_drawing() -> None:
    for number, match in enumerate(games("santiago")):
        if number % 20 or match.is_over or match.options["open_screens"]:
            continue
        seat = match.turn
        assert seat is not None
        changed = OpenMatch.of(match)
        others = [other for other in range(match.players) if other != seat]
        truth = changed.board
        for other in others:
            truth.pesos[other] += 7
            truth.points[other] += 3
            truth.goods[other, 0] += 1
        assert drawn(match.view(seat)) == drawn(changed.view(seat))
        assert drawn(match.view(None)) == drawn(changed.view(None))
