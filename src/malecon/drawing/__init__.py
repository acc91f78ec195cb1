"""Boards, panels, tiles and symbols as SVG: for the table, notebooks and pages, one drawing for all.

The drawings hold classes, not colours: a page needs `STYLE` and, once, `symbols_sheet()`; `standalone` has both.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache

from malecon.drawing.board_parts import PIECES
from malecon.drawing.game_drawing import GameDrawing
from malecon.drawing.motion import Flight
from malecon.drawing.scene import BoardScene, Targets, unmoved
from malecon.drawing.style import PAGE_STYLE, STYLE, movers_style
from malecon.drawing.svg import ITEM_MARK, PART_MARK, element
from malecon.drawing.symbols import SYMBOLS, sheet, symbol_inline
from malecon.kernel import registry
from malecon.kernel.journal import Event
from malecon.kernel.verbs import Position
from malecon.kernel.view import Move, View

__all__ = [
    "PAGE_STYLE",
    "STYLE",
    "SYMBOLS",
    "Flight",
    "board",
    "board_and_panels",
    "close_up",
    "detail",
    "flights",
    "movers",
    "panel",
    "places",
    "standalone",
    "symbol",
    "symbols_sheet",
    "table",
    "targets",
    "tile",
]

#: The space around panels in a picture of the whole table.
PANEL_GAP = 8
DETAIL_WIDTH = 390
#: The space between the parts of a detail.
DETAIL_GAP = 4
#: What the name of a panel begins with, as a part of a detail.
SEAT = "seat "
#: What a picture in a page does without: names, roles and words of its parts.
_LIVELY = r' (?:id="(?!m-land-)|class="(?:m-moves-|target)|role="|tabindex="|aria-label="|data-\w+=")[^"]*"'


@cache
def _drawing(game: str) -> GameDrawing:
    return registry.with_overrides(GameDrawing(), registry.component(game, "drawing"))


def board(view: View, language: str, targets: Targets | None = None, layout: str = "wide") -> str:
    """Draw the board as a view's seat sees it, `wide` or `tall`; what `targets` names glows and can be chosen."""
    return _drawing(view.game.name).board(BoardScene(view, language, targets or {}), layout)


def panel(view: View, seat: int, language: str, targets: Targets | None = None) -> str:
    """Draw what lies before a seat: its name, colour, holdings or the screen before them."""
    return _drawing(view.game.name).panel(BoardScene(view, language, targets or {}), seat)


def board_and_panels(view: View, language: str, targets: Targets, layout: str) -> tuple[str, list[str]]:
    """Draw the board and what lies before every seat, for a page that shows them beside each other."""
    drawn, scene = _drawing(view.game.name), BoardScene(view, language, targets)
    return drawn.board(scene, layout), [drawn.panel(scene, seat) for seat in range(len(view.names))]


def targets(view: View) -> dict[str, list[Move]]:
    """Return the legal moves of the view's seat by the id of their thing; those without a thing are under ""."""
    return _drawing(view.game.name).targets(view)


def places(view: View, code: int) -> Sequence[str]:
    """Return the ids of the things on the board that a move of a seat belongs to; an empty one if it has none."""
    return _drawing(view.game.name).places(view.position, code)


def close_up(view: View, seat: int, language: str, layout: str = "wide") -> str:
    """Draw what lies before a seat, large, beside a board: it has no ids, and nothing in it can be chosen."""
    drawn = unmoved(_drawing(view.game.name).close_up(BoardScene(view, language, {}), seat, layout))
    return re.sub(r' (id="(?!m-land-)|class="m-moves-)[^"]*"', "", drawn)


