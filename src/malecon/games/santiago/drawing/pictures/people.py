"""The nine Cubans as little poster portraits, each on a ground of 100 × 70 with the sun from the upper left."""

from __future__ import annotations

from malecon.drawing.pictures.portraits import bust, eyes, ground, head, turned
from malecon.drawing.svg import circle, ellipse, path, rect


def portrait(key: str) -> str:
    """The picture of a Cuban, without frame or name."""
    return _PORTRAITS[key]


def _pedro() -> str:
    """The tobacco merchant: panama hat, moustache, a great leaf in his hand."""
    hat = path("chalk", "M31 27C36 23 64 23 69 27 69 30 60 31 50 31S31 30 31 27Z") + path(
        "chalk", "M39 26C39 13 42 10 50 12 58 10 61 13 61 26Z"
    )
    band = path("bottle", "M39 22h22v4.5H39Z") + path("shade", "M54 11c5-.5 7 3 7 15h8c0 3-9 4.5-19 5Z")
    leaf = path("leaf", "M84 66C67 58 66 40 76 24 92 34 96 52 84 66Z") + path(
        "/palm", "M85 70L77 30M82 55l-8-6M81 48l7-6M79 42l-6-5", 1.5
    )
    return (
        ground("ochre", "gold")
        + bust("chalk")
        + path("palm", "M42 48l8 9 8-9 4 2-8 20h-8L38 50Z")
        + head("skin-a", y=34)
        + hat
        + band
        + eyes(y=35)
        + path("ink", "M42 41c3-3.5 6-2.5 8-1 2-1.5 5-2.5 8 1-3 1.5-6 1.2-8 0-2 1.2-5 1.5-8 0Z")
        + leaf
        + ellipse("skin-a", 85, 66, 6, 5)
    )


def _maria() -> str:
    """The dancer: arms up, a wide red dress, a flower in her hair."""
    dress = path("rose", "M44 37h12l2 9c8 7 22 14 28 24H14C20 60 34 53 42 46Z") + path(
        "shade", "M52 37h4l2 9c8 7 22 14 28 24H56Z"
    )
    frills = path("/chalk", "M20 63c6 4 10-2 15 2s10 3 14 0 10-3 15 0 9 4 15-1", 2.2)
    arms = path("/skin-b", "M45 37C36 33 30 25 33 13M55 37c10-3 17-10 15-23", 5)
    return (
        ground("azul", "chalk", 50, 30, 26)
        + path("shade", "M58 40L100 66V70H60Z")
        + arms
        + dress
        + frills
        + path("skin-b", "M46 30h8l2 8H44Z")
        + path("ink", "M41 23c-2-11 18-13 19-1 5 2 4 8-1 8-4 1-16 1-18-7Z")
        + ellipse("skin-b", 49, 24, 7, 8.5)
        + path("ink", "M42 20c2-6 12-7 14 0-5-2-9-2-14 0Z")
        + path("/ink", "M45 24.5h2.5M51 24.5h2.5", 1.4)
        + path("/rose", "M47.5 28.5c1 1 2.5 1 3.5 0", 1.5)
        + circle("gold", 59, 17, 4)
        + circle("rose", 59, 17, 1.6)
        + path("ink", "M29 12l8-2 1 4-8 2ZM66 12l8 2-1 4-8-3Z")
    )


def _jose() -> str:
    """The sugar cane farmer: a broad straw hat, a bundle of cane on his shoulder."""
    cane = "".join(
        turned(
            rect("petal/line", 67 + 7 * i, -6, 5.5, 80, 2, width=0.8)
            + path("/leaf", f"M{67.8 + 7 * i:.1f} 12h4M{67.8 + 7 * i:.1f} 30h4M{67.8 + 7 * i:.1f} 48h4", 1.2),
            14,
            74,
            40,
        )
        for i in range(3)
    )
    leaves = path("leaf", "M88 8C80 4 70 4 62 10 72 2 80 0 92 2ZM92 4c6-2 8 2 8 8-3-4-6-5-10-4Z")
    hat = path("cut", "M16 31C24 25 38 24 44 24S72 25 76 31C70 35 56 36 46 36S22 35 16 31Z") + path(
        "cut", "M33 27C33 14 38 11 46 11s13 3 13 16Z"
    )
    return (
        ground("mint", "gold", 22, 22, 16)
        + path("palm", "M0 60C14 52 30 58 40 62L100 54V70H0Z")
        + cane
        + leaves
        + bust("chalk", 46)
        + path("/azul", "M36 50v20M46 56v14M56 50v20", 2)
        + head("skin-d", 46, 36)
        + hat
        + path("bark", "M33 23.5h26V27H33Z")
        + path("shade", "M48 11c8 0 11 4 11 16 9 1 14 2 17 4-6 4-18 5-28 5Z")
        + eyes(46, 38)
        + path("/chalk", "M42 44c2.5 2 5.5 2 8 0", 2)
        + path("coral", "M38 49h16l-3 5H41Z")
        + ellipse("skin-d", 69, 58, 6, 5)
    )


