// Previews of moves and explanations of things, in a tooltip beside them.

import { closest, closestAny, createElement, findAll } from "../shared/elements.js";
import { movesAt, placesOf } from "../shared/places.js";
import { getJson } from "../shared/requests.js";
import { board, root } from "./root.js";

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

const LONG_PRESS_MS = 450;

/**
 * Returns the buttons of the moves at a place.
 * @param {string} place
 */
export const buttonsAt = (place) => movesAt(findAll(root, ".moves button[data-places]", HTMLButtonElement), place);

/**
 * Returns the text that says what a move would do.
 * @param {HTMLElement} button
 */
export const previewOf = (button) =>
  document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent ?? "";

/**
 * Returns what a move is called on its button.
 * @param {HTMLElement} button
 */
export const labelOf = (button) => button.querySelector("span")?.textContent ?? "";

/** @type {Record<string, string>} */
let glossary = {};
getJson(`/glossary/${root.dataset.game}/${document.documentElement.lang}`).then(
  (/** @type {Record<string, string>} */ terms) => {
    glossary = terms;
  },
  () => {}, // without a network, things are not explained
);

const tooltip = document.createElement("div");
tooltip.className = "tip";
tooltip.hidden = true;
tooltip.setAttribute("aria-hidden", "true");
document.body.append(tooltip);

/** Hides the tooltip. */
export function hideTooltip() {
  tooltip.hidden = true;
}

const MOST_PREVIEWS = 4; // short first: the list has all moves
const MOST_PREVIEWS_WITH_HELP = 2;

/**
 * Shows what an element is and what the moves at it would do, and lights up their places.
 * @param {EventTarget | null} element
 * @param {number} [x]
 * @param {number} [y]
 */
export function showTooltip(element, x, y) {
  for (const hot of root.querySelectorAll(".hot")) hot.classList.remove("hot", "reached");
  const button = closest(element, ".moves button[name=move]", HTMLButtonElement);
  const place = closestAny(element, ".target");
  const help = button ? null : closestAny(element, "[data-help]");
  const buttons = button ? [button] : place ? buttonsAt(place.id) : [];
  const reach = (place ?? document.getElementById(button?.dataset.places?.split(" ")[0] ?? ""))?.dataset.reach;
  for (const id of reach?.split(" ") ?? []) document.getElementById(id)?.classList.add("hot", "reached");
  const explanation = help ? glossary[help.dataset.help ?? ""] : undefined;
  const previews = buttons.slice(0, explanation ? MOST_PREVIEWS_WITH_HELP : MOST_PREVIEWS);
  const lines = previews.map((move) => {
    const line = createElement("p", "", "");
    if (!button) line.append(createElement("strong", "", labelOf(move)), " ");
    line.append(previewOf(move));
    return line;
  });
  if (explanation) lines.unshift(createElement("p", "help", explanation));
  const explained = button ?? help ?? place;
  tooltip.hidden = !lines.length || !explained;
  if (!lines.length || !explained) return;
  tooltip.replaceChildren(...lines);
  const ids = new Set(buttons.flatMap(placesOf));
  const places = [...ids].map((id) => document.getElementById(id)).filter((thing) => thing !== null);
  for (const hot of places) hot.classList.add("hot");
  placeBeside(tooltip, [explained, ...places], x, y);
}

// --- when it is shown: on hovering, on a focus by keys, and on a long press

let isByKeys = false; // whether the reader used keys last, or a pointer
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pressTimer;
let longPressAt = 0;

/** Returns whether the reader used keys last, not a pointer. */
export const usesKeys = () => isByKeys;

document.addEventListener(
  "keydown",
  () => {
    isByKeys = true;
    longPressAt = 0;
  },
  true,
);
document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "touch") showTooltip(event.target, event.clientX, event.clientY);
});
document.addEventListener("focusin", (event) => {
  if (isByKeys) showTooltip(event.target);
});

