"""What flies: from something on the board to something on the board, as much as the holdings change."""

from __future__ import annotations

import random
import re

import pytest

from malecon import drawing
from malecon.drawing.motion import DIE
from malecon.match import Match, Move


@pytest.mark.parametrize(("game", "players", "options"), [("santiago", 3, {"open_screens": True}), ("cuba", 3, {})])
def test_flights_begin_and_end_on_the_board(game: str, players: int, options: dict[str, bool]) -> None:
    dice, match, seen = random.Random(3), Match(game, players, seed=3, options=options), set()
    while match.turn is not None:
        match.push(dice.choice(list(match.legal_moves)))
        if dice.random() < 0.7 and match.turn is not None:
            continue
        number, view = len(match) - 1, match.view(0)
        move = match.history[number].move
        assert isinstance(move, Move)
        before, after = match.everything(number).position, match.everything(number + 1).position
        flights = drawing.flights(view, before, after, move.code, match.events(number))
        drawn = drawing.board(view, "en", {}) + "".join(drawing.panel(view, seat, "en", {}) for seat in range(players))
        ids = set(re.findall(r' id="([^"]+)"', drawn))
        for flight in flights:
            assert flight.thing == DIE or flight.thing in drawing.SYMBOLS
            assert flight.count > 0
            assert ids & set(flight.start.split()), flight
            assert ids & set(flight.end.split()), flight
            seen.add(flight.thing)
    assert len(seen) >= 5


def test_a_seat_gets_what_flies_to_it() -> None:
    """Over a whole game, what came and went is what the seat has more than in the beginning."""
    dice, match = random.Random(5), Match("santiago", 2, seed=5, options={"open_screens": True})
    flown = 0
    start = int(match.everything(0).position.pesos[0])
    while match.turn is not None:
        match.push(dice.choice(list(match.legal_moves)))
    for number in range(len(match)):
        move = match.history[number].move
        assert isinstance(move, Move)
        before, after = match.everything(number).position, match.everything(number + 1).position
        for flight in drawing.flights(match.view(0), before, after, move.code, match.events(number)):
            if flight.thing == "peso":
                flown += flight.count * ((flight.end == "seat-0") - (flight.start == "seat-0"))
    assert start + flown == int(match.everything().position.pesos[0])
