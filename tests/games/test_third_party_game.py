"""A game of somebody else's package gets everything that ours have, by its name alone: Paseo, in `tests/paseo`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import malecon
from malecon import bots, drawing, games
from malecon.arena.plan import ArenaPlan
from malecon.arena.tournament import run
from malecon.envs.vector import Tables
from malecon.kernel import registry
from malecon.kernel.errors import IllegalMove, UnknownGame
from malecon.study import study
from malecon.study.design import COSTS
from malecon.study.page import page
from malecon.text import describe_move, glossary, prompt, rulebook, story, translate
from malecon.text import line as text_line
from tests.cli.command import malecon as command
from tests.paths import ROOT
from tests.server.people import Player, serving

#: Of `malecon simulate`.
FEW = ("--players", "2", "--games", "20", "--seed", "1", "--jobs", "2", "--json")
pytestmark = pytest.mark.usefixtures("paseo")


def finished(seed: int = 1) -> malecon.Match:
    match, bot = malecon.new("paseo", 2, seed=seed), bots.make("random", seed)
    while match.turn is not None:
        match.push(bot.choose(match.view(match.turn)))
    return match


# --- how it is found


def test_it_is_found_after_our_own() -> None:
    assert games.names() == ("santiago", "cuba", "paseo")
    assert games.get("paseo").title == "Paseo"
    assert games.packages()["paseo"] == "paseo"
    malecon.register("paseo", "paseo")  # once more is no harm


def test_what_makes_no_sense_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="paseo and elsewhere both provide"):
        malecon.register("paseo", "elsewhere")
    with pytest.raises(ValueError, match=r"malecon\.games\.cuba and elsewhere both provide"):
        malecon.register("cuba", "elsewhere")
    with pytest.raises(ValueError, match="small letters"):
        malecon.register("../paseo", "paseo")
    with pytest.raises(UnknownGame, match="santiago, cuba, paseo"):
        games.get("paseos")
    malecon.register("empty", "json")
    with pytest.raises(TypeError, match="json must have a GAME"):
        games.get("empty")
    malecon.register("other", "paseo")
    with pytest.raises(TypeError, match="whose name is 'other'"):
        games.get("other")
    malecon.register("missing", "no_such_package")
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        games.get("missing")


def test_a_game_in_a_single_module_brings_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("single")
    module.GAME = type(games.get("paseo"))(**vars(games.get("paseo")) | {"name": "single"})
    monkeypatch.setitem(sys.modules, "single", module)
    malecon.register("single", "single")
    assert registry.component("single", "text") is None
    match = malecon.new("single", 2, seed=1)
    view = match.view(0)
    assert [str(describe_move(view, move)) for move in view.legal_moves] == ["walk 1", "walk 2"]
    assert text_line(match.game) is None
    assert rulebook(match.game) is None


def test_an_installed_package_brings_it_by_an_entry_point(tmp_path: Path) -> None:
    about = tmp_path / "paseo-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: paseo\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[malecon.games]\npaseo = paseo\n")
    paths = os.pathsep.join(map(str, (tmp_path, ROOT / "tests", Path(malecon.__file__).parent.parent)))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "malecon",
            *["simulate", "paseo", "--players", "2", "--games", "20", "--jobs", "2", "--json"],
        ],
        env=os.environ | {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 20


# --- the library, words and drawings


def test_a_match_is_played_recorded_and_replayed(tmp_path: Path) -> None:
    match = finished()
    file = tmp_path / "walk.json"
    match.record().write(file)
    again = malecon.load(file)
    assert again.outcome == match.outcome is not None
    assert [score.points for score in match.scores] == [sum(score.breakdown.values()) for score in match.scores]
    assert malecon.Match.from_bytes(match.to_bytes()).history == match.history
    with pytest.raises(IllegalMove, match="the game is over"):
        match.push("walk 1")
    with pytest.raises(IllegalMove, match="cannot be done now"):
        malecon.new("paseo", 2, seed=1).push("calm")


def test_its_own_words_are_used_and_plain_ones_for_the_rest() -> None:
    match = finished()
    view = malecon.new("paseo", 2, seed=1).view(0)
    assert [str(describe_move(view, move)) for move in view.legal_moves] == ["Walk 1 lamp", "Walk 2 lamps"]
    said = [translate(describe_move(view, move), "de") for move in view.legal_moves]
    assert said == ["Geh 1 Laterne weiter", "Geh 2 Laternen weiter"]  # by a catalog of its own
    assert translate(prompt(view, 0), "de") == "Wähle deinen Schritt"
    assert translate(prompt(view, 1), "es") == "Esperando a Rojo"
    sentences = [translate(line, "en") for lines in story(match) for line in lines]
    assert sentences[0].startswith("Red: walk ")
    assert any(line in ("Chance: calm.", "Chance: wave.") for line in sentences)
    assert sentences[-1].endswith("wins with 6 points.")
    assert str(glossary(match.game)["sources"]["waves"].name) == "waves"


def test_a_board_is_drawn_of_what_the_position_holds() -> None:
    match = malecon.new("paseo", 2, seed=1)
    match.push("walk 1")
    view = match.view(1)
    for layout in ("wide", "tall"):
        drawn = drawing.board(view, "en", layout=layout)
        assert all(text in drawn for text in ("Paseo", "walking", "lamp"))
    assert "m-deciding" in drawing.panel(view, 1, "en")
    assert "m-deciding" not in drawing.panel(view, 0, "en")
    assert ">lamp<" in drawing.close_up(view, 0, "en")
    assert drawing.targets(view) == {}
    assert drawing.tile("paseo", "sources", "waves", "en", 40) == ""


# --- the command


def test_the_command_plays_records_replays_and_reviews(tmp_path: Path) -> None:
    file = tmp_path / "walk.json"
    done = command("play", "paseo", "--seats", "you,greedy", "--seed", "3", "--record", str(file), typed="1\n" * 40)
    assert done.returncode == 0, done.stderr
    assert "Walk 1 lamp" in done.stdout
    assert "lamp" in done.stdout
    assert "steps" in done.stdout  # where points come from
    assert command("verify", str(file)).returncode == 0
    assert "Red: walk 1." in command("replay", str(file), "--log").stdout
    assert "phase: over" in command("replay", str(file), typed="99\nq\n").stdout
    reviewed = command("review", str(file), "--bot", "search:sims=50,margin=0", "--json")
    assert reviewed.returncode == 0, reviewed.stderr
    assert json.loads(reviewed.stdout)["game"] == "paseo"


def test_the_command_simulates_in_several_processes() -> None:
    asked = [
        "simulate",
        "paseo",
        "--players",
        "2",
        "--games",
        "200",
        "--seed",
        "1",
        "--bots",
        "greedy,random",
        "--json",
        "--jobs",
    ]
    single, two = (json.loads(command(*asked, jobs).stdout) for jobs in ("1", "2"))
    assert single["win_rates"] == two["win_rates"]
    assert sum(single["win_rates"]) == pytest.approx(1)


# --- bots, arena, environments, study


@pytest.mark.parametrize("level", [level.key for level in bots.LEVELS])
def test_every_level_plays_it(level: str) -> None:
    match = malecon.new("paseo", 2, seed=2)
    players = [bots.make(level, seed) for seed in range(2)]
    for _ in range(4):
        if match.turn is not None:
            match.push(players[match.turn].choose(match.view(match.turn)))
    assert len(match) >= 4


def test_a_tournament_is_held() -> None:
    standings = run(ArenaPlan("paseo", ("greedy", "random"), 2, 4, seed=1))
    assert standings.games == 4


def test_many_games_in_one_array() -> None:
    tables = Tables("paseo", 2, 16, seed=1)
    for _ in range(100):
        tables.step(tables.sample())
    assert tables.observations.shape == (16, games.get("paseo").pieces.size)
    assert set(np.unique(tables.seats)) == {0, 1}


def test_gymnasium() -> None:
    pytest.importorskip("gymnasium")
    from malecon.envs.gymnasium import VectorEnv

    env = VectorEnv("paseo", 2, 4, by_piece=True)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    for _ in range(20):
        observation, *_ = env.step(env.tables.sample())
    assert env.observation_space.contains(observation)


@pytest.mark.filterwarnings("ignore::UserWarning")  # the same of ours: see tests/envs/test_pettingzoo.py
def test_pettingzoo(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from malecon.envs import pettingzoo

    api_test(pettingzoo.env("paseo", players=2), num_cycles=50)
    assert "Passed API test" in capsys.readouterr().out


def test_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from malecon.envs import openspiel

    game = openspiel.load("paseo", 2)
    assert str(game) == "python_malecon_paseo(players=2,rewards=win)"
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_its_results_are_studied() -> None:
    result = study("paseo", 4 * max(COSTS.values()) // 1_000, seed=1, jobs=2)
    html = page(result, "en", "malecon study paseo")
    assert "A study of Paseo" in html
    for heading in ("Does it help to go first?", "How are the points distributed?", "How long does a game last?"):
        assert heading in html
    assert "Chance draws who starts" not in html  # red always does


# --- the table in the browser, over HTTP


def test_the_server_opens_tables_and_shows_its_rules(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        home = client.get("/").text
        assert "Walk along the Malecón to the sixth lamp" in home
        assert "For 2 players" in home
        assert 'href="/rules/paseo"' in home
        assert "the sea decides" in client.get("/rules/paseo").text
        assert "paseo" in [game["name"] for game in client.get("/api/games").json()["games"]]
        player = Player(client)
        table = player.open("me", "bot:turista", game="paseo")
        for _ in range(100):
            state = player.my_turn(table["id"])
            if state["turn"] is None:
                break
            assert player.move(table["id"], state["legal"][0]["move"]).status_code == 200
        assert state["turn"] is None
        assert client.get("/glossary/paseo/de").status_code == 200
