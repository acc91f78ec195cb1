"""Everything that people read, in their languages: moves, events, prompts, names and errors.

A `Phrase` is a sentence as data; `translate` makes it a text. A game's own phrases are in its package.
"""

from malecon.text.game_text import (
    Glossary,
    GlossaryEntry,
    chapter,
    chapters,
    describe_move,
    glossary,
    heading,
    is_way_out,
    line,
    number_of_players,
    prompt,
    rulebook,
    sections,
    story,
    summary,
    tell,
    tips,
    too_long,
)
from malecon.text.languages import LANGUAGES, UnknownLanguage, best_language, language_name, sentence, translate
from malecon.text.rulebook import Chapter, Example, ExampleGame, Picture, Rulebook, Tip, Tips
from malecon.text.screen import DescribedMove, described_moves, moves_text, rules_text, screen

__all__ = [
    "LANGUAGES",
    "Chapter",
    "DescribedMove",
    "Example",
    "ExampleGame",
    "Glossary",
    "GlossaryEntry",
    "Picture",
    "Rulebook",
    "Tip",
    "Tips",
    "UnknownLanguage",
    "best_language",
    "chapter",
    "chapters",
    "describe_move",
    "described_moves",
    "glossary",
    "heading",
    "is_way_out",
    "language_name",
    "line",
    "moves_text",
    "number_of_players",
    "prompt",
    "rulebook",
    "rules_text",
    "screen",
    "sections",
    "sentence",
    "story",
    "summary",
    "tell",
    "tips",
    "too_long",
    "translate",
]
