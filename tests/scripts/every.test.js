// pages/every.js and offline.js: what every page does, and the page without a network.

import assert from "node:assert/strict";
import { test } from "node:test";
import { click, get, getAll, getDetails, openPage, press, settle, stopClock } from "./page.js";

const FINISHED = Array.from({ length: 12 }, (_, i) => `<a data-finished href="/tables/g${i}">game</a>`);
stopClock({ interval: true });
openPage(
  `<form id="sent"><select data-submit></select></form><form id="requested"><select data-send></select></form>
   <form id="other"><select></select></form>
   <details id="menu" class="seat-menu"><summary>…</summary><button>Leave</button></details>
   <details id="other-details"><summary>more</summary></details>
   <div class="my-games">${FINISHED.join("")}<a href="/tables/running">running</a></div>
   <div id="kept-games" hidden><ul></ul></div>
   <div id="kept-learning" hidden><ul></ul></div>`,
  {
    data: {
      caches: { replays: "replays-2", learning: "learning-3" },
      texts: { today: "Today: {game}", lessons: "Lessons: {game}" },
    },
  },
);

/** @type {string[]} */
const registered = [];
/** @type {unknown[]} */
const posted = [];
Object.defineProperty(navigator, "serviceWorker", {
  value: {
    register: async (/** @type {string} */ path) => registered.push(path),
    ready: Promise.resolve({ active: { postMessage: (/** @type {unknown} */ message) => posted.push(message) } }),
  },
});

test("the service worker is registered, and learns the latest finished games", async () => {
  await import("#scripts/pages/every.js");
  await settle();
  assert.deepEqual(registered, ["/worker.js"]);
  assert.deepEqual(posted, [{ finished: Array.from({ length: 10 }, (_, i) => `/tables/g${i}`), learning: [] }]);
});

test("a click elsewhere and Escape close menus; a click inside does not", () => {
  const menu = getDetails("#menu");
  menu.open = true;
  click(get("#menu button"), { detail: 1 });
  assert.equal(menu.open, true);
  get("#kept-games").click(); // as a key does that stands for it
  assert.equal(menu.open, true);
  click(get("#kept-games"), { detail: 1 });
  assert.equal(menu.open, false);
  menu.open = true;
  get("#menu button").focus();
  press("Escape", get("#menu button"));
  assert.equal(menu.open, false);
  assert.equal(document.activeElement, get("#menu summary"));
  getDetails("#other-details").open = true;
  press("Escape");
  assert.equal(getDetails("#other-details").open, true);
});

test("the server learns which board fits the screen", () => {
  assert.match(document.cookie, /layout=wide/);
});

test("selects submit their forms if they say so", () => {
  /** @type {string[]} */
  const calls = [];
  for (const form of /** @type {HTMLFormElement[]} */ (getAll("form"))) {
    form.submit = () => void calls.push(`${form.id} submit`);
    form.requestSubmit = () => void calls.push(`${form.id} requestSubmit`);
  }
  for (const select of getAll("select")) select.dispatchEvent(new Event("change", { bubbles: true }));
  assert.deepEqual(calls, ["sent submit", "requested requestSubmit"]);
});

test("without a network, what was kept is listed: games, the latest first, puzzles and lessons", async () => {
  /** @type {Record<string, [string, Response][]>} */
  const kept = {
    "replays-2": [
      ["/tables/a1/replay/all", new Response("", { headers: { "x-replay-title": "Cuba: Ana%2C Ben" } })],
      ["/tables/b2/replay/all", new Response("", { headers: { "x-replay-title": "Santiago de Cuba" } })],
    ],
    "learning-3": [
      ["/puzzles/cuba/today", new Response("", { headers: { "x-game-title": "Cuba" } })],
      ["/learn/cuba/all", Response.json({ paths: ["/learn/cuba/water"] }, { headers: { "x-game-title": "Cuba" } })],
    ],
  };
  const open = async (/** @type {string} */ name) => ({
    keys: async () => kept[name].map(([path]) => ({ url: `https://malecon.test${path}` })),
    match: async (/** @type {{ url: string }} */ { url }) =>
      kept[name].find(([path]) => url.endsWith(path))?.[1].clone(),
  });
  Object.assign(globalThis, { caches: { open } });
  await import("#scripts/pages/offline.js");
  await settle();
  const linksIn = (/** @type {string} */ box) =>
    getAll(`${box} a`).map((link) => [link.getAttribute("href"), link.textContent]);
  assert.deepEqual(linksIn("#kept-games"), [
    ["/tables/b2/replay", "Santiago de Cuba"],
    ["/tables/a1/replay", "Cuba: Ana, Ben"],
  ]);
  assert.deepEqual(linksIn("#kept-learning"), [
    ["/puzzles/cuba/today", "Today: Cuba"],
    ["/learn/cuba/water", "Lessons: Cuba"],
  ]);
  assert.equal(get("#kept-games").hidden, false);
});
