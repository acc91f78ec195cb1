"""A match in a notebook."""

from __future__ import annotations

import pytest

import malecon


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_a_match_draws_itself_once_the_table_is_laid(game: str) -> None:
    assert malecon.Match(game, 2)._repr_svg_() is None
    drawn = malecon.new(game, 2, seed=1)._repr_svg_()
    assert drawn is not None
    assert drawn.startswith("<svg")
