"""The buildings of Cuba as facades in the sun, and their costs and effects as rows of symbols."""

from __future__ import annotations

from malecon.drawing.pictures.facades import FACADES, HEIGHT, WIDTH, scene
from malecon.drawing.svg import boxes, circle, ellipse, path, rect
from malecon.games.cuba import tiles

#: What can be said shorter than with a symbol for each kind of good.
_KINDS = {tiles.CROPS: ("crop",), tiles.WARES: ("rum", "/", "cigars"), tiles.MATERIALS: ("material",)}
#: The buildings that do more than take and give.
_SPECIAL: dict[str, tuple[str, ...]] = {
    "small office": ("any", "arrow", "ship"),
    "large office": ("2", "any", "arrow", "ship"),
    "black market": ("any", "swap", "any"),
    "church": ("veto",),
    "town hall": (f"+{tiles.TOWN_HALL_VOTES}", "vote"),
    "lighthouse": ("ship", "swap", "ship"),
    "warehouse": ("crop", "arrow", "store"),
}


def _effect(facts: tiles.Building) -> tuple[str, ...]:
    """“Stone → point ×4”, “+2 pesos”."""
    gain = "point" if facts.points else "peso" if facts.pesos else facts.good
    number = facts.points or facts.pesos
    if not facts.takes:
        return f"+{number or facts.times}", gain
    amount = (str(number),) if number > 1 else ()
    limit = (f"×{facts.times}",) if facts.times > 1 and not facts.good else ()
    return *_KINDS.get(facts.takes, facts.takes), "arrow", *amount, gain, *limit


#: What each building does, in symbols and numbers.
EFFECTS = {
    key: _SPECIAL[key] if key in _SPECIAL else _effect(facts)
    for key, facts in zip(tiles.BUILDINGS, tiles.BUILDING_FACTS, strict=True)
}


def cost(key: str) -> tuple[str, ...]:
    """What a building costs, a symbol for each unit."""
    paid = zip(tiles.MATERIALS, tiles.BUILDING_COST[tiles.BUILDINGS.index(key)].tolist(), strict=True)
    return tuple(material for material, n in paid for _ in range(n))


def facade(key: str) -> str:
    """The picture of a building, without frame, name or sky."""
    return _FACADES[key]


def _stripes(x: int, y: int, stripes: int, span: int, colour: str) -> str:
    """An awning of an odd number of stripes."""
    drop = f"h{span}v6a{span / 2:g} {span / 2:g} 0 0 1-{span} 0Z"
    return "".join(
        path(fill, "".join(f"M{x + span * i} {y}{drop}" for i in range(first, stripes, 2)))
        for fill, first in (("chalk", 0), (colour, 1))
    )


def _cement_works() -> str:
    silos = "".join(
        rect("stone", x, 20, 16, 42)
        + path("stone", f"M{x} 20a8 6 0 0 1 16 0Z")
        + rect("light", x + 2, 20, 4, 42)
        + rect("shade", x + 11, 20, 5, 42)
        for x in (8, 26)
    )
    return (
        scene(14, 92)
        + path("light", "M80 6c-4-5 5-8 8-4 5-3 11 2 7 5 4 3-1 6-5 4-5 1-10-1-10-5Z")
        + rect("brick", 76, 12, 9, 40)
        + rect("cream", 75, 12, 11, 4)
        + silos
        + path("brown", "M18 13l40 12v5L18 19Z")
        + path("/sun", "M20 16l36 11", 1.6)
        + path("cream", "M46 62V34l14-8 32 8v28Z")
        + path("steel", "M44 36l16-11 34 9v4l-34-8-14 9Z")
        + boxes("window", (64, 74, 84), (40,), 7, 7)
        + rect("door", 52, 46, 9, 16)
        + path("shade", "M70 28l22 6v28H70Z")
        + path("stone", "M66 62l8-9 9 9Z")
        + path("shade", "M74 53l9 9h-6Z")
    )


