"""Checks of what a match is set up with: the number of players, options, names."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import SupportsIndex

import numpy as np

from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game, Name, OptionValue
from malecon.kernel.phrases import Phrase, say

LONGEST_NAME = 40
#: What a seat without a name is called; a colour that is not here is called by its English name.
COLOURS = {
    "blue": Phrase("Blue", context="seat"),
    "green": Phrase("Green", context="seat"),
    "purple": Phrase("Purple", context="seat"),
    "red": Phrase("Red", context="seat"),
    "yellow": Phrase("Yellow", context="seat"),
}


def check_whole(name: str, value: SupportsIndex, least: int = 1) -> int:
    """Return a number of games, tables or threads, which may be NumPy's; raise BadSetup if it is below `least`."""
    try:
        number = None if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least:
        text = say("{name} must be a whole number from {least} on, not {value}")
        raise BadSetup(text.fill(name=name, least=least, value=repr(value)[:40]))
    return number


def check_players(game: Game, players: SupportsIndex) -> int:
    """Return the number of players, which may be NumPy's; raise BadSetup if the game is not for that many."""
    try:
        number = None if isinstance(players, bool | np.bool_) else operator.index(players)
    except TypeError:
        number = None
    if number is None or not game.fewest_players <= number <= game.most_players:
        raise BadSetup(
            say(
                "{game} is for {fewest} to {most} players, not {players}",
                game=game.title, fewest=game.fewest_players, most=game.most_players, players=repr(players)[:40],
            )
        )  # fmt: skip
    return number


def check_seat(players: int, seat: SupportsIndex) -> int:
    """Return the number of a seat, which may be NumPy's; raise BadSetup if there is none.

    Kernels get Python's numbers only: they would be compiled again for each of NumPy's types.
    """
    try:
        number = None if isinstance(seat, bool | np.bool_) else operator.index(seat)
    except TypeError:
        number = None
    if number is None or not 0 <= number < players:
        raise BadSetup(say("there is no seat {seat}", seat=repr(seat)[:40]))
    return number


def check_setup(
    game: Game, players: SupportsIndex, options: Mapping[str, OptionValue] | None
) -> dict[str, OptionValue]:
    """Return all options of the game with the chosen values; raise BadSetup if a number or an option does not fit."""
    check_players(game, players)
    if options is not None and not isinstance(options, Mapping):
        raise BadSetup(say("options are names with values, not {options}", options=repr(options)[:40]))
    chosen = {name: option.default for name, option in game.options.items()}
    for name, value in (options or {}).items():
        if name not in game.options:
            known = ", ".join(game.options) or "-"
            raise BadSetup(say("there is no option {name}; choose from: {known}", name=repr(name)[:40], known=known))
        choices = game.options[name].choices
        if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
            known = ", ".join(map(str, choices))
            raise BadSetup(
                say("{name} cannot be {value}; choose from: {known}", name=name, value=repr(value)[:40], known=known)
            )
        chosen[name] = value
    return chosen


def check_name(name: object) -> None:
    """Raise BadSetup if this cannot be the name of a player."""
    if not (isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable()):
        raise BadSetup(
            say("a name has 1 to {most} printable characters, not {name}", most=LONGEST_NAME, name=repr(name)[:60])
        )


def check_names(game: Game, players: int, names: Sequence[str | None] | None) -> tuple[Name, ...]:
    """Return a name for every seat, its colour if none is given; raise BadSetup if the names do not fit."""
    names = [None] * players if names is None else names
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise BadSetup(say("names are a list with one for each seat, not {names}", names=repr(names)[:40]))
    if len(names) != players:
        raise BadSetup(say("{players} players need {players} names, not {names}", players=players, names=len(names)))
    for name in names:
        if name is not None:
            check_name(name)
    colours = (COLOURS.get(colour, colour.capitalize()) for colour in game.colours)
    return tuple(colour if name is None else name for name, colour in zip(names, colours, strict=False))
