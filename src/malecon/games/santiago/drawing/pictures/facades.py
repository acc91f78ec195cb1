"""The twelve buildings of Santiago de Cuba as facades in the sun, and their effects as rows of symbols."""

from __future__ import annotations

from malecon.drawing.pictures.facades import FACADES, scene
from malecon.drawing.svg import boxes, circle, path, rect
from malecon.drawing.symbols import star

#: What each building does, in symbols and numbers.
EFFECTS: dict[str, tuple[str, ...]] = {
    "bank": ("+2", "peso"),
    "church": ("+1", "point"),
    "distillery": ("sugar", "arrow", "rum"),
    "factory": ("tobacco", "arrow", "cigars"),
    "market": ("any", "swap", "any"),
    "sawmill": ("wood", "arrow", "point", "+", "peso"),
    "cafe": ("rum", "/", "cigars", "arrow", "2", "point"),
    "customs": ("die", "arrow", "zero"),
    "casino": ("3", "peso", "swap", "1", "point"),
    "harbormaster": ("left", "flag", "arrow"),
    "office": ("any", "arrow", "2", "point"),
    "newspaper": ("+1", "peso", "back"),
}


def facade(key: str) -> str:
    """The picture of a building, without frame or name."""
    return _FACADES[key]


def _customs() -> str:
    boom = path("chalk", "M22 47L96 34l.8 4L23 51.5Z") + path(
        "coral",
        "M33 45l9-1.5 1 4.2-9 1.5ZM52 41.6l9-1.5 1 4.2-9 1.5ZM71 38.3l9-1.5 1 4.2-9 1.5ZM89 35.2l7-1.2.8 4-7 1.3Z",
    )
    return (
        scene(14, 84)
        + rect("mint", 14, 16, 70, 46)
        + path("chalk", "M11 13h76v4H11ZM14 34h70v2H14Z")
        + path("mint", "M36 13h26v-5H36Z")
        + path("/text", "M49 8V0", 1.2)
        + path("azure", "M49 0h11v2H49Z")
        + path("chalk", "M49 2h11v2H49Z")
        + path("azure", "M49 4h11v2H49Z")
        + path("coral", "M49 0l5 3-5 3Z")
        + boxes("window", (20, 32, 58, 70), (20,), 7, 11)
        + path("window", "M43 31V24a6 6 0 0 1 12 0v7Z")
        + path("door", "M36 62V47a13 13 0 0 1 26 0v15Z")
        + path("/mint", "M40 62V46M49 62V36M58 62V46", 1.2)
        + path("shade", "M62 17h22v45H62Z")
        + boom
        + rect("plaster", 15, 42, 9, 20)
        + path("ink", "M15 46h9v4h-9ZM15 54h9v4h-9Z")
    )


def _casino() -> str:
    lights = "".join(circle("gold", x, 44, 1.3) for x in range(20, 84, 6))
    return (
        scene(14, 88)
        + path("lilac", "M12 62V34h12V24h12V12h28v12h12v10h12v28Z")
        + path("pink", "M44 62V4h12v58Z")
        + path("shade", "M56 4v8h8v12h12v10h12v28H56Z")
        + path("/plaster", "M40 15v22M60 15v22M30 27v10M70 27v10", 1.6)
        + path("gold", star(50, 12, 8, 3.4))
        + boxes("window", (17, 77), (37,), 6, 4)
        + rect("ink", 16, 40, 68, 8, 2)
        + lights
        + path("door", "M38 62V50h24v12Z")
        + path("window", "M40 62V51h9v11ZM51 62V51h9v11Z")
        + path("rose", "M24 52c2-3 5 0 3 3l-3 4-3-4c-2-3 1-6 3-3Z")
        + path("ink", "M76 50c4 4 5 5 4 7-1 1.5-3 1-3.5 0l1 3h-3l1-3c-.5 1-2.5 1.5-3.5 0-1-2 0-3 4-7Z")
    )


def _harbormaster() -> str:
    return (
        scene(20, 78)
        + path("sea", "M0 54h100v8H0Z")
        + path("/wave", "M4 57h8M84 58h12M88 55.5h6", 1.2)
        + rect("chalk", 34, 26, 46, 36)
        + path("coral", "M30 27l6-9h42l6 9Z")
        + path("chalk", "M20 62L23 16h14l3 46Z")
        + path("coral", "M21.8 34h17l.8 9H21.2ZM20.6 52h19l.4 10H20Z")
        + rect("ink", 20, 14, 20, 3)
        + rect("window", 24, 6, 12, 8)
        + path("coral", "M22 6c2-6 14-6 16 0Z")
        + path("light", "M24 8L0 0v14l24-2Z")
        + boxes("window", (46, 57, 68), (33,), 7, 8)
        + path("door", "M56 62V48h9v14Z")
        + path("shade", "M66 18h12l6 9h-4v35H58Z")
        + path("/text", "M88 62V6M76 14h24", 1.4)
        + path("gold", "M89 7h9l-3 3 3 3h-9Z")
        + path("azure", "M78 16h8v6h-8Z")
        + path("rose", "M91 16h7v6h-7Z")
    )


def _newspaper() -> str:
    return (
        scene(18, 84)
        + rect("apricot", 16, 20, 68, 42)
        + rect("apricot", 34, 12, 32, 10)
        + path("chalk", "M14 18h70v3H14ZM32 10h36v3H32Z")
        + circle("sea", 50, 4, 8)
        + path("/chalk", "M42 4h16M50-4v16M45-2c-3 4-3 9 0 12M55-2c3 4 3 9 0 12", 1)
        + rect("chalk/line", 30, 23, 40, 26, width=1)
        + path("ink", "M33 26h34v4.5H33Z")
        + path("/muted", "M33 34h14M33 37.5h14M33 41h14M33 44.5h14M52 44.5h15", 1.4)
        + rect("stone", 52, 33, 15, 9)
        + path("ink", "M55 42c0-5 2-5 2.5-6-1-3 4-3 3.5 0 1 1 3 1 3 6Z")
        + boxes("window", (20, 73), (25, 37), 7, 8)
        + path("door", "M20 62V51h60v11Z")
        + boxes("window", (23, 62), (53,), 15, 7)
        + path("coral", "M43 62V52h14v10Z")
        + path("shade", "M66 12v8h18v42H70V22Z")
    )


_FACADES = FACADES | {
    "customs": _customs(),
    "casino": _casino(),
    "harbormaster": _harbormaster(),
    "newspaper": _newspaper(),
}
