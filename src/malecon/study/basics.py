"""The chapters of a game's study: its own, else those that can be told of any game from its results alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from malecon.kernel import registry
from malecon.kernel.game import Game
from malecon.kernel.phrases import Phrase, say
from malecon.study import chapters
from malecon.study.chapters import Chapter, Finding, Voice


class GameChapters(Protocol):
    """What the study of one game tells."""

    def all_chapters(self, voice: Voice) -> Sequence[Chapter]: ...
    def findings(self, voice: Voice) -> list[Finding]: ...
    def assumed(self) -> Phrase | None:
        """What is not known for sure of the game itself."""


class BasicChapters:
    """Who starts, how points spread, how long games last."""

    def all_chapters(self, voice: Voice) -> Sequence[Chapter]:
        same = say("The same level plays at every seat, so any difference is an effect of the position in turn order.")
        last = say("Counted in decisions, since time depends on who decides.")
        return chapters.starting(voice, same), chapters.points(voice), chapters.length(voice, last)

    def findings(self, voice: Voice) -> list[Finding]:
        return chapters.common_findings(voice)

    def assumed(self) -> Phrase | None:
        return None


def chapters_of(game: Game) -> GameChapters:
    """What a study tells of this game."""
    return registry.with_overrides(BasicChapters(), registry.component(game.name, "study"))
