"""What a move would do, said before it is made. It is played on the viewer's own view, so nothing hidden can leak."""

from __future__ import annotations

from dataclasses import dataclass

from malecon.kernel import verbs
from malecon.kernel.journal import events, new_journal
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.playing import make_logged_move
from malecon.kernel.positions import as_array
from malecon.kernel.verbs import NOBODY
from malecon.kernel.view import hidden
from malecon.match import Match, Move, View
from malecon.text.game_text import text_of


@dataclass(frozen=True)
class MovePreview:
    """The consequences of a move: what happens, what comes next, and whether the mover's turn is over then."""

    lines: tuple[Phrase, ...]
    then: Phrase
    final: bool


def preview_move(view: View, move: Move) -> MovePreview:
    """Return what a legal move would do, as far as the seat of the view can know."""
    before, after, journal, code = view.position, as_array(view.position)[0], new_journal(), move.code
    make_logged_move(after, code, len(view.history), journal)
    game_text = text_of(view.game)
    lines = game_text.tell_move(before, after, code, events(journal), view.names)
    next_seat = int(verbs.actor(after))
    if next_seat == NOBODY:  # the final count is about holdings that this seat may not know
        return MovePreview(tuple(lines[:1]), say("Then the game is over."), True)
    if next_seat == view.seat:
        then = say("Then: {prompt}.", prompt=game_text.prompt_actor(after, view.names))
        return MovePreview(tuple(lines), then, False)
    if next_seat < 0:
        return MovePreview(tuple(lines), say("{prompt}.", prompt=game_text.prompt_others(after, view.names)), True)
    return MovePreview(tuple(lines), say("Then it is {who}’s turn.", who=view.names[next_seat]), True)


def reveals(match: Match, index: int, seat: int) -> bool:
    """Return whether the seat learned something by its move of that number: it could not have foreseen its view."""
    before = match.position_after(index)
    expected = hidden(as_array(before), seat)
    if expected.tobytes() == before.tobytes():  # it knew everything: there was nothing to learn
        return False
    # `make_logged_move` is compiled ahead of time, `make_move` alone is not
    make_logged_move(expected, match.code_at(index), index, new_journal())
    views = (hidden(as_array(position), seat) for position in (expected, match.position_after(index + 1)))
    return len({view.tobytes() for view in views}) > 1
