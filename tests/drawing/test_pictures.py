"""Pictures as files: each is an SVG that can be opened by itself, and its colours are those of the palette."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from malecon import drawing
from malecon.drawing.palette import COLOURS
from malecon.drawing.pictures import game_picture, read_picture
from malecon.drawing.preview import picture_files, preview

#: Classes that are no colours.
OTHER_CLASSES = {"m-open", "m-shade", "m-light"}
FILES = picture_files()


@pytest.mark.parametrize("file", FILES, ids=lambda file: "/".join(file.parts[-2:]))
def test_every_file_is_a_drawing_in_colours_of_the_palette(file: Path) -> None:
    root = ElementTree.fromstring(file.read_text("utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    known = {f"m-{name}" for name in COLOURS} | {f"m-s-{name}" for name in COLOURS} | OTHER_CLASSES
    for element in root.iter():
        assert set(element.get("class", "").split()) <= known
        assert not {"style", "fill", "stroke", "id"} & set(element.attrib)
    assert all(len(line) <= 120 for line in file.read_text("utf-8").splitlines())


def test_a_picture_has_its_box_and_no_comments() -> None:
    picture = game_picture("cuba", "characters/worker")
    assert (picture.width, picture.height) == (100, 70)
    assert picture.shapes.startswith('<rect class="m-ochre"')
    assert "<!--" not in picture.shapes
    assert "\n" not in picture.shapes


def test_a_file_without_a_box_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "flat.svg"
    file.write_text('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>')
    with pytest.raises(ValueError, match="viewBox"):
        read_picture(file)


def test_all_pictures_can_be_seen_on_one_page() -> None:
    page = preview(FILES)
    assert page.count("<figure>") == 2 * len(FILES)
    assert drawing.STYLE in page
