"""Texts in templates: `_("Rules")`, `_("{count} moves", count=n)`, `ngettext("{n} game", "{n} games", n)` and
`pgettext("pace", "calm")`.

Each language has templates of its own. Their texts are translated when a template is compiled, so that a text without
gaps costs as much as the markup around it. A text that is not written out, or whose gaps are not those that are filled,
is an error then.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.visitor import NodeTransformer

from malecon.text import translate
from malecon.text.languages import load


class TranslatingGenerator(CodeGenerator):
    """Compiles templates in the language of their environment."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 - Jinja's name
        language = str(self.environment.globals["language"])
        super().visit_Template(_Translator(language, self.name or "").visit(node), frame)


class TranslatedEnvironment(Environment):
    """Templates in one language, which they know as `language`."""

    code_generator_class = TranslatingGenerator

    def __init__(self, language: str, **options: Any) -> None:
        super().__init__(**options)
        catalog = load(language)
        self.globals["language"] = language

        def fill(text: str, /, **gaps: Any) -> str:
            return text.format(**{name: translate(gap, language) for name, gap in gaps.items()})

        def fill_counted(forms: tuple[str, ...], n: int, /, **gaps: Any) -> str:
            return fill(forms[catalog.form(n)], n=n, **gaps)

        self.filters |= {_FILL: fill, _FILL_COUNTED: fill_counted}


#: The filters that calls become whose texts have gaps. No template can name them.
_FILL, _FILL_COUNTED = "fill text", "fill counted text"


class _Translator(NodeTransformer):
    """Replaces the texts of a template by their translations."""

    def __init__(self, language: str, file: str) -> None:
        self._catalog = load(language)
        self._file = file

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802 - as above
        self.generic_visit(node)
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        if name == "_":
            (text,) = self._literals(node, 1)
            return self._filled(node, "", text)
        if name == "pgettext":
            context, text = self._literals(node, 2)
            return self._filled(node, context, text)
        if name == "ngettext":
            singular, plural = self._literals(node, 2, others=1)
            return self._counted(node, singular, plural)
        return node

    def _filled(self, node: nodes.Call, context: str, text: str) -> nodes.Expr:
        self._check_gaps(node, text)
        (template,) = self._catalog.templates.get((context, text), (text,))
        if not node.kwargs:
            return nodes.Const(template.format(), lineno=node.lineno)
        return nodes.Filter(nodes.Const(template), _FILL, [], node.kwargs, None, None, lineno=node.lineno)

    def _counted(self, node: nodes.Call, singular: str, plural: str) -> nodes.Expr:
        self._check_gaps(node, plural, "n")
        forms = nodes.Const(self._catalog.templates.get(("", singular), (singular, plural)))
        return nodes.Filter(forms, _FILL_COUNTED, node.args[2:], node.kwargs, None, None, lineno=node.lineno)

    def _literals(self, node: nodes.Call, count: int, others: int = 0) -> list[str]:
        """Return the first arguments of a call, which are texts; raise TemplateSyntaxError if they are not."""
        texts = [arg.value for arg in node.args[:count] if isinstance(arg, nodes.Const) and isinstance(arg.value, str)]
        if len(texts) < count or len(node.args) != count + others or node.dyn_args or node.dyn_kwargs:
            raise self._error(node, "write the text out inside the call")
        return texts

    def _check_gaps(self, node: nodes.Call, text: str, *filled: str) -> None:
        """Raise TemplateSyntaxError if gaps of the text stay empty, or if it has no gap for a value."""
        gaps = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
        values = {*filled, *(keyword.key for keyword in node.kwargs)}
        if gaps != values:
            raise self._error(node, f"the text has the gaps {_listed(gaps)}, the call fills {_listed(values)}")

    def _error(self, node: nodes.Call, message: str) -> TemplateSyntaxError:
        return TemplateSyntaxError(message, node.lineno, self._file, self._file)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
