"""Writes the golden playthroughs and the move-tree counts of both games: `python -m tests.games.make_golden`.

Run it only when the rules were meant to change, and read the difference.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import malecon
from malecon.kernel import verbs
from malecon.kernel.randomness import Randomness, below, randomness
from malecon.kernel.view import Move
from malecon.match import LegalMoves, Match


@dataclass(frozen=True)
class Golden:
    """What is kept of a game."""

    game: str
    games: tuple[tuple[int, int, Mapping[str, bool | str]], ...]  # players, seed, options
    choose: Callable[[Match, Randomness], list[Move]]  # which moves the random players choose from
    trees: tuple[tuple[int, int], ...]  # from which move, and how deep at most, the moves are counted
    most_moves: int  # a tree this wide is not counted deeper
    without_trees: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        return Path(__file__).parent / self.game / "golden"

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")


def _rather_not_pass(match: Match, random: Randomness) -> list[Move]:
    return [move for move in match.legal_moves if str(move) != "pass"] or list(match.legal_moves)


def _rather_go_on_and_bid_little(match: Match, random: Randomness) -> list[Move]:
    moves = [move for move in match.legal_moves if str(move).split()[0] not in ("done", "forgo", "refuse")]
    moves = moves if below(random, 8) and moves else list(match.legal_moves)
    return moves[:3] if match.phase in ("bid", "second bid") else moves


SCREENS, NO_SCREENS = {"open_screens": False}, {"open_screens": True}
GOLDEN = {
    "santiago": Golden(
        "santiago",
        (
            (2, 1, SCREENS),
            (2, 2, NO_SCREENS),
            (3, 3, SCREENS),
            (3, 4, NO_SCREENS),
            (4, 5, SCREENS),
            (4, 6, NO_SCREENS),
        ),
        _rather_not_pass,
        ((0, 4), (19, 6), (25, 6), (28, 8), (70, 8), (110, 8), (140, 8)),
        8_000,
        without_trees=("2-players-2.json", "3-players-4.json", "4-players-6.json"),
    ),
    "cuba": Golden(  # together they use every kind of move there is
        "cuba",
        (
            (2, 13, {"count_warehouse": False}),
            (2, 39, {"envoys": True, "plantations": "common", "count_warehouse": False}),
            (3, 1, {"envoys": True, "count_warehouse": False}),
            (3, 37, {"count_warehouse": True}),
            (4, 4, {"plantations": "common", "count_warehouse": True}),
            (5, 16, {"count_warehouse": False}),
        ),
        _rather_go_on_and_bid_little,
        ((0, 3), (4, 4), (16, 4), (40, 6), (150, 6), (220, 6)),
        6_000,
    ),
}


def play(golden: Golden, players: int, seed: int, options: Mapping[str, bool | str]) -> Match:
    """A game of random players who rather do something than nothing."""
    match = malecon.new(golden.game, players, seed=seed, **options)
    random = randomness(seed, players)
    while not match.is_over:
        moves = golden.choose(match, random)
        match.push(moves[below(random, len(moves))])
    return match


def digest(match: Match) -> str:
    return hashlib.sha256(match.position.tobytes()).hexdigest()


def count_moves(match: Match, depth: int) -> int:
    """How many ways there are to go on for that many moves, chance's included."""
    return _count(match.position, match.game, depth)


def _count(position, game, depth: int) -> int:
    codes = LegalMoves(game, position).codes
    if depth == 1:
        return len(codes)
    total = 0
    for code in codes:
        after = position.copy()
        verbs.play(after, code)
        total += _count(after, game, depth - 1)
    return total


def files(golden: Golden) -> dict[str, str]:
    """The records, how they end and the counts of moves, by the names of their files."""
    contents, finals, trees = {}, {}, []
    for players, seed, options in golden.games:
        match = play(golden, players, seed, options)
        name = f"{players}-players-{seed}.json"
        contents[name] = match.record().to_json()
        finals[name] = {
            "position": digest(match),
            "scores": [dict(score.breakdown) for score in match.scores],
            "winners": list(match.outcome.winners),
        }
        if name not in golden.without_trees:
            trees += [_tree(golden, match, name, *tree) for tree in golden.trees if tree[0] < len(match)]
    rows = ",\n".join(f" {json.dumps(name)}: {json.dumps(final)}" for name, final in finals.items())
    contents["finals.json"] = f"{{\n{rows}\n}}\n"
    rows = ",\n".join(" " + json.dumps(tree) for tree in trees)
    contents["trees.json"] = f"[\n{rows}\n]\n"
    return contents


def _tree(golden: Golden, match: Match, name: str, moves: int, most: int) -> dict[str, object]:
    fork = match.record().replay().fork(moves)
    counts: list[int] = []
    for depth in range(1, most + 1):
        counts.append(count_moves(fork, depth))
        if counts[-1] > golden.most_moves:
            break
    return {"game": name, "moves": moves, "phase": fork.phase, "counts": counts}


if __name__ == "__main__":
    for golden in GOLDEN.values():
        golden.folder.mkdir(exist_ok=True)
        for name, text in files(golden).items():
            (golden.folder / name).write_text(text, encoding="utf-8")
