"""The guided first game: one tip at a time, about what the viewer sees just now. The tips are each game's own."""

from __future__ import annotations

from malecon import words
from malecon.kernel.phrases import Phrase, say
from malecon.match import View

#: For those who wait, in all phases that have no tip of their own.
WAITING = say("The others are playing. Watch what they do; you can read it all again under “What happened”.")


def tip(view: View, mine: bool) -> Phrase | None:
    """What a beginner should know now."""
    phase, tips = view.game.phases[int(view.position.phase)], words.tips(view.game)
    return tips.mine.get(phase) if mine else tips.others.get(phase, WAITING)
