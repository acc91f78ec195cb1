"""The outline of what can be done: it stands out by brightness alone, whatever it lies on, by day and by night."""

from __future__ import annotations

import pytest

from malecon.drawing.palette import COLOURS
from malecon.drawing.scene import halo


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("time", ["day", "night"])
def test_one_of_its_two_lines_stands_out_against_everything(time: str) -> None:
    glow, casing = (getattr(COLOURS[name], time) for name in ("glow", "casing"))
    assert contrast(glow, casing) >= 9  # so one of them has 3:1 against any colour there is
    for name, shade in COLOURS.items():
        ground = getattr(shade, time)
        assert max(contrast(glow, ground), contrast(casing, ground)) >= 3, name


def test_it_is_two_lines() -> None:
    drawn = halo(1, 2, 30, 40, 5)
    assert drawn.count("<rect") == 2
    assert drawn.index("m-casing") < drawn.index("m-halo")  # the wider one lies below
