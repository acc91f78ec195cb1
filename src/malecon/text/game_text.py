"""What can be said about any game: moves, the log, prompts, the glossary. A game's own text is found by its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, cast

from malecon.kernel.common.naming import points
from malecon.kernel.phrases import Phrase, say
from malecon.text.languages import translate
from malecon.text.lists import commas
from malecon.text.rulebook import Rulebook, Section, Tips

if TYPE_CHECKING:  # words as_array, for an error or a help page, do not load the engine
    from malecon.kernel.game import Game, Name
    from malecon.kernel.journal import Event
    from malecon.kernel.line import Step
    from malecon.kernel.verbs import Position
    from malecon.kernel.view import Move, Outcome, Turn, View


@dataclass(frozen=True)
class GlossaryEntry:
    """A thing's name and one sentence that explains it."""

    name: Phrase
    text: Phrase


#: Entries by kind and key: `glossary(game)["buildings"]["bank"]`. The keys are those of notation and `Game`.
Glossary = Mapping[str, Mapping[str, GlossaryEntry]]


class Seen(Protocol):
    """A game in progress as somebody sees it: a `View` or a `Match`."""

    @property
    def game(self) -> Game: ...
    @property
    def position(self) -> Position: ...
    @property
    def names(self) -> tuple[Name, ...]: ...


class GameWithHistory(Seen, Protocol):
    """A game from its first move on, with nothing hidden: a `Match`."""

    @property
    def history(self) -> Sequence[Turn]: ...
    @property
    def outcome(self) -> Outcome | None: ...
    def __len__(self) -> int: ...
    def everything(self, moves: int) -> View: ...


class GameText:
    """What can be said about a game, in plain sentences. A game's module `text` replaces any of it by its own.

    Positions may be views: another seat's holdings may be unknown.
    """

    LINE: Phrase | None = None  # what the home page says about the game
    RULEBOOK: Rulebook | None = None
    TIPS = Tips()  # for the first game
    WAYS_OUT: frozenset[int] = frozenset()  # families of moves that decline what is offered

    def __init__(self, game: Game) -> None:
        self._game = game

    def chapter(self, position: Position) -> Phrase | None:
        """Return which part of the game this is, if it has parts: “Round 2 of 6”."""
        return None

    def summary(self, position: Position, names: Sequence[Name]) -> list[Phrase]:
        """Return what a player who cannot see the board asks first."""
        return []

    def sections(self, position: Position, names: Sequence[Name]) -> list[Section]:
        """Return everything on the table, part by part."""
        shared, own = holdings(self._game, position, len(names))
        lines = [verbatim(f"{name}: {value}.") for name, value in shared]
        for name, values in own:
            for seat, who in enumerate(names):
                lines.append(say("{who}: {move}.", who=who, move=f"{name} {values[seat]}"))
        return [Section(verbatim(self._game.title), tuple(lines))]

    def screen(self, position: Position, names: Sequence[Name], language: str) -> list[tuple[str, list[str]]]:
        """Return the table for one screen of plain text: titles with rows; what is unknown is `?`."""
        return [
            (translate(part.title, language), [translate(row, language) for row in part.lines])
            for part in self.sections(position, names)
        ]

    def describe_move(self, position: Position, code: int, names: Sequence[Name]) -> Phrase:
        """Return the label of a legal move's button."""
        return verbatim(self._game.notation.name(code))

    def heading(self, position: Position, code: int) -> Phrase | None:
        """Return the heading of a move in a long list, if it has one."""
        return None

    def tell_move(
        self, before: Position, after: Position, code: int, events: Sequence[Event], names: Sequence[Name]
    ) -> list[Phrase]:
        """Return sentences about what a move did, and for whom."""
        from malecon.kernel import verbs

        seat, move = int(verbs.actor(before)), self._game.notation.name(code)
        who = names[seat] if seat >= 0 else Phrase("Chance", context="seat")
        return [say("{who}: {move}.", who=who, move=move)]

    def tell_event(
        self, before: Position, after: Position, code: int, events: Sequence[Event], number: int, names: Sequence[Name]
    ) -> Phrase | None:
        """Return the one sentence about an event of a move, if there is one."""
        return None

    def tell_result(self, outcome: Outcome, names: Sequence[Name]) -> list[Phrase]:
        """Return who has won and what decided."""
        best = points(outcome.points[outcome.winners[0]])
        return tell_usual_result(outcome, names) or [
            say("{winner} wins with {points}.", winner=names[outcome.winners[0]], points=best)
        ]

    def prompt_actor(self, position: Position, names: Sequence[Name]) -> Phrase:
        """Return what the seat that decides now is asked for."""
        return say("Choose your move")

    def prompt_others(self, position: Position, names: Sequence[Name]) -> Phrase:
        """Return what all other seats wait for."""
        from malecon.kernel import verbs

        seat = int(verbs.actor(position))
        if seat >= 0:
            return say("Waiting for {who}", who=names[seat])
        return say("Waiting for chance") if seat == verbs.CHANCE else say("The game is over")

    def glossary(self) -> Glossary:
        """Return everything that has a name."""
        return {}


