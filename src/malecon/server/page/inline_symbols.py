"""Phrases as markup: what they say, with its symbol beside every count of goods, pesos and points."""

from __future__ import annotations

import re
from functools import lru_cache

from markupsafe import Markup, escape

from malecon import words
from malecon.kernel.phrases import Phrase
from malecon.server.page import drawings
from malecon.words.languages import load

#: Symbols by the phrase that counts the thing.
SYMBOLS = {
    "{n} peso": "peso",
    "{n} point": "point",
    "{n} sugar cane": "sugar",
    "{n} citrus fruit": "citrus",
    "{n} tobacco": "tobacco",
    "{n} rum": "rum",
    "{n} cigar": "cigars",
    "{n} wood": "wood",
    "{n} stone": "stone",
    "{n} water": "water",
}
SIZE = 15
_DRAWN = {text: drawings.symbol(key, SIZE) for text, key in SYMBOLS.items()}
#: Around a symbol until the whole sentence is there; no name has it, so nobody can write one.
MARK = "\N{WORD JOINER}"
#: A count, its word, its symbol, and the punctuation after it: they stay on one line. No character would keep a browser
#: from breaking the line beside a picture. The gap before the symbol is in the style sheet.
UNIT = re.compile(rf"((?:\d+ )?[^\s<>]+){MARK}(<svg.*?</svg>){MARK}([^\s<>{MARK}]*)")


@lru_cache(maxsize=10_000)  # a table is rendered after every move, and most of its log has been before
def with_symbols(said: Phrase | str | int | float, language: str) -> Markup:
    """A phrase as markup. Names and templates are escaped; nothing else in it is more than text."""
    return Markup(UNIT.sub(r'<span class="unit">\1\2\3</span>', str(_marked(said, language))).replace(MARK, ""))


def _marked(said: Phrase | str | int | float, language: str) -> Markup:
    if not isinstance(said, Phrase):
        return escape(words.say(said, language))
    gaps = {name: _marked(gap, language) for name, gap in said.gaps.items()}
    text = escape(load(language).template(said)).format(**gaps)
    symbol = _DRAWN.get(said.text) if said.plural else None
    return text if symbol is None else text + Markup(MARK) + symbol + Markup(MARK)
