"""The analysis board as a library: positions set up by their fields and checked, and variations as a tree.

>>> analysis = Analysis("santiago", 2, table={"pesos.red": 3})
>>> red = analysis.add(0, "drive 2")
>>> blue = analysis.add(0, "drive 3")
>>> analysis.note(blue, "better?")
>>> Analysis.from_json(analysis.to_json()).nodes[blue]
Node(parent=0, move='drive 3', note='better?')
"""

from malecon.teaching.analysis.position_fields import BadPosition, fields_of, position_from_fields
from malecon.teaching.analysis.tree import Analysis, Node, TreeRow

__all__ = ["Analysis", "BadPosition", "Node", "TreeRow", "fields_of", "position_from_fields"]
