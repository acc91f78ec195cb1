"""Language models as bots, against a scripted model that answers over HTTP on this machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from malecon import cli
from malecon.arena import llm_bot, model_results
from malecon.arena.bots import make_bot
from malecon.arena.llm_bot import LanguageModelBot, ModelFailed, read_settings
from malecon.arena.plan import ArenaPlan
from malecon.arena.tournament import run
from malecon.kernel.errors import BadSetup
from malecon.match import Match, View
from tests.arena.scripted_model import first_legal, scripted_model
from tests.paths import ROOT


def decision(game: str = "santiago") -> View:
    match = Match(game, 2, seed=1)
    while match.turn is None or len(match.legal_moves) < 3:
        match.push(match.legal_moves[0])
    return match.view(match.turn)


def bot(address: str, **settings: Any) -> LanguageModelBot:
    given = "".join(f",{name}={value}" for name, value in settings.items())
    made = make_bot(f"llm:{address},model=scripted{given}")
    assert isinstance(made, LanguageModelBot)
    return made


def test_a_model_is_shown_rules_and_view_and_its_move_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(llm_bot.KEY, "secret")
    view = decision()
    with scripted_model() as (address, requests):
        player = bot(address, temperature=0.5, tokens=99, price_in=2, price_out=8)
        assert player.choose(view) == view.legal_moves[0]
    (request,) = requests
    assert request["path"] == "/v1/chat/completions"
    assert request["key"] == "Bearer secret"
    assert (request["model"], request["temperature"], request["max_tokens"]) == ("scripted", 0.5, 99)
    assert "SETTING UP" in request["messages"][0]["content"]
    assert request["messages"][1]["content"] == view.text()
    used = player.usage
    assert (used.decisions, used.requests, used.illegal, used.prompt_tokens, used.completion_tokens) == (
        1,
        1,
        0,
        1000,
        10,
    )
    assert used.cost == pytest.approx((1000 * 2 + 10 * 8) / 1e6)


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_an_illegal_answer_is_explained_and_asked_again(game: str, tmp_path: Path) -> None:
    view, file = decision(game), tmp_path / "transcript.jsonl"
    illegal = "drive 9" if game == "santiago" else "sell rum"
    assert illegal not in view.legal_moves

    def script(number: int, body: dict[str, Any]) -> str:
        return ["no idea", f"MOVE: **{illegal}**", f"MOVE: `{view.legal_moves[1]}`."][number - 1]

    with scripted_model(script) as (address, requests):
        player = bot(address, transcript=file)
        assert player.choose(view) == view.legal_moves[1]
        player.close()
    assert (player.usage.unreadable, player.usage.illegal, player.usage.replaced) == (1, 1, 0)
    assert [len(request["messages"]) for request in requests] == [2, 4, 6]
    assert "Legal moves: " in requests[2]["messages"][-1]["content"]
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["move"] for line in lines] == [None, None, str(view.legal_moves[1])]
    assert all(line["problem"] for line in lines[:2])


def test_a_model_that_never_answers_right_gets_a_random_move() -> None:
    view = decision()
    with scripted_model(lambda number, body: "resign") as (address, requests):
        player = bot(address, tries=2)
        assert player.choose(view) in view.legal_moves
    assert len(requests) == 2
    assert (player.usage.replaced, player.usage.unreadable) == (1, 2)


def test_failures_that_pass_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("malecon.arena.llm_bot.time.sleep", pauses.append)

    def script(number: int, body: dict[str, Any]) -> Any:
        return [(429, {"retry-after": "7"}), (503, {}), (500, {}), first_legal(number, body)][number - 1]

    view = decision()
    with scripted_model(script) as (address, _):
        player = bot(address)
        assert player.choose(view) == view.legal_moves[0]
    assert pauses == [7.0, 2.0, 4.0]
    assert player.usage.requests == 4


def test_failures_that_stay_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("malecon.arena.llm_bot.time.sleep", lambda seconds: None)
    with scripted_model(lambda number, body: (401, {})) as (address, requests):
        with pytest.raises(ModelFailed, match="401"):
            bot(address).choose(decision())
        assert len(requests) == 1
    with pytest.raises(ModelFailed, match="refused"):
        bot(address).choose(decision())  # nobody listens there any more


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("llm:", "written as"),
        ("llm:file:///etc/passwd,model=x", "written as"),
        ("llm:http://127.0.0.1:1/v1", "name the model"),
        ("llm:http://127.0.0.1:1/v1,model=x,colour=red", "no setting 'colour'"),
        ("llm:http://127.0.0.1:1/v1,model=x,tries=0", "tries cannot be '0'"),
        ("llm:http://127.0.0.1:1/v1,model=x,language=xx", "language cannot be 'xx'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(spec: str, reason: str) -> None:
    with pytest.raises(BadSetup, match=reason):
        read_settings(spec)


def test_models_meet_bots_in_the_arena() -> None:
    with scripted_model() as (address, requests):
        spec = f"llm:{address},model=scripted"
        result = run(ArenaPlan("santiago", (spec, "turista"), players=2, games=2, seed=1))
    assert {entry.name for entry in result.bots} == {spec, "turista"}
    assert len(requests) > 20


def test_a_model_is_measured_and_results_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "models.jsonl"

    def script(number: int, body: dict[str, Any]) -> str:
        return "MOVE: drive 12" if number % 9 == 0 else first_legal(number, body)

    with scripted_model(script) as (address, _):
        spec = f"llm:{address},model=scripted"
        command = ["malecon", "rate-model", "santiago", spec, "--games", "2", "--opponents", "random,turista"]
        monkeypatch.setattr(sys, "argv", [*command, "--file", str(file), "--by", "a test"])
        with pytest.raises(SystemExit) as caught:
            cli.main()
    assert not caught.value.code
    results = model_results.read(file)
    assert [(result.opponent, result.games, result.by) for result in results] == [
        ("random", 2, "a test"),
        ("turista", 2, "a test"),
    ]
    assert all(result.usage["decisions"] > 20 for result in results)
    assert all(result.usage["unreadable"] + result.usage["illegal"] > 0 for result in results)
    assert capsys.readouterr().out.count("| scripted |") == 2
    file.write_text(file.read_text() + '{"model": "x"}\n')
    with pytest.raises(BadSetup, match="line 3"):
        model_results.read(file)


def test_the_results_that_come_with_malecon_can_be_read() -> None:
    file = ROOT / "docs" / "models.jsonl"
    results = model_results.read(file)
    shown = (ROOT / "docs" / "models.md").read_text()
    assert model_results.table(results) in shown
