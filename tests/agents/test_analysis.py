"""The analysis protocol: many positions at once, priorities, partial reports, cancellation, errors that help."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from malecon.agents.analysis import Analyser
from malecon.bots import make
from malecon.match import Match


def played(game: str = "santiago", players: int = 2, decisions: int = 12) -> tuple[Match, dict[str, Any]]:
    """A match, and the beginning of a question about it."""
    match, bot = Match(game, players, seed=2), make("greedy", 1)
    for _ in range(decisions):
        match.push(bot.choose(match.view(match.turn)))
    record = match.record()
    return match, {"game": game, "players": players, "options": dict(match.options), "moves": list(record.moves)}


class Listener:
    """Keeps the answers of an analyser, and waits for them."""

    def __init__(self) -> None:
        self.answers: list[dict[str, Any]] = []
        self._news = threading.Condition()

    def __call__(self, answer: dict[str, Any]) -> None:
        with self._news:
            self.answers.append(json.loads(json.dumps(answer)))
            self._news.notify_all()

    def wait(self, condition: Callable[[list[dict[str, Any]]], bool]) -> None:
        with self._news:
            assert self._news.wait_for(lambda: condition(self.answers), 60), self.answers


def asked(*questions: dict[str, Any], threads: int = 1) -> list[dict[str, Any]]:
    listener = Listener()
    analyser = Analyser(listener, threads)
    for question in questions:
        analyser.ask(json.dumps(question))
    analyser.close()
    return listener.answers


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_answers_are_those_of_the_search(game: str) -> None:
    match, question = played(game, 3)
    (answer,) = asked({"id": "q", **question, "sims": 60, "seed": 5})
    bot: Any = make("search:sims=60,margin=0", seed=5)
    expected = bot.evaluate(match.view(match.turn))
    names = [str(match.game.notation.name(code)) for code in expected.codes]
    assert [row["move"] for row in answer["moves"]] == names[:20]
    assert [row["sims"] for row in answer["moves"]] == list(expected.visits)[:20]
    assert (answer["id"], answer["turn"], answer["seat"], answer["final"]) == ("q", len(match), match.turn, True)
    assert answer["sims"] == 60
    assert sum(answer["seats"]) == pytest.approx(1, abs=0.01)


def test_one_line_asks_about_many_turns() -> None:
    match, question = played()
    turns = [number for number, turn in enumerate(match.history) if turn.seat >= 0]
    answers = asked({"id": 1, **question, "turns": turns, "sims": 8, "top": 1}, threads=2)
    assert sorted(answer["turn"] for answer in answers) == turns
    assert all(answer["seat"] == match.history[answer["turn"]].seat for answer in answers)
    assert all(len(answer["moves"]) == 1 for answer in answers)


def test_the_highest_priority_comes_first() -> None:
    _, question = played()
    listener = Listener()
    analyser = Analyser(listener, 1)
    analyser.ask(json.dumps({"id": "first", **question, "sims": 3_000, "report_every_ms": 1}))
    listener.wait(lambda answers: bool(answers))  # it has begun, so the others wait
    for number in range(4):
        analyser.ask(json.dumps({"id": number, **question, "sims": 2, "priority": number % 2}))
    analyser.close()
    finals = [answer["id"] for answer in listener.answers if answer["final"]]
    assert finals == ["first", 1, 3, 0, 2]


def test_partial_reports_grow_and_the_last_is_final() -> None:
    _, question = played()
    answers = asked({"id": 1, **question, "sims": 4_000, "report_every_ms": 5})
    assert [answer["final"] for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert len(answers) > 2
    sims = [answer["sims"] for answer in answers]
    assert sims == sorted(set(sims))
    assert sims[-1] == 4_000
    assert sum(row["sims"] for row in answers[-1]["moves"]) >= 3_900


def test_questions_are_cancelled_while_they_run_and_while_they_wait() -> None:
    _, question = played()
    listener = Listener()
    analyser = Analyser(listener, 1)
    analyser.ask(json.dumps({"id": "long", **question, "sims": 5_000_000, "report_every_ms": 20}))
    analyser.ask(json.dumps({"id": "waits", **question, "sims": 5_000_000}))
    listener.wait(lambda answers: bool(answers))
    began = time.monotonic()
    analyser.ask('{"id": 7, "action": "cancel", "target": "waits"}')
    analyser.ask('{"id": 8, "action": "cancel_all"}')
    analyser.close()
    assert time.monotonic() - began < 30
    cancelled = {answer["id"]: answer for answer in listener.answers if answer.get("cancelled") is True}
    assert cancelled["long"]["moves"]
    assert cancelled["waits"]["sims"] == 0
    counts = {answer["id"]: answer["cancelled"] for answer in listener.answers if "action" in answer}
    assert counts == {7: 1, 8: 1}


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"game": "chess"}, "game", "no game called"),
        ({"game": [1]}, "game", "no game called"),
        ({"players": 9}, "players", "from 2 to 4"),
        ({"options": {"colour": True}}, "options", "no option"),
        ({"moves": ["chance: drive 3"]}, "moves[0]", ""),
        ({"moves": "drive"}, "moves", "not valid"),
        ({"turns": [99_999]}, "turns", "not valid"),
        ({"turns": [0]}, "turns", "nobody decides"),
        ({"sims": 0}, "sims", "from 1 to"),
        ({"sims": True}, "sims", "from 1 to"),
        ({"simulations": 3}, "simulations", "no field"),
        ({"action": "sing"}, "action", "choose from"),
    ],
)
def test_what_is_wrong_is_answered_with_its_field(change: dict[str, Any], field: str, reason: str) -> None:
    _, question = played()
    (answer,) = asked({"id": 4, **question, **change})
    assert (answer["id"], answer["field"]) == (4, field)
    assert reason in answer["error"]


def test_junk_is_answered_and_does_no_harm() -> None:
    listener = Listener()
    analyser = Analyser(listener, 1)
    for line in ("{", "[]", "null", '{"id": {}}', "[" * 100_000):
        analyser.ask(line)
    analyser.ask('{"id": 1, "action": "version"}')
    analyser.close()
    assert [answer["id"] for answer in listener.answers] == [None, None, None, {}, None, 1]
    assert listener.answers[-1]["protocol"] == 1


def test_the_command_answers_lines() -> None:
    _, question = played()
    lines = "".join(json.dumps({"id": number, **question, "sims": 5}) + "\n" for number in range(3))
    done = subprocess.run(
        [sys.executable, "-m", "malecon", "analyse", "--jobs", "2"], input=lines, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert sorted(json.loads(line)["id"] for line in done.stdout.splitlines()) == [0, 1, 2]
