"""What can be said about any game: the moves, the story so far, the prompts, the glossary. No game is named here.

Each function asks the module of `words` that bears the game's name; `GameWords` is what such a module provides.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol, cast

from malecon.kernel.phrases import Phrase

if TYPE_CHECKING:  # words alone, for an error or a help page, do not load the engine
    from malecon.kernel.game import Game, Name
    from malecon.kernel.journal import Event
    from malecon.kernel.verbs import Position
    from malecon.view import Move, Outcome, Turn, View


@dataclass(frozen=True)
class Entry:
    """A thing's name and one sentence that explains it."""

    name: Phrase
    text: Phrase


#: Entries by kind and key: `glossary(game)["buildings"]["bank"]`. The keys are those of notation and `Game`.
Glossary = Mapping[str, Mapping[str, Entry]]


class Seen(Protocol):
    """A game in progress as somebody sees it: a `View` or a `Match`."""

    @property
    def game(self) -> Game: ...
    @property
    def position(self) -> Position: ...
    @property
    def names(self) -> tuple[Name, ...]: ...


class Course(Seen, Protocol):
    """A game from its first move on, with nothing hidden: a `Match`."""

    @property
    def history(self) -> tuple[Turn, ...]: ...
    @property
    def outcome(self) -> Outcome | None: ...
    def __len__(self) -> int: ...
    def everything(self, moves: int) -> View: ...


class GameWords(Protocol):
    """What the words of one game provide. Positions may be views: another seat's holdings may be unknown."""

    def describe_move(self, position: Position, code: int, names: Sequence[Name]) -> Phrase:
        """What a button for a legal move says."""

    def tell_move(
        self, before: Position, after: Position, code: int, events: Sequence[Event], names: Sequence[Name]
    ) -> list[Phrase]:
        """What a move did, for whom, as sentences."""

    def tell_result(self, outcome: Outcome, names: Sequence[Name]) -> list[Phrase]:
        """Who has won and what decided."""

    def prompt_actor(self, position: Position, names: Sequence[Name]) -> Phrase:
        """What the seat that decides now is asked for."""

    def prompt_others(self, position: Position, names: Sequence[Name]) -> Phrase:
        """What everybody else waits for."""

    def glossary(self) -> Glossary:
        """Everything with a name."""


@cache
def _words(name: str) -> GameWords:
    return cast(GameWords, importlib.import_module(f"malecon.words.{name}"))


def game_words(game: Game) -> GameWords:
    """The words of a game: the module of `words` that bears its name."""
    return _words(game.name)


def describe_move(seen: Seen, move: Move | int) -> Phrase:
    """What a button for a move says: “Drive to José for 2 pesos”. The move must be legal here."""
    code = move if isinstance(move, int) else move.code
    return game_words(seen.game).describe_move(seen.position, code, seen.names)


def prompt(seen: Seen, seat: int | None) -> Phrase:
    """What a seat is to do now, or whom it waits for; None is a spectator."""
    from malecon.kernel import verbs

    words, position = game_words(seen.game), seen.position
    ask = words.prompt_actor if seat is not None and seat == verbs.actor(position) else words.prompt_others
    return ask(position, seen.names)


def tell(match: Course, index: int) -> list[Phrase]:
    """What the move of that number did, as sentences: often one, sometimes none; moves are counted from 0."""
    if not 0 <= index < len(match):
        raise IndexError(f"this match has {len(match)} moves")
    return next(story(match, index))


def story(match: Course, first: int = 0) -> Iterator[list[Phrase]]:
    """What each move from the `first` on did: the whole log, or what is new in it, in one replay."""
    from malecon.kernel import verbs
    from malecon.kernel.journal import events, new_journal

    words, after = game_words(match.game), match.everything(first).position
    for index, turn in enumerate(match.history[first:], first):
        before, journal = after.copy(), new_journal()
        code = cast("Move", turn.move).code  # only a view may not know a move
        verbs.narrate(after, code, journal)
        lines = words.tell_move(before, after, code, events(journal), match.names)
        if index == len(match) - 1 and match.outcome is not None:
            lines += words.tell_result(match.outcome, match.names)
        yield lines


def glossary(game: Game) -> Glossary:
    """The names of everything in a game, each with one sentence of explanation."""
    return game_words(game).glossary()