def _golf_course() -> str:
    return (
        rect("sky", 0, 0, WIDTH, HEIGHT)
        + circle("disc", 18, 16, 9)
        + path("palm", "M0 44C20 28 42 34 56 40S88 34 100 40V68H0Z")
        + path("leaf", "M0 52C24 42 44 54 62 48S90 46 100 50V68H0Z")
        + ellipse("cut", 22, 58, 13, 4)
        + path("drop", "M70 60c6-5 22-5 26 0-4 5-20 5-26 0Z")
        + path("/chalk", "M76 60h8M86 61.5h5", 1.2)
        + path("shade", "M52 54l30 10h-6L48 55Z")
        + ellipse("ink", 50, 55, 4, 1.3)
        + path("/plaster", "M50 55V12", 2)
        + path("coral", "M51 12h22l-6 7 6 7H51Z")
        + path("shade", "M62 12h11l-6 7 6 7h-8Z")
        + circle("chalk", 40, 59, 2.6)
        + path("/brown", "M90 50c-2-10-1-16 1-22", 2.6)
        + path("palm", "M91 28c-8-5-14-1-15 5 5-4 9-5 15-5ZM91 28c2-8 9-8 9-6v4c-3-1-6 0-9 2Z")
        + path("palm", "M91 28c6 1 9 5 9 9-2-4-5-7-9-9ZM91 28c-6 2-9 7-7 12 1-5 3-9 7-12Z")
    )


def _monastery() -> str:
    arches = "".join(f"M{x} 62V50a6 6 0 0 1 12 0v12Z" for x in (34, 50, 66, 82))
    return (
        scene(26, 98)
        + rect("cream", 30, 32, 68, 30)
        + path("brick", "M27 33l4-7h65l4 7Z")
        + path("door", arches)
        + boxes("window", (37, 53, 69, 85), (36,), 5, 5)
        + path("ochre", "M6 62V22h24v40Z")
        + path("ochre", "M6 23C6 12 12 14 18 6c6 8 12 6 12 17Z")
        + path("/text", "M18-1v8M15 2h6", 1.8)
        + path("window", "M12 30v-6a6 6 0 0 1 12 0v6Z")
        + path("bark", "M15 30c0-7 6-7 6 0l1 2h-8Z")
        + path("brick", "M4 33h28v3H4Z")
        + path("door", "M12 62V50a6 6 0 0 1 12 0v12Z")
        + path("shade", "M20 8c5 7 10 5 10 14v40h-8V36h-2ZM80 26h16l4 7h-2v29H80Z")
        + path("palm", "M46 62c-4-6 8-8 6-2 4-2 5 2 2 2Z")
    )


def _cafe(wall: str, cloth: str, sign: str) -> str:
    """Two storeys with balconies over an awning, a table under a parasol before it."""
    return (
        scene(10, 68)
        + rect(wall, 8, 12, 60, 50)
        + path("chalk", "M6 9h64v4H6ZM13 17h12v15H13ZM32 17h12v15H32ZM51 17h12v15H51Z")
        + path("window", "M15 18h8v13H15ZM34 18h8v13H34ZM53 18h8v13H53ZM13 45h15v11H13ZM49 45h15v11H49Z")
        + path("/line", "M12 32h14M31 32h14M50 32h14M81 33v29", 1.6)
        + rect("door", 33, 44, 11, 18)
        + _stripes(5, 36, 11, 6, cloth)
        + path("shade", "M50 12h18v50H58V40Z")
        + path(cloth, "M66 42c2-10 28-10 30 0Z")
        + path("chalk", "M73 42c1-8 4-9 8-9 4 0 7 1 8 9ZM78 47h5v4h-5Z")
        + path("/plaster", "M73 52h16M81 52v10M77 62h8", 2)
        + rect("cream/line", 27, 0, 22, 13, 2, width=1)
        + sign
    )


def _rum_cafe() -> str:
    bottle = path("bottle", "M32 4.5h6c2 0 2.5 1.5 4 1.5h3v2h-3c-1.5 0-2 1.5-4 1.5h-6Z")
    return _cafe("pink", "bottle", bottle + rect("pulp", 33.5, 4.8, 2.6, 4.4))


def _cigar_cafe() -> str:
    cigar = rect("brown", 31, 5, 14, 4, 2) + rect("sun", 34, 5, 2.6, 4)
    return _cafe("mint", "palm", cigar + path("/muted", "M45 5c2-2 0-3 1-4", 1))


