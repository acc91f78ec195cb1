"""A drawn table as pixels. The drawing is the table's own; here its style is made plain enough for a rasteriser."""

from __future__ import annotations

import io
import re

import numpy as np
import numpy.typing as npt

from malecon import drawing
from malecon.kernel.extras import require
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
        if selector.strip() == ":root":
            values |= {name: value for name, value in re.findall(r"(--[\w-]+):([^;]+)", body)}  # noqa: C416
    kept = [
        f"{selector.strip()}{{{body}}}" for selector, body in rules if ":" not in selector and "[data" not in selector
    ]
    return re.sub(r"var\((--[\w-]+)\)", lambda found: values.get(found[1], "none"), "\n".join(kept))


def pixels(view: View, width: int = 960) -> npt.NDArray[np.uint8]:
    """The table as a view shows it, with what lies before every seat: height × width × 3."""
    resvg = require("resvg_py", "resvg", "pettingzoo")
    image = require("PIL.Image", "Pillow", "pettingzoo")
    svg = drawing.standalone(drawing.table(view, "en")).replace(drawing.STYLE, plain_style(drawing.STYLE), 1)
    png = resvg.svg_to_bytes(svg_string=svg, width=width, background="#fdf5e6")
    with image.open(io.BytesIO(bytes(png))) as opened:
        return np.asarray(opened.convert("RGB")).copy()
