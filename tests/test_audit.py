"""The audit of what we depend on: it sees what is not pinned, and tells a hole from a missing network."""

from __future__ import annotations

import json

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


def test_a_hole_fails_and_a_missing_network_does_not() -> None:
    hole = {"id": "PYSEC-1", "fix_versions": ["2.0"], "aliases": [], "description": ""}
    bad = {"name": "foo", "version": "1.0", "vulns": [hole]}
    good, unknown = bad | {"vulns": []}, {"name": "bar", "version": "1", "skip_reason": "not found"}

    def said(*packages: dict) -> tuple[bool, str]:
        return audit.verdict(json.dumps({"dependencies": packages, "fixes": []}))

    assert said(bad, good) == (False, "known holes:\n  foo 1.0: PYSEC-1, mended in 2.0")
    assert said(good) == (True, "1 packages without a known hole")
    assert said(good, unknown) == (True, "1 packages without a known hole; 1 NOT audited")
    for nothing in (said(unknown), audit.verdict(""), audit.verdict("Traceback"), audit.verdict("[]")):
        assert nothing[0]
        assert "NOT audited" in nothing[1]