def _martinez() -> str:
    """The musician: a guitar across his chest, ruffled sleeves, a beret."""
    body = path("amber", "M18 56c-4-8 4-16 14-12 6 2 8 6 14 4 8-2 12 6 8 13-5 8-16 11-22 5-5-3-11-2-14-10Z")
    neck = path("brown", "M46 50L88 25l3 5L50 57Z") + path("ink", "M86 24l8-6 5 8-8 5Z")
    strings = path("/plaster", "M24 61L92 23", 1)
    return (
        ground("sea", "wave", 28, 24, 20)
        + bust("plaster", 52)
        + path("coral", "M45 48h14l-7 8Z")
        + head("skin-b", 52, 31)
        + path("ink", "M39 26c-2-10 8-14 16-13 9 1 12 6 9 11-8-2-16-1-25 2Z")
        + path("ink", "M47 41c3 4 7 4 10 0l-1 5c-3 2-5 2-8 0Z")
        + path("/ink", "M45 32c1-1.2 3-1.2 4 0M55 32c1-1.2 3-1.2 4 0", 1.5)
        + path("/chalk", "M49.5 38.5c2 1 3.5 1 5 0", 1.4)
        + body
        + path("shade", "M44 49c8-3 14 5 10 12-5 8-16 11-22 5 10 0 16-8 12-17Z")
        + circle("ink", 38, 56, 5)
        + neck
        + strings
        + ellipse("skin-b", 32, 58, 5, 4)
        + ellipse("skin-b", 74, 36, 5, 4.5)
    )


def _conchita() -> str:
    """The fruit merchant: a basket of fruit on her head, great earrings."""
    fruit = (
        circle("orange", 40, 14, 7)
        + circle("gold", 60, 13, 7)
        + circle("coral", 50, 9, 8)
        + path("leaf", "M50 4C48-2 54-4 60-3 58 2 55 4 50 4ZM33 12c-6-1-9 2-10 6 5 1 9-1 10-6Z")
        + path("/gold", "M66 16c6 0 10-4 10-10", 5)
    )
    basket = (
        path("bark", "M29 15h42l-5 11H34Z")
        + path("/cut", "M31 19h38M33 23h34", 1.6)
        + path("shade", "M54 15h17l-5 11H54Z")
    )
    return (
        ground("pink", "apricot", 20, 24, 18)
        + path("shade", "M60 14L100 50V70H52Z")
        + bust("chalk")
        + path("sea", "M36 51c8 8 20 8 28 0l7 5 6 14H23l6-14Z")
        + path("/gold", "M40 54c6 6 14 6 20 0", 2)
        + fruit
        + basket
        + path("coral", "M38 33C36 22 64 22 62 33l-4-4H42Z")
        + head("skin-c", y=36)
        + path("coral", "M38 32c2-9 22-9 24 0-8-3-16-3-24 0Z")
        + path("/ink", "M43 37c1-1.5 3-1.5 4 0M53 37c1-1.5 3-1.5 4 0", 1.5)
        + path("bottle", "M46 43c2.5 3 5.5 3 8 0-2.5-1-5.5-1-8 0Z")
        + circle("/sun", 37, 44, 3, 1.8)
        + circle("/sun", 63, 44, 3, 1.8)
    )


def _zorro() -> str:
    """The pickpocket: a fox's mask and a light hand with somebody's coin."""
    ears = path("coral", "M29 4l16 15-13 7ZM71 4L55 19l13 7Z") + path("ink", "M32 10l7 8-6 4ZM68 10l-7 8 6 4Z")
    mask = path("coral", "M30 23C38 16 62 16 70 23L66 38 50 54 34 38Z") + path(
        "plaster", "M31 32c7 0 13 6 19 20-6-4-13-9-16-14ZM69 32c-7 0-13 6-19 20 6-4 13-9 16-14Z"
    )
    return (
        ground("ink", "disc", 78, 18, 13)
        + path("street", "M0 70V44L10 38V70ZM100 70V48L88 42V70Z")
        + path("deep", "M16 70c2-18 18-22 26-24h16c8 2 24 6 26 24Z")
        + path("bottle", "M38 47l12 12 12-12 6 4-18 16-18-16Z")
        + ears
        + mask
        + path("shade", "M50 18c8 0 16 1 20 5L66 38 50 54Z")
        + path("ink", "M36 29c4-2 9 0 10 5-4 1-8-1-10-5ZM64 29c-4-2-9 0-10 5 4 1 8-1 10-5Z")
        + path("chalk", "M40 30l3 2-3 .5ZM57 32l3-2 0 2.5Z")
        + path("ink", "M46 50h8l-4 5Z")
        + path("skin-c", "M13 70c-2-7-1-12 4-13l8-3c3 0 3 3 0 4l-3 2 6-1c3 0 3 4 0 4-1 4-4 7-7 7Z")
        + circle("sun", 28, 49, 6)
        + circle("/amber", 28, 49, 3.8, 1.3)
    )


