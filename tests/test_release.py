"""A release: wheel and source archive are built, and the wheel is installed and played in an empty environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import malecon
from tests.paths import ROOT

PACKAGE = ROOT / "src" / "malecon"
#: Kinds of files that the program reads beside its modules; a wheel without one of them starts, and fails later.
DATA = {
    "templates": "*.html",
    "static files": "*.css",
    "scripts": "*.js",
    "catalogs": "*.po",
    "weights": "*.npz",
    "migrations": "migrations/versions/*.py",
    "the mark of a typed package": "py.typed",
}

PLAY = """
import malecon, pathlib, sys
from malecon import bots
from malecon.text import tell, translate
assert pathlib.Path(malecon.__file__).is_relative_to(sys.prefix), malecon.__file__
for game in ("santiago", "cuba"):
    match = malecon.new(game, players=2, seed=1)
    for name in ("random", "greedy", "search:sims=2"):
        match.push(bots.make(name, seed=1).choose(match.view(match.turn)))
    assert [translate(line, "de") for number in range(len(match)) for line in tell(match, number)]
    assert malecon.Record.from_json(match.record().to_json()).replay().turn == match.turn
print(malecon.__version__)
"""


def quiet(*command: str | Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both archives; the wheel is made from the source archive, as an installer without wheels would."""
    folder = tmp_path_factory.mktemp("dist")
    quiet(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (path,) = built.glob("*.whl")
    return path


def needed(program: Distribution) -> set[str]:
    """The distributions that installing a program would bring along: what it declares, and what those declare."""

    def fits(requirements: list[str] | None, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
        for requirement in map(Requirement, requirements or []):
            if requirement.marker is None or any(requirement.marker.evaluate({"extra": e}) for e in extras | {""}):
                yield canonicalize_name(requirement.name), frozenset(requirement.extras)

    waiting = list(fits(program.requires, frozenset()))
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        if (item := waiting.pop()) not in seen:
            seen.add(item)
            waiting += fits(distribution(item[0]).requires, item[1])
    return {name for name, _ in seen}


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it declares, nothing else. Dependencies are linked, not downloaded."""
    home = tmp_path_factory.mktemp("empty")
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    quiet(sys.executable, "-m", "pip", "--quiet", "--python", python, "install", "--no-deps", "--no-index", wheel)
    (site,) = home.glob("lib/python*/site-packages")
    for name in needed(next(iter(distributions(name="malecon", path=[str(site)])))):
        lent = distribution(name)
        for top in {file.parts[0] for file in lent.files or []} - {"..", "__pycache__"}:
            (site / top).symlink_to(Path(str(lent.locate_file(top))))
    return home


@pytest.fixture(scope="module")
def plainly() -> dict[str, str]:
    """The variables of a stranger's shell: no path to the sources. The rules run uncompiled, which saves minutes."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "MALECON"))}
    return kept | {"NUMBA_DISABLE_JIT": "1", "PYTHONSAFEPATH": "1"}


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    sources = {path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    scripts = {f"malecon/training/{path.name}" for path in (ROOT / "training").glob("*.py")}
    assert names == {str(path.relative_to(PACKAGE.parent)) for path in sources} | scripts
    assert [kind for kind, pattern in DATA.items() if not any(PACKAGE.rglob(pattern))] == []


def test_the_source_archive_holds_the_project(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = opened.getnames()
    tops = {name.split("/")[1] for name in names}
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=False).stdout.split()
    assert {name.split("/")[0] for name in listed if not name.startswith(".")} <= tops
    assert [name for name in names if "__pycache__" in name or "/.venv" in name] == []


def test_the_version_is_written_in_one_place(wheel: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project
    assert wheel.name.startswith(f"malecon-{malecon.__version__}-")


def test_the_changelog_knows_the_version() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert headings[0] == "Unreleased"
    assert len(headings) == 1 or headings[1] == malecon.__version__


def test_an_installed_wheel_plays(environment: Path, plainly: dict[str, str]) -> None:
    assert quiet(environment / "bin" / "python", "-c", PLAY, env=plainly).strip() == malecon.__version__
    assert malecon.__version__ in quiet(environment / "bin" / "malecon", "--version", env=plainly)


def test_an_installed_wheel_serves(environment: Path, plainly: dict[str, str], tmp_path: Path) -> None:
    command = [environment / "bin" / "malecon", "serve", "--no-browser", "--data", tmp_path]
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True, env=plainly) as server:
        try:
            address = next(match[0] for line in server.stdout or () if (match := re.search(r"http://[\d.]+:\d+", line)))
            for path, expected in (("/", "Santiago de Cuba"), ("/rules/cuba", "Regeln"), ("/static/base.css", "{")):
                request = Request(address + path, headers={"Accept-Language": "de"})
                with urlopen(request, timeout=20) as answer:
                    assert expected in answer.read().decode()
        finally:
            server.terminate()
