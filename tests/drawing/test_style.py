"""One palette: every colour of drawings, pages and charts is defined there, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import malecon
from malecon import drawing
from malecon.drawing import palette
from malecon.kernel import registry

ROOT = Path(malecon.__file__).parents[2]
#: The palette itself, and the icon of the site, which browsers load as a file without any style sheet.
ALLOWED = {"src/malecon/drawing/palette.py", "src/malecon/server/pages/static/icon.svg"}
KINDS = {".py", ".css", ".js", ".html", ".svg"}
FILES = [
    file
    for folder in ("src/malecon", "website", "benchmarks", "training")
    for file in sorted((ROOT / folder).rglob("*"))
    if file.suffix in KINDS
]
#: A colour as a value: in hexadecimal digits, or rgb() and hsl().
LITERAL = re.compile(
    r"""(?<![\w&/.#])#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?=[;,\s"'})])|\b(?:rgb|hsl)a?\(""", re.I
)
SHEETS = [file for file in FILES if file.suffix == ".css"]


def test_only_the_palette_defines_colours() -> None:
    assert len(FILES) > 300
    texts = {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in FILES}
    literals = {name: LITERAL.findall(text) for name, text in texts.items() if LITERAL.search(text)}
    assert set(literals) == ALLOWED, {name: colours for name, colours in literals.items() if name not in ALLOWED}


@pytest.mark.parametrize("file", SHEETS, ids=lambda file: file.name)
def test_every_variable_of_a_style_sheet_is_defined(file: Path) -> None:
    text = file.read_text("utf-8")
    generated = drawing.STYLE + drawing.PAGE_STYLE + "".join(sheet.read_text("utf-8") for sheet in SHEETS)
    scripted = {"--zoom"}  # set by board/zoom.js
    defined = set(re.findall(r"(--[\w-]+)\s*:", generated)) | scripted
    assert set(re.findall(r"var\((--[\w-]+)", text)) <= defined


@pytest.mark.parametrize("file", SHEETS, ids=lambda file: file.name)
def test_style_sheets_are_narrow_and_name_no_game(file: Path) -> None:
    text = file.read_text("utf-8")
    assert max(len(line) for line in text.splitlines()) <= 120
    assert not re.search(rf"[-.#](?:{'|'.join(registry.names())})\b", text)


def test_there_is_a_colour_for_every_seat() -> None:
    assert set(palette.SEATS) == registry.COLOURS
    for name in registry.COLOURS:
        assert f".of-{name}{{" in drawing.PAGE_STYLE
        assert f".seat-{name}{{" in drawing.PAGE_STYLE


def test_by_night_only_what_differs_is_set_again() -> None:
    night = re.findall(r'\[data-theme="dark"\]\{([^}]*)\}', drawing.PAGE_STYLE)[0]
    assert f"--page:{palette.PAGE['page'].night};" in night
    assert "--ink:" not in night
    system = re.findall(r"prefers-color-scheme:dark\)\{:root:not\(\[data-theme\]\)\{([^}]*)\}", drawing.PAGE_STYLE)[0]
    assert system == night


def test_pieces_of_every_game_glide() -> None:
    rules = drawing.movers()
    for name in ("piece-0", "car", "boat-3", "score-4"):
        assert f".m-moves-{name}{{view-transition-name:m-{name}}}" in rules
