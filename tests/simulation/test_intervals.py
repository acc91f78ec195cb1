"""Confidence intervals for shares."""

from __future__ import annotations

import pytest

from malecon.simulation.intervals import wilson


def test_wilson_knows_the_textbook() -> None:
    assert wilson(10, 20) == pytest.approx((0.2993, 0.7007), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(0, 0) == (0, 1)
