"""The guided first game: the goal first, then one tip at a time about what the viewer sees just now, each tip once.

Which tips have been given follows from the moves, so that it is the same after a reload or an undo. The tips are each
game's own.
"""

from __future__ import annotations

from collections.abc import Sequence

from malecon.kernel import verbs
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.match import Match
from malecon.server import texts
from malecon.teaching.lessons import Lesson, suggested
from malecon.text import Tip, Tips, glossary
from malecon.text import chapter as text_chapter
from malecon.text import tips as text_tips
from malecon.text.rulebook import Suggestion

#: For those who wait, once, in phases that have no tip of their own.
WAITING = say("The others are playing. Watch what they do; you can read it all again under “What happened”.")
#: When everything has been told.
GO_ON = say("Go on as you like: you have seen how this works.")


def tip(match: Match, seat: int | None) -> Phrase | None:
    """What a beginner on this seat should know now; None for spectators, and in games that teach nothing."""
    tips = text_tips(match.game)
    if seat is None or not (tips.mine or tips.others):
        return None
    if match.is_over:
        return closing(match, seat)
    said = _Lesson(match, tips, seat).now()
    first = not any(turn.seat == seat for turn in match.history)
    suggested = suggestion(match, seat)
    told = [tips.goal if first else None, said, suggested.why if suggested else None]
    return _in_a_row([one for one in told if one is not None]) or _reminder(match, seat)


def suggestion(match: Match, seat: int | None) -> Suggestion | None:
    """The move that the script of the first round would make, if it is this seat's turn and there is one."""
    suggests = text_tips(match.game).suggests
    if suggests is None or seat is None or match.turn != seat:
        return None
    legal = [str(move) for move in match.legal_moves]
    found = suggests(match.view(seat).position, seat, legal)
    return found if found is not None and found.move in legal else None


def _in_a_row(told: Sequence[Phrase]) -> Phrase | None:
    if len(told) < 2:
        return told[0] if told else None
    return say("{first} {second}", first=told[0], second=_in_a_row(told[1:]) or "")


def _reminder(match: Match, seat: int) -> Phrase:
    """When there is nothing new to tell: how far the game is, and how many points one has."""
    chapter = text_chapter(match.everything())
    if chapter is None:
        return GO_ON
    points = texts.points(int(match.view(seat).position.points[seat]))
    return say("{chapter}. You have {points}.", chapter=chapter, points=points)


def closing(match: Match, seat: int) -> Phrase:
    """What won, and what brought the beginner most."""
    outcome, scores = match.outcome, match.scores
    assert outcome is not None
    winner = outcome.winners[0] if seat not in outcome.winners else seat
    names = glossary(match.game)["sources"]

    def best(whose: int) -> tuple[int, Phrase]:
        points, source = max((points, source) for source, points in scores[whose].breakdown.items())
        return points, names[source].name

    most, source = best(winner)
    if winner == seat:
        return say(
            "You won with {total} points. Most of them, {most}, came from: {source}. Play again, perhaps against a "
            "stronger bot?",
            total=scores[seat].points, most=most, source=source,
        )  # fmt: skip
    mine, own = best(seat)
    return say(
        "{winner} won with {total} points. Most of them, {most}, came from: {source}. You have {points}, most of them "
        "from: {own} ({mine}). Look at the table below for where the difference is, and play again.",
        winner=match.names[winner], total=scores[winner].points, most=most, source=source,
        points=scores[seat].points, own=own, mine=mine,
    )  # fmt: skip


def next_lessons(match: Match, seat: int | None) -> tuple[Lesson, ...]:
    """What to try next, once the game is over: first where the best of the others had most more points."""
    if seat is None or not match.is_over:
        return ()
    scores = match.scores
    mine = scores[seat].breakdown
    behind = {
        source: max(score.breakdown[source] for score in scores if score.seat != seat) - points
        for source, points in mine.items()
    }
    return suggested(match.game.name, sorted((one for one in behind if behind[one] > 0), key=lambda one: -behind[one]))


class _Lesson:
    """Walks through the game and gives each tip where it fits first; what it has given, it does not give again."""

    def __init__(self, match: Match, tips: Tips, seat: int) -> None:
        self._match, self._tips, self._seat = match, tips, seat
        self._given: dict[tuple[bool, str, int], int] = {}  # at which decision of the seat, or wait before it

    def now(self) -> Phrase | None:
        decisions, said = 0, None
        for number in range(len(self._match) + 1):
            position = self._match.position_after(number)
            actor = verbs.actor(position)
            if actor >= 0:
                said = self._at(position, actor == self._seat, decisions)
            decisions += actor == self._seat
        return said

    def _at(self, position: Position, mine: bool, decisions: int) -> Phrase | None:
        phase = self._match.game.phases[int(position.phase)]
        for number, one in enumerate(self._of(phase, mine)):
            said = one if isinstance(one, Phrase) else one(position, self._seat)
            key = (mine, phase, number)
            if said is not None and self._given.setdefault(key, decisions) == decisions:
                return said
        if not mine and self._given.setdefault((False, "", 0), decisions) == decisions:
            return WAITING
        return None

    def _of(self, phase: str, mine: bool) -> Sequence[Tip]:
        found = (self._tips.mine if mine else self._tips.others).get(phase, ())
        return (found,) if isinstance(found, Phrase) else found
