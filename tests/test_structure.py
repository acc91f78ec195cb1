"""The structure that contributors are told about: the map in CONTRIBUTING, names, documentation, line lengths."""

from __future__ import annotations

import ast
import pydoc
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import malecon
from malecon import games
from tests.paths import ROOT

SOURCES = Path(malecon.__file__).parent
MAP = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## The map")[2].partition("\n## ")[0]
TESTS = ROOT / "tests"
#: Names that say nothing about what they hold.
VAGUE_NAMES = {"found", "told", "one", "wanted"}
LONGEST_LINE = 120


def packages() -> Iterator[tuple[str, Path]]:
    """Yield every package below `malecon` with its folder."""
    for file in sorted(SOURCES.rglob("__init__.py")):
        if file.parent != SOURCES:
            yield ".".join(file.parent.relative_to(SOURCES).parts), file.parent


def modules() -> list[Path]:
    return sorted(SOURCES.rglob("*.py"))


def rows(title: str) -> str:
    """Return the first column of the table on the map that begins with this title."""
    table = MAP.partition(f"| {title} |")[2].partition("\n\n")[0]
    return " ".join(row.split("|")[1] for row in table.splitlines() if row.startswith("| `"))


def test_every_module_has_a_docstring() -> None:
    assert [str(path) for path in modules() if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []


def test_the_map_names_every_package() -> None:
    top = {name for name, _ in packages() if "." not in name}
    top |= {path.stem for path in SOURCES.glob("*.py") if not path.stem.startswith("__")}
    assert set(re.findall(r"`(\w+)`", rows("package"))) == top
    server = {name.split(".")[1] for name, _ in packages() if re.fullmatch(r"server\.\w+", name)}
    assert set(re.findall(r"`(\w+)`", rows("in `server`"))) == server


def test_games_have_one_shape_and_the_map_shows_it() -> None:
    shown = set(re.findall(r"`([\w.]+)/?`", rows("in a game")))
    for name in games.names():
        folder = SOURCES / "games" / name
        contents = {path.stem if path.suffix == ".py" else path.name for path in folder.iterdir()}
        assert contents - {"__init__", "__pycache__"} == shown, name


def test_paths_on_the_map_lead_somewhere() -> None:
    paths = [path for path in re.findall(r"`((?!src/)[a-z_]+/[\w/]*(?:\.py)?)`", MAP) if path.count("/") > 1]
    assert len(paths) > 6
    assert [path for path in paths if not (SOURCES / path).exists()] == []


@pytest.mark.parametrize(
    ("question", "file", "name"),
    [
        ("where a move is committed", "server/tables/live_tables.py", "_commit"),
        ("the Merchant", "games/cuba/rules/merchant.py", "def "),
        ("the text of an error", "server/errors.py", "class Refused"),
        ("where a fifth language would go", "text/catalogs/", ""),
    ],
)
def test_the_map_answers_what_newcomers_ask(question: str, file: str, name: str) -> None:
    line = next(line for line in MAP.splitlines() if question in line)
    assert f"`{file}`" in line
    assert not name or name in (SOURCES / file).read_text("utf-8")


def test_pydoc_leads_to_every_package_and_answers_the_same_questions() -> None:
    page = pydoc.plain(pydoc.render_doc(malecon))
    assert all(f"{name} (package)" in page for name, _ in packages() if "." not in name)
    for module in ("server.tables.live_tables", "games.cuba.rules.merchant", "server.errors", "text/catalogs"):
        assert f"`{module}`" in page


def test_tasks_of_the_server_are_created_in_one_place() -> None:
    files = [path.name for path in (SOURCES / "server").rglob("*.py") if "create_task(" in path.read_text("utf-8")]
    assert files == ["background.py"]


def defined_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield every name that a module binds, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node.lineno


def test_names_say_what_they_hold() -> None:
    vague = [
        f"{path}:{line}: {name}"
        for path in (*modules(), *TESTS.rglob("*.py"))
        for name, line in defined_names(ast.parse(path.read_text("utf-8")))
        if name in VAGUE_NAMES
    ]
    assert vague == []


def test_a_class_name_means_one_class() -> None:
    """Games are apart from each other: each may have a `Scene`."""
    classes = Counter(
        node.name
        for path in modules()
        if SOURCES / "games" not in path.parents
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in classes.items() if count > 1] == []


def page_files(*suffixes: str) -> list[Path]:
    return sorted(path for suffix in suffixes for path in (SOURCES / "server" / "pages").rglob(f"*.{suffix}"))


def test_templates_scripts_styles_and_pictures_have_short_lines() -> None:
    """Ruff says the same of Python."""
    files = [path for suffix in ("html", "js", "css", "svg") for path in SOURCES.rglob(f"*.{suffix}")]
    assert len(files) > 80
    long = [
        f"{path.name}:{number}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    assert long == []


def test_pages_name_no_game() -> None:
    files = page_files("html", "js", "css")
    named = [(path.name, game) for path in files for game in games.names() if game in path.read_text("utf-8")]
    assert named == []


def test_names_in_scripts_say_what_they_hold() -> None:
    vague = re.compile(
        rf"\b(?:let|const|function|async)\s+(?:{'|'.join(VAGUE_NAMES)})\b|\((?:{'|'.join(VAGUE_NAMES)})\)\s*=>"
    )
    assert [path.name for path in page_files("js") if vague.search(path.read_text("utf-8"))] == []


def test_tests_mirror_the_sources() -> None:
    """A folder of tests has a package of the same name; only tests of browsers and of hosting concern everything."""
    folders = {file.parent.relative_to(TESTS) for file in TESTS.rglob("test_*.py")}
    assert [str(folder) for folder in sorted(folders) if not (SOURCES / folder).is_dir()] == ["browser", "hosting"]


def test_tests_share_helpers_through_modules_that_are_not_tests() -> None:
    imports = [
        f"{file.relative_to(ROOT)}: {node.module}"
        for file in TESTS.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and re.search(r"(^|\.)test_", node.module or "")
    ]
    assert imports == []


def test_tests_do_not_sleep() -> None:
    """Tests wait for what they need, a moment at a time, or advance a clock."""
    naps = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (most := {"sleep": 0.5, "wait_for_timeout": 500}.get(node.func.attr))
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value > most
    ]
    assert naps == []
