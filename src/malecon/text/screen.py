"""A table as plain text: one screen for terminals and language models, in every language, with what is hidden as `?`.

Nothing is drawn with boxes or colours. A game's own `screen` in its `text` lays its table out; the rest is general.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from malecon.kernel.phrases import Phrase, say
from malecon.text.game_text import chapter, describe_move, glossary, line, prompt, rulebook, tell_step, text_of
from malecon.text.languages import translate
from malecon.text.plain_text import UNKNOWN, WIDTH, block
from malecon.text.rulebook import Example

if TYPE_CHECKING:
    from malecon.kernel.game import Game
    from malecon.kernel.verbs import Position
    from malecon.kernel.view import Move, View

#: Guesses of what a seat cannot know, to tell what is certain.
GUESSES = 3
#: Moves of the others that a screen repeats at most.
RECENT = 8


@dataclass(frozen=True)
class DescribedMove:
    """A legal move: its notation, what its button says, and what it brings and costs, as far as the seat can know."""

    move: Move
    label: Phrase
    effects: tuple[Phrase, ...]


def screen(view: View, language: str = "en") -> str:
    """Return one screen of plain text: the table as a viewer sees it, and what the viewer may do."""
    lines = [*_head(view, language), ""]
    for title, rows in text_of(view.game).screen(view.position, view.names, language):
        lines += block(title, rows)
    if recent := _recent(view, language):
        lines += block(translate(say("recent moves"), language), [recent])
    lines += ["", translate(prompt(view, view.seat), language)]
    if view.turn is not None and view.turn == view.seat:
        lines += [f"  {text}" for text in moves_text(view, language)]
    return "\n".join(row.rstrip() for row in lines) + "\n"


def _head(view: View, language: str) -> list[str]:
    where = chapter(view)
    title = view.game.title if where is None else f"{view.game.title}: {translate(where, language)}"
    if view.seat is None:
        return [title]
    return [title, translate(say("You are {who}.", who=view.names[view.seat]), language)]


def _recent(view: View, language: str) -> str:
    """Return the last moves of the seats, in notation."""
    made = [turn for turn in view.history[-4 * RECENT :] if turn.seat >= 0][-RECENT:]
    return "; ".join(
        f"{translate(view.names[turn.seat], language)}: {UNKNOWN if turn.move is None else turn.move}" for turn in made
    )


# --- moves


def described_moves(view: View) -> list[DescribedMove]:
    """Return the legal moves of a view's seat with what they cost and bring at once; IllegalMove while it waits.

    Effects that depend on what the seat cannot know are left out: those that are not the same in every guess.
    """
    moves, worlds = view.legal_moves, view.guesses(GUESSES)
    return [DescribedMove(move, describe_move(view, move), tuple(_effects(view, worlds, move))) for move in moves]


def _effects(view: View, worlds: Sequence[Position], move: Move) -> list[Phrase]:
    """Return what is told of a move in all of these positions, up to the first sentence that differs."""
    from malecon.kernel.line import make_step

    conceals = view.game.conceals
    if conceals is not None and conceals(view.position, view.position, move.code):
        return []  # settled with secrets of others, which a few guesses may get right or wrong alike
    steps = [make_step(world, move.code, len(view.history)) for world in worlds]
    sentences = [tell_step(view.game, step, view.names) for step in steps]
    return [first for first, *others in zip(*sentences, strict=False) if all(first == other for other in others)]


def moves_text(view: View, language: str = "en") -> list[str]:
    """Return a line for each legal move: the notation, the label, and what it costs and brings."""
    described = described_moves(view)
    width = max((len(str(item.move)) for item in described), default=0)
    lines = []
    for item in described:
        effects = " ".join(translate(effect, language) for effect in item.effects)
        label = translate(item.label, language)
        lines.append(f"{str(item.move).ljust(width)}  {label}" + (f" -> {effects}" if effects else ""))
    return lines


# --- rules


def rules_text(game: Game, language: str = "en") -> str:
    """Return the rules of a game as one plain text, with what every tile and card does."""
    lines = [game.title.upper()]
    about = line(game)
    if about is not None:
        lines += _paragraph(translate(about, language))
    book = rulebook(game)
    for part in book.chapters if book else ():
        lines += ["", translate(part.title, language).upper()]
        for paragraph in part.paragraphs:
            phrase = paragraph.text if isinstance(paragraph, Example) else paragraph
            lines += _paragraph(translate(phrase, language))
    entries = glossary(game)
    for kind, title in (book.kinds if book else {}).items():
        lines += ["", translate(title, language).upper()]
        for entry in entries[kind].values():
            name, text = translate(entry.name, language), translate(entry.text, language)
            lines += _paragraph(f"{name}: {text}")
    return "\n".join(lines) + "\n"


def _paragraph(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH)
