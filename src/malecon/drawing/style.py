"""Style sheets made from the palette: that of all drawings, and the custom properties of pages.

Both are by day, and by night if `data-theme` or else the system says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from malecon.drawing.palette import COLOURS, EFFECTS, PAGE, SEATS, Shade

_FACE = '"Avenir Next","Segoe UI","Gill Sans","Helvetica Neue",Arial,"Liberation Sans"'
_DISPLAY = '"Rockwell","Rockwell Nova","Roboto Slab","DejaVu Serif","Sitka Small",Georgia,serif'


def _day(colours: Mapping[str, Shade], prefix: str = "") -> str:
    return "".join(f"--{prefix}{name}:{shade.day};" for name, shade in colours.items())


def _night(colours: Mapping[str, Shade], prefix: str = "") -> str:
    """Return the colours that differ from those by day."""
    return "".join(f"--{prefix}{name}:{shade.night};" for name, shade in colours.items() if shade.night != shade.day)


def _themes(day: str, night: str) -> str:
    """Return the rules that set properties by day and by night."""
    return (
        f':root,[data-theme="light"]{{{day}}}\n'
        f'[data-theme="dark"]{{{night}}}\n'
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme]){{{night}}}}}\n"
    )


def _drawing_style() -> str:
    """Return the style sheet of all drawings."""
    colours = COLOURS | EFFECTS
    day = f"--m-face:{_FACE},sans-serif;--m-shadow:.2;--m-sunlight:.25;" + _day(colours, "m-")
    night = "--m-shadow:.38;--m-sunlight:.07;" + _night(colours, "m-")
    classes = "".join(f".m-{name}{{fill:var(--m-{name})}}.m-s-{name}{{stroke:var(--m-{name})}}\n" for name in COLOURS)
    rules = re.sub(r"/\*.*?\*/\n", "", Path(__file__).with_suffix(".css").read_text("utf-8"))
    return _themes(day, night) + classes + rules


def _page_style() -> str:
    """Return the colours and typefaces of pages, and the colours of seats on them."""
    faces = f'--face:{_FACE},"DejaVu Sans",sans-serif;--display:{_DISPLAY};'
    day = f"color-scheme:light;{faces}--town-brightness:1;" + _day(PAGE)
    night = "color-scheme:dark;--town-brightness:.55;" + _night(PAGE)
    seats = "".join(
        f".of-{name}{{--seat:var(--m-{name})}}\n"
        f".seat-{name}{{--badge:{seat.piece.day};--on-badge:{COLOURS[seat.on_piece].day}}}\n"
        for name, seat in SEATS.items()
    )
    return _themes(day, night) + seats


def movers_style(names: Iterable[str]) -> str:
    """Return the rules that let pieces glide from place to place, by the names that `mover` gave them."""
    rules = "".join(f".m-moves-{name}{{view-transition-name:m-{name}}}" for name in names)
    # Safari misplaces what would have a layer of its own inside a drawing; there, nothing glides.
    return f"@supports not (font:-apple-system-body){{{rules}}}\n"


#: The style sheet of all drawings. A drawing needs nothing else to show its colours.
STYLE = _drawing_style()
#: The custom properties of pages. Pages need `STYLE` as well.
PAGE_STYLE = _page_style()
