"""Positions set up by hand: every field by its name, each value checked by itself and then against the others.

Compiled rules do not check a position, so nothing that is refused here may ever reach them. A game's module
`setup_form` says which fields there are, which of them follow from others, and which values contradict each other.
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

#: A number, the key of a thing, keys of several, or nothing.
Value: TypeAlias = int | str | list[str] | None
Values: TypeAlias = Mapping[str, Value]
#: The number that stands for nothing in a position.
NOTHING = -1
#: The seed of the first position.
SEED = 1


@dataclass(frozen=True)
class Axis:
    """A dimension of a field: it has a value for each seat, each good …; keys for files, names for people."""

    keys: tuple[str, ...]
    names: tuple[Name, ...]
    first: int = 0  # the index of the first value


@dataclass(frozen=True)
class FieldCell:
    """One value of a field: its key in files and forms, its index in the position, and its names for people."""

    key: str
    field: PositionField
    index: tuple[int, ...]
    names: tuple[Name, ...]


@dataclass(frozen=True)
class PositionField:
    """A field of a position as people set it: a number, one of several choices, or any number of them."""

    name: str
    label: Phrase
    axes: tuple[Axis, ...] = ()
    low: int = 0
    high: int = 0
    choices: Mapping[str, int] | None = None
    choice_names: tuple[Name, ...] = ()
    optional: bool = False  # may be nothing
    is_multiple: bool = False  # any number of the choices, a bit for each

    def cells(self) -> Iterator[FieldCell]:
        """Yield every value of the field."""
        for places in itertools.product(*(range(len(axis.keys)) for axis in self.axes)):
            keys = [axis.keys[place] for axis, place in zip(self.axes, places, strict=True)]
            names = tuple(axis.names[place] for axis, place in zip(self.axes, places, strict=True))
            index = tuple(axis.first + place for axis, place in zip(self.axes, places, strict=True))
            yield FieldCell(".".join([self.name, *keys]), self, index, names)

    def read(self, number: int) -> Value:
        """Return what a number in the position stands for."""
        if self.choices is None:
            return number
        if self.is_multiple:
            return [key for key, bit in self.choices.items() if number >> bit & 1]
        return next((key for key, code in self.choices.items() if code == number), None)

    def write(self, key: str, value: object) -> int:
        """Return the number for the position; raise BadSetup if the field cannot have this value."""
        if self.choices is None:
            if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
                text = say("{field} is a number from {low} to {high}, not {value}")
                raise BadSetup(text.fill(field=key, low=self.low, high=self.high, value=repr(value)[:40]))
            return value
        if self.is_multiple:
            if not isinstance(value, list) or not all(isinstance(part, str) and part in self.choices for part in value):
                raise self._unknown(key, value)
            return sum(1 << self.choices[part] for part in set(value))
        if value is None and self.optional:
            return NOTHING
        if not isinstance(value, str) or value not in self.choices:
            raise self._unknown(key, value)
        return self.choices[value]

    def _unknown(self, key: str, value: object) -> BadSetup:
        text = say("{name} cannot be {value}; choose from: {known}")
        return BadSetup(text.fill(name=key, value=repr(value)[:40], known=", ".join(self.choices or ())))


def number_field(name: str, label: Phrase, low: int, high: int, *axes: Axis) -> PositionField:
    """Return a field of numbers."""
    return PositionField(name, label, axes, low, high)


def choice_field(
    name: str, label: Phrase, keys: Sequence[str], names: Sequence[Name], *axes: Axis, none: bool = False
) -> PositionField:
    """Return a field that holds one of several things, by its number; with `none`, it may also hold nothing."""
    choices = {key: n for n, key in enumerate(keys)}
    return PositionField(name, label, axes, choices=choices, choice_names=tuple(names), optional=none)


def set_field(name: str, label: Phrase, keys: Sequence[str], names: Sequence[Name], *axes: Axis) -> PositionField:
    """Return a field that holds any number of things, a bit for each."""
    choices = {key: n for n, key in enumerate(keys)}
    return PositionField(name, label, axes, choices=choices, choice_names=tuple(names), is_multiple=True)


def phase_field(game: Game, phases: Sequence[int], names: Mapping[str, Phrase]) -> PositionField:
    """Return the field of the phase, with those phases in which a player decides and which the fields can express."""
    keys = [game.phases[phase] for phase in phases]
    labels = tuple(names.get(key) or say("{text}", text=key) for key in keys)
    choices = dict(zip(keys, phases, strict=True))
    return PositionField("phase", say("What is to be decided"), choices=choices, choice_names=labels)


class SetupForm(Protocol):
    """What a game's module `setup_form` provides."""

    FIRST_PHASE: str  # of the position that a form begins with

    def fields(self, players: int) -> tuple[PositionField, ...]:
        """Return all fields that people set."""

    def complete(self, position: Position) -> None:
        """Set the fields that follow from others."""

    def violations(self, position: Position) -> list[Phrase]:
        """Return a sentence for every reason why the position is impossible; every value fits by itself."""


class BadPosition(BadSetup):
    """Values that fit by themselves but contradict each other; `violations` has a sentence for each reason."""

    def __init__(self, violations: Sequence[Phrase]) -> None:
        self.violations = tuple(violations)
        super().__init__(violations[0])


def setup_form_of(game: Game) -> SetupForm | None:
    """Return the form on which positions of a game are set up, or None if the game has none."""
    return cast("SetupForm | None", registry.component(game.name, "setup_form"))


def _setup_form(game: Game) -> SetupForm:
    form = setup_form_of(game)
    if form is None:
        raise BadSetup(say("positions of {game} cannot be laid out by hand", game=game.title))
    return form


def first_position(game: Game, players: int, options: Mapping[str, OptionValue] | None = None) -> Position:
    """Return the position a form begins with: each setup choice was the first offered; the first turn begins."""
    first_phase, match = _setup_form(game).FIRST_PHASE, Match(game, players, options=options, seed=SEED)
    while match.phase != first_phase:
        match.push(match.legal_moves[0])
    return match.position


def fields_of(game: Game, position: Position) -> dict[str, Value]:
    """Return all values of a position by their keys, without those that follow from others."""
    return {
        cell.key: field.read(int(position[field.name][cell.index] if cell.index else position[field.name]))
        for field in _setup_form(game).fields(int(position.players))
        for cell in field.cells()
    }


def position_from_fields(
    game: Game, players: int, values: Values, options: Mapping[str, OptionValue] | None = None
) -> Position:
    """Return the position with these values, others as in the first position; raise BadSetup if it is impossible."""
    form, position = _setup_form(game), first_position(game, players, options)
    cells = {cell.key: cell for field in form.fields(players) for cell in field.cells()}
    for key, value in values.items():
        if key not in cells:
            raise BadSetup(say("there is no field {name} on this table", name=repr(key)[:40]))
        cell = cells[key]
        code = cell.field.write(key, value)
        if cell.index:
            position[cell.field.name][cell.index] = code
        else:
            position[cell.field.name] = code
    form.complete(position)
    violations = form.violations(position)
    if not violations and not legal_codes(game, position):
        violations = [say("in this position there is nothing to decide")]
    if violations:
        raise BadPosition(violations)
    return as_array(position)[0]
