"""The type of positions: fields are attributes, as with NumPy's own records, and pickles need no game."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

from malecon.kernel import registry
from malecon.kernel.positions import PositionRecord, copy_positions, position_type


@pytest.mark.parametrize("name", registry.names())
def test_fields_are_attributes_that_can_be_read_and_written(name: str) -> None:
    game = registry.get(name)
    assert game.dtype.type is PositionRecord
    position = np.zeros(1, game.dtype)[0]
    for field in game.dtype.names or ():
        value = getattr(position, field)
        assert np.array_equal(value, position[field])
        if np.ndim(value):
            value[...] = 1  # a view of the record
        else:
            setattr(position, field, 1)
        assert np.all(position[field] == 1)
    with pytest.raises(AttributeError):
        _ = position.nothing_of_this_name
    with pytest.raises(AttributeError):
        position.nothing_of_this_name = 1


def test_a_field_does_not_hide_what_every_record_has() -> None:
    kind = position_type([("size", np.int8), ("own", np.int8)])
    record = np.ones(1, kind)[0]
    assert record.size == 1
    assert record.own == 1
    assert record["size"] == 1


def test_a_copy_is_independent() -> None:
    cells = np.zeros(2, registry.get("santiago").dtype)
    copied = copy_positions(cells)
    copied[0].car = 5
    assert cells[0].car == 0
    assert copied[0].car == 5


def test_a_pickle_can_be_read_without_its_game() -> None:
    position = np.zeros(1, registry.get("santiago").dtype)[0]
    position.car = 4
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).car)"
    result = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(position), capture_output=True)
    assert result.stdout.split() == [b"4"], result.stderr
