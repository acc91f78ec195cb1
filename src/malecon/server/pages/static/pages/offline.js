// Lists what the service worker has kept, on the page that is shown when there is no network.

import { byId, createElement } from "../shared/elements.js";
import { fill, pageData, say } from "../shared/page-data.js";

/**
 * Adds a link to a list.
 * @param {string} id of the box around the list
 * @param {string} text
 * @param {string} href
 */
function addLink(id, text, href) {
  const box = byId(id, HTMLElement);
  const item = createElement("li", "", "");
  item.append(createElement("a", "", text, { href }));
  box.querySelector("ul")?.append(item);
  box.hidden = false;
}

/** Lists finished games, the latest first. */
async function listGames() {
  const cache = await caches.open(pageData.caches?.replays ?? "");
  for (const request of (await cache.keys()).toReversed()) {
    const title = (await cache.match(request))?.headers.get("x-replay-title") ?? "";
    addLink("kept-games", decodeURIComponent(title), new URL(request.url).pathname.replace(/\/all$/, ""));
  }
}

/** Lists the puzzles of the day and the lessons. */
async function listLearning() {
  const cache = await caches.open(pageData.caches?.learning ?? "");
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    const kept = await cache.match(request);
    if (!kept) continue;
    const game = decodeURIComponent(kept.headers.get("x-game-title") ?? "");
    if (pathname.endsWith("/today")) addLink("kept-learning", fill(say("today"), { game }), pathname);
    else addLink("kept-learning", fill(say("lessons"), { game }), (await kept.json()).paths[0]);
  }
}

if (globalThis.caches) {
  listLearning();
  listGames();
}
