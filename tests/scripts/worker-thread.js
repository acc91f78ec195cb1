// What a browser gives a worker, for a thread of Node: messages of the page, and files of the server.

import { parentPort, workerData } from "node:worker_threads";
import { engineFile } from "./engines.js";

if (!parentPort) throw new Error("this runs in a thread");
const port = parentPort;
const TYPES = { "engine.wasm": "application/wasm", "engine.json": "application/json" };

/** Between two messages to itself a browser's worker reads those of the page; Node's would read up to a thousand. */
class BrowserChannel {
  port2 = { onmessage: (/** @type {{ data: unknown }} */ _) => {} };
  port1 = { postMessage: (/** @type {unknown} */ data) => setImmediate(() => this.port2.onmessage({ data })) };
}

Object.assign(globalThis, {
  MessageChannel: BrowserChannel,
  self: {
    addEventListener: (/** @type {string} */ type, /** @type {(event: { data: unknown }) => void} */ listener) =>
      port.on(type, (data) => listener({ data })),
  },
  postMessage: (/** @type {unknown} */ message) => port.postMessage(message),
  fetch: async (/** @type {string} */ path) => {
    const [, game, name] = /^\/engine\/(\w+)\/\w+\/(engine\.(?:wasm|json))$/.exec(path) ?? [];
    if (!game) return new Response("", { status: 404 });
    const type = TYPES[/** @type {keyof typeof TYPES} */ (name)];
    return new Response(engineFile(game, name), { headers: { "content-type": type } });
  },
});

await import(workerData);
