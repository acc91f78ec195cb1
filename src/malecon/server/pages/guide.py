"""The guided first game: the goal first, then one tip at a time about the current position, each tip once.

Which tips have been given follows from the moves, so that it is the same after a reload or an undo. Each game has its
own tips.
"""

from __future__ import annotations

from collections.abc import Sequence

from malecon.kernel import verbs
from malecon.kernel.common import naming
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.match import Match
from malecon.teaching.lessons import Lesson, suggested
from malecon.text import Tip, Tips, glossary
from malecon.text import chapter as text_chapter
from malecon.text import tips as text_tips
from malecon.text.rulebook import Suggestion

#: Shown once to those who wait, in phases that have no tip of their own.
WAITING = say("The others are playing. Watch what they do; you can read it all again under “What happened”.")
#: Shown when there is nothing more to explain.
GO_ON = say("Go on as you like: you have seen how this works.")


def tip(match: Match, seat: int | None) -> Phrase | None:
    """Return what a beginner on this seat should know now; None for spectators, and in games without tips."""
    tips = text_tips(match.game)
    if seat is None or not (tips.mine or tips.others):
        return None
    if match.is_over:
        return closing(match, seat)
    current = _TipSequence(match, tips, seat).now()
    first = not any(turn.seat == seat for turn in match.history)
    suggested = suggestion(match, seat)
    phrases = [tips.goal if first else None, current, suggested.why if suggested else None]
    return _in_a_row([phrase for phrase in phrases if phrase is not None]) or _reminder(match, seat)


def suggestion(match: Match, seat: int | None) -> Suggestion | None:
    """Return the move that the script of the first round suggests to this seat, if any."""
    suggests = text_tips(match.game).suggests
    if suggests is None or seat is None or match.turn != seat:
        return None
    legal = [str(move) for move in match.legal_moves]
    suggested = suggests(match.view(seat).position, seat, legal)
    return suggested if suggested is not None and suggested.move in legal else None


def _in_a_row(phrases: Sequence[Phrase]) -> Phrase | None:
    if len(phrases) < 2:
        return phrases[0] if phrases else None
    return say("{first} {second}", first=phrases[0], second=_in_a_row(phrases[1:]) or "")


def _reminder(match: Match, seat: int) -> Phrase:
    """Return how far the game is and the seat's points, for when there is no new tip."""
    chapter = text_chapter(match.everything())
    if chapter is None:
        return GO_ON
    points = naming.points(int(match.view(seat).position.points[seat]))
    return say("{chapter}. You have {points}.", chapter=chapter, points=points)


def closing(match: Match, seat: int) -> Phrase:
    """Return what brought the winner, and the beginner, most points."""
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
    """Return lessons to try after the game: first about the sources in which the beginner was furthest behind."""
    if seat is None or not match.is_over:
        return ()
    scores = match.scores
    own = scores[seat].breakdown
    behind = {
        source: max(score.breakdown[source] for score in scores if score.seat != seat) - points
        for source, points in own.items()
    }
    return suggested(
        match.game.name, sorted((source for source in behind if behind[source] > 0), key=lambda source: -behind[source])
    )


class _TipSequence:
    """Replays the game and gives each tip where it fits first, and only there."""

    def __init__(self, match: Match, tips: Tips, seat: int) -> None:
        self._match, self._tips, self._seat = match, tips, seat
        self._given: dict[tuple[bool, str, int], int] = {}  # the number of decisions before each

    def now(self) -> Phrase | None:
        decisions, phrase = 0, None
        for number in range(len(self._match) + 1):
            position = self._match.position_after(number)
            actor = verbs.actor(position)
            if actor >= 0:
                phrase = self._at(position, actor == self._seat, decisions)
            decisions += actor == self._seat
        return phrase

    def _at(self, position: Position, own_turn: bool, decisions: int) -> Phrase | None:
        phase = self._match.game.phases[int(position.phase)]
        for number, tip in enumerate(self._of(phase, own_turn)):
            phrase = tip if isinstance(tip, Phrase) else tip(position, self._seat)
            key = (own_turn, phase, number)
            if phrase is not None and self._given.setdefault(key, decisions) == decisions:
                return phrase
        if not own_turn and self._given.setdefault((False, "", 0), decisions) == decisions:
            return WAITING
        return None

    def _of(self, phase: str, own_turn: bool) -> Sequence[Tip]:
        tips = (self._tips.mine if own_turn else self._tips.others).get(phase, ())
        return (tips,) if isinstance(tips, Phrase) else tips
