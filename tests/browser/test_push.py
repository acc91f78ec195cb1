"""Messages to a device in a real browser, through a push service of the tests' own.

Chromium's own service is on the internet: the page is handed an address of ours instead, and what the server sends
there is given to the service worker as the browser would.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, Page

from malecon.server.operations.settings import ServerSettings
from tests.browser.conftest import serving
from tests.server.push_service import PushService, Subscriber

SHOWN = """async () => {
  const shown = await (await navigator.serviceWorker.ready).getNotifications();
  return shown.map((one) => [one.title, one.body, one.lang, one.data.path]);
}"""
ACTIVE = """async () => {
  const { active } = await navigator.serviceWorker.ready;
  if (active.state !== "activated") await new Promise((done) => active.addEventListener("statechange", done));
}"""
#: A click on the message that is shown: which pages the worker opens and brings to the front. A browser lets it do so
#: after a click of a person only, so both are written down instead.
CLICK = """async () => {
  const [shown] = await self.registration.getNotifications();
  const [opened, focused] = [[], []];
  let handled;
  self.clients.openWindow = async (path) => void opened.push(path);
  WindowClient.prototype.focus = async function () { focused.push(new URL(this.url).pathname); };
  const event = new NotificationEvent("notificationclick", { notification: shown });
  event.waitUntil = (work) => (handled = work);
  self.dispatchEvent(event);
  await handled;
  return [opened, focused, (await self.registration.getNotifications()).length];
}"""
#: The browser's push service, replaced by what `known` says.
SUBSCRIBE = """known => {
  let mine = null;
  const given = { endpoint: known.endpoint, toJSON: () => known, unsubscribe: async () => ((mine = null), true) };
  PushManager.prototype.getSubscription = async () => mine;
  navigator.setAppBadge = async (number) => void (globalThis.badge = number);
  PushManager.prototype.subscribe = async (options) => ((globalThis.asked = options), (mine = given));
}"""


def deliver(page: Page, address: str, content: dict[str, Any]) -> None:
    """What a push service would do: hand the worker a message."""
    session = page.context.new_cdp_session(page)
    registrations: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    page.evaluate(ACTIVE)
    while not (
        known := [
            registration["registrationId"]
            for registration in registrations
            if registration["scopeURL"].startswith(address)
        ]
    ):
        page.wait_for_timeout(20)
    message = {"origin": address, "registrationId": known[0], "data": json.dumps(content)}
    session.send("ServiceWorker.deliverPushMessage", message)


def shows(page: Page, notification: list[str]) -> None:
    """The device shows this message, and no other."""
    end = time.monotonic() + 60
    while (shown := page.evaluate(SHOWN)) != [notification]:
        assert time.monotonic() < end, shown
        page.wait_for_timeout(20)


@pytest.fixture
def service() -> Iterator[PushService]:
    push_service = PushService()
    yield push_service
    push_service.close()


def test_a_message_arrives_and_the_title_counts_games_that_wait(
    chromium: Browser, tmp_path: Any, service: PushService
) -> None:
    phone = Subscriber(service, "phone")
    with serving(tmp_path, ServerSettings(push="any")) as address, httpx2.Client(base_url=address) as bea:
        context = chromium.new_context(base_url=address, locale="de", permissions=["notifications"])
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(f"({SUBSCRIBE})({json.dumps(phone.subscription())})")
        page.goto("/settings")
        button, status = page.locator("#push-device"), page.locator("#push-status")
        button.click()
        status.filter(has_text="Dieses Gerät erhält Benachrichtigungen.").wait_for()
        asked = page.evaluate("[asked.userVisibleOnly, asked.applicationServerKey.length]")
        assert asked == [True, 65]
        # Bea opens a table with a seat for anybody with the link, and plays until it is Ana's turn
        bea.headers["authorization"] = f"Bearer {bea.post('/api/people').json()['token']}"
        seats = [{"who": "me"}, {"who": "open"}]
        table = bea.post("/api/tables", json={"game": "santiago", "seats": seats}).json()
        ana = page.request  # the same person, by the browser's cookie
        assert ana.post("/api/join", data={"token": table["seats"][1]["invitation"]}).ok
        path = f"/tables/{table['id']}"
        page.goto("/")
        while legal := ana.get(f"/api{path}").json()["legal"]:  # where the other seat begins
            ana.post(f"/api{path}/moves", data={"move": legal[0]["move"]})
        while legal := bea.get(f"/api{path}").json()["legal"]:
            bea.post(f"/api{path}/moves", json={"move": legal[0]["move"]})
        while not service.taken:
            page.wait_for_timeout(20)
        page.wait_for_function(
            "() => document.title === '(1) Malecón' && globalThis.badge === 1"
        )  # the lobby's connection tells it
        message = phone.heard(bea.get("/push/key").json()["key"])[0]
        assert message["path"] == path
        deliver(page, address, message)
        shows(page, ["Santiago de Cuba", "Du bist am Zug.", "de", path])
        # somebody who looks at the page already is not disturbed; a message of the same tag takes the place of the last
        deliver(page, address, message | {"path": "/", "tag": "other"})
        deliver(page, address, message | {"body": "Noch einmal."})
        shows(page, ["Santiago de Cuba", "Noch einmal.", "de", path])
        # a click leads to the table: to a new page, or to the one that shows it already
        (worker,) = context.service_workers
        assert worker.evaluate(CLICK) == [[path], [], 0]
        deliver(page, address, message)
        shows(page, ["Santiago de Cuba", "Du bist am Zug.", "de", path])
        page.goto(path)
        assert worker.evaluate(CLICK) == [[], [path], 0]
        context.close()
