"""One way to read a move: codes are taken apart by Notation alone, and the order of the families means nothing."""

import ast
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import malecon
from tests.games import declared

SOURCES = Path(malecon.__file__).parent
GAMES = ["santiago", "cuba"]
#: What is in `moves` beside families.
NO_FAMILIES = {"NOTATION", "MOVES", "MOST_LEGAL", "FAMILY", "PARTS", "BUILDING_USED", "USES", "USE_ONE", "USE_TWO"}
ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def sources() -> list[Path]:
    return [file for file in SOURCES.rglob("*.py") if not file.match("games/*/moves.py")]


def families_in(node: ast.AST) -> list[str]:
    return [
        f"moves.{part.attr}"
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "moves"
        if part.attr.isupper() and part.attr not in NO_FAMILIES
    ]


def is_kernel(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        ast.unparse(decorator).startswith("kernel") for decorator in node.decorator_list
    )


def trespasses(node: ast.AST, in_kernel: bool = False) -> Iterator[str]:
    """Comparisons by order and ranges anywhere; in code that is not compiled, every calculation with a family."""
    in_kernel = in_kernel or is_kernel(node)
    compares = isinstance(node, ast.Compare) and any(isinstance(part, ORDER) for part in node.ops)
    spans = isinstance(node, ast.Call) and ast.unparse(node.func) in ("range", "min", "max", "divmod", "sorted")
    calculates = isinstance(node, ast.BinOp) and not isinstance(node.op, ast.BitOr)
    if (compares or spans or (calculates and not in_kernel)) and families_in(node):
        yield ast.unparse(node)
    for child in ast.iter_child_nodes(node):
        yield from trespasses(child, in_kernel)


def test_nobody_calculates_with_codes_but_kernels_and_nobody_compares_them():
    offenders = {str(file): list(trespasses(ast.parse(file.read_text("utf-8")))) for file in sources()}
    assert len(offenders) > 100
    assert not {file: lines for file, lines in offenders.items() if lines}


@pytest.mark.parametrize(
    ("source", "number"),
    [
        ("code - moves.SWAP", True),
        ("range(moves.SWAP, moves.SERVE_RUM)", True),
        ("@kernel\ndef use(move):\n    return move < moves.DONATE_TWO", True),
        ("@kernel(inline=True)\ndef use(move):\n    return move - moves.DONATE", False),
        ("match reading:\n    case (moves.BUY | moves.SELL), (good,):\n        pass", False),
        ("code == moves.PASS", False),
    ],
)
def test_the_search_for_such_places_finds_them(source, number):
    assert bool(list(trespasses(ast.parse(source)))) == number


@pytest.mark.parametrize("game", GAMES)
def test_every_family_has_a_name_and_every_use_a_building(game):
    moves, tiles = (importlib.import_module(f"malecon.games.{game}.{part}") for part in ("moves", "tiles"))
    families = set(moves.FAMILY.tolist())
    named = [value for name, value in vars(moves).items() if name.isupper() and name not in NO_FAMILIES]
    assert families <= {value for value in named if isinstance(value, int)}
    assert set(moves.USES) < families
    assert set(moves.USES.values()) == set(range(len(tiles.BUILDINGS)))


@pytest.mark.parametrize("game", GAMES)
def test_games_are_the_same_whatever_order_families_are_declared_in(game):
    run = subprocess.run(
        [sys.executable, declared.__file__, game, "backwards"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    first, digest = run.stdout.splitlines()
    assert first != malecon.games.get(game).notation.name(0), "the order is another"
    assert digest == declared.digest_of_games(game)
