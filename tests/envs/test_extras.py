"""The extras: nothing needs them that does not say so, and each one missing is told in one line with its remedy."""

from __future__ import annotations

import importlib
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from malecon import cli
from malecon.kernel.extras import BrokenExtra, MissingExtra, install_command, require
from tests.paths import ROOT

EXTRAS = ("gymnasium", "pettingzoo", "pyspiel", "pyarrow", "resvg_py", "PIL", "pandas", "torch", "jax", "ray")
NEEDED = [
    ("malecon.envs.gymnasium", "gymnasium", "Gymnasium", "gymnasium"),
    ("malecon.envs.pettingzoo", "pettingzoo", "PettingZoo", "pettingzoo"),
    ("malecon.envs.openspiel", "pyspiel", "OpenSpiel", "openspiel"),
]


def test_the_library_imports_none_of_them() -> None:
    program = (
        "import sys, malecon, malecon.match, malecon.bots, malecon.arena.tournament, malecon.envs.vector, malecon.cli\n"
        f"print([name for name in {EXTRAS!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("module", "package", "title", "extra"), NEEDED)
def test_a_missing_one_is_told_with_the_command_that_installs_it(
    module: str, package: str, title: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingExtra) as caught:
        importlib.import_module(module)
    assert str(caught.value) == f"{title} is not installed; try: {install_command(extra)}"
    assert isinstance(caught.value, ImportError)


def test_export_without_pyarrow_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr(sys, "argv", ["malecon", "export", "santiago", str(tmp_path / "games.parquet"), "--games", "1"])
    monkeypatch.setenv("LANGUAGE", "en")
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 2
    errors = capsys.readouterr().err
    assert errors.strip() == 'malecon: PyArrow is not installed; try: pip install "pyarrow>=18"'


def test_a_picture_needs_its_rasteriser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=r"resvg is not installed; try: pip install .*resvg.py"):
        require("resvg_py", "resvg", "pettingzoo")


def test_every_extra_named_is_declared() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    section = text.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    declared = {line.split("=")[0].strip() for line in section.splitlines() if "=" in line}
    assert {extra for *_, extra in NEEDED} | {"data"} <= declared


def test_the_command_installs_what_the_extra_needs_and_not_a_name_that_is_not_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert install_command("data") == 'pip install "pyarrow>=18"'
    assert "malecon" not in install_command("pettingzoo")

    def nowhere(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", nowhere)  # sources that were never installed
    assert install_command("data") == 'pip install ".[data]"'


def test_a_broken_one_is_not_called_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_inside.py").write_text("import a_package_that_nobody_has")
    (tmp_path / "broken_library.py").write_text("raise ImportError('libfoo.so: cannot open shared object file')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BrokenExtra, match=r"Inside is installed, but cannot be imported: .*a_package_that_nobody_has"):
        require("broken_inside", "Inside", "data")
    with pytest.raises(BrokenExtra, match=r"libfoo\.so"):
        require("broken_library", "Library", "data")
    with pytest.raises(MissingExtra):
        require("a_package_that_nobody_has", "Nothing", "data")
