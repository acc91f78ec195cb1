// The engine module of a game (engine.wasm, described by engine.json), for browsers, workers and Node. No dependencies.
//
//   const engine = await loadEngine("/engine/GAME/VERSION/");             in a page or a worker
//   const engine = await createEngine(wasmBytes, description, options);    in Node
//   engine.setPosition(block);    a block: what a seat may know; the server sends it, `packPosition` makes one
//   engine.begin();               how many moves there are; 0 if no seat decides
//   engine.think(1000);           simulations; or engine.thinkFor(25) milliseconds. As often as one likes
//   engine.solve(100000);         prove what can be proven about an ending, looking at so many positions
//   engine.read();                the moves, best first, with chances and lines; see `Thought`
//
// The same seed, nodes and simulations give the same numbers as the bots in Python, to the last bit.
// worker.js thinks with it outside the page's own thread.

/**
 * An array in the module's memory. Its place counts from the exported global `state`.
 * @typedef {{type: string, offset: number, shape: number[]}} Field
 */

/**
 * What engine.json holds. `moves` are the notations of all moves by their codes.
 * @typedef {object} Description
 * @property {string} game
 * @property {number} interface
 * @property {string} digest
 * @property {string} sha256
 * @property {[number, number]} players
 * @property {string[]} integers
 * @property {string[]} floats
 * @property {[number, number]} lines
 * @property {Record<string, Field>} fields
 * @property {string[]} moves
 */

/**
 * `nodes` is the size of the tree, rounded up to a power of two: about 270 bytes each.
 * `margin` is the share of the reward that is given for the lead and not for the win; chances are only exact with 0.
 * `settings` are numbers of the search by their names in `integers` and `floats`, if they are not the usual ones.
 * @typedef {{nodes?: number, seed?: number, margin?: number, settings?: Record<string, number>}} Options
 */

/**
 * A proven result for the seat that moves. With more than two players, it has lost if no line of play leads to its win.
 * @typedef {"won" | "drawn" | "lost"} Proof
 */

/**
 * A move with the mover's chance after it. The best ones have a line: codes of the moves that are expected, itself
 * first, and their names in notation. If `proof` is not null, the chance is certain.
 * @typedef {object} Choice
 * @property {number} code
 * @property {string} name
 * @property {number} visits
 * @property {number} chance
 * @property {number[]} line
 * @property {string[]} names
 * @property {Proof | null} proof
 */

/**
 * What is proven about the position, whatever anybody does: the seat that can force its win, or that neither of two
 * can; or the seat that cannot win but decides who does ("in Blue's hands"). `canWin` are the seats not proven to have
 * lost.
 * @typedef {{winner: number | null, isDrawn: boolean, decider: number | null, canWin: number[]}} Verdict
 */

/**
 * What a search has found out: moves best first, and the chance of every seat and by how many points it will be ahead.
 * `verdict` is null unless `solve` was called for this position.
 * @typedef {object} Thought
 * @property {Choice[]} moves
 * @property {number[]} seats
 * @property {number[]} leads
 * @property {number} simulations
 * @property {Verdict | null} verdict
 */

/**
 * A position as one seat sees it, in the bytes of the game's records. `start` and `history` (codes of moves) only if
 * every move was made in the open.
 * @typedef {object} Seen
 * @property {number} players
 * @property {number} seat
 * @property {Uint8Array} seen
 * @property {Uint8Array} [start]
 * @property {number[] | Int16Array} [history]
 */

/** The interface that this script knows. */
export const INTERFACE = 2;
/** Enough for two minutes of thinking, in about 70 MB. */
export const USUAL_NODES = 1 << 18;
/** How long a call of the module may take, as far as can be known before. */
const CHUNK_MS = 4;
/** In place of the number of moves: there is no history. */
const NO_HISTORY = -1;

/** The numbers of proofs and verdicts, as `bots/solver.py` has them. */
const PROOFS = /** @type {(Proof | null)[]} */ ([null, "won", "drawn", "lost"]);
const FORCED = 1;
const DRAWN = 2;
const DECIDED = 3;

const ARRAYS = /** @type {const} */ ({
  int16: Int16Array,
  int32: Int32Array,
  float64: Float64Array,
});

/**
 * Fetches the files of a game's engine and starts it.
 * @param {string} address of the folder, with a slash at its end
 * @param {Options} [options]
 * @returns {Promise<Engine>}
 */