// A long press on a touch screen shows what hovering shows; the click that ends it does nothing.
document.addEventListener("pointerdown", (event) => {
  isByKeys = false;
  longPressAt = 0;
  if (event.pointerType !== "touch") return;
  tooltip.hidden = true;
  clearTimeout(pressTimer);
  pressTimer = setTimeout(() => {
    showTooltip(event.target, event.clientX, event.clientY);
    if (!tooltip.hidden) longPressAt = performance.now();
  }, LONG_PRESS_MS);
});
for (const kind of ["pointerup", "pointercancel", "scroll"]) {
  document.addEventListener(kind, () => clearTimeout(pressTimer), true);
}
document.addEventListener("contextmenu", (event) => {
  if (!tooltip.hidden && longPressAt) event.preventDefault();
});
document.addEventListener(
  "click",
  (event) => {
    if (!longPressAt) return;
    longPressAt = 0;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

// --- where a tooltip stands: never over what it explains, nor over holdings, the question and the moves

const AVOIDED = ".seat .panel, #prompt, .moves :is(button, summary)";
const WIDTHS_PX = [330, 220, 480];
const WEIGHTS = { explained: 1000, elsewhere: 300, avoided: 100, choice: 0.001 }; // for each pixel that is covered
const STEPS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const MARGIN_PX = 8;
const GAP_PX = 12;

/**
 * Returns the area that two boxes share.
 * @param {Box} a
 * @param {Box} b
 */
function overlap(a, b) {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return Math.max(0, width) * Math.max(0, height);
}

/**
 * Returns the part of a thing that is in sight: a phone's board is larger than its frame.
 * @param {Element} thing
 * @param {Box} frame
 * @returns {Box}
 */
function visibleBox(thing, frame) {
  const box = thing.getBoundingClientRect();
  if (!thing.closest(".board")) return box;
  const top = Math.max(box.top, frame.top);
  const bottom = Math.max(top, Math.min(box.bottom, frame.bottom));
  return { left: Math.max(box.left, frame.left), right: Math.min(box.right, frame.right), top, bottom };
}

/**
 * Puts a note beside the first of some things: at the first spot that covers least, in the first width that covers
 * nothing it must not. What can be chosen on the board is kept clear too, if there is room.
 * @param {HTMLElement} note
 * @param {Element[]} things
 * @param {number} [x]
 * @param {number} [y]
 */
export function placeBeside(note, things, x, y) {
  const frame = (board() ?? root).getBoundingClientRect();
  const explained = things.map((thing) => visibleBox(thing, frame));
  const avoided = [...root.querySelectorAll(AVOIDED)];
  const choices = [...root.querySelectorAll(".board .target")];
  /** @type {[Box, number][]} */
  const weighed = [
    ...explained.map(
      (box, number) => /** @type {[Box, number]} */ ([box, number ? WEIGHTS.elsewhere : WEIGHTS.explained]),
    ),
    ...avoided.map((element) => /** @type {[Box, number]} */ ([element.getBoundingClientRect(), WEIGHTS.avoided])),
    ...choices.map((target) => /** @type {[Box, number]} */ ([visibleBox(target, frame), WEIGHTS.choice])),
  ];
  /** @type {(value: number, size: number, room: number) => number} */
  const within = (value, size, room) => Math.max(MARGIN_PX, Math.min(value, room - size - MARGIN_PX));
  let best = { cost: Number.POSITIVE_INFINITY, left: 0, top: 0, widest: WIDTHS_PX[0] };
  for (const widest of WIDTHS_PX) {
    note.style.maxWidth = `min(${widest}px, 90vw)`;
    const [width, height] = [note.offsetWidth, note.offsetHeight];
    for (const spot of spots(explained[0], things[0].closest(".board") !== null, frame, width, height, x, y)) {
      const [left, top] = [within(spot[0], width, innerWidth), within(spot[1], height, innerHeight)];
      const box = { left, top, right: left + width, bottom: top + height };
      const cost = weighed.reduce((sum, [other, weight]) => sum + weight * overlap(box, other), 0);
      if (cost < best.cost) best = { cost, left, top, widest };
    }
    if (best.cost < WEIGHTS.avoided) break;
  }
  Object.assign(note.style, { maxWidth: `min(${best.widest}px, 90vw)`, left: `${best.left}px`, top: `${best.top}px` });
}

/**
 * Returns spots for a note: beside the board, on the log, around the box, and then everywhere else.
 * @param {Box} box
 * @param {boolean} isOnBoard
 * @param {Box} frame
 * @param {number} width
 * @param {number} height
 * @param {number} [x]
 * @param {number} [y]
 */
function spots(box, isOnBoard, frame, width, height, x, y) {
  const log = (root.querySelector(".log-box") ?? root).getBoundingClientRect();
  const across = (x ?? (box.left + box.right) / 2) - width / 2;
  const down = (y ?? (box.top + box.bottom) / 2) - height / 2;
  return [
    isOnBoard ? [frame.right + 10, down] : [box.left - width - GAP_PX, box.top],
    [log.left, log.top],
    [across, box.top - height - GAP_PX],
    [across, box.bottom + GAP_PX],
    [box.left - width - GAP_PX, down],
    [box.right + GAP_PX, down],
    ...STEPS.flatMap((a) => STEPS.map((b) => [a * (innerWidth - width), b * (innerHeight - height)])),
  ];
}
