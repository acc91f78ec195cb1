"""The disk cache of compiled kernels can never run stale code, and never gets in the way."""

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest

from malecon.kernel.compile import kernel
from malecon.kernel.machine_code import cache as caching
from malecon.kernel.machine_code.sources import SourceFile

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled in this run")

KERNEL = Path(caching.__file__).parent.parent
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
        shutil.copytree(KERNEL, package / "kernel", ignore=shutil.ignore_patterns("__pycache__"))
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
def test_files_cut_short_by_a_crash_are_compiled_again(toy):
    toy.run()
    [code] = toy.cache.rglob("top-*.code")
    whole = code.read_bytes()
    middle = len(whole) // 2
    for damaged in (b"", whole[:100], whole[:-1], whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]):
        code.write_bytes(damaged)
        assert toy.run() == (11, 0)
        assert toy.run() == (11, 1)


@compiled_only
def test_a_full_disk_or_a_folder_that_cannot_be_written_stops_nothing(toy):
    full = "import errno\nfrom malecon.kernel.machine_code import cache\n"
    full += "def write(*_): raise OSError(errno.ENOSPC, 'full')\ncache.write = write\n"
    assert toy.run(full + RUN) == (11, 0)
    assert toy.folders() == set()


@compiled_only
def test_a_function_deep_inside_can_raise_whether_compiled_or_loaded(toy):
    (toy.game / "deep.py").write_text(DEEP.replace("return", 'if n > 5:\n        raise ValueError("deep")\n    return'))
    raising = (
        RUN
        + """
try:
    top(7)
except ValueError as error:
    assert str(error) == "deep"
else:
    raise AssertionError
"""
    )
    assert toy.run(raising) == (11, 0)
    assert toy.run(raising) == (11, 1)


@compiled_only
def test_functions_of_others_that_call_kernels_compile_as_they_always_do(toy):
    other = (
        RUN
        + """
import numba
@numba.njit
def mine(n):
    return 2 * top(n)
assert mine(1) == 22
"""
    )
    assert toy.run(other) == (11, 0)


@compiled_only
def test_processes_that_write_at_the_same_time_do_not_disturb_each_other(toy):
    with ThreadPoolExecutor(3) as pool:
        assert [future.result()[0] for future in [pool.submit(toy.run) for _ in range(3)]] == [11, 11, 11]
    assert toy.run() == (11, 1)
    assert not list(toy.cache.rglob("*.part"))


@compiled_only
def test_loading_code_marks_its_folder_as_used(toy):
    toy.run()
    folders = list(toy.cache.iterdir())
    for folder in folders:
        os.utime(folder, (0, 0))
    toy.run()
    assert max(folder.stat().st_mtime for folder in folders) > time.time() - 1_000


# --- somebody else's game

VERB = """
import numpy as np
from malecon.kernel import verbs
from malecon.kernel.compile import kernel
from paseo.rules import a, b
from generic import twice

dtype = np.dtype((np.record, [("tally", np.int8)]))
@kernel
def nothing(*arguments):
    return 0
verbs.implement(dtype, **dict.fromkeys(verbs.VERBS, nothing) | {"points": POINTS})
position = np.zeros(1, dtype).view(np.recarray)[0]
print(verbs.__file__)
print(twice(position, 1))
print(sum(twice.stats.cache_hits.values()))
"""


@compiled_only
def test_a_game_in_another_package_is_cached_and_generic_code_for_it_goes_by_its_sources(toy):
    """Generic code imports no game; still, what it was compiled to changes with the game of the record."""
    rules = toy.root / "paseo" / "rules.py"
    rules.parent.mkdir()
    text = """from malecon.kernel.compile import kernel
@kernel
def a(position, seat):
    return position.tally + 1
@kernel
def b(position, seat):
    return position.tally + 2
"""
    rules.write_text(text)
    (toy.root / "generic.py").write_text(
        "from malecon.kernel import verbs\nfrom malecon.kernel.compile import kernel\n"
        "@kernel\ndef twice(position, seat):\n    return 2 * verbs.points(position, seat)\n"
    )
    first = toy.root / "first.py"  # in a file: what stands nowhere is not cached

    def run(points: str) -> tuple[int, int]:
        first.write_text(VERB.replace("POINTS", points))
        return toy.run("import first")

    assert run("a") == (2, 0)
    assert run("a") == (2, 1)
    rules.write_text(text.replace("+ 1", "+ 5"))
    assert run("a") == (10, 0)
    assert run("b") == (4, 0)  # the same files, but another of their functions