def _small_office() -> str:
    return (
        scene(22, 80)
        + rect("apricot", 22, 24, 58, 38)
        + path("chalk", "M19 21h64v4H19Z")
        + boxes("window", (28, 45, 62), (30,), 11, 9)
        + boxes("sea", (28, 45, 62), (28,), 11, 2.5)
        + rect("coral", 20, 43, 62, 3)
        + rect("door", 45, 48, 11, 14)
        + boxes("window", (27, 62), (49,), 13, 8)
        + path("shade", "M62 25h18v37H56V47Z")
        + rect("bark", 4, 50, 14, 12)
        + path("/brown", "M4 54h14M4 58h14", 1.3)
        + rect("bark", 7, 40, 10, 10)
        + path("/brown", "M7 43.5h10M7 46.5h10", 1.2)
        + path("/text", "M51 21V6", 1.4)
        + path("azure", "M52 7h14l-3 4 3 4H52Z")
    )


def _hotel() -> str:
    tower = "M{x} 62V18h16v44Z"
    return (
        scene(10, 92)
        + rect("chalk", 24, 26, 52, 36)
        + path("apricot", tower.format(x=12) + tower.format(x=72))
        + path("brick", "M10 19l10-9 10 9ZM70 19l10-9 10 9Z")
        + path("/text", "M20 10V3M80 10V3", 1.3)
        + path("gold", "M21 3h8l-2 2.5 2 2.5h-8ZM81 3h8l-2 2.5 2 2.5h-8Z")
        + boxes("window", (30, 39, 48, 57, 65), (31, 40), 5, 5)
        + boxes("window", (15, 22, 75, 82), (24, 33, 42), 4, 5)
        + path("coral", "M36 27v-6h28v6Z")
        + path("/chalk", "M40 24h20", 2)
        + rect("sea", 38, 48, 24, 3)
        + path("door", "M42 62V51h16v11Z")
        + boxes("window", (44, 51), (53,), 5, 9)
        + path("shade", "M66 26h10v-8h-4l8-8 10 9h-2v43H58V50Z")
        + path("palm", "M33 62c-6-7-1-12 1-6 1-6 7-3 3 6ZM63 62c-4-9 2-12 3-6 2-6 7-1 1 6Z")
    )


def _hostel() -> str:
    return (
        scene(28, 82)
        + path("azul", "M18 62V34h64v28Z")
        + path("brick", "M12 36l12-16h52l12 16Z")
        + path("/coral", "M22 30h56M18 34h64M27 25h46", 1.4)
        + path("cream", "M38 36V26l12-8 12 8v10Z")
        + path("coral", "M34 27l16-12 16 12-2 2-14-10-14 10Z")
        + path("window", "M45 34v-6a5 5 0 0 1 10 0v6Z")
        + boxes("window", (24, 66), (41,), 10, 10)
        + boxes("palm", (22, 33, 64, 75), (40,), 2.5, 12)
        + path("door", "M43 62V47a7 7 0 0 1 14 0v15Z")
        + path("shade", "M60 20h16l12 16h-6v26H60Z")
        + path("/text", "M8 62V32h8", 1.6)
        + rect("chalk", 1, 36, 18, 11, 1)
        + path("ink", "M4 44v-5h2v2h9c1 0 1 1 1 3h-2v-1H6v1Z")
    )


def _ware_shop() -> str:
    bottles = "".join(f"M{x} 58v-9l1-1v-3h2v3l1 1v9z" for x in (18, 24, 30))
    return (
        scene(12, 88)
        + rect("lilac", 12, 14, 76, 48)
        + path("chalk", "M9 11h82v4H9Z")
        + path("lilac", "M34 12V4h32v8Z")
        + path("bottle", "M37 6h26v5H37Z")
        + boxes("window", (18, 32, 60, 74), (19,), 9, 10)
        + rect("door", 43, 44, 14, 18)
        + boxes("window", (16, 61), (43,), 22, 16)
        + path("bottle", bottles)
        + path("brown", "M64 47h15v5H64ZM64 53h15v5H64Z")
        + path("/sun", "M64 49.5h15M64 55.5h15", 1.6)
        + _stripes(12, 33, 11, 7, "bottle")
        + path("shade", "M66 15h22v47H72V36Z")
    )


def _crop_shop() -> str:
    return (
        scene(16, 86, "kerb")
        + rect("ochre", 14, 18, 72, 44)
        + path("chalk", "M11 15h78v4H11Z")
        + boxes("window", (22, 46, 68), (22,), 11, 9)
        + rect("door", 20, 42, 60, 20)
        + _stripes(14, 34, 9, 8, "palm")
        + path("shade", "M64 19h22v43H74V38Z")
        + path("bark", "M8 50h24v12H8ZM38 52h22v10H38ZM66 50h26v12H66Z")
        + path("/cut", "M8 54h24M8 58h24M38 56h22M66 54h26M66 58h26", 1.3)
        + "".join(circle("orange", x, 50, 4) for x in (13, 20, 27))
        + path("leaf", "M40 52c1-8 6-9 8 0ZM49 52c2-9 8-8 9 0Z")
        + boxes("petal", (69, 74, 79, 84), (40,), 3, 11)
        + path("/leaf", "M70 44h1.5M75 45h1.5M80 44h1.5M85 45h1.5", 1.3)
    )


