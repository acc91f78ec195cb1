// engine/bot.js and bot-worker.js with the real engines: decisions of bots, made in the page.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Bot, botBlock, notice, Randomness } from "#scripts/engine/bot.js";
import { describe, GAMES, POSITIONS, startEngine, ThreadWorker, toBlock } from "./engines.js";

/**
 * Returns what the server asks for in the decision of a game.
 * @param {string} game
 * @param {object} [search]
 */
function requestFor(game, search = {}) {
  const { players, decision } = POSITIONS[game];
  const { start, history } = describe(game).fields;
  const block = toBlock(decision.block);
  return {
    version: 7,
    seat: decision.seat,
    players,
    setup: block.slice(start.offset, start.offset + start.shape[0] * start.shape[1]),
    codes: block.slice(history.offset),
    search: { sims: 300, ms: 0, miss: 0, nodes: 1 << 12, settings: {}, ...search },
    seed: 5,
  };
}

/** @param {Bot} bot */
function decide(bot) {
  for (let slices = 1; ; slices++) {
    const code = bot.think(20);
    if (code !== null) return { code, slices };
  }
}

for (const game of GAMES) {
  const { decision } = POSITIONS[game];
  const { moves } = describe(game);
  const engine = await startEngine(game);

  test(`${game}: from the moves of the game, the bot gets the position that its seat sees`, async () => {
    assert.deepEqual(botBlock(engine, requestFor(game)), toBlock(decision.block));
  });

  test(`${game}: moves that are not those of a game are refused`, async () => {
    const request = requestFor(game);
    request.codes[0] ^= 0x55;
    assert.throws(() => new Bot(engine).begin(request), /is not a legal move/);
  });

  test(`${game}: the same seed decides the same, after as many simulations as it is told`, async () => {
    const bot = new Bot(engine);
    bot.begin(requestFor(game));
    const first = decide(bot).code;
    assert.equal(engine.simulations, 300);
    assert.ok(decision.moves.includes(moves[first]));
    bot.begin(requestFor(game));
    assert.equal(decide(bot).code, first);
  });

  test(`${game}: with a time it thinks no longer than that`, async () => {
    const bot = new Bot(engine);
    const began = performance.now();
    bot.begin(requestFor(game, { sims: 0, ms: 150 }));
    const { code } = decide(bot);
    assert.ok(decision.moves.includes(moves[code]));
    assert.ok(performance.now() - began < 1000);
  });

  test(`${game}: a bot that overlooks all moves but one makes that one at once`, async () => {
    const bot = new Bot(engine);
    bot.begin(requestFor(game, { miss: 1 }));
    const { code, slices } = decide(bot);
    assert.ok(decision.moves.includes(moves[code]));
    assert.deepEqual([slices, engine.simulations], [1, 0]);
  });
}

test("a bot overlooks about as many moves as it shall, and never all", () => {
  const codes = Array.from({ length: 1000 }, (_, i) => i);
  const random = new Randomness(5, 1n);
  assert.equal(notice(codes, 0, random), codes);
  const { length } = notice(codes, 0.3, random);
  assert.ok(length > 640 && length < 760, `${length} of 1000`);
  assert.equal(notice(codes, 1, random).length, 1);
});

test("random numbers are in their range, and another seed gives others", () => {
  const draw = (/** @type {number} */ seed) => {
    const random = new Randomness(seed, 1n);
    return Array.from({ length: 200 }, () => random.below(6));
  };
  assert.deepEqual(new Set(draw(5)), new Set([0, 1, 2, 3, 4, 5]));
  assert.deepEqual(draw(5), draw(5));
  assert.notDeepEqual(draw(5), draw(6));
});

// --- the worker

const worker = new ThreadWorker(import.meta.resolve("#scripts/engine/bot-worker.js"));
after(() => worker.terminate());
/** @typedef {{ type: string, message: string, version: number, seat: number, code: number }} Message */
/** @type {Message[]} */
const received = [];
/** @type {(() => void) | null} */
let wake = null;
worker.addEventListener("message", ({ data }) => {
  received.push(data);
  wake?.();
});

/** Returns the worker's next message. */
async function next() {
  for (;;) {
    const message = received.shift();
    if (message) return message;
    await new Promise((/** @type {(value: void) => void} */ done) => {
      wake = done;
    });
  }
}

test("the worker decides, or says why it cannot", async () => {
  const request = requestFor("santiago");
  worker.postMessage({ type: "decide", request });
  assert.deepEqual(await next(), { type: "error", message: "no engine is loaded" });
  worker.postMessage({ type: "load", address: "/engine/santiago/0123/" });
  assert.deepEqual(await next(), { type: "ready" });
  worker.postMessage({ type: "decide", request });
  const { code, ...move } = await next();
  assert.deepEqual(move, { type: "move", version: 7, seat: request.seat });
  assert.ok(POSITIONS.santiago.decision.moves.includes(describe("santiago").moves[code]));
  worker.postMessage({ type: "decide", request: { ...request, codes: new Uint8Array([1, 1]) } });
  assert.match((await next()).message, /is not a legal move/);
});

test("the worker stops soon if the server does not wait any more, and is ready for the next decision", async () => {
  worker.postMessage({ type: "decide", request: requestFor("santiago", { sims: 50_000_000 }) });
  const asked = performance.now();
  worker.postMessage({ type: "stop" });
  assert.deepEqual(await next(), { type: "ready" });
  assert.ok(performance.now() - asked < 2000);
  worker.postMessage({ type: "decide", request: { ...requestFor("santiago"), version: 8 } });
  assert.equal((await next()).version, 8);
});
