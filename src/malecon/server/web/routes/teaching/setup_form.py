"""The form on which a table is laid out by hand: every field with its value, and what was filled in, read back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.datastructures import FormData

from malecon.kernel.game import Game, Name
from malecon.kernel.phrases import Phrase, say
from malecon.teaching.analysis.position_fields import Field, FieldCell, Value, Values, setup_form_of


@dataclass(frozen=True)
class FormEntry:
    """One value on the form."""

    key: str
    names: tuple[Name, ...]
    value: Value
    choices: tuple[tuple[str, Name], ...] = ()


@dataclass(frozen=True)
class FormField:
    """A field on the form, with all its values."""

    field: Field
    entries: tuple[FormEntry, ...]

    @property
    def kind(self) -> str:
        return "number" if self.field.choices is None else "several" if self.field.is_multiple else "choice"


def sheets(game: Game, players: int, values: Values) -> list[FormField]:
    """All fields, filled in."""
    return [FormField(field, tuple(_entry(cell, values) for cell in field.cells())) for field in _fields(game, players)]


def _fields(game: Game, players: int) -> Iterable[Field]:
    form = setup_form_of(game)
    return () if form is None else form.fields(players)


def _entry(cell: FieldCell, values: Values) -> FormEntry:
    choices = tuple(zip(cell.field.choices or (), cell.field.choice_names, strict=False))
    return FormEntry(cell.key, cell.names, values.get(cell.key), choices)


def read_values(game: Game, players: int, form: FormData) -> tuple[dict[str, Value], list[Phrase]]:
    """What was filled in, and what is no number. Whether a value fits is for the layout to say."""
    values: dict[str, Value] = {}
    problems: list[Phrase] = []
    for field in _fields(game, players):
        for cell in field.cells():
            sent = [value[:60] for value in form.getlist(cell.key) if isinstance(value, str)]
            if field.is_multiple:
                values[cell.key] = sent
            elif field.choices is not None:
                values[cell.key] = (sent[0] if sent else "") or None
            else:
                number = _number(sent[0] if sent else "")
                values[cell.key] = number
                if number is None:
                    text = say("{field} is a number from {low} to {high}, not {value}")
                    value = repr(sent[0] if sent else "")
                    problems.append(text.fill(field=cell.key, low=field.low, high=field.high, value=value))
    return values, problems


def _number(text: str) -> int | None:
    text = text.strip().replace("−", "-")
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 6 else None
