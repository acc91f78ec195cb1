// Zooming into the board: by wheel, by pinch, with + and −, back with 0 or the button; moved by dragging.

import { root } from "./page.js";

const MOST_ZOOM = 4;
const KEY_FACTOR = 1.3;
const DRAG_PX = 6; // a shorter way is a click
let zoom = 1;

const board = () => root.querySelector(".board");
const svg = () => board()?.querySelector(":scope > svg");

/** Zooms so that the point of the board under (x, y) stays there. */
function zoomTo(level, x, y) {
  const box = board();
  const next = Math.max(1, Math.min(MOST_ZOOM, level));
  if (!svg() || next === zoom) return;
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
  box.classList.toggle("zoomed", zoom > 1);
  if (zoom > 1) box.style.setProperty("--zoom", zoom);
  else box.style.removeProperty("--zoom");
  const wholeBoard = root.querySelector("[data-whole]");
  if (wholeBoard) wholeBoard.hidden = zoom === 1;
}

if (root) {
  root.addEventListener(
    "wheel",
    (event) => {
      const box = event.target.closest?.(".board");
      const scrolls = box && zoom === 1 && box.scrollHeight > box.clientHeight + 1; // a phone's board
      if (!box || (scrolls && !event.ctrlKey)) return;
      event.preventDefault();
      zoomTo(zoom * Math.exp(-event.deltaY / (event.ctrlKey ? 120 : 480)), event.clientX, event.clientY);
    },
    { passive: false },
  );

  const fingers = new Map();
  let distance = 0; // between two fingers
  let drag = null;
  /** Returns the distance of two fingers and the point between them. */
  const pinch = () => {
    const [a, b] = [...fingers.values()];
    const apart = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    return [apart, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2];
  };
  root.addEventListener("pointerdown", (event) => {
    if (!event.target.closest?.(".board")) return;
    if (event.pointerType === "touch") {
      fingers.set(event.pointerId, event);
      if (fingers.size === 2) [distance] = pinch();
    } else if (zoom > 1 && event.button === 0) {
      drag = { x: event.clientX, y: event.clientY, left: board().scrollLeft, top: board().scrollTop, moved: false };
    }
  });
  root.addEventListener("pointermove", (event) => {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
    if (fingers.size === 2) {
      const [apart, x, y] = pinch();
      zoomTo((zoom * apart) / distance, x, y);
      distance = apart;
    } else if (drag) {
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      drag.moved ||= Math.hypot(dx, dy) > DRAG_PX;
      if (!drag.moved) return;
      board().classList.add("dragged");
      board().scrollTo(drag.left - dx, drag.top - dy);
    }
  });
  const swallowClick = (click) => click.stopImmediatePropagation();
  for (const kind of ["pointerup", "pointercancel"]) {
    document.addEventListener(kind, (event) => {
      fingers.delete(event.pointerId);
      if (!drag) return;
      board().classList.remove("dragged");
      const { moved } = drag;
      drag = null;
      if (moved) document.addEventListener("click", swallowClick, { capture: true, once: true });
    });
  }
  const preventScroll = (event) => event.touches.length > 1 && event.preventDefault();
  root.addEventListener("touchmove", preventScroll, { passive: false });

  document.addEventListener("click", (event) => event.target.closest?.("[data-whole]") && zoomTo(1));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
    const factor = { "+": KEY_FACTOR, "-": 1 / KEY_FACTOR, "−": 1 / KEY_FACTOR }[event.key];
    if (factor) zoomTo(zoom * factor);
    else if (event.key === "0" && zoom > 1 && !root.querySelector('[data-key="0"]')) zoomTo(1);
  });
  new MutationObserver(() => zoom > 1 && applyZoom()).observe(root, { childList: true });
}
