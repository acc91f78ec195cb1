"""A language model as a bot: `llm:ADDRESS,model=NAME`, for any address that speaks OpenAI's chat completions.

The model is given its view as text and nothing more. What it says is checked; after an illegal answer it is told the
rule and asked again. Nothing is sent anywhere but to the address in the specification, so servers never make this bot
from what a visitor sends.
"""

from __future__ import annotations

import email.utils
import json
import os
import re
import threading
import time
import urllib.error
import urllib.request
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from malecon.arena.engine import split_settings
from malecon.kernel.errors import BadSetup, IllegalMove, MaleconError, NotAMove
from malecon.kernel.phrases import say
from malecon.kernel.randomness import below, randomness
from malecon.match import Match, Move, View
from malecon.text import LANGUAGES, rules_text, translate

#: The environment variable with the key for the address, if it wants one. Keys never stand in a specification.
KEY = "MALECON_LLM_KEY"
#: How often a request is made before its failure is final, and the pause after the first failure; it doubles.
REQUESTS = 5
PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0
#: Status codes that may be gone at the next try.
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
LARGEST_ANSWER = 1_000_000
#: The line that an answer ends with.
_ANSWER = re.compile(r"^[\s*`>]*MOVE\s*:\s*[`*]*(.+?)[`*.\s]*$", re.IGNORECASE | re.MULTILINE)
PROMPT = """You play {title} and want to win. These are the rules.

{rules}
You are shown the table as you see it; ? is what you may not know. After the last line with "->" come your legal moves:
first the move in notation, then what it means and does at once. Think as briefly as you can. End your answer with a
line that has one of the legal moves, exactly in notation, like this:

MOVE: {example}
"""


class ModelFailed(MaleconError, RuntimeError):
    """A language model that cannot be reached, or does not answer as such services do; the message says how."""


