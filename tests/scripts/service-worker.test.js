// worker.js, the service worker: what it keeps, what it answers without a network, and what it shows.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import vm from "node:vm";

const ORIGIN = "https://malecon.test";
const CACHES = { files: "files-2", pages: "pages-2", replays: "replays-2" };
const PRECACHED = ["/offline", "/rules", "/static/base.css"];
const SOURCE = readFileSync(new URL(import.meta.resolve("#scripts/worker.js")), "utf8");
const settings = `self.settings = ${JSON.stringify({ precached: PRECACHED, caches: CACHES })};\n`;

/** @typedef {{ method: string, mode: string, url: string }} PageRequest */

/** @param {string | PageRequest} request */
const addressOf = (request) => new URL(typeof request === "string" ? request : request.url, ORIGIN).href;
/** @param {string} address */
const pathOf = (address) => new URL(address).pathname;

/** A cache in memory, with the order that browsers keep: what is put again comes last. */
class MemoryCache {
  /** @type {Map<string, Response>} */
  entries = new Map();

  /** @param {string | PageRequest} request @param {Response} response */
  async put(request, response) {
    this.entries.delete(addressOf(request));
    this.entries.set(addressOf(request), response);
  }

  /** @param {string} path */
  async add(path) {
    const response = await network(addressOf(path));
    if (!response.ok) throw new TypeError("not ok");
    await this.put(path, response);
  }

  /** @param {string | PageRequest} request */
  async match(request) {
    return this.entries.get(addressOf(request))?.clone();
  }

  async keys() {
    return [...this.entries.keys()].map((url) => ({ url }));
  }

  /** @param {string | PageRequest} request */
  async delete(request) {
    return this.entries.delete(addressOf(request));
  }
}

class MemoryCaches {
  /** @type {Map<string, MemoryCache>} */
  byName = new Map();

  /** @param {string} name */
  async open(name) {
    const cache = this.byName.get(name) ?? new MemoryCache();
    this.byName.set(name, cache);
    return cache;
  }

  /** @param {string | PageRequest} request */
  async match(request) {
    for (const cache of this.byName.values()) {
      const response = await cache.match(request);
      if (response) return response;
    }
  }

  async keys() {
    return [...this.byName.keys()];
  }

  /** @param {string} name */
  async delete(name) {
    return this.byName.delete(name);
  }

  /** The paths in a cache. @param {string} name */
  async paths(name) {
    return (await (await this.open(name)).keys()).map(({ url }) => pathOf(url));
  }
}

/** What the server answers, by path; nothing is there while it is null: there is no network. */
/** @type {Record<string, () => Response> | null} */
let server = {};
/** @type {string[]} */
let fetched = [];

/** @param {string} address */
async function network(address) {
  fetched.push(pathOf(address));
  if (!server) throw new TypeError("fetch failed");
  return server[pathOf(address)]?.() ?? new Response("not there", { status: 404 });
}

/** @type {Record<string, (event: any) => void>} */
let listeners = {};
let caches = new MemoryCaches();
/** @type {{ url: string, visibilityState: string, focus: () => void }[]} */
let openPages = [];
/** @type {string[]} */
let actions = [];

/** Starts the worker as a browser does: with its own global object. */
function start() {
  listeners = {};
  const scope = {
    addEventListener: (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) => {
      listeners[type] = listener;
    },
    skipWaiting: async () => actions.push("skipWaiting"),
    clients: {
      claim: async () => actions.push("claim"),
      matchAll: async () => openPages,
      openWindow: async (/** @type {string} */ path) => actions.push(`open ${path}`),
    },
    registration: {
      showNotification: async (
        /** @type {string} */ title,
        /** @type {{ body: string, tag: string }} */ { body, tag },
      ) => actions.push(`notify ${title}: ${body} (${tag})`),
      pushManager: {
        getSubscription: async () => ({ unsubscribe: async () => actions.push("unsubscribe") }),
        subscribe: async () => ({ toJSON: () => ({ endpoint: "https://push.test/new", keys: { auth: "a" } }) }),
      },
    },
  };
  const fetch = async (/** @type {string | PageRequest} */ request, /** @type {RequestInit} */ options) => {
    if (options) actions.push(`${options.method} ${request} ${options.body}`);
    return network(addressOf(request));
  };
  const context = { self: scope, caches, fetch, location: { origin: ORIGIN }, Response, URL };
  vm.runInNewContext(settings + SOURCE, context);
}

/** @param {string} type @param {object} event */
async function dispatch(type, event) {
  /** @type {Promise<unknown>[]} */
  const waits = [];
  /** @type {Promise<Response> | null} */
  let response = null;
  listeners[type]({
    ...event,
    waitUntil: (/** @type {Promise<unknown>} */ promise) => waits.push(promise),
    respondWith: (/** @type {Promise<Response>} */ promise) => {
      response = promise;
    },
  });
  await Promise.all(waits);
  return response;
}

