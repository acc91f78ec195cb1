"""A program of somebody else's as a bot: it runs beside us and speaks the protocol of docs/protocol.md line by line.

It is told what its seat may know and nothing more. Whatever it says is checked here; `engine_check` tells its author.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import shlex
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from malecon.kernel.errors import BadSetup, MaleconError
from malecon.kernel.phrases import say
from malecon.match import Move, View

PROTOCOL = 1
#: The time a program has for everything but searching, and for searching beyond the time it was given.
TIMEOUT_SECONDS = 20.0
#: Time for a move if nothing else is set.
DEFAULT_MS = 200
#: A move that nobody may see yet, in the moves of a position.
FACE_DOWN = "?"
LONGEST_LINE = 10_000
_SETTING = re.compile(r",\s*(\w+)=([^,]*)$")
_OPTION = re.compile(r"name (\w+) type (\w+)(?: default (\S+))?(?: min (-?\d+))?(?: max (-?\d+))?(?: values (.+))?")


class EngineFailed(MaleconError, RuntimeError):
    """A program that does not do what the protocol asks for; the message says what, and its last words."""


@dataclass
class Introduction:
    """What a program says of itself."""

    name: str = ""
    author: str = ""
    games: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)  # by name: the rest of the line


class Engine:
    """A running program. Every question waits for its answer, but never for ever."""

    def __init__(self, command: str) -> None:
        self.command = command
        words = shlex.split(command, posix=os.name != "nt")
        if not words:
            raise BadSetup(say("which program? Write it as engine:COMMAND"))
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True, encoding="utf-8",
                errors="replace", bufsize=1,
            )  # fmt: skip
        except OSError as error:
            self._errors.close()
            problem = error.strerror or str(error)
            raise BadSetup(say("{command} does not start: {problem}", command=command, problem=problem)) from None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(self._process.stdout, self._lines), daemon=True).start()
        self._end = weakref.finalize(self, _end, self._process, self._errors)
        self.about = self._greet()

    def _greet(self) -> Introduction:
        about = Introduction()
        self.send(f"malecon {PROTOCOL}")
        for line in self.until("malecon ok"):
            what, _, rest = line.partition(" ")
            kind, _, value = rest.partition(" ")
            if what == "id" and kind == "name":
                about.name = value.strip()
            elif what == "id" and kind == "author":
                about.author = value.strip()
            elif what == "game":
                about.games.append(rest.strip())
            elif what == "option":
                option = _OPTION.fullmatch(rest)
                if option is None:
                    raise self.failed(f"it describes an option wrongly: {line!r}")
                about.options[option[1]] = rest
        return about

    def send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self.failed(f"it was gone when we said {line[:60]!r}") from None

    def read(self, deadline: float, waiting_for: str) -> str:
        """The next line it says."""
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise self.failed(f"it did not say {waiting_for!r} in time") from None
        if line is None:
            raise self.failed(f"it ended before it said {waiting_for!r}")
        return line.strip()

    def until(self, last: str) -> Iterator[str]:
        """What it says before the line `last`."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while (line := self.read(deadline, last)) != last:
            yield line

    def ready(self) -> None:
        """It has done everything so far."""
        self.send("isready")
        for _ in self.until("readyok"):
            pass

    def set(self, name: str, value: str) -> None:
        if name not in self.about.options:
            known = ", ".join(self.about.options) or "-"
            text = say("{text}: {kind} has no setting {name}; choose from: {known}")
            raise BadSetup(text.fill(text=self.command, kind=self.about.name or "-", name=repr(name)[:40], known=known))
        self.send(f"setoption name {name} value {value}")

    def go(self, limit: str, seconds: float) -> tuple[str, list[str]]:
        """The move it chooses, and what it tells on the way."""
        self.send(f"go {limit}")
        deadline = time.monotonic() + seconds + TIMEOUT_SECONDS
        lines: list[str] = []
        while True:
            line = self.read(deadline, "bestmove")
            word, _, rest = line.partition(" ")
            if word == "bestmove":
                return rest.strip(), lines
            if word == "info":
                lines.append(rest)

    def failed(self, problem: str) -> EngineFailed:
        """The error for what went wrong, with the end of what the program wrote to its standard error."""
        last = ""
        if not self._errors.closed:
            self._errors.seek(0)
            last = self._errors.read()[-400:].decode("utf-8", "replace").strip()
        text = say("the program {command} failed: {problem}", command=self.command, problem=problem)
        error = EngineFailed(text)
        if last:
            error.add_note(f"it wrote to standard error: {last}")
            error.args = (f"{error.args[0]}; it wrote: {last.splitlines()[-1]}",)
        return error

    def quit(self) -> bool:
        """Ask it to leave; whether it did so by itself."""
        try:
            self.send("quit")
            self._process.wait(2)
            return True
        except (EngineFailed, subprocess.TimeoutExpired):
            return False
        finally:
            self._end()


