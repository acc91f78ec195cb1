// pages/exercise.js: places on the board choose among the moves beside it, and keys do, too.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { click, get, getAll, getForm, openPage, point, press } from "./page.js";
import { moveItem } from "./table-page.js";

openPage(
  `<div id="exercise"><svg><g id="quay" class="target"></g><g id="market" class="target"></g><g id="casa"></g></svg>
     <form class="exercise-moves"><ul>${[
       moveItem("load 1", { places: "quay", key: "1" }),
       moveItem("load 2", { places: "quay", key: "2" }),
       moveItem("sell 1", { places: "market", key: "3" }),
     ].join("")}</ul><button type="button" data-all hidden>All</button></form>
     <a data-key="n" href="#next">next</a></div>`,
);
await import("#scripts/pages/exercise.js");

/** @type {(string | null | undefined)[]} */
let sent = [];
getForm("form").addEventListener("submit", (event) => {
  event.preventDefault();
  sent.push(event.submitter?.getAttribute("value"));
});
const listed = () => getAll("button[name=move]").filter((button) => !button.closest("li")?.hidden);

beforeEach(() => {
  click(get("[data-all]"));
  sent = [];
});

test("keys work as soon as the page says so", () => {
  assert.equal(get("#exercise").dataset.ready, "");
});

test("a place with one move makes it", () => {
  click(get("#market"));
  assert.deepEqual(sent, ["sell 1"]);
});

test("a place with several moves lists them, and all can be listed again", () => {
  click(get("#quay"));
  assert.deepEqual(sent, []);
  assert.deepEqual(
    listed().map(({ id }) => id),
    ["move-load-1", "move-load-2"],
  );
  assert.equal(document.activeElement, get("#move-load-1"));
  assert.equal(get("[data-all]").hidden, false);
  click(get("[data-all]"));
  assert.equal(listed().length, 3);
  assert.equal(get("[data-all]").hidden, true);
});

test("a place is pressed with Enter, a control by its key", () => {
  assert.equal(press("Enter", get("#market")).defaultPrevented, true);
  press("2");
  assert.deepEqual(sent, ["sell 1", "load 2"]);
  let clicks = 0;
  get("[data-key=n]").addEventListener("click", () => clicks++);
  press("n", document.body, { ctrlKey: true });
  press("n");
  assert.equal(clicks, 1);
});

test("Enter on a button is left to the browser", () => {
  assert.equal(press("Enter", get("#move-load-1")).defaultPrevented, false);
  assert.deepEqual(sent, []);
});

test("a move and its places light up together", () => {
  const hot = () => getAll(".hot").map(({ id }) => id);
  point("pointerover", get("#move-load-1"));
  assert.deepEqual(hot(), ["quay"]);
  point("pointerover", get("#quay"));
  assert.deepEqual(hot(), ["move-load-1", "move-load-2"]);
  point("pointerover", get("#casa"));
  assert.deepEqual(hot(), []);
});
