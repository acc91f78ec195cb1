// shared/elements.js, places.js, layout.js: finding elements, notes to the reader, clicks.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { announced, click, forgetNotes, get, getButton, getInput, openPage, press, stopClock, toasts } from "./page.js";

openPage(
  `<p id="text">text</p><button id="button" data-places="quay  market"><b>go</b></button>
   <button id="elsewhere" data-places="port"></button><button id="nowhere"></button>
   <input id="field"><svg><g id="thing" class="target"><circle></circle></g></svg>
   <div id="links"><input data-address value="/join/abc"><input value="/join/abc"></div>`,
  { path: "/tables/a1?as=1" },
);
const elements = await import("#scripts/shared/elements.js");
const { movesAt, placesOf } = await import("#scripts/shared/places.js");
const { layout, rememberLayout } = await import("#scripts/shared/layout.js");

test("an element that must be there is returned with its kind, or an error names it", () => {
  assert.equal(elements.byId("button", HTMLButtonElement), get("#button"));
  assert.throws(() => elements.byId("text", HTMLButtonElement), /#text of the kind HTMLButtonElement/);
  assert.throws(() => elements.byId("missing", HTMLElement), /#missing/);
});

test("elements of another kind are not found", () => {
  assert.equal(elements.find(document, "#text", HTMLButtonElement), null);
  assert.equal(elements.find(null, "#text", HTMLElement), null);
  const ids = elements.findAll(document, "[id]", HTMLButtonElement).map(({ id }) => id);
  assert.deepEqual(ids, ["button", "elsewhere", "nowhere"]);
  assert.equal(elements.closest(get("#button b"), "#button", HTMLButtonElement), get("#button"));
  assert.equal(elements.closest(get("#button b"), "#button", HTMLInputElement), null);
  assert.equal(elements.closestAny(get("circle"), ".target"), get("#thing"));
  assert.equal(elements.closestAny(null, ".target"), null);
});

test("keys belong to fields and to the browser first", () => {
  assert.equal(elements.isKeyTaken(press("a", get("#field"))), true);
  assert.equal(elements.isKeyTaken(press("a", get("#text"), { ctrlKey: true })), true);
  assert.equal(elements.isKeyTaken(press("a", get("#text"), { altKey: true })), true);
  assert.equal(elements.isKeyTaken(press("a", get("#button"))), false);
});

test("a press is Enter or space, of a control if the browser clicks it", () => {
  assert.equal(elements.isPress(press("Enter")), true);
  assert.equal(elements.isPress(press(" ")), true);
  assert.equal(elements.isPress(press("x")), false);
  assert.equal(elements.isPressOfControl(press("Enter", get("#button"))), true);
  assert.equal(elements.isPressOfControl(press("Enter", get("#thing"))), false);
});

test("text of an element is never read as HTML", () => {
  const element = elements.createElement("p", "note small", "<b>Ana</b>", { title: '"x"' });
  assert.equal(element.outerHTML, '<p class="note small" title="&quot;x&quot;">&lt;b&gt;Ana&lt;/b&gt;</p>');
});

test("of several actions the first that matches a click is taken", () => {
  /** @type {string[]} */
  const done = [];
  elements.onClicks([
    ["#button b", ({ localName }) => done.push(localName)],
    ["#button", ({ id }) => done.push(id)],
  ]);
  click(get("#button b"));
  click(get("#button"));
  click(get("#text"));
  assert.deepEqual(done, ["b", "button"]);
});

test("notes go after six seconds, and there are never more than three", () => {
  stopClock();
  for (const text of ["a", "b", "c", "d"]) elements.toast(text);
  assert.deepEqual(toasts(), ["b", "c", "d"]);
  mock.timers.tick(5999);
  assert.equal(toasts().length, 3);
  mock.timers.tick(1);
  assert.deepEqual(toasts(), []);
  assert.equal(elements.toast(""), null);
  assert.deepEqual(toasts(), []);
  mock.timers.reset();
});

test("lines for a screen reader replace those before", () => {
  elements.announce(["One.", "Two."]);
  assert.equal(announced(), "One. Two.");
  elements.announce([]);
  assert.equal(announced(), "One. Two.");
  forgetNotes();
});

test("only marked fields become whole addresses", () => {
  elements.completeAddresses(get("#links"));
  assert.equal(getInput("[data-address]").value, "https://malecon.test/join/abc");
  assert.equal(getInput("#links input:not([data-address])").value, "/join/abc");
});

test("the moves at a place are those that name it", () => {
  const buttons = ["#button", "#elsewhere", "#nowhere"].map(getButton);
  assert.deepEqual(placesOf(buttons[0]), ["quay", "market"]);
  assert.deepEqual(placesOf(buttons[2]), []);
  assert.deepEqual(movesAt(buttons, "market"), [buttons[0]]);
  assert.deepEqual(movesAt(buttons, "mark"), []);
});

test("the layout is what the style sheet says, and the server learns it", () => {
  assert.equal(layout(), "wide");
  document.documentElement.style.setProperty("--board-layout", " tall ");
  assert.equal(layout(), "tall");
  rememberLayout();
  assert.match(document.cookie, /layout=tall/);
});
