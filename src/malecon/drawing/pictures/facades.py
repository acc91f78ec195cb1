"""Facades in the sun, each on a ground of 100 × 68: what they are made of, and the houses that both games have."""

from __future__ import annotations

from malecon.drawing.svg import boxes, circle, ellipse, path, rect
from malecon.drawing.symbols import star

WIDTH, HEIGHT = 100, 68


def scene(top: int, right: int, pavement: str = "lot") -> str:
    """Sky, pavement, and the building's long shadow from its upper right corner."""
    reach = min(100 - right, 64 - top)
    return (
        rect("sky", 0, 0, WIDTH, HEIGHT)
        + path("shade", f"M{right} {top}l{reach} {reach}V64H{right}Z")
        + rect(pavement, 0, 62, WIDTH, 6)
    )


def awning(x: int, y: int, stripes: int, span: int, drop: int, colour: str) -> str:
    """Stripes of cloth with scalloped ends."""
    cloth = [
        path(("chalk", colour)[i % 2], f"M{x + i * span} {y}h{span}v{drop}a{span / 2:g} {span / 2:g} 0 0 1-{span} 0Z")
        for i in range(stripes)
    ]
    return "".join(cloth)


def _bank() -> str:
    columns = boxes("chalk", (17, 34, 58, 75), (27,), 7, 31)
    return (
        scene(12, 90)
        + rect("cream", 12, 24, 76, 38)
        + path("ochre", "M6 25L50 5l44 20Z")
        + path("cream", "M17 23L50 8.5 83 23Z")
        + circle("sun/line", 50, 17.5, 5, 1)
        + path("/line", "M50 14.5v6", 1.4)
        + rect("ochre", 10, 23, 80, 5)
        + rect("door", 45, 36, 10, 26)
        + boxes("window", (26.5, 67.5), (34,), 5.5, 16)
        + columns
        + boxes("shade", (21, 38, 62, 79), (28,), 3, 30)
        + path("ochre", "M12 57h76v3H12Z")
        + path("plaster", "M8 60h84v3H8ZM4 63h92v3H4Z")
        + path("shade", "M54 8.5L94 25h-4v35h2v3h4v3H54Z")
    )


def _church() -> str:
    return (
        scene(18, 74)
        + path("ochre", "M18 62V36c0-4 8-4 10-10h44c2 6 10 6 10 10v26Z")
        + rect("cream", 36, 14, 28, 48)
        + path("cream", "M36 15C36 8 44 8 50 4c6 4 14 4 14 11Z")
        + path("/text", "M50-1v6M47.5 1h5", 1.8)
        + path("window", "M45 24v-4a5 5 0 0 1 10 0v4Z")
        + path("bark", "M47 24c0-5 6-5 6 0l1 2h-8Z")
        + path("brick", "M34 27h32v2.5H34ZM16 37h18v2H16ZM66 37h18v2H66Z")
        + circle("window", 50, 37, 5)
        + path("/cream", "M50 32v10M45 37h10", 1.2)
        + path("door", "M43 62V53a7 7 0 0 1 14 0v9Z")
        + path("window", "M22 54v-7a3 3 0 0 1 6 0v7ZM72 54v-7a3 3 0 0 1 6 0v7Z")
        + path("shade", "M57 6c4 2 7 4 7 9v12h8c2 6 10 6 10 10v25H57Z")
    )


def _distillery() -> str:
    return (
        scene(8, 84)
        + path("light", "M74 4c-4-6 6-8 8-4 6-4 12 2 8 5 5 2 0 7-5 4-6 2-11-1-11-5Z")
        + rect("brick", 70, 8, 9, 40)
        + rect("cream", 69, 8, 11, 3)
        + path("brick", "M44 62V34l12-8 12 8 12-8 12 8v28Z")
        + boxes("window", (50, 62, 74), (42,), 7, 9)
        + path("amber", "M10 62C4 50 10 38 20 37v-6c0-6 2-9 7-9h15v5H30c-2 0-3 2-3 5v5c10 1 16 13 10 25Z")
        + path("orange", "M10 62C4 50 10 38 20 37h3C14 42 12 52 16 62Z")
        + path("brown", "M40 22h4v40h-4Z")
        + rect("bark", 8, 56, 31, 4)
        + path("door", "M18 62v-4h11v4Z")
        + path("shade", "M56 26l12 8 12-8 12 8v28H78V36l-10 4-12-6ZM28 38c9 3 14 14 9 24h-8c4-8 4-16-1-24Z")
        + circle("plaster", 24, 48, 4)
        + path("/ink", "M24 48l2-2", 1)
    )


def _factory() -> str:
    return (
        scene(16, 94)
        + rect("pink", 6, 20, 88, 42)
        + path("pink", "M34 20c4-10 28-10 32 0Z")
        + rect("chalk", 4, 18, 92, 3)
        + path("leaf", "M43 17C42 9 48 5 58 5c0 7-5 12-13 11Z")
        + path("/palm", "M42 19L54 8", 1.2)
        + boxes("palm", (11, 25, 61, 75), (25,), 12, 13)
        + boxes("window", (14, 28, 64, 78), (25,), 6, 13)
        + rect("chalk", 6, 41, 88, 2)
        + path(
            "door",
            "".join(f"M{x} 62V52a6 6 0 0 1 12 0v10Z" for x in (11, 25, 63, 77)),
        )
        + path("brown", "M41 62V48a9 9 0 0 1 18 0v14Z")
        + rect("cream", 39, 26, 22, 11, 1)
        + rect("brown", 41, 29.5, 18, 4.5, 2.2)
        + rect("sun", 45, 29.5, 4, 4.5)
        + path("shade", "M66 20h28v42H59V48Z")
    )


