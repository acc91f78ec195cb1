"""Endings of games: positions in which everything is decided soon."""

from __future__ import annotations

import functools

import numpy as np

from malecon import games
from malecon.bots import make
from malecon.bots.history import position_from_history
from malecon.games.santiago import tiles
from malecon.games.santiago.position import DELIVER
from malecon.kernel.randomness import below, mix, randomness
from malecon.match import Match

#: Positions to choose from.
POSITIONS = 80


def after(game: str, moves: int, players: int = 2, seed: int = 5) -> Match:
    """A match after this number of random decisions."""
    match, bot = Match(game, players, seed=seed), make("random", seed)
    for _ in range(moves):
        match.push(bot.choose(match.view(match.turn)))
    return match


def winning_delivery() -> tuple[Match, np.record]:
    """The last ship wants one sugar. Who delivers it wins by a point; who leaves it to the other loses."""
    match = after("santiago", 4)
    position = match.position
    position.phase, position.ship, position.value = DELIVER, 7, 4
    position.active = position.actor = 0
    position.departed, position.passed = 0, 0
    position.demand[:] = (1, 0, 0, 0, 0)
    position.goods[:] = 0
    position.goods[:2, 0] = 1
    position.points[:2] = (17, 20)
    return match, position


@functools.cache
def endings(name: str, players: int) -> tuple[np.record, ...]:
    """Return positions from the last decisions of random games, as the seat that decides knows them.

    In Santiago de Cuba a game can go on for long after any of them, so the car is put before the port, the flag at its
    highest value, and money is scarce.
    """
    game, positions, number = games.get(name), [], 0
    random = randomness(players)
    while len(positions) < POSITIONS:
        match, bot, seen = Match(game, players, seed=mix(77, number)), make("random", number), []
        while match.turn is not None:
            if len(match.legal_moves) > 1:
                seen.append(position_from_history(match.view(match.turn)))
            match.push(bot.choose(match.view(match.turn)))
        for position in seen[-4:]:
            if name == "santiago":
                position.car, position.value = tiles.STOPS - 1 - below(random, 2), tiles.HIGHEST_VALUE
                position.pesos[:players] = below(random, 2)
                position.goods[:players] //= 2
                position.points[:players] = [20 + below(random, 5) for _ in range(players)]
            positions.append(position)
        number += 1
    return tuple(positions)
