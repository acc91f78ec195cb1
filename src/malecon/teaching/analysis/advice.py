"""What the search thinks of a position that is being analysed: its best moves with chances, and how it would go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from malecon.bots.reasons.lines import Line, follow, known_to
from malecon.bots.searcher import Searcher
from malecon.bots.specs import parse
from malecon.kernel import verbs
from malecon.kernel.game import Game, Name
from malecon.kernel.randomness import randomness
from malecon.kernel.verbs import Position

#: How the line after a move is thought out: quickly, for there are many moves in it.
GUIDE = "search:sims=150,margin=0"
#: So many moves are looked at.
MOST_MOVES = 5


@dataclass(frozen=True)
class Advised:
    """A move by its code, the chance to win with it, and the share of thought it was given."""

    code: int
    chance: float
    share: float


def advise(game: Game, position: Position, ms: int, seed: int = 0) -> tuple[list[Advised], int]:
    """The best moves of whoever decides, best first, after so long a thought; and how many games it looked ahead."""
    mind = Searcher(game, int(position.players), parse(f"search:ms={ms},margin=0").plan, seed)
    seat = int(verbs.actor(position))
    thoughts = mind.search(known_to(game, position, seat))
    total = max(1, sum(thoughts.visits))
    found = zip(thoughts.codes, thoughts.chances, thoughts.visits, strict=True)
    best = [Advised(code, min(max(chance, 0.0), 1.0), visits / total) for code, chance, visits in found]
    return best[:MOST_MOVES], thoughts.simulations


def best_line(game: Game, position: Position, code: int, names: Sequence[Name], seed: int = 0) -> Line:
    """How the game may go on after a move, if everybody plays what the search advises."""
    mind = Searcher(game, int(position.players), parse(GUIDE).plan, seed)
    return follow(mind, position, code, names, randomness(seed, 1))
