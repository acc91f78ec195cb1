// A worker that thinks about one position at a time: new Worker("/static/engine/worker.js", {type: "module"}).
//
// It is sent objects with a `type`:
//   load      {address, options?}           fetch and start the engine of a game, see `loadEngine`
//   position  {id, block, limits?, look?}   think about this position (see `Engine.setPosition`) in place of another
//   start     {limits?}                     think on about it: "think longer"
//   stop      {}                            stop thinking
//   pause     {}                            wait until `resume`, whatever else is sent
// Limits are {simulations?, ms?}, of this thought alone; without any it thinks until it is stopped. The moves in
// `look`, in notation, are tried at least LOOK_SIMULATIONS times, so that their chances can be compared with the best;
// what is reported about the seats then counts these tries, too.
//
// It sends:
//   ready     {}                            after `load`
//   thought   {id, thought, speed, isDone}  soon, every 200 ms, and at the end: a `Thought`, and simulations a second
//   error     {id?, message}                something could not be; it goes on waiting for messages
//
// It works in slices of at most 50 ms and reads its messages between them. Messages before it is `ready` wait.
// A page that is hidden sends `pause`; client.js does.

import { loadEngine } from "./engine.js";

/** @typedef {{simulations?: number, ms?: number}} Limits */

const SLICE_MS = 40;
const REPORT_MS = 200;
const LOOK_SIMULATIONS = 300;

/** @type {import("./engine.js").Engine | null} */
let engine = null;
/** The number of the position; null before the first. @type {number | null} */
let current = null;
/** The thought that is going on. @type {{end: number, until: number} | null} */
let task = null;
let spentMs = 0;
let reported = 0;
let isScheduled = false;
let isPaused = false;
/** Moves that are still to be looked at. @type {number[]} */
let looks = [];

// Unlike timers, messages to oneself are not delayed, and they wait their turn behind those of the page.
const { port1: next, port2: own } = new MessageChannel();
own.onmessage = slice;

function schedule() {
  if (isScheduled || isPaused) return;
  isScheduled = true;
  next.postMessage(null);
}

function report(/** @type {boolean} */ isDone) {
  if (!engine || current === null) return;
  reported = performance.now();
  const thought = engine.read();
  const speed = spentMs ? (1000 * thought.simulations) / spentMs : 0;
  postMessage({ type: "thought", id: current, thought, speed, isDone });
}

function slice() {
  isScheduled = false;
  if (!engine || !task || isPaused) return;
  const began = performance.now();
  const look = looks.shift();
  if (look !== undefined) engine.lookAt(look, LOOK_SIMULATIONS);
  else engine.thinkFor(Math.max(0, Math.min(SLICE_MS, task.until - spentMs)), task.end - engine.simulations);
  const now = performance.now();
  spentMs += now - began;
  const isDone = !looks.length && (engine.simulations >= task.end || spentMs >= task.until);
  if (isDone) task = null;
  else schedule();
  if (isDone || now - reported >= REPORT_MS) report(isDone);
}

/** Thinks about the current position, as far as the limits allow. */
function think(/** @type {Limits} */ { simulations = Infinity, ms = Infinity } = {}) {
  if (!engine || current === null) throw new Error("there is no position");
  task = { end: engine.simulations + simulations, until: spentMs + ms };
  reported = performance.now();
  schedule();
}

/** @type {Record<string, (message: any) => void | Promise<void>>} */
const HANDLERS = {
  async load({ address, options }) {
    task = current = null;
    engine = await loadEngine(address, options);
    postMessage({ type: "ready" });
  },
  position({ id, block, limits, look = [] }) {
    if (!engine) throw new Error("no engine is loaded");
    const { description } = engine;
    task = current = null;
    engine.setPosition(new Uint8Array(block));
    current = id;
    spentMs = 0;
    looks = look.map((/** @type {string} */ name) => description.moves.indexOf(name));
    if (!engine.begin()) return report(true);
    think(limits);
    reported = Number.NEGATIVE_INFINITY; // the first slice is reported
  },
  start({ limits }) {
    think(limits);
  },
  stop() {
    if (!task) return;
    task = null;
    report(true);
  },
  pause() {
    isPaused = true;
  },
  resume() {
    isPaused = false;
    if (task) schedule();
  },
};

async function handle(/** @type {any} */ data) {
  try {
    await HANDLERS[data.type](data);
  } catch (error) {
    postMessage({ type: "error", id: data?.id, message: String(error instanceof Error ? error.message : error) });
  }
}

let handled = Promise.resolve();

self.addEventListener("message", ({ data }) => {
  handled = handled.then(() => handle(data));
});