def _material_shop() -> str:
    return (
        scene(20, 90)
        + path("bark", "M10 62V28h80v34Z")
        + path("/brown", "M20 28v34M30 28v34M70 28v34M80 28v34", 1.3)
        + path("steel", "M4 30l8-12h76l8 12Z")
        + path("/stone", "M20 18l-4 12M34 18l-2 12M50 18v12M66 18l2 12M80 18l4 12", 1.3)
        + rect("door", 34, 36, 32, 26)
        + path("shade", "M66 18h22l8 12h-6v32H66Z")
        + "".join(
            rect("brick", x, y, 9, 5) + rect("shade", x, y + 3.6, 9, 1.4)
            for x, y in ((70, 57), (80, 57), (75, 51), (85, 51), (80, 45))
        )
        + "".join(rect("cut", 8 + i, 58 - 4 * i, 26, 3) for i in range(4))
        + path("drop", "M50 39c4 6 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7 7-13Z")
        + path("/chalk", "M46.5 52c0 2 1 3 3 3.5", 1.3)
    )


def _small_bank() -> str:
    return (
        scene(26, 78)
        + rect("cream", 24, 32, 54, 30)
        + path("ochre", "M18 33L51 14l33 19Z")
        + path("cream", "M28 31l23-13 23 13Z")
        + circle("sun/line", 51, 25.5, 4.6, 1)
        + path("/line", "M51 22.8v5.4", 1.3)
        + rect("ochre", 22, 31, 58, 4)
        + rect("door", 45, 42, 12, 20)
        + boxes("window", (35, 63), (41,), 5, 12)
        + boxes("chalk", (27, 69), (35,), 6, 25)
        + boxes("shade", (30.5, 72.5), (35,), 2.5, 25)
        + path("plaster", "M20 60h62v4H20Z")
        + path("shade", "M54 16l30 17h-4v31H60V42Z")
        + path("/brown", "M10 62c-1-9 0-14 1-19", 2.4)
        + path("palm", "M11 43c-8-5-11 0-11 4 3-3 6-4 11-4ZM11 43c3-7 9-6 10-2-4-1-7 0-10 2Z")
        + path("palm", "M11 43c6 2 7 6 6 9-1-4-3-7-6-9ZM11 43c-5 2-6 6-5 9 1-4 2-7 5-9Z")
    )


def _town_hall() -> str:
    return (
        scene(12, 90)
        + rect("mint", 10, 28, 80, 34)
        + path("chalk", "M7 25h86v4H7Z")
        + rect("mint", 38, 10, 24, 50)
        + path("brick", "M35 12L50 0l15 12Z")
        + circle("chalk/line", 50, 19, 5.5, 1)
        + path("/ink", "M50 19v-3.5M50 19l2.5 1", 1.2)
        + boxes("window", (15, 26, 67, 78), (33,), 7, 9)
        + path("window", "M45 40v-7a5 5 0 0 1 10 0v7Z")
        + rect("chalk", 36, 40, 28, 3)
        + path("/chalk", "M38 43v4M44 43v4M56 43v4M62 43v4", 1.4)
        + path("door", "M43 62V52a7 7 0 0 1 14 0v10ZM15 62V53a4 4 0 0 1 8 0v9ZM77 62V53a4 4 0 0 1 8 0v9Z")
        + path("coral", "M28 46h8v14l-4-3-4 3ZM64 46h8v14l-4-3-4 3Z")
        + path("azure", "M28 46h8v5h-8ZM64 46h8v5h-8Z")
        + path("shade", "M52 1l13 11h-3v13h31v4h-3v33H62V40l-8-8Z")
    )