def verbatim(text: str) -> Phrase:
    """Return a phrase that is not translated."""
    return say("{text}", text=text)


def tell_usual_result(outcome: Outcome, names: Sequence[Name]) -> list[Phrase]:
    """Return who has won if the victory is shared or decided by points; nothing if something else decided."""
    best = points(outcome.points[outcome.winners[0]])
    if outcome.reason == "shared":
        winners = commas([names[seat] for seat in outcome.winners])
        return [say("A shared victory, with {points} each: {winners}.", points=best, winners=winners)]
    if outcome.reason == "points":
        return [say("{winner} wins with {points}.", winner=names[outcome.winners[0]], points=best)]
    return []


def holdings(game: Game, position: Position, players: int) -> tuple[list[tuple[str, str]], list[tuple[str, list[str]]]]:
    """Return the fields of a position as text: those that all seats share, and those that each seat has of its own.

    A field with as many entries as the game has seats belongs to the seats, unless the piece of an observation that
    has its name says otherwise.
    """
    from malecon.kernel.readable import is_of_seats

    others = {piece.name for piece in game.pieces if not is_of_seats(piece.axes[0])}
    shared: list[tuple[str, str]] = []
    own: list[tuple[str, list[str]]] = []
    for field in position.dtype.names:
        value, name = position[field], field.replace("_", " ")
        if field == "phase":
            shared.append((name, game.phases[int(value)]))
        elif value.shape and len(value) == game.most_players and field not in others:
            own.append((name, [_numbers(value[seat]) for seat in range(players)]))
        else:
            shared.append((name, _numbers(value)))
    return shared, own


def _numbers(value: Any) -> str:
    return " ".join(str(number) for number in value.ravel().tolist())


@cache
def _text_of(name: str) -> GameText:
    from malecon.kernel import registry

    return registry.with_overrides(GameText(registry.get(name)), registry.component(name, "text"))


def text_of(game: Game) -> GameText:
    """Return the text of a game: its own, and plain sentences for everything that it leaves out."""
    return _text_of(game.name)


def describe_move(seen: Seen, move: Move | int) -> Phrase:
    """Return the label of a legal move's button: “Drive to José for 2 pesos”."""
    code = move if isinstance(move, int) else move.code
    return text_of(seen.game).describe_move(seen.position, code, seen.names)


def heading(seen: Seen, move: Move) -> Phrase | None:
    """Return what a move has in common with others in a long list: “Buy”, “Black market: give 1 rum”."""
    return text_of(seen.game).heading(seen.position, move.code)


def is_way_out(seen: Seen, move: Move) -> bool:
    """Return whether a move declines what is offered, or ends what the player is doing."""
    return seen.game.notation.read(move.code).family in text_of(seen.game).WAYS_OUT


