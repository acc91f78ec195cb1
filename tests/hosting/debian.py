"""A Debian system with nothing on it, in a folder: made by debootstrap once and kept, then copied for each test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from tests.hosting.proxies import need
from tests.paths import ROOT

RELEASE = "bookworm"


def new_system(folder: Path) -> Path:
    """A new system in a folder; the test is left out where none can be made."""
    if os.geteuid() != 0:
        pytest.skip("only root can make a Debian system in a folder")
    need("debootstrap")
    archive = user_cache_path("malecon-tests") / f"{RELEASE}.tar"
    if not archive.exists():
        base = folder / "base"
        made = subprocess.run(
            [need("debootstrap"), "--variant=minbase", RELEASE, str(base), mirror()], capture_output=True, text=True
        )
        if made.returncode:
            pytest.skip(f"debootstrap does not succeed here: {(made.stdout + made.stderr)[-200:]}")
        archive.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "-C", str(base), "-cf", f"{archive}.part", "."], check=True)
        os.replace(f"{archive}.part", archive)
        shutil.rmtree(base)
    root = folder / "root"
    root.mkdir()
    subprocess.run(["tar", "-C", str(root), "-xf", str(archive)], check=True)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    return root


@cache
def mirror() -> str:
    """The archive that this machine installs from."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    listed = subprocess.run(command, capture_output=True, text=True).stdout.split()
    if not listed:
        pytest.skip("this machine does not install from a Debian archive")
    return listed[0]


def wheels(folder: Path, requirements: tuple[str, ...] = ("requirements.txt",)) -> Path:
    """A folder with a wheel of this program, and of everything it needs at the versions that are tested."""
    folder.mkdir()
    pip = [sys.executable, "-m", "pip", "--quiet"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run([*pip, *build, str(ROOT)], check=True)
    named = [word for name in requirements for word in ("-r", str(ROOT / name))]
    subprocess.run([*pip, *build, *named], check=True)
    return folder
