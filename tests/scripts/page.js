// A page for unit tests: a document without a browser (happy-dom), a server and sockets that the test answers for.
// The scripts of a page find their elements when they are imported, so each test file opens one page, then imports.

import { mock } from "node:test";
import { Window } from "happy-dom";

const ORIGIN = "https://malecon.test";
// Node has these as well, but scripts must get those of the document.
const ALWAYS_OF_PAGE = ["CustomEvent", "Event", "EventTarget", "FormData", "MessageEvent", "navigator"];
const WINDOW_METHODS = /** @type {const} */ (["addEventListener", "removeEventListener", "dispatchEvent"]);

/**
 * @typedef {object} PageOptions
 * @property {string} [path]
 * @property {object} [data] what the page tells its scripts: shared/page-data.js
 * @property {string} [language]
 * @property {boolean} [reducedMotion]
 */

/**
 * Opens a page: its document and what else a browser has become global.
 * @param {string} body
 * @param {PageOptions} [options]
 */
export function openPage(body, { path = "/", data = {}, language = "en", reducedMotion = false } = {}) {
  const window = new Window({
    url: ORIGIN + path,
    width: 1200,
    height: 800,
    settings: {
      device: { prefersReducedMotion: reducedMotion ? "reduce" : "no-preference" },
      navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true }, // a form that is submitted does not take the page away
    },
  });
  const properties = /** @type {Record<string, any>} */ (/** @type {unknown} */ (window));
  for (const name of Object.getOwnPropertyNames(window)) {
    if (name in globalThis && !ALWAYS_OF_PAGE.includes(name)) continue;
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => properties[name],
      set: (value) => {
        properties[name] = value;
      },
    });
  }
  for (const name of WINDOW_METHODS) Object.assign(globalThis, { [name]: properties[name].bind(window) });
  // Node's timers, so that tests can move the clock (node:test, `mock.timers`).
  globalThis.requestAnimationFrame = (callback) => Number(setTimeout(() => callback(performance.now()), 16));
  document.documentElement.lang = language;
  document.body.innerHTML = `<script type="application/json" id="page-data">${JSON.stringify(data)}</script>
    <div id="content">${body}</div><div id="toasts"></div><div id="announcer"></div>`;
}

/**
 * Returns the element that a selector matches, which must be there.
 * @param {string} selector
 */
export function get(selector) {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`nothing matches ${selector}`);
  return /** @type {HTMLElement} */ (element);
}

/** @param {string} selector */
export const getAll = (selector) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
/** @param {string} selector */
export const getButton = (selector) => /** @type {HTMLButtonElement} */ (get(selector));
/** @param {string} selector */
export const getInput = (selector) => /** @type {HTMLInputElement} */ (get(selector));
/** @param {string} selector */
export const getDetails = (selector) => /** @type {HTMLDetailsElement} */ (get(selector));
/** @param {string} selector */
export const getForm = (selector) => /** @type {HTMLFormElement} */ (get(selector));

export const toasts = () => getAll("#toasts .toast").map((note) => note.textContent);
export const announced = () => get("#announcer").textContent;

/** Takes away what earlier tests have told the reader. */
export function forgetNotes() {
  get("#toasts").replaceChildren();
  get("#announcer").textContent = "";
}

/**
 * Says where an element is on the screen: this document has no layout.
 * @param {Element} element
 * @param {number} left
 * @param {number} top
 * @param {number} width
 * @param {number} height
 */
export function setBox(element, left, top, width, height) {
  element.getBoundingClientRect = () => new DOMRect(left, top, width, height);
  Object.defineProperties(element, {
    offsetWidth: { configurable: true, get: () => width },
    offsetHeight: { configurable: true, get: () => height },
  });
}

// --- what a reader does

/**
 * Clicks on an element; returns the event.
 * @param {Element} element
 * @param {MouseEventInit} [options]
 */
export function click(element, options) {
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...options });
  element.dispatchEvent(event);
  return event;
}

/**
 * Presses a key while an element has the focus; returns the event.
 * @param {string} key
 * @param {Element} [element]
 * @param {KeyboardEventInit} [options]
 */
export function press(key, element = document.body, options = {}) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options });
  element.dispatchEvent(event);
  return event;
}

