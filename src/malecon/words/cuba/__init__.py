"""Cuba in words: what `words` asks of a game. Sentences only; the names of things are the game's own."""

from malecon.words.cuba.headings import WAYS_OUT, heading
from malecon.words.cuba.help import glossary
from malecon.words.cuba.labels import describe_move
from malecon.words.cuba.log import tell_event, tell_move, tell_result
from malecon.words.cuba.prompts import prompt_actor, prompt_others
from malecon.words.cuba.rulebook import LINE, RULEBOOK
from malecon.words.cuba.standing import chapter, sections, summary
from malecon.words.cuba.tips import TIPS

__all__ = [
    "LINE",
    "RULEBOOK",
    "TIPS",
    "WAYS_OUT",
    "chapter",
    "describe_move",
    "glossary",
    "heading",
    "prompt_actor",
    "prompt_others",
    "sections",
    "summary",
    "tell_event",
    "tell_move",
    "tell_result",
]
