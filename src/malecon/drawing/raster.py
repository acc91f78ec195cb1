"""Drawings as PNG files: the style is made plain enough for a rasteriser, which knows no variables. Needs resvg."""

from __future__ import annotations

import re
from functools import cache

from malecon.drawing.palette import COLOURS
from malecon.drawing.style import STYLE
from malecon.kernel.extras import require

#: A rule of a style sheet: its selectors and what it sets, with no other rule inside.
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
#: What only a browser does: rules for the mouse, for movement, for the night.
AT_RULE = re.compile(r"@[^{;]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")


@cache
def plain_style(style: str) -> str:
    """Return the style by day, with every variable replaced by its value."""
    rules = RULE.findall(AT_RULE.sub("", style))
    values: dict[str, str] = {}
    for selector, body in rules:
        if ":root" in selector.split(","):
            values |= {name: value for name, value in re.findall(r"(--[\w-]+):([^;]+)", body)}  # noqa: C416
    kept = [
        f"{selector.strip()}{{{body}}}" for selector, body in rules if ":" not in selector and "[data" not in selector
    ]
    return re.sub(r"var\((--[\w-]+)\)", lambda variable: values.get(variable[1], "none"), "\n".join(kept))


def png(svg: str, width: int) -> bytes:
    """Return a standalone drawing, see `drawing.standalone`, as a PNG file that many pixels wide."""
    resvg = require("resvg_py", "resvg", "pettingzoo")
    plain = svg.replace(STYLE, plain_style(STYLE), 1)
    return bytes(resvg.svg_to_bytes(svg_string=plain, width=width, background=COLOURS["paper"].day))