/**
 * Does something with a pointer; returns the event.
 * @param {string} type
 * @param {EventTarget} target
 * @param {PointerEventInit} [options]
 */
export function point(type, target, options = {}) {
  const event = new PointerEvent(type, { bubbles: true, cancelable: true, pointerType: "mouse", ...options });
  target.dispatchEvent(event);
  return event;
}

/**
 * Submits a form with a button; returns the event.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [submitter]
 */
export function submit(form, submitter = null) {
  const event = new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter });
  form.dispatchEvent(event);
  return event;
}

/**
 * Types a text into a field.
 * @param {HTMLInputElement} field
 * @param {string} text
 */
export function type(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// --- the server

/** @typedef {{ path: string, method: string, body: string }} SentRequest */
/** @typedef {(request: SentRequest) => Response | Promise<Response>} Answer */

/** The requests of the page, in the order they were sent. @type {SentRequest[]} */
export const requests = [];

/**
 * Answers requests from now on; returns the list of requests, now empty.
 * @param {Answer} answer throws if the server shall be out of reach
 */
export function answerRequests(answer) {
  requests.length = 0;
  globalThis.fetch = async (path, options) => {
    const sent = { path: String(path), method: options?.method ?? "GET", body: String(options?.body ?? "") };
    requests.push(sent);
    return answer(sent);
  };
  return requests;
}

/** Is for `answerRequests`: the server is out of reach. @returns {never} */
export function unreachable() {
  throw new TypeError("fetch failed");
}

/** The sockets that were opened, in this order. @type {FakeSocket[]} */
export const sockets = [];

/** A socket of the page; the test is the server. */
export class FakeSocket {
  /** @type {(() => void) | null} */
  onopen = null;
  /** @type {(() => void) | null} */
  onclose = null;
  /** @type {((event: { data: string }) => void) | null} */
  onmessage = null;
  static OPEN = 1;
  readyState = 0;
  isClosed = false;
  /** What the page has sent. @type {unknown[]} */
  sent = [];

  /** @param {string | URL} address */
  constructor(address) {
    this.address = new URL(address);
    sockets.push(this);
  }

  /** What the page does; the browser tells it later, if at all. */
  close() {
    this.isClosed = true;
  }

  accept() {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  /**
   * What the page does.
   * @param {string} text
   */
  send(text) {
    this.sent.push(JSON.parse(text));
  }

  /**
   * The server sends a message.
   * @param {unknown} message
   */
  deliver(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The connection has ended, for whatever reason. */
  end() {
    this.isClosed = true;
    this.readyState = 3;
    this.onclose?.();
  }
}

/** Has scripts open sockets that the test answers for. */
export function useFakeSockets() {
  Object.assign(globalThis, { WebSocket: FakeSocket });
}

/** The socket that was opened last. */
export function lastSocket() {
  const socket = sockets.at(-1);
  if (!socket) throw new Error("no socket was opened");
  return socket;
}

// --- time

/**
 * Stops the clock of timers: from now on `mock.timers.tick(ms)` moves it. Stops it anew if it was stopped before.
 * @param {{ interval?: boolean, nowMs?: number }} [options] whether intervals and dates follow it, too
 */
export function stopClock({ interval = false, nowMs } = {}) {
  mock.timers.reset();
  /** @type {("setTimeout" | "setInterval" | "Date")[]} */
  const apis = ["setTimeout"];
  if (interval) apis.push("setInterval");
  if (nowMs !== undefined) apis.push("Date");
  mock.timers.enable({ apis, now: nowMs });
  const { setTimeout } = globalThis;
  // Node's own would never call what has no delay.
  Object.assign(globalThis, {
    setTimeout: (/** @type {() => void} */ callback, ms = 0) => setTimeout(callback, ms),
  });
}

/**
 * Moves the stopped clock, and waits for all that follows.
 * @param {number} ms
 */
export async function passTime(ms) {
  await settle();
  mock.timers.tick(ms);
  await settle();
}

/** Waits until all promises that can go on have done so, also with a stopped clock. */
export async function settle() {
  for (let i = 0; i < 3; i++) await new Promise((done) => setImmediate(done));
}
