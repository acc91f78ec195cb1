"""Everything in people's languages: moves, events, prompts, names and errors. Nothing here decides about a game.

A `Phrase` is a sentence as data; `say` speaks it. Each game's phrases are made in the module that bears its name.
"""

from malecon.words.languages import LANGUAGES, UnknownLanguage, best_language, say, sentence
from malecon.words.telling import Entry, Glossary, describe_move, glossary, prompt, story, tell

__all__ = [
    "LANGUAGES",
    "Entry",
    "Glossary",
    "UnknownLanguage",
    "best_language",
    "describe_move",
    "glossary",
    "prompt",
    "say",
    "sentence",
    "story",
    "tell",
]
