"""The text of Santiago de Cuba: moves, log, prompts, glossary, rules page and tips. Names are in the records."""

from malecon.games.santiago.text.help import glossary as glossary
from malecon.games.santiago.text.labels import WAYS_OUT as WAYS_OUT
from malecon.games.santiago.text.labels import describe_move as describe_move
from malecon.games.santiago.text.labels import heading as heading
from malecon.games.santiago.text.log import tell_event as tell_event
from malecon.games.santiago.text.log import tell_move as tell_move
from malecon.games.santiago.text.log import tell_result as tell_result
from malecon.games.santiago.text.prompts import prompt_actor as prompt_actor
from malecon.games.santiago.text.prompts import prompt_others as prompt_others
from malecon.games.santiago.text.rulebook import LINE as LINE
from malecon.games.santiago.text.rulebook import RULEBOOK as RULEBOOK
from malecon.games.santiago.text.screen import screen as screen
from malecon.games.santiago.text.standing import chapter as chapter
from malecon.games.santiago.text.standing import sections as sections
from malecon.games.santiago.text.standing import summary as summary
from malecon.games.santiago.text.tips import TIPS as TIPS
