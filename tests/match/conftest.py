"""What the tests of Match share."""

import pytest

import malecon
from tests.match.games import play_on


@pytest.fixture
def match():
    """A game of three with a seed, some moves old."""
    return play_on(malecon.new("santiago", 3, seed=11), 30)
