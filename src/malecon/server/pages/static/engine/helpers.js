// Workers that think about further positions than the one that is shown, each with a tree of its own: the neighbours in
// a replay, and the decisions of a review.

import { getJson } from "../shared/requests.js";
import { fromBase64, startEngine } from "./client.js";

/** @typedef {import("./client.js").EngineClient} EngineClient */
/** @typedef {import("./client.js").Report} Report */
/** @typedef {import("./position.js").Position} Position */
/** @typedef {{ position: Position, report: Report }} Finding */

const OPTIONS = { nodes: 1 << 16, margin: 0 };
const THINKING_MS = 1500;
/** Cores that stay free for the page and for the worker of the shown position. */
const OTHER_CORES = 2;
const MOST_WORKERS = 2;

/** Workers that think about positions one after the other, the most wanted first. */
export class Helpers {
  /**
   * @param {string} address of the engine
   * @param {(path: string, finding: Finding) => void} onFinding
   */
  constructor(address, onFinding) {
    this._address = address;
    this._onFinding = onFinding;
    /** Paths of positions that are still to be thought about. @type {string[]} */
    this._wanted = [];
    /** What was found out, by path; null while it is thought about, and if no seat decides. */
    this._findings = /** @type {Map<string, Finding | null>} */ (new Map());
    /** @type {EngineClient[]} */
    this._clients = [];
  }

  /** Thinks about these positions next, by the paths they are fetched from; nothing is thought about twice. */
  want(/** @type {string[]} */ paths) {
    this._wanted = paths.filter((path) => !this._findings.has(path));
    const most = Math.min(MOST_WORKERS, Math.max(1, navigator.hardwareConcurrency - OTHER_CORES));
    while (this._wanted.length && this._clients.length < most) {
      const client = startEngine(this._address, { options: OPTIONS });
      if (!client) return;
      this._clients.push(client);
      this._work(client);
    }
  }

  /** Returns what was found out about a position. */
  of(/** @type {string} */ path) {
    return this._findings.get(path);
  }

  /** Lets a worker think until nothing is wanted any more; then it ends. */
  async _work(/** @type {EngineClient} */ client) {
    for (let path = this._wanted.shift(); path; path = this._wanted.shift()) {
      this._findings.set(path, null);
      /** @type {Position | null} */
      const position = await getJson(path).catch(() => null);
      if (!position) continue;
      const look = position.made ? [position.made] : [];
      const report = await client.ask(fromBase64(position.block), { limits: { ms: THINKING_MS }, look });
      if (!report) break;
      this._findings.set(path, { position, report });
      this._onFinding(path, { position, report });
    }
    client.close();
    this._clients = this._clients.filter((other) => other !== client);
  }
}
