"""Small variants, counted and solved; perft tables of both games; tasks with names that stay what they are."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

import pytest

from malecon import games
from malecon.envs.tasks import PLAY, TASKS, fingerprint, opponents_play, task
from malecon.envs.variants import Variant, perft, size, solve, variant, variants
from malecon.kernel.errors import BadSetup
from malecon.match import Match
from tests.paths import ROOT

MOST_INFORMATION_STATES = 50_000
PAGE = (ROOT / "docs" / "variants.md").read_text()


@pytest.mark.parametrize("small", variants().values(), ids=lambda small: small.name)
def test_a_variant_is_as_small_as_the_page_says(small: Variant) -> None:
    counted = size(small.game, small.position)
    assert counted.information_states <= MOST_INFORMATION_STATES
    row = f"| `{small.name}` | {counted.information_states:,} | {counted.positions:,} | {counted.ends:,} |"
    assert row in PAGE
    assert (counted.information_states < counted.decisions) == (small.game.conceals is not None)


@pytest.mark.parametrize("name", ["santiago-endgame-v0", "santiago-endgame-small-v0"])
def test_backward_induction_finds_moves_that_win_against_any_defence(name: str) -> None:
    small = variant(name)
    match = small.match()
    seat = match.turn
    assert seat is not None
    solution = solve(small.game, small.position, small.players)
    assert solution.values[seat] == 1
    assert 0 < len(solution.best) < len(match.legal_moves)
    for move in match.legal_moves:
        trial = match.copy()
        trial.push(move)
        value = solve(small.game, trial.position, small.players).values[seat]
        assert (value == 1) == (str(move) in solution.best)


def test_what_cannot_be_solved_so_is_refused() -> None:
    small = variant("cuba-parliament-small-v0")
    with pytest.raises(BadSetup, match="face down; use CFR"):
        solve(small.game, small.position, small.players)
    with pytest.raises(BadSetup, match="no variant 'chess'"):
        variant("chess")


def test_openspiels_cfr_solves_the_parliament() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    import malecon.envs.openspiel  # noqa: F401

    game = pyspiel.load_game("python_malecon_cuba_parliament_small_v0")
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)
    solver = cfr.CFRPlusSolver(game)
    conv = []
    for iterations in (1, 9):
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        conv.append(exploitability.nash_conv(game, solver.average_policy()))
    assert [round(number, 3) for number in conv] == [1.533, 0.296]
    assert "| `cuba-parliament-small-v0` | 1,374 | 1.533, 0.296, 0.043 |" in PAGE
    assert len(solver._info_state_nodes) == 1_374


@pytest.mark.parametrize("row", json.loads((ROOT / "docs" / "perft.json").read_text()), ids=lambda row: row["phase"])
def test_moves_are_counted_as_the_table_says(row: dict) -> None:  # type: ignore[type-arg]
    game = games.get(row["game"])
    assert row["rules"] == game.rules_version
    match = Match(game, row["players"])
    for move in row["moves"]:
        match.push(move)
    counts = row["counts"]
    assert perft(game, match.position, len(counts)) == counts
    decisions = sum(turn.seat >= 0 for turn in match.history)
    shown = " | ".join(f"{count:,}" for count in counts)
    assert f"| {row['game']} | {row['players']} | {decisions} | {row['phase']} | {shown} |" in PAGE


@pytest.mark.parametrize("chosen", TASKS.values(), ids=lambda chosen: chosen.name)
def test_a_task_is_still_what_its_version_promises(chosen: object) -> None:
    known = task(chosen.name)  # type: ignore[attr-defined]
    assert known.fingerprint == fingerprint(known.game), (
        "rules, moves, observations or weights have changed: leave this task as it is and make the next version"
    )
    assert f"`{known.name}`" in (ROOT / "docs" / "tasks.md").read_text()


@pytest.mark.parametrize("game", games.names())
def test_the_opponents_of_a_task_play_as_they_did(game: str) -> None:
    assert opponents_play(game) == PLAY[game], "an opponent plays differently: make the next version of the tasks"


def test_a_task_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadSetup, match="no task 'go-v0'"):
        task("go-v0")


def test_reference_results_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import run_task

    monkeypatch.setattr(run_task, "BOTS", ("random", "greedy"))
    arguments = ["santiago-2p-v0", "--baseline", "bots", "--seed", "1", "--games", "2", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["run_task.py", *arguments])
    run_task.main()
    (file,) = (tmp_path / "santiago-2p-v0").iterdir()
    result = json.loads(file.read_text())
    assert (result["task"], result["baseline"], result["seed"], result["by_protocol"]) == (
        "santiago-2p-v0", "bots", 1, False,
    )  # fmt: skip
    assert set(result["results"]) == {"random", "greedy"}
    assert result["results"]["random"]["greedy"]["games"] == 2
    before = file.stat().st_mtime_ns
    run_task.main()
    assert file.stat().st_mtime_ns == before


def test_alphazero_learns_within_its_budget_and_is_measured(tmp_path: Path) -> None:
    import run_task

    spec, curve = run_task.learn_alphazero(task("santiago-2p-v0"), 1, 0.001, tmp_path / "net.npz")
    assert curve[-1]["games"] >= 64
    results = run_task.measure(task("santiago-2p-v0"), spec, 1, 2, tmp_path / "x.json", None)
    assert set(results) == {"random", "greedy", "search:sims=20"}


def test_every_reference_result_fits_its_task() -> None:
    for file in (ROOT / "docs" / "tasks").glob("*/*.json"):
        result = json.loads(file.read_text())
        known = task(result["task"])
        assert result["fingerprint"] == known.fingerprint
        assert result["seed"] in known.seeds
        assert file.parent.name == known.name
