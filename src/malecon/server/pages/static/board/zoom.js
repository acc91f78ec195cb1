// Zooming into the board: by wheel, by pinch, with + and −, back with 0 or the button; moved by dragging.

import { closestAny, find, isKeyTaken } from "../shared/elements.js";
import { board, root } from "./root.js";

const MOST_ZOOM = 4;
const KEY_FACTOR = 1.3;
const DRAG_PX = 6; // a shorter way is a click
let zoom = 1;

const WHEEL_PX = 480; // by so much a wheel must turn to zoom e-fold
const PINCH_WHEEL_PX = 120; // the same for a touch pad, whose pinch is a wheel with Ctrl

/**
 * Zooms so that the point of the board under (x, y) stays there.
 * @param {number} level
 * @param {number} [x]
 * @param {number} [y]
 */
function zoomTo(level, x, y) {
  const box = board();
  const next = Math.max(1, Math.min(MOST_ZOOM, level));
  if (!box?.querySelector(":scope > svg") || next === zoom) return;
  const frame = box.getBoundingClientRect();
  const left = (x ?? frame.left + frame.width / 2) - frame.left;
  const top = (y ?? frame.top + frame.height / 2) - frame.top;
  const [across, down] = [(box.scrollLeft + left) / zoom, (box.scrollTop + top) / zoom];
  zoom = next;
  applyZoom();
  box.scrollTo(across * zoom - left, down * zoom - top);
}

/** Applies the zoom to the board, which may have been rendered again. */
function applyZoom() {
  const box = board();
  box?.classList.toggle("zoomed", zoom > 1);
  if (zoom > 1) box?.style.setProperty("--zoom", String(zoom));
  else box?.style.removeProperty("--zoom");
  const wholeBoard = find(root, "[data-whole]", HTMLElement);
  if (wholeBoard) wholeBoard.hidden = zoom === 1;
}

root.addEventListener(
  "wheel",
  (event) => {
    const box = closestAny(event.target, ".board");
    const scrolls = box && zoom === 1 && box.scrollHeight > box.clientHeight + 1; // a phone's board
    if (!box || (scrolls && !event.ctrlKey)) return;
    event.preventDefault();
    const factor = Math.exp(-event.deltaY / (event.ctrlKey ? PINCH_WHEEL_PX : WHEEL_PX));
    zoomTo(zoom * factor, event.clientX, event.clientY);
  },
  { passive: false },
);

/** @type {Map<number, PointerEvent>} */
const fingers = new Map();
let distance = 0; // between two fingers
/** @type {{ x: number, y: number, left: number, top: number, moved: boolean } | null} */
let drag = null;

/** Returns the distance of two fingers and the point between them. */
function pinch() {
  const [a, b] = [...fingers.values()];
  const apart = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  return { apart, x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 };
}

root.addEventListener("pointerdown", (event) => {
  const box = board();
  if (!box || !closestAny(event.target, ".board")) return;
  if (event.pointerType === "touch") {
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) distance = pinch().apart;
  } else if (zoom > 1 && event.button === 0) {
    drag = { x: event.clientX, y: event.clientY, left: box.scrollLeft, top: box.scrollTop, moved: false };
  }
});
root.addEventListener("pointermove", (event) => {
  if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
  if (fingers.size === 2) {
    const { apart, x, y } = pinch();
    zoomTo((zoom * apart) / distance, x, y);
    distance = apart;
  } else if (drag) {
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.moved ||= Math.hypot(dx, dy) > DRAG_PX;
    if (!drag.moved) return;
    board()?.classList.add("dragged");
    board()?.scrollTo(drag.left - dx, drag.top - dy);
  }
});
/** @param {Event} click */
const swallowClick = (click) => click.stopImmediatePropagation();
/** @param {PointerEvent} event */
function endDrag(event) {
  fingers.delete(event.pointerId);
  if (!drag) return;
  board()?.classList.remove("dragged");
  if (drag.moved) document.addEventListener("click", swallowClick, { capture: true, once: true });
  drag = null;
}
document.addEventListener("pointerup", endDrag);
document.addEventListener("pointercancel", endDrag);
root.addEventListener("touchmove", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });

document.addEventListener("click", (event) => closestAny(event.target, "[data-whole]") && zoomTo(1));
document.addEventListener("keydown", (event) => {
  if (isKeyTaken(event)) return;
  const factor = { "+": KEY_FACTOR, "-": 1 / KEY_FACTOR, "−": 1 / KEY_FACTOR }[event.key];
  if (factor) zoomTo(zoom * factor);
  else if (event.key === "0" && zoom > 1 && !root.querySelector('[data-key="0"]')) zoomTo(1);
});
new MutationObserver(() => zoom > 1 && applyZoom()).observe(root, { childList: true });
