"""What a match is set up with: the number of players, options, names. Everything is checked here, and only here."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import SupportsIndex

import numpy as np

from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game, Name, OptionValue
from malecon.kernel.phrases import Phrase, say

LONGEST_NAME = 40
#: What a seat is called until somebody gives it a name; a game with other colours brings their English names.
COLOURS = {
    "blue": Phrase("Blue", context="seat"),
    "green": Phrase("Green", context="seat"),
    "purple": Phrase("Purple", context="seat"),
    "red": Phrase("Red", context="seat"),
    "yellow": Phrase("Yellow", context="seat"),
}


def check_whole(name: str, value: SupportsIndex, least: int = 1) -> int:
    """A number of games, tables or threads: any integer from `least` on, also NumPy's; BadSetup for anything else."""
    try:
        number = None if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least:
        text = say("{name} must be a whole number from {least} on, not {value}")
        raise BadSetup(text.fill(name=name, least=least, value=repr(value)[:40]))
    return number


def check_players(game: Game, players: SupportsIndex) -> int:
    """A number of players that the game is for; any integer will do."""
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


def check_setup(
    game: Game, players: SupportsIndex, options: Mapping[str, OptionValue] | None
) -> dict[str, OptionValue]:
    """All options of the game with the chosen values; BadSetup where a number or an option does not fit."""
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


def check_names(game: Game, players: int, names: Sequence[str | None] | None) -> tuple[Name, ...]:
    """A name for every seat, its colour where none is given; BadSetup where they do not fit."""
    names = [None] * players if names is None else names
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise BadSetup(say("names are a list with one for each seat, not {names}", names=repr(names)[:40]))
    if len(names) != players:
        raise BadSetup(say("{players} players need {players} names, not {names}", players=players, names=len(names)))
    for name in names:
        if name is not None and not (isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable()):
            raise BadSetup(
                say("a name has 1 to {most} printable characters, not {name}", most=LONGEST_NAME, name=repr(name)[:60])
            )
    colours = (COLOURS.get(colour, colour.capitalize()) for colour in game.colours)
    return tuple(colour if name is None else name for name, colour in zip(names, colours, strict=False))