def prompt(seen: Seen, seat: int | None) -> Phrase:
    """Return what a seat is to do now, or whom it waits for; None is a spectator."""
    from malecon.kernel import verbs

    text, position = text_of(seen.game), seen.position
    ask = text.prompt_actor if seat is not None and seat == verbs.actor(position) else text.prompt_others
    return ask(position, seen.names)


def tell(match: GameWithHistory, index: int) -> list[Phrase]:
    """Return sentences about what the move of that number did, counted from 0; some moves have none."""
    if not 0 <= index < len(match):
        raise IndexError(f"this match has {len(match)} moves")
    return next(story(match, index))


def story(match: GameWithHistory, first: int = 0) -> Iterator[list[Phrase]]:
    """Yield what each move from the `first` on did: the whole log, or what is new in it, in one replay."""
    from malecon.kernel.line import make_step

    text, position = text_of(match.game), match.everything(first).position
    for index, turn in enumerate(match.history[first:], first):
        code = cast("Move", turn.move).code  # only a view may not know a move
        step = make_step(position, code, index)
        position = step.after
        lines = tell_step(match.game, step, match.names)
        if step.is_too_long:
            lines.insert(1, _too_long())
        if index == len(match) - 1 and match.outcome is not None:
            lines += text.tell_result(match.outcome, match.names)
        yield lines


def tell_step(game: Game, step: Step, names: Sequence[Name]) -> list[Phrase]:
    """Return what a move of a line did, as sentences."""
    return text_of(game).tell_move(step.before, step.after, step.code, step.events, names)


def too_long(match: GameWithHistory) -> Phrase | None:
    """Return why the game has ended if it has lasted too long; None if the rules ended it."""
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
    """Return which part of the game this is, if it has parts."""
    return text_of(seen.game).chapter(seen.position)


def summary(seen: Seen) -> list[Phrase]:
    """Return how the game stands, in a few sentences."""
    return text_of(seen.game).summary(seen.position, seen.names)


def sections(seen: Seen) -> list[Section]:
    """Return everything on the table as sentences, part by part."""
    return text_of(seen.game).sections(seen.position, seen.names)


def chapters(match: GameWithHistory) -> list[int]:
    """Return after how many moves each part of the game begins."""
    from malecon.kernel import verbs

    text, position = text_of(match.game), match.everything(0).position
    starts, last = [], None
    for number, turn in enumerate(match.history):
        now = text.chapter(position)
        if now != last:
            starts.append(number)
            last = now
        verbs.play(position, cast("Move", turn.move).code)
    return starts


def glossary(game: Game) -> Glossary:
    """Return the names of everything in a game, each with one sentence of explanation."""
    return _glossary(game.name)


@cache
def _glossary(name: str) -> Glossary:
    """Return what the game explains. Sources, criteria and options that it leaves out have their keys as names."""
    from malecon.kernel import registry

    game = registry.get(name)
    own = text_of(game).glossary()
    kinds = {kind: dict(entries) for kind, entries in own.items()}
    for kind, keys in (("sources", ("start", *game.sources)), ("criteria", game.criteria), ("options", game.options)):
        entries = kinds.setdefault(kind, {})
        for key in keys:
            entries.setdefault(key, GlossaryEntry(verbatim(key), verbatim(key)))
    return kinds


def line(game: Game) -> Phrase | None:
    """Return what the home page says about a game, if anything."""
    return text_of(game).LINE


def number_of_players(game: Game) -> Phrase:
    """Return how many can play a game: “For 2 to 5 players”."""
    if game.fewest_players == game.most_players:
        return say("For {n} players", n=game.most_players)
    return say("For {fewest} to {most} players", fewest=game.fewest_players, most=game.most_players)


def rulebook(game: Game) -> Rulebook | None:
    """Return a game's rules page; None if it has none."""
    return text_of(game).RULEBOOK


def tips(game: Game) -> Tips:
    """Return what a beginner should know, by phase."""
    return text_of(game).TIPS
