"""`make audit`: every requirement is pinned, and none of them has a vulnerability that pip-audit knows.

The exit status says what was found out: 0, nothing is wrong; 1, something is; 2, the advisories could not be looked up,
wholly or in part. `make check` does not fail on the last, since it must pass without a network, and prints the line.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from enum import IntEnum
from typing import Any

from tests.paths import ROOT

FILES = tuple(sorted(path.name for path in ROOT.glob("requirements*.txt")))
PINNED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.!+_-]+")
#: Time after which a network that does not answer is given up.
TIMEOUT_SECONDS = 120


class Verdict(IntEnum):
    """What was found out, as exit status."""

    GOOD = 0
    BAD = 1
    NOT_CHECKED = 2


UNREACHABLE = "NOT CHECKED: the database of advisories cannot be reached from here"


def unpinned(text: str) -> list[str]:
    """Return the lines of a file of requirements that name no single version."""
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    return [line for line in lines if line and not PINNED.fullmatch(line)]


def judge(answer: str) -> tuple[Verdict, str]:
    """Return what follows from pip-audit's answer in JSON, and a line about it; anything else is no answer."""
    try:
        dependencies: list[dict[str, Any]] = json.loads(answer)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Verdict.NOT_CHECKED, UNREACHABLE
    vulnerabilities = [
        f"{package['name']} {package['version']}: {entry['id']}, fixed in {', '.join(entry['fix_versions']) or 'none'}"
        for package in dependencies
        for entry in package.get("vulns", ())
    ]
    if vulnerabilities:
        return Verdict.BAD, "known vulnerabilities:\n  " + "\n  ".join(vulnerabilities)
    checked = [package["name"] for package in dependencies if "skip_reason" not in package]
    skipped = [package["name"] for package in dependencies if "skip_reason" in package]
    if not checked:
        return Verdict.NOT_CHECKED, UNREACHABLE
    line = f"{len(checked)} packages without a known vulnerability"
    if skipped:
        return Verdict.NOT_CHECKED, f"{line}; NOT CHECKED: {', '.join(skipped)}"
    return Verdict.GOOD, line


def ask(name: str) -> str:
    """Return what pip-audit says about a file of requirements; nothing if it does not answer in time."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--no-deps", "--format=json", "--timeout=10"]
    try:
        done = subprocess.run(
            [*command, "--progress-spinner=off", "-r", str(ROOT / name)],
            capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def main() -> int:
    verdicts = {Verdict.GOOD}
    for name in FILES:
        loose = unpinned((ROOT / name).read_text())
        if loose:
            verdict, line = Verdict.BAD, f"not pinned with ==: {', '.join(loose)}"
        else:
            verdict, line = judge(ask(name))
        verdicts.add(verdict)
        print(f"{name}: {line}", flush=True)
    return int(Verdict.BAD if Verdict.BAD in verdicts else max(verdicts))


if __name__ == "__main__":
    sys.exit(main())
