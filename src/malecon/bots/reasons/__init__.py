"""Why one move is better than another: two lines from what a seat may know, and what sets them apart, in words.

Every sentence is a claim about a line and carries the events that bear it out. No rules, and no chances: those are the
search's.
"""

from malecon.bots.reasons.claims import Claim, Evidence
from malecon.bots.reasons.explaining import Explanation, explain, explain_best, explain_move
from malecon.bots.reasons.lines import Line, Step

__all__ = ["Claim", "Evidence", "Explanation", "Line", "Step", "explain", "explain_best", "explain_move"]
