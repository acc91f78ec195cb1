"""The colours of a Havana travel poster of 1955, by day and by night: of drawings, seats, pages and charts.

Every colour of Malecón is defined here. `style` makes style sheets from them: `--m-sun` and the classes `m-sun`
(fill) and `m-s-sun` (outline) for drawings, `--accent` and the like for pages.
"""

from __future__ import annotations

from typing import NamedTuple


class Shade(NamedTuple):
    """A colour in the sun, and in the harbour at night."""

    day: str
    night: str


class SeatColour(NamedTuple):
    """The colour of a seat: of its pieces, of what is drawn or written on them, and of its line in a chart."""

    piece: Shade
    on_piece: str  # the name of a colour of drawings
    line: str  # on the paper of a chart, which is the same by day and by night


def constant(colour: str) -> Shade:
    """Return a colour that is the same by day and by night."""
    return Shade(colour, colour)


SEATS = {
    "red": SeatColour(Shade("#c1272d", "#d23c3c"), "chalk", "#c0392b"),
    "blue": SeatColour(Shade("#2457a6", "#3f76cf"), "chalk", "#2a6fb0"),
    "yellow": SeatColour(Shade("#f4c430", "#f0c63f"), "ink", "#c79a00"),
    "green": SeatColour(Shade("#5fae57", "#67b860"), "ink", "#2e8b57"),
    "purple": SeatColour(Shade("#6b3fa0", "#8a5cc4"), "chalk", "#7d4aa8"),
}

#: The colours of drawings. Each is a class.
COLOURS = {
    # paper and ink
    "text": Shade("#1d2a3a", "#f6ead7"),
    "muted": Shade("#5b5244", "#b7c0c4"),
    "line": Shade("#1d2a3a", "#0a121b"),
    "ink": Shade("#1d2a3a", "#0d1722"),
    "paper": Shade("#fdf5e6", "#22374a"),
    "plaster": Shade("#f6ead7", "#d9cfc0"),
    "chalk": Shade("#ffffff", "#f4f1ea"),
    "glow": Shade("#930f14", "#ffd27a"),
    "casing": Shade("#ffffff", "#0b1622"),  # beside the glow
    # the town and the sea
    "ground": Shade("#eccf9d", "#131f2b"),
    "ray": Shade("#f2dcb2", "#172735"),
    "lot": Shade("#d9bb8a", "#1c2b39"),
    "street": Shade("#55616e", "#2a3947"),
    "kerb": Shade("#c9ab7c", "#41535f"),
    "dash": Shade("#f6ead7", "#c9a860"),
    "plaza": Shade("#e3bf88", "#1a2a38"),
    "sky": Shade("#bde0dc", "#1b3145"),
    "sea": Shade("#1f7a8c", "#0e3548"),
    "wave": Shade("#4aa3ae", "#1f5a70"),
    "deep": Shade("#17606f", "#0a2736"),
    "disc": Shade("#f7c04a", "#efe3bb"),
    # poster inks
    "sun": Shade("#f2b134", "#eeb23f"),
    "amber": Shade("#d98a1f", "#b97718"),
    "coral": Shade("#e4572e", "#d9603d"),
    "palm": Shade("#4c7c3f", "#4f8c58"),
    "leaf": Shade("#74a945", "#84b95c"),
    "bottle": Shade("#b3262b", "#cf4440"),
    "brown": Shade("#6b4226", "#99683f"),
    "bark": Shade("#9a6a3c", "#b5834f"),
    "cut": Shade("#e6c08a", "#e6c595"),
    "orange": Shade("#ef8a24", "#f2953a"),
    "pulp": Shade("#fbd58c", "#fbdb9c"),
    "stone": Shade("#98a0a6", "#a3adb4"),
    "drop": Shade("#3d9bd0", "#58b0e0"),
    "steel": Shade("#c8d3d6", "#a9b8be"),
    "petal": Shade("#ffffff", "#fbf8ef"),
    "gold": Shade("#f7cf2e", "#f8d84c"),
    "azure": Shade("#2f6fd0", "#4f8fe8"),
    "rose": Shade("#d6263c", "#ea4f60"),
    # walls in the sun
    "ochre": Shade("#e8ab47", "#8f6a3a"),
    "pink": Shade("#e99a8b", "#8c5659"),
    "mint": Shade("#a6d0b5", "#4e7770"),
    "apricot": Shade("#f3bd82", "#95694b"),
    "azul": Shade("#8fc1d3", "#426f86"),
    "cream": Shade("#f8e6c1", "#8d8470"),
    "lilac": Shade("#c7a2c6", "#6b547c"),
    "brick": Shade("#c9623f", "#7d3f33"),
    "window": Shade("#2b5063", "#ffd27a"),
    "door": Shade("#6b4226", "#33241d"),
    # people
    "skin-a": Shade("#c68a5c", "#b27a50"),
    "skin-b": Shade("#8b5a3a", "#855538"),
    "skin-c": Shade("#e0b088", "#c7976f"),
    "skin-d": Shade("#6c4430", "#6a4331"),
} | {name: seat.piece for name, seat in SEATS.items()}

