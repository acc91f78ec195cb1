// A page's way to an engine: starts a worker (worker.js), sends it positions and passes on what it finds out.
//
//   const engine = startEngine(address, { onFailure });     null if this browser cannot
//   engine.think(block, { onThought, limits, look });        in place of what it was thinking about
//   engine.thinkLonger(limits); engine.stop(); engine.close();
//   await engine.ask(block, { limits, look })                the last report of a thought; null if there is none
//
// While the page is hidden, the worker pauses; it goes on when the page is seen again.

/** @typedef {import("./engine.js").Thought} Thought */
/** @typedef {import("./engine.js").Options} Options */
/** @typedef {import("./worker.js").Limits} Limits */

/**
 * What a worker reports: a thought, its simulations a second, and whether it is done with it.
 * @typedef {{ thought: Thought, speed: number, isDone: boolean }} Report
 */

/**
 * What to think about a position. `look` are codes of moves that are tried at least a few hundred times.
 * @typedef {object} Task
 * @property {Limits} [limits] without any it thinks until it is stopped
 * @property {number[]} [look]
 * @property {(report: Report) => void} [onThought]
 */

/**
 * `onFailure` is called once if the engine cannot be loaded or breaks; then it is closed. `hidden` says whether it
 * also thinks while the page is hidden.
 * @typedef {{ options?: Options, hidden?: "pause" | "think", onFailure?: (message: string) => void }} Settings
 */

const WORKER = new URL("./worker.js", import.meta.url);

/** Returns whether this browser may be able to run an engine; whether it is, shows when it is loaded. */
export const canThink = () => typeof Worker === "function" && typeof WebAssembly === "object";

/**
 * Returns the bytes of a text in Base64.
 * @param {string} text
 */
export const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/**
 * Starts an engine in a worker; returns null if there is none, or if the browser cannot run it.
 * @param {string | null | undefined} address of the game's engine, with a slash at its end
 * @param {Settings} [settings]
 */
export function startEngine(address, settings = {}) {
  if (!address || !canThink()) return null;
  try {
    return new EngineClient(address, settings);
  } catch {
    return null; // a browser without workers that are modules
  }
}

/** A worker with an engine. Use `startEngine`. */
export class EngineClient {
  /**
   * @param {string} address
   * @param {Settings} settings
   */
  constructor(address, { options = { margin: 0 }, hidden = "pause", onFailure = () => {} }) {
    this._worker = new Worker(WORKER, { type: "module" });
    this._onFailure = onFailure;
    /** The number of the position. */
    this._id = 0;
    /** What is called with reports about it. @type {((report: Report) => void) | null} */
    this._onThought = null;
    /** Ends a wait for the last report. @type {((report: Report | null) => void) | null} */
    this._answer = null;
    this.isThinking = false;
    this.isClosed = false;
    this._worker.addEventListener("message", ({ data }) => this._receive(data));
    this._worker.addEventListener("error", (event) => {
      event.preventDefault();
      this._fail(event.message ?? "");
    });
    this._onVisibility = () => this._send({ type: document.hidden ? "pause" : "resume" });
    if (hidden === "pause") document.addEventListener("visibilitychange", this._onVisibility);
    this._send({ type: "load", address, options });
    if (hidden === "pause" && document.hidden) this._onVisibility();
  }

  _send(/** @type {object} */ message) {
    if (!this.isClosed) this._worker.postMessage(message);
  }

  /** Something that the worker sent, see worker.js. */
  _receive(/** @type {any} */ data) {
    if (this.isClosed) return;
    if (data.type === "error") this._fail(data.message);
    if (data.type !== "thought" || data.id !== this._id) return;
    if (data.isDone) this.isThinking = false;
    this._onThought?.(data);
    if (data.isDone) this._finish(data);
  }

  _finish(/** @type {Report | null} */ report) {
    const answer = this._answer;
    this._answer = null;
    answer?.(report);
  }

  _fail(/** @type {string} */ message) {
    if (this.isClosed) return;
    this.close();
    this._onFailure(message);
  }

  /**
   * Thinks about a position in place of another. Messages wait until the engine is loaded.
   * @param {Uint8Array} block
   * @param {Task} [task]
   */
  think(block, { limits, look, onThought } = {}) {
    this._finish(null);
    this._id += 1;
    this._onThought = onThought ?? null;
    this.isThinking = true;
    this._send({ type: "position", id: this._id, block, limits, look });
  }

  /**
   * Thinks about a position and returns the last report; null if it was stopped, replaced or broke.
   * @param {Uint8Array} block
   * @param {Task} task with limits
   * @returns {Promise<Report | null>}
   */
  ask(block, task) {
    if (this.isClosed) return Promise.resolve(null);
    this.think(block, task);
    return new Promise((resolve) => {
      this._answer = resolve;
    });
  }

  /** Thinks on about the position. */
  thinkLonger(/** @type {Limits} */ limits = {}) {
    this.isThinking = true;
    this._send({ type: "start", limits });
  }

  /** Stops thinking; a last report follows. */
  stop() {
    this._send({ type: "stop" });
  }

  /** Ends the worker. */
  close() {
    document.removeEventListener("visibilitychange", this._onVisibility);
    this._worker.terminate();
    this.isClosed = true;
    this.isThinking = false;
    this._finish(null);
  }
}
