"""The disk cache of compiled kernels can never run stale code, and never gets in the way."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
import pytest

from malecon.kernel import compile as compiling

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled in this run")

TOP = """
from malecon.games.toy.deep import deep
from malecon.kernel.compile import kernel

@kernel
def top(n):
    return n + deep(n)
"""
DEEP = """
from malecon.kernel.compile import kernel

@kernel
def deep(n):
    return 10 * n
"""
RUN = """
from malecon.games.toy.top import top
import malecon.kernel
print(malecon.kernel.__file__)
print(top(1))
print(sum(top.stats.cache_hits.values()) if hasattr(top, "stats") else -1)
"""


class Toy:
    """A copy of the kernel with a tiny game beside it, run in processes of its own."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "sources"
        self.cache = folder / "cache"
        package = self.root / "malecon"
        shutil.copytree(compiling.PACKAGE / "kernel", package / "kernel", ignore=shutil.ignore_patterns("__pycache__"))
        self.game = package / "games" / "toy"
        self.game.mkdir(parents=True)
        for room in (package, package / "games", self.game):
            (room / "__init__.py").write_text("")
        (self.game / "top.py").write_text(TOP)
        (self.game / "deep.py").write_text(DEEP)

    def run(self, script: str = RUN, **environment: str) -> tuple[int, int]:
        """What `top(1)` returns, and how often its machine code came from the disk."""
        # Python's own bytecode files go by size and date, which these tests keep; they are not what is tested here.
        own = {"PYTHONPATH": str(self.root), "MALECON_CACHE_DIR": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | own | environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        where, value, hits = done.stdout.split()
        assert where.startswith(str(self.root)), "this test must run its own copy"
        return int(value), int(hits)

    def folders(self) -> set[str]:
        return {folder.name for folder in self.cache.iterdir()} if self.cache.exists() else set()


@pytest.fixture
def toy(tmp_path):
    return Toy(tmp_path)


@compiled_only
def test_a_change_in_a_file_that_a_kernel_calls_is_never_missed(toy):
    assert toy.run() == (11, 0)
    assert toy.run() == (11, 1)  # from the disk: the cache does work
    deep = toy.game / "deep.py"
    before = deep.stat()
    deep.write_text(DEEP.replace("10 * n", "20 * n"))
    os.utime(deep, ns=(before.st_atime_ns, before.st_mtime_ns))  # same size, same date: only the content differs
    assert toy.run() == (21, 0)
    deep.write_text(DEEP)
    assert toy.run() == (11, 1)  # the old code's folder is still there, and right again


@compiled_only
def test_without_a_folder_to_write_to_everything_works_uncached(toy, tmp_path):
    (tmp_path / "file").write_text("")
    assert toy.run(MALECON_CACHE_DIR=str(tmp_path / "file" / "cache")) == (11, 0)
    assert (tmp_path / "file").read_text() == ""


def test_without_the_compiler_everything_works_and_nothing_is_written(toy):
    assert toy.run(NUMBA_DISABLE_JIT="1") == (11, -1)
    assert toy.folders() == set()


@compiled_only
def test_files_cut_short_by_a_crash_are_compiled_anew(toy):
    toy.run()
    for suffix in ("nbi", "nbc"):
        damaged = list(toy.cache.rglob(f"*.{suffix}"))
        assert damaged
        for file in damaged:
            file.write_bytes(b"")
        assert toy.run()[0] == 11


# --- the digest, on a package of our own


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package in which a file stands in every room; the digest looks at it instead of at ours."""
    files = [
        "kernel/verbs.py",
        "kernel/deep/er.py",
        "games/__init__.py",
        "games/toy/rules.py",
        "games/toy/cards/foreman.py",
        "games/other/rules.py",
        "bots/__init__.py",
        "bots/tree.py",
        "bots/levels.py",
        "words/english.py",
        "match.py",
    ]
    imports = {
        "bots/search.py": "from malecon.bots.tree import node\n",
        "arena/simulation.py": "from malecon.bots import search\n",
        "envs/env.py": "def late():\n    import malecon.bots.search\n",
        "study/counting.py": "import numpy\nfrom malecon.arena.simulation import go\nfrom malecon.match import Match\n",
    }
    for name in (*files, *imports):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(imports.get(name, "") + "x = 1\n")
    monkeypatch.setattr(compiling, "PACKAGE", tmp_path)
    yield tmp_path
    forget()


def forget() -> None:
    for remembered in (compiling.digest, compiling._reach, compiling._imports):
        remembered.cache_clear()


def stamp(package: Path, source: str) -> str:
    """The cache folder's name for a kernel in that file."""
    forget()
    return compiling.digest(compiling._reach(package / source))


KERNELS_REACH = {
    "games/toy/rules.py": ["kernel/verbs.py", "kernel/deep/er.py", "games/toy/rules.py", "games/toy/cards/foreman.py"],
    "games/toy/cards/foreman.py": ["kernel/verbs.py", "games/toy/rules.py", "games/toy/cards/foreman.py"],
    "kernel/verbs.py": ["kernel/verbs.py", "kernel/deep/er.py"],
    "bots/search.py": [
        "kernel/verbs.py",
        "games/__init__.py",
        "games/toy/rules.py",
        "games/toy/cards/foreman.py",
        "games/other/rules.py",
        "bots/__init__.py",
        "bots/tree.py",
        "bots/search.py",
    ],
    "arena/simulation.py": ["kernel/verbs.py", "games/toy/rules.py", "bots/search.py", "arena/simulation.py"],
    "envs/env.py": ["kernel/verbs.py", "games/toy/rules.py", "bots/search.py", "bots/tree.py", "envs/env.py"],
    "study/counting.py": ["kernel/verbs.py", "arena/simulation.py", "bots/tree.py", "study/counting.py"],
}


@pytest.mark.parametrize(("source", "reached"), [(s, r) for s, all_ in KERNELS_REACH.items() for r in all_])
def test_a_change_in_any_file_a_kernel_can_reach_changes_its_folder(package, source, reached):
    before = stamp(package, source)
    assert stamp(package, source) == before
    text = (package / reached).read_text()
    (package / reached).write_text(text + "y = 2\n")
    assert stamp(package, source) != before
    (package / reached).write_text(text)
    assert stamp(package, source) == before


@pytest.mark.parametrize("source", KERNELS_REACH)
def test_a_file_added_removed_or_renamed_changes_the_folder(package, source):
    seen = [stamp(package, source)]
    (package / "kernel" / "new.py").write_text("")
    seen.append(stamp(package, source))
    (package / "kernel" / "new.py").rename(package / "kernel" / "newer.py")
    seen.append(stamp(package, source))
    (package / "kernel" / "newer.py").unlink()
    (package / "kernel" / "deep" / "er.py").unlink()
    seen.append(stamp(package, source))
    assert len(set(seen)) == 4


def test_text_moved_from_one_file_to_another_changes_the_folder(package):
    before = stamp(package, "games/toy/rules.py")
    (package / "games/toy/rules.py").write_text("x = 1\nx = 1\n")
    (package / "games/toy/cards/foreman.py").write_text("")
    assert stamp(package, "games/toy/rules.py") != before


def test_a_games_kernels_stay_cached_when_another_game_or_a_bot_changes(package):
    before = stamp(package, "games/toy/rules.py")
    for other in ("games/other/rules.py", "bots/search.py", "words/english.py", "match.py"):
        (package / other).write_text("x = 2\n")
    assert stamp(package, "games/toy/rules.py") == before


def test_a_bots_kernels_stay_cached_when_what_they_do_not_import_changes(package):
    before = stamp(package, "bots/search.py")
    for other in ("bots/levels.py", "arena/simulation.py", "envs/env.py", "words/english.py"):
        (package / other).write_text("x = 2\n")
    assert stamp(package, "bots/search.py") == before


def test_an_import_that_says_only_where_from_here_is_refused(package):
    (package / "bots/search.py").write_text("from .tree import node\n")
    with pytest.raises(ValueError, match="say the whole name"):
        stamp(package, "bots/search.py")


@pytest.mark.parametrize("what", ["numba", "python"])
def test_another_compiler_or_python_has_another_folder(package, monkeypatch, what):
    before = stamp(package, "games/toy/rules.py")
    if what == "numba":
        monkeypatch.setattr(numba, "__version__", "0.0")
    else:
        monkeypatch.setattr(sys, "version", "3.99")
    assert stamp(package, "games/toy/rules.py") != before


# --- where kernels may stand


def defined_in(path: Path):
    """A function that seems to stand in that file."""
    scope: dict = {}
    exec(compile("def f(n):\n    return n + 1\n", str(path), "exec"), scope)
    return scope["f"]


@compiled_only
@pytest.mark.parametrize("place", ["match.py", "words/table.py", "cli.py", "server/app.py"])
def test_a_kernel_outside_the_rooms_is_refused(place):
    with pytest.raises(ValueError, match="kernels live in kernel, games, bots, arena, envs, study"):
        compiling.kernel(defined_in(compiling.PACKAGE / place))


@compiled_only
def test_a_kernel_outside_the_package_works_and_is_not_cached(tmp_path, monkeypatch):
    monkeypatch.setenv("MALECON_CACHE_DIR", str(tmp_path / "cache"))
    function = compiling.kernel(defined_in(tmp_path / "notebook.py"))
    assert function(1) == 2
    assert not (tmp_path / "cache").exists()


@compiled_only
def test_a_kernel_is_compiled_once_for_all_widths_of_integers(tmp_path):
    scope: dict = {"kernel": compiling.kernel}
    source = "@kernel\ndef inner(n):\n    return n * 100\n@kernel\ndef outer(a):\n    return inner(a[0]) + inner(7)\n"
    exec(compile(source, str(tmp_path / "notebook.py"), "exec"), scope)
    assert scope["outer"](np.array([100], np.int8)) == 10_000 + 700  # not what int8 would hold
    assert scope["outer"](np.array([100], np.int16)) == 10_000 + 700
    assert len(scope["inner"].signatures) == 1


# --- prune


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MALECON_CACHE_DIR", str(tmp_path))
    return tmp_path


def cached(cache: Path, name: str, days_ago: float) -> Path:
    folder = cache / name
    folder.mkdir()
    when = time.time() - days_ago * 86_400
    for file in ("f.nbi", "f.1.nbc"):
        (folder / file).write_bytes(b"code")
        os.utime(folder / file, (when, when))
    os.utime(folder, (when, when))
    return folder


def test_prune_removes_only_folders_that_nobody_used_for_a_month(cache):
    old = cached(cache, "0" * 20, 31)
    fresh = cached(cache, "1" * 20, 29)
    compiling.prune()
    assert not old.exists()
    assert sorted(path.name for path in fresh.iterdir()) == ["f.1.nbc", "f.nbi"]


def test_prune_keeps_a_folder_that_was_written_long_ago_but_read_lately(cache):
    folder = cached(cache, "0" * 20, 300)
    os.utime(folder / "f.nbi", (time.time(), time.time() - 300 * 86_400))
    compiling.prune()
    assert folder.exists()


def test_prune_leaves_files_beside_the_folders_alone(cache):
    note = cache / "README"
    note.write_text("mine")
    os.utime(note, (0, 0))
    compiling.prune()
    assert note.read_text() == "mine"


def test_prune_leaves_other_peoples_folders_alone(cache):
    """`MALECON_CACHE_DIR` may name a folder in which other things stand."""
    photos = cache / "photos"
    photos.mkdir()
    (photos / "harbour.jpg").write_bytes(b"irreplaceable")
    os.utime(photos, (0, 0))
    compiling.prune()
    assert (photos / "harbour.jpg").exists()


def test_prune_without_a_cache_does_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("MALECON_CACHE_DIR", str(tmp_path / "none"))
    compiling.prune()
    assert not (tmp_path / "none").exists()


def test_the_cache_folder_is_the_users_own_unless_another_is_chosen(monkeypatch, tmp_path):
    monkeypatch.setenv("MALECON_CACHE_DIR", str(tmp_path))
    assert compiling.cache_folder() == tmp_path
    monkeypatch.delenv("MALECON_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        assert compiling.cache_folder() == tmp_path / "xdg" / "malecon" / "kernels"
