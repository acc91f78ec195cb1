// table/page-bots.js: when the page offers to think for the bots, and when it lets the server do it.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answerRequests, lastSocket, openPage, passTime, stopClock, useFakeSockets } from "./page.js";
import { tablePage } from "./table-page.js";

stopClock();
openPage(tablePage([], { attributes: 'data-engine="0123"' }));
useFakeSockets();
answerRequests(() => Response.json({}));

/** A worker of the page; the test is its script. */
class FakeWorker {
  /** @type {((event: { data: object }) => void) | null} */
  onmessage = null;
  /** @type {((event: object) => void) | null} */
  onerror = null;
  /** @type {any[]} */
  received = [];
  isTerminated = false;

  constructor() {
    workers.push(this);
  }

  /** @param {object} message */
  postMessage(message) {
    this.received.push(message);
  }

  terminate() {
    this.isTerminated = true;
  }

  /** @param {object} data */
  answer(data) {
    this.onmessage?.({ data });
  }
}
/** @type {FakeWorker[]} */
const workers = [];
Object.assign(globalThis, { Worker: FakeWorker });
await import("#scripts/pages/table.js");
await import("#scripts/table/page-bots.js");

const worker = () => /** @type {FakeWorker} */ (workers.at(-1));
const types = () => worker().received.map(({ type }) => type);
const THINK = { version: 3, seat: 1, players: 2, setup: "AQI=", codes: "AwQ=", search: {}, seed: 5 };
/** @param {boolean} hidden */
function setHidden(hidden) {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Opens another connection, with an engine that is ready. */
beforeEach(async () => {
  setHidden(false);
  lastSocket().end();
  await passTime(10_000);
  lastSocket().accept();
  worker().answer({ type: "ready" });
  lastSocket().sent.length = 0;
  worker().received.length = 0;
});

test("the worker loads the game's engine, and the server is told when it is ready", async () => {
  lastSocket().end();
  await passTime(10_000);
  lastSocket().accept();
  assert.deepEqual(lastSocket().sent, [{ engine: "0123" }], "every connection is told");
  worker().answer({ type: "error", message: "out of memory" });
  lastSocket().end();
  await passTime(10_000);
  lastSocket().accept();
  assert.deepEqual(worker().received, [{ type: "load", address: "/engine/cuba/0123/" }], "a broken one is replaced");
  assert.deepEqual(lastSocket().sent, []);
  worker().answer({ type: "ready" });
  assert.deepEqual(lastSocket().sent, [{ engine: "0123" }]);
});

test("the server's question goes to the worker, its move to the server", () => {
  lastSocket().deliver({ think: THINK });
  const [{ type, request }] = worker().received;
  assert.equal(type, "decide");
  assert.deepEqual([request.setup, request.codes], [Uint8Array.of(1, 2), Uint8Array.of(3, 4)]);
  assert.equal(request.version, 3);
  worker().answer({ type: "move", version: 3, seat: 1, code: 42 });
  assert.deepEqual(lastSocket().sent, [{ version: 3, seat: 1, code: 42 }]);
});

test("a hidden page lets the server think, and offers itself again when it is seen", () => {
  setHidden(true);
  assert.deepEqual(types(), ["stop"]);
  assert.deepEqual(lastSocket().sent, [{ engine: null }]);
  worker().answer({ type: "ready" });
  lastSocket().deliver({ think: THINK }); // it was on its way
  assert.deepEqual(lastSocket().sent, [{ engine: null }, { engine: null }]);
  assert.deepEqual(types(), ["stop"]);
  setHidden(false);
  assert.deepEqual(lastSocket().sent.at(-1), { engine: "0123" });
});

test("an engine that fails is ended, and the server thinks", () => {
  const broken = worker();
  broken.answer({ type: "error", message: "out of memory" });
  assert.equal(broken.isTerminated, true);
  assert.deepEqual(lastSocket().sent, [{ engine: null }]);
  setHidden(true);
  setHidden(false);
  assert.notEqual(worker(), broken, "another one is started when the page is seen again");
});

test("a page that is too slow three times in a row is not offered again by itself", () => {
  for (let i = 0; i < 3; i++) {
    lastSocket().deliver({ stop_thinking: 3 });
    worker().answer({ type: "ready" });
  }
  assert.deepEqual(types(), ["stop", "stop", "stop"]);
  assert.equal(lastSocket().sent.filter((message) => JSON.stringify(message).includes("0123")).length, 2);
});

test("a move in time is forgiven", () => {
  for (let i = 0; i < 4; i++) {
    lastSocket().deliver({ stop_thinking: 3 });
    worker().answer({ type: "move", version: 3, seat: 1, code: 42 });
    worker().answer({ type: "ready" });
  }
  assert.equal(lastSocket().sent.filter((message) => JSON.stringify(message).includes("0123")).length, 4);
});
