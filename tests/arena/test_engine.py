"""Third-party bots: classes by name, and programs that speak the engine protocol; both fail with words that help."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from malecon import cli
from malecon.arena import engine_check
from malecon.arena.bots import make_bot
from malecon.arena.engine import EngineBot, EngineFailed, describe, split_settings
from malecon.arena.engine_check import check
from malecon.arena.plan import ArenaPlan
from malecon.arena.tournament import run
from malecon.bots import split
from malecon.kernel.errors import BadSetup
from malecon.match import Match
from tests.paths import ROOT

EXAMPLE = f"{sys.executable} {ROOT / 'docs' / 'example_engine.py'}"
CAREFUL = """
class Careful:
    name = "careful"

    def __init__(self, seed: int = 0, last: str = "no") -> None:
        self.last = last == "yes"

    def choose(self, view):
        return view.legal_moves[-1 if self.last else 0]


class Mute:
    def __init__(self, seed: int = 0) -> None:
        pass
"""


def program(folder: Path, body: str) -> str:
    """A program that answers lines as told: `body` sees `line` and prints."""
    file = folder / "program.py"
    file.write_text(
        "import sys, json\n"
        "def say(text): print(text, flush=True)\n"
        "for line in sys.stdin:\n"
        "    line = line.strip()\n" + "".join(f"    {row}\n" for row in body.splitlines())
    )
    return f"{sys.executable} {file}"


POLITE = """
if line == 'malecon 1': say('id name P'); say('malecon ok')
if line == 'isready': say('readyok')
if line == 'quit': sys.exit()
if line.startswith('position'): legal = json.loads(line[9:])['legal']
"""


def test_the_example_meets_our_bots(capsys: pytest.CaptureFixture[str]) -> None:
    result = run(ArenaPlan("santiago", ("greedy", f"engine:{EXAMPLE}"), players=2, games=2, seed=1))
    assert result.games == 2
    assert {bot.name for bot in result.bots} == {"greedy", f"engine:{EXAMPLE}"}
    assert all(bot.mean_ms > 0 for bot in result.bots)


def test_the_example_passes_the_tester(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["malecon", "check-engine", EXAMPLE, "--game", "santiago"])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    shown = capsys.readouterr().out
    assert not caught.value.code, shown
    assert "plays Santiago de Cuba with 4 players" in shown
    assert "✗" not in shown


def test_a_program_is_told_its_view_and_nothing_more() -> None:
    match = Match("cuba", 3, seed=1)
    while match.phase != "bid" or not any(turn.move is None for turn in match.view(match.turn).history):
        match.push(match.legal_moves[0])
    assert match.turn is not None
    view = match.view(match.turn)
    data = json.loads(describe(view))
    assert "?" in [line.partition(": ")[2] for line in data["moves"]]
    assert data["legal"] == [str(move) for move in view.legal_moves]
    assert data["position"]["bid"] == view.position.bid.tolist()
    assert data["seat"] == match.turn


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("sys.exit(3)", "it ended before it said 'malecon ok'"),
        ("raise ValueError('oh dear')", "oh dear"),
        ("say('hello')\nsys.exit()", "it ended before it said 'malecon ok'"),
        ("if line == 'malecon 1': say('option colour'); say('malecon ok')", "describes an option wrongly"),
        (POLITE + "if line.startswith('go'): say('bestmove e2e4')", "'e2e4', which is no legal move"),
        (POLITE + "if line.startswith('go'): sys.exit()", "it ended before it said 'bestmove'"),
        (POLITE + "if line.startswith('go'): say('bestmove')", "which is no legal move"),
    ],
)
def test_a_program_that_fails_is_told_how(tmp_path: Path, body: str, reason: str) -> None:
    match = Match("santiago", 2, seed=1)
    assert match.turn is not None
    with pytest.raises(EngineFailed, match=reason):
        EngineBot(f"engine:{program(tmp_path, body)}").choose(match.view(match.turn))


def test_a_silent_program_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("malecon.arena.engine.TIMEOUT_SECONDS", 0.3)
    match = Match("santiago", 2, seed=1)
    assert match.turn is not None
    with pytest.raises(EngineFailed, match="it did not say 'malecon ok' in time"):
        EngineBot(f"engine:{program(tmp_path, 'pass')}")


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("pass\nsys.exit()", "starts and introduces itself"),
        (POLITE.replace("id name P", "id author P") + "if line.startswith('go'): sys.exit()", "has a name"),
        (POLITE + "if line.startswith('go'): say('bestmove pass')", "plays Santiago de Cuba with 2 players"),
        (
            POLITE + "if line.startswith('go'): say('info depth x'); say('bestmove ' + legal[0])",
            "plays Santiago de Cuba with 2 players",
        ),
        (POLITE + "if line.startswith('go ms'): say('bestmove ' + legal[0])", "stops when told to"),
        (POLITE.replace("if line == 'quit'", "if 0") + "if line[:2] == 'go': say('bestmove ' + legal[0])", "leaves at"),
    ],
)
def test_the_tester_tells_an_author_what_is_wrong(
    tmp_path: Path, body: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("malecon.arena.engine.TIMEOUT_SECONDS", 8.0)
    wrong = [finding for finding in check(program(tmp_path, body), "santiago") if not finding.good]
    assert wrong
    assert wrong[0].what.startswith(what)
    assert wrong[0].advice


def test_a_class_of_ones_own_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "careful_bots.py").write_text(CAREFUL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    view = Match("santiago", 2, seed=1).view(Match("santiago", 2, seed=1).turn)
    assert make_bot("careful_bots:Careful").choose(view) == view.legal_moves[0]
    assert make_bot("careful_bots:Careful,last=yes").choose(view) == view.legal_moves[-1]
    result = run(ArenaPlan("santiago", ("random", "careful_bots:Careful"), players=2, games=2))
    assert result.games == 2
    for spec, reason in (
        ("careful_bots:Reckless", "careful_bots has no Reckless"),
        ("no_such_module:Careful", "No module named"),
        ("careful_bots:Careful,speed=3", "must take a seed and its settings by name"),
        ("careful_bots:Mute", r"needs a method choose\(view\)"),
    ):
        with pytest.raises(BadSetup, match=reason):
            make_bot(spec)


def test_specifications_are_told_apart() -> None:
    assert split("greedy,engine:python docs/example_engine.py,ms=50,search:sims=3,c=1") == [
        "greedy",
        "engine:python docs/example_engine.py,ms=50",
        "search:sims=3,c=1",
    ]
    assert split_settings("python a.py --x,ms=5,style=bold") == ("python a.py --x", {"ms": "5", "style": "bold"})
    for spec, reason in (
        ("engine:", "which program"),
        ("engine:/no/such/program", "does not start"),
        (f"engine:{EXAMPLE},ms=1,sims=1", "not both"),
        (f"engine:{EXAMPLE},ms=soon", "ms cannot be 'soon'"),
        (f"engine:{EXAMPLE},style=bold", "has no setting 'style'; choose from: seed"),
        ("search:Nothing", "has no setting"),
        ("nobody", "there is no bot called"),
    ):
        with pytest.raises(BadSetup, match=reason):
            make_bot(spec)


#: Late at its first thoughts, as many as its argument says.
LATE_AT_FIRST = """
import time
if line.startswith('go'):
    globals().setdefault('thoughts', []).append(1)
    if len(thoughts) <= TIMES: time.sleep(0.5)
    say('bestmove ' + legal[0])
"""


@pytest.mark.parametrize(("load", "good"), [(0.5, False), (7.0, True)])
def test_lateness_is_a_fault_unless_the_machine_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, load: float, good: bool
) -> None:
    monkeypatch.setattr(engine_check, "machine_load", lambda: load)
    command = program(tmp_path, POLITE + LATE_AT_FIRST.replace("TIMES", str(engine_check.TRIES)))
    first = next(finding for finding in check(command, "santiago") if finding.what.startswith("plays"))
    assert first.good is good
    assert "ms late" in (first.warning if good else first.advice)
    assert ("try again" in first.warning) is good


def test_a_busy_moment_is_no_lateness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_check, "machine_load", lambda: 0.0)
    command = program(tmp_path, POLITE + LATE_AT_FIRST.replace("TIMES", "1"))
    assert [finding for finding in check(command, "santiago") if not finding.good] == []
