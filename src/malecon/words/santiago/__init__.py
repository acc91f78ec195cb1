"""Santiago de Cuba in words: what `words` asks of a game. Sentences only; the names of things are the game's own."""

from malecon.words.santiago.headings import WAYS_OUT, heading
from malecon.words.santiago.help import glossary
from malecon.words.santiago.labels import describe_move
from malecon.words.santiago.log import tell_event, tell_move, tell_result
from malecon.words.santiago.prompts import prompt_actor, prompt_others
from malecon.words.santiago.rulebook import LINE, RULEBOOK
from malecon.words.santiago.standing import chapter, sections, summary
from malecon.words.santiago.tips import TIPS

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
