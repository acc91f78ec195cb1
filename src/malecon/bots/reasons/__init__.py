"""Why one move is better than another: two lines from what a seat may know, and what sets them apart, in sentences.

Every sentence is a claim about a line and carries the events that prove it. There are no rules here, and no chances
of winning: those are the search's.
"""

from malecon.bots.reasons.claims import Claim, Evidence
from malecon.bots.reasons.explaining import Explanation, explain, explain_best, explain_move

__all__ = ["Claim", "Evidence", "Explanation", "explain", "explain_best", "explain_move"]
