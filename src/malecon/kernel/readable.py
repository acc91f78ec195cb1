"""A view as JSON that people and language models can read, and the JSON Schema of it. Both follow from `game.pieces`.

An observation names all its numbers, so nothing has to be written out for a game. Numbers that only say yes or no
become the list of the names that apply; seats are called by their colours; what the viewer does not know is null.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from malecon.kernel.game import Game
from malecon.kernel.pieces import MANY, Piece
from malecon.kernel.verbs import Position, observe

#: The version of the layout: it grows if a program that reads it would have to change.
LAYOUT = 1
#: What an observation calls its seats, beginning with the observer.
_SEATS = ("own", "next", "second", "third", "fourth", "fifth")


def is_of_seats(axis: tuple[str, ...]) -> bool:
    """Return whether the entries of a dimension belong to the seats."""
    return axis[:2] == _SEATS[:2]


def observation(game: Game, position: Position, seat: int) -> npt.NDArray[np.int16]:
    """Return what `observe` writes for a seat."""
    seen = np.zeros(game.pieces.size, np.int16)
    observe(position, seat, seen)
    return seen


def readable(game: Game, position: Position, seat: int, players: int) -> dict[str, Any]:
    """Return everything on the table, by the names of the pieces of an observation."""
    seen = game.pieces.split(observation(game, position, seat))
    colours = [game.colours[(seat + other) % players] for other in range(players)]
    return {piece.name: _value(piece, seen[piece.name], piece.axes, colours) for piece in game.pieces}


def _value(piece: Piece, numbers: npt.NDArray[np.int16], axes: tuple[tuple[str, ...], ...], colours: list[str]) -> Any:
    if not axes or axes == ((piece.name,),):
        number = int(numbers.reshape(-1)[0])
        if _is_yes_or_no(piece):
            return bool(number)
        if piece.values:
            return piece.values[number - piece.low]
        return None if number < 0 else number
    names = colours if is_of_seats(axes[0]) else list(axes[0])
    if len(axes) == 1 and _is_yes_or_no(piece):
        return [name for name, number in zip(names, numbers.tolist(), strict=False) if number]
    return {name: _value(piece, part, axes[1:], colours) for name, part in zip(names, numbers, strict=False)}


def _is_yes_or_no(piece: Piece) -> bool:
    return (piece.low, piece.high) == (0, 1)


def schema(game: Game) -> dict[str, Any]:
    """Return the JSON Schema of what `View.as_dict` returns for this game."""
    colour = {"enum": list(game.colours[: game.most_players])}
    text = {"type": "string"}
    position = {piece.name: _piece_schema(piece, game) for piece in game.pieces}
    fields = {
        "layout": {"const": LAYOUT},
        "game": {"const": game.name},
        "rules": {"const": game.rules_version},
        "players": {"type": "array", "items": colour},
        "options": {"type": "object"},
        "you": {"anyOf": [colour, {"type": "null"}], "description": "the seat that looks; null: a spectator"},
        "turn": {
            "anyOf": [colour, {"const": "chance"}, {"type": "null"}],
            "description": "who decides now; null: the game is over",
        },
        "legal": {"type": "array", "items": text, "description": "your moves, in notation; empty while you wait"},
        "history": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "who": {"anyOf": [colour, {"const": "chance"}]},
                    "move": {"type": ["string", "null"], "description": "in notation; null: it lies face down"},
                },
                "required": ["who", "move"],
                "additionalProperties": False,
            },
        },
        "position": {
            "type": "object",
            "properties": position,
            "required": list(position),
            "additionalProperties": False,
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A view of {game.title}",
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _piece_schema(piece: Piece, game: Game) -> dict[str, Any]:
    shown = _part_schema(piece, piece.axes, game)
    meaning, _, numbers = piece.meaning.partition(", numbered")
    return shown | {"description": meaning if piece.values else f"{meaning}{numbers}".replace("-1: ", "null: ")}


def _part_schema(piece: Piece, axes: tuple[tuple[str, ...], ...], game: Game) -> dict[str, Any]:
    if not axes or axes == ((piece.name,),):
        if _is_yes_or_no(piece):
            return {"type": "boolean"}
        if piece.values:
            return {"enum": list(piece.values)}
        number: dict[str, Any] = {"type": "integer", "minimum": max(0, piece.low)}
        if piece.high != MANY:
            number["maximum"] = piece.high
        return {"anyOf": [number, {"type": "null"}]} if piece.low < 0 else number
    of_seats = is_of_seats(axes[0])
    names = list(game.colours[: game.most_players] if of_seats else axes[0])
    if len(axes) == 1 and _is_yes_or_no(piece):
        return {"type": "array", "items": {"enum": names}, "uniqueItems": True}
    inside = _part_schema(piece, axes[1:], game)
    parts: dict[str, Any] = {"type": "object", "properties": dict.fromkeys(names, inside)}
    return parts | {"additionalProperties": False} | ({} if of_seats else {"required": names})
