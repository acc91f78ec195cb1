// Renders what the server sent about the board and all that is beside it, without taking anything from under the
// reader's hands: not the focus, not what they press, not what they look at.

import { completeAddresses, find, findAll, focus } from "../shared/elements.js";
import { layout } from "../shared/layout.js";
import { keepState, updater } from "../shared/page-update.js";
import { reducedMotion } from "./motion.js";
import { board, isTable, root } from "./root.js";
import { hideTooltip, showTooltip, usesKeys } from "./tooltip.js";

/** @typedef {import("../shared/page-update.js").PageMessage} PageMessage */

const LONGEST_PRESS_MS = 3000; // then updates wait no longer for the click
const FRAME_MS = 100; // how long to wait for a frame that the browser may never draw
const TARGET_MARGIN_PX = 20;

const update = updater(root);

/** Returns what the table asks for: it is another question after every move. */
const question = () =>
  find(root, ".moves [name=version]", HTMLInputElement)?.value ?? document.getElementById("prompt")?.textContent;

/** @type {(() => void)[]} */
const listeners = [];

/**
 * Calls a function after everything that is rendered.
 * @param {() => void} listener
 */
export const onRender = (listener) => void listeners.push(listener);

/** Adds what only scripts can: amounts, whole addresses, pressed tabs. */
export function afterRender() {
  requestAnimationFrame(scrollToNews);
  for (const listener of listeners) listener();
  completeAddresses(root);
  for (const button of findAll(root, ".tabs [data-tab]", HTMLElement)) {
    const pressed = String(button.dataset.tab === root.dataset.tab);
    if (button.getAttribute("aria-pressed") !== pressed) button.setAttribute("aria-pressed", pressed);
  }
}

/** Scrolls to the log's end and to what can be chosen; once a frame, because the browser has to lay out the page. */
export function scrollToNews() {
  const log = root.querySelector(".log");
  if (log && isTable) log.scrollTop = log.scrollHeight;
  const frame = board();
  if (!frame || layout() !== "tall") return; // only there does the board scroll
  const targets = [...frame.querySelectorAll(".target")].map((target) => target.getBoundingClientRect());
  const view = frame.getBoundingClientRect();
  if (targets.length && !targets.some((box) => box.top >= view.top && box.bottom <= view.bottom)) {
    frame.scrollTop += targets[0].top - view.top - TARGET_MARGIN_PX;
  }
}

/**
 * Applies an update and keeps the focus; if what had it is gone, the next question gets it.
 * @param {PageMessage} message
 */
function apply(message) {
  const active = document.activeElement;
  const isInDock = active?.closest("#dock");
  const before = question();
  hideTooltip();
  const lost = keepState(root, () => update(message));
  if (question() !== before) root.querySelector("#dock")?.scrollTo(0, 0); // the next question begins at its beginning
  afterRender();
  if (lost) {
    const move = lost.id || lost.dataset.key ? find(root, ".moves button", HTMLElement) : null;
    const next = move ?? (isInDock ? document.getElementById("prompt") : null);
    if (next) focus(next, usesKeys());
  } else if (active && document.activeElement === active && root.contains(active) && usesKeys()) showTooltip(active);
}

/** @type {PageMessage[]} */
const updates = []; // in the order they came: what changed since a message means nothing without that message

function applyAll() {
  for (let message = updates.shift(); message; message = updates.shift()) apply(message);
}

/**
 * Waits until the browser has drawn the last update, or would not: a hidden tab draws nothing.
 * @returns {Promise<void>}
 */
const frameDrawn = () =>
  Promise.race([
    new Promise((/** @type {(value: void) => void} */ done) => requestAnimationFrame(() => setTimeout(done))),
    new Promise((/** @type {(value: void) => void} */ done) => setTimeout(done, document.hidden ? 0 : FRAME_MS)),
  ]);

/** @type {ViewTransition | null} */
let transition = null;
let frame = Promise.resolve();
let press = Promise.resolve(); // until what is pressed has been clicked: it must not be replaced in between

document.addEventListener("pointerdown", ({ target }) => {
  if (!(target instanceof Element && target.closest("a, button, summary, .target"))) return;
  press = new Promise((done) => {
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => setTimeout(done), { once: true });
    setTimeout(done, LONGEST_PRESS_MS);
  });
});

/**
 * Renders an update, with a view transition if the browser has them.
 * @param {PageMessage} message
 */
export async function render(message) {
  updates.push(message);
  await press;
  if (!updates.length) return;
  if (!document.startViewTransition || reducedMotion.matches || document.hidden) {
    await frame; // else many quick messages would keep the first from being seen
    if (!updates.length) return;
    applyAll();
    frame = frameDrawn();
    return;
  }
  transition?.skipTransition();
  transition = document.startViewTransition(applyAll);
  transition.ready.catch(() => {});
  await transition.updateCallbackDone;
}

// While the browser takes pictures for a transition, the page as a whole gets the clicks: they go to what lies there.
document.addEventListener("click", async (event) => {
  if (!event.isTrusted || event.target !== document.documentElement || !transition) return;
  await transition.ready.catch(() => {});
  const { clientX, clientY } = event;
  const target = document.elementFromPoint(clientX, clientY);
  target?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX, clientY }));
});
