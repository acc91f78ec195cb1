"""The five characters of Cuba as little poster portraits, and what they do as rows of symbols."""

from __future__ import annotations

from malecon.drawing.pictures.portraits import bust, eyes, ground, head, turned
from malecon.drawing.svg import circle, ellipse, path, rect

#: What each character does, in symbols.
DEEDS: dict[str, tuple[str, ...]] = {
    "worker": ("+", "material", "crop"),
    "merchant": ("peso", "swap", "any"),
    "architect": ("material", "arrow", "use"),
    "foreman": ("use", "arrow", "any"),
    "mayor": ("any", "arrow", "ship"),
}


def portrait(key: str) -> str:
    """The picture of a character, without frame or name."""
    return _PORTRAITS[key]


def _worker() -> str:
    """A neckerchief, a straw hat pushed back, a hoe over his shoulder."""
    hoe = turned(rect("bark", 72, 4, 4.5, 72, 2) + path("steel", "M60 4h18v5c-6 0-12 1-18 7Z"), 12, 74, 40)
    return (
        ground("ochre", "gold", 22, 24, 18)
        + path("leaf", "M0 62C20 52 36 60 52 56S84 50 100 56V70H0Z")
        + path("palm", "M0 66C20 58 44 66 60 62S88 60 100 62V70H0Z")
        + hoe
        + bust("azul", 44)
        + path("/sea", "M30 54v16M58 54v16", 3)
        + head("skin-d", 44, 34)
        + path("cut", "M24 28c6-4 12-4 20-4s16 0 22 4c-2 3-10 3-22 3s-20 0-22-3Z")
        + path("cut", "M32 26c0-12 4-16 12-16s13 4 13 16Z")
        + path("coral", "M32 21.5h25V26H32Z")
        + path("shade", "M48 10c6 1 9 5 9 16h9c-2 3-8 3.5-18 3.5Z")
        + eyes(44, 36)
        + path("/chalk", "M40 42c2.5 2 5.5 2 8 0", 2)
        + path("coral", "M35 48h18l-2 4 4 10-9-7-4-3-5 1Z")
        + ellipse("skin-d", 68, 57, 6, 5)
    )


def _merchant() -> str:
    """A headscarf, a pencil, the open ledger with its columns, coins before her."""
    ledger = (
        path("brown", "M56 48l20-4 20 4v22H56Z")
        + path("chalk", "M58 49l18-4v25H58ZM76 45l18 4v21H76Z")
        + path("/steel", "M61 54l12-2M61 59l12-2M61 64l12-2M79 52l12 2M79 57l12 2", 1.4)
        + path("/coral", "M79 62l12 2", 1.6)
    )
    coins = "".join(
        ellipse("amber", x, y + 1.5, 7, 2.6) + ellipse("sun", x, y, 7, 2.6) for x, y in ((12, 66), (12, 62), (12, 58))
    )
    return (
        ground("mint", "cream", 26, 24, 20)
        + bust("rose", 42)
        + path("chalk", "M35 48h14l-7 10Z")
        + head("skin-b", 42, 33)
        + path("sun", "M29 33C27 16 36 10 43 10s15 6 13 22c-4-6-8-8-13-8s-10 2-14 9Z")
        + path("coral", "M30 26c6-6 20-6 26 0v3c-7-5-19-5-26 1Z")
        + path("sun", "M55 14c8-5 11 2 6 5 5 2 2 7-4 3Z")
        + path("/ink", "M36 33c1-1.5 3-1.5 4 0M45 33c1-1.5 3-1.5 4 0", 1.5)
        + path("bottle", "M38.5 40c2.5 2.5 5 2.5 7.5 0-2.5-1-5-1-7.5 0Z")
        + circle("/gold", 30, 41, 2.6, 1.6)
        + circle("/gold", 54, 41, 2.6, 1.6)
        + coins
        + ledger
        + ellipse("skin-b", 57, 62, 5, 4.5)
        + turned(rect("sun", 54, 46, 3, 17, 1), -20, 55, 60)
    )


def _architect() -> str:
    """Round glasses, a pencil behind the ear, the plan of a house in his hands."""
    plan = (
        path("azure", "M50 44l44-5 4 31H53Z")
        + path("/chalk", "M60 64V53l11-7 12 5v12M60 64l23-2M67 63v-6l6-.5v6M76 53.5l4-.4", 1.4)
        + path("shade", "M94 39l4 31h-9Z")
        + path("chalk", "M48 43c-3 1-2 4 0 4l46-6c3-1 2-4 0-3Z")
    )
    return (
        ground("brick", "coral", 22, 22, 18)
        + path("cream", "M0 70V42h10v28ZM12 70V34h9v36Z")
        + path("/brown", "M0 52h21M0 60h21M5 42v28M16 34v36", 1.2)
        + bust("cream", 42)
        + path("chalk", "M35 48h14l-7 16Z")
        + path("sea", "M40 50h4l2 14-4 5-4-5Z")
        + head("skin-c", 42, 33)
        + path("skin-c", "M33 18h18v12H33Z")
        + path("brown", "M30 32c-2-14 4-20 13-20 10 0 14 6 11 17-3-4-4-7-5-8-6 3-12 3-16 2Z")
        + circle("chalk/ink", 37, 34, 4, 1.4)
        + circle("chalk/ink", 47, 34, 4, 1.4)
        + path("/ink", "M41 34h2M33 33l-2-1M51 33l2-1", 1.3)
        + circle("ink", 37.5, 34, 1.2)
        + circle("ink", 47.5, 34, 1.2)
        + path("/ink", "M39 42.5c2 1.5 5 1.5 7 0", 1.5)
        + turned(rect("sun", 53, 18, 2.6, 17, 1), 18, 54, 26)
        + plan
        + ellipse("skin-c", 52, 58, 5, 4.5)
        + ellipse("skin-c", 92, 60, 4.5, 5)
    )


