"""The log's symbols: beside every count in every language, and never a way in for somebody's name."""

from __future__ import annotations

import re
from types import ModuleType

import pytest
from markupsafe import Markup

from malecon.games.cuba import names as cuba
from malecon.games.santiago import names as santiago
from malecon.kernel.phrases import say
from malecon.server.pages.rendering import with_symbols
from malecon.text import LANGUAGES, translate

GOODS = ["sugar", "citrus", "tobacco", "rum", "cigars", "wood", "stone", "water"]


def plain(shown: Markup) -> str:
    return Markup(re.sub(r"<svg.*?</svg>|</?span.*?>", "", str(shown))).unescape()


def test_a_symbol_its_word_and_its_full_stop_stay_on_one_line() -> None:
    goods = say("{first}, {second}", first=cuba.pesos(1), second=cuba.points(2))
    shown = with_symbols(say("{who} takes {what}.", who="Ana", what=goods), "en")
    units = re.findall(r'<span class="unit">(.*?)</span>', shown)
    assert [plain(Markup(unit)) for unit in units] == ["1 peso,", "2 points."]
    assert all("<svg" in unit for unit in units)


@pytest.mark.parametrize(("names", "goods"), [(cuba, GOODS), (santiago, GOODS[:6])])
@pytest.mark.parametrize("n", [1, 2])
def test_what_a_game_counts_carries_the_symbol_of_the_thing(names: ModuleType, goods: list[str], n: int) -> None:
    assert [names.goods(kind, n).symbol for kind in range(len(goods))] == goods
    assert (names.pesos(n).symbol, names.points(n).symbol) == ("peso", "point")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_count_has_its_symbol_beside_the_same_words(language: str) -> None:
    counts = [cuba.goods(kind, 2) for kind in range(8)] + [santiago.goods(kind, 1) for kind in range(6)]
    counts += [cuba.pesos(1), cuba.points(3), santiago.pesos(2), santiago.points(1)]
    for count in counts:
        shown = with_symbols(say("{who} takes {what}.", who="Ana", what=count), language)
        assert f"#m-{count.symbol}" in shown
        assert plain(shown) == translate(say("{who} takes {what}.", who="Ana", what=count), language)


def test_names_stay_text() -> None:
    for name in ("<script>", "{who}", "a & b", '"'):
        shown = with_symbols(say("{who} takes {what}.", who=name, what=cuba.pesos(1)), "en")
        assert plain(shown) == f"{name} takes 1 peso."
        assert "<script>" not in shown
