// The service worker: the app opens without a network, with the rules and one's own finished games. Everything else is
// always requested from the server; what was kept is only shown if the server is out of reach. It also shows messages.
// The server writes `const PRECACHED = [paths]` before this file (web/routes/installed.py).
/* global PRECACHED, CACHE_NAMES */

importScripts("/static/cache-names.js");
const { files: FILES, pages: PAGES, replays: REPLAYS } = CACHE_NAMES;
const MOST_PAGES = 30;
const MOST_REPLAYS = 5;

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(FILES);
    await Promise.allSettled(PRECACHED.map((path) => cache.add(path)));
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter((name) => ![FILES, PAGES, REPLAYS].includes(name));
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

const isFile = (path) => path.startsWith("/static/") || path === "/drawing.css" || path.startsWith("/rules");
const isGame = (path) => /^\/tables\/[\w-]+$/.test(path);
const isReplay = (path) => /^\/tables\/[\w-]+\/replay(\/\d+)?$/.test(path);
const bundlePath = (game) => game + "/replay/all"; // a replay with all its steps

/** Puts a response into a cache. */
async function keep(name, request, response) {
  const cache = await caches.open(name);
  await cache.put(request, response);
  if (name === PAGES) await prune(cache, MOST_PAGES);
}

/** Deletes the oldest entries of a cache. */
async function prune(cache, most) {
  const requests = await cache.keys();
  for (const request of requests.slice(0, Math.max(0, requests.length - most))) await cache.delete(request);
}

let latest = { path: null, bundle: null };

/** Returns a step of a replay that was kept, as a page or as what the page's script requests; else null. */
async function replayStep(request, path) {
  const [, game, number] = /^(.*)\/replay\/?(\d*)$/.exec(path);
  if (latest.path !== game) {
    const kept = await (await caches.open(REPLAYS)).match(bundlePath(game), { ignoreVary: true });
    if (!kept) return null;
    latest = { path: game, bundle: await kept.json() };
  }
  const { before, after, first, pieces, steps } = latest.bundle;
  const moves = number === "" ? first : Number(number);
  if (!steps[moves]) return null;
  const html = steps[moves].map((piece) => pieces[piece]).join("");
  if (request.mode !== "navigate") return Response.json({ html, moves, flights: [] });
  return new Response(before + html + after, { headers: { "content-type": "text/html; charset=utf-8" } });
}

/** Returns the server's response, or what was kept of it if the server cannot be reached. */
async function respond(request, path) {
  try {
    const response = await fetch(request);
    if (response.ok && isFile(path)) keep(FILES, request, response.clone());
    else if (response.ok && isGame(path) && response.headers.get("x-game-over")) keep(PAGES, request, response.clone());
    return response;
  } catch (error) {
    const kept = await caches.match(request, { ignoreVary: true });
    if (kept) return kept;
    const step = isReplay(path) ? await replayStep(request, path) : null;
    if (step) return step;
    if (request.mode === "navigate") return (await caches.match("/offline")) ?? Response.error();
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { pathname, origin } = new URL(url);
  if (origin !== location.origin) return;
  if (method === "POST") {
    if (pathname.startsWith("/account/") || pathname === "/language") event.waitUntil(forget());
    if (pathname === "/account/logout") event.waitUntil(unsubscribe());
  }
  if (method !== "GET") return;
  if (mode === "navigate" || isFile(pathname) || isReplay(pathname)) {
    event.respondWith(respond(event.request, pathname));
  }
});

/** Deletes the games that were kept: they are those of one person, in their language. */
async function forget() {
  latest = { path: null, bundle: null };
  await Promise.all([caches.delete(PAGES), caches.delete(REPLAYS)]);
}

// The home page sends which finished games are the reader's own: the latest are kept, to be read without a network.
self.addEventListener("message", (event) => {
  const fill = async () => {
    const games = (event.data?.finished ?? []).filter(isGame);
    const pages = await caches.open(PAGES);
    for (const path of games) await addOnce(pages, path);
    const replays = await caches.open(REPLAYS);
    const latestGames = games.slice(0, MOST_REPLAYS).reverse();
    for (const path of latestGames.map(bundlePath)) await addOnce(replays, path);
    await prune(replays, MOST_REPLAYS);
  };
  event.waitUntil(fill());
});

/** Adds a path to a cache that does not have it yet. */
async function addOnce(cache, path) {
  if (!(await cache.match(path, { ignoreVary: true }))) await cache.add(path).catch(() => {});
}

// --- messages of the server

/** Returns all pages of the app that are open in this browser. */
const openPages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

self.addEventListener("push", (event) => {
  const { title, body, path, tag, lang } = event.data?.json() ?? {};
  const notify = async () => {
    const isSeen = (page) => page.visibilityState === "visible" && new URL(page.url).pathname === path;
    if ((await openPages()).some(isSeen)) return;
    const options = { body, tag, lang, icon: "/static/icon.svg", data: { path } };
    await self.registration.showNotification(title ?? "Malecón", options);
  };
  event.waitUntil(notify());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = new URL(event.notification.data?.path ?? "/", location.origin).pathname;
  const open = async () => {
    const page = (await openPages()).find(({ url }) => new URL(url).pathname === path);
    return page ? page.focus() : self.clients.openWindow(path);
  };
  event.waitUntil(open());
});

// The browser has got another address from its push service: the server must know.
self.addEventListener("pushsubscriptionchange", (event) => {
  const renew = async () => {
    const { newSubscription, oldSubscription } = event;
    const current = newSubscription ?? (await self.registration.pushManager.subscribe(oldSubscription.options));
    const { endpoint, keys } = current.toJSON();
    const headers = { "content-type": "application/json" };
    await fetch("/push/device", { method: "POST", headers, body: JSON.stringify({ endpoint, keys }) });
  };
  event.waitUntil(renew().catch(() => {}));
});

/** Ends push messages to this device: a person who has logged out gets none. */
async function unsubscribe() {
  const subscription = await self.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
