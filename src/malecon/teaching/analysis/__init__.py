"""The analysis board as a library: any position, laid out by its fields and checked; variations as a tree. No pages.

>>> analysis = Analysis("santiago", 2, table={"pesos.red": 3})
>>> red = analysis.add(0, "drive 2")
>>> blue = analysis.add(0, "drive 3")
>>> analysis.note(blue, "better?")
>>> Analysis.from_json(analysis.to_json()).nodes[blue]
Node(parent=0, move='drive 3', note='better?')
"""

from malecon.teaching.analysis.layout import BadPosition, describe, lay_out
from malecon.teaching.analysis.tree import Analysis, Node, Row

__all__ = ["Analysis", "BadPosition", "Node", "Row", "describe", "lay_out"]