/**
 * Requests something as a page does; returns the answer, or null if the worker leaves it to the browser.
 * @param {string} path
 * @param {Partial<PageRequest>} [options]
 */
async function request(path, options = {}) {
  const sent = { method: "GET", mode: "cors", url: ORIGIN + path, ...options };
  const response = await dispatch("fetch", { request: sent });
  await new Promise((done) => setImmediate(done)); // what is kept is kept after the answer
  return /** @type {Response | null} */ (response);
}
/** @param {string} path */
const navigate = (path) => request(path, { mode: "navigate" });
/** @param {Response | null} response */
const textOf = (response) => response?.text();

const over = () => new Response("a finished game", { headers: { "x-game-over": "yes" } });
const BUNDLE = { before: "<html>", after: "</html>", first: 2, pieces: ["a", "b", "c"], steps: [[0], [0, 1], [2, 1]] };

beforeEach(() => {
  server = {};
  fetched = [];
  actions = [];
  openPages = [];
  caches = new MemoryCaches();
  start();
});

// --- installing

test("installing keeps what is needed without a network, even if a file is missing", async () => {
  server = { "/offline": () => new Response("no network"), "/rules": () => new Response("rules") };
  await dispatch("install", {});
  assert.deepEqual(await caches.paths(CACHES.files), ["/offline", "/rules"]);
  assert.deepEqual(actions, ["skipWaiting"]);
});

test("activating deletes caches of earlier versions, and no other", async () => {
  for (const name of [...Object.values(CACHES), "files-1"]) await caches.open(name);
  await dispatch("activate", {});
  assert.deepEqual(await caches.keys(), Object.values(CACHES));
  assert.deepEqual(actions, ["claim"]);
});

// --- which requests it answers

test("it leaves other sites, posts and data of the server to the browser", async () => {
  assert.equal(await request("/static/base.css", { url: "https://elsewhere.test/static/base.css" }), null);
  assert.equal(await request("/tables/a1/move", { method: "POST" }), null);
  assert.equal(await request("/glossary/cuba/en"), null);
  assert.equal(await request("/tables/a1/why"), null);
  assert.deepEqual(fetched, []);
});

test("files come from the server as long as it is there, and are kept", async () => {
  server = { "/static/base.css": () => new Response("new") };
  await (await caches.open(CACHES.files)).put("/static/base.css", new Response("old"));
  assert.equal(await textOf(await request("/static/base.css")), "new");
  server = null;
  assert.equal(await textOf(await request("/static/base.css")), "new");
});

test("rules and the drawing's style are files, too", async () => {
  server = { "/rules/cuba": () => new Response("rules"), "/drawing.css": () => new Response("style") };
  await navigate("/rules/cuba");
  await request("/drawing.css");
  assert.deepEqual(await caches.paths(CACHES.files), ["/rules/cuba", "/drawing.css"]);
});

test("an error of the server is shown, not kept", async () => {
  assert.equal((await request("/static/gone.js"))?.status, 404);
  assert.deepEqual(await caches.paths(CACHES.files), []);
});

test("of pages only finished games are kept", async () => {
  server = { "/": () => new Response("home"), "/tables/a1": () => new Response("running"), "/tables/b2": over };
  for (const path of ["/", "/tables/a1", "/tables/b2"]) await navigate(path);
  assert.deepEqual(await caches.paths(CACHES.pages), ["/tables/b2"]);
});

test("thirty finished games are kept, the oldest go", async () => {
  const paths = Array.from({ length: 32 }, (_, i) => `/tables/g${i}`);
  server = Object.fromEntries(paths.map((path) => [path, over]));
  for (const path of paths) await navigate(path);
  assert.deepEqual(await caches.paths(CACHES.pages), paths.slice(2));
});

// --- without a network

test("without a network a page that was not kept is the page that says so", async () => {
  await (await caches.open(CACHES.files)).put("/offline", new Response("no network"));
  server = null;
  assert.equal(await textOf(await navigate("/tables/a1")), "no network");
});

test("without a network and without that page, it is an error", async () => {
  server = null;
  assert.equal((await navigate("/"))?.type, "error");
});

test("without a network a file that was not kept is an error of the request", async () => {
  server = null;
  await assert.rejects(async () => request("/static/new.js"), /fetch failed/);
});

test("a replay that was kept is stepped through without a network, as a page and by its script", async () => {
  await (await caches.open(CACHES.replays)).put("/tables/a1/replay/all", Response.json(BUNDLE));
  server = null;
  assert.equal(await textOf(await navigate("/tables/a1/replay")), "<html>cb</html>");
  assert.equal(await textOf(await navigate("/tables/a1/replay/0")), "<html>a</html>");
  const step = await request("/tables/a1/replay/1");
  assert.deepEqual(await step?.json(), { html: "ab", moves: 1, flights: [] });
  await assert.rejects(async () => request("/tables/a1/replay/7"), /fetch failed/);
  await assert.rejects(async () => request("/tables/other/replay/1"), /fetch failed/);
});

