// Lists the finished games that the service worker has kept, on the page that is shown when there is no network.

import "./cache-names.js";

/** Lists the games, the latest first. */
async function listGames() {
  const box = document.getElementById("kept-games");
  const cache = await caches.open(self.CACHE_NAMES.replays);
  for (const request of (await cache.keys()).reverse()) {
    const title = (await cache.match(request)).headers.get("x-replay-title");
    const link = document.createElement("a");
    link.href = new URL(request.url).pathname.replace(/\/all$/, "");
    link.textContent = decodeURIComponent(title);
    const item = document.createElement("li");
    item.append(link);
    box.querySelector("ul").append(item);
    box.hidden = false;
  }
}

if (globalThis.caches) listGames();
