// engine/client.js with a real engine in a thread: thoughts, answers, pauses, and what breaks.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { POSITIONS, ThreadWorker, toBlock } from "./engines.js";
import { openPage } from "./page.js";

openPage("");
Object.assign(globalThis, { Worker: ThreadWorker });
const { canThink, fromBase64, startEngine } = await import("#scripts/engine/client.js");

/** @typedef {import("#scripts/engine/client.js").Report} Report */
/** @typedef {import("#scripts/engine/client.js").Settings} Settings */

const ADDRESS = "/engine/santiago/0123/";
const { decision } = POSITIONS.santiago;
const block = toBlock(decision.block);
/** @type {NonNullable<ReturnType<typeof startEngine>>[]} */
let engines = [];

/** @param {Settings} [settings] */
function start(settings, address = ADDRESS) {
  const engine = startEngine(address, { options: { nodes: 1 << 14, seed: 5 }, ...settings });
  assert.ok(engine);
  engines.push(engine);
  return engine;
}

/** @param {boolean} hidden */
function setHidden(hidden) {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}

/** @param {number} ms */
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

afterEach(() => {
  for (const engine of engines) if (!engine.isClosed) engine.close();
  engines = [];
  setHidden(false);
});

test("a browser without workers, and a game without an engine, have none", () => {
  assert.equal(canThink(), true);
  assert.equal(startEngine(null), null);
  assert.equal(startEngine(""), null);
  Object.assign(globalThis, { Worker: undefined });
  assert.equal(canThink(), false);
  assert.equal(startEngine(ADDRESS), null);
  const Broken = class {
    constructor() {
      throw new Error("no modules");
    }
  };
  Object.assign(globalThis, { Worker: Broken });
  assert.equal(startEngine(ADDRESS), null);
  Object.assign(globalThis, { Worker: ThreadWorker });
});

test("bytes come as Base64", () => {
  assert.deepEqual(fromBase64(decision.block), block);
});

test("the answer is the last report, once the limit is reached", async () => {
  const engine = start();
  const report = await engine.ask(block, { limits: { simulations: 400 } });
  assert.equal(report?.isDone, true);
  assert.equal(report?.thought.simulations, 400);
  assert.deepEqual(report?.thought.moves.map(({ name }) => name).sort(), decision.moves);
  assert.equal(engine.isThinking, false);
});

test("moves to look at are tried a few hundred times", async () => {
  const engine = start();
  const plain = await engine.ask(block, { limits: { simulations: 100 } });
  const worst = plain?.thought.moves.at(-1);
  assert.ok(worst && worst.visits < 300);
  const report = await engine.ask(block, { limits: { simulations: 100 }, look: [worst.code] });
  const looked = report?.thought.moves.find(({ code }) => code === worst.code);
  assert.ok(looked && looked.visits >= 300, `${looked?.visits} visits`);
});

test("another position ends the wait for the one before with nothing", async () => {
  const engine = start();
  const first = engine.ask(block, {});
  const second = engine.ask(block, { limits: { simulations: 50 } });
  assert.equal(await first, null);
  assert.equal((await second)?.thought.simulations, 50);
});

test("a report about an earlier position is no answer for a later one", async () => {
  const engine = start();
  await engine.ask(block, { limits: { simulations: 10 } }); // it is loaded
  engine.think(block, { limits: { simulations: 20 } });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); // its report comes, and nobody has read it yet
  assert.equal((await engine.ask(block, { limits: { simulations: 300 } }))?.thought.simulations, 300);
});

test("reports come while it thinks, until it is stopped; thinking longer goes on", async () => {
  const engine = start();
  /** @type {Report[]} */
  const reports = [];
  const last = await new Promise((/** @type {(report: Report) => void} */ done) => {
    const onThought = (/** @type {Report} */ report) => {
      reports.push(report);
      if (reports.length === 2) engine.stop();
      if (report.isDone) done(report);
    };
    engine.think(block, { onThought });
    assert.equal(engine.isThinking, true);
  });
  assert.ok(reports.length >= 3);
  assert.equal(engine.isThinking, false);
  const before = last.thought.simulations;
  engine.thinkLonger({ simulations: 123 });
  while (engine.isThinking) await sleep(10);
  assert.equal(reports.at(-1)?.thought.simulations, before + 123);
});

test("while the page is hidden it pauses, and goes on afterwards", async () => {
  const engine = start();
  await engine.ask(block, { limits: { simulations: 10 } }); // it is loaded
  setHidden(true);
  let isAnswered = false;
  const answer = engine.ask(block, { limits: { simulations: 200 } });
  answer.then(() => {
    isAnswered = true;
  });
  await sleep(300);
  assert.equal(isAnswered, false);
  setHidden(false);
  assert.equal((await answer)?.thought.simulations, 200);
});

test("an engine that shall also think in a hidden page does", async () => {
  const engine = start({ hidden: "think" });
  setHidden(true);
  assert.equal((await engine.ask(block, { limits: { simulations: 20 } }))?.thought.simulations, 20);
});

test("a failure is reported once, closes the engine and ends waits", async () => {
  /** @type {string[]} */
  const failures = [];
  const engine = start({ onFailure: (message) => failures.push(message) }, "/engine/nothing/");
  assert.equal(await engine.ask(block, { limits: { simulations: 10 } }), null);
  assert.equal(engine.isClosed, true);
  await sleep(50);
  assert.equal(failures.length, 1);
  assert.match(failures[0], /404/);
  assert.equal(await engine.ask(block, {}), null, "a closed engine answers nothing");
});

test("closing ends waits, and nothing is reported afterwards", async () => {
  const engine = start();
  let reports = 0;
  const answer = engine.ask(block, { onThought: () => reports++ });
  engine.close();
  assert.equal(await answer, null);
  await sleep(100);
  assert.equal(reports, 0);
});
