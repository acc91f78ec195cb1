// board/controls.js and keyboard-navigation.js: keys that press controls, and arrows from thing to thing.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answerRequests, click, forgetNotes, get, openPage, press, setBox, stopClock } from "./page.js";
import { moveItem, tablePage } from "./table-page.js";

stopClock(); // notes would go after some seconds
openPage(`${tablePage([moveItem("sell 1", { key: "1" })])}`, { path: "/tables/a1?as=0" });
answerRequests(() => Response.json({}));
const { CLICKS, onKeys } = await import("#scripts/board/controls.js");
const { onClicks } = await import("#scripts/shared/elements.js");
await import("#scripts/board/keyboard-navigation.js");

/** @type {string[]} */
let events = [];
onClicks(CLICKS);
onKeys(
  () => events.push("escape"),
  ({ key }) => key === "/" && events.push("slash") > 0,
);
get("#move-sell-1").addEventListener("click", () => events.push("sell 1"));
get("#casa").addEventListener("click", () => events.push("casa"));
beforeEach(() => {
  events = [];
  forgetNotes();
});

test("a key presses the control that has it", () => {
  assert.equal(press("1").defaultPrevented, true);
  assert.equal(press("2").defaultPrevented, false);
  assert.deepEqual(events, ["sell 1"]);
});

test("keys with Ctrl, and keys in fields, are left alone", () => {
  press("1", document.body, { ctrlKey: true });
  press("1", get("#typed"));
  assert.deepEqual(events, []);
});

test("Escape works in a field, too", () => {
  press("Escape", get("#typed"));
  assert.deepEqual(events, ["escape"]);
});

test("what the page handles itself goes no further", () => {
  assert.equal(press("/").defaultPrevented, true);
  assert.deepEqual(events, ["slash"]);
});

test("Enter on a button is left to the browser", () => {
  get("#move-sell-1").dataset.key = "Enter";
  assert.equal(press("Enter", get("[data-hint]")).defaultPrevented, false);
  assert.deepEqual(events, []);
  get("#move-sell-1").dataset.key = "1";
});

test("a tab is chosen", () => {
  click(get(".tabs [data-tab=seats]"));
  assert.equal(get("#table").dataset.tab, "seats");
  assert.equal(get(".tabs [data-tab=seats]").getAttribute("aria-pressed"), "true");
});

// --- arrows: casa is in the middle, the others around it

setBox(get("#board"), 0, 0, 400, 400);
setBox(get("#quay"), 0, 190, 20, 20);
setBox(get("#market"), 380, 200, 20, 20);
setBox(get("#port"), 250, 20, 20, 20);
setBox(get("#casa"), 190, 190, 20, 20);

const focused = () => document.activeElement?.id;

test("arrows go to the nearest thing in their direction; what lies aside counts as further off", () => {
  get("#casa").setAttribute("tabindex", "-1");
  get("#casa").focus();
  press("ArrowRight", get("#casa"));
  assert.equal(focused(), "market", "the port is nearer, but aside");
  press("ArrowLeft", get("#market"));
  assert.equal(focused(), "casa");
  press("ArrowLeft", get("#casa"));
  assert.equal(focused(), "quay");
  press("ArrowLeft", get("#quay"));
  assert.equal(focused(), "quay", "there is nothing further");
  press("ArrowUp", get("#quay"));
  assert.equal(focused(), "port");
});

test("from the board itself, an arrow goes to the thing that is next to its corner", () => {
  get("#board").focus();
  assert.equal(press("ArrowDown", get("#board")).defaultPrevented, true);
  assert.equal(focused(), "port");
});

test("Enter on a thing without moves asks about it", () => {
  press("Enter", get("#casa"));
  assert.deepEqual(events, ["casa"]);
});

test("arrows elsewhere scroll the page as usual", () => {
  assert.equal(press("ArrowDown", get("#log")).defaultPrevented, false);
});
