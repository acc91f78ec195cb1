"""What a move would do, told before it is made. The engine plays it on the viewer's own view, so nothing can leak."""

from __future__ import annotations

from dataclasses import dataclass

from malecon.kernel import verbs
from malecon.kernel.journal import events, new_journal
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.playing import make_logged_move
from malecon.kernel.positions import as_array
from malecon.kernel.verbs import NOBODY
from malecon.match import Match, Move, View
from malecon.text.game_text import text_of


@dataclass(frozen=True)
class Foresight:
    """The consequences of a move: what happens, what comes next, and whether it is out of the mover's hands then."""

    lines: tuple[Phrase, ...]
    then: Phrase
    final: bool


def foresee(view: View, move: Move) -> Foresight:
    """What the move would do as far as the view's own seat can know. It must be legal."""
    before, after, journal, code = view.position, as_array(view.position)[0], new_journal(), move.code
    make_logged_move(after, code, len(view.history), journal)
    told = text_of(view.game)
    lines = told.tell_move(before, after, code, events(journal), view.names)
    next_seat = int(verbs.actor(after))
    if next_seat == NOBODY:  # the final count is about holdings that this seat may not know
        return Foresight(tuple(lines[:1]), say("Then the game is over."), True)
    if next_seat == view.seat:
        return Foresight(tuple(lines), say("Then: {prompt}.", prompt=told.prompt_actor(after, view.names)), False)
    if next_seat < 0:
        return Foresight(tuple(lines), say("{prompt}.", prompt=told.prompt_others(after, view.names)), True)
    return Foresight(tuple(lines), say("Then it is {who}’s turn.", who=view.names[next_seat]), True)


def reveals(match: Match, index: int, seat: int) -> bool:
    """Whether the seat learned something by its move of that number: the view is not what it could have foreseen."""
    expected, after = match.position_after(index), match.position_after(index + 1)
    verbs.hide(expected, seat)
    make_logged_move(
        expected, match.code_at(index), index, new_journal()
    )  # compiled ahead of time, as `make_move` alone is not
    for position in (expected, after):
        verbs.hide(position, seat)
    return bool(expected.tobytes() != after.tobytes())