def _miguel() -> str:
    """The lumberjack: a beard, a checked shirt, an axe over his shoulder."""
    axe = turned(
        rect("bark", 75, 2, 5, 74, 2)
        + path("steel", "M80 4h7c6 2 8 6 8 11s-2 9-8 11l-7-5Z")
        + path("shade", "M87 4c6 2 8 6 8 11s-2 9-8 11Z"),
        10,
        77,
        40,
    )
    return (
        ground("palm", "leaf", 22, 24, 20)
        + path("shade", "M4 70L16 34 28 70ZM0 70V50l8 20ZM86 70l8-26 6 14V70Z")
        + axe
        + bust("bottle", 46)
        + path("/ink", "M24 62h44M30 54v16M39 51v19M54 51v19M62 54v16", 1.3)
        + head("skin-c", 46, 31)
        + path("brown", "M35 30c0 0 2 6 5 6 4 1 8 1 12 0 3 0 5-6 5-6v5c0 10-4 18-11 20-7-2-11-10-11-20Z")
        + path("/skin-c", "M43 41h6", 1.8)
        + path("sun", "M34 28c-1-12 5-16 12-16s13 4 12 16c-8-5-16-5-24 0Z")
        + path("sun", "M57 25l9 2-4 3 3 6-8-7Z")
        + path("/bottle", "M36 22c6-4 14-4 20 0", 1.6)
        + path("shade", "M49 12c6 1 10 5 9 16l-6-3Z")
        + eyes(46, 32)
        + ellipse("skin-c", 73, 59, 6, 5)
    )


def _pablo() -> str:
    """The fence: collar up, hat down, his coat held open to show the wares."""
    return (
        ground("lilac", "plaster", 22, 20, 16)
        + path("brick", "M0 70V52h18v18ZM84 70V40h16v30Z")
        + path("shade", "M60 24L100 56V70H56Z")
        + path("bark", "M12 70C10 56 26 50 40 47h20c14 3 30 9 28 23Z")
        + path("plaster", "M42 48h16l16 22H26Z")
        + path("ink", "M48 50h4l3 20H45Z")
        + path("brown", "M12 70c-2-14 14-20 28-23L26 70ZM88 70c2-14-14-20-28-23l14 23Z")
        + rect("bottle", 17, 57, 5, 13, 2)
        + rect("pulp", 17, 62, 5, 4)
        + rect("bottle", 18.5, 52, 2, 6)
        + path("sun", "M78 58h9v5h-9ZM78 65h10v5H79Z")
        + path("/bottle", "M80 58v5M84 58v5M82 65v5M86 65v5", 1.1)
        + head("skin-a", y=33)
        + path("shade", "M39 27h22v9H39Z")
        + path("/chalk", "M43 34h4M53 34h4", 1.6)
        + path("/ink", "M46 42c3-1 5-1 8 1", 1.6)
        + path("bark", "M30 50l8-12 10 12-8 6ZM70 50l-8-12-10 12 8 6Z")
        + path("ink", "M30 26c6 4 34 4 40 0 1 3-1 5-4 5.5-10 2-22 2-32 0-3-.5-5-2.5-4-5.5Z")
        + path("ink", "M38 27c-1-14 4-18 8-17 3 1 5 1 8 0 4-1 9 3 8 17Z")
        + path("lilac", "M38 22h24v3.5H38Z")
    )


def _alonso() -> str:
    """The lawyer: round spectacles, a bow tie, the briefcase before him."""
    case = (
        rect("brown", 56, 46, 36, 26, 3) + path("/brown", "M67 46v-4c0-2 14-2 14 0v4", 3) + rect("sun", 71, 54, 6, 5, 1)
    )
    return (
        ground("cream", "sun", 24, 26, 20)
        + bust("ink", 44)
        + path("chalk", "M37 48h14l-7 18Z")
        + path("coral", "M36 49l7 3-7 4ZM52 49l-7 3 7 4Z")
        + circle("coral", 44, 52, 2.2)
        + head("skin-d", 44, 31)
        + path("steel", "M32 27c-1-11 5-15 12-15s13 4 12 15l-3-5c-7-3-11-2-15-1l-4 2Z")
        + path("steel", "M38 41c3-2 9-2 12 0l-1 2c-3-1-7-1-10 0Z")
        + circle("/sun", 39, 32, 4, 1.6)
        + circle("/sun", 49, 32, 4, 1.6)
        + path("/sun", "M43 32h2M35 31l-2-1M53 31l2-1", 1.4)
        + circle("ink", 39, 32, 1.3)
        + circle("ink", 49, 32, 1.3)
        + case
        + path("shade", "M78 46h11c2 0 3 1 3 3v21H70Z")
        + path("/cut", "M56 60h15M77 60h15", 1.2)
        + path("chalk", "M86 46l-3-16 11-2 4 18Z")
        + path("/steel", "M86 34l7-1M87 38l7-1M87 42l7-1", 1.2)
    )


_PORTRAITS = {
    "pedro": _pedro(),
    "maria": _maria(),
    "jose": _jose(),
    "martinez": _martinez(),
    "conchita": _conchita(),
    "zorro": _zorro(),
    "miguel": _miguel(),
    "pablo": _pablo(),
    "alonso": _alonso(),
}
