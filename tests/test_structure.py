"""The house stays one in which a newcomer finds their room: short modules, few names in a room, a map that is true."""

from __future__ import annotations

import ast
import pydoc
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import malecon
from tests.paths import ROOT

SOURCES = Path(malecon.__file__).parent
LONGEST = 500
MOST_NAMES = 14
MAP = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## The map")[2].partition("\n## ")[0]


def rooms() -> Iterator[tuple[str, Path]]:
    """Every package, as the map calls it, with its folder."""
    for opening in sorted(SOURCES.rglob("__init__.py")):
        yield ".".join(opening.parent.relative_to(SOURCES).parts), opening.parent


def modules() -> list[Path]:
    return sorted(SOURCES.rglob("*.py"))


def test_no_file_is_long():
    files = [path for kind in ("py", "js", "css", "html") for path in SOURCES.rglob(f"*.{kind}")]
    files += [path for name in ("tests", "benchmarks", "training", "website") for path in (ROOT / name).rglob("*.py")]
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in files}
    assert len(lengths) > 300
    assert {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n > LONGEST} == {}


@pytest.mark.parametrize(("room", "folder"), list(rooms()), ids=str)
def test_no_room_has_too_many_names(room, folder):
    names = [path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")]
    names += [path.name for path in folder.iterdir() if (path / "__init__.py").exists()]
    assert len(names) <= MOST_NAMES, f"{room}: {', '.join(sorted(names))}"


def test_every_module_says_what_lives_there():
    assert [str(path) for path in modules() if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []


def test_the_map_names_every_room_and_no_other():
    table = MAP.partition("| package |")[2]
    named = set(
        re.findall(r"`([\w.]+)`", " ".join(row.split("|")[1] for row in table.splitlines() if row[:3] == "| `"))
    )
    single = {path.stem for path in SOURCES.glob("*.py") if not path.stem.startswith("__")}
    assert named == {name for name, _ in rooms()} - {""}
    assert all(f"`{name}`" in MAP for name in single)


def test_paths_on_the_map_lead_somewhere():
    paths = re.findall(r"`((?!src/)[a-z_]+/[\w/]*(?:\.py)?)`", MAP)
    assert len(paths) > 10
    assert [path for path in paths if not (SOURCES / path).exists()] == []


@pytest.mark.parametrize(
    ("question", "file", "name"),
    [
        ("where a move is committed", "server/tables/actions.py", "_commit"),
        ("the Merchant", "games/cuba/characters/merchant.py", "def "),
        ("the text of an error", "server/errors.py", "class Refused"),
        ("where a fifth language would go", "words/catalogs/", ""),
    ],
)
def test_the_map_answers_what_newcomers_ask(question, file, name):
    line = next(line for line in MAP.splitlines() if question in line)
    assert f"`{file}`" in line
    assert not name or name in (SOURCES / file).read_text("utf-8")


def test_pydoc_leads_to_every_room_and_answers_the_same_questions():
    page = pydoc.plain(pydoc.render_doc(malecon))
    assert all(f"{name} (package)" in page for name, _ in rooms() if name and "." not in name)
    for known in ("server.tables.actions", "games.cuba.characters.merchant", "server.errors", "words/catalogs"):
        assert f"`{known}`" in page


def test_the_server_keeps_its_tasks_in_one_place():
    keepers = [path.name for path in (SOURCES / "server").rglob("*.py") if "create_task(" in path.read_text("utf-8")]
    assert keepers == ["background.py"]