export async function loadEngine(address, options) {
  const get = async (/** @type {string} */ name) => {
    const response = await fetch(address + name);
    if (!response.ok) throw new Error(`${address}${name}: ${response.status}`);
    return response;
  };
  const [module, description] = await Promise.all([
    WebAssembly.compileStreaming(get("engine.wasm")),
    get("engine.json").then((response) => response.json()),
  ]);
  return createEngine(module, description, options);
}

/**
 * Starts an engine.
 * @param {WebAssembly.Module | BufferSource} wasm
 * @param {Description} description
 * @param {Options} [options]
 * @returns {Promise<Engine>}
 */
export async function createEngine(wasm, description, options) {
  if (description.interface !== INTERFACE) throw new Error(`engine interface ${description.interface} is not known`);
  const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
  return new Engine(await WebAssembly.instantiate(module), description, options);
}

/**
 * Returns the block of a position for `Engine.setPosition`.
 * @param {Description} description
 * @param {Seen} position
 * @returns {Uint8Array}
 */
export function packPosition({ fields }, { players, seat, seen, start, history }) {
  const moves = Int16Array.from(history ?? []);
  const block = new Uint8Array(fields.history.offset + moves.byteLength);
  const parts = {
    header: new Uint8Array(Int32Array.of(players, seat, history ? moves.length : NO_HISTORY).buffer),
    seen,
    start: start ?? new Uint8Array(),
    history: new Uint8Array(moves.buffer),
  };
  for (const [name, bytes] of Object.entries(parts)) block.set(bytes, fields[name].offset);
  return block;
}

/** A running engine. Its calls return when they are done, so pages use it in a worker. */
export class Engine {
  /**
   * Use `createEngine` or `loadEngine`.
   * @param {WebAssembly.Instance} instance
   * @param {Description} description
   * @param {Options} [options]
   */
  constructor(instance, description, options = {}) {
    this.description = description;
    /** @type {any} */
    this._exports = instance.exports;
    this._perMs = 2; // simulations, until measured
    this._arrays = this._start(options);
  }

  /**
   * Forgets the position and the tree, and begins with these options, as a new engine does.
   * @param {Options} [options]
   */
  restart(options = {}) {
    this._arrays = this._start(options);
  }

  /**
   * Makes room for a tree; returns the arrays of the module's memory, which may have grown.
   * @param {Options} options
   */
  _start({ nodes = USUAL_NODES, seed = 0, margin = 0, settings = {} }) {
    if (!this._exports.start(nodes, seed | 0)) throw new RangeError(`no memory for a tree of ${nodes} nodes`);
    const arrays = {
      floats: this._array("floats"),
      integers: this._array("integers"),
      codes: this._array("results.codes"),
      visits: this._array("results.visits"),
      chances: this._array("results.chances"),
      seats: this._array("results.seats"),
      leads: this._array("results.leads"),
      lines: this._array("results.lines"),
      lengths: this._array("results.lengths"),
      proofs: this._array("results.proofs"),
      verdict: this._array("solver.verdict"),
    };
    const { floats, integers } = this.description;
    for (const [name, value] of Object.entries({ margin, ...settings })) {
      if (floats.includes(name)) arrays.floats[floats.indexOf(name)] = value;
      else if (integers.includes(name)) arrays.integers[integers.indexOf(name)] = value;
      else throw new RangeError(`no setting ${name}`);
    }
    return arrays;
  }

  /** An array of the module's memory, which does not grow after `start`. */
  _array(/** @type {string} */ name) {
    const { type, offset, shape } = this.description.fields[name];
    const length = shape.reduce((size, next) => size * next, 1);
    const at = this._exports.state.value + offset;
    return new ARRAYS[/** @type {keyof typeof ARRAYS} */ (type)](this._exports.memory.buffer, at, length);
  }

  /** One of the engine's own numbers, see `integers` in the description. */
  _integer(/** @type {string} */ name) {
    return this._arrays.integers[this.description.integers.indexOf(name)];
  }

  /**
   * Sets the position; throws an error if the block cannot be, and then nothing has changed.
   * @param {Uint8Array} block
   */
  setPosition(block) {
    const { history, root } = this.description.fields;
    if (block.length < history.offset || block.length > root.offset) throw new RangeError("not a block of this game");
    new Uint8Array(this._exports.memory.buffer).set(block, this._exports.state.value);
    if (this._exports.set_position() !== 0) throw new RangeError("not a position of this game");
  }

