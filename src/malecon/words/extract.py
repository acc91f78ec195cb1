"""Collects every phrase there is and brings the catalogs up to date: `python -m malecon.words.extract`.

Nothing is guessed. A phrase made with `say`, `counted` or `Phrase` is found where it is written. One that is put
together at run time must be listed by an `everything()` in the same file; otherwise this stops and says where.
"""

from __future__ import annotations

import ast
import importlib
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from malecon import games
from malecon.kernel import phrases
from malecon.kernel.phrases import Phrase
from malecon.words.languages import LANGUAGES, SOURCE, catalog_path

#: What surrounds a line: functions, innermost first, then the file.
Scopes = tuple[ast.AST, ...]

ROOT = Path(__file__).resolve().parent.parent
#: Where the phrases themselves are defined: nothing is said there.
DEFINITIONS = "kernel/phrases.py"
#: Phrases put together at run time that are listed here, by their file and how their text is made.
SEATS = ("match/setup.py", "colour.capitalize()")

HEADER = """\
# Malecón in people's languages. Texts are changed here by hand; `make messages` adds the new and drops the unused.
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural_forms}\\n"

"""


class Message(NamedTuple):
    """A phrase without what fills its gaps: what a catalog translates."""

    context: str
    text: str
    plural: str


class NotExtractable(Exception):
    """A phrase whose text cannot be known without running the program, and that nothing lists."""


def message_of(phrase: Phrase) -> Message:
    return Message(phrase.context, phrase.text, phrase.plural)