// --- one's own games

/** @param {number} count */
const games = (count) => Array.from({ length: count }, (_, i) => `/tables/g${i}`);

test("the home page has the latest finished games kept, five of them with every step", async () => {
  server = Object.fromEntries(
    games(7).flatMap((path) => [
      [path, over],
      [`${path}/replay/all`, () => Response.json(BUNDLE)],
    ]),
  );
  await dispatch("message", { data: { finished: [...games(7), "/account", "https://elsewhere.test/tables/x"] } });
  assert.deepEqual(await caches.paths(CACHES.pages), games(7));
  assert.deepEqual(
    await caches.paths(CACHES.replays),
    games(5)
      .reverse()
      .map((path) => `${path}/replay/all`),
  );
  fetched = [];
  await dispatch("message", { data: { finished: games(7) } });
  assert.deepEqual(fetched, [], "what is kept is not fetched again");
});

test("a newer game takes the place of the oldest", async () => {
  const all = games(6);
  server = Object.fromEntries(all.map((path) => [`${path}/replay/all`, () => Response.json(BUNDLE)]));
  await dispatch("message", { data: { finished: all.slice(1) } });
  await dispatch("message", { data: { finished: all.slice(0, 5) } });
  const kept = await caches.paths(CACHES.replays);
  assert.equal(kept.length, 5);
  assert.equal(kept.at(-1), "/tables/g0/replay/all");
  assert.ok(!kept.includes("/tables/g5/replay/all"));
});

test("logging in or out, and another language, forget one's games; files stay", async () => {
  for (const path of ["/account/login", "/account/logout", "/language"]) {
    await (await caches.open(CACHES.pages)).put("/tables/a1", over());
    await (await caches.open(CACHES.replays)).put("/tables/a1/replay/all", Response.json(BUNDLE));
    await (await caches.open(CACHES.files)).put("/offline", new Response("no network"));
    assert.equal(await request(path, { method: "POST" }), null);
    assert.deepEqual(await caches.paths(CACHES.pages), [], path);
    assert.deepEqual(await caches.paths(CACHES.replays), [], path);
    assert.deepEqual(await caches.paths(CACHES.files), ["/offline"], path);
  }
  assert.deepEqual(actions, ["unsubscribe"], "and who logs out gets no more notifications here");
});

test("a replay that was read is forgotten, too", async () => {
  await (await caches.open(CACHES.replays)).put("/tables/a1/replay/all", Response.json(BUNDLE));
  server = null;
  await request("/tables/a1/replay/1");
  await request("/account/logout", { method: "POST" });
  await assert.rejects(async () => request("/tables/a1/replay/1"), /fetch failed/);
});

// --- notifications

const PUSH = {
  data: { json: () => ({ title: "Cuba", body: "Your turn", path: "/tables/a1", tag: "t1", lang: "en" }) },
};
/** @param {string} path @param {string} visibilityState */
const page = (path, visibilityState) => ({
  url: ORIGIN + path,
  visibilityState,
  focus: () => actions.push(`focus ${path}`),
});

test("a message is shown, unless the reader looks at its page", async () => {
  await dispatch("push", PUSH);
  openPages = [page("/tables/a1", "hidden"), page("/", "visible")];
  await dispatch("push", PUSH);
  assert.deepEqual(actions, ["notify Cuba: Your turn (t1)", "notify Cuba: Your turn (t1)"]);
  openPages = [page("/tables/a1?as=1", "visible")];
  await dispatch("push", PUSH);
  assert.equal(actions.length, 2);
});

test("a click goes to the page that is open, or opens it; never another site", async () => {
  const notification = { close: () => actions.push("close"), data: { path: "/tables/a1" } };
  await dispatch("notificationclick", { notification });
  openPages = [page("/", "visible"), page("/tables/a1", "hidden")];
  await dispatch("notificationclick", { notification });
  assert.deepEqual(actions, ["close", "open /tables/a1", "close", "focus /tables/a1"]);
  actions = [];
  await dispatch("notificationclick", {
    notification: { ...notification, data: { path: "https://elsewhere.test/x" } },
  });
  assert.deepEqual(actions, ["close", "open /x"]);
});

test("another address of the push service is sent to the server", async () => {
  await dispatch("pushsubscriptionchange", { oldSubscription: { options: {} } });
  assert.deepEqual(actions, ['POST /push/device {"endpoint":"https://push.test/new","keys":{"auth":"a"}}']);
});
