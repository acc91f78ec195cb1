"""Measure how often the solver proves the result, some decisions before the end of games.

    python training/proven_endings.py santiago --players 2 --games 40 --budget 300000

The games are played by the search against itself. A decision is one between at least two moves. A result is proven if a
seat can force its win or both can force a draw, or with more than two players if one seat alone decides who wins. The
last column counts positions in which at least one seat is proven to have lost.
"""

from __future__ import annotations

import argparse
import time

from malecon import games
from malecon.bots.history import position_from_history
from malecon.bots.searcher import Searcher
from malecon.bots.solver import Solver
from malecon.bots.specs import parse
from malecon.kernel import readiness
from malecon.kernel.randomness import mix
from malecon.kernel.verbs import Position
from malecon.match import Match
from malecon.simulation.intervals import wilson

DISTANCES = (5, 10, 20, 30)
PLAYER = "search:sims=60"


def decisions(name: str, players: int, seed: int) -> list[Position]:
    """Play a game and return the positions of its decisions, as the seat that decides knows them."""
    match = Match(name, players, seed=seed)
    searcher = Searcher(match.game, players, parse(PLAYER).plan, seed)
    positions = []
    while match.turn is not None:
        if len(match.legal_moves) == 1:
            match.push(match.legal_moves[0])
            continue
        positions.append(position_from_history(match.view(match.turn)))
        match.push(match.game.notation.name(searcher.search(positions[-1]).best))
    return positions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--budget", type=int, default=300_000, help="positions that the solver looks at")
    parser.add_argument("--seed", type=int, default=9)
    chosen = parser.parse_args()
    readiness.wait(chosen.game)
    played = [decisions(chosen.game, chosen.players, mix(chosen.seed, number)) for number in range(chosen.games)]
    for distance in DISTANCES:
        solver = Solver(games.get(chosen.game), chosen.players)
        began = time.process_time()
        verdicts = [solver.judge(positions[-distance], chosen.budget) for positions in played]
        seconds = (time.process_time() - began) / len(verdicts)
        proven = sum(verdict.is_proven for verdict in verdicts)
        low, high = wilson(proven, len(verdicts))
        lost = sum(len(verdict.can_win) < chosen.players for verdict in verdicts)
        print(
            f"{chosen.game}, {chosen.players} players, {distance} decisions before the end: {proven} of "
            f"{len(verdicts)} proven ({low:.0%} to {high:.0%}), somebody has lost in {lost}; {seconds:.2f} s each",
            flush=True,
        )


if __name__ == "__main__":
    main()
