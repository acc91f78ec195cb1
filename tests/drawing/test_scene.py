"""The cache of drawings: what it gives is what would be drawn, from the scene alone, and it stays small."""

from __future__ import annotations

import pytest

from malecon import drawing
from malecon.drawing import scene
from malecon.drawing.scene import BoardScene
from malecon.kernel.view import View
from malecon.text import LANGUAGES
from tests.drawing.positions import views


def _drawn(view: View, language: str, layout: str) -> tuple[str, list[str]]:
    targets = drawing.targets(view) if view.seat is not None and view.turn == view.seat else {}
    return drawing.board_and_panels(view, language, targets, layout)


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_a_drawing_from_the_cache_is_what_would_be_drawn(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    full, hits = scene._DrawnCache(), 0
    for number, view in enumerate(views(game, every=3)):
        language, layout = LANGUAGES[number // 40 % len(LANGUAGES)], ("wide", "tall")[number // 20 % 2]
        monkeypatch.setattr(scene, "_DRAWN", full)
        cached = _drawn(view, language, layout)
        hits += _drawn(view, language, layout)[0] == cached[0]
        monkeypatch.setattr(scene, "_DRAWN", scene._DrawnCache())
        assert cached == _drawn(view, language, layout), f"view {number}"
    assert hits > 100


def test_a_part_is_drawn_again_only_if_it_reads_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene, "_DRAWN", scene._DrawnCache())
    drawn = []

    def draw(scene: BoardScene, seat: int) -> str:
        drawn.append(seat)
        return f"{scene.position.car} {scene.name(seat)} {scene.position.goods[seat].tolist()}"

    seen = [view for view in views("santiago") if len(view.names) == 2]
    texts = {BoardScene(view, "en", {}).cached(draw, 0) for view in seen}
    assert len(drawn) == len(texts) < len(seen) / 2


def test_what_is_cached_cannot_read_the_view() -> None:
    view = next(views("cuba"))
    with pytest.raises(AttributeError, match="not from its view"):
        BoardScene(view, "en", {}).cached(lambda scene: str(scene.view.position.phase))


def test_the_cache_is_emptied_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene, "_DRAWN", cache := scene._DrawnCache())
    monkeypatch.setattr(scene, "MOST_DRAWN", 200_000)
    sizes = [_drawn(view, "en", "wide") and cache._size for view in views("santiago", every=7)]
    assert 100_000 < max(sizes) < 400_000
    assert sorted(sizes) != sizes