def detail(
    view: View, language: str, parts: Sequence[str], label: str, *, marked: Collection[str] = (), offers: bool = False
) -> str:
    """Draw parts of the board and panels (`seat 1`), one below the other, as a picture in which nothing is chosen.

    It shows what is `marked` outlined, or, with `offers`, whatever can be chosen now.
    """
    drawn = _drawing(view.game.name)
    scene = BoardScene(view, language, drawn.targets(view) if offers else {}, frozenset(marked))
    content, height, width = "", 0.0, DETAIL_WIDTH
    for name in parts:
        if name.startswith(SEAT):
            svg = drawn.panel(scene, int(name.removeprefix(SEAT)))
            w, h = _size(svg)
            content += _placed(svg, (width - w) / 2, height, w, h)
        else:
            inside, box = drawn.detail(scene, name)
            frame = f"{box.x:g} {box.y:g} {box.w:g} {box.h:g}"
            h = box.h
            content += element("svg", inside, x=(width - box.w) / 2, y=height, width=box.w, height=h, viewBox=frame)
        height += h + DETAIL_GAP
    height -= DETAIL_GAP
    still = re.sub(_LIVELY, "", content)
    return element(
        "svg",
        unmoved(still).replace(PART_MARK, "").replace(ITEM_MARK, ""),
        class_="m-board m-tall m-detail",
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=label,
    )


def flights(view: View, before: Position, after: Position, code: int, events: Sequence[Event]) -> list[Flight]:
    """Return the flights of goods, pesos, points and dice that a move causes on the board that the view shows now."""
    return _drawing(view.game.name).flights(view, before, after, code, events)


def movers() -> str:
    """Return the rules that let the pieces of all games glide over a page: `STYLE` has none."""
    names = {name for game in registry.names() for name in _drawing(game).MOVERS}
    return movers_style((*PIECES, *sorted(names)))


def tile(game: str, kind: str, key: str, language: str, size: int) -> str:
    """Draw a thing of a game's glossary, `size` pixels wide: `tile("santiago", "buildings", "bank", "de", 120)`."""
    drawn = _drawing(game)
    if kind in drawn.KINDS:
        return drawn.tile(kind, key, language, size)
    return symbol(key, size) if key in SYMBOLS else ""


def symbol(key: str, size: int = 16) -> str:
    """Draw a symbol between words; the page must hold the sheet."""
    return symbol_inline(key, size)


def symbols_sheet() -> str:
    """Return the definitions of all symbols: once on every page that shows any."""
    return element("svg", element("defs", sheet()), class_="m-sheet", width=0, height=0, aria_hidden="true")


def table(view: View, language: str) -> str:
    """Draw the board and, below it, what lies before every seat: a picture of everything."""
    drawn = board(view, language)
    width, height = _size(drawn)
    panels = [panel(view, seat, language) for seat in range(len(view.names))]
    content = _placed(drawn, 0, 0, width, height)
    columns = min(len(panels), 2)
    w = width / columns - 2 * PANEL_GAP
    for start in range(0, len(panels), columns):
        height += PANEL_GAP
        row = panels[start : start + columns]
        h = max(w * tall / wide for wide, tall in map(_size, row))
        for i, svg in enumerate(row):
            content += _placed(svg, width / columns * i + PANEL_GAP, height, w, h)
        height += h
    height += PANEL_GAP
    return element("svg", content, viewBox=f"0 0 {width:g} {height:g}", role="group", aria_label=view.game.title)


def _size(svg: str) -> tuple[float, float]:
    """Return the width and height of a drawing's view box."""
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert size is not None
    return float(size[1]), float(size[2])


def _placed(svg: str, x: float, y: float, width: float, height: float) -> str:
    return svg.replace("<svg", f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"', 1)


def standalone(svg: str) -> str:
    """Return a drawing that needs no page: with its style, its symbols and, for the mouse, its labels as tooltips."""
    head, rest = svg.split(">", 1)
    content = unmoved(re.sub(r'(<g [^>]*?aria-label="([^"]*)"[^>]*>)', r"\1<title>\2</title>", rest))
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{STYLE}</style><defs>{sheet()}</defs>{content}'
