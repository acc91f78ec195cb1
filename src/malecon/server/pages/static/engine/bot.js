// A decision of a bot, made as the server's bots make theirs (bots/__init__.py): the same position, the same moves that
// it overlooks, the same search. With a number of simulations, the same seed gives the same move.

import { packPosition } from "./engine.js";

/** @typedef {import("./engine.js").Engine} Engine */

/**
 * How the bot searches: for `sims` simulations or `ms` milliseconds. `miss` is the chance to overlook a move, `nodes`
 * the size of the tree; for `settings` see `Options` of the engine.
 * @typedef {{sims: number, ms: number, miss: number, nodes: number, settings: Record<string, number>}} Search
 */

/**
 * What the server asks a page for: `setup` is the position before the first move, and `codes` are all moves, 16 bits
 * each. It comes from the view of the person at the page, see server/tables/page_bots.py.
 * @typedef {object} ThinkRequest
 * @property {number} version
 * @property {number} seat
 * @property {number} players
 * @property {Uint8Array} setup
 * @property {Uint8Array} codes
 * @property {Search} search
 * @property {number} seed
 */

const MASK = (1n << 64n) - 1n;
/** The seed's stream for overlooking moves; the search has stream 0. */
const NOTICE_STREAM = 1n;
/** A move must be this far ahead of the next to be out of reach: what is left, this often, and so many more. */
const SAFE_FACTOR = 1.5;
const SAFE_VISITS = 50;

/** The random numbers of kernel/randomness.py. */
export class Randomness {
  /**
   * @param {number} seed
   * @param {bigint} stream
   */
  constructor(seed, stream) {
    let state = 0n;
    for (const part of [BigInt(seed), stream]) {
      state = (state + part + 0x9e3779b97f4a7c15n) & MASK;
      state = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
      state = ((state ^ (state >> 27n)) * 0x94d049bb133111ebn) & MASK;
      state ^= state >> 31n;
    }
    this._state = state || 1n;
  }

  /** Returns a number from 0 to count - 1. */
  below(/** @type {number} */ count) {
    this._state ^= (this._state << 13n) & MASK;
    this._state ^= this._state >> 7n;
    this._state ^= (this._state << 17n) & MASK;
    return Number(((this._state >> 32n) * BigInt(count)) >> 32n);
  }
}

/**
 * Returns the moves that a player notices who overlooks each with the chance `miss`; at least one.
 * @param {number[]} codes
 * @param {number} miss
 * @param {Randomness} random
 */
export function notice(codes, miss, random) {
  if (!miss) return codes;
  const seen = codes.filter(() => random.below(1000) >= 1000 * miss);
  return seen.length ? seen : [codes[random.below(codes.length)]];
}

/**
 * Returns the block for `Engine.setPosition` of the position as the bot sees it; throws an error if the moves are not
 * those of a game. The engine's position is another afterwards.
 * @param {Engine} engine
 * @param {ThinkRequest} request
 */
export function botBlock(engine, { players, seat, setup, codes }) {
  const pairs = new DataView(codes.buffer);
  const history = Int16Array.from({ length: codes.length / 2 }, (_, i) => pairs.getInt16(2 * i, true));
  engine.setPosition(packPosition(engine.description, { players, seat, seen: setup }));
  for (const code of history) if (!engine.play(code)) throw new RangeError(`${code} is not a legal move`);
  engine.hide(seat);
  return packPosition(engine.description, { players, seat, seen: engine.position(), start: setup, history });
}

/** Makes the decisions of bots, one at a time. */
export class Bot {
  /** @param {Engine} engine */
  constructor(engine) {
    this._engine = engine;
    /** What the tree was made with. */
    this._made = "";
    /** @type {Search | null} */
    this._search = null;
    /** The moves that the bot notices. @type {number[]} */
    this._seen = [];
    this._end = 0;
  }

  /**
   * Begins with a decision, in place of another. Like the server, it keeps the tree of a bot that thinks for a time.
   * @param {ThinkRequest} request
   */
  begin(request) {
    const { players, search, seed } = request;
    const { nodes, miss, settings } = search;
    const engine = this._engine;
    const made = JSON.stringify([players, nodes, settings]);
    if (search.sims || made !== this._made) engine.restart({ nodes, seed, settings });
    this._made = made;
    engine.setPosition(botBlock(engine, request));
    this._seen = notice(engine.legal(), miss, new Randomness(seed, NOTICE_STREAM));
    if (!engine.begin()) throw new RangeError("no seat decides");
    this._end = performance.now() + search.ms;
    this._search = search;
  }

  /** Thinks for about that many milliseconds; returns the code of the move, or null if it needs more time. */
  think(/** @type {number} */ ms) {
    if (!this._search) throw new Error("there is no decision");
    if (this._seen.length === 1) return this._seen[0];
    const { sims } = this._search;
    const engine = this._engine;
    if (sims) engine.thinkFor(ms, sims - engine.simulations);
    else engine.thinkFor(Math.min(ms, this._end - performance.now()));
    const isDone = sims ? engine.simulations >= sims : this._isDecided();
    return isDone ? (engine.read().moves.find(({ code }) => this._seen.includes(code))?.code ?? null) : null;
  }

  /** Returns whether the time is over, or no other move could overtake the most tried one. */
  _isDecided() {
    const leftMs = this._end - performance.now();
    if (leftMs <= 0) return true;
    const [best, next] = this._engine.read().moves;
    return !next || best.visits - next.visits > SAFE_FACTOR * leftMs * this._engine.speed + SAFE_VISITS;
  }
}
