"""Writes the golden playthroughs and the move-tree counts: `python tests/santiago/make_golden.py`.

Run it only when the rules were meant to change, and read the difference.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import malecon
from malecon.kernel import verbs
from malecon.kernel.randomness import below, randomness
from malecon.match import LegalMoves, Match

GOLDEN = Path(__file__).parent / "golden"
#: Players, seed, open screens.
GAMES = [(2, 1, False), (2, 2, True), (3, 3, False), (3, 4, True), (4, 5, False), (4, 6, True)]
#: From which move of the first game for each number of players, and how deep, the moves are counted.
TREES = [(0, 4), (19, 6), (25, 6), (28, 8), (70, 8), (110, 8), (140, 8)]
MOST_MOVES = 8_000  # a tree this wide is not counted deeper


def play(players: int, seed: int, open_screens: bool) -> Match:
    """A game of random players who rather do something than pass."""
    match = malecon.new("santiago", players, seed=seed, open_screens=open_screens)
    random = randomness(seed, players)
    while not match.is_over:
        moves = [move for move in match.legal_moves if str(move) != "pass"] or list(match.legal_moves)
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


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    finals, trees = {}, []
    for players, seed, open_screens in GAMES:
        match = play(players, seed, open_screens)
        name = f"{players}-players-{seed}.json"
        match.record().write(GOLDEN / name)
        finals[name] = {
            "position": digest(match),
            "scores": [dict(score.breakdown) for score in match.scores],
            "winners": list(match.outcome.winners),
        }
        if not open_screens:
            for moves, most in TREES:
                fork = match.record().replay().fork(moves)
                counts = []
                for depth in range(1, most + 1):
                    counts.append(count_moves(fork, depth))
                    if counts[-1] > MOST_MOVES:
                        break
                trees.append({"game": name, "moves": moves, "phase": fork.phase, "counts": counts})
    rows = ",\n".join(f" {json.dumps(name)}: {json.dumps(final)}" for name, final in finals.items())
    (GOLDEN / "finals.json").write_text(f"{{\n{rows}\n}}\n")
    rows = ",\n".join(" " + json.dumps(tree) for tree in trees)
    (GOLDEN / "trees.json").write_text(f"[\n{rows}\n]\n")


if __name__ == "__main__":
    main()
