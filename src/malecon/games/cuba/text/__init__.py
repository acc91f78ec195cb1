"""The text of Cuba: moves, log, prompts, glossary, rules page and tips. Names are in the records."""

from malecon.games.cuba.text.help import glossary as glossary
from malecon.games.cuba.text.labels import WAYS_OUT as WAYS_OUT
from malecon.games.cuba.text.labels import describe_move as describe_move
from malecon.games.cuba.text.labels import heading as heading
from malecon.games.cuba.text.log import tell_event as tell_event
from malecon.games.cuba.text.log import tell_move as tell_move
from malecon.games.cuba.text.log import tell_result as tell_result
from malecon.games.cuba.text.prompts import prompt_actor as prompt_actor
from malecon.games.cuba.text.prompts import prompt_others as prompt_others
from malecon.games.cuba.text.rulebook import LINE as LINE
from malecon.games.cuba.text.rulebook import RULEBOOK as RULEBOOK
from malecon.games.cuba.text.screen import screen as screen
from malecon.games.cuba.text.standing import chapter as chapter
from malecon.games.cuba.text.standing import sections as sections
from malecon.games.cuba.text.standing import summary as summary
from malecon.games.cuba.text.tips import TIPS as TIPS
