"""`make audit`: every requirement is pinned, and none of them has a known hole as far as pip-audit can find out.

Without a network nothing can be found out: that is said plainly, and is no failure.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

from tests.paths import ROOT

FILES = tuple(sorted(path.name for path in ROOT.glob("requirements*.txt")))
PINNED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.!+_-]+")
#: Seconds before a network that does not answer is given up.
PATIENCE = 120


def unpinned(text: str) -> list[str]:
    """The lines of a file of requirements that name no single version."""
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    return [line for line in lines if line and not PINNED.fullmatch(line)]


def verdict(answer: str) -> tuple[bool, str]:
    """Whether all is well, and what to say, given pip-audit's answer in JSON; anything else is no answer."""
    try:
        dependencies: list[dict[str, Any]] = json.loads(answer)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return True, "NOT audited: the database of advisories cannot be reached from here"
    holes = [
        f"{package['name']} {package['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'none'}"
        for package in dependencies
        for hole in package.get("vulns", ())
    ]
    if holes:
        return False, "known holes:\n  " + "\n  ".join(holes)
    looked_up = [package for package in dependencies if "skip_reason" not in package]
    if not looked_up:
        return True, "NOT audited: the database of advisories cannot be reached from here"
    skipped = len(dependencies) - len(looked_up)
    return True, f"{len(looked_up)} packages without a known hole" + (f"; {skipped} NOT audited" if skipped else "")


def ask(name: str) -> str:
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--no-deps", "--format=json", "--timeout=10"]
    try:
        done = subprocess.run(
            [*command, "--progress-spinner=off", "-r", str(ROOT / name)],
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def main() -> int:
    failed = False
    for name in FILES:
        loose = unpinned((ROOT / name).read_text())
        if loose:
            print(f"{name}: not pinned with ==: {', '.join(loose)}")
            failed = True
            continue
        good, report = verdict(ask(name))
        failed |= not good
        print(f"{name}: {report}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
