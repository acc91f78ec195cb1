// Previews of moves and explanations of things, in a tooltip beside them.

import { createElement, root } from "./page.js";

/** Returns the places on the board that belong to a move. */
const placesOf = (button) => button.dataset.places.split(" ").filter(Boolean);

/** Returns the buttons of the moves at a place. */
export const movesAt = (place) =>
  [...root.querySelectorAll(".moves button[data-places]")].filter((button) => placesOf(button).includes(place));

/** Returns the text that says what a move would do. */
export const previewOf = (button) =>
  document.getElementById(button.getAttribute("aria-describedby"))?.textContent ?? "";

let glossary = null;
if (root) {
  fetch(`/glossary/${root.dataset.game}/${document.documentElement.lang}`).then(async (response) => {
    if (response.ok) glossary = await response.json();
  });
}

export const tooltip = document.createElement("div");
tooltip.className = "tip";
tooltip.hidden = true;
tooltip.setAttribute("aria-hidden", "true");

const MOST_PREVIEWS = 4; // short first: the list has all moves
const MOST_PREVIEWS_WITH_HELP = 2;

/** Shows what an element is and what the moves at it would do, and lights up their places. */
export function showTooltip(element, x, y) {
  for (const hot of root.querySelectorAll(".hot")) hot.classList.remove("hot", "reached");
  const button = element?.closest?.(".moves button[name=move]");
  const place = element?.closest?.(".target");
  const help = button ? null : element?.closest?.("[data-help]");
  const buttons = button ? [button] : place ? movesAt(place.id) : [];
  const reach = (place ?? document.getElementById(button?.dataset.places.split(" ")[0]))?.dataset.reach;
  for (const id of reach?.split(" ") ?? []) document.getElementById(id)?.classList.add("hot", "reached");
  const explanation = help && glossary?.[help.dataset.help];
  const previews = buttons.slice(0, explanation ? MOST_PREVIEWS_WITH_HELP : MOST_PREVIEWS);
  const lines = previews.map((move) => {
    const line = createElement("p", "", "");
    if (!button) line.append(createElement("strong", "", move.querySelector("span").textContent), " ");
    line.append(previewOf(move));
    return line;
  });
  if (explanation) lines.unshift(createElement("p", "help", explanation));
  tooltip.hidden = !lines.length;
  if (tooltip.hidden) return;
  tooltip.replaceChildren(...lines);
  const places = [...new Set(buttons.flatMap(placesOf))].map((id) => document.getElementById(id)).filter(Boolean);
  for (const hot of places) hot.classList.add("hot");
  placeBeside(tooltip, [button ?? help ?? place, ...places], x, y);
}

// --- where a tooltip stands: never over what it explains, nor over holdings, the question and the moves

const AVOIDED = ".seat .panel, #prompt, .moves :is(button, summary)";
const WIDTHS_PX = [330, 220, 480];
const WEIGHTS = { explained: 1000, elsewhere: 300, avoided: 100, choice: 0.001 }; // for each pixel that is covered
const STEPS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const MARGIN_PX = 8;
const GAP_PX = 12;

/** Returns the area that two boxes share. */
function overlap(a, b) {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return Math.max(0, width) * Math.max(0, height);
}

/** Returns the part of a thing that is in sight: a phone's board is larger than its frame. */
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
 */
export function placeBeside(note, things, x, y) {
  const frame = root.querySelector(".board").getBoundingClientRect();
  const explained = things.map((thing) => visibleBox(thing, frame));
  const avoided = [...root.querySelectorAll(AVOIDED)];
  const choices = [...root.querySelectorAll(".board .target")];
  const weighed = [
    ...explained.map((box, number) => [box, number ? WEIGHTS.elsewhere : WEIGHTS.explained]),
    ...avoided.map((element) => [element.getBoundingClientRect(), WEIGHTS.avoided]),
    ...choices.map((target) => [visibleBox(target, frame), WEIGHTS.choice]),
  ];
  const within = (value, size, room) => Math.max(MARGIN_PX, Math.min(value, room - size - MARGIN_PX));
  let best = { cost: Infinity };
  for (const widest of WIDTHS_PX) {
    note.style.maxWidth = `min(${widest}px, 90vw)`;
    const [width, height] = [note.offsetWidth, note.offsetHeight];
    for (const spot of spots(explained[0], things[0].closest(".board"), frame, width, height, x, y)) {
      const [left, top] = [within(spot[0], width, innerWidth), within(spot[1], height, innerHeight)];
      const box = { left, top, right: left + width, bottom: top + height };
      const cost = weighed.reduce((sum, [other, weight]) => sum + weight * overlap(box, other), 0);
      if (cost < best.cost) best = { cost, left, top, widest };
    }
    if (best.cost < WEIGHTS.avoided) break;
  }
  Object.assign(note.style, { maxWidth: `min(${best.widest}px, 90vw)`, left: best.left + "px", top: best.top + "px" });
}

/** Returns spots for a note: beside the board, on the log, around the box, and then everywhere else. */
function spots(box, isOnBoard, board, width, height, x, y) {
  const log = root.querySelector(".log-box").getBoundingClientRect();
  const across = (x ?? (box.left + box.right) / 2) - width / 2;
  const down = (y ?? (box.top + box.bottom) / 2) - height / 2;
  return [
    isOnBoard ? [board.right + 10, down] : [box.left - width - GAP_PX, box.top],
    [log.left, log.top],
    [across, box.top - height - GAP_PX],
    [across, box.bottom + GAP_PX],
    [box.left - width - GAP_PX, down],
    [box.right + GAP_PX, down],
    ...STEPS.flatMap((a) => STEPS.map((b) => [a * (innerWidth - width), b * (innerHeight - height)])),
  ];
}
