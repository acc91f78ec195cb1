"""A drawn table as pixels. The drawing is the table's own; here its style is made plain enough for a rasteriser."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon import drawing
from malecon.drawing.palette import COLOURS
from malecon.kernel.errors import BadSetup
from malecon.kernel.extras import require
from malecon.kernel.phrases import say
from malecon.match import View

#: A rule of a style sheet: its selectors and what it sets, with no other rule inside.
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
#: What only a browser does: rules for the mouse, for movement, for the night.
AT_RULE = re.compile(r"@[^{;]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")


def plain_style(style: str) -> str:
    """The style by day, with every variable replaced by its value: rasterisers know none."""
    rules = RULE.findall(AT_RULE.sub("", style))
    values: dict[str, str] = {}
    for selector, body in rules:
        if ":root" in selector.split(","):
            values |= {name: value for name, value in re.findall(r"(--[\w-]+):([^;]+)", body)}  # noqa: C416
    kept = [
        f"{selector.strip()}{{{body}}}" for selector, body in rules if ":" not in selector and "[data" not in selector
    ]
    return re.sub(r"var\((--[\w-]+)\)", lambda variable: values.get(variable[1], "none"), "\n".join(kept))


#: How an environment can show its table.
RENDER_MODES = ("human", "ansi", "rgb_array")


def render(seen: View, mode: str, everything: Callable[[], View]) -> Any:
    """What a seat sees as text for "ansi", printed for "human"; the table with nothing hidden for "rgb_array"."""
    if mode == "rgb_array":
        return pixels(everything())
    if mode == "ansi":
        return seen.text()
    print(seen.text())
    return None


def check_render_mode(mode: str | None) -> str | None:
    """The mode, if there is such a one; BadSetup where there is not."""
    if mode is not None and mode not in RENDER_MODES:
        text = say("{name} cannot be {value}; choose from: {known}")
        raise BadSetup(text.fill(name="render_mode", value=repr(mode)[:40], known=", ".join(RENDER_MODES)))
    return mode


def pixels(view: View, width: int = 960) -> npt.NDArray[np.uint8]:
    """The table as a view shows it, with what lies before every seat: height × width × 3."""
    resvg = require("resvg_py", "resvg", "pettingzoo")
    image = require("PIL.Image", "Pillow", "pettingzoo")
    svg = drawing.standalone(drawing.table(view, "en")).replace(drawing.STYLE, plain_style(drawing.STYLE), 1)
    png = resvg.svg_to_bytes(svg_string=svg, width=width, background=COLOURS["paper"].day)
    with image.open(io.BytesIO(bytes(png))) as opened:
        return np.asarray(opened.convert("RGB")).copy()