def _market() -> str:
    return (
        scene(10, 88, "street")
        + path("lilac", "M10 62V10h36v52Z")
        + path("ochre", "M46 62V18h42v44Z")
        + boxes("window", (16, 32), (16,), 8, 12)
        + boxes("window", (54, 70), (23,), 8, 8)
        + path("shade", "M46 18h42v44H70L46 38Z")
        + path("door", "M14 62V40h72v22Z")
        + awning(8, 34, 12, 7, 6, "sea")
        + path("bark", "M16 52h20v10H16ZM64 52h20v10H64Z")
        + path("/cut", "M16 55h20M16 58.5h20M64 55h20M64 58.5h20", 1.2)
        + path("orange", "M18 52a3.5 3.5 0 0 1 7 0ZM26 52a3.5 3.5 0 0 1 7 0Z")
        + path("leaf", "M66 52c2-6 6-6 7 0ZM74 52c2-6 7-6 8 0Z")
        + path("ink", "M41 62c0-10 3-13 4-14-3-5 7-7 8-1 3 4 6 6 6 15Z")
        + path("ink", "M40 46h18l-3-1-1-4h-9l-1 4Z")
        + path("chalk", "M47 47.5h2v1h-2ZM52 47.5h2v1h-2Z")
        + path("/ink", "M50 34v4", 1)
        + circle("gold", 50, 39, 2.2)
    )


def _sawmill() -> str:
    blade = star(36, 48, 15, 12.5, 16)
    return (
        scene(16, 92)
        + path("palm", "M0 62V34l6-16 6 16v28Z")
        + path("bark", "M12 62V30L52 12l40 18v32Z")
        + path("/brown", "M20 30v32M32 25v37M44 20v42M60 20v42M70 24v38M82 29v33", 1.3)
        + path("brick", "M6 33L52 9l46 24-2 3L52 14 8 36Z")
        + path("door", "M18 62V40h38v22Z")
        + path("steel/line", blade, 1)
        + circle("coral", 36, 48, 4)
        + path("shade", "M52 12l40 18v32H64Z")
        + rect("bark", 10, 55, 50, 5)
        + "".join(
            circle("cut/brown", x, y, 5.5, 1.6) + circle("/bark", x, y, 2.6, 1)
            for x, y in ((67, 57), (78, 57), (89, 57), (72.5, 48), (83.5, 48))
        )
    )


def _cafe() -> str:
    parasol = (
        path("coral", "M66 42c2-10 28-10 30 0Z")
        + path("chalk", "M73 42c1-8 4-9 8-9 4 0 7 1 8 9Z")
        + path("coral", "M79 42c0-9 4-9 4 0Z")
    )
    return (
        scene(10, 68)
        + rect("azul", 8, 12, 60, 50)
        + path("chalk", "M6 9h64v4H6Z")
        + path("azul", "M26 10c2-8 22-8 24 0Z")
        + boxes("chalk", (13, 32, 51), (17,), 12, 15)
        + boxes("window", (15, 34, 53), (18,), 8, 13)
        + path("/line", "M12 32h14M31 32h14M50 32h14", 1.6)
        + rect("door", 33, 44, 11, 18)
        + boxes("window", (13, 49), (45,), 15, 11)
        + awning(8, 37, 10, 6, 4, "coral")
        + path("shade", "M50 12h18v50H58V40Z")
        + path("/line", "M81 33v29", 1.6)
        + parasol
        + ellipse("plaster", 81, 52, 9, 1.8)
        + path("/plaster", "M81 52v10M77 62h8", 1.6)
        + path("chalk", "M78 47h5v4h-5Z")
        + path("/chalk", "M83 48.5h2v1.5h-2", 0.8)
    )


def _office() -> str:
    return (
        scene(6, 74)
        + rect("cream", 16, 8, 58, 54)
        + boxes("window", (20, 31, 42, 53), (13, 22, 31, 40), 9, 6)
        + boxes("coral", (20, 42), (19,), 9, 1.5)
        + boxes("sea", (31, 53), (28,), 9, 1.5)
        + rect("plaster", 66, 4, 12, 58)
        + boxes("brick", (68,), range(8, 58, 6), 8, 2.5)
        + rect("coral", 12, 48, 62, 3)
        + boxes("door", (20,), (51,), 44, 11)
        + boxes("window", (23, 34, 49), (53,), 8, 9)
        + path("shade", "M78 4v58H52l14-14V4Z")
        + path("/palm", "M90 62c-1-10 0-16 2-22", 2.4)
        + path(
            "palm",
            "M92 40c-8-5-13-1-15 5 5-4 9-5 15-5ZM92 40c2-8 8-8 8-6v3c-3 0-5 1-8 3Z"
            "M92 40c6 1 8 5 8 9-2-4-4-7-8-9ZM92 40c-6 2-8 7-7 12 2-5 4-8 7-12Z",
        )
    )


#: The pictures, without frame or name.
FACADES = {
    "bank": _bank(),
    "church": _church(),
    "distillery": _distillery(),
    "factory": _factory(),
    "market": _market(),
    "sawmill": _sawmill(),
    "cafe": _cafe(),
    "office": _office(),
}
