"""The style sheets: no rule for what no page has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import malecon
from malecon.server.pages.rendering import STATIC

SOURCES = Path(malecon.__file__).parent
STYLE_SHEETS = sorted([*STATIC.rglob("*.css"), SOURCES / "drawing" / "style.css"])
NAME = r"[a-zA-Z][\w-]*"


def names_styled(sheet: Path) -> set[str]:
    """Return the classes, ids and attributes that a style sheet has rules for."""
    css = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.S)
    selectors = " ".join(rule for rule in re.findall(r"([^{}]+)\{", css) if not rule.strip().startswith("@"))
    return set(re.findall(rf"[.#\[]({NAME})", selectors))


def texts_that_make_markup() -> Iterator[str]:
    """Return the templates, drawings and scripts, and all string literals of Python."""
    for pattern in ("*.html", "*.svg", "*.js"):
        for path in SOURCES.rglob(pattern):
            yield path.read_text("utf-8")
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_rule_is_for_something_that_pages_have() -> None:
    markup = list(texts_that_make_markup())
    written = {name for text in markup for name in re.findall(NAME, text)}
    written |= {f"m-{name}" for name in written}  # fills and strokes of drawings: drawing/svg.py
    written |= {f"data-{_dashed(name)}" for text in markup for name in re.findall(r"dataset\.(\w+)", text)}
    beginnings = tuple({name for text in markup for name in re.findall(rf"\b({NAME}-)\{{\{{", text)})
    for sheet in STYLE_SHEETS:
        unused = {name for name in names_styled(sheet) - written if not name.startswith(beginnings)}
        assert unused == set(), f"{sheet.name} has rules that style nothing"


def _dashed(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"-{letter[0].lower()}", name)
