"""What surrounds the figures of `make bench`: peers that are missing are named, the page and the chart are written."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import chart
import days
import plain_c
import report
from tests.paths import ROOT

BENCHMARKS = ROOT / "benchmarks"


def test_a_peer_that_is_not_there_is_named() -> None:
    alone = os.environ | {"PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "measures.py"), "pgx"],
        env=alone, input="", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "No module named" in json.loads(done.stdout)["missing"]


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_port_to_c_plays_the_same_games(players: int) -> None:
    assert plain_c.are_alike(players, games=100)


def test_the_page_has_a_place_for_every_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "performance.md"
    copy.write_text(report.PAGE.read_text())
    monkeypatch.setattr(report, "PAGE", copy)
    for mark in ("figures of make bench", "figures of starts"):
        report.insert(mark, "the figures before")
        report.insert(mark, f"{mark}, of today")
    page = copy.read_text()
    assert "the figures before" not in page
    assert "\n\nfigures of starts, of today\n\n" in page
    assert page.startswith("# Performance")
    assert "## Many tables at once" in page
    with pytest.raises(SystemExit, match="has no marks"):
        report.insert("figures of nobody", "")


def test_bars_are_as_long_as_the_logarithm_of_their_figures() -> None:
    bars = [chart.Bar("Malecón", "Cuba & friends", 1e7), chart.Bar("them", "chess", 1e4)]
    drawn = ElementTree.fromstring(chart.draw([("Games", "steps/s", bars)], "Malecón"))
    widths = {rect.get("class"): float(rect.get("width", 0)) for rect in drawn.iter("{http://www.w3.org/2000/svg}rect")}
    assert widths["ours"] / widths["theirs"] == pytest.approx(2, abs=0.01)  # six powers of ten above 10, and three
    assert [chart.short(value) for value in (9.4, 940, 14_400, 9_800_000)] == ["9", "940", "14 k", "9.8 M"]


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_people_with_plans_hand_over_less_and_make_no_other_moves(game: str) -> None:
    without, planned = (asyncio.run(days.simulate(game, 1, how)) for how in (days.WITHOUT, days.ORDERS))
    assert planned.not_theirs == 0
    assert planned.automatic > 10
    assert planned.out_of_turn < without.out_of_turn / 2
