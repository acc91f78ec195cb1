// The games' real engine modules and positions for them (tests/script_positions.py), and workers as threads of Node.

import { readFileSync } from "node:fs";
import { Worker as Thread } from "node:worker_threads";
import { createEngine } from "#scripts/engine/engine.js";

/**
 * @typedef {object} GamePositions
 * @property {number} players
 * @property {{ seat: number, block: string, moves: string[] }} decision
 * @property {string} over
 */

export const GAMES = ["santiago", "cuba"];

/**
 * Returns a file of a game's engine.
 * @param {string} game
 * @param {string} name
 */
export const engineFile = (game, name) =>
  readFileSync(new URL(`../../src/malecon/games/${game}/${name}`, import.meta.url));

/** @type {Record<string, GamePositions>} */
export const POSITIONS = JSON.parse(readFileSync(new URL("positions.json", import.meta.url), "utf8"));

/** @param {string} text Base64 */
export const toBlock = (text) => new Uint8Array(Buffer.from(text, "base64"));

/**
 * @param {string} game
 * @returns {import("#scripts/engine/engine.js").Description}
 */
export const describe = (game) => JSON.parse(engineFile(game, "engine.json").toString("utf8"));

/**
 * Returns an engine with a small tree.
 * @param {string} game
 * @param {import("#scripts/engine/engine.js").Options} [options]
 */
export const startEngine = (game, options) =>
  createEngine(engineFile(game, "engine.wasm"), describe(game), { nodes: 1 << 14, seed: 5, ...options });

/** The browser's Worker, as a thread of Node that runs worker-thread.js. */
export class ThreadWorker {
  /** @param {string | URL} script */
  constructor(script) {
    this.thread = new Thread(new URL("worker-thread.js", import.meta.url), { workerData: String(script) });
  }

  /**
   * @param {"message" | "error"} type
   * @param {(event: any) => void} listener
   */
  addEventListener(type, listener) {
    if (type === "message") this.thread.on("message", (data) => listener({ data }));
    else this.thread.on("error", ({ message }) => listener({ message, preventDefault() {} }));
  }

  /** @param {unknown} message */
  postMessage(message) {
    this.thread.postMessage(message);
  }

  terminate() {
    return this.thread.terminate();
  }
}