def collect() -> dict[Message, str]:
    """Every message, with the file it is first found in; sorted by that file, then by context and text."""
    found: dict[Message, str] = {}
    for path in sorted(ROOT.rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        if file != DEFINITIONS and not _is_unannounced(file):
            for message in messages_in(file, path.read_text("utf-8")):
                found.setdefault(message, file)
    for name in games.NAMES:
        for colour in games.get(name).colours:
            found.setdefault(Message("seat", colour.capitalize(), ""), SEATS[0])
    return dict(sorted(found.items(), key=lambda item: (item[1], item[0])))


def _is_unannounced(file: str) -> bool:
    """Whether a file belongs to a game that is still being made: nobody can play it, nobody reads its words."""
    made = {path.name for path in (ROOT / "games").iterdir() if path.is_dir()}
    return not (made - set(games.NAMES)).isdisjoint(Path(file).with_suffix("").parts)


def messages_in(file: str, source: str) -> Iterator[Message]:
    """The messages of one file, those that its `everything()` lists included."""
    tree = ast.parse(source, file)
    lists_everything = any(isinstance(node, ast.FunctionDef) and node.name == "everything" for node in tree.body)
    if lists_everything:
        module = importlib.import_module(
            "malecon." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        )
        yield from map(message_of, module.everything())
    makers = _makers(tree)
    for call, scopes in _calls(tree, (tree,)):
        if isinstance(call.func, ast.Name) and call.func.id in makers:
            try:
                yield from _made(makers[call.func.id], call, scopes)
            except NotExtractable as problem:
                if not lists_everything and (file, str(problem)) != SEATS:
                    raise NotExtractable(
                        f"{file}:{call.lineno}: no `everything()` lists what `{problem}` can say"
                    ) from None


def _makers(tree: ast.Module) -> dict[str, str]:
    """The makers of phrases by the name they have in this file: `say` of `words` speaks, it makes none."""
    return {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == phrases.__name__
        for alias in node.names
        if alias.name in PARAMETERS
    }


#: The parameters of each maker that hold text, by position; `gaps` and `n` do not.
PARAMETERS = {
    "say": ("text",),
    "counted": ("text", "plural", "", "context"),
    "Phrase": ("text", "", "context", "plural"),
}


def _calls(node: ast.AST, scopes: Scopes) -> Iterator[tuple[ast.Call, Scopes]]:
    """Every call, with the functions around it, innermost first."""
    for child in ast.iter_child_nodes(node):
        inner = (child, *scopes) if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else scopes
        if isinstance(child, ast.Call):
            yield child, scopes
        yield from _calls(child, inner)


def _made(maker: str, call: ast.Call, scopes: Scopes) -> Iterator[Message]:
    """The messages a call can make."""
    arguments = dict(zip(PARAMETERS[maker], call.args, strict=False))
    if maker != "say":  # whose keywords are gaps
        arguments |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    context = _one_text(arguments.get("context"), scopes)
    plural = _one_text(arguments.get("plural"), scopes)
    for text in _texts(arguments["text"], scopes):
        yield Message(context, text, plural)


def _one_text(node: ast.expr | None, scopes: Scopes) -> str:
    if node is None:
        return ""
    found = _texts(node, scopes)
    if len(found) != 1:
        raise NotExtractable(ast.unparse(node))
    return found[0]


def _texts(node: ast.expr, scopes: Scopes) -> list[str]:
    """Every text that an expression can be: written out, a choice of two, of a table, or passed on by a function."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp():
            return _texts(node.body, scopes) + _texts(node.orelse, scopes)
        case ast.Name():
            for scope in scopes:
                bound = [(value, scopes) for value in _bound(scope, node.id)] or _passed(scope, node.id, scopes[-1])
                if bound:
                    return [text for value, around in bound for text in _texts(value, around)]
        case ast.Dict():
            return [text for value in node.values for text in _texts(value, scopes)]
        case ast.Tuple() | ast.List():
            return [text for value in node.elts for text in _texts(value, scopes)]
        case ast.Subscript():
            return _texts(node.value, scopes)
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, *default]):
            return [text for value in (table, *default) for text in _texts(value, scopes)]
        case ast.Call(func=ast.Attribute(value=table, attr="items" | "values"), args=[]):
            return _texts(table, scopes)
    raise NotExtractable(ast.unparse(node))


def _bound(scope: ast.AST, name: str) -> list[ast.expr]:
    """What a name is set to in a function or at the top of a file: a value, or a table it goes through."""
    statements: Iterable[ast.AST] = scope.body if isinstance(scope, ast.Module) else ast.walk(scope)
    found = []
    for node in statements:
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
                pass
            case ast.For(target=ast.Name(id=target), iter=value):
                pass
            case ast.For(target=ast.Tuple(elts=[_, ast.Name(id=target)]), iter=ast.Call() as value):  # of items()
                pass
            case _:
                continue
        if target == name:
            found.append(value)
    return found


def _passed(scope: ast.AST, name: str, tree: ast.AST) -> list[tuple[ast.expr, Scopes]]:
    """What the calls of a function in its own file pass for one of its parameters, with the scopes of each call."""
    if not isinstance(scope, ast.FunctionDef):
        return []
    parameters = [argument.arg for argument in scope.args.args]
    if name not in parameters:
        return []
    place = parameters.index(name)
    return [
        (call.args[place], around)
        for call, around in _calls(tree, (tree,))
        if isinstance(call.func, ast.Name) and call.func.id == scope.name and len(call.args) > place
    ]


# --- the catalogs


def update(language: str, messages: dict[Message, str]) -> tuple[str, list[Message]]:
    """A language's catalog with exactly these messages, and those of them that it does not translate yet."""
    path = catalog_path(language)
    old = Catalog(locale=language)
    if path.exists():
        with path.open("rb") as file:
            old = read_po(file, locale=language)
    new = Catalog(locale=language)
    missing = []
    for message, source in messages.items():
        identity = (message.text, message.plural) if message.plural else message.text
        context = message.context or None
        known = old.get(identity, context)
        fits = known is not None and not known.fuzzy and known.pluralizable == bool(message.plural)
        translation = known.string if known is not None and fits else None
        if not translation or not all((translation,) if isinstance(translation, str) else translation):
            missing.append(message)
        new.add(identity, translation, locations=[(source, 0)], context=context)
    written = io.BytesIO()
    write_po(written, new, width=0, omit_header=True, include_lineno=False)
    header = HEADER.format(language=language, plural_forms=new.plural_forms)
    return header + written.getvalue().decode("utf-8").rstrip("\n") + "\n", missing


def main() -> None:
    try:
        messages = collect()
    except NotExtractable as problem:
        sys.exit(str(problem))
    for language in LANGUAGES:
        if language != SOURCE:
            text, missing = update(language, messages)
            catalog_path(language).parent.mkdir(parents=True, exist_ok=True)
            catalog_path(language).write_text(text, "utf-8")
            print(f"{language}: {len(messages)} messages, {len(missing)} to translate")


if __name__ == "__main__":
    main()
