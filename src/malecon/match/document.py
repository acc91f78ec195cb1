"""A record as it is written down: a small JSON document with every move in notation. Nothing is replayed here.

A game is exactly its list of moves, chance's included, so a record needs no random state and replays anywhere.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Self

from malecon.kernel.errors import BadRecord
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.playing import LONGEST_GAME
from malecon.match.dice import Dice

FORMAT = 1
LARGEST_FILE = 4_000_000
_FIELDS = ("malecon", "game", "rules", "players", "options", "names", "moves", "result")
_MORE_FIELDS = ("dice",)  # a record may do without


@dataclass(frozen=True)
class Document:
    """What a record says. `moves` are lines like `red: drive 3`; `lines` tells where each stood in the file."""

    game: str
    rules: int
    players: int
    options: Mapping[str, OptionValue]
    names: tuple[str | None, ...]
    moves: tuple[str, ...]
    result: Mapping[str, Any] | None
    dice: Dice | None = None  # where the game was played with dice that can be checked
    lines: Mapping[str | int, int] = field(default_factory=dict, compare=False, repr=False)

    def to_json(self) -> str:
        """The document, one move to a line."""
        head: dict[str, Any] = {
            "malecon": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "players": self.players,
            "options": dict(self.options),
            "names": list(self.names),
        }
        if self.dice is not None:
            head["dice"] = self.dice.as_dict()
        lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
        moves = ",\n".join("    " + json.dumps(move) for move in self.moves)
        lines.append('  "moves": [\n' + moves + "\n  ]," if self.moves else '  "moves": [],')
        lines.append(f'  "result": {json.dumps(self.result)}')
        return "{\n" + "\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The record in a document; BadRecord where it is none. Whether it replays is for `replay` to say."""
        if not isinstance(text, str):
            raise BadRecord(say("this is not a Malecón record"))
        if len(text) > LARGEST_FILE:
            raise BadRecord(say("this file is too large for a record"))
        try:
            data = json.loads(text, object_pairs_hook=_without_twins)
        except json.JSONDecodeError as error:
            raise BadRecord(say("this is not a JSON document: {problem}", problem=error.msg), error.lineno) from None
        except (RecursionError, ValueError):
            raise BadRecord(say("this is not a JSON document: {problem}", problem="unreadable")) from None
        lines = _lines(text)
        if not isinstance(data, dict) or "malecon" not in data:
            raise BadRecord(say("this is not a Malecón record"), 1)
        if data["malecon"] != FORMAT or not _is_int(data["malecon"]):
            problem = say("this record has format {theirs}; this program reads format {ours}")
            raise BadRecord(problem.fill(theirs=repr(data["malecon"])[:20], ours=FORMAT), lines.get("malecon"))
        for name in _FIELDS:
            if name not in data:
                raise BadRecord(say("the field {name} is missing", name=name))
        for name in data:
            if name not in _FIELDS + _MORE_FIELDS:
                raise BadRecord(say("a record has no field {name}", name=repr(name)[:40]), lines.get(name))
        for name, fits in _SHAPES.items():
            if not fits(data[name]):
                raise BadRecord(say("the field {name} is not valid", name=name), lines.get(name))
        dice = None
        if "dice" in data:
            dice = Dice.of(data["dice"]) if isinstance(data["dice"], dict) else None
            if dice is None:
                raise BadRecord(say("the field {name} is not valid", name="dice"), lines.get("dice"))
        return cls(
            game=data["game"],
            rules=data["rules"],
            players=data["players"],
            options=data["options"],
            names=tuple(data["names"]),
            moves=tuple(data["moves"]),
            result=data["result"],
            dice=dice,
            lines=lines,
        )

    def write(self, path: str | PathLike[str]) -> None:
        """Write the document; a file already there is replaced as a whole or not at all."""
        target = Path(path)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=target.name)
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(self.to_json())
            os.chmod(temporary, 0o644)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Self:
        """The record in a file; BadRecord where it holds none, OSError where it cannot be opened."""
        with open(os.fspath(path), "rb") as file:  # a number would be a file that somebody has open
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise BadRecord(say("this file is too large for a record"))
        try:
            return cls.from_json(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise BadRecord(say("this is not UTF-8 text"), line) from None

    def bad(self, place: str | int, reason: Phrase) -> BadRecord:
        """The error for what is wrong with a field or, by its number, with a move."""
        return BadRecord(reason, self.lines.get(place))


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; one that says something twice has no meaning."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands twice")
    return found


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_SHAPES: Mapping[str, Callable[[Any], bool]] = {
    "game": lambda value: isinstance(value, str),
    "rules": _is_int,
    "players": _is_int,
    "options": lambda value: isinstance(value, dict),
    "names": lambda value: isinstance(value, list) and all(name is None or isinstance(name, str) for name in value),
    "moves": lambda value: (
        isinstance(value, list) and len(value) <= LONGEST_GAME and all(isinstance(move, str) for move in value)
    ),
    "result": lambda value: value is None or isinstance(value, dict),
}


def _lines(text: str) -> dict[str | int, int]:
    """The line on which each field and, by its number, each move stands. The text is known to be valid JSON."""
    found: dict[str | int, int] = {}
    for name in _FIELDS + _MORE_FIELDS:
        place = re.search(rf'"{name}"\s*:', text)
        if place:
            found[name] = text.count("\n", 0, place.start()) + 1
    start = re.search(r'"moves"\s*:\s*\[', text)
    if start:
        at, line, number = start.end(), text.count("\n", 0, start.end()) + 1, 0
        while (quote := re.compile(r"[\s,]*").match(text, at)) and text[quote.end() : quote.end() + 1] == '"':
            line += text.count("\n", at, quote.end())
            found[number] = line
            number += 1
            at = json.JSONDecoder().raw_decode(text, quote.end())[1]
    return found
