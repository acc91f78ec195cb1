"""Small variants for exact methods: the last moves of a game, by the full rules, from a position reached in play.

A variant is a list of moves that leads to its first position; `variants.json` has them, frozen by the number in their
names. Also counting and solving: every move sequence to a depth (perft), every position and information state, and
backward induction where nothing is hidden.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from malecon.envs.batch import REWARDS, settle
from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.playing import make_move
from malecon.kernel.positions import as_array
from malecon.kernel.verbs import CHANCE, Position
from malecon.kernel.view import hidden, legal_codes, turn_of
from malecon.match import Match

FILE = Path(__file__).with_name("variants.json")


@dataclass(frozen=True)
class Variant:
    """A small game: the full rules from the position that these moves lead to."""

    name: str
    game: Game
    players: int
    options: Mapping[str, OptionValue]
    moves: tuple[str, ...]
    about: str

    @functools.cached_property
    def position(self) -> Position:
        """The first position, with nothing hidden: nothing lies face down in it."""
        match = Match(self.game, self.players, options=self.options)
        for move in self.moves:
            match.push(move)
        return match.position

    def match(self, seed: int | None = None) -> Match:
        """Return a match that begins there; chance is drawn from the seed, or yours to push without one."""
        return Match.from_position(self.game, self.position, self.players, options=self.options, seed=seed)


@functools.cache
def variants() -> Mapping[str, Variant]:
    """Return all variants by their names."""
    loaded = {}
    for name, data in json.loads(FILE.read_text(encoding="utf-8")).items():
        game = registry.get(data["game"])
        if data["rules"] != game.rules_version:
            raise RuntimeError(f"{name} was made by other rules of {game.title}; a new version of it is needed")
        loaded[name] = Variant(name, game, data["players"], data["options"], tuple(data["moves"]), data["about"])
    return loaded


def variant(name: str) -> Variant:
    """Return the variant of that name; raise BadSetup if there is none."""
    known = variants()
    if name not in known:
        text = say("there is no variant {name}; choose from: {known}")
        raise BadSetup(text.fill(name=repr(name)[:40], known=", ".join(known)))
    return known[name]


# --- counting


def following(game: Game, position: Position) -> Iterator[tuple[int, Position]]:
    """Yield every legal move of a position, chance's included, with the position that it leads to."""
    for code in legal_codes(game, position):
        cells = as_array(position)
        make_move(cells[0], code, 0)
        yield code, cells[0]


def perft(game: Game, position: Position, depth: int) -> list[int]:
    """Return how many sequences of 1, 2, … `depth` moves there are from a position, chance's moves among them.

    A port of the rules that counts the same is very likely right.
    """
    counts, ways = [], {position.tobytes(): (1, position)}
    for _ in range(depth):
        after: dict[bytes, tuple[int, Position]] = {}
        for many, before in ways.values():
            for _, position in following(game, before):
                key = position.tobytes()
                after[key] = after.get(key, (0, position))[0] + many, position
        ways = after
        counts.append(sum(many for many, _ in ways.values()))
    return counts


@dataclass(frozen=True)
class GameSize:
    """How large a game is from a position on."""

    positions: int  # that differ
    decisions: int  # of them, those in which a seat decides
    information_states: int  # what a seat that decides sees then: positions that look the same to it count once
    ends: int


def size(game: Game, position: Position) -> GameSize:
    """Count everything that can be reached from a position."""
    seen: set[bytes] = set()
    views: set[tuple[int, bytes]] = set()
    decisions = ends = 0
    waiting = [position]
    while waiting:
        position = waiting.pop()
        key = position.tobytes()
        if key in seen:
            continue
        seen.add(key)
        turn = turn_of(position)
        if turn is None:
            ends += 1
            continue
        if turn >= 0:
            decisions += 1
            views.add((turn, hidden(as_array(position), turn).tobytes()))
        waiting += [after for _, after in following(game, position)]
    return GameSize(len(seen), decisions, len(views), ends)


# --- solving


@dataclass(frozen=True)
class Solution:
    """The value of a position for every seat, and the moves that reach it for the seat that decides."""

    values: tuple[float, ...]
    best: tuple[str, ...]


def solve(game: Game, position: Position, players: int, rewards: str = "win") -> Solution:
    """Solve a game in which nothing is hidden by backward induction: every seat maximises its own result.

    Raise BadSetup for a game in which moves are made face down, since there it means nothing.
    """
    if game.conceals is not None:
        raise BadSetup(say("{game} has moves that are made face down; use CFR", game=game.title))
    values: dict[bytes, tuple[float, ...]] = {}
    _induce(game, position, players, REWARDS[rewards], values)
    turn, own = turn_of(position), values[position.tobytes()]
    best = []
    if turn is not None and turn >= 0:
        for code, after in following(game, position):
            if values[after.tobytes()][turn] >= own[turn] - 1e-12:
                best.append(game.notation.name(code))
    return Solution(own, tuple(best))


def _induce(game: Game, start: Position, players: int, kind: int, values: dict[bytes, tuple[float, ...]]) -> None:
    """Fill in the value of every position that can be reached; without recursion, for games can be long."""
    waiting: list[tuple[Position, Sequence[Position] | None]] = [(start, None)]
    while waiting:
        position, after = waiting.pop()
        key = position.tobytes()
        if key in values:
            continue
        turn = turn_of(position)
        if turn is None:
            ended = np.zeros(players)
            settle(as_array(position), kind, ended)
            values[key] = tuple(ended.tolist())
        elif after is None:
            after = [following_position for _, following_position in following(game, position)]
            waiting.append((position, after))
            waiting += [(each, None) for each in after if each.tobytes() not in values]
        else:
            results = [values[each.tobytes()] for each in after]
            if turn == CHANCE:
                values[key] = tuple(sum(column) / len(results) for column in zip(*results, strict=True))
            else:
                values[key] = max(results, key=lambda result, seat=turn: result[seat])  # type: ignore[misc]


def as_data(match: Match, moves: int, about: str) -> dict[str, Any]:
    """Return the variant that begins after so many moves of a match, as `variants.json` has it."""
    return {
        "game": match.game.name,
        "rules": match.game.rules_version,
        "players": match.players,
        "options": dict(match.options),
        "about": about,
        "moves": [str(turn.move) for turn in match.history[:moves]],
    }
