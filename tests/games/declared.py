"""What golden games say of themselves, to compare with the same games when every family of moves was declared in
another order: `python -m tests.games.declared GAME backwards`.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path

HERE = Path(__file__).parent


class _Backwards(SourceFileLoader):
    """Loads a game's moves with the families of seats, and those of chance, declared from the last to the first."""

    def source_to_code(self, data, path, *, _optimization=-1):
        module = ast.parse(data)
        for of_chance in (False, True):
            places = [i for i, node in enumerate(module.body) if _is_family(node) and _is_chance(node) == of_chance]
            assert len(places) > 1
            families = [module.body[i] for i in places]
            for place, family in zip(places, reversed(families), strict=True):
                module.body[place] = family
        return compile(module, path, "exec")

    def get_code(self, fullname):
        return self.source_to_code(self.get_data(self.path), self.path)  # nothing of this is kept on disk


def _is_family(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and ast.unparse(statement.value).startswith("NOTATION.family(")


def _is_chance(statement: ast.stmt) -> bool:
    return "chance=True" in ast.unparse(statement)


class _Finder(MetaPathFinder):
    def __init__(self, module: str) -> None:
        self.module = module

    def find_spec(self, fullname, path, target=None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname == self.module else None
        if spec is not None:
            spec.loader = _Backwards(fullname, spec.origin)
        return spec


def digest_of_games(game: str) -> str:
    """A digest of every position, every legal move with its label and place, some refusals, and the whole story."""
    import malecon
    from malecon.text import describe_move, story

    place = importlib.import_module(f"malecon.games.{game}.drawing.targets").place
    total = hashlib.sha256()
    for record in sorted((HERE / game / "golden").glob("*-players-*.json"))[::2]:
        match = malecon.load(record)
        notation, why_illegal = match.game.notation, match.game.why_illegal
        names = sorted(notation.names())
        for number in range(0, len(match), 5):
            view = match.everything(number)
            total.update(view.position.tobytes())
            legal = match.fork(number).legal_moves
            for move in sorted(map(str, legal)):
                code = notation.code(move)
                total.update(f"{move}: {describe_move(view, code)}, {place(view.position, code)}\n".encode())
            for name in names[number % 7 :: 7]:
                if name not in legal:
                    reason = why_illegal(view.position, notation.code(name), view.names)
                    total.update(f"{name}: {reason}\n".encode())
        total.update("\n".join(str(line) for lines in story(match) for line in lines).encode())
    return total.hexdigest()


if __name__ == "__main__":
    name, *order = sys.argv[1:]
    if order == ["backwards"]:
        sys.meta_path.insert(0, _Finder(f"malecon.games.{name}.moves"))
    moves = importlib.import_module(f"malecon.games.{name}.moves")
    print(moves.NOTATION.name(0), digest_of_games(name), sep="\n")
