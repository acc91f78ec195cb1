"""A finished game as a record, and ways to spoil it."""

import json

import pytest

import malecon
from malecon import BadRecord, Match, Record
from malecon.kernel.randomness import below, randomness


def played(players: int = 3, seed: int = 7, **more) -> Match:
    """A finished game of random players."""
    match = malecon.new("santiago", players, seed=seed, **more)
    random = randomness(seed)
    while not match.is_over:
        match.push(match.legal_moves[below(random, len(match.legal_moves))])
    return match


FINISHED = played()
TEXT = FINISHED.record().to_json()
LINES = TEXT.splitlines()


def line_of(start: str) -> int:
    """The line, counted from 1, that begins so."""
    return next(number for number, line in enumerate(LINES, 1) if line.strip().startswith(start))


FIRST_MOVE = line_of('"chance: place')


def with_line(number: int, text: str) -> str:
    return "\n".join([*LINES[: number - 1], text, *LINES[number:]]) + "\n"


def changed(name: str, value: object) -> str:
    """The document with another value in a field that stands on one line; all lines stay where they are."""
    return with_line(line_of(f'"{name}":'), f'  "{name}": {json.dumps(value)}' + "," * (name != "result"))


def refused(text: str) -> BadRecord:
    """The error with which the document is refused, read or replayed."""
    with pytest.raises(BadRecord) as caught:
        Record.from_json(text).replay()
    assert str(caught.value)
    assert len(str(caught.value)) < 500
    return caught.value
