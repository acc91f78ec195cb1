// board/tooltip.js: previews of moves and explanations, when they are shown and where they stand.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import {
  answerRequests,
  click,
  get,
  getAll,
  openPage,
  point,
  press,
  requests,
  setBox,
  settle,
  stopClock,
} from "./page.js";
import { moveItem, tablePage } from "./table-page.js";

stopClock();
openPage(
  tablePage([
    moveItem("sell 1", { label: "Sell one", places: "market quay", preview: "You get 2 pesos." }),
    moveItem("sell 2", { label: "Sell two", places: "market", preview: "You get 5 pesos." }),
    ...[1, 2, 3, 4, 5].map((number) => moveItem(`load ${number}`, { places: "quay", preview: `Load ${number}.` })),
  ]),
);
answerRequests(() => Response.json({ quay: "Ships are loaded here.", casa: "A house." }));
const { hideTooltip, placeBeside, previewOf, showTooltip, usesKeys } = await import("#scripts/board/tooltip.js");
await settle();

const tip = get(".tip");
const lines = () => getAll(".tip p").map((line) => line.textContent);
const hot = () => getAll(".hot").map(({ id }) => id);

beforeEach(() => {
  hideTooltip();
  point("pointerdown", document.body); // the reader uses a pointer, and no long press is going on
  point("pointerup", document.body);
});

test("the glossary is that of the game, in the page's language", () => {
  assert.deepEqual(requests, [{ path: "/glossary/cuba/en", method: "GET", body: "" }]);
});

test("a move shows its preview and lights up its places", () => {
  showTooltip(get("#move-sell-1"));
  assert.deepEqual(lines(), ["You get 2 pesos."]);
  assert.deepEqual(hot().sort(), ["market", "port", "quay"]); // port: what the market reaches
  assert.deepEqual(
    getAll(".reached").map(({ id }) => id),
    ["port"],
  );
});

test("a place shows its moves by their labels", () => {
  showTooltip(get("#market circle"));
  assert.deepEqual(lines(), ["Sell one You get 2 pesos.", "Sell two You get 5 pesos."]);
});

test("a place with an explanation shows it first, and fewer moves", () => {
  showTooltip(get("#quay"));
  assert.deepEqual(lines(), ["Ships are loaded here.", "Sell one You get 2 pesos.", "load 1 Load 1."]);
});

test("a thing without moves is explained, one without an explanation is not", () => {
  showTooltip(get("#casa"));
  assert.deepEqual(lines(), ["A house."]);
  showTooltip(get("#port"));
  assert.equal(tip.hidden, true);
  assert.deepEqual(hot(), []);
});

test("hovering shows it, touching does not", () => {
  point("pointerover", get("#market"), { pointerType: "touch" });
  assert.equal(tip.hidden, true);
  point("pointerover", get("#market"));
  assert.equal(tip.hidden, false);
  point("pointerover", document.body);
  assert.equal(tip.hidden, true);
});

test("a focus shows it if it came by keys", () => {
  get("#move-sell-1").focus();
  assert.equal(tip.hidden, true);
  get("#move-sell-1").blur();
  press("Tab");
  assert.equal(usesKeys(), true);
  get("#move-sell-1").focus();
  assert.equal(tip.hidden, false);
  get("#move-sell-1").blur();
});

test("a long press shows it, and the click that ends it does nothing", () => {
  let clicks = 0;
  get("#market").addEventListener("click", () => clicks++, { once: true });
  point("pointerdown", get("#market"), { pointerType: "touch" });
  mock.timers.tick(449);
  assert.equal(tip.hidden, true);
  mock.timers.tick(1);
  assert.equal(tip.hidden, false);
  const menu = new MouseEvent("contextmenu", { bubbles: true, cancelable: true });
  get("#market").dispatchEvent(menu);
  assert.equal(menu.defaultPrevented, true);
  point("pointerup", get("#market"), { pointerType: "touch" });
  assert.equal(click(get("#market")).defaultPrevented, true);
  assert.equal(clicks, 0);
  click(get("#market"));
  assert.equal(clicks, 1, "the next click counts");
});

test("a short touch is a click and shows nothing", () => {
  point("pointerdown", get("#market"), { pointerType: "touch" });
  mock.timers.tick(300);
  point("pointerup", get("#market"), { pointerType: "touch" });
  mock.timers.tick(1000);
  assert.equal(tip.hidden, true);
  assert.equal(click(get("#market")).defaultPrevented, false);
});

test("a move without a preview has an empty one", () => {
  const button = document.createElement("button");
  assert.equal(previewOf(button), "");
});

// --- where it stands: the window is 1200 × 800

/** @param {HTMLElement} note */
const position = (note) => [Number.parseFloat(note.style.left), Number.parseFloat(note.style.top)];

test("a note stands beside the board if that is free, inside the window", () => {
  const note = document.createElement("div");
  setBox(note, 0, 0, 200, 60);
  setBox(get("#board"), 0, 0, 700, 700);
  setBox(get("#market"), 300, 300, 40, 40);
  placeBeside(note, [get("#market")]);
  assert.deepEqual(position(note), [710, 290]);
  setBox(get("#market"), 300, 0, 40, 40);
  placeBeside(note, [get("#market")]);
  assert.deepEqual(position(note), [710, 8], "eight pixels from the edge at least");
});

test("a note never covers what it explains, nor a player's holdings", () => {
  const note = document.createElement("div");
  setBox(note, 0, 0, 400, 100);
  setBox(get("#board"), 0, 0, 700, 700);
  setBox(get("#market"), 300, 300, 40, 40);
  setBox(get(".seat .panel"), 700, 0, 500, 800); // all that is beside the board
  setBox(get(".log-box"), 700, 0, 500, 800);
  placeBeside(note, [get("#market")]);
  const [left, top] = position(note);
  assert.ok(left + 400 <= 700, `it covers the panel: left ${left}`);
  assert.ok(top + 100 <= 300 || top >= 340 || left + 400 <= 300 || left >= 340, `it covers the market: ${left} ${top}`);
});
