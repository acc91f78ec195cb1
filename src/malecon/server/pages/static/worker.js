// The service worker: the app opens without a network, with the rules and one's own finished games. Everything else is
// always asked of the server; what was kept is only shown when the server cannot be reached. It also shows messages.
// The server writes `const PRECACHED = [paths]` before this file (web/routes/installed.py).
/* global PRECACHED */

const FILES = "malecon-files-1"; // styles, scripts, rules and the page that says that there is no network
const PAGES = "malecon-pages-1"; // finished games that were looked at: of whoever is logged in here
const REPLAYS = "malecon-replays-1"; // the last of them with every step; offline.js lists them
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
const wholeOf = (game) => game + "/replay/all";

async function keep(name, request, answer) {
  const cache = await caches.open(name);
  await cache.put(request, answer);
  if (name === PAGES) await tidyUp(cache, MOST_PAGES);
}

async function tidyUp(cache, most) {
  const known = await cache.keys();
  for (const old of known.slice(0, Math.max(0, known.length - most))) await cache.delete(old);
}

// A step of a game that was kept: a page, or what the page asks for.
let latest = { path: null, whole: null };
async function replayed(request, path) {
  const [, game, number] = /^(.*)\/replay\/?(\d*)$/.exec(path);
  if (latest.path !== game) {
    const kept = await (await caches.open(REPLAYS)).match(wholeOf(game), { ignoreVary: true });
    if (!kept) return null;
    latest = { path: game, whole: await kept.json() };
  }
  const { before, after, first, pieces, steps } = latest.whole;
  const moves = number === "" ? first : Number(number);
  if (!steps[moves]) return null;
  const html = steps[moves].map((piece) => pieces[piece]).join("");
  if (request.mode !== "navigate") return Response.json({ html, moves, flights: [] });
  return new Response(before + html + after, { headers: { "content-type": "text/html; charset=utf-8" } });
}

async function answer(request, path) {
  try {
    const found = await fetch(request);
    if (found.ok && isFile(path)) keep(FILES, request, found.clone());
    else if (found.ok && isGame(path) && found.headers.get("x-game-over")) keep(PAGES, request, found.clone());
    return found;
  } catch (error) {
    const kept = await caches.match(request, { ignoreVary: true });
    if (kept) return kept;
    const step = isReplay(path) ? await replayed(request, path) : null;
    if (step) return step;
    if (request.mode === "navigate") return (await caches.match("/offline")) ?? Response.error();
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== location.origin) return;
  if (event.request.method === "POST" && (pathname.startsWith("/account/") || pathname === "/language")) event.waitUntil(forget());
  if (event.request.method === "POST" && pathname === "/account/logout") event.waitUntil(noMessages());
  if (event.request.method !== "GET") return;
  if (event.request.mode === "navigate" || isFile(pathname) || isReplay(pathname)) event.respondWith(answer(event.request, pathname));
});

// What was kept is somebody's own, in their language.
async function forget() {
  latest = { path: null, whole: null };
  await Promise.all([caches.delete(PAGES), caches.delete(REPLAYS)]);
}

// The home page says which finished games are one's own: the latest are kept, to be read without a network.
self.addEventListener("message", (event) => {
  const fill = async () => {
    const cache = await caches.open(PAGES);
    for (const path of event.data?.finished ?? []) {
      if (isGame(path) && !(await cache.match(path, { ignoreVary: true }))) await cache.add(path).catch(() => {});
    }
    const replays = await caches.open(REPLAYS);
    const games = (event.data?.finished ?? []).filter(isGame).slice(0, MOST_REPLAYS).reverse();
    for (const whole of games.map(wholeOf)) {
      if (!(await replays.match(whole, { ignoreVary: true }))) await replays.add(whole).catch(() => {});
    }
    await tidyUp(replays, MOST_REPLAYS);
  };
  event.waitUntil(fill());
});

// --- messages of the server

self.addEventListener("push", (event) => {
  const { title, body, path, tag, lang } = event.data?.json() ?? {};
  const tell = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (pages.some((page) => page.visibilityState === "visible" && new URL(page.url).pathname === path)) return; // they see it
    await self.registration.showNotification(title ?? "Malecón", { body, tag, lang, icon: "/static/icon.svg", data: { path } });
  };
  event.waitUntil(tell());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = new URL(event.notification.data?.path ?? "/", location.origin).pathname;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const shown = pages.find((page) => new URL(page.url).pathname === path);
    return shown ? shown.focus() : self.clients.openWindow(path);
  };
  event.waitUntil(open());
});

// The browser has got another address from its push service: the server must know.
self.addEventListener("pushsubscriptionchange", (event) => {
  const renew = async () => {
    const now = event.newSubscription ?? (await self.registration.pushManager.subscribe(event.oldSubscription.options));
    const { endpoint, keys } = now.toJSON();
    await fetch("/push/device", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ endpoint, keys }) });
  };
  event.waitUntil(renew().catch(() => {}));
});

// Whoever has logged out here is told nothing here any more.
async function noMessages() {
  const subscription = await self.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