  /** Begins to search the position; returns the number of its moves, 0 if no seat decides. What is known is kept. */
  begin() {
    return /** @type {number} */ (this._exports.begin());
  }

  /** Does more simulations; returns how many there were since `begin`. */
  think(/** @type {number} */ count) {
    return /** @type {number} */ (this._exports.think(count));
  }

  /**
   * Does simulations for about that many milliseconds, but no more than `most`; returns how many there were since
   * `begin`.
   * @param {number} ms
   * @param {number} [most]
   */
  thinkFor(ms, most = Infinity) {
    const end = performance.now() + ms;
    for (let now = performance.now(), left = most; now < end && left > 0; ) {
      const count = Math.max(1, Math.min(left, Math.floor(this._perMs * Math.min(CHUNK_MS, end - now))));
      this.think(count);
      left -= count;
      const after = performance.now();
      this._perMs = (this._perMs + count / Math.max(after - now, 0.02)) / 2;
      now = after;
    }
    return this.simulations;
  }

  /**
   * Proves what can be proven about the position by looking at that many positions: about two million a second. Call it
   * once more to go on. Before chance decides for the last time it returns at once.
   */
  solve(/** @type {number} */ positions) {
    this._exports.solve(positions);
    return this._verdict();
  }

  /**
   * Returns what is proven about the position, null if nobody has asked.
   * @returns {Verdict | null}
   */
  _verdict() {
    if (!this._integer("is_judged")) return null;
    const [status, seat, mask] = this._arrays.verdict;
    return {
      winner: status === FORCED ? seat : null,
      isDrawn: status === DRAWN,
      decider: status === DECIDED ? seat : null,
      canWin: Array.from({ length: this._integer("players") }, (_, each) => each).filter((each) => (mask >> each) & 1),
    };
  }

  /** Makes sure that a move was tried that often; returns how often it was, -1 if it is not among the moves. */
  lookAt(/** @type {number} */ code, /** @type {number} */ count) {
    return /** @type {number} */ (this._exports.look_at(code, count));
  }

  /** How many simulations a millisecond has, as measured last. */
  get speed() {
    return this._perMs;
  }

  /** The simulations since `begin`. */
  get simulations() {
    return this._integer("simulations");
  }

  /**
   * Returns what the search has found out.
   * @returns {Thought}
   */
  read() {
    const { codes, visits, chances, seats, leads, lines, lengths, proofs } = this._arrays;
    const count = this._exports.read();
    const players = this._integer("players");
    const [rows, longest] = this.description.lines;
    const nameOf = (/** @type {number} */ code) => this.description.moves[code];
    const moves = Array.from({ length: count }, (_, i) => {
      const line = i < rows ? Array.from(lines.subarray(i * longest, i * longest + lengths[i])) : [];
      const [code, names, proof] = [codes[i], line.map(nameOf), PROOFS[proofs[i]]];
      return { code, name: nameOf(code), visits: visits[i], chance: chances[i], line, names, proof };
    });
    return {
      moves,
      seats: Array.from(seats.subarray(0, count ? players : 0)),
      leads: Array.from(leads.subarray(0, count ? players : 0)),
      simulations: this.simulations,
      verdict: this._verdict(),
    };
  }

  /** The seat that decides; -1 is chance, -2 nobody: the game is over. */
  get actor() {
    return (this._exports.actor() << 24) >> 24; // the module gives a signed byte without its sign
  }

  /**
   * Returns the codes of the legal moves.
   * @returns {number[]}
   */
  legal() {
    const count = this._exports.legal();
    return Array.from(this._arrays.codes.subarray(0, count));
  }

  /** Makes a move in the position; returns whether it was legal. */
  play(/** @type {number} */ code) {
    return this._exports.play(code) === 1;
  }

  /** Takes out of the position what a seat may not know, -1 being a spectator. */
  hide(/** @type {number} */ seat) {
    return this._exports.hide(seat) === 1;
  }

  /** Fills in at random what a seat cannot know. */
  guess(/** @type {number} */ seat) {
    return this._exports.guess(seat) === 1;
  }

  /** Returns the bytes of the position. */
  position() {
    const { offset, shape } = this.description.fields.root;
    const at = this._exports.state.value + offset;
    return new Uint8Array(this._exports.memory.buffer.slice(at, at + shape[0] * shape[1]));
  }
}
