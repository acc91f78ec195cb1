"""Pictures from `.svg` files: symbols, and the portraits, facades and landscapes of games.

The colours of a picture are classes, named after the palette: `m-sun` fills, `m-s-sun` outlines. So a file shows no
colours by itself; `python -m malecon.drawing.preview` shows all of them, by day and by night.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from malecon.kernel import registry

_FILE = re.compile(r'\s*<svg xmlns="http://www.w3.org/2000/svg" viewBox="([^"]+)">(.*)</svg>\s*', re.DOTALL)


@dataclass(frozen=True)
class SvgPicture:
    """The shapes of a picture, and the box that they lie in: left, top, width, height."""

    box: tuple[float, float, float, float]
    shapes: str

    @property
    def width(self) -> float:
        return self.box[2]

    @property
    def height(self) -> float:
        return self.box[3]


@cache
def read_picture(file: Path) -> SvgPicture:
    """Return the picture of a file, without its comments and line breaks."""
    svg = _FILE.fullmatch(re.sub(r"<!--.*?-->", "", file.read_text("utf-8"), flags=re.DOTALL))
    if svg is None:
        raise ValueError(f"{file} must be an <svg> that has xmlns and viewBox, and nothing else")
    left, top, width, height = map(float, svg[1].split())
    shapes = re.sub(r"\s+", " ", re.sub(r">\s+<", "><", svg[2].strip()))
    return SvgPicture((left, top, width, height), shapes)


@cache
def game_picture(game: str, path: str) -> SvgPicture:
    """Return a picture of a game: `game_picture("cuba", "buildings/golf course")` is its file `golf-course.svg`."""
    file = registry.data_file(game, f"drawing/pictures/{path.replace(' ', '-')}.svg")
    if file is None:
        raise FileNotFoundError(f"{game} is a single module, which has no pictures")
    return read_picture(file)
