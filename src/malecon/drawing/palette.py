"""The colours of a Havana travel poster of 1955, by day and by night, and the style sheet of all drawings.

A drawing names its colours as classes, `m-sun` to fill and `m-s-sun` to outline; nothing else knows a colour.
"""

from __future__ import annotations

from typing import NamedTuple


class Shade(NamedTuple):
    """A colour in the sun, and in the harbour at night."""

    day: str
    night: str


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
    # seats
    "red": Shade("#c1272d", "#d23c3c"),
    "blue": Shade("#2457a6", "#3f76cf"),
    "yellow": Shade("#f4c430", "#f0c63f"),
    "green": Shade("#5fae57", "#67b860"),
    "purple": Shade("#6b3fa0", "#8a5cc4"),
}


def _variables(night: bool) -> str:
    return "".join(f"--m-{name}:{shade.night if night else shade.day};" for name, shade in COLOURS.items())


_RULES = """
.m-board,.m-panel,.m-tile{display:block;width:100%;height:auto;font-family:var(--m-face);user-select:none}
.m-board{max-height:100%}
.m-tile,.m-sym{width:auto}
.m-sym{display:inline-block;vertical-align:-.18em;overflow:visible}
.m-sheet{position:absolute;width:0;height:0;overflow:hidden}
.m-mover{overflow:visible;pointer-events:none}
.m-mover svg{display:block;overflow:visible}
.m-open{fill:none}
.m-bold{font-weight:700}
.m-shade{fill:#0b1622;fill-opacity:var(--m-shadow)}
.m-light{fill:#fff;fill-opacity:var(--m-sunlight)}
.m-clear{fill:#fff;fill-opacity:0}
[class*=m-s-]{stroke-linejoin:round;stroke-linecap:round}
.m-butt{stroke-linecap:butt}
.m-faded{opacity:.5}
.m-dashed{stroke-dasharray:4 4}
.m-lane{stroke-dasharray:9 9}
.m-frame{fill:none;stroke:var(--m-line);stroke-width:1.5}
.m-halo,.m-casing{fill:none;pointer-events:none}
.m-halo{stroke:var(--m-glow);stroke-width:3.5;animation:m-glow 1.2s ease-in-out 2}
.m-casing{stroke:var(--m-casing);stroke-width:7}
.target{cursor:pointer;outline:none}
.step :is(.m-halo,.m-casing){display:none}
.step.ready :is(.m-halo,.m-casing){display:inline}
.reached .m-frame{stroke:var(--m-glow);stroke-width:4}
.target:hover .m-halo{animation:none;stroke-width:5.5}
.target:hover .m-casing{stroke-width:9.5}
.target:focus-visible .m-halo{animation:none;stroke-width:7;stroke:var(--m-focus)}
.target:focus-visible .m-casing{stroke-width:11;stroke:var(--m-casing)}
.target:active{opacity:.85}
.m-active .m-edge{stroke:var(--m-glow);stroke-width:3}
.m-deciding .m-face{fill:var(--m-lit)}
@keyframes m-glow{50%{stroke-opacity:.35}}
@media (prefers-reduced-motion:reduce){.m-halo{animation:none}}
"""

_MOVERS = (
    *("car", "ship", "value"),
    *(f"{kind}-{seat}" for kind in ("piece", "score") for seat in range(5)),
    *(f"boat-{card}" for card in range(15)),
)

_DAY = (
    '--m-face:"Avenir Next","Segoe UI","Gill Sans","Helvetica Neue",Arial,"Liberation Sans",sans-serif;'
    "--m-shadow:.2;--m-sunlight:.25;--m-focus:#1d2a3a;--m-lit:#ffe9b8;" + _variables(night=False)
)
_NIGHT = "--m-shadow:.38;--m-sunlight:.07;--m-focus:#fff;--m-lit:#33506a;" + _variables(night=True)

#: The style sheet of all drawings: by day, and by night where `data-theme` or else the system says so.
STYLE = "".join(
    (
        f":root{{{_DAY}}}\n",
        f'[data-theme="light"]{{{_DAY}}}\n',
        f'[data-theme="dark"]{{{_NIGHT}}}\n',
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme]){{{_NIGHT}}}}}\n",
        *(f".m-{name}{{fill:var(--m-{name})}}.m-s-{name}{{stroke:var(--m-{name})}}\n" for name in COLOURS),
        # Safari misplaces what would have a layer of its own inside a drawing; there, nothing glides.
        "@supports not (font:-apple-system-body){",
        *(f".m-moves-{name}{{view-transition-name:m-{name}}}" for name in _MOVERS),
        "}\n",
        _RULES.lstrip(),
    )
)
