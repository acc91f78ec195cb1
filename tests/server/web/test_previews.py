"""Pictures for previews of links, and icons: PNG files that show nothing hidden."""

from __future__ import annotations

import random
import re
import struct

import pytest
from starlette.testclient import TestClient

from malecon.match import Match
from malecon.server.pages import previews
from tests.server.hidden import shuffle_hidden
from tests.server.stored_games import table_of

PNG = b"\x89PNG\r\n\x1a\n"


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(PNG)
    return struct.unpack(">II", png[16:24])


def meta(page: str, name: str) -> str:
    tag = re.search(rf'<meta (?:property|name)="{name}" content="([^"]*)">', page)
    assert tag is not None, name
    return tag[1].strip()


def test_a_link_to_a_table_has_a_title_a_description_and_a_picture(client: TestClient) -> None:
    form = {"game": "santiago", "seat-0": "me", "seat-1": "open"}
    table = client.post("/tables", data=form, follow_redirects=False).headers["location"]
    page = client.get(table).text
    assert "Santiago de Cuba" in meta(page, "og:title")
    assert meta(page, "og:description") == meta(page, "description") != ""
    picture = meta(page, "og:image")
    assert picture == f"http://testserver{table}/preview.png"
    answer = client.get(picture)
    assert answer.headers["content-type"] == "image/png"
    assert size_of(answer.content)[0] == previews.PREVIEW_WIDTH
    token = re.search(r"/join/([\w-]+)", page)
    assert token is not None
    client.cookies.clear()
    invitation = client.get(f"/join/{token[1]}").text
    assert meta(invitation, "og:image") == picture
    assert "is waiting for you" in meta(invitation, "og:description")


def test_the_picture_of_a_table_shows_nothing_hidden() -> None:
    match = Match("santiago", 3, seed=2)
    dice = random.Random(2)
    for _ in range(60):
        match.push(dice.choice(list(match.legal_moves)))
    truth, other = table_of(match), table_of(match)
    shuffle_hidden(other, None, dice)
    pictures = [previews.preview(table.match.view(None), "en", str(id(table))) for table in (truth, other)]
    assert pictures[0] == pictures[1]
    match.push(dice.choice(list(match.legal_moves)))  # and a picture changes with the board
    for _ in range(20):
        match.push(dice.choice(list(match.legal_moves)))
    assert previews.preview(match.view(None), "en", "later") != pictures[0]


def test_a_puzzle_has_a_picture(client: TestClient) -> None:
    picture = meta(client.get("/puzzles/cuba/1").text, "og:image")
    assert picture.endswith("/puzzles/cuba/1/preview.png")
    assert size_of(client.get(picture).content)[0] == previews.PREVIEW_WIDTH
    assert client.get("/puzzles/cuba/999999/preview.png").status_code == 404


@pytest.mark.parametrize("size", previews.ICON_SIZES)
def test_home_screens_have_icons(client: TestClient, size: int) -> None:
    assert size_of(client.get(f"/icon-{size}.png").content) == (size, size)
    icons = client.get("/manifest.webmanifest").json()["icons"]
    assert f"/icon-{size}.png" in {icon["src"] for icon in icons}
    assert client.get("/icon-181.png").status_code == 404
    assert f'rel="apple-touch-icon" href="/icon-{previews.APPLE_ICON_SIZE}.png"' in client.get("/").text


def test_only_the_latest_pictures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "MOST_CACHED", 2)
    monkeypatch.setattr(previews, "_cached", {})
    view = Match("santiago", 2, seed=1).view(None)
    first, second = (previews.preview(view, "en", key) for key in "ab")
    assert previews.preview(view, "en", "a") is first  # and is now the latest
    previews.preview(view, "en", "c")
    assert previews.preview(view, "en", "a") is first
    assert previews.preview(view, "en", "b") is not second
    assert len(previews._cached) == 2