@dataclass
class Usage:
    """What a model has done and cost so far. Prices are given for a million tokens."""

    decisions: int = 0
    requests: int = 0
    illegal: int = 0  # answers with a move that the rules forbid
    unreadable: int = 0  # answers without a move
    replaced: int = 0  # decisions for which a random move was made in the end
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0

    def add(self, other: Usage) -> None:
        for name, value in asdict(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass(frozen=True)
class ModelSettings:
    """The settings of a specification, read and checked."""

    address: str
    model: str
    temperature: float = 0.0
    tokens: int = 2_000  # of an answer, at most
    tries: int = 3  # answers to one question before a random move is made
    timeout: float = 120.0  # seconds for a request
    language: str = "en"
    price_in: float = 0.0  # for a million tokens
    price_out: float = 0.0
    transcript: str = ""  # a file that every question and answer is appended to, as JSON lines


_READ: dict[str, tuple[Any, str]] = {
    "model": (str, "the name of a model"),
    "temperature": (float, "a number"),
    "tokens": (int, "a whole number"),
    "tries": (int, "a whole number from 1 on"),
    "timeout": (float, "seconds"),
    "language": (str, ", ".join(LANGUAGES)),
    "price_in": (float, "a price for a million tokens"),
    "price_out": (float, "a price for a million tokens"),
    "transcript": (str, "a file"),
}


def read_settings(spec: str) -> ModelSettings:
    """Return the settings of `llm:ADDRESS,model=NAME,…`; raise BadSetup if something does not fit."""
    address, given = split_settings(spec.partition(":")[2])
    if not re.fullmatch(r"https?://[^\s/]+\S*", address):
        text = say("{text}: a language model is written as {pattern}", text=repr(spec)[:60])
        raise BadSetup(text.fill(pattern="llm:http://ADDRESS/v1,model=NAME"))
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in _READ:
            text = say("{text}: {kind} has no setting {name}; choose from: {known}")
            raise BadSetup(text.fill(text=repr(spec)[:60], kind="llm", name=repr(name)[:40], known=", ".join(_READ)))
        read, known = _READ[name]
        try:
            values[name] = read(value)
            if (name == "language" and value not in LANGUAGES) or (name in ("tries", "tokens") and values[name] < 1):
                raise ValueError
        except ValueError:
            text = say("{text}: {name} cannot be {value}; choose from: {known}")
            raise BadSetup(text.fill(text=repr(spec)[:60], name=name, value=repr(value)[:40], known=known)) from None
    if not values.get("model"):
        raise BadSetup(say("{text}: name the model, as in {example}", text=repr(spec)[:60], example="model=NAME"))
    return ModelSettings(address.rstrip("/"), **values)


class LanguageModelBot:
    """A language model in a seat. `usage` counts requests, tokens, costs, and answers that were no legal moves."""

    clock = staticmethod(time.perf_counter)  # it works elsewhere

    def __init__(self, spec: str, seed: int = 0) -> None:
        self.name = spec
        self.settings = read_settings(spec)
        self.usage = Usage()
        self._random = randomness(seed)
        self._transcript: TextIO | None = None
        self._writing = threading.Lock()

    def __repr__(self) -> str:
        return f"<LanguageModelBot {self.settings.model}>"

    def choose(self, view: View) -> Move:
        legal = view.legal_moves
        self.usage.decisions += 1
        if len(legal) == 1:
            return legal[0]  # nobody needs to be asked
        messages = [
            {"role": "system", "content": self._instructions(view)},
            {"role": "user", "content": view.text(self.settings.language)},
        ]
        for _ in range(self.settings.tries):
            answer = self._ask(messages)
            move, problem = self._read(view, answer)
            self._note(view, messages, answer, move, problem)
            if move is not None:
                return move
            messages = [*messages, {"role": "assistant", "content": answer}, {"role": "user", "content": problem}]
        self.usage.replaced += 1
        return legal[below(self._random, len(legal))]

    def close(self) -> None:
        if self._transcript is not None:
            self._transcript.close()
            self._transcript = None

    def _instructions(self, view: View) -> str:
        rules = rules_text(view.game, self.settings.language)
        return PROMPT.format(title=view.game.title, rules=rules, example=view.legal_moves[0])

    def _read(self, view: View, answer: str) -> tuple[Move | None, str]:
        """Return the move in an answer; if there is none, what the model is told about it."""
        given = _ANSWER.findall(answer)
        text = given[-1] if given else answer.strip().splitlines()[-1].strip() if answer.strip() else ""
        try:
            move = Move.parse(view.game, text)
        except NotAMove as error:
            self.usage.unreadable += 1
            return None, self._refuse(view, error)
        if move in view.legal_moves:
            return move, ""
        self.usage.illegal += 1
        try:
            Match.from_view(view, seed=0).push(move)
        except IllegalMove as error:
            return None, self._refuse(view, error)
        return None, self._refuse(view, IllegalMove(say("{text} is not a move", text=repr(text)[:60])))

    def _refuse(self, view: View, error: MaleconError) -> str:
        legal = "; ".join(map(str, view.legal_moves))
        reason = translate(error.phrase, self.settings.language)
        return f"{reason}. Legal moves: {legal}. End your answer with a line: MOVE: {view.legal_moves[0]}"

    # --- the address

    def _ask(self, messages: list[dict[str, str]]) -> str:
        """Return the model's answer; a failure that may pass is tried again, with longer and longer pauses."""
        settings = self.settings
        body = {
            "model": settings.model, "messages": messages, "temperature": settings.temperature,
            "max_tokens": settings.tokens,
        }  # fmt: skip
        headers = {"content-type": "application/json", "user-agent": "malecon"}
        if key := os.environ.get(KEY):
            headers["authorization"] = f"Bearer {key}"
        request = urllib.request.Request(
            f"{settings.address}/chat/completions", json.dumps(body).encode(), headers, method="POST"
        )
        pause = PAUSE_SECONDS
        for number in range(1, REQUESTS + 1):
            self.usage.requests += 1
            began = time.perf_counter()
            try:
                with urllib.request.urlopen(request, timeout=settings.timeout) as response:
                    data = response.read(LARGEST_ANSWER)
                return self._take(data)
            except urllib.error.HTTPError as error:
                problem, after = f"{error.code} {error.reason}", _retry_after(error.headers.get("retry-after"))
                error.close()
                if error.code not in PASSING:
                    raise self._failed(problem) from None
            except (OSError, ValueError) as error:
                problem, after = str(error) or type(error).__name__, None
            finally:
                self.usage.seconds += time.perf_counter() - began
            if number < REQUESTS:
                time.sleep(min(LONGEST_PAUSE_SECONDS, pause if after is None else after))
                pause *= 2
        raise self._failed(problem)

    def _take(self, data: bytes) -> str:
        """Return the text of a completion, and count its tokens; raise ValueError if it is none."""
        answer = json.loads(data)
        try:
            text = answer["choices"][0]["message"]["content"] or ""
        except (KeyError, IndexError, TypeError):
            raise ValueError("the answer is no chat completion") from None
        used = answer.get("usage") or {}
        asked, answered = int(used.get("prompt_tokens") or 0), int(used.get("completion_tokens") or 0)
        self.usage.prompt_tokens += asked
        self.usage.completion_tokens += answered
        self.usage.cost += (asked * self.settings.price_in + answered * self.settings.price_out) / 1_000_000
        return str(text)

    def _failed(self, problem: str) -> ModelFailed:
        text = say("the model {model} at {address} failed: {problem}")
        return ModelFailed(text.fill(model=self.settings.model, address=self.settings.address, problem=problem[:200]))

    def _note(self, view: View, messages: list[dict[str, str]], answer: str, move: Move | None, problem: str) -> None:
        """Append a question and its answer to the transcript. The rules, which are always the same, are left out."""
        if not self.settings.transcript:
            return
        with self._writing:
            if self._transcript is None:
                self._transcript = Path(self.settings.transcript).open("a", encoding="utf-8")  # noqa: SIM115
            line = {
                "model": self.settings.model, "game": view.game.name, "players": len(view.names), "seat": view.seat,
                "move_number": len(view.history), "messages": messages[1:], "answer": answer,
                "move": None if move is None else str(move), "problem": problem,
            }  # fmt: skip
            self._transcript.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._transcript.flush()


def _retry_after(value: str | None) -> float | None:
    """Return how many seconds a service asks to be left alone: it gives them, or a date."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
