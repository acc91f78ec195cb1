// The service worker: the app opens without a network, with the rules, one's own finished games, the puzzles of the day
// and the lessons, and with the engines that think about them. Everything else is always requested from the server;
// what was kept is only shown if the server is out of reach. It also shows messages.
// The server writes `self.settings = {…};` before this file (web/routes/installed.py).

/**
 * @typedef {object} WorkerSettings
 * @property {string[]} precached paths
 * @property {{ files: string, pages: string, replays: string, learning: string }} caches their names
 */
/** @typedef {{ before: string, after: string, first: number, pieces: string[], steps: number[][] }} ReplayBundle */
/** @typedef {{ paths: string[], pieces: string[], steps: number[][] }} LessonBundle a page for every path */

const worker = /** @type {ServiceWorkerGlobalScope & { settings: WorkerSettings }} */ (/** @type {unknown} */ (self));
const { files: FILES, pages: PAGES, replays: REPLAYS, learning: LEARNING } = worker.settings.caches;
const MOST_PAGES = 30;
const MOST_REPLAYS = 5;
const DAY_MS = 24 * 60 * 60 * 1000;

worker.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(FILES);
    await Promise.allSettled(worker.settings.precached.map((path) => addNew(cache, path)));
    await dropOldEngines(cache);
    await worker.skipWaiting();
  };
  event.waitUntil(fill());
});

/**
 * Adds a path to a cache; a file of an engine only once, since its address changes with it.
 * @param {Cache} cache
 * @param {string} path
 */
const addNew = (cache, path) => (isEngine(path) ? addOnce(cache, path) : cache.add(path));

/**
 * Deletes the engines of older versions, and the pages that would load them.
 * @param {Cache} cache
 */
async function dropOldEngines(cache) {
  const kept = new Set(worker.settings.precached);
  const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  const old = paths.filter((path) => isEngine(path) && !kept.has(path));
  if (old.length) await Promise.all([caches.delete(LEARNING), ...old.map((path) => cache.delete(path))]);
}

worker.addEventListener("activate", (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter((name) => ![FILES, PAGES, REPLAYS, LEARNING].includes(name));
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(tidy());
});

/** @param {string} path */
const isEngine = (path) => path.startsWith("/engine/");
/** @param {string} path */
const isFile = (path) =>
  path.startsWith("/static/") || path === "/drawing.css" || path.startsWith("/rules") || isEngine(path);
/** @param {string} path */
const isLesson = (path) => /^\/learn\/\w+\/[\w-]+$/.test(path);
/** @param {string} path */
const isGame = (path) => /^\/tables\/[\w-]+$/.test(path);
/** @param {string} path */
const isReplay = (path) => /^\/tables\/[\w-]+\/replay(\/\d+)?$/.test(path);
/** @param {string} game */
const bundlePath = (game) => `${game}/replay/all`; // a replay with all its steps

/**
 * Puts a response into a cache.
 * @param {string} name
 * @param {Request} request
 * @param {Response} response
 */
async function keep(name, request, response) {
  const cache = await caches.open(name);
  await cache.put(request, response);
  if (name === PAGES) await prune(cache, MOST_PAGES);
}

/**
 * Deletes the oldest entries of a cache.
 * @param {Cache} cache
 * @param {number} most
 */
async function prune(cache, most) {
  const requests = await cache.keys();
  for (const request of requests.slice(0, Math.max(0, requests.length - most))) await cache.delete(request);
}

/** @type {{ path: string, bundle: ReplayBundle } | null} */
let latest = null; // the replay that was read last

/**
 * Returns a step of a replay that was kept, as a page or as what the page's script requests; else null.
 * @param {Request} request
 * @param {string} path
 */
async function replayStep(request, path) {
  const [, game, number] = /^(.*)\/replay\/?(\d*)$/.exec(path) ?? ["", "", ""];
  if (latest?.path !== game) {
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

/**
 * Returns a page of a lesson that was kept, after the moves in its address; else null.
 * @param {URL} address
 */
async function lessonPage({ pathname, search }) {
  const kept = await (await caches.open(LEARNING)).match(pathname.replace(/[^/]+$/, "all"), { ignoreVary: true });
  /** @type {LessonBundle | undefined} */
  const bundle = await kept?.json();
  const step = bundle?.steps[bundle.paths.indexOf(pathname + search)];
  if (!bundle || !step) return null;
  const html = step.map((piece) => bundle.pieces[piece]).join("");
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}

/**
 * Sends a move in a lesson; without a network, leads to the page that was kept of what it does.
 * @param {Request} request
 */
async function makeLessonMove(request) {
  const copy = request.clone();
  try {
    return await fetch(request);
  } catch {
    const address = new URL(request.url);
    address.searchParams.append("m", String((await copy.formData()).get("move")));
    return Response.redirect(address.href, 303);
  }
}

/**
 * Returns the server's response, or what was kept of it if the server cannot be reached.
 * @param {Request} request
 * @param {string} path
 */
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
    const lesson = isLesson(path) ? await lessonPage(new URL(request.url)) : null;
    if (lesson) return lesson;
    if (request.mode === "navigate") return (await caches.match("/offline")) ?? Response.error();
    throw error;
  }
}

