"""Babel finds every text, because each is written out where it is used; and none is left that nothing shows."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment, TemplateSyntaxError, nodes

from malecon.kernel import phrases
from malecon.text.extract import KEYWORDS, ROOT, CatalogMessage, collect

#: The parameters of each maker that hold text, by position; `gaps` and `n` do not.
PARAMETERS = {
    "say": ("text",),
    "counted": ("text", "plural", "", "context"),
    "Phrase": ("text", "", "context", "plural"),
}
#: The same for the functions of templates.
TEMPLATE_PARAMETERS = {"_": ("text",), "ngettext": ("text", "plural"), "pgettext": ("context", "text")}
#: Modules that hold nothing but texts: each of their names must be used elsewhere.
TEXTS = ("teaching/explorer/texts.py", "games/santiago/names.py", "games/cuba/names.py")


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        ('say("a {b}", b=1)', {("", "a {b}", "")}),
        ('say("long text "\n"goes on")', {("", "long text goes on", "")}),
        ('Phrase("a", context="c")', {("c", "a", "")}),
        ('Phrase("a {b}", {"b": 1}, "c")', {("c", "a {b}", "")}),
        ('counted("{n} a", "{n} b", 3)', {("", "{n} a", "{n} b")}),
        ('counted("{n} a", "{n} b", n, context="c")', {("c", "{n} a", "{n} b")}),
        ('say("outer {x}", x=say("inner"))', {("", "outer {x}", ""), ("", "inner", "")}),
        ('say("a").fill(b="c")', {("", "a", "")}),
        ('translate(phrase, "de")', set()),
    ],
)
def test_phrases_are_found_where_they_are_written(source, messages, tmp_path):
    (tmp_path / "some.py").write_text(source, "utf-8")
    assert collect(tmp_path) == messages


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        ('{{ _("a {b}", b=1) }}', {("", "a {b}", "")}),
        ('{{ _(\n"long text "\n"goes on") }}', {("", "long text goes on", "")}),
        ('{{ pgettext("c", "a") }}', {("c", "a", "")}),
        ('{{ ngettext("{n} a", "{n} b", 3) }}', {("", "{n} a", "{n} b")}),
        ('{{ _("outer {x}", x=_("inner")) }}', {("", "outer {x}", ""), ("", "inner", "")}),
        ('<p title="{{ _("a") if b else _("c") }}">d</p>', {("", "a", ""), ("", "c", "")}),
        ("{{ phrase|say }}", set()),
    ],
)
def test_texts_of_templates_are_found(source, messages, tmp_path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "some.html").write_text(source, "utf-8")
    assert collect(tmp_path) == messages


def test_a_template_with_an_error_is_not_passed_over(tmp_path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "some.html").write_text('{{ _("a") ', "utf-8")
    with pytest.raises(TemplateSyntaxError):
        collect(tmp_path)


def made(tree: ast.Module) -> Iterator[ast.Call]:
    """Every call that makes a phrase."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == phrases.__name__]
    names = [alias for node in imports for alias in node.names]
    assert not any(alias.asname for alias in names if alias.name in KEYWORDS), "Babel knows the makers by their names"
    makers = {alias.name for alias in names} & KEYWORDS.keys()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makers:
            yield node


def written(call: ast.Call) -> CatalogMessage:
    """The message of a call that writes its texts out."""
    assert isinstance(call.func, ast.Name)
    arguments = dict(zip(PARAMETERS[call.func.id], call.args, strict=False))
    if call.func.id != "say":  # whose keywords are gaps
        arguments |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    texts = {name: arguments[name] for name in CatalogMessage._fields if name in arguments}
    for text in texts.values():
        assert isinstance(text, ast.Constant), f"write it out: {ast.unparse(call)}"
    return CatalogMessage(**{"context": "", "plural": ""} | {name: text.value for name, text in texts.items()})


def said(template: Path) -> Iterator[CatalogMessage]:
    """The messages of a template."""
    for call in Environment().parse(template.read_text("utf-8")).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in TEMPLATE_PARAMETERS:
            texts = zip(TEMPLATE_PARAMETERS[call.node.name], call.args, strict=False)
            yield CatalogMessage(**{"context": "", "plural": ""} | {name: text.as_const() for name, text in texts})


def test_every_phrase_of_the_sources_is_written_out_and_found():
    expected = {message: path.name for path in ROOT.rglob("*.html") for message in said(path)}
    for path in ROOT.rglob("*.py"):
        if path != Path(phrases.__file__):
            for call in made(ast.parse(path.read_text("utf-8"))):
                expected[written(call)] = f"{path.relative_to(ROOT)}:{call.lineno}"
    collected = collect()
    assert not {where for message, where in expected.items() if message not in collected}, "Babel does not see these"
    assert not collected - expected.keys(), "Babel takes these for phrases: hand `translate` a name, not an expression"


def test_one_text_has_one_plural():
    messages = collect()
    assert len({(message.context, message.text) for message in messages}) == len(messages)


@pytest.mark.parametrize("texts", TEXTS)
def test_every_text_is_shown_somewhere(texts):
    path = ROOT / texts
    own = path.read_text("utf-8")
    others = [p.read_text("utf-8") for p in ROOT.rglob("*.py") if p != path]
    shown = set(re.findall(rf"\b{path.stem}\.(\w+)", " ".join(others)))
    for node in ast.parse(own).body:
        if isinstance(node, ast.FunctionDef | ast.Assign):
            name = node.name if isinstance(node, ast.FunctionDef) else ast.unparse(node.targets[0])
            assert name in shown or len(re.findall(rf"\b{name}\b", own)) > 1, f"nothing shows {name}"
