"""Cuba in words: what `words` asks of a game. Sentences only; the names of things are the game's own."""

from malecon.words.cuba.help import glossary as glossary
from malecon.words.cuba.labels import WAYS_OUT as WAYS_OUT
from malecon.words.cuba.labels import describe_move as describe_move
from malecon.words.cuba.labels import heading as heading
from malecon.words.cuba.log import tell_event as tell_event
from malecon.words.cuba.log import tell_move as tell_move
from malecon.words.cuba.log import tell_result as tell_result
from malecon.words.cuba.prompts import prompt_actor as prompt_actor
from malecon.words.cuba.prompts import prompt_others as prompt_others
from malecon.words.cuba.rulebook import LINE as LINE
from malecon.words.cuba.rulebook import RULEBOOK as RULEBOOK
from malecon.words.cuba.standing import chapter as chapter
from malecon.words.cuba.standing import sections as sections
from malecon.words.cuba.standing import summary as summary
from malecon.words.cuba.tips import TIPS as TIPS