worker.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { pathname, origin } = new URL(url);
  if (origin !== location.origin) return;
  if (method === "POST") {
    if (pathname.startsWith("/account/") || pathname === "/language") event.waitUntil(forget());
    if (pathname === "/account/logout") event.waitUntil(unsubscribe());
    if (mode === "navigate" && isLesson(pathname)) event.respondWith(makeLessonMove(event.request));
  }
  if (method !== "GET") return;
  if (mode === "navigate" || isFile(pathname) || isReplay(pathname)) {
    event.respondWith(respond(event.request, pathname));
  }
});

/** Deletes the games and pages that were kept: they are those of one person, in their language. */
async function forget() {
  latest = null;
  await Promise.all([caches.delete(PAGES), caches.delete(REPLAYS), caches.delete(LEARNING)]);
}

// The home page sends which finished games are the reader's own: the latest are kept, to be read without a network.
// Pages also send which puzzles of the day and lessons to keep.
worker.addEventListener("message", (event) => {
  const fill = async () => {
    const games = (event.data?.finished ?? []).filter(isGame);
    const pages = await caches.open(PAGES);
    for (const path of games) await addOnce(pages, path);
    const replays = await caches.open(REPLAYS);
    const latestGames = games.slice(0, MOST_REPLAYS).reverse();
    for (const path of latestGames.map(bundlePath)) await addOnce(replays, path);
    await prune(replays, MOST_REPLAYS);
    const learning = await caches.open(LEARNING);
    for (const path of event.data?.learning ?? []) await renew(learning, path);
  };
  event.waitUntil(fill());
});

/**
 * Adds a path to a cache that does not have it yet.
 * @param {Cache} cache
 * @param {string} path
 */
async function addOnce(cache, path) {
  if (!(await cache.match(path, { ignoreVary: true }))) await cache.add(path).catch(() => {});
}

/**
 * Puts what is at a path now into a cache, unless it was done on the same day; by UTC, as puzzles change.
 * @param {Cache} cache
 * @param {string} path
 */
async function renew(cache, path) {
  const day = (/** @type {number} */ ms) => Math.floor(ms / DAY_MS);
  const kept = await cache.match(path, { ignoreVary: true });
  if (kept && day(Date.parse(kept.headers.get("date") ?? "")) === day(Date.now())) return;
  const response = await fetch(path).catch(() => null);
  if (!response?.ok) return;
  const { headers } = response; // without the redirection that led there, which could not be shown as a page
  await cache.put(path, new Response(await response.blob(), { headers }));
}

// --- messages of the server

/** Returns all pages of the app that are open in this browser. */
const openPages = () => worker.clients.matchAll({ type: "window", includeUncontrolled: true });

worker.addEventListener("push", (event) => {
  const { title, body, path, tag, lang } = event.data?.json() ?? {};
  const notify = async () => {
    /** @param {WindowClient} page */
    const isSeen = (page) => page.visibilityState === "visible" && new URL(page.url).pathname === path;
    if ((await openPages()).some(isSeen)) return;
    const options = { body, tag, lang, icon: "/static/icon.svg", data: { path } };
    await worker.registration.showNotification(title ?? "Malecón", options);
  };
  event.waitUntil(notify());
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = new URL(event.notification.data?.path ?? "/", location.origin).pathname;
  const open = async () => {
    const page = (await openPages()).find(({ url }) => new URL(url).pathname === path);
    return page ? page.focus() : worker.clients.openWindow(path);
  };
  event.waitUntil(open());
});

// The browser has got another address from its push service: the server must know.
worker.addEventListener("pushsubscriptionchange", (event) => {
  const renew = async () => {
    const { newSubscription, oldSubscription } = event;
    const current = newSubscription ?? (await worker.registration.pushManager.subscribe(oldSubscription?.options));
    const { endpoint, keys } = current.toJSON();
    const headers = { "content-type": "application/json" };
    await fetch("/push/device", { method: "POST", headers, body: JSON.stringify({ endpoint, keys }) });
  };
  event.waitUntil(renew().catch(() => {}));
});

/** Ends push messages to this device: a person who has logged out gets none. */
async function unsubscribe() {
  const subscription = await worker.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
