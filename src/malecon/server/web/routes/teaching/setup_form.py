"""The form on which a table is laid out by hand: every field with its value, and what was filled in, read back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.datastructures import FormData

from malecon.kernel.game import Game, Name
from malecon.kernel.phrases import Phrase, say
from malecon.teaching.analysis.layout import Cell, Field, Value, Values, layout_of


@dataclass(frozen=True)
class Entry:
    """One value on the form."""

    key: str
    names: tuple[Name, ...]
    value: Value
    choices: tuple[tuple[str, Name], ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A field on the form, with all its values."""

    field: Field
    entries: tuple[Entry, ...]

    @property
    def kind(self) -> str:
        return "number" if self.field.choices is None else "several" if self.field.several else "choice"


def sheets(game: Game, players: int, values: Values) -> list[Sheet]:
    """All fields, filled in."""
    return [Sheet(field, tuple(_entry(cell, values) for cell in field.cells())) for field in _fields(game, players)]


def _fields(game: Game, players: int) -> Iterable[Field]:
    layout = layout_of(game)
    return () if layout is None else layout.fields(players)


def _entry(cell: Cell, values: Values) -> Entry:
    choices = tuple(zip(cell.field.choices or (), cell.field.said, strict=False))
    return Entry(cell.key, cell.names, values.get(cell.key), choices)


def read_values(game: Game, players: int, form: FormData) -> tuple[dict[str, Value], list[Phrase]]:
    """What was filled in, and what is no number. Whether a value fits is for the layout to say."""
    values: dict[str, Value] = {}
    problems: list[Phrase] = []
    for field in _fields(game, players):
        for cell in field.cells():
            sent = [one[:60] for one in form.getlist(cell.key) if isinstance(one, str)]
            if field.several:
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
