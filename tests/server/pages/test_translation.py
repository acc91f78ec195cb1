"""Texts in templates: translated when a template is compiled, in every language, and nothing said that is not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import Environment, TemplateSyntaxError, UndefinedError, nodes

from malecon.kernel.phrases import say
from malecon.server.pages import rendering
from malecon.text import LANGUAGES

FILES = sorted((rendering.HERE / "templates").glob("*.html"))
#: Attributes that are read out or shown.
SHOWN = re.compile(r"title|alt|placeholder|label|aria-(label|description|valuetext|roledescription)|data-say-.*")
#: What is the same in every language: our name, a command, and addresses.
NAMES = re.compile(r"Malecón|malecon verify --dice|(https:/)?/\S*")
#: Blocks that are values of attributes: classes, and the id of an element.
ATTRIBUTES = ("body_class", "skip")


def render(source: str, language: str = "de", **context: object) -> str:
    return rendering.templates(language).from_string(source).render(**context)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_compiles(language: str) -> None:
    for file in FILES:
        rendering.templates(language).get_template(file.name)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('{{ _("Rules") }}', "Regeln"),
        ('{{ _("Free " "seat") }}', "Freier Platz"),
        ('{{ pgettext("pace", "fast") }}', "schnell"),
        ('{{ _("Bot: {name}", name=name) }}', "Bot: &lt;Ana&gt;"),
        ('{{ _("Bot: {name}", name=phrase) }}', "Bot: Freier Platz"),
        ('{{ ngettext("{n} puzzle", "{n} puzzles", 1) }}', "1 Aufgabe"),
        ('{{ ngettext("{n} game", "{n} games", 1) }}', "1 Partie"),
        ('{{ ngettext("{n} game", "{n} games", 2) }}', "2 Partien"),
        ('{{ _("Rules")|upper }}', "REGELN"),
        ('{{ _("nobody has translated this & that") }}', "nobody has translated this &amp; that"),
    ],
)
def test_texts_are_translated_and_escaped(source: str, text: str) -> None:
    assert render(source, name="<Ana>", phrase=say("Free seat")) == text


def test_a_text_without_gaps_becomes_part_of_the_markup() -> None:
    code = rendering.templates("de").compile('<b>{{ _("Rules") }}</b>', raw=True)
    assert "yield '<b>Regeln</b>'" in code


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{{ _(text) }}", "write the text out"),
        ("{{ _() }}", "write the text out"),
        ('{{ _("Rules", 1) }}', "write the text out"),
        ('{{ _("Rules", **gaps) }}', "write the text out"),
        ('{{ pgettext("Rules") }}', "write the text out"),
        ('{{ ngettext("{n} game", "{n} games") }}', "write the text out"),
        ('{{ _("Rules", who=1) }}', "has the gaps none, the call fills who"),
        ('{{ _("Bot: {name}") }}', "has the gaps name, the call fills none"),
        ('{{ _("Bot: {name}", who=1) }}', "has the gaps name, the call fills who"),
    ],
)
def test_a_text_that_cannot_be_translated_is_an_error_of_the_template(source: str, message: str) -> None:
    with pytest.raises(TemplateSyntaxError, match=message):
        render(source)


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'who' is undefined"):
        render('{{ _("Bot: {name}", name=who) }}')


class _Reader(HTMLParser):
    """Collects what a page shows or reads out."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if value and SHOWN.fullmatch(name)]


def markup(node: nodes.Node) -> Iterator[str]:
    """Everything that a template writes as it stands: its markup, and literals in its expressions."""
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Output):
            for part in child.nodes:
                yield from [part.data] if isinstance(part, nodes.TemplateData) else literals(part)
        elif not (isinstance(child, nodes.Expr) or (isinstance(child, nodes.Block) and child.name in ATTRIBUTES)):
            yield from markup(child)


def literals(expression: nodes.Expr) -> Iterator[str]:
    match expression:
        case nodes.Const(value=str(text)):
            yield text
        case nodes.CondExpr(expr1=first, expr2=second):
            yield from literals(first)
            yield from literals(second) if second is not None else ()
        case nodes.Concat(nodes=parts):
            for part in parts:
                yield from literals(part)
        case _:
            yield ""


def untranslated(source: str) -> list[str]:
    """The words of a template that every reader is shown in the same language."""
    reader = _Reader()
    reader.feed("".join(markup(Environment().parse(source))))
    reader.close()
    return [text.strip() for text in reader.texts if re.search(r"[^\W\d_]{2}", NAMES.sub("", text))]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("<p>Hello {{ name }}</p>", ["Hello"]),
        ('<p class="row" title="Hello">{{ _("Rules") }}</p>', ["Hello"]),
        ('<button aria-label="{{ "Undo" if move else "Redo" }}"></button>', ["UndoRedo"]),
        ('<p>{{ "Hello" if name }}</p>', ["Hello"]),
        ("{% if a %}<p>{% block b %}Hello{% endblock %}</p>{% endif %}", ["Hello"]),
        ('<li{% if a %} class="here"{% endif %} id="{{ "move-" ~ name }}">{{ _("Rules") }} · {{ n }} ×</li>', []),
        ('<title>{{ _("Rules") }} – Malecón</title>', []),
    ],
)
def test_untranslated_words_are_noticed(source: str, words: list[str]) -> None:
    assert untranslated(source) == words


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_templates_say_nothing_that_is_not_translated(file: Path) -> None:
    assert untranslated(file.read_text("utf-8")) == []
