"""Observations: all a seat may know and nothing more, in the ranges they promise, flat and by name without copies."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from malecon import games
from malecon.envs.observation import describe
from malecon.games.cuba import position as cuba
from malecon.kernel import pieces as pieces_module
from malecon.kernel import verbs
from malecon.kernel.game import Game
from malecon.kernel.pieces import Pieces
from malecon.kernel.randomness import below, randomness
from malecon.match import Match
from tests.paths import ROOT

SETUPS = [(name, players) for name in games.names() for players in range(2, games.get(name).most_players + 1)]
OPTIONS: dict[str, dict[str, Any]] = {"santiago": {}, "cuba": {"envoys": True, "plantations": "common"}}


def walk(game: str, players: int, seed: int, **options: Any) -> Iterator[Any]:
    """Every position of a random game, from before the setup to the end."""
    random = randomness(seed)
    match = Match(game, players, options=options)
    while True:
        yield match.position
        if match.turn is None:
            return
        codes = match.legal_moves.codes
        match.make_all([codes[below(random, len(codes))]])


def observe(game: Game, position: Any, seat: int) -> np.ndarray:
    """What the seat sees of the truth."""
    view = position.copy()
    verbs.hide(view, seat)
    out = np.zeros(game.pieces.size, np.int16)
    verbs.observe(view, seat, out)
    return out


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_an_observation_tells_apart_whatever_a_view_tells_apart(name: str, players: int) -> None:
    game = games.get(name)
    low, high = game.pieces.each("low"), game.pieces.each("high")
    for options in ({}, OPTIONS[name]):
        seen: list[dict[bytes, bytes]] = [{} for _ in range(players)]
        for position in walk(name, players, players, **options):
            for seat in range(players):
                view = position.copy()
                verbs.hide(view, seat)
                observed = observe(game, position, seat)
                assert (low <= observed).all()
                assert (observed <= high).all()
                assert seen[seat].setdefault(observed.tobytes(), view.tobytes()) == view.tobytes()
        assert all(len(views) > 100 for views in seen)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_stands_behind_screens_does_not_show(players: int) -> None:
    game = games.get("santiago")
    for number, position in enumerate(walk("santiago", players, 1)):
        if position.phase == game.phases.index("over"):
            continue  # the screens are gone
        seat = number % players
        other = (seat + 1) % players
        changed = position.copy()
        changed.pesos[other] += 3
        changed.points[other] += 1
        changed.goods[other] += 2
        assert (observe(game, changed, seat) == observe(game, position, seat)).all()
        assert (observe(game, changed, other) != observe(game, position, other)).any()


@pytest.mark.parametrize("envoys", [False, True])
def test_what_lies_face_down_does_not_show(envoys: bool) -> None:
    game, tried = games.get("cuba"), {cuba.ENVOYS: 0, cuba.BIDS: 0}
    for position in walk("cuba", 3, 2, envoys=envoys):
        if int(position.face_down) not in tried:
            continue
        tried[int(position.face_down)] += 1
        for seat in range(3):
            other = (seat + 1) % 3
            changed = position.copy()
            hidden = changed.envoy if position.face_down == cuba.ENVOYS else changed.bid
            hidden[other] = (hidden[other] + 2) % 5
            assert (observe(game, changed, seat) == observe(game, position, seat)).all()
            assert (observe(game, changed, other) != observe(game, position, other)).any()
    assert tried[cuba.BIDS] > 5
    assert (tried[cuba.ENVOYS] > 5) == envoys


@pytest.mark.parametrize("name", games.names())
def test_pieces_are_views_of_the_flat_numbers(name: str) -> None:
    pieces = games.get(name).pieces
    flat = np.arange(2 * 3 * pieces.size).reshape(2, 3, pieces.size)
    parts = pieces.split(flat)
    assert list(parts) == [piece.name for piece in pieces]
    assert all(np.shares_memory(part, flat) for part in parts.values())
    assert all(parts[piece.name].shape == (2, 3, *piece.shape) for piece in pieces)
    assert (np.concatenate([part.reshape(2, 3, -1) for part in parts.values()], axis=2) == flat).all()
    assert all(piece.meaning and piece.low < piece.high and piece.typical > 0 for piece in pieces)


def test_two_pieces_cannot_share_a_name() -> None:
    pieces = Pieces()
    pieces.add("ship", "the ship")
    with pytest.raises(ValueError, match="two pieces are called 'ship'"):
        pieces.add("ship", "another")


def test_the_example_runs() -> None:
    assert doctest.testmod(pieces_module).failed == 0


@pytest.mark.parametrize("name", games.names())
def test_the_docs_list_every_piece(name: str) -> None:
    game = games.get(name)
    page = (ROOT / "docs" / "research.md").read_text()
    assert f"### {game.title}: {game.pieces.size} numbers\n\n{describe(game)}\n" in page


@pytest.mark.parametrize("name", games.names())
def test_seats_moves_come_before_those_of_chance(name: str) -> None:
    game = games.get(name)
    for position in walk(name, 2, 3):
        moves = np.empty(game.most_legal, np.int16)
        codes = moves[: verbs.legal(position, moves)]
        assert ((codes < game.decisions) == (verbs.actor(position) >= 0)).all()