def _foreman() -> str:
    """A peaked cap, a grey moustache, the whistle, a list under his arm; behind him the mill's chimney."""
    return (
        ground("azul", "chalk", 24, 22, 17)
        + path("brick", "M74 70V20h10v50Z")
        + path("light", "M79 16c-6-4 2-10 6-6 6-4 12 2 8 6-4 3-9 3-14 0Z")
        + path("pink", "M60 70V46l12-8 12 8 12-8 4 3v29Z")
        + bust("palm", 44)
        + path("chalk", "M37 48h14l-7 10Z")
        + path("/brown", "M33 52l8 18M55 52l-8 18", 3)
        + head("skin-a", 44, 34)
        + path("steel", "M32 36l2 6h-2c-2-2-2-5 0-6ZM56 36l-2 6h2c2-2 2-5 0-6Z")
        + path("ink", "M32 28c-2-12 6-16 13-16s13 4 12 16Z")
        + path("ink", "M30 27c8-3 22-3 30 1 4 2 2 4-2 3-8-2-18-2-26 0Z")
        + circle("gold", 45, 20, 3.4)
        + eyes(44, 35)
        + path("steel", "M36 42c3-4 6-3 8-1.5 2-1.5 5-2.5 8 1.5-3 1.8-6 1.5-8 .2-2 1.3-5 1.6-8-.2Z")
        + path("/coral", "M38 50c-6 8 0 14 6 13", 1.6)
        + rect("sun", 43, 60, 9, 5, 2)
        + circle("sun", 44, 63.5, 3.4)
        + path("bark", "M4 46h24v24H4Z")
        + path("chalk", "M7 50h18v20H7Z")
        + rect("steel", 11, 44, 10, 5, 1)
        + path("/muted", "M13 55h9M13 60h9M13 65h9", 1.4)
        + path("/coral", "M9 55l1.5 1.5 2-3M9 60l1.5 1.5 2-3", 1.2)
        + ellipse("skin-a", 27, 60, 4.5, 5)
    )


def _mayor() -> str:
    """White suit, a sash, silver hair, one hand raised over the microphone; the capitol's dome behind."""
    return (
        ground("sea", "wave", 26, 24, 20)
        + path("cream", "M64 70V50h36v20ZM70 50c0-14 6-20 14-20s14 6 14 20Z")
        + path("sun", "M82 30v-6h4v6Z")
        + path("shade", "M88 31c6 2 10 8 10 19h2v20H88Z")
        + path("/window", "M70 56v14M78 56v14M86 56v14M94 56v14", 2)
        + bust("chalk", 42)
        + path("ink", "M39 49h6l2 14-5 6-5-6Z")
        + path("coral", "M22 56l6-4 34 18H50Z")
        + path("azure", "M18 60l4-3 26 13H38Z")
        + head("skin-c", 42, 32)
        + path("skin-c", "M33 18h18v12H33Z")
        + path("steel", "M30 30c-3-13 4-18 13-18 9 0 14 5 11 18l-3-8c-6-3-13-3-18 0Z")
        + path("steel", "M35 40c2-3 5-2.5 7-1.2 2-1.3 5-1.8 7 1.2-4 1.3-10 1.3-14 0Z")
        + eyes(42, 33)
        + path("/ink", "M39.5 43.5c2 1 3.5 1 5 0", 1.4)
        + circle("sun", 26, 62, 3.6)
        + path("/ink", "M62 70V54", 2.4)
        + rect("ink", 58.5, 44, 7, 11, 3.5)
        + path("/steel", "M58.5 48h7M58.5 51h7", 1.1)
        + path("chalk", "M6 70l2-22 8-2 4 24Z")
        + path("skin-c", "M7 47V36c0-2 2-2 2.5 0v-4c0-2 2.5-2 2.5 0v-1c0-2 2.5-2 2.5 0v2c.5-2 2.5-1 2.5 1v8l-1 5Z")
    )


_PORTRAITS = {
    "worker": _worker(),
    "merchant": _merchant(),
    "architect": _architect(),
    "foreman": _foreman(),
    "mayor": _mayor(),
}
