// Lists the finished games that the service worker has kept, on the page that is shown when there is no network.

import { byId, createElement } from "../shared/elements.js";
import { pageData } from "../shared/page-data.js";

/** Lists the games, the latest first. */
async function listGames() {
  const box = byId("kept-games", HTMLElement);
  const cache = await caches.open(pageData.replayCache ?? "");
  for (const request of (await cache.keys()).toReversed()) {
    const title = (await cache.match(request))?.headers.get("x-replay-title") ?? "";
    const href = new URL(request.url).pathname.replace(/\/all$/, "");
    const item = createElement("li", "", "");
    item.append(createElement("a", "", decodeURIComponent(title), { href }));
    box.querySelector("ul")?.append(item);
    box.hidden = false;
  }
}

if (globalThis.caches) listGames();
