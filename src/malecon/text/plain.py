"""Plain words for a game that brings none of its own, or not all: moves in notation, whose turn it is, who has won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from malecon.kernel.common import naming
from malecon.kernel.phrases import Phrase, say
from malecon.text.lists import commas
from malecon.text.rulebook import Rulebook, Section, Tips

if TYPE_CHECKING:
    from malecon.kernel.game import Game, Name
    from malecon.kernel.journal import Event
    from malecon.kernel.verbs import Position
    from malecon.kernel.view import Outcome


def as_it_stands(text: str) -> Phrase:
    """A text that no catalog knows, as a phrase."""
    return say("{text}", text=text)


def holdings(game: Game, position: Position, players: int) -> tuple[list[tuple[str, str]], list[tuple[str, list[str]]]]:
    """What a position holds, field by field: what all share, and what each seat has of its own.

    A field with as many entries as the game has seats is taken for the seats'.
    """
    shared: list[tuple[str, str]] = []
    own: list[tuple[str, list[str]]] = []
    for field in position.dtype.names:
        value, name = position[field], field.replace("_", " ")
        if field == "phase":
            shared.append((name, game.phases[int(value)]))
        elif value.shape and len(value) == game.most_players:
            own.append((name, [_numbers(value[seat]) for seat in range(players)]))
        else:
            shared.append((name, _numbers(value)))
    return shared, own


def _numbers(value: Any) -> str:
    return " ".join(str(number) for number in value.ravel().tolist())


class PlainWords:
    """Everything that `words` asks of a game, made of what the game tells about itself."""

    LINE: Phrase | None = None
    RULEBOOK: Rulebook | None = None
    TIPS = Tips()
    WAYS_OUT: frozenset[int] = frozenset()

    def __init__(self, game: Game) -> None:
        self._game = game

    def chapter(self, position: Position) -> Phrase | None:
        return None

    def summary(self, position: Position, names: Sequence[Name]) -> list[Phrase]:
        return []

    def sections(self, position: Position, names: Sequence[Name]) -> list[Section]:
        shared, own = holdings(self._game, position, len(names))
        lines = [as_it_stands(f"{name}: {value}.") for name, value in shared]
        lines += [say("{who}: {move}.", who=names[seat], move=f"{name} {values[seat]}") for name, values in own
                  for seat in range(len(names))]  # fmt: skip
        return [Section(as_it_stands(self._game.title), tuple(lines))]

    def describe_move(self, position: Position, code: int, names: Sequence[Name]) -> Phrase:
        return as_it_stands(self._game.notation.name(code))

    def heading(self, position: Position, code: int) -> Phrase | None:
        return None

    def tell_move(
        self, before: Position, after: Position, code: int, events: Sequence[Event], names: Sequence[Name]
    ) -> list[Phrase]:
        from malecon.kernel import verbs

        seat, move = int(verbs.actor(before)), self._game.notation.name(code)
        who = names[seat] if seat >= 0 else Phrase("Chance", context="seat")
        return [say("{who}: {move}.", who=who, move=move)]

    def tell_event(
        self, before: Position, after: Position, code: int, events: Sequence[Event], number: int, names: Sequence[Name]
    ) -> Phrase | None:
        return None

    def tell_result(self, outcome: Outcome, names: Sequence[Name]) -> list[Phrase]:
        points = naming.points(outcome.points[outcome.winners[0]])
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
