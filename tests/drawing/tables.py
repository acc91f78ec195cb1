"""Whole tables as they are drawn, and read again."""

from __future__ import annotations

from xml.etree import ElementTree

from malecon import View, drawing

LAYOUTS = ("wide", "tall")


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def drawn(view: View, language: str = "en", layout: str = "wide") -> str:
    """A whole table."""
    glowing = drawing.targets(view)
    panels = (drawing.panel(view, seat, language, glowing) for seat in range(len(view.names)))
    return f"<div>{drawing.board(view, language, glowing, layout)}{''.join(panels)}</div>"
