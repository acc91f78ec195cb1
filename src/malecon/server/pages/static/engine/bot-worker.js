// A worker that thinks for bots: new Worker("/static/engine/bot-worker.js", {type: "module"}).
//
// It is sent objects with a `type`:
//   load     {address}      fetch and start the engine of a game, see `loadEngine`
//   decide   {request}      choose a move (a `ThinkRequest`), in place of another decision
//   stop     {}             no longer think about it
//
// It sends:
//   ready    {}             after `load`, and after `stop`
//   move     {version, seat, code}
//   error    {message}      something could not be
//
// It works in slices of at most 50 ms and reads its messages between them.

import { Bot } from "./bot.js";
import { loadEngine } from "./engine.js";

/** @typedef {import("./bot.js").ThinkRequest} ThinkRequest */

const SLICE_MS = 40;
/** The tree gets its size with the first decision. */
const FIRST_NODES = 16;

/** @type {Bot | null} */
let bot = null;
/** @type {ThinkRequest | null} */
let current = null;

// Unlike timers, messages to oneself are not delayed, and they wait their turn behind those of the page.
const { port1: next, port2: own } = new MessageChannel();
own.onmessage = ({ data }) => {
  if (data === current?.version) attempt(slice);
};

function slice() {
  if (!bot || !current) return;
  const { version, seat } = current;
  const code = bot.think(SLICE_MS);
  if (code === null) {
    next.postMessage(version);
    return;
  }
  current = null;
  postMessage({ type: "move", version, seat, code });
}

/** @type {Record<string, (message: any) => void | Promise<void>>} */
const HANDLERS = {
  async load({ address }) {
    bot = new Bot(await loadEngine(address, { nodes: FIRST_NODES }));
    postMessage({ type: "ready" });
  },
  decide({ request }) {
    if (!bot) throw new Error("no engine is loaded");
    current = null;
    bot.begin(request);
    current = request;
    slice();
  },
  stop() {
    current = null;
    if (bot) postMessage({ type: "ready" });
  },
};

/** Does something; the page gets to know if it cannot be done. */
async function attempt(/** @type {() => void | Promise<void>} */ action) {
  try {
    await action();
  } catch (error) {
    current = null;
    postMessage({ type: "error", message: String(error instanceof Error ? error.message : error) });
  }
}

self.addEventListener("message", ({ data }) => attempt(() => HANDLERS[data.type](data)));
