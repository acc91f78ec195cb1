// engine/worker.js in a thread, with the real modules: slices, limits, reports, and what it does not know.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { GAMES, POSITIONS, ThreadWorker, toBlock } from "./engines.js";

/** @typedef {import("#scripts/engine/engine.js").Thought} Thought */
/** @typedef {{ type: string, id: number, thought: Thought, speed: number, isDone: boolean, message: string }} Message */

const options = { nodes: 1 << 16, seed: 5 };
const worker = new ThreadWorker(import.meta.resolve("#scripts/engine/worker.js"));
/** @type {Message[]} */
let received = [];
/** @type {(() => void) | null} */
let wake = null;
worker.addEventListener("message", ({ data }) => {
  received.push(data);
  wake?.();
});
after(() => worker.terminate());

/**
 * Waits for a message that fulfils a condition; returns it with those before it.
 * @param {(message: Message) => boolean} isMeant
 */
async function until(isMeant) {
  for (;;) {
    const index = received.findIndex(isMeant);
    if (index >= 0) return received.splice(0, index + 1);
    await new Promise((/** @type {(value: void) => void} */ done) => {
      wake = done;
    });
  }
}

/** @param {string} type */
const next = async (type) => /** @type {Message} */ ((await until((message) => message.type === type)).at(-1));
/** @param {number} id */
const done = (id) => until((message) => message.type === "thought" && message.id === id && message.isDone);
/** @param {number} ms */
const sleep = (ms) => new Promise((wakeUp) => setTimeout(wakeUp, ms));

test("without an engine it says so, and goes on", async () => {
  worker.postMessage({ type: "position", id: 1, block: toBlock(POSITIONS.cuba.decision.block) });
  const error = await next("error");
  assert.equal(error.id, 1);
  assert.equal(error.message, "no engine is loaded");
});

test("an engine that is not there is an error", async () => {
  worker.postMessage({ type: "load", address: "/engine/nothing/" });
  assert.match((await next("error")).message, /\/engine\/nothing\/engine\.\w+: 404/);
});

for (const [number, game] of GAMES.entries()) {
  const { decision, over } = POSITIONS[game];
  const block = toBlock(decision.block);
  const id = 10 * (number + 1);

  test(`${game}: it is ready after loading`, async () => {
    worker.postMessage({ type: "load", address: `/engine/${game}/0123/`, options });
    await next("ready");
  });

  test(`${game}: it thinks as many simulations as the limit says`, async () => {
    worker.postMessage({ type: "position", id, block, limits: { simulations: 500 } });
    const { thought, speed } = /** @type {Message} */ ((await done(id)).at(-1));
    assert.equal(thought.simulations, 500);
    assert.deepEqual(thought.moves.map(({ name }) => name).sort(), decision.moves);
    assert.ok(speed > 0);
  });

  test(`${game}: thinking longer adds to what was thought`, async () => {
    worker.postMessage({ type: "start", limits: { simulations: 250 } });
    const { thought } = /** @type {Message} */ ((await done(id)).at(-1));
    assert.equal(thought.simulations, 750);
  });

  test(`${game}: it thinks as long as the limit says, and reports meanwhile`, async () => {
    worker.postMessage({ type: "position", id: id + 1, block, limits: { ms: 700 } });
    const reports = (await done(id + 1)).filter(({ type }) => type === "thought");
    const last = /** @type {Message} */ (reports.at(-1));
    const spentMs = (1000 * last.thought.simulations) / last.speed;
    assert.ok(spentMs >= 700 && spentMs < 750, `it thought for ${spentMs} ms`);
    assert.ok(reports.length >= 3, `${reports.length} reports in 700 ms`);
    const simulations = reports.map(({ thought }) => thought.simulations);
    assert.deepEqual(
      simulations,
      [...simulations].sort((a, b) => a - b),
    );
    assert.deepEqual(
      reports.map(({ isDone }) => isDone),
      [...Array(reports.length - 1).fill(false), true],
    );
  });

  test(`${game}: without limits it thinks until it is stopped, and it hears that soon`, async () => {
    const answersMs = [];
    for (let i = 0; i < 7; i++) {
      worker.postMessage({ type: "position", id: id + 2, block });
      await sleep(60 + 10 * i);
      const asked = performance.now();
      worker.postMessage({ type: "stop" });
      await done(id + 2);
      answersMs.push(performance.now() - asked);
    }
    const [median] = answersMs.sort((a, b) => a - b).slice(3);
    assert.ok(median < 150, `after ${answersMs.map(Math.round)} ms, with slices of 50 ms at most`);
  });

  test(`${game}: after it has stopped it reports nothing more`, async () => {
    received = [];
    worker.postMessage({ type: "stop" });
    await sleep(100);
    assert.deepEqual(received, []);
  });

  test(`${game}: another position takes the place of the one it thinks about`, async () => {
    worker.postMessage({ type: "position", id: id + 3, block });
    worker.postMessage({ type: "position", id: id + 4, block, limits: { simulations: 300 } });
    const messages = await done(id + 4);
    assert.ok(messages.every((message) => !(message.id === id + 3 && message.isDone)));
    assert.equal(messages.at(-1)?.thought.simulations, 300);
    await sleep(100);
    assert.ok(!received.some((message) => message.id === id + 3), "it went on with the first position");
  });

  test(`${game}: a finished game is reported at once`, async () => {
    worker.postMessage({ type: "position", id: id + 5, block: toBlock(over) });
    const { thought } = /** @type {Message} */ ((await done(id + 5)).at(-1));
    assert.deepEqual(thought.moves, []);
  });

  test(`${game}: bytes that are no position are an error, and the next position is thought about`, async () => {
    worker.postMessage({ type: "position", id: id + 6, block: new Uint8Array(7) });
    const error = await next("error");
    assert.deepEqual([error.id, error.message], [id + 6, "not a block of this game"]);
    worker.postMessage({ type: "start", limits: { ms: 1 } });
    assert.equal((await next("error")).message, "there is no position");
    worker.postMessage({ type: "position", id: id + 7, block, limits: { simulations: 10 } });
    assert.equal((await done(id + 7)).at(-1)?.thought.simulations, 10);
  });
}
