"""Writes the golden playthroughs and the move-tree counts: `python tests/cuba/make_golden.py`.

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
#: Players, seed, options: together they use every kind of move there is.
GAMES = [
    (2, 13, {}),
    (2, 39, {"envoys": True, "plantations": "common"}),
    (3, 1, {"envoys": True}),
    (3, 37, {"count_warehouse": True}),
    (4, 4, {"plantations": "common", "count_warehouse": True}),
    (5, 16, {}),
]
#: From which move of each game, and how deep at most, the moves are counted.
TREES = [(0, 3), (4, 4), (16, 4), (40, 6), (150, 6), (220, 6)]
MOST_MOVES = 6_000  # a tree this wide is not counted deeper


def play(players: int, seed: int, options: dict) -> Match:
    """A game of random players who rather do something than stop, and bid little."""
    match = malecon.new("cuba", players, seed=seed, **options)
    random = randomness(seed, players)
    while not match.is_over:
        moves = [move for move in match.legal_moves if str(move).split()[0] not in ("done", "forgo", "refuse")]
        moves = moves if below(random, 8) and moves else list(match.legal_moves)
        if match.phase in ("bid", "second bid"):
            moves = moves[:3]
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
    for players, seed, options in GAMES:
        match = play(players, seed, options)
        name = f"{players}-players-{seed}.json"
        match.record().write(GOLDEN / name)
        finals[name] = {
            "position": digest(match),
            "scores": [dict(score.breakdown) for score in match.scores],
            "winners": list(match.outcome.winners),
        }
        for moves, most in TREES:
            if moves < len(match):
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