def _listen(lines: IO[str] | None, heard: queue.SimpleQueue[str | None]) -> None:
    """Whatever a program says, until it says no more."""
    assert lines is not None
    try:
        while line := lines.readline(LONGEST_LINE):
            heard.put(line)
    except (OSError, ValueError):
        pass  # it was ended
    heard.put(None)


def _end(process: subprocess.Popen[str], errors: IO[bytes]) -> None:
    if process.poll() is None:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):  # what it did not want to hear any more
                stream.close()
    errors.close()


def describe(view: View) -> str:
    """What a program is told about a position: one line of JSON."""
    game, position = view.game, view.position
    colours = game.colours

    def who(seat: int) -> str:
        return colours[seat] if seat >= 0 else "chance"

    data = {
        "game": game.name,
        "rules": game.rules_version,
        "players": len(view.names),
        "options": dict(view.options),
        "seat": view.seat,
        "moves": [f"{who(turn.seat)}: {FACE_DOWN if turn.move is None else turn.move}" for turn in view.history],
        "legal": [str(move) for move in view.legal_moves],
        "position": {name: position[name].tolist() for name in game.dtype.names or ()},
    }
    return json.dumps(data, separators=(",", ":"))


class EngineBot:
    """A program as a bot: `engine:COMMAND`, with `ms` or `sims` and its own options behind it."""

    clock = staticmethod(time.perf_counter)  # its work is not ours to measure

    def __init__(self, spec: str, seed: int = 0) -> None:
        self.name = spec
        command, settings = split_settings(spec.partition(":")[2])
        self._limit, self._seconds = _limit(spec, settings)
        self._engine = Engine(command)
        if "seed" in self._engine.about.options:
            self._engine.set("seed", str(seed % (1 << 31)))
        for name, value in settings.items():
            self._engine.set(name, value)
        self._engine.ready()
        self._known = 0

    def __repr__(self) -> str:
        return f"<EngineBot {self.name}>"

    def choose(self, view: View) -> Move:
        about = self._engine.about
        if about.games and view.game.name not in about.games:
            raise self._engine.failed(f"it plays {', '.join(about.games)} only")
        legal = view.legal_moves
        if len(view.history) < self._known or not self._known:
            self._engine.send("newgame")
            self._engine.ready()
        self._known = len(view.history)
        self._engine.send(f"position {describe(view)}")
        text, _ = self._engine.go(self._limit, self._seconds)
        if text not in legal:
            raise self._engine.failed(f"it answered {text[:60]!r}, which is no legal move here")
        return Move.parse(view.game, text)

    def close(self) -> None:
        self._engine.quit()


def split_settings(text: str) -> tuple[str, dict[str, str]]:
    """A command, and the settings that follow it: `python bot.py,ms=200,style=bold`."""
    settings: dict[str, str] = {}
    while setting := _SETTING.search(text):
        settings = {setting[1]: setting[2].strip()} | settings
        text = text[: setting.start()]
    return text.strip(), settings


def _limit(spec: str, settings: dict[str, str]) -> tuple[str, float]:
    """How long it may think, in the protocol's words, and in seconds."""
    given: Mapping[str, Any] = {name: settings.pop(name) for name in ("ms", "sims") if name in settings}
    if len(given) > 1:
        raise BadSetup(say("{text}: give sims or ms, not both", text=repr(spec)[:60]))
    for name, value in given.items():
        if not value.isdecimal() or not 1 <= int(value) <= 100_000_000:
            text = say("{text}: {name} cannot be {value}; choose from: {known}")
            raise BadSetup(text.fill(text=repr(spec)[:60], name=name, value=repr(value)[:40], known="1 to 100000000"))
        return f"{name} {int(value)}", int(value) / 1000 if name == "ms" else 3600.0
    return f"ms {DEFAULT_MS}", DEFAULT_MS / 1000
