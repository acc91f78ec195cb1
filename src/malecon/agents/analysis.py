"""The analysis protocol: many positions at once as JSON lines, with priorities, partial reports and cancellation.

It is modelled on KataGo's. Questions are searched by several threads, those of the highest priority first; answers
come as they are ready, in any order, and name the question. docs/analysis.md describes every field.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import malecon
from malecon.bots.levels import BY_KEY
from malecon.bots.searcher import Searcher, SearchResult
from malecon.bots.specs import NATIVE, parse
from malecon.kernel import readiness, registry
from malecon.kernel.errors import BadSetup, MaleconError
from malecon.kernel.game import Game
from malecon.kernel.phrases import say
from malecon.match import Match, View, check_setup
from malecon.match.match import CHANCE_NAME

PROTOCOL = 1
DEFAULT_SIMS = 500
MOST_SIMS = 10_000_000
MOST_MOVES = 20
#: Simulations before the first partial report; then they are as many as the time between two reports allows.
FIRST_CHUNK = 50
LONGEST_LINE = 4_000_000
_FIELDS = frozenset({
    "id", "game", "players", "options", "moves", "turns", "sims", "priority", "report_every_ms", "seed", "top",
})  # fmt: skip
Answer = Callable[[dict[str, Any]], None]


class BadQuestion(MaleconError, ValueError):
    """A question that cannot be answered; `field` names the part of it that is wrong."""

    def __init__(self, field: str, phrase: Any) -> None:
        super().__init__(phrase)
        self.field = field


@dataclass
class AnalysisQuery:
    """One position to search."""

    id: Any
    view: View
    turn: int
    sims: int
    priority: int
    report_every_ms: int
    seed: int
    top: int
    stop: threading.Event = field(default_factory=threading.Event)


class Analyser:
    """Answers questions with several threads. `answer` is called with one answer at a time, from any of them."""

    def __init__(self, answer: Answer, threads: int = 1) -> None:
        self._answer, self._speaking = answer, threading.Lock()
        self._waiting: queue.PriorityQueue[tuple[float, int, AnalysisQuery | None]] = queue.PriorityQueue()
        self._numbers = itertools.count()
        self._open: dict[int, AnalysisQuery] = {}
        self._changing = threading.Lock()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def ask(self, line: str) -> None:
        """Take a line: a question, or an action. Whatever is wrong with it is answered as an error."""
        said: Any = None
        try:
            if len(line) > LONGEST_LINE:
                raise BadQuestion("", say("this line is too long"))
            try:
                said = json.loads(line)
            except (ValueError, RecursionError):
                raise BadQuestion("", say("this is not a JSON document: {problem}", problem="unreadable")) from None
            if not isinstance(said, dict):
                raise BadQuestion("", say("a question is a JSON object"))
            if "action" in said:
                self._act(said)
            else:
                for question in read(said):
                    self._put(question)
        except BadQuestion as error:
            known = said.get("id") if isinstance(said, dict) else None
            self._tell({"id": known, "error": str(error), "field": error.field})

    def close(self, *, finish: bool = True) -> None:
        """End the threads, after everything asked is answered, or at once."""
        if not finish:
            self._cancel(lambda question: True)
        for _ in self._threads:
            self._waiting.put((float("inf"), next(self._numbers), None))
        for thread in self._threads:
            thread.join()

    # --- questions

    def _put(self, question: AnalysisQuery) -> None:
        number = next(self._numbers)
        with self._changing:
            self._open[number] = question
        self._waiting.put((-question.priority, number, question))

    def _act(self, said: dict[str, Any]) -> None:
        action, target = said["action"], said.get("target")
        if action == "version":
            self._tell({"id": said.get("id"), "action": action, "version": malecon.__version__, "protocol": PROTOCOL})
        elif action == "cancel":
            count = self._cancel(lambda question: question.id == target)
            self._tell({"id": said.get("id"), "action": action, "target": target, "cancelled": count})
        elif action == "cancel_all":
            self._tell({"id": said.get("id"), "action": action, "cancelled": self._cancel(lambda question: True)})
        else:
            text = say("{name} cannot be {value}; choose from: {known}", name="action", value=repr(action)[:40])
            raise BadQuestion("action", text.fill(known="version, cancel, cancel_all"))

    def _cancel(self, which: Callable[[AnalysisQuery], bool]) -> int:
        """Stop the searches that are meant, running or not; return how many there were."""
        with self._changing:
            chosen = [question for question in self._open.values() if which(question) and not question.stop.is_set()]
            for question in chosen:
                question.stop.set()
        return len(chosen)

    def _work(self) -> None:
        while True:
            _, number, question = self._waiting.get()
            if question is None:
                return
            try:
                self._tell(self._search(question))
            except Exception as error:
                self._tell({"id": question.id, "turn": question.turn, "error": str(error), "field": ""})
            finally:
                with self._changing:
                    self._open.pop(number, None)

    def _search(self, question: AnalysisQuery) -> dict[str, Any]:
        """Search one position, with partial reports on the way; return the final report."""
        about = {"id": question.id, "turn": question.turn, "final": True}
        if question.stop.is_set():
            return {**about, "cancelled": True, "sims": 0, "moves": []}
        view = question.view
        plan = parse(f"{NATIVE}:sims={question.sims},margin=0", {key: level.spec for key, level in BY_KEY.items()}).plan
        searcher = Searcher(view.game, len(view.names), plan, question.seed)
        position, done, seats = view.remembered(), 0, [0.0] * len(view.names)
        chunk = FIRST_CHUNK
        while True:
            if question.report_every_ms:
                chunk = max(1, min(chunk, question.sims - done))
                searcher.plan = dataclasses.replace(plan, sims=chunk)
            began = time.perf_counter()
            result = searcher.search(position, question.stop)
            seconds = time.perf_counter() - began
            done += result.simulations
            seats = [old + result.simulations * new for old, new in zip(seats, result.seats, strict=True)]
            shares = [share / max(done, 1) for share in seats]
            cancelled = question.stop.is_set()
            if done >= question.sims or cancelled:
                return about | ({"cancelled": True} if cancelled else {}) | _report(question, result, done, shares)
            self._tell({**about, "final": False} | _report(question, result, done, shares))
            chunk = int(result.simulations * question.report_every_ms / 1000 / max(seconds, 1e-6))

    def _tell(self, answer: dict[str, Any]) -> None:
        with self._speaking:
            self._answer(answer)


def _report(question: AnalysisQuery, result: SearchResult, done: int, seats: Sequence[float]) -> dict[str, Any]:
    view, total = question.view, max(1, sum(result.visits))
    name = view.game.notation.name
    rows = zip(result.codes, result.chances, result.visits, strict=True)
    return {
        "seat": view.seat,
        "phase": view.game.phases[int(view.position.phase)],
        "sims": done,
        "chance": round(result.chances[0], 4),
        "seats": [round(share, 4) for share in seats],
        "moves": [
            {"move": name(code), "chance": round(chance, 4), "sims": visits, "share": round(visits / total, 4)}
            for code, chance, visits in itertools.islice(rows, question.top)
        ],
    }


# --- reading


def read(said: dict[str, Any]) -> list[AnalysisQuery]:
    """Return the questions of a line, one for each turn that it asks about; raise BadQuestion if something is wrong."""
    if unknown := sorted(set(said) - _FIELDS):
        known = ", ".join(sorted(_FIELDS))
        raise BadQuestion(
            unknown[0], say("there is no field {name}; choose from: {known}").fill(name=unknown[0], known=known)
        )
    if "id" not in said or isinstance(said["id"], dict | list):
        raise BadQuestion("id", say("the field {name} is missing", name="id"))
    match, starts = _replay(said)
    turns = said.get("turns", [len(match)])
    if not isinstance(turns, list) or not all(type(turn) is int and 0 <= turn <= len(match) for turn in turns):
        raise BadQuestion("turns", say("the field {name} is not valid", name="turns"))
    sims = _whole(said, "sims", DEFAULT_SIMS, 1, MOST_SIMS)
    priority = _whole(said, "priority", 0, -1_000_000, 1_000_000)
    report_every_ms = _whole(said, "report_every_ms", 0, 0, 3_600_000)
    seed = _whole(said, "seed", 0, -(1 << 63), (1 << 64) - 1)
    top = _whole(said, "top", MOST_MOVES, 1, 10_000)
    questions = []
    for turn in turns:
        seat = starts[turn]
        if seat is None or seat < 0:
            raise BadQuestion("turns", say("nobody decides after {moves} moves", moves=turn))
        view = match.fork(turn).view(seat) if turn < len(match) else match.view(seat)
        questions.append(AnalysisQuery(said["id"], view, turn, sims, priority, report_every_ms, seed, top))
    return questions


def _replay(said: dict[str, Any]) -> tuple[Match, list[int | None]]:
    """Return the match of a question, and who decides after each number of moves."""
    game = _game(said)
    players = _whole(said, "players", game.fewest_players, game.fewest_players, game.most_players)
    options = said.get("options", {})
    try:
        check_setup(game, players, options)
    except BadSetup as error:
        raise BadQuestion("options", error.phrase) from None
    moves = said.get("moves")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise BadQuestion("moves", say("the field {name} is not valid", name="moves"))
    match = Match(game, players, options=options)
    starts = [match.turn]
    for number, line in enumerate(moves):
        who, colon, text = line.partition(": ")
        expected = None if match.turn is None else game.colours[match.turn] if match.turn >= 0 else CHANCE_NAME
        try:
            if colon and who != expected:
                raise BadSetup(
                    say("this move belongs to {who}, not {found}", who=expected or "-", found=repr(who)[:40])
                )
            match.push(text if colon else line)
        except MaleconError as error:
            raise BadQuestion(f"moves[{number}]", error.phrase) from None
        starts.append(match.turn)
    return match, starts


def _game(said: dict[str, Any]) -> Game:
    try:
        game = registry.get(said.get("game"))  # type: ignore[arg-type]
    except MaleconError as error:
        raise BadQuestion("game", error.phrase) from None
    readiness.wait(game.name)
    return game


def _whole(said: dict[str, Any], name: str, usual: int, least: int, most: int) -> int:
    value = said.get(name, usual)
    if type(value) is not int or not least <= value <= most:
        text = say("{name} must be a number from {least} to {most}, not {value}")
        raise BadQuestion(name, text.fill(name=name, least=least, most=most, value=repr(value)[:40]))
    return value
