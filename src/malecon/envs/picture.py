"""A drawn table as pixels, and as text."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon import drawing
from malecon.drawing import raster
from malecon.kernel.errors import BadSetup
from malecon.kernel.extras import require
from malecon.kernel.phrases import say
from malecon.match import View

TEXT_WIDTH = 120
#: How an environment can show its table.
RENDER_MODES = ("human", "ansi", "rgb_array")


def render(view: View, mode: str) -> Any:
    """A table with nothing hidden: text for "ansi", printed for "human", pixels for "rgb_array"."""
    if mode == "rgb_array":
        return pixels(view)
    from rich.console import Console

    from malecon.terminal.boards import board

    page = None if mode == "human" else io.StringIO()
    Console(file=page, width=TEXT_WIDTH, highlight=False).print(board(view, "en"))
    return None if page is None else page.getvalue()


def check_render_mode(mode: str | None) -> str | None:
    """The mode, if there is such a one; BadSetup where there is not."""
    if mode is not None and mode not in RENDER_MODES:
        text = say("{name} cannot be {value}; choose from: {known}")
        raise BadSetup(text.fill(name="render_mode", value=repr(mode)[:40], known=", ".join(RENDER_MODES)))
    return mode


def pixels(view: View, width: int = 960) -> npt.NDArray[np.uint8]:
    """The table as a view shows it, with what lies before every seat: height × width × 3."""
    image = require("PIL.Image", "Pillow", "pettingzoo")
    png = raster.png(drawing.standalone(drawing.table(view, "en")), width)
    with image.open(io.BytesIO(png)) as opened:
        return np.asarray(opened.convert("RGB")).copy()
