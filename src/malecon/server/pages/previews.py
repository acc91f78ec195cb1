"""Pictures for places that show no SVG: messengers that preview a link, and the icons of home screens.

A preview is drawn from a spectator's view, or from that of a puzzle's solver, so it shows nothing that is hidden.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

from malecon import drawing
from malecon.drawing import raster
from malecon.kernel.view import View
from malecon.server.pages.rendering import STATIC

#: Messengers show previews at about this width.
PREVIEW_WIDTH = 1200
#: Sizes of the icon in pixels: Apple's home screen, and those that browsers ask a manifest for.
APPLE_ICON_SIZE = 180
ICON_SIZES = (APPLE_ICON_SIZE, 192, 512)
#: Pictures that are kept; each has up to half a megabyte.
MOST_CACHED = 24

_one_at_a_time = Lock()
_cached: dict[tuple[str, ...], bytes] = {}


def preview(view: View, language: str, *key: str) -> bytes:
    """Return the board of a view as a PNG file. The key stands for the view: a picture is drawn once for each."""
    whole_key = (*key, language)
    with _one_at_a_time:  # drawing takes a large part of a second, and several viewers of a new link come at once
        picture = _cached.pop(whole_key, None)
        if picture is None:
            picture = raster.png(drawing.standalone(drawing.board(view, language)), PREVIEW_WIDTH)
        _cached[whole_key] = picture  # the latest is the last
        if len(_cached) > MOST_CACHED:
            del _cached[next(iter(_cached))]
        return picture


@lru_cache(len(ICON_SIZES))
def icon(size: int) -> bytes:
    """Return the icon as a PNG file."""
    return raster.png((STATIC / "icon.svg").read_text("utf-8"), size)
