"""What a module was made of: a digest of the kernels it contains, as they are compiled, and of weights and curves.

Only what changes the module counts: the statements of every function that its exports reach, and the numbers they read.
Comments, docstrings, texts and drawings do not.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from malecon.bots.engine import kernels
from malecon.bots.engine.state import constants_of, layout_of
from malecon.kernel import verbs
from malecon.kernel.game import Game

#: Grows when modules are made in another way, see `building`.
INTERFACE = 1
#: Packages whose functions Numba knows: their versions are part of the toolchain.
_KNOWN = ("builtins", "math", "numba", "numpy")


def digest_of(game: Game) -> str:
    """Return the digest of what a game's module is made of, now."""
    total = hashlib.sha256(f"{INTERFACE} {game.most_players} {game.conceals is not None} {game.dtype.descr}\n".encode())
    for field in layout_of(game).fields:
        total.update(f"{(*field[:2], field.dtype.str, *field[3:])}\n".encode())
    for array in constants_of(game):
        total.update(array.tobytes())
    for text in _texts(game):
        total.update(f"{text}\n".encode())
    return total.hexdigest()


def _texts(game: Game) -> Iterator[str]:
    """Every function that the exports reach, each once, and what each reads."""
    waiting = [_plain(kernel) for kernel, _ in kernels.EXPORTS.values()] + [_plain(kernels.start)]
    seen = set(waiting)
    while waiting:
        function = waiting.pop()
        statement = _statement(function)
        yield f"{function.__module__}.{function.__qualname__}: {ast.unparse(statement)}"
        for name, value in _globals(function, statement):
            callee = _callee(game, value)
            if callee is None:
                yield f"{name} = {_text(value, f'{function.__qualname__}: {name}')}"
                continue
            yield f"{name} = {callee.__module__}.{callee.__qualname__}"
            if callee not in seen:
                seen.add(callee)
                waiting.append(callee)


def _plain(kernel: Any) -> Any:
    return getattr(kernel, "py_func", kernel)


def _callee(game: Game, value: Any) -> Any:
    """Return the function that a call of this means, for this game; None if it is no function of ours."""
    name = getattr(value, "__name__", "")
    if name in verbs.VERBS and getattr(verbs, name) is value:
        return _plain(verbs.implementation(game.dtype, name))
    plain = _plain(value)
    return plain if inspect.isfunction(plain) and plain.__module__.partition(".")[0] not in _KNOWN else None


def _text(value: Any, what: str) -> str:
    """Return a value that kernels read as text, the same in every version of Python and NumPy."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, np.generic):
        return f"{value.dtype.str} {value.item()!r}"
    if isinstance(value, tuple):
        return f"({', '.join(_text(part, what) for part in value)})"
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    if isinstance(value, type) and hasattr(value, "_fields"):
        return f"{value.__name__} {value._fields}"
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or "numpy"
    if module.partition(".")[0] in _KNOWN:
        return str(getattr(value, "__name__", module))
    raise TypeError(f"the digest of an engine module cannot contain {what}: {value!r}")


@functools.cache
def _functions(file: str) -> dict[int, ast.FunctionDef]:
    """The functions of a file, by their first lines, decorators included."""
    tree = ast.parse(Path(file).read_bytes())
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {min([node.lineno, *(each.lineno for each in node.decorator_list)]): node for node in functions}


class _Bare(ast.NodeTransformer):
    """Removes what does not change the code: annotations, decorators and docstrings."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return node if node.value is None else ast.Assign([node.target], node.value, lineno=node.lineno)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
        bare = ast.FunctionDef(node.name, node.args, body or [ast.Pass()], [], lineno=node.lineno)
        if "type_params" in ast.FunctionDef._fields:
            bare.type_params = []  # type: ignore[attr-defined,unused-ignore]
        return bare


def _statement(function: Any) -> ast.FunctionDef:
    """Return a function without what does not change its code."""
    code = function.__code__
    statement = _functions(code.co_filename).get(code.co_firstlineno)
    if statement is None or code.co_freevars:
        raise TypeError(
            f"the digest of an engine module cannot contain {function.__qualname__}: its source is elsewhere"
        )
    bare = _Bare().visit(ast.parse(ast.unparse(statement)).body[0])
    assert isinstance(bare, ast.FunctionDef)
    return ast.fix_missing_locations(bare)


def _globals(function: Any, statement: ast.FunctionDef) -> list[tuple[str, Any]]:
    """Return what a function reads from outside, by its name there (`tiles.ROUNDS`)."""
    values: dict[str, Any] = {}
    inner = {id(node.value) for node in ast.walk(statement) if isinstance(node, ast.Attribute)}
    for node in ast.walk(statement):
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in inner:
            names = _chain(node)
            if names and names[0] in function.__globals__ and names[0] not in function.__code__.co_varnames:
                value, used = function.__globals__[names[0]], 1
                while used < len(names) and isinstance(value, ModuleType):
                    value, used = getattr(value, names[used]), used + 1
                values[".".join(names[:used])] = value
    return sorted(values.items())


def _chain(node: ast.expr) -> list[str]:
    """Return the names in `a.b.c`; nothing if it begins with something else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return [node.id, *names] if isinstance(node, ast.Name) else []
