"""From a Debian system with nothing on it to a club's server behind nginx with TLS, by the commands of the page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from malecon.server.operations.examples import FOLDER, example
from tests.hosting.debian import new_system, wheels
from tests.hosting.pages import block
from tests.hosting.proxies import need

HERE = Path(__file__).parent
PASSWORD = "tres tristes tigres"
#: Commands that need a running systemd, which a folder has not: `check_club.py` starts what they would start.
BY_SYSTEMD = ("systemctl enable --now malecon", "systemctl restart nginx")


def test_the_page_has_at_most_fifteen_commands() -> None:
    assert len(block("debian").commands) <= 15
    assert [command for command in block("debian").commands if command.startswith("systemctl")] == list(BY_SYSTEMD)


@pytest.mark.slow
def test_from_nothing_to_a_club(tmp_path: Path) -> None:
    need("unshare")
    root = new_system(tmp_path)
    house = root / "wheels"
    shutil.copytree(wheels(tmp_path / "wheels"), house)
    environment = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "DEBIAN_FRONTEND": "noninteractive",
        "PIP_NO_INDEX": "1",  # the wheel from a local folder: the program is not on the registry yet
        "PIP_FIND_LINKS": "/wheels",
        "LC_ALL": "C.UTF-8",
    }
    (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")  # nothing is started while it is installed
    (root / "usr/sbin/policy-rc.d").chmod(0o755)

    def run(command: list[str], typed: str = "", unshared: tuple[str, ...] = ()) -> str:
        words = ["unshare", "--mount", "--propagation", "private", *unshared, "chroot", str(root), *command]
        done = subprocess.run(words, env=environment, input=typed, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stdout[-1500:]}{done.stderr[-1500:]}"
        return done.stdout

    for command in block("debian").commands:
        if command not in BY_SYSTEMD:
            run(["/bin/bash", "-c", command], typed=f"{PASSWORD}\n")
    unit = root / "etc/systemd/system/malecon.service"
    assert unit.read_text() == example("systemd")
    shutil.copy(HERE / "check_club.py", root / "run/check_club.py")
    python = "/opt/malecon/bin/python"
    result = json.loads(run([python, "/run/check_club.py", PASSWORD], unshared=("--net",)).splitlines()[-1])
    assert result["owner"] == "malecon"
    assert "stopped" in result["log"]


def test_the_unit_is_right(tmp_path: Path) -> None:
    """`systemd-analyze verify` has nothing to say, and the service is exposed as little as it can be."""
    analyze = need("systemd-analyze")
    for folder in ("opt/malecon/bin", "etc/systemd/system", "usr/lib/systemd/system"):
        (tmp_path / folder).mkdir(parents=True)
    program = tmp_path / "opt/malecon/bin/malecon"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "etc/systemd/system/malecon.service"
    shutil.copy(FOLDER / "malecon.service", unit)
    for name in ("sysinit.target", "basic.target", "shutdown.target", "network-online.target", "multi-user.target"):
        shutil.copy(Path("/usr/lib/systemd/system") / name, tmp_path / "usr/lib/systemd/system")
    command = [analyze, "verify", "--root", str(tmp_path), "--man=no", str(unit.relative_to(tmp_path))]
    checked = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"SYSTEMD_LOG_LEVEL": "warning"})
    own = [line for line in (checked.stdout + checked.stderr).splitlines() if "malecon" in line]
    assert (checked.returncode, own) == (0, [])
    text = unit.read_text().replace("NoNewPrivileges=yes", "NoNewPrivlieges=yes")
    unit.write_text(text)
    wrong = subprocess.run(command, capture_output=True, text=True)
    assert "NoNewPrivlieges" in wrong.stdout + wrong.stderr  # it would notice
    unit.write_text(text.replace("NoNewPrivlieges", "NoNewPrivileges"))
    security = [analyze, "security", "--offline=true", "--threshold=25", str(unit)]
    rated = subprocess.run(security, capture_output=True, text=True)
    assert rated.returncode == 0, rated.stdout[-500:] + rated.stderr[-300:]