def _dam() -> str:
    return (
        rect("sky", 0, 0, WIDTH, HEIGHT)
        + path("palm", "M0 22L18 8l20 18 20-20 22 22 20-14V50H0Z")
        + path("drop", "M0 26h100v12H0Z")
        + path("/chalk", "M8 30h12M34 32h10M62 30h14M84 33h10", 1.3)
        + path("stone", "M4 34h92L84 68H16Z")
        + path("steel", "M0 31h100v5H0Z")
        + path("/steel", "M14 44h72M18 53h64M21 61h58", 1)
        + path("shade", "M70 36h26L84 68H64Z")
        + "".join(rect("ink", x, 42, 9, 7, 2) + rect("drop", x + 1, 45, 7, 23) for x in (27, 46, 65))
        + path("/chalk", "M29 50v12M48 50v14M67 50v12M33 54v10M52 54v9M71 54v10", 1.2)
        + path("chalk", "M14 68c4-7 10-3 12-5 4-5 10-2 12 0 4-5 10-3 13 0 4-4 9-3 12 0 5-3 10-2 12 1 5-3 9 0 11 4Z")
    )


def _lighthouse() -> str:
    return (
        rect("sky", 0, 0, WIDTH, HEIGHT)
        + path("light", "M52 13L0 2v24ZM52 13l48-11v24Z")
        + rect("sea", 0, 52, WIDTH, 16)
        + path("/wave", "M6 58h12M70 62h14M84 56h10M10 64h8", 1.4)
        + path("bark", "M20 68c2-10 12-14 20-14h26c10 2 16 8 18 14Z")
        + path("shade", "M58 54h8c10 2 16 8 18 14H60Z")
        + path("chalk", "M41 56l3-36h16l3 36Z")
        + path("coral", "M43.3 28h17.4l.7 9H42.6ZM42 46h20l.7 9H41.2Z")
        + path("shade", "M54 20h6l3 36h-9Z")
        + rect("ink", 40, 18, 24, 3)
        + rect("sun", 46, 9, 12, 9)
        + path("/ink", "M52 9v9", 1.2)
        + path("coral", "M44 9c2-7 14-7 16 0Z")
        + path("/text", "M52 3V-1", 1.4)
        + path("door", "M48 56v-6a4 4 0 0 1 8 0v6Z")
        + path("cream", "M66 56V44h14v12Z")
        + path("brick", "M64 45l9-7 9 7Z")
        + boxes("window", (71,), (48,), 5, 5)
    )


def _warehouse() -> str:
    return (
        scene(18, 88)
        + path("brick", "M14 62V34L24 18h52l12 16v28Z")
        + path("coral", "M8 36L22 14h56l14 22-3 2-13-20H25L12 38Z")
        + path("/bark", "M24 40v22M78 40v22", 1.4)
        + rect("cream", 44, 22, 14, 11)
        + path("/brown", "M44 22l14 11M58 22L44 33", 1.4)
        + rect("cream", 32, 40, 38, 22)
        + path("brown", "M34 42h16v20H34ZM52 42h16v20H52Z")
        + path("/cut", "M34 42l16 20M50 42L34 62M52 42l16 20M68 42L52 62", 1.5)
        + path("shade", "M76 18l13 20-1 24H72V38l-8-20Z")
        + path("cut", "M4 62c-3-8 0-12 5-12s8 4 5 12ZM16 62c-3-8 0-11 4-11s7 3 5 11Z")
        + path("/bark", "M6 50.5h6M17 51.5h6", 1.4)
    )


def _bare(picture: str) -> str:
    """A facade without sky and pavement, which tiles have of their own."""
    return picture.replace(rect("sky", 0, 0, WIDTH, HEIGHT), "").replace(rect("lot", 0, 62, WIDTH, 6), "")


_PICTURES = {
    "cement works": _cement_works(),
    "sawmill": FACADES["sawmill"],
    "golf course": _golf_course(),
    "monastery": _monastery(),
    "rum cafe": _rum_cafe(),
    "cigar cafe": _cigar_cafe(),
    "small office": _small_office(),
    "large office": FACADES["office"],
    "hotel": _hotel(),
    "hostel": _hostel(),
    "ware shop": _ware_shop(),
    "crop shop": _crop_shop(),
    "material shop": _material_shop(),
    "small bank": _small_bank(),
    "large bank": FACADES["bank"],
    "black market": FACADES["market"],
    "cigar factory": FACADES["factory"],
    "distillery": FACADES["distillery"],
    "church": FACADES["church"],
    "town hall": _town_hall(),
    "dam": _dam(),
    "lighthouse": _lighthouse(),
    "warehouse": _warehouse(),
}
_FACADES = {key: _bare(picture) for key, picture in _PICTURES.items()}