#: Colours that only rules of the drawings' style sheet use.
EFFECTS = {
    "shade": constant("#0b1622"),
    "light": constant("#ffffff"),
    "focus": Shade("#1d2a3a", "#ffffff"),
    "lit": Shade("#ffe9b8", "#33506a"),
    "grid": Shade("#e3cfa8", "#2f4558"),
}

#: The colours of charts, which are also files: they are the same by day and by night.
CHART = {
    "paper": "#fffdf7",
    "grid": "#ddd",
    "label": "#444",
    "text": "#222",
    "ring": "#fff",
    "curve": "#2a6fb0",
    "interval": "#bcd4ea",
}

#: The colours of several lines or bars in a chart that follows day and night.
SERIES = (
    Shade("#a8341a", "#f2b134"),
    Shade("#1f7a8c", "#7cc4d0"),
    Shade("#5a7d2a", "#a9cf6b"),
    Shade("#7a4a8c", "#cf9fe0"),
)

#: The colours of pages around the drawings.
PAGE = {
    "text": COLOURS["text"],
    "muted": COLOURS["muted"],
    "page": Shade("#f3dfbd", "#0f1a25"),
    "card": Shade("#fdf5e6", "#1a2a39"),
    "edge": Shade("#1d2a3a", "#33506a"),
    "soft": Shade("#e3c899", "#2a3f52"),
    "accent": Shade("#a8341a", "#f2b134"),
    "on-accent": Shade("#fff8ec", "#14202c"),
    "link": Shade("#7d2412", "#f7c969"),
    "sea": Shade("#17606f", "#7cc4d0"),
    "good": Shade("#39642e", "#9ccf86"),
    "focus": Shade("#17606f", "#ffd27a"),
    "lower-edge": Shade("#1d2a3a40", "#00000080"),
    # the same by day and by night
    "ink": constant("#1d2a3a"),
    "plaster": constant("#f6ead7"),
    "sun": constant("#f2b134"),
    "coral": constant("#e4572e"),
    "lagoon": constant("#1f7a8c"),
    "foam": constant("#8fd0d6"),
    "palm": constant("#4c7c3f"),
    "street": constant("#55616e"),
    "white": constant("#ffffff"),
    "on-poster": constant("#fff8ec"),
    "bar-field": constant("#2b3b4d"),
    "bar-edge": constant("#5d7187"),
    "bar-focus": constant("#ffd27a"),
    "bar-note": constant("#f2d9a0"),
    "alarm": constant("#5f1a12"),
    "gain": constant("#2f6b2a"),
    "loss": constant("#9b2226"),
    "present": constant("#4c9a3f"),
    "nobody": constant("#5b6670"),
    "drop-shadow": constant("#00000059"),
    "backdrop": constant("#0d17229e"),
    "chart-paper": constant(CHART["paper"]),
    # the promenade on the home page
    "hero-sky": Shade("#f6c66b", "#16324a"),
    "hero-rays": Shade("#f9d489", "#1b3b55"),
    "hero-sun": Shade("#e4572e", "#f3e6bd"),
    "hero-sea": Shade("#1f7a8c", "#0e3548"),
    "hero-wave": constant("#6fb9c0"),
    "hero-pink": constant("#e8a08f"),
    "hero-mint": constant("#8fc1b5"),
    "hero-window": Shade("#1d2a3a", "#ffd27a"),
    "hero-wall": constant("#7a2d22"),
    "hero-car": constant("#9b2226"),
    "hero-glass": constant("#bfe3e0"),
    "hero-roof": constant("#9b4a35"),
}
