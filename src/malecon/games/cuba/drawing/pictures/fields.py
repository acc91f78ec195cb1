"""The fields of a plantation as little landscapes, each 100 × 100 with all that matters in the middle 80 × 80."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.drawing.svg import circle, ellipse, path, rect
from malecon.games.cuba import tiles

SIZE = 100

Place = tuple[int, int]


def landscape(good: int) -> str:
    """The picture of a field that gives a good, or of the ground the printed warehouse stands on."""
    return _LANDSCAPES[good]


def _ground(colour: str) -> str:
    return rect(colour, 0, 0, SIZE, SIZE)


def _crowns(places: Sequence[Place], r: float) -> str:
    """Round trees that stand on their places: long shadows, trunks, and crowns with the sun on them."""
    shades = "".join(f"M{x} {y}l{2 * r:g} {r:g} {r:g}-{r:g}L{x + r:g} {y - 2 * r:g}Z" for x, y in places)
    trunks = "".join(f"M{x - 2} {y}v-{r:g}h4v{r:g}z" for x, y in places)
    return (
        path("shade", shades)
        + path("brown", trunks)
        + path("/palm", _dots([(x, y - 1.6 * r) for x, y in places]), 2 * r)
        + path("/leaf", _dots([(x - 0.2 * r, y - 1.8 * r) for x, y in places]), 1.3 * r)
    )


def _dots(places: Sequence[tuple[float, float]]) -> str:
    """Points that a round pen makes into discs."""
    return "".join(f"M{x:.0f} {y:.0f}h0" for x, y in places)


def _forest() -> str:
    cedars = "".join(f"M{x} {y}l10-16h-5l8-13h-5l7-13 7 13h-5l8 13h-5l10 16Z" for x, y in ((4, 92), (62, 96)))
    return (
        _ground("leaf")
        + path("palm", "M0 0h100v34C84 42 70 30 52 38S18 44 0 34Z")
        + path("shade", "M0 0h100v12C80 22 66 10 48 18S14 22 0 14Z")
        + _crowns(((18, 44), (50, 38), (84, 46)), 13)
        + _crowns(((34, 68), (70, 66)), 15)
        + path("shade", "M18 92l30 8h16L34 84ZM76 96l24 4V90L86 84Z")
        + path("palm", cedars)
        + path("shade", "M15 50l7 13h-5l8 13h-5l10 16H15ZM73 54l7 13h-5l8 13h-5l10 16H73Z")
    )


def _mountain() -> str:
    return (
        _ground("sky")
        + circle("disc", 76, 24, 10)
        + path("stone", "M-6 74L24 26l16 22 18-34 48 60Z")
        + path("chalk", "M58 14l11 14-6-2-5 6-6-5-4 4ZM24 26l8 11-5-1-4 5-4-5-3 1Z")
        + path("shade", "M58 14l48 60H66l6-22ZM24 26l16 22-2 26H26l4-22Z")
        + path("palm", "M0 72c20-8 34 2 52-4s36-4 48 2v30H0Z")
        + path("leaf", "M0 84c22-8 44 4 62-2s30-2 38 0v18H0Z")
        + path("stone", "M18 86l8-8 12 3 5 9-8 4H22Z")
        + path("shade", "M26 78l12 3 5 9-8 4-2-9Z")
        + path("stone", "M66 92l6-6 9 3 2 7H68Z")
        + path("shade", "M72 86l9 3 2 7h-8Z")
    )


def _lake() -> str:
    return (
        _ground("leaf")
        + path("palm", "M0 0h100v26C80 18 62 30 44 22S14 24 0 18Z")
        + path("cut", "M10 54C8 34 34 28 54 30s38 8 38 24-18 32-42 32S12 76 10 54Z")
        + path("drop", "M15 54c-1-16 20-21 39-20s33 7 33 20-16 27-37 27-34-9-35-27Z")
        + path("/chalk", "M28 48h14M54 44h18M38 62h20M62 70h10M26 68h8", 2)
        + path("/palm", "M14 86V64M20 90V68M8 84V70", 2.4)
        + path("brown", "M12.5 62h3v-9h-3ZM18.5 66h3v-9h-3ZM6.5 69h3v-8h-3Z")
        + path("chalk", "M66 58c4-6 12-6 14-1l-3 4H68Z")
        + path("/chalk", "M68 58c-4-4-2-8 1-10", 2.6)
        + path("sun", "M68 46l-6 2 6 2Z")
        + _crowns(((86, 32),), 11)
    )


def _sugar() -> str:
    rows = (34, 66, 98)
    stalks = "".join(f"M{x} {y}l{(x % 5 - 2) / 2:g}-24" for y in rows for x in range(3, 100, 6))
    tops = "".join(
        f"M{x + y % 3 * 2} {y - 19}c-6-2-8-7-7-12 4 2 7 6 7 12 1-7 4-10 9-11-1 6-3 10-9 11Z"
        for y in rows
        for x in range(4, 100, 12)
    )
    return (
        _ground("palm")
        + path("/petal", stalks, 2.8)
        + path("/palm", "".join(f"M0 {y - 6}h100M0 {y - 13}h100" for y in rows), 1.4)
        + path("leaf", tops)
    )


def _citrus() -> str:
    trees = [(x, y) for y in (30, 62, 94) for x in (18, 50, 82)]
    fruit = [(x + dx, y + dy) for x, y in trees for dx, dy in ((-6, -22), (5, -27), (7, -17), (-1, -14))]
    return (
        _ground("lot")
        + path("/kerb", "M0 34h100M0 66h100M0 98h100", 3)
        + _crowns(trees, 13)
        + path("/orange", _dots(fruit), 6.4)
    )


def _tobacco() -> str:
    plants = [(x, y) for y in (57, 77, 97) for x in (14, 38, 62, 86)]
    wide = "".join(f"M{x} {y}c-13-1-14-9-12-12 6 1 11 5 12 12 1-7 6-11 12-12 2 3 1 11-12 12Z" for x, y in plants)
    upright = "".join(f"M{x} {y}c-6-6-5-14 0-19 5 5 6 13 0 19Z" for x, y in plants)
    barn = (
        path("shade", "M62 14l24 12v14H62Z")
        + path("bark", "M34 38V22h32v16Z")
        + path("cut", "M28 26L50 6l22 20Z")
        + path("/bark", "M50 6L36 25M50 6l14 19M50 6v19", 1.3)
        + rect("door", 45, 28, 10, 10)
    )
    return (
        _ground("brick")
        + path("palm", "M0 0h100v26C80 32 60 20 40 26S12 30 0 24Z")
        + barn
        + path("/brown", "M0 60h100M0 80h100M0 99h100", 3)
        + path("leaf", wide)
        + path("palm", upright)
    )


def _yard() -> str:
    return (
        _ground("ground")
        + path("ray", "M50 60L0 20V50ZM50 60L100 20V50ZM50 60L20 0H44ZM50 60L80 0H56Z")
        + path("lot", "M0 70c30-8 70-8 100 0v30H0Z")
        + path("shade", "M74 42l26 16v32H74Z")
        + path("brick", "M16 84V46L28 26h44l12 20v38Z")
        + path("coral", "M8 48L26 22h48l18 26-4 3-16-23H29L13 51Z")
        + rect("cream", 43, 32, 14, 12)
        + path("/brown", "M43 32l14 12M57 32L43 44", 1.6)
        + rect("cream", 30, 54, 40, 30)
        + path("brown", "M32 56h17v28H32ZM51 56h17v28H51Z")
        + path("/cut", "M32 56l17 28M49 56L32 84M51 56l17 28M68 56L51 84", 1.8)
        + path("shade", "M72 28l16 23-4 2v31H72V52L62 28Z")
        + path("cut", "M8 92c-4-10 0-15 7-15s10 5 6 15ZM24 94c-3-8 0-12 5-12s8 4 5 12Z")
        + path("/bark", "M11 78h8M26 83h6", 1.8)
        + ellipse("shade", 60, 92, 20, 2)
    )


_LANDSCAPES = {
    tiles.YIELDLESS: _yard(),
    tiles.SUGAR: _sugar(),
    tiles.CITRUS: _citrus(),
    tiles.TOBACCO: _tobacco(),
    tiles.WOOD: _forest(),
    tiles.STONE: _mountain(),
    tiles.WATER: _lake(),
}
