"""A page with all pictures, by day and by night: `python -m malecon.drawing.preview > pictures.html`.

Name files, and the page shows only these.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from html import escape
from pathlib import Path

from malecon.drawing.pictures import read_picture
from malecon.drawing.style import STYLE
from malecon.drawing.svg import element
from malecon.drawing.symbols import FOLDER
from malecon.kernel import registry

_PAGE_STYLE = """
body{margin:0;font-family:var(--m-face)}
section{display:flex;flex-wrap:wrap;gap:16px;padding:16px;background:var(--m-ground);color:var(--m-text)}
figure{margin:0;width:160px}
figcaption{font-size:12px;overflow-wrap:anywhere}
"""


def picture_files() -> list[Path]:
    """Return the files of all symbols, and of the pictures of all games."""
    folders = [registry.data_file(game, "drawing/pictures") for game in registry.names()]
    return [file for folder in (FOLDER, *folders) if folder is not None for file in sorted(folder.rglob("*.svg"))]


def preview(files: Iterable[Path]) -> str:
    """Return an HTML page that shows every file twice, by day and by night."""
    figures = ""
    for file in files:
        picture = read_picture(file)
        svg = element("svg", picture.shapes, viewBox=" ".join(f"{side:g}" for side in picture.box))
        figures += f"<figure>{svg}<figcaption>{escape('/'.join(file.parts[-3:]))}</figcaption></figure>\n"
    themes = "".join(f'<section data-theme="{theme}">\n{figures}</section>\n' for theme in ("light", "dark"))
    return f'<!doctype html>\n<meta charset="utf-8"><style>{STYLE}{_PAGE_STYLE}</style>\n{themes}'


if __name__ == "__main__":
    sys.stdout.write(preview(map(Path, sys.argv[1:]) if sys.argv[1:] else picture_files()))
