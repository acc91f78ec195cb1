"""Lines: how the game may go on after a move, if everybody then plays what the search advises. No words.

A line begins in one world that the seat holds possible. Everyone in it moves by what they themselves could know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from malecon.bots.reasons.notes import notes_of
from malecon.bots.searcher import Searcher
from malecon.kernel import verbs
from malecon.kernel.game import Game, Name
from malecon.kernel.journal import Event, events, new_journal
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import CHANCE, NOBODY, Position
from malecon.kernel.view import View, hidden, legal_codes

#: A line is never longer.
LONGEST = 150


class Step(NamedTuple):
    """One move of a line: the table before it, what it was, what happened, and the table after it."""

    before: Position
    code: int
    events: tuple[Event, ...]
    after: Position


@dataclass(frozen=True, eq=False)
class Line:
    """A position and the moves from there, chance's included."""

    game: Game
    seat: int  # whose decision it begins with
    start: Position
    moves: tuple[int, ...]
    names: tuple[Name, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.moves)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The line played through."""
        found, position = [], self.start.copy()
        for code in self.moves:
            before, journal = position.copy(), new_journal()
            verbs.play_logged(position, code, journal)
            found.append(Step(before, code, tuple(events(journal)), position.copy()))
        return tuple(found)

    def view(self, moves: int) -> View:
        """The table after so many moves of the line, as the seat would see it."""
        position = self.start if moves == 0 else self.steps[moves - 1].after
        cells = np.zeros(1, self.game.dtype).view(np.recarray)
        cells[0] = position
        return View(self.game, self.seat, hidden(cells, self.seat), (), self.names)


def follow(mind: Searcher, world: Position, code: int, names: Sequence[Name], chance: Randomness) -> Line:
    """Play a move in a world and go on with what the mind thinks best, until enough has happened to tell."""
    game, seat = mind.game, int(verbs.actor(world))
    ends, moves, position = notes_of(game).Horizon(seat), [code], world.copy()
    while True:
        journal = new_journal()
        verbs.play_logged(position, moves[-1], journal)
        turn = int(verbs.actor(position))
        if ends.reached(events(journal)) or turn == NOBODY or len(moves) == LONGEST:
            return Line(game, seat, world, tuple(moves), tuple(names))
        legal = legal_codes(game, position)
        if len(legal) == 1:
            moves.append(legal[0])
        elif turn == CHANCE:
            moves.append(legal[below(chance, len(legal))])
        else:
            moves.append(mind.search(known_to(game, position, turn)).best)


def known_to(game: Game, world: Position, seat: int) -> Position:
    """What a seat with a perfect memory knows of a world: all that was done in the open."""
    known = world.copy()
    if game.conceals is not None:
        verbs.hide(known, seat)
    return known
