"""Every page: nothing for axe to complain about, and everything on one screen where it shall be."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute
from playwright.sync_api import Page, expect

from malecon.match import Match
from malecon.server.accounts.accounts import Accounts
from malecon.server.accounts.profiles import Profiles
from malecon.server.errors import NotFound
from malecon.server.storage.database import address_of
from malecon.server.storage.rows import BOT, PERSON, SeatRow
from malecon.server.storage.store import Storage
from malecon.server.web import routes
from tests.browser.accessibility import check_accessibility
from tests.browser.conftest import HOST, SIZES, OpenPage
from tests.browser.players import (
    MINE,
    OVER,
    by_keyboard,
    open_game,
    open_public,
    open_table,
    open_table_by_hand,
    play,
    settle_choices,
)
from tests.server.stored_games import store_finished_game

PASSWORD = "a good secret 1"

PAGES = (
    *("/settings", "/account", "/leaders", "/bots/turista", "/offline", "/explorer/cuba/3"),
    *("/rules", "/rules/santiago", "/rules/cuba", "/nowhere"),
    *("/learn", "/learn/cuba/first-harvest", "/analysis"),
)
#: Every address that answers with a page, and where axe looks at it.
LOOKED_AT = {
    "here": {
        "/explorer/{game}/{players}",
        *("/analysis", "/learn", "/learn/{game}/{key}"),
        *("/", "/settings", "/account", "/leaders", "/bots/{level}", "/offline", "/rules", "/rules/{game}"),
        *("/people/{name}", "/waiting/{name}", "/join/{token}", "/tables/{table}", "/tables/{table}/dice"),
        *("/tables/{table}/replay", "/tables/{table}/seats/{seat}", "/tables/{table}/standing"),
        "/tables/{table}/ask/{moves}",
    },
    "test_host": {
        *("/host", "/host/people", "/host/site", "/host/log", "/site/{name}", "/setup", "/account/recover"),
    },
    "test_review": {"/tables/{table}/replay/{moves}"},
    "test_teaching": {
        *("/puzzles", "/puzzles/{game}/{number}", "/puzzles/{game}/{number}/answer"),
        *("/puzzles/{game}/{number}/line/{which}/{step}", "/analysis/{name}/{node}", "/analysis/{name}/setup"),
    },
    "test_tournaments": {
        *("/tournaments", "/tournaments/new/{game}", "/tournaments/series/{game}", "/tournaments/{name}"),
    },
    "the same page as a puzzle's": {
        *("/tables/{table}/mistakes/{index}", "/tables/{table}/mistakes/{index}/line/{which}/{step}"),
        *("/tables/{table}/ask/{moves}/answer", "/tables/{table}/ask/{moves}/line/{which}/{step}"),
    },
}
#: What answers with something else, or leads to a page.
NO_PAGES = {
    *("/push/key", "/tables/{table}/replay/all", "/learn/{game}/all", "/account/oidc", "/account/oidc/callback"),
    *("/tables/{table}/replay/{moves}/position", "/tables/{table}/hint/position"),
    *("/account/export", "/glossary/{game}/{language}", "/healthz", "/manifest.webmanifest", "/metrics", "/worker.js"),
    *("/puzzles/{game}/any", "/puzzles/{game}/today", "/tables/{table}/record.json", "/tables/{table}/review"),
    *("/tables/{table}/why", "/explorer", "/analysis/{name}", "/analysis/{name}/file.json"),
    *("/engine/{game}/{version}/{name}", "/icon-{size}.png"),
    *("/tables/{table}/preview.png", "/puzzles/{game}/{number}/preview.png"),
}


def test_no_page_is_forgotten() -> None:
    """A new page is listed above, and axe looks at it."""
    rooms = pkgutil.walk_packages(routes.__path__, f"{routes.__name__}.")
    modules = [importlib.import_module(item.name) for item in rooms]
    routers = [item for module in modules for item in vars(module).values() if isinstance(item, APIRouter)]
    known = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    paths = {route.path for route in known if "GET" in route.methods and not route.path.startswith("/api")}
    assert paths == set().union(*LOOKED_AT.values()) | NO_PAGES


def take_part(page: Page, folder: Path) -> None:
    """Log in as the host, who has played three games that count."""
    page.goto("/account")
    storage = Storage(address_of(folder))
    try:
        known = Profiles(storage).find(HOST)[0].person
        page.fill("#login-name", HOST)
        page.fill("#login-password", PASSWORD)
        page.click("form[action='/account/login'] button")
        page.wait_for_selector("form[action='/account/logout']")
    except NotFound:
        page.fill("#name", HOST)
        page.fill("#password", PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_selector("form[action='/account/logout']")
        account = Profiles(storage).find(HOST)[0]
        known = account.person
        Accounts(storage).set_moderator(account, True)
        match = Match("santiago", 2, seed=11)
        while match.turn is not None:
            match.push(str(match.legal_moves[0]))
        for _ in range(3):
            store_finished_game(storage, match, SeatRow(PERSON, known, name=HOST), SeatRow(BOT, bot="turista"))
    finally:
        storage.close()


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ("desk", "light"),
        ("phone", "dark"),
        ("tablet", "light"),
        pytest.param("desk", "dark", marks=pytest.mark.slow),
        pytest.param("phone", "light", marks=pytest.mark.slow),
        pytest.param("tablet", "dark", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing(new_page: OpenPage, folder: Path, size: str, scheme: str) -> None:
    page = new_page(size, color_scheme=scheme, bypass_csp=True)
    page.goto("/")
    check_accessibility(page)
    page.locator(".game-santiago summary").click()
    check_accessibility(page)
    for path in PAGES:
        page.goto(path)
        check_accessibility(page)
    settle_choices(page)
    table = open_table_by_hand(page, "me", "bot:turista", "open")
    page.wait_for_selector(f"{MINE}, {OVER}, .prompt")
    check_accessibility(page)
    guest = new_page(size, color_scheme=scheme, bypass_csp=True)
    guest.goto(page.input_value("#dock [data-address]"))
    check_accessibility(guest)
    for path in ("replay", "dice", "seats/0", "standing"):
        page.goto(f"{table}/{path}")
        check_accessibility(page)
    open_table(page, "me", "me")
    page.wait_for_selector(".cover")
    check_accessibility(page)
    open_table(page, "me", "bot:turista", game="cuba")
    page.wait_for_selector(f"{MINE}, .prompt")
    check_accessibility(page)
    open_public(page, "me", "open")
    check_accessibility(page)
    page.click("form[action$='/leave'] button")
    take_part(page, folder)
    for path in (f"/people/{HOST}",):
        page.goto(path)
        check_accessibility(page)
        if path.startswith("/people"):
            expect(page.locator(".curve text").first).to_be_visible()


def test_the_end_of_a_game_too(new_page: OpenPage) -> None:
    page = new_page("phone", color_scheme="dark", bypass_csp=True)
    settle_choices(page)
    table = open_table(page, "bot:turista", "bot:turista")
    page.wait_for_selector(OVER, timeout=180_000)
    check_accessibility(page)
    for size, layout in (("tablet", "wide"), ("desk", "wide")):
        width, height = SIZES[size]
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_selector(f"#table[data-layout={layout}] .result")
        check_accessibility(page)
    page.goto(f"{table}/replay/20")
    while not page.locator("a[href*='/ask/']").count():  # chance decides there
        page.goto(f"{table}/replay/{int(page.url.rsplit('/', 1)[1]) + 1}")
    page.click("a[href*='/ask/']")
    page.wait_for_selector(".exercise-moves button")
    check_accessibility(page)


@pytest.mark.parametrize(("size", "scheme"), [("desk", "dark"), pytest.param("phone", "light", marks=pytest.mark.slow)])
def test_axe_finds_nothing_in_what_opens(new_page: OpenPage, size: str, scheme: str) -> None:
    """An invitation, the guide, a question before the turn ends, a hint, an answer why not."""
    page, guest = (new_page(size, color_scheme=scheme, bypass_csp=True) for _ in range(2))
    settle_choices(page, confirm="on")
    open_table(page, "me", "open")
    if size == "phone":
        page.tap(".tabs [data-tab=seats]")
    page.locator(".seat-menu > summary").first.click()
    check_accessibility(page)
    guest.goto(page.input_value("[data-address]"))
    check_accessibility(guest)
    page.goto("/")
    page.locator(".game-cuba button[value=first]").click()
    page.wait_for_selector(MINE)
    page.click("[data-hint]")
    page.wait_for_selector(".moves .advised .chance")
    page.locator(".board svg [role=img][id]").first.dispatch_event("click")
    page.wait_for_selector(".toast")
    check_accessibility(page)
    while not page.locator(".moves button[data-final]").count():
        play(page, by_keyboard, 1)
        page.wait_for_selector(MINE)
    page.locator(".moves button[data-final]").first.dispatch_event("click")
    page.wait_for_selector(".question")
    check_accessibility(page)


@pytest.mark.parametrize(("game", "seats"), [("santiago", 2), ("santiago", 4), ("cuba", 2), ("cuba", 5)])
def test_the_table_is_on_one_screen(new_page: OpenPage, game: str, seats: int) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", *(["bot:turista"] * (seats - 1)), game=game)
    play(page, by_keyboard, 4)
    sizes = page.evaluate(
        """() => ({page: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
                   board: document.querySelector(".m-board").getBoundingClientRect().toJSON(),
                   log: document.querySelector(".log").getBoundingClientRect().toJSON(),
                   more: [document.getElementById("dock")].map((one) => one.scrollHeight - one.clientHeight)[0]})"""
    )
    assert sizes["page"] == [1366, 768]
    assert sizes["board"]["width"] > 760
    assert sizes["log"]["bottom"] <= 768
    assert not 0 < sizes["more"] < 8  # nobody scrolls for the edge of a button
    assert len(page.content()) < 200_000


def test_a_chosen_theme_wins_over_the_systems(new_page: OpenPage) -> None:
    page = new_page(color_scheme="light", bypass_csp=True)
    page.goto("/settings")
    colour = "getComputedStyle(document.body).backgroundColor"
    day = page.evaluate(colour)
    page.select_option("#theme", "dark")
    page.click("form.settings button.primary")
    page.wait_for_selector("p.notice[role=status]")
    assert page.evaluate(colour) != day
    check_accessibility(page)


def test_nothing_is_loaded_from_other_sites(new_page: OpenPage, address: str) -> None:
    """A laptop without a network plays as well."""
    page = new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_game(page, "santiago")
    page.goto("/rules/cuba")
    page.goto("/")
    assert asked
    assert all(url.startswith((address, "data:")) for url in asked)


def test_the_rules_of_every_game_are_one_click_from_home(new_page: OpenPage) -> None:
    page = new_page()
    page.goto("/")
    page.locator(".top-links a", has_text="Rules").click()
    for game, title in (("santiago", "Santiago de Cuba"), ("cuba", "Cuba")):
        page.locator(f"main a[href='/rules/{game}']").click()
        expect(page.locator("h1")).to_have_text(title)
        page.go_back()


EVERYWHERE = (
    "/learn",
    "/puzzles",
    "/analysis",
    "/explorer",
    "/rules",
    "/tournaments",
    "/leaders",
    "/account",
    "/settings",
)


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_menu_leads_everywhere_in_two_clicks_also_from_a_table(size: str, new_page: OpenPage) -> None:
    page = new_page(size)
    table = open_game(page, "santiago")
    for address in EVERYWHERE:
        page.goto(table)
        page.locator(".site-menu summary").click()
        link = page.locator(f".site-menu a[href='{address}']")
        box, width = link.bounding_box(), page.viewport_size
        assert box
        assert width
        assert 0 <= box["x"] < box["x"] + box["width"] <= width["width"]
        assert box["height"] >= 40
        link.click()
        page.wait_for_url(f"**{address}**")
    page.locator(".site-menu summary").click()
    check_accessibility(page)
