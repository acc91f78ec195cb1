"""Positions laid out by hand: every field by its name, each value checked, and then whether all of it can lie there.

Compiled rules do not check what they are given, so nothing refused here may ever reach them. Which fields a game
has, what follows from others and what contradicts what is in a module of its own, such as `santiago`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, cast

from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game, Name, OptionValue
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.positions import as_array
from malecon.kernel.verbs import Position
from malecon.kernel.view import legal_codes
from malecon.match import Match

#: A number, the name of a thing, names of several, or nothing.
Value: TypeAlias = int | str | list[str] | None
Values: TypeAlias = Mapping[str, Value]
#: What stands for nothing in a record.
NOTHING = -1
#: The seed of the table that is laid out first.
SEED = 1


@dataclass(frozen=True)
class Axis:
    """What a field has one value for: each seat, each good …; keys for files, names for people."""

    keys: tuple[str, ...]
    names: tuple[Name, ...]
    first: int = 0  # the index of the first of them


@dataclass(frozen=True)
class Cell:
    """One value of a field: its key in files and forms, where it is in the record, and what people call it."""

    key: str
    field: Field
    index: tuple[int, ...]
    names: tuple[Name, ...]


@dataclass(frozen=True)
class Field:
    """A field of a position as people set it: a number, one of several things, or any of them (`several`)."""

    name: str
    label: Phrase
    axes: tuple[Axis, ...] = ()
    low: int = 0
    high: int = 0
    choices: Mapping[str, int] | None = None
    said: tuple[Name, ...] = ()
    optional: bool = False
    several: bool = False

    def cells(self) -> Iterator[Cell]:
        """Every value of the field."""
        for places in itertools.product(*(range(len(axis.keys)) for axis in self.axes)):
            keys = [axis.keys[place] for axis, place in zip(self.axes, places, strict=True)]
            names = tuple(axis.names[place] for axis, place in zip(self.axes, places, strict=True))
            index = tuple(axis.first + place for axis, place in zip(self.axes, places, strict=True))
            yield Cell(".".join([self.name, *keys]), self, index, names)

    def read(self, number: int) -> Value:
        """What a number in the record stands for."""
        if self.choices is None:
            return number
        if self.several:
            return [key for key, bit in self.choices.items() if number >> bit & 1]
        return next((key for key, meant in self.choices.items() if meant == number), None)

    def write(self, key: str, value: object) -> int:
        """The number for the record; BadSetup where the value cannot be."""
        if self.choices is None:
            if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
                text = say("{field} is a number from {low} to {high}, not {value}")
                raise BadSetup(text.fill(field=key, low=self.low, high=self.high, value=repr(value)[:40]))
            return value
        if self.several:
            if not isinstance(value, list) or not all(isinstance(one, str) and one in self.choices for one in value):
                raise self._unknown(key, value)
            return sum(1 << self.choices[one] for one in set(value))
        if value is None and self.optional:
            return NOTHING
        if not isinstance(value, str) or value not in self.choices:
            raise self._unknown(key, value)
        return self.choices[value]

    def _unknown(self, key: str, value: object) -> BadSetup:
        known = ", ".join(self.choices or ())
        text = say("{name} cannot be {value}; choose from: {known}")
        return BadSetup(text.fill(name=key, value=repr(value)[:40], known=known))


def number(name: str, label: Phrase, low: int, high: int, *axes: Axis) -> Field:
    """A field of numbers."""
    return Field(name, label, axes, low, high)


def choice(
    name: str, label: Phrase, keys: Sequence[str], said: Sequence[Name], *axes: Axis, none: bool = False
) -> Field:
    """A field that holds one thing, by its number; with `none`, or nothing."""
    return Field(name, label, axes, choices={key: n for n, key in enumerate(keys)}, said=tuple(said), optional=none)


def several(name: str, label: Phrase, keys: Sequence[str], said: Sequence[Name], *axes: Axis) -> Field:
    """A field with a bit for each thing."""
    return Field(name, label, axes, choices={key: n for n, key in enumerate(keys)}, said=tuple(said), several=True)


def of_phases(game: Game, wanted: Sequence[int], said: Mapping[str, Phrase]) -> Field:
    """The phase: only such in which a player decides, and which fields can tell."""
    keys = [game.phases[phase] for phase in wanted]
    names = tuple(said.get(key) or say("{text}", text=key) for key in keys)
    return Field("phase", say("What is to be decided"), choices=dict(zip(keys, wanted, strict=True)), said=names)


class GameLayout(Protocol):
    """What a game's own module provides."""

    HOME: str  # the phase in which a laid-out table begins

    def fields(self, players: int) -> tuple[Field, ...]:
        """All fields that people set."""

    def complete(self, position: Position) -> None:
        """Work out the fields that follow from others."""

    def problems(self, position: Position) -> list[Phrase]:
        """What cannot be; every value by itself is known to fit."""


class BadPosition(BadSetup):
    """Values that fit by themselves, but cannot lie on one table; `problems` has a sentence for each reason."""

    def __init__(self, problems: Sequence[Phrase]) -> None:
        self.problems = tuple(problems)
        super().__init__(problems[0])


def layout_of(game: Game) -> GameLayout | None:
    """How a game is laid out; None where nobody has written it down."""
    return cast("GameLayout | None", registry.component(game.name, "setup_form"))


def _known(game: Game) -> GameLayout:
    found = layout_of(game)
    if found is None:
        raise BadSetup(say("positions of {game} cannot be laid out by hand", game=game.title))
    return found


def first_position(game: Game, players: int, options: Mapping[str, OptionValue] | None = None) -> Position:
    """A table to begin with: set up, everybody has chosen the first that is offered, and the first turn begins."""
    home, match = _known(game).HOME, Match(game, players, options=options, seed=SEED)
    while match.phase != home:
        match.push(match.legal_moves[0])
    return match.position


def describe(game: Game, position: Position) -> dict[str, Value]:
    """All values of a position, by their keys; what follows from others is left out."""
    found: dict[str, Value] = {}
    for field in _known(game).fields(int(position.players)):
        for cell in field.cells():
            found[cell.key] = field.read(int(position[field.name][cell.index] if cell.index else position[field.name]))
    return found


def lay_out(game: Game, players: int, values: Values, options: Mapping[str, OptionValue] | None = None) -> Position:
    """The position with these values; those not named are as on the first table. BadSetup tells what is wrong."""
    layout, position = _known(game), first_position(game, players, options)
    cells = {cell.key: cell for field in layout.fields(players) for cell in field.cells()}
    for key, value in values.items():
        if key not in cells:
            raise BadSetup(say("there is no field {name} on this table", name=repr(key)[:40]))
        cell = cells[key]
        meant = cell.field.write(key, value)
        if cell.index:
            position[cell.field.name][cell.index] = meant
        else:
            position[cell.field.name] = meant
    layout.complete(position)
    problems = layout.problems(position)
    if not problems and not legal_codes(game, position):
        problems = [say("in this position there is nothing to decide")]
    if problems:
        raise BadPosition(problems)
    return as_array(position)[0]
