"""The audit of what we depend on: it sees what is not pinned, and tells a vulnerability from a missing network."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests import audit


@pytest.mark.parametrize("name", audit.FILES)
def test_everything_is_pinned(name: str) -> None:
    assert audit.unpinned((audit.ROOT / name).read_text()) == []


def test_what_is_not_pinned_is_seen() -> None:
    loose = (
        "numpy>=2\nnumba==0.61 ; python_version<'3'\n-r other.txt\nhttps://example.org/x.whl\nfoo\nfine==1.0 # why\n"
    )
    assert len(audit.unpinned(loose)) == 5


def answer(*packages: dict) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


VULNERABILITY = {"id": "PYSEC-1", "fix_versions": ["2.0"], "aliases": [], "description": ""}
BAD = {"name": "foo", "version": "1.0", "vulns": [VULNERABILITY]}
GOOD = BAD | {"vulns": []}
UNKNOWN = {"name": "bar", "version": "1", "skip_reason": "not found"}


def test_a_vulnerability_is_told_from_advisories_that_could_not_be_looked_up() -> None:
    verdict, line = audit.judge(answer(BAD, GOOD, UNKNOWN))
    assert (verdict, line) == (audit.Verdict.BAD, "known vulnerabilities:\n  foo 1.0: PYSEC-1, fixed in 2.0")
    assert audit.judge(answer(GOOD)) == (audit.Verdict.GOOD, "1 packages without a known vulnerability")
    partly = "1 packages without a known vulnerability; NOT CHECKED: bar"
    assert audit.judge(answer(GOOD, UNKNOWN)) == (audit.Verdict.NOT_CHECKED, partly)
    for nothing in (answer(UNKNOWN), "", "Traceback", "[]"):
        assert audit.judge(nothing) == (audit.Verdict.NOT_CHECKED, audit.UNREACHABLE)


@pytest.mark.parametrize(
    ("answers", "status"),
    [([GOOD], 0), ([BAD], 1), ([None], 2), ([GOOD, None], 2), ([None, BAD], 1), ([BAD, GOOD], 1)],
)
def test_the_exit_status_says_whether_it_was_looked_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answers: list[dict | None], status: int
) -> None:
    """An audit that could not look never passes for one that found nothing."""
    said = dict(zip(audit.FILES, answers, strict=False))
    monkeypatch.setattr(audit, "FILES", tuple(said))
    monkeypatch.setattr(audit, "ask", lambda name: "" if said[name] is None else answer(said[name]))
    assert audit.main() == status
    assert ("NOT CHECKED" in capsys.readouterr().out) == (None in answers)


@pytest.mark.parametrize(("status", "passes"), [(0, True), (1, False), (2, True), (3, False)])
def test_make_check_passes_without_a_network_only(tmp_path: Path, status: int, passes: bool) -> None:
    """The line of the Makefile that runs the audit, with a Python that ends with each status."""
    line = next(line for line in (audit.ROOT / "Makefile").read_text().splitlines() if "tests.audit ||" in line)
    (tmp_path / "python").write_text(f"#!/bin/sh\nexit {status}\n")
    (tmp_path / "python").chmod(0o755)
    (tmp_path / "Makefile").write_text(f"BIN := {tmp_path}\ncheck:\n{line}\n")
    done = subprocess.run(["make", "-C", str(tmp_path), "check"], capture_output=True, check=False)
    assert (done.returncode == 0) == passes
