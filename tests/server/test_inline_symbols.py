"""The log's symbols: beside every count in every language, and never a way in for somebody's name."""

from __future__ import annotations

import re

import pytest
from markupsafe import Markup

from malecon import words
from malecon.games.cuba import names as cuba
from malecon.games.santiago import names as santiago
from malecon.kernel.phrases import say
from malecon.server.page.inline_symbols import SYMBOLS, with_symbols


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_count_has_its_symbol_beside_the_same_words(language: str) -> None:
    counts = [cuba.goods(kind, 2) for kind in range(8)] + [santiago.goods(kind, 1) for kind in range(6)]
    counts += [cuba.pesos(1), cuba.points(3), santiago.pesos(2), santiago.points(1)]
    assert {count.text for count in counts} == set(SYMBOLS)
    for count in counts:
        shown = with_symbols(say("{who} takes {what}.", who="Ana", what=count), language)
        assert f"#m-{SYMBOLS[count.text]}" in shown
        text = re.sub("\N{WORD JOINER}<svg.*?</svg>\N{WORD JOINER}", "", shown)
        assert Markup(text).unescape() == words.say(say("{who} takes {what}.", who="Ana", what=count), language)


def test_names_stay_text() -> None:
    for name in ("<script>", "{who}", "a & b", '"'):
        shown = with_symbols(say("{who} takes {what}.", who=name, what=cuba.pesos(1)), "en")
        assert (
            Markup(re.sub("\N{WORD JOINER}<svg.*?</svg>\N{WORD JOINER}", "", shown)).unescape()
            == f"{name} takes 1 peso."
        )
        assert "<script>" not in shown
