// table/move-chooser.js: by a place and then another, by dragging, by typing, by stepping.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  answerRequests,
  click,
  forgetNotes,
  get,
  getAll,
  getButton,
  getDetails,
  openPage,
  point,
  stopClock,
  toasts,
} from "./page.js";
import { dock, moveGroup, moveItem, tablePage } from "./table-page.js";

const MOVES = [
  moveItem("pass", { label: "Pass", out: true }),
  moveGroup("Sell", [
    moveItem("sell 1", { label: "Sell azúcar", places: "market" }),
    moveItem("sell 2", { label: "Sell rum", places: "market port" }),
  ]),
  moveGroup("Load", [
    moveItem("load 1", { label: "Load café", places: "quay port" }),
    moveItem("load 2", { label: "Load rum", places: "quay" }),
  ]),
];
stopClock(); // notes would go after some seconds
openPage(tablePage(MOVES), {
  data: { texts: { several: "Several moves are possible there.", less: "Less", more: "More" } },
});
answerRequests(() => Response.json({}));
const chooser = await import("#scripts/table/move-chooser.js");

/** @type {string[]} */
let chosen = [];
chooser.useChooser(({ value }) => chosen.push(value));

/** The moves whose items are not hidden. */
const listed = () => getAll(".moves button[name=move]").filter((button) => !button.closest("li")?.hidden);
const listedMoves = () => listed().map((button) => button.getAttribute("value"));
const ready = () => getAll(".target.ready").map(({ id }) => id);

/** @param {string[]} moves @param {Parameters<typeof dock>[1]} [options] */
function showDock(moves, options) {
  get("#dock").outerHTML = dock(moves, options);
}

beforeEach(() => {
  showDock(MOVES);
  for (const target of getAll(".target")) target.classList.remove("ready");
  chosen = [];
  forgetNotes();
});

test("a place with one move makes it", () => {
  showDock([moveItem("sell 1", { places: "market" }), moveItem("pass")]);
  chooser.clickPlace("market");
  assert.deepEqual(chosen, ["sell 1"]);
});

test("a place with several moves lists them, and marks the places that tell them apart", () => {
  chooser.clickPlace("market");
  assert.deepEqual(chosen, []);
  assert.deepEqual(listedMoves(), ["sell 1", "sell 2"]);
  assert.deepEqual(ready(), ["market", "port"]);
  assert.deepEqual(toasts(), ["Several moves are possible there."]);
  assert.equal(document.activeElement, get("#move-sell-1"));
  assert.equal(get("[data-all]").hidden, false);
  assert.equal(getDetails(".group:first-of-type details, .group details").open, true);
});

test("a second place chooses among the listed moves", () => {
  chooser.clickPlace("market");
  chooser.clickPlace("port");
  assert.deepEqual(chosen, ["sell 2"]);
});

test("a second place that has none of the listed moves begins again", () => {
  chooser.clickPlace("market");
  chooser.clickPlace("quay");
  assert.deepEqual(chosen, []);
  assert.deepEqual(listedMoves(), ["load 1", "load 2"]);
});

test("a place without moves changes nothing", () => {
  chooser.clickPlace("casa");
  assert.deepEqual(chosen, []);
  assert.equal(get("[data-all]").hidden, true);
});

test("all moves are listed again, with their groups closed", () => {
  chooser.clickPlace("market");
  chooser.showAll();
  assert.equal(listed().length, 5);
  assert.equal(get("[data-all]").hidden, true);
  assert.deepEqual(ready(), []);
  assert.ok(getAll(".group details").every((details) => !(/** @type {HTMLDetailsElement} */ (details).open)));
});

test("a group that is opened is listed alone", () => {
  getDetails(".group:last-child details").open = true;
  assert.deepEqual(listedMoves(), ["load 1", "load 2"]);
  assert.equal(document.activeElement, get("#move-load-1"));
});

test("typing lists the moves with all words, in any order, without accents", () => {
  chooser.filterMoves("azucar SELL");
  assert.deepEqual(listedMoves(), ["sell 1"]);
  chooser.filterMoves("rum");
  assert.deepEqual(listedMoves(), ["sell 2", "load 2"]);
  chooser.filterMoves("xyz");
  assert.deepEqual(listedMoves(), ["sell 2", "load 2"], "a typing error hides nothing more");
  chooser.filterMoves(" ");
  assert.equal(listed().length, 5);
});

test("a typed move is meant if it is written in full, or if no other fits", () => {
  assert.equal(chooser.typedMove("Load 2 "), get("#move-load-2"));
  assert.equal(chooser.typedMove("load rum"), get("#move-load-2"));
  assert.equal(chooser.typedMove("rum"), null);
  assert.equal(chooser.typedMove("xyz"), null);
  showDock([moveItem("sell 1"), moveItem("sell 10")]);
  assert.equal(chooser.typedMove("sell 1"), get("#move-sell-1"), "sell 10 has these words, too");
});

// --- amounts

const AMOUNTS = [1, 2, 3].map((count) =>
  moveItem(`sell ${count}`, { label: `Sell ${count}`, preview: `${count} pesos` }),
);
/** @param {number} version */
function showAmounts(version) {
  showDock([moveItem("pass", { out: true }), ...AMOUNTS], { amounts: true, version });
  chooser.updateAmounts();
}

test("amounts are stepped through, shown with what they do, and chosen", () => {
  showAmounts(20);
  assert.equal(get("[data-amount]").textContent, "Sell 1");
  assert.equal(getButton("[data-less]").disabled, true);
  click(get("[data-more]"));
  assert.equal(get("[data-amount]").textContent, "Sell 2");
  assert.equal(get("[data-amounts] .kind").textContent, "2 pesos");
  assert.equal(document.activeElement, get("[data-more]"));
  click(get("[data-more]"));
  assert.equal(getButton("[data-more]").disabled, true);
  assert.equal(document.activeElement, get("[data-amount]"), "the focus leaves a button that is out of use");
  click(get("[data-less]"));
  click(get("[data-amount]"));
  assert.deepEqual(chosen, ["sell 2"]);
});

test("an amount stays while the question does, and begins again with the next one", () => {
  showAmounts(21);
  click(get("[data-more]"));
  showAmounts(21);
  assert.equal(get("[data-amount]").textContent, "Sell 2");
  showAmounts(22);
  assert.equal(get("[data-amount]").textContent, "Sell 1");
});

test("other questions have no stepper", () => {
  chooser.updateAmounts();
  assert.equal(getAll("[data-amount]").length, 0);
});

// --- dragging

/** @param {string} from @param {string} to */
function drag(from, to) {
  document.elementFromPoint = () => get(to);
  point("pointerdown", get(`${from} circle`));
  point("pointerup", document, { clientX: 1, clientY: 1 });
}

test("dragging from a place to another makes the move that belongs to both", () => {
  drag("#quay", "#port circle");
  assert.deepEqual(chosen, ["load 1"]);
  drag("#port", "#market");
  assert.deepEqual(chosen, ["load 1", "sell 2"]);
});

test("dragging to where no move goes, or nowhere, makes none", () => {
  drag("#quay", "#market");
  drag("#quay", "#quay circle");
  drag("#quay", "#log");
  assert.deepEqual(chosen, []);
});

test("dragging lists the moves if several belong to both places", () => {
  showDock([
    moveItem("a", { places: "quay port" }),
    moveItem("b", { places: "quay port" }),
    moveItem("c", { places: "quay" }),
  ]);
  drag("#quay", "#port");
  assert.deepEqual(chosen, []);
  assert.deepEqual(listedMoves(), ["a", "b"]);
});