@compiled_only
def test_a_kernel_that_stands_in_no_file_works_and_is_not_cached(tmp_path, monkeypatch):
    monkeypatch.setenv("MALECON_CACHE_DIR", str(tmp_path / "cache"))
    scope: dict = {"__name__": "notebook"}
    exec(compile("def f(n):\n    return n + 1\n", str(tmp_path / "notebook.py"), "exec"), scope)
    assert kernel(scope["f"])(1) == 2
    assert not (tmp_path / "cache").exists()


@compiled_only
def test_a_kernel_is_compiled_once_for_all_widths_of_integers(tmp_path):
    scope: dict = {"kernel": kernel, "__name__": "notebook"}
    source = "@kernel\ndef inner(n):\n    return n * 100\n@kernel\ndef outer(a):\n    return inner(a[0]) + inner(7)\n"
    exec(compile(source, str(tmp_path / "notebook.py"), "exec"), scope)
    assert scope["outer"](np.array([100], np.int8)) == 10_000 + 700  # not what int8 would hold
    assert scope["outer"](np.array([100], np.int16)) == 10_000 + 700
    assert len(scope["inner"].callee.overloads) == 1


# --- the name of a folder


@pytest.mark.parametrize("what", ["numba", "llvmlite", "python"])
def test_another_compiler_or_python_has_another_folder(monkeypatch, what):
    source = SourceFile("malecon.kernel.machine_code.cache", Path(caching.__file__))
    before = caching.stamp(source)
    if what == "numba":
        monkeypatch.setattr(numba, "__version__", "0.0")
    elif what == "llvmlite":
        monkeypatch.setattr("llvmlite.__version__", "0.0")
    else:
        monkeypatch.setattr(sys, "abiflags", "t")
    assert caching.stamp(source) != before


def test_another_build_of_the_same_python_has_the_same_folder(monkeypatch):
    source = SourceFile("malecon.kernel.machine_code.cache", Path(caching.__file__))
    before = caching.stamp(source)
    monkeypatch.setattr(sys, "version", sys.version.replace("(", "(rebuilt yesterday, "))
    assert caching.stamp(source) == before


# --- prune


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MALECON_CACHE_DIR", str(tmp_path))
    return tmp_path


def cached(cache: Path, name: str, days_ago: float) -> Path:
    folder = cache / name
    folder.mkdir()
    when = time.time() - days_ago * 86_400
    for file in ("f.code", "g.code"):
        (folder / file).write_bytes(b"code")
        os.utime(folder / file, (when, when))
    os.utime(folder, (when, when))
    return folder


def test_prune_removes_only_folders_that_nobody_used_for_a_month(cache):
    old = cached(cache, "0" * 20, 31)
    fresh = cached(cache, "1" * 20, 29)
    caching.prune()
    assert not old.exists()
    assert sorted(path.name for path in fresh.iterdir()) == ["f.code", "g.code"]


def test_prune_leaves_files_beside_the_folders_alone(cache):
    note = cache / "README"
    note.write_text("mine")
    os.utime(note, (0, 0))
    caching.prune()
    assert note.read_text() == "mine"


def test_prune_leaves_other_peoples_folders_alone(cache):
    """`MALECON_CACHE_DIR` may name a folder in which other things stand."""
    photos = cache / "photos"
    photos.mkdir()
    (photos / "harbour.jpg").write_bytes(b"irreplaceable")
    os.utime(photos, (0, 0))
    caching.prune()
    assert (photos / "harbour.jpg").exists()


def test_prune_without_a_cache_does_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("MALECON_CACHE_DIR", str(tmp_path / "none"))
    caching.prune()
    assert not (tmp_path / "none").exists()


def test_the_cache_folder_is_the_users_own_unless_another_is_chosen(monkeypatch, tmp_path):
    monkeypatch.setenv("MALECON_CACHE_DIR", str(tmp_path))
    assert caching.cache_folder() == tmp_path
    monkeypatch.delenv("MALECON_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        assert caching.cache_folder() == tmp_path / "xdg" / "malecon" / "kernels"
