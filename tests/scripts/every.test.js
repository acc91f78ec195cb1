// pages/every.js, first-start.js and offline.js: what every page does, the first start, and the page without a network.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import {
  answerRequests,
  click,
  get,
  getAll,
  getDetails,
  openPage,
  passTime,
  press,
  requests,
  settle,
  stopClock,
  unreachable,
} from "./page.js";

const FINISHED = Array.from({ length: 12 }, (_, i) => `<a data-finished href="/tables/g${i}">game</a>`);
stopClock({ interval: true });
openPage(
  `<form id="sent"><select data-submit></select></form><form id="requested"><select data-send></select></form>
   <form id="other"><select></select></form>
   <details id="menu" class="seat-menu"><summary>…</summary><button>Leave</button></details>
   <details id="other-details"><summary>more</summary></details>
   <div class="my-games">${FINISHED.join("")}<a href="/tables/running">running</a></div>
   <p id="warming-up"><progress max="100" value="0"></progress><span></span></p>
   <div id="kept-games" hidden><ul></ul></div>`,
  { data: { replayCache: "replays-2" } },
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
  assert.deepEqual(posted, [{ finished: Array.from({ length: 10 }, (_, i) => `/tables/g${i}`) }]);
});

test("a click elsewhere and Escape close menus; a click inside does not", () => {
  const menu = getDetails("#menu");
  menu.open = true;
  click(get("#menu button"));
  assert.equal(menu.open, true);
  click(get("#kept-games"));
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

test("the first start shows its progress until it is over", async () => {
  await import("#scripts/pages/first-start.js");
  answerRequests(() => Response.json({ percent: 40, text: "40%" }));
  await passTime(999);
  assert.equal(requests.length, 0);
  await passTime(1);
  assert.equal(/** @type {HTMLProgressElement} */ (get("progress")).value, 40);
  assert.equal(get("#warming-up span").textContent, "40%");
  answerRequests(unreachable);
  await passTime(2000);
  assert.equal(requests.length, 1, "it asks");
  answerRequests(() => Response.json({ percent: null, text: "" }));
  await passTime(2000);
  assert.equal(getAll("#warming-up").length, 0);
  requests.length = 0;
  await passTime(10_000);
  assert.deepEqual(requests, [], "and it asks no more");
});

test("without a network, the games that were kept are listed, the latest first", async () => {
  const titles = new Map([
    ["https://malecon.test/tables/a1/replay/all", "Cuba: Ana%2C Ben"],
    ["https://malecon.test/tables/b2/replay/all", "Santiago de Cuba"],
  ]);
  const open = mock.fn(async (/** @type {string} */ _) => ({
    keys: async () => [...titles.keys()].map((url) => ({ url })),
    match: async (/** @type {{ url: string }} */ { url }) =>
      new Response("", { headers: { "x-replay-title": titles.get(url) ?? "" } }),
  }));
  Object.assign(globalThis, { caches: { open } });
  await import("#scripts/pages/offline.js");
  await settle();
  assert.deepEqual(open.mock.calls[0].arguments, ["replays-2"]);
  const links = getAll("#kept-games a");
  assert.deepEqual(
    links.map((link) => [link.getAttribute("href"), link.textContent]),
    [
      ["/tables/b2/replay", "Santiago de Cuba"],
      ["/tables/a1/replay", "Cuba: Ana, Ben"],
    ],
  );
  assert.equal(get("#kept-games").hidden, false);
});
