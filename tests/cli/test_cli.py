"""The `malecon` command as people type it: what it prints, how it ends, and what it says to nonsense."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from malecon import load
from tests.cli.command import malecon

TIMINGS = ("games_per_second", "decisions_per_second")


def one_line(text: str) -> bool:
    return text.count("\n") == 1 and "Traceback" not in text


def test_version_and_the_module_are_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "malecon", "--version"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith("malecon 0.")


def test_help_has_examples_and_does_not_load_the_engine() -> None:
    done = malecon("simulate", "--help")
    assert done.returncode == 0
    assert "Example" in done.stdout
    code = "import sys, malecon.cli; print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "chess"),
        ("simulate", "santiago", "--players", "5"),
        ("simulate", "santiago", "--players", "x"),
        ("simulate", "santiago", "--games", "0"),
        ("simulate", "santiago", "--bots", "greedy"),
        ("simulate", "santiago", "--bots", "greedy,genius,random"),
        ("simulate", "santiago", "--option", "nonsense"),
        ("simulate", "santiago", "--option", "nonsense=true"),
        ("simulate", "santiago", "--option", "open_screens=maybe"),
        ("play", "santiago", "--seats", "you"),
        ("play", "santiago", "--seats", "you,genius"),
        ("play", "santiago", "--lang", "fr"),
        ("verify", "no-such-file.json"),
        ("replay", "no-such-file.json"),
        ("dance",),
        ("play", "--tempo", "fast"),
        ("arena", "santiago", "--bots", "greedy"),
        ("arena", "santiago", "--bots", "greedy,genius"),
        ("arena", "santiago", "--bots", "greedy,search:sims=0"),
        ("review", "no-such-file.json"),
    ],
    ids=" ".join,
)
def test_bad_arguments_get_one_clear_line_and_exit_code_2(arguments: tuple[str, ...]) -> None:
    done = malecon(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert one_line(done.stderr)
    assert done.stderr.startswith("malecon: ")


def test_errors_are_in_the_language_of_the_system() -> None:
    english = malecon("simulate", "santiago", "--players", "9").stderr
    german = malecon("simulate", "santiago", "--players", "9", LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8").stderr
    assert "players" in english
    assert "Spiele" in german


def test_simulate_prints_one_json_object_and_the_same_seed_gives_the_same_statistics() -> None:
    runs = []
    for jobs in ("1", "2"):
        done = malecon(
            "simulate", "santiago", "--players", "3", "--games", "5000", "--seed", "1", "--jobs", jobs, "--json"
        )
        assert done.returncode == 0, done.stderr
        runs.append(json.loads(done.stdout))
    for run in runs:
        for key in (*TIMINGS, "mean_scores", "win_rates", "mean_decisions"):
            assert key in run
    for run in runs:
        for key in TIMINGS:
            assert run.pop(key) > 0
    assert runs[0] == runs[1]
    assert sum(runs[0]["win_rates"]) == pytest.approx(1)
    assert len(runs[0]["mean_scores"]) == 3


def test_greedy_beats_random_in_the_readable_table() -> None:
    done = malecon("simulate", "santiago", "--games", "300", "--bots", "greedy,random,random")
    assert done.returncode == 0
    assert "greedy" in done.stdout
    assert "games/s" in done.stdout


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_simulated_records_are_accepted_by_verify(game: str, tmp_path: Path) -> None:
    done = malecon("simulate", game, "--games", "3", "--seed", "2", "--record-dir", str(tmp_path / "records"), "--json")
    assert done.returncode == 0
    files = sorted((tmp_path / "records").iterdir())
    assert len(files) == 3
    for file in files:
        verified = malecon("verify", str(file))
        assert verified.returncode == 0
        assert "all legal" in verified.stdout


def test_verify_names_the_line_and_the_reason(tmp_path: Path) -> None:
    malecon("simulate", "santiago", "--games", "1", "--record-dir", str(tmp_path), "--json")
    (file,) = tmp_path.iterdir()
    lines = file.read_text().splitlines()
    wrong = next(number for number, line in enumerate(lines) if "drive" in line)
    lines[wrong] = lines[wrong].split(": ")[0] + ': drive 40",'
    file.write_text("\n".join(lines))
    done = malecon("verify", str(file))
    assert done.returncode == 1
    assert f"line {wrong + 1}: you have 3 pesos; this drive costs 39 pesos" in done.stderr
    assert done.stdout == ""


def test_replay_tells_the_story_in_a_language_and_steps(tmp_path: Path) -> None:
    malecon("simulate", "santiago", "--games", "1", "--record-dir", str(tmp_path), "--json")
    (file,) = tmp_path.iterdir()
    story = malecon("replay", str(file), "--log", "--lang", "de")
    assert story.returncode == 0
    assert "fährt" in story.stdout
    steps = malecon("replay", str(file), typed="\n\nb\n60\nq\n")
    assert steps.returncode == 0
    assert "60/" in steps.stdout


@pytest.mark.parametrize(
    ("game", "language"),
    [
        ("santiago", "it"),
        ("cuba", "de"),
        pytest.param("cuba", "es", marks=pytest.mark.slow),
        pytest.param("santiago", "en", marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_can_be_played_by_numbers_in_every_language(game: str, language: str, tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    seats = ("--seats", "you,random", "--seed", "4")
    done = malecon("play", game, *seats, "--lang", language, "--record", str(record), typed="1\n" * 2000)
    assert done.returncode == 0, done.stderr
    assert load(record).is_over


def test_undo_save_help_and_quit_at_the_table(tmp_path: Path) -> None:
    file = tmp_path / "half.json"
    typed = f"help\nboard\nlog\n99\nfly 3\ndrive 40\n1\nundo\nundo\nsave {file}\nquit\n"
    done = malecon("play", "santiago", "--seed", "4", "--seats", "you,greedy,greedy", typed=typed)
    assert done.returncode == 0, done.stderr
    assert "undo" in done.stdout
    assert "is not a move" in done.stdout
    assert "this drive costs 39 pesos" in done.stdout
    assert malecon("verify", str(file)).returncode == 0
    again = malecon("play", "--resume", str(file), "--seats", "you,greedy,greedy", typed="quit\n")
    assert again.returncode == 0


def test_two_people_at_one_keyboard_hand_over(tmp_path: Path) -> None:
    done = malecon("play", "santiago", "--seed", "4", "--seats", "you,you", typed="1\n" * 40)
    assert done.returncode == 0
    assert "Pass the keyboard to" in done.stdout


def test_warm_says_what_is_ready() -> None:
    done = malecon("warm", "santiago")
    assert done.returncode == 0
    assert "Santiago de Cuba: ready" in done.stdout


def test_the_arena_prints_one_json_object_with_every_bot(tmp_path: Path) -> None:
    arguments = ("arena", "santiago", "--bots", "random,greedy", "--games", "4", "--file", str(tmp_path / "log"))
    done = malecon(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert {bot["name"] for bot in result["bots"]} == {"random", "greedy"}
    for bot in result["bots"]:
        assert bot["games"] == 4
        assert bot["interval"][0] <= bot["win_rate"] <= bot["interval"][1]
        assert bot["rating"] > 0
    table = malecon(*arguments)  # every game is in the log already
    assert table.returncode == 0
    assert "greedy" in table.stdout


def test_review_as_text_as_json_and_as_a_chart(tmp_path: Path) -> None:
    malecon("simulate", "santiago", "--players", "2", "--games", "1", "--record-dir", str(tmp_path), "--json")
    (file,) = tmp_path.iterdir()
    chart = tmp_path / "chart.svg"
    quick = ("review", str(file), "--bot", "search:sims=10,margin=0")
    done = malecon(*quick, "--json", "--chart", str(chart))
    assert done.returncode == 0, done.stderr
    review = json.loads(done.stdout)
    assert review["decisions"]
    assert all(0 <= decision["after"] <= 1 for decision in review["decisions"])
    assert chart.read_text().startswith("<svg")
    assert "Red" in malecon(*quick).stdout
    german, spanish = (
        malecon(*quick, "--words", "--lang", "de").stdout,
        json.loads(malecon(*quick, "--words", "--json").stdout),
    )
    assert list(spanish["reasons"]) == [str(index) for index in review["turning_points"]]
    assert all(why["better"][0] != why["other"][0] for why in spanish["reasons"].values())
    assert ("Variante nach „" in german) == any(why["claims"] for why in spanish["reasons"].values())


def test_training_scripts_come_along() -> None:
    done = malecon("train", "nothing")
    assert done.returncode == 2
    scripts = (
        "calibration, duel, fit_net, hard_positions, learn_policy, play_games, proven_endings, run_task, train_net"
    )
    assert f"there is no 'nothing'; choose from: {scripts}\n" in done.stderr
    done = malecon("train", "play_games", "--help")
    assert done.returncode == 0
    assert "--generation" in done.stdout
