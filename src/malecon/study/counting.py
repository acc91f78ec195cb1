"""Counts facts of games: one kernel replays lists of moves and adds up moves and events.

A game is exactly its list of moves, so it does not matter who played it: random players, bots or people.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon.kernel.compile import kernel
from malecon.kernel.game import Game
from malecon.kernel.journal import Journal, new_journal
from malecon.kernel.playing import make_logged_move
from malecon.kernel.verbs import Moves, actor, points, standing

Numbers = npt.NDArray[np.int64]
Facts = npt.NDArray[np.int16]

#: Columns of a rule for a kind of event: the number of its first fact, what amount, thing and other each add to that,
#: and whether the amounts are added up instead of the events.
FIRST, BY_AMOUNT, BY_THING, BY_OTHER, SUM_AMOUNTS = range(5)
NO_FACT = -(1 << 15)


class FactSchema:
    """Which facts of a game are counted. Every fact has a number; `columns` has the numbers of a group by its name.

    Only events of the first `kinds` kinds are counted.
    """

    def __init__(self, game: Game, kinds: int = 0) -> None:
        self.game = game
        self.columns: dict[str, slice] = {}
        self.size = 0
        self.by_move = np.full(len(game.notation), NO_FACT, np.int64)
        self.rules = np.zeros((kinds, 5), np.int64)
        self.rules[:, FIRST] = NO_FACT

    def _allocate(self, group: str, size: int) -> int:
        first = self.size
        self.size += size
        self.columns[group] = slice(first, self.size)
        return first

    def add_moves(self, group: str, families: Sequence[Iterable[int]]) -> None:
        """Count a fact for each family of moves: how often the seat made one of them."""
        first = self._allocate(group, len(families))
        for fact, codes in enumerate(families, first):
            self.by_move[list(codes)] = fact

    def add_events(
        self,
        group: str,
        kind: int,
        size: int,
        *,
        amount: int = 0,
        thing: int = 0,
        other: int = 0,
        lowest: int = 0,
        sum_amounts: bool = False,
    ) -> None:
        """Count `size` facts for a kind of event.

        The number of the fact is `amount`, `thing` and `other` times those of the event, counted from `lowest`.
        With `sum_amounts`, the amounts of the events are added up instead of the events.
        """
        self.rules[kind] = (self._allocate(group, size) - lowest, amount, thing, other, sum_amounts)


@dataclass
class CountedGames:
    """The counts of some games; the first axis is the game. The last row of the facts belongs to no seat."""

    facts: Facts  # game, seat, fact
    points: Numbers  # game, seat
    standings: Numbers
    decisions: Numbers
    ends: Any  # the last positions, a recarray
    first_moves: Moves
    first_seats: Numbers  # who decided first
    schema: FactSchema

    def facts_of(self, group: str) -> Facts:
        """Return the facts of a group: game, seat, fact."""
        return self.facts[:, :, self.schema.columns[group]]


@kernel
def recount(
    start: Any,
    ends: Any,
    logs: npt.NDArray[np.int16],
    lengths: Numbers,
    by_move: Numbers,
    rules: Numbers,
    journal: Journal,
    facts: Facts,
    results: Numbers,
) -> None:
    """Replay every list of moves from the start; `ends` gets the last positions.

    In a row of `results`: the decisions, then the points of every seat, then their standings, then who decided first.
    """
    nobody = facts.shape[1] - 1
    for game in range(len(lengths)):
        ends[game] = start[0]
        position = ends[game]
        for i in range(lengths[game]):
            move = logs[game, i]
            seat = actor(position)
            if seat >= 0:
                if results[game, 0] == 0:
                    results[game, 1 + 2 * nobody] = seat
                results[game, 0] += 1
                if by_move[move] >= 0:
                    facts[game, seat, by_move[move]] += 1
            journal[0, 0] = 0
            make_logged_move(position, move, i, journal)
            for row in range(1, journal[0, 0] + 1):
                kind = journal[row, 0]
                if kind >= len(rules) or rules[kind, FIRST] == NO_FACT:
                    continue
                amount = journal[row, 2]
                fact = rules[kind, FIRST] + rules[kind, BY_AMOUNT] * amount
                fact += rules[kind, BY_THING] * journal[row, 3] + rules[kind, BY_OTHER] * journal[row, 4]
                whose = journal[row, 1] if journal[row, 1] >= 0 else nobody
                facts[game, whose, fact] += amount if rules[kind, SUM_AMOUNTS] else 1
        for seat in range(nobody):
            results[game, 1 + seat] = points(position, seat)
            results[game, 1 + nobody + seat] = standing(position, seat)


def count(schema: FactSchema, players: int, start: Any, logs: Moves, lengths: Numbers) -> CountedGames:
    """Count games that began with the position in `start[0]`; each row of `logs` has the moves of one."""
    games = len(lengths)
    facts = np.zeros((games, players + 1, schema.size), np.int16)
    results = np.zeros((games, 2 + 2 * players), np.int64)
    ends = np.zeros(games, schema.game.dtype).view(np.recarray)
    recount(start, ends, logs, lengths, schema.by_move, schema.rules, new_journal(), facts, results)
    return CountedGames(
        facts=facts,
        points=results[:, 1 : 1 + players],
        standings=results[:, 1 + players : -1],
        decisions=results[:, 0],
        ends=ends,
        first_moves=logs[:, 0].copy(),
        first_seats=results[:, -1],
        schema=schema,
    )
