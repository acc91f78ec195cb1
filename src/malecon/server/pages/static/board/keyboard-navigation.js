// Arrow keys move the focus from thing to thing on the board, and each explains itself. Enter makes the move there, or
// says why there is none.

import { closestAny, focus } from "../shared/elements.js";
import { root } from "./root.js";

/** @typedef {[number, number]} Point */

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const THINGS = '.board :is([role="img"][id], .target)';
const SIDEWAYS_WEIGHT = 2.5; // what lies aside counts as further off
const LEAST_DISTANCE_PX = 3;

/**
 * Returns the middle of an element.
 * @param {Element} element
 * @returns {Point}
 */
function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

/**
 * Returns the nearest thing that lies in a direction, or null.
 * @param {Point} from
 * @param {Point} direction
 */
function nearest([x, y], [dx, dy]) {
  let best = null;
  let shortest = Number.POSITIVE_INFINITY;
  for (const thing of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(THINGS))) {
    const [a, b] = middle(thing);
    const ahead = (a - x) * dx + (b - y) * dy;
    const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    const distance = ahead + SIDEWAYS_WEIGHT * aside;
    if (ahead > LEAST_DISTANCE_PX && distance < shortest) [best, shortest] = [thing, distance];
  }
  return best;
}

root.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const board = closestAny(event.target, ".board");
  const direction = ARROWS[event.key];
  const current = closestAny(event.target, THINGS);
  if (!board) return;
  if (direction) {
    const box = board.getBoundingClientRect();
    const next = current ? nearest(middle(current), direction) : nearest([box.left, box.top], [1, 0]);
    event.preventDefault();
    if (!next) return;
    if (!next.matches(".target")) next.setAttribute("tabindex", "-1");
    focus(next, true);
    next.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter" && current && !current.matches(".target")) {
    event.preventDefault();
    current.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
});
