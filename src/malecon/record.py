"""The game record: a small JSON document with every move in notation. Reading, writing, replaying, verifying.

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
from typing import Any, TypeVar

from malecon import dice as fair
from malecon import games
from malecon.dice import Dice
from malecon.kernel.errors import BadRecord, MaleconError
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import CHANCE
from malecon.match import LegalMoves, Match, Outcome, check_names, check_setup

Checked = TypeVar("Checked")

FORMAT = 1
LARGEST_FILE = 4_000_000
MOST_MOVES = 100_000
CHANCE_NAME = "chance"
_FIELDS = ("malecon", "game", "rules", "players", "options", "names", "moves", "result")
_MORE_FIELDS = ("dice",)  # a record may do without


@dataclass(frozen=True)
class Record:
    """A match as a document. `moves` are lines like `red: drive 3`; `lines` tells where each stood in the file."""

    game: str
    rules: int
    players: int
    options: Mapping[str, OptionValue]
    names: tuple[str | None, ...]
    moves: tuple[str, ...]
    result: Mapping[str, Any] | None
    dice: Dice | None = None  # where the game was played with dice that can be checked
    lines: Mapping[str | int, int] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, match: Match, dice: Dice | None = None) -> Record:
        """The record of a match, finished or not; of its dice only the hash before it is over."""
        return cls(
            game=match.game.name,
            rules=match.game.rules_version,
            players=match.players,
            options=dict(match.options),
            names=tuple(name if isinstance(name, str) else None for name in match.names),
            moves=tuple(f"{_actor_name(match, turn.seat)}: {turn.move}" for turn in match.history),
            result=_result(match.outcome),
            dice=dice if dice is None or match.is_over else dice.covered(),
        )

    def replay(self, seed: int | None = None) -> Match:
        """Play the whole record, checking every move and the result; BadRecord names the first line that is wrong.

        With a seed the match can go on: chance's further moves are drawn from it.
        """
        match = self._lay_out()
        for number, line in enumerate(self.moves):
            who, colon, text = line.partition(": ")
            expected = None if match.turn is None else _actor_name(match, match.turn)
            if not colon or (expected is not None and who != expected):
                raise self._bad(
                    number, say("{who} must move here, not {found}", who=expected or "-", found=repr(who)[:40])
                )
            try:
                match.push(text)
            except MaleconError as error:
                raise self._bad(number, error.phrase) from None
        if _result(match.outcome) != self.result:
            raise self._bad("result", say("the result is not the one these moves lead to"))
        if seed is not None:
            match.draw_chance(seed)
        return match

    def prove_dice(self) -> tuple[int, int]:
        """Replay the record and compute its chance moves again from the secret: how many of how many follow from it.

        Moves made before these dice came to the table prove nothing. BadRecord names the first that is not as it must.
        """
        if self.dice is None:
            raise self._bad("dice", say("this record tells nothing about its dice"))
        if self.dice.secret is None:
            raise self._bad("dice", say("the secret of these dice is not told before the game is over"))
        if fair.commitment_of(self.dice.secret) != self.dice.commitment:
            raise self._bad("dice", say("this secret is not the one whose hash was shown before the game"))
        match = self.replay()
        drawn = [(number, str(turn.move)) for number, turn in enumerate(match.history) if turn.seat == CHANCE]
        theirs = [(number, move) for number, move in drawn if number >= self.dice.first]
        for number, move in theirs:
            outcomes = LegalMoves(match.game, match.everything(number).position)
            expected = fair.choose(self.dice.secret, number, map(str, outcomes))
            if move != expected:
                text = "move {number}: the dice say {expected}, not {found}"
                raise self._bad(number, say(text, number=number, expected=expected, found=move))
        return len(theirs), len(drawn)

    def _lay_out(self) -> Match:
        """The match before its first move; each field is checked by itself, so that the right line is blamed."""
        game = self._checked("game", lambda: games.get(self.game))
        if self.rules != game.rules_version:
            text = "this record was made with version {theirs} of the rules; this program knows version {ours}"
            raise self._bad("rules", say(text, theirs=repr(self.rules)[:20], ours=game.rules_version))
        self._checked("players", lambda: check_setup(game, self.players, None))
        self._checked("options", lambda: check_setup(game, self.players, self.options))
        self._checked("names", lambda: check_names(game, self.players, self.names))
        return Match(game, self.players, options=self.options, names=self.names)

    def _checked(self, place: str, check: Callable[[], Checked]) -> Checked:
        try:
            return check()
        except MaleconError as error:
            raise self._bad(place, error.phrase) from None

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
    def from_json(cls, text: str) -> Record:
        """The record in a document; BadRecord where it is none. Whether it replays is for `replay` to say."""
        if len(text) > LARGEST_FILE:
            raise BadRecord(say("this is too large for a record"))
        try:
            data = json.loads(text, object_pairs_hook=_without_twins)
        except json.JSONDecodeError as error:
            raise BadRecord(say("this is no JSON document: {problem}", problem=error.msg), error.lineno) from None
        except (RecursionError, ValueError):
            raise BadRecord(say("this is no JSON document: {problem}", problem="unreadable")) from None
        lines = _lines(text)
        if not isinstance(data, dict) or "malecon" not in data:
            raise BadRecord(say("this is no record of Malecón"), 1)
        if data["malecon"] != FORMAT or not _is_int(data["malecon"]):
            text = "this is format {theirs} of records; this program knows format {ours}"
            raise BadRecord(say(text, theirs=repr(data["malecon"])[:20], ours=FORMAT), lines.get("malecon"))
        for name in _FIELDS:
            if name not in data:
                raise BadRecord(say("the field {name} is missing", name=name))
        for name in data:
            if name not in _FIELDS + _MORE_FIELDS:
                raise BadRecord(say("there is no field {name} in a record", name=repr(name)[:40]), lines.get(name))
        for name, fits in _SHAPES.items():
            if not fits(data[name]):
                raise BadRecord(say("the field {name} is not as it should be", name=name), lines.get(name))
        dice = None
        if "dice" in data:
            dice = Dice.of(data["dice"]) if isinstance(data["dice"], dict) else None
            if dice is None:
                raise BadRecord(say("the field {name} is not as it should be", name="dice"), lines.get("dice"))
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
    def read(cls, path: str | PathLike[str]) -> Record:
        """The record in a file; BadRecord where it holds none, OSError where it cannot be opened."""
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise BadRecord(say("this is too large for a record"))
        try:
            return cls.from_json(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise BadRecord(say("this is not text in UTF-8"), line) from None

    def _bad(self, place: str | int, reason: Phrase) -> BadRecord:
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
        isinstance(value, list) and len(value) <= MOST_MOVES and all(isinstance(move, str) for move in value)
    ),
    "result": lambda value: value is None or isinstance(value, dict),
}


def _actor_name(match: Match, seat: int) -> str:
    return match.game.colours[seat] if seat >= 0 else CHANCE_NAME


def _result(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "winners": list(outcome.winners),
        "places": list(outcome.places),
        "points": list(outcome.points),
        "reason": outcome.reason,
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
