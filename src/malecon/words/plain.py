"""Plain words for a game that brings none of its own, or not all: moves in notation, whose turn it is, who has won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from malecon.kernel.phrases import Phrase, counted, say
from malecon.words.lists import commas
from malecon.words.rulebook import Rulebook, Tips

if TYPE_CHECKING:
    from malecon.kernel.game import Game, Name
    from malecon.kernel.journal import Event
    from malecon.kernel.verbs import Position
    from malecon.view import Outcome


def as_it_stands(text: str) -> Phrase:
    """A text that no catalog knows, as a phrase."""
    return say("{text}", text=text)


class PlainWords:
    """Everything that `words` asks of a game, made of what the game tells about itself."""

    LINE: Phrase | None = None
    RULEBOOK: Rulebook | None = None
    TIPS = Tips()

    def __init__(self, game: Game) -> None:
        self._game = game

    def describe_move(self, position: Position, code: int, names: Sequence[Name]) -> Phrase:
        return as_it_stands(self._game.notation.name(code))

    def tell_move(
        self, before: Position, after: Position, code: int, events: Sequence[Event], names: Sequence[Name]
    ) -> list[Phrase]:
        from malecon.kernel import verbs

        seat, move = int(verbs.actor(before)), self._game.notation.name(code)
        who = names[seat] if seat >= 0 else Phrase("Chance", context="seat")
        return [say("{who}: {move}.", who=who, move=move)]

    def tell_result(self, outcome: Outcome, names: Sequence[Name]) -> list[Phrase]:
        points = counted("{n} point", "{n} points", outcome.points[outcome.winners[0]])
        if outcome.reason == "shared":
            winners = commas([names[seat] for seat in outcome.winners])
            return [say("A shared victory, with {points} each: {winners}.", points=points, winners=winners)]
        return [say("{winner} wins with {points}.", winner=names[outcome.winners[0]], points=points)]

    def prompt_actor(self, position: Position, names: Sequence[Name]) -> Phrase:
        return say("Choose your move")

    def prompt_others(self, position: Position, names: Sequence[Name]) -> Phrase:
        from malecon.kernel import verbs

        seat = int(verbs.actor(position))
        if seat >= 0:
            return say("Waiting for {who}", who=names[seat])
        return say("Waiting for chance") if seat == verbs.CHANCE else say("The game is over")

    def glossary(self) -> Mapping[str, Mapping[str, Any]]:
        return {}
