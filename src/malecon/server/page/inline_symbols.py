"""Phrases as markup: what they say, with its symbol beside every count of goods, pesos and points."""

from __future__ import annotations

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
#: Keeps a symbol on the line of its count, and a full stop on that of its symbol. It is no space where only the text
#: is taken; the style sheet has the gap.
JOINED = "\N{WORD JOINER}"
_DRAWN = {text: drawings.symbol(key, SIZE) for text, key in SYMBOLS.items()}


@lru_cache(maxsize=10_000)  # a table is rendered after every move, and most of its log has been before
def with_symbols(said: Phrase | str | int | float, language: str) -> Markup:
    """A phrase as markup. Names and templates are escaped; nothing else in it is more than text."""
    if not isinstance(said, Phrase):
        return escape(words.say(said, language))
    gaps = {name: with_symbols(gap, language) for name, gap in said.gaps.items()}
    text = escape(load(language).template(said)).format(**gaps)
    symbol = _DRAWN.get(said.text) if said.plural else None
    return text if symbol is None else text + Markup(JOINED) + symbol + Markup(JOINED)
