"""A kernel's digest sees every file it can reach, wherever that stands, and no other."""

import ast
import sys
from pathlib import Path

import pytest

import malecon
from malecon.kernel.machine_code import sources
from malecon.kernel.machine_code.sources import SourceFile

FILES = {
    "house/__init__.py": "",
    "house/kernel/__init__.py": "",
    "house/kernel/verbs.py": "",
    "house/games/__init__.py": "",
    "house/games/toy/__init__.py": "from house.games.toy.rules import play\n",
    "house/games/toy/rules.py": "from house.kernel import verbs\nfrom house.games.toy.cards import foreman\n",
    "house/games/toy/cards/__init__.py": "",
    "house/games/toy/cards/foreman.py": "import house.kernel.verbs\nfrom stones import (  # (weights)\n    HEAVY,\n)\n",
    "house/games/other/__init__.py": "",
    "house/games/other/rules.py": "from house.kernel.verbs import play\n",
    "house/bots/__init__.py": "from .levels import LEVELS\n",
    "house/bots/levels.py": "",
    "house/bots/tree.py": "",
    "house/bots/search.py": "from . import tree\nfrom ..kernel.verbs import play\n",
    "house/arena/simulation.py": "try:\n    from house.bots import search\nexcept ImportError:\n    search = None\n",
    "house/study/counting.py": (
        "import numpy, numba\nfrom typing import TYPE_CHECKING\nfrom house.arena import simulation; import stones\n"
        "if TYPE_CHECKING:\n    from house.match import Match\n"
        "def late():\n    from house.words import tell\n"
    ),
    "house/envs/continued.py": "from house.bots \\\n    import tree, \\\n    LEVELS\n",
    "house/match.py": "",
    "house/words.py": "",
    "stones.py": "HEAVY = 3\n",
}
REACH = {
    "house.kernel.verbs": set(),
    "house.games.toy.rules": {"house.kernel.verbs", "house.games.toy.cards.foreman", "house", "house.kernel", "stones"},
    "house.games.toy": {
        "house.games.toy.rules",
        "house.kernel.verbs",
        "house.games.toy.cards.foreman",
        "house",
        "house.kernel",
        "stones",
    },
    "house.games.other.rules": {"house.kernel.verbs"},
    "house.bots.search": {"house.bots.tree", "house.kernel.verbs"},
    "house.arena.simulation": {"house.bots.search", "house.bots.tree", "house.kernel.verbs"},
    "house.study.counting": {
        "house.arena.simulation",
        "house.bots.search",
        "house.bots.tree",
        "house.kernel.verbs",
        "stones",
    },
    "house.envs.continued": {"house.bots.tree", "house.bots", "house.bots.levels"},
}


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A package with a file in every room, and a module beside it."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    for remembered in (sources.reach, sources.locate, sources._imports, sources._content):
        remembered.cache_clear()


def source_of(module: str) -> SourceFile:
    source = sources.locate(module)
    assert source is not None
    return source


def digest(module: str) -> str:
    forget()
    return sources.digest(source_of(module))


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize("module", REACH)
def test_a_kernel_reaches_what_its_file_imports(module):
    assert {source.module for source in sources.reach(source_of(module))} == REACH[module] | {module}
    assert not any(name.partition(".")[0] == "house" for name in sys.modules)  # nothing was imported for it


@pytest.mark.parametrize("module", REACH)
def test_a_change_in_any_file_that_is_reached_changes_the_digest_and_no_other_does(house, module):
    before = digest(module)
    assert digest(module) == before
    for name, text in FILES.items():
        changed = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        (house / name).write_text(text + "y = 2\n")
        assert (digest(module) != before) == (changed in REACH[module] | {module}), changed
        (house / name).write_text(text)
    assert digest(module) == before


def test_text_moved_from_one_file_to_another_changes_the_digest(house):
    before = digest("house.games.toy.rules")
    (house / "stones.py").write_text("")
    (house / "house/kernel/verbs.py").write_text("HEAVY = 3\n")
    assert digest("house.games.toy.rules") != before


def test_the_digest_does_not_depend_on_where_the_files_stand(house, monkeypatch, tmp_path_factory):
    before = digest("house.bots.search")
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "src"
    (house / "house").rename(elsewhere.parent / "house")
    monkeypatch.syspath_prepend(elsewhere.parent)
    assert digest("house.bots.search") == before


def test_installed_packages_are_followed_only_where_they_have_kernels(house, monkeypatch):
    installed = house / "site-packages"
    for package in ("board", "clock"):
        (installed / package).mkdir(parents=True)
        (installed / package / "__init__.py").write_text("")
    (house / "mine.py").write_text("import board, clock, json\n")
    monkeypatch.syspath_prepend(installed)
    monkeypatch.setattr(sources, "_packages", set())
    sources.note_package("board.rules")
    assert {source.module for source in sources.reach(source_of("mine"))} == {"mine", "board"}


def test_every_import_of_our_own_sources_is_seen():
    """Lines are looked at one by one, for that is quick; the real parser must find the same."""
    package = Path(malecon.__file__).parent
    for file in package.rglob("*.py"):
        parts = ("malecon", *file.relative_to(package).with_suffix("").parts)
        source = SourceFile(".".join(parts).removesuffix(".__init__"), file)
        ours = {name for name in sources._imports(source) if name.startswith("malecon.")}
        assert ours >= set(imported_on_load(ast.parse(file.read_bytes()).body)), file


def imported_on_load(body: list[ast.stmt]):
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("malecon."))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("malecon"):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if sources.locate(inner) or node.module != "malecon":
                    yield inner if sources.locate(inner) else node.module
        elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
            yield from imported_on_load(node.body + node.orelse)
        elif isinstance(node, ast.Try):
            yield from imported_on_load(node.body + node.orelse + node.finalbody)
