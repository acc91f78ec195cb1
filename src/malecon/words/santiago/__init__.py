"""Santiago de Cuba in words: what `words` asks of a game. Sentences only; the names of things are the game's own."""

from malecon.words.santiago.help import glossary as glossary
from malecon.words.santiago.labels import WAYS_OUT as WAYS_OUT
from malecon.words.santiago.labels import describe_move as describe_move
from malecon.words.santiago.labels import heading as heading
from malecon.words.santiago.log import tell_event as tell_event
from malecon.words.santiago.log import tell_move as tell_move
from malecon.words.santiago.log import tell_result as tell_result
from malecon.words.santiago.prompts import prompt_actor as prompt_actor
from malecon.words.santiago.prompts import prompt_others as prompt_others
from malecon.words.santiago.rulebook import LINE as LINE
from malecon.words.santiago.rulebook import RULEBOOK as RULEBOOK
from malecon.words.santiago.standing import chapter as chapter
from malecon.words.santiago.standing import sections as sections
from malecon.words.santiago.standing import summary as summary
from malecon.words.santiago.tips import TIPS as TIPS
