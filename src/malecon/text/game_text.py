"""What can be said about any game: the moves, the story so far, the prompts, the glossary. No game is named here.

Each function asks the module `words` of the game; `GameWords` is what such a module may provide. What it does not, is
said plainly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol, cast

from malecon.kernel.phrases import Phrase, say
from malecon.text.languages import bring_catalogs
from malecon.text.plain import PlainWords, as_it_stands
from malecon.text.rulebook import Rulebook, Section, Tips

if TYPE_CHECKING:  # words alone, for an error or a help page, do not load the engine
    from malecon.kernel.game import Game, Name
    from malecon.kernel.journal import Event
    from malecon.kernel.verbs import Position
    from malecon.kernel.view import Move, Outcome, Turn, View


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

    LINE: Phrase | None  # what the home page says of the game
    RULEBOOK: Rulebook | None
    TIPS: Tips  # for the first game
    WAYS_OUT: frozenset[int]  # families of moves that decline what is offered

    def chapter(self, position: Position) -> Phrase | None:
        """Which part of the game this is, where it has parts: “Round 2 of 6”."""

    def summary(self, position: Position, names: Sequence[Name]) -> list[Phrase]:
        """The few things somebody asks first who cannot see the board."""

    def sections(self, position: Position, names: Sequence[Name]) -> list[Section]:
        """All that lies on the table, part by part."""

    def describe_move(self, position: Position, code: int, names: Sequence[Name]) -> Phrase:
        """What a button for a legal move says."""

    def heading(self, position: Position, code: int) -> Phrase | None:
        """Under which heading a move stands in a long list, if any."""

    def tell_move(
        self, before: Position, after: Position, code: int, events: Sequence[Event], names: Sequence[Name]
    ) -> list[Phrase]:
        """What a move did, for whom, as sentences."""

    def tell_event(
        self, before: Position, after: Position, code: int, events: Sequence[Event], number: int, names: Sequence[Name]
    ) -> Phrase | None:
        """The one sentence that tells an event of a move, if there is one."""

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
    """Plain words, each replaced by the game's own where it has any."""
    from malecon.kernel import registry

    folder = registry.data_file(name, "catalogs")
    if folder is not None:
        bring_catalogs(folder)
    return cast(GameWords, registry.with_overrides(PlainWords(registry.get(name)), registry.component(name, "text")))


def game_words(game: Game) -> GameWords:
    """The words of a game."""
    return _words(game.name)


def describe_move(seen: Seen, move: Move | int) -> Phrase:
    """What a button for a move says: “Drive to José for 2 pesos”. The move must be legal here."""
    code = move if isinstance(move, int) else move.code
    return game_words(seen.game).describe_move(seen.position, code, seen.names)


def heading(seen: Seen, move: Move) -> Phrase | None:
    """What a move has in common with others in a long list: “Buy”, “Black market: give 1 rum”."""
    return game_words(seen.game).heading(seen.position, move.code)


def is_way_out(seen: Seen, move: Move) -> bool:
    """Whether a move declines what is offered, or ends what one is doing."""
    return seen.game.notation.read(move.code).family in game_words(seen.game).WAYS_OUT


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
    from malecon.kernel.journal import events, new_journal
    from malecon.kernel.playing import tell_move

    words, after = game_words(match.game), match.everything(first).position
    for index, turn in enumerate(match.history[first:], first):
        before, journal = after.copy(), new_journal()
        code = cast("Move", turn.move).code  # only a view may not know a move
        is_too_long = tell_move(after, code, index, journal)
        lines = words.tell_move(before, after, code, events(journal), match.names)
        if is_too_long:
            lines.insert(1, _too_long())
        if index == len(match) - 1 and match.outcome is not None:
            lines += words.tell_result(match.outcome, match.names)
        yield lines


def too_long(match: Course) -> Phrase | None:
    """Why the game has ended, where it is its length and not the rules."""
    from malecon.kernel.playing import is_too_long

    if not match.history:
        return None
    last = len(match) - 1
    code = cast("Move", match.history[last].move).code
    return _too_long() if is_too_long(match.everything(last).position, code, last) else None


def _too_long() -> Phrase:
    from malecon.kernel.playing import LONGEST_GAME

    return say("The game ends here: it has lasted {moves} moves, the most a game may have.", moves=LONGEST_GAME)


def chapter(seen: Seen) -> Phrase | None:
    """Which part of the game this is, where it has parts."""
    return game_words(seen.game).chapter(seen.position)


def summary(seen: Seen) -> list[Phrase]:
    """How the game stands, in a few sentences."""
    return game_words(seen.game).summary(seen.position, seen.names)


def sections(seen: Seen) -> list[Section]:
    """All that lies on the table, in sentences, part by part."""
    return game_words(seen.game).sections(seen.position, seen.names)


def chapters(match: Course) -> list[int]:
    """After how many moves each part of the game begins."""
    from malecon.kernel import verbs

    words, position = game_words(match.game), match.everything(0).position
    found, last = [], None
    for number, turn in enumerate(match.history):
        now = words.chapter(position)
        if now != last:
            found.append(number)
            last = now
        verbs.play(position, cast("Move", turn.move).code)
    return found


def glossary(game: Game) -> Glossary:
    """The names of everything in a game, each with one sentence of explanation."""
    return _glossary(game.name)


@cache
def _glossary(name: str) -> Glossary:
    """What the game explains; and, by their keys, the things that every game has, where it does not name them."""
    from malecon.kernel import registry

    game = registry.get(name)
    own = game_words(game).glossary()
    found = {kind: dict(entries) for kind, entries in own.items()}
    for kind, keys in (("sources", ("start", *game.sources)), ("criteria", game.criteria), ("options", game.options)):
        entries = found.setdefault(kind, {})
        for key in keys:
            entries.setdefault(key, Entry(as_it_stands(key), as_it_stands(key)))
    return found


def line(game: Game) -> Phrase | None:
    """What the home page says of a game, if it says anything."""
    return game_words(game).LINE


def rulebook(game: Game) -> Rulebook | None:
    """A game's rules in its own words; None where they are not written."""
    return game_words(game).RULEBOOK


def tips(game: Game) -> Tips:
    """What a beginner should know, by phase."""
    return game_words(game).TIPS
