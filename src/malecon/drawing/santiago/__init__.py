"""Santiago de Cuba drawn: what `drawing` asks of a game. All of it comes from the view, nothing from behind screens."""

from __future__ import annotations

from functools import lru_cache

from malecon import words
from malecon.drawing.santiago.harbour import harbour, supply
from malecon.drawing.santiago.layout import LAYOUTS, Box, Layout
from malecon.drawing.santiago.panel import panel
from malecon.drawing.santiago.targets import targets
from malecon.drawing.santiago.town import building_card, buildings, cuban_card, street
from malecon.drawing.svg import element, number, path, rect
from malecon.drawing.things import Scene
from malecon.games.santiago import GAME, tiles

__all__ = ["board", "panel", "targets", "tile"]


def board(scene: Scene, layout: str) -> str:
    plan = LAYOUTS[layout]
    content = _ground(plan) + harbour(scene, plan) + street(scene, plan) + supply(scene, plan) + buildings(scene, plan)
    return element(
        "svg",
        content,
        class_=f"m-board m-{layout}",
        viewBox=f"0 0 {plan.width} {plan.height}",
        role="group",
        aria_label=GAME.title,
    )


@lru_cache
def _ground(plan: Layout) -> str:
    """Sand, and the rays of a sun that stands over the middle of the town."""
    x, y = plan.width / 2, plan.street.y + plan.street.h / 2
    rays = "".join(f"M{number(x)} {number(y)}L{a} {b}L{c} {d}Z" for (a, b), (c, d) in _edge(plan.width, int(plan.sea)))
    return rect("ground", 0, 0, plan.width, plan.height, 14) + path("ray", rays)


def _edge(width: int, height: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Every other stretch of the edge of a board, all around."""
    sixth, third = width // 6, height // 3
    top = [((sixth * i, 0), (sixth * i + sixth // 2, 0)) for i in range(6)]
    bottom = [((sixth * i, height), (sixth * i + sixth // 2, height)) for i in range(6)]
    sides = [((x, third * i), (x, third * i + third // 2)) for x in (0, width) for i in range(3)]
    return top + bottom + sides


def tile(kind: str, key: str, language: str, size: int) -> str:
    """A single Cuban or building, `size` wide, with its name."""
    entry = words.glossary(GAME)[kind][key]
    name = words.say(entry.name, language)
    if kind == "cubans":
        box = Box(2, 2, 123, 111)
        card = cuban_card(tiles.CUBANS.index(key), name, box, wide=True)
    else:
        box = Box(2, 2, 114, 137)
        card = building_card(key, name, box, 77.5, 13, 21)
    w, h = box.w + 8, box.h + 8
    return element(
        "svg",
        card,
        class_="m-tile",
        viewBox=f"0 0 {number(w)} {number(h)}",
        width=size,
        height=round(size * h / w),
        role="img",
        aria_label=f"{name}: {words.say(entry.text, language)}",
    )
