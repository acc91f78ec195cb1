// board/zoom.js: by wheel, keys and two fingers, around the point that is meant; moved by dragging.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { click, get, openPage, point, press, setBox, settle } from "./page.js";
import { tablePage } from "./table-page.js";

openPage(tablePage([]));
await import("#scripts/board/zoom.js");

const board = get("#board");
setBox(board, 100, 50, 400, 400);
Object.assign(board, {
  scrollTo: (/** @type {number} */ left, /** @type {number} */ top) =>
    Object.assign(board, { scrollLeft: left, scrollTop: top }),
});

const zoom = () => Number(board.style.getPropertyValue("--zoom") || 1);
/** @param {number} deltaY @param {MouseEventInit} [options] */
function turnWheel(deltaY, options) {
  const init = { bubbles: true, cancelable: true, clientX: 300, clientY: 250, ...options };
  const event = Object.assign(new MouseEvent("wheel", init), { deltaY }); // happy-dom's WheelEvent has no position
  get("#quay").dispatchEvent(event);
  return event;
}
/** @param {number} actual @param {number} expected */
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

beforeEach(() => {
  press("0");
  board.scrollTo(0, 0);
});

test("the wheel zooms around the pointer", () => {
  assert.equal(turnWheel(-480, { clientX: 200, clientY: 150 }).defaultPrevented, true);
  near(zoom(), Math.E);
  near(board.scrollLeft, 100 * Math.E - 100); // the point under the pointer stays there
  near(board.scrollTop, 100 * Math.E - 100);
  turnWheel(480, { clientX: 200, clientY: 150 });
  assert.equal(zoom(), 1);
  near(board.scrollLeft, 0);
});

test("a pinch on a touch pad is a wheel with Ctrl, and four times as quick", () => {
  turnWheel(-120, { ctrlKey: true });
  near(zoom(), Math.E);
});

test("the zoom stays between 1 and 4", () => {
  turnWheel(-4800);
  assert.equal(zoom(), 4);
  turnWheel(4800);
  assert.equal(zoom(), 1);
});

test("the wheel scrolls a board that is larger than its frame, until it is zoomed", () => {
  Object.defineProperty(board, "scrollHeight", { configurable: true, value: 900 });
  Object.defineProperty(board, "clientHeight", { configurable: true, value: 400 });
  assert.equal(turnWheel(-480).defaultPrevented, false);
  assert.equal(zoom(), 1);
  assert.equal(turnWheel(-120, { ctrlKey: true }).defaultPrevented, true);
  near(zoom(), Math.E);
  Object.defineProperty(board, "scrollHeight", { configurable: true, value: 400 });
});

test("keys zoom around the middle, and back", () => {
  press("+");
  near(zoom(), 1.3);
  near(board.scrollLeft, 200 * 1.3 - 200);
  press("-");
  near(zoom(), 1);
  press("+");
  press("+", get("#typed"));
  near(zoom(), 1.3);
  press("0");
  assert.equal(zoom(), 1);
});

test("the key 0 belongs to a move that has it", () => {
  press("+");
  get("#quay").dataset.key = "0";
  press("0");
  near(zoom(), 1.3);
  delete get("#quay").dataset.key;
});

test("the button for the whole board is there while it is zoomed", () => {
  assert.equal(get("[data-whole]").hidden, true);
  press("+");
  assert.equal(get("[data-whole]").hidden, false);
  assert.equal(board.classList.contains("zoomed"), true);
  click(get("[data-whole]"));
  assert.equal(zoom(), 1);
  assert.equal(get("[data-whole]").hidden, true);
  assert.equal(board.classList.contains("zoomed"), false);
});

test("two fingers zoom by how far apart they are", () => {
  const touch = { pointerType: "touch", clientY: 250 };
  point("pointerdown", get("#quay"), { ...touch, pointerId: 1, clientX: 250 });
  point("pointerdown", get("#quay"), { ...touch, pointerId: 2, clientX: 350 });
  point("pointermove", get("#quay"), { ...touch, pointerId: 2, clientX: 450 });
  near(zoom(), 2);
  point("pointerup", document, { ...touch, pointerId: 1 });
  point("pointermove", get("#quay"), { ...touch, pointerId: 2, clientX: 500 });
  near(zoom(), 2);
  point("pointerup", document, { ...touch, pointerId: 2 });
});

test("a zoomed board is dragged, and the click that ends it does nothing", () => {
  press("+");
  board.scrollTo(60, 60);
  point("pointerdown", get("#quay"), { clientX: 300, clientY: 250 });
  point("pointermove", get("#quay"), { clientX: 280, clientY: 240 });
  assert.deepEqual([board.scrollLeft, board.scrollTop], [80, 70]);
  assert.equal(board.classList.contains("dragged"), true);
  let clicks = 0;
  const count = () => clicks++;
  document.addEventListener("click", count);
  point("pointerup", document);
  assert.equal(board.classList.contains("dragged"), false);
  click(get("#quay"));
  assert.equal(clicks, 0);
  click(get("#quay"));
  assert.equal(clicks, 1);
  document.removeEventListener("click", count);
});

test("a way of a few pixels is a click", () => {
  press("+");
  point("pointerdown", get("#quay"), { clientX: 300, clientY: 250 });
  point("pointermove", get("#quay"), { clientX: 304, clientY: 250 });
  point("pointerup", document);
  let clicks = 0;
  document.addEventListener("click", () => clicks++, { once: true });
  click(get("#quay"));
  assert.equal(clicks, 1);
});

test("a board that is rendered again stays zoomed", async () => {
  press("+");
  board.style.removeProperty("--zoom");
  get("#table").append(document.createElement("p"));
  await settle();
  near(zoom(), 1.3);
});
