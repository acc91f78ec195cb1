// At a table where one person plays alone, this page thinks for the bots, in a worker (engine/bot-worker.js).
// It announces its engine; then the server asks for moves. If it does not get one, it thinks itself: when the page is
// hidden, the engine fails or the connection breaks, nothing has to be done but to announce the engine again later.

import { root } from "../board/root.js";
import { canThink, fromBase64 } from "../engine/client.js";
import { listen, sendLive } from "./live.js";

/** @typedef {{ setup: string, codes: string }} Encoded */
/**
 * What the server sends: it accepts the engine, asks for a move (bytes are in Base64), does not need it any more, or
 * refuses something, which the reader need not know.
 * @typedef {object} EngineMessage
 * @property {string} [engine]
 * @property {Omit<import("../engine/bot.js").ThinkRequest, keyof Encoded> & Encoded} [think]
 * @property {number} [stop_thinking]
 * @property {string} [engine_error]
 */

const { game, engine: digest } = root.dataset;
const WORKER = new URL("../engine/bot-worker.js", import.meta.url);
/** After so many moves in a row that the server did not wait for, the engine is no longer announced again at once. */
const MOST_STOPS = 3;

/** @type {Worker | null} */
let worker = null;
let isReady = false; // the worker has said so since it was started, or told to stop
let isAnnounced = false;
let stops = 0;

/** Announces the engine; starts one if there is none, or if it does not answer. */
function announce() {
  if (document.hidden || !canThink()) return sendLive({ engine: null });
  if (!isReady) return start();
  isAnnounced = true;
  sendLive({ engine: digest });
}

/** Lets the server think. */
function withdraw() {
  stop();
  isAnnounced = false;
  sendLive({ engine: null });
}

/** Ends the search; the worker says when it is ready for the next. */
function stop() {
  isReady = false;
  worker?.postMessage({ type: "stop" });
}

function start() {
  worker?.terminate();
  try {
    worker = new Worker(WORKER, { type: "module" });
  } catch {
    return fail(); // a browser without workers that are modules
  }
  worker.onmessage = ({ data: { type, ...data } }) => {
    if (type === "error") return fail();
    if (type === "move") {
      stops = 0;
      return sendLive(data);
    }
    isReady = true;
    if (!document.hidden && stops < MOST_STOPS) announce();
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail();
  };
  worker.postMessage({ type: "load", address: `/engine/${game}/${digest}/` });
}

/** Ends a broken engine. Another one is started when the page is shown or connected again. */
function fail() {
  withdraw();
  worker?.terminate();
  worker = null;
}

/**
 * @param {EngineMessage} message
 * @returns {boolean}
 */
function onMessage(message) {
  const { think } = message;
  if (think) {
    const request = { ...think, setup: fromBase64(think.setup), codes: fromBase64(think.codes) };
    if (isAnnounced) worker?.postMessage({ type: "decide", request });
    else sendLive({ engine: null });
  } else if (message.stop_thinking !== undefined) {
    stops += 1;
    stop();
  }
  return ["engine", "think", "stop_thinking", "engine_error"].some((key) => key in message);
}

function onOpen() {
  isAnnounced = false; // another connection
  announce();
}

if (digest) {
  document.addEventListener("visibilitychange", () => {
    stops = 0;
    if (document.hidden) withdraw();
    else announce();
  });
  listen({ onOpen, onMessage });
}
