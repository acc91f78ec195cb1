"""Measure a search against another, or new weights against old: one of the first against others of the second.

    python training/duel.py cuba --players 4 --games 100 search:sims=300 search:sims=300,c=1
    python training/duel.py santiago search:sims=200,net=new.npz search:sims=200

Whole games run in one kernel, so this is quicker than `malecon arena` if searches are short. Only searches with a fixed
number of simulations can play. Seats rotate over the same setups and dice.
"""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import numpy as np

from malecon import games
from malecon.bots import tree as trees
from malecon.bots.network import Net
from malecon.bots.search import root_node, simulate
from malecon.bots.searcher import equip, new_workspace
from malecon.bots.specs import parse
from malecon.bots.tree import Tree, chosen, clear
from malecon.bots.value import SearchSettings, Workspace
from malecon.kernel import verbs
from malecon.kernel.compile import kernel
from malecon.kernel.game import Game
from malecon.kernel.playing import make_move
from malecon.kernel.randomness import Randomness, below, randomness
from malecon.kernel.verbs import CHANCE, NOBODY, actor, hide, legal
from malecon.simulation.intervals import wilson


class Contestant(NamedTuple):
    """A search, ready for a kernel."""

    tree: Tree
    settings: SearchSettings
    net: Net
    workspace: Workspace
    sims: int


@kernel
def choose(root: Any, contestant: Contestant, random: Randomness) -> int:
    """Return the move that a contestant chooses in `root[0]`."""
    tree, settings, net, workspace, sims = contestant
    if 2 * tree.used[0] > len(tree.key) or 2 * tree.used[1] > len(tree.move):
        clear(tree)
    node = root_node(root, tree, settings, net, workspace, random)
    simulate(root, node, -1, tree, settings, net, workspace, random, sims)
    return tree.move[chosen(tree, node, settings.around)]


@kernel
def play(
    cells: Any, root: Any, seat: int, first: Contestant, others: Contestant, chance: Randomness, random: Randomness
) -> None:
    """Play the game in `cells[0]`, with the first contestant at one seat and the other at all others."""
    truth = cells[0]
    clear(first.tree)
    clear(others.tree)
    made = 0
    while actor(truth) != NOBODY:
        count = legal(truth, first.workspace.moves)
        if actor(truth) == CHANCE:
            made = make_move(truth, first.workspace.moves[below(chance, count)], made)
            continue
        if count == 1:
            made = make_move(truth, first.workspace.moves[0], made)
            continue
        root[0] = truth
        if first.settings.secrets:
            hide(root[0], actor(truth))
        move = choose(root, first, random) if actor(truth) == seat else choose(root, others, random)
        made = make_move(truth, move, made)


def prepare(game: Game, players: int, spec: str) -> Contestant:
    plan = parse(spec).plan
    if not plan.sims:
        raise SystemExit(f"{spec}: give the number of simulations (sims), not the time")
    settings, net = equip(game, plan)
    settings = settings._replace(secrets=game.conceals is not None)
    return Contestant(trees.new_tree(plan.nodes), settings, net, new_workspace(game, players, net), plan.sims)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.names())
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    game, players = games.get(chosen.game), chosen.players
    first, others = (prepare(game, players, spec) for spec in (chosen.first, chosen.second))
    cells, root = (np.zeros(1, game.dtype).view(np.recarray) for _ in range(2))
    wins, leads = [], []
    for number in range(chosen.games):
        setup, seat = divmod(number, players)
        cells[0] = game.new_position(players)
        dice, own = randomness(chosen.seed, setup), randomness(chosen.seed, number, 7)
        with np.errstate(over="ignore"):
            play(cells, root, seat, first, others, dice, own)
        standings = np.array([verbs.standing(cells[0], at) for at in range(players)])
        won = standings == standings.max()
        points = np.array([verbs.points(cells[0], at) for at in range(players)])
        wins.append(won[seat] / won.sum())
        leads.append(points[seat] - np.delete(points, seat).mean())
    low, high = wilson(sum(wins), len(wins))
    deviation = 1.96 * np.std(leads) / np.sqrt(len(leads))
    print(
        f"{chosen.first} wins {np.mean(wins):.1%} of {len(wins)} games ({low:.0%} to {high:.0%}) with {players} players"
    )
    print(f"points ahead of the others' mean: {np.mean(leads):+.2f} ± {deviation:.2f}")


if __name__ == "__main__":
    main()
