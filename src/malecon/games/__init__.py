"""The games that come with Malecón, a package each, and the way to all games by name.

A package of somebody else looks the same: see docs/adding-a-game.md. No other part of Malecón imports one of them.
"""

from malecon.kernel.registry import get, names, packages, register, register_all

__all__ = ["get", "names", "packages", "register", "register_all"]
