"""The leader board: what the page says is what the games gave, and a run goes on where it was."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from malecon import games

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

import leaderboard  # noqa: E402


def test_everybody_meets_their_neighbours() -> None:
    found = leaderboard.pairs()
    assert ("random", "turista") in found
    assert ("random", "patron") not in found
    for bot in leaderboard.BOTS:
        assert sum(bot in pair for pair in found) >= leaderboard.NEIGHBOURS


def test_a_board_is_played_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, file = tmp_path / "page.md", tmp_path / "board.json"
    page.write_text("before\n<!-- santiago -->\nold\n<!-- end of santiago -->\nafter\n")
    for name, value in (("BOTS", ("random", "greedy")), ("PAGE", page), ("FILE", file)):
        monkeypatch.setattr(leaderboard, name, value)
    monkeypatch.setattr(sys, "argv", f"leaderboard.py --data {tmp_path} --games 4 --only santiago --jobs 1".split())
    leaderboard.main()
    found, text = json.loads(file.read_text())["santiago"], page.read_text()
    assert [bot["name"] for bot in found["bots"]] == ["greedy", "random"]
    assert found["games"] == 4
    assert "| 1 | `greedy` |" in text
    assert text.startswith("before\n<!-- santiago -->\n")
    assert text.endswith("<!-- end of santiago -->\nafter\n")
    assert "old" not in text
    leaderboard.main()  # nothing is played again
    assert json.loads(file.read_text())["santiago"] == found


def test_the_page_and_the_file_name_the_same_bots() -> None:
    found, text = json.loads(leaderboard.FILE.read_text()), leaderboard.PAGE.read_text()
    assert set(found) == set(games.NAMES)
    for board in found.values():
        for place, bot in enumerate(board["bots"], 1):
            assert f"| {place} | `{bot['name']}` | {bot['rating']:.0f} ± {2 * bot['rating_deviation']:.0f} |" in text
