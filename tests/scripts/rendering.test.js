// board/rendering.js: updates wait for what the reader presses, come in order, and lose neither focus nor question.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerRequests,
  get,
  getButton,
  getInput,
  openPage,
  passTime,
  point,
  press,
  settle,
  stopClock,
} from "./page.js";
import { dock, moveItem, tablePage } from "./table-page.js";

const MOVES = [moveItem("sell 1", { key: "1" }), moveItem("pass", { key: "2" })];
stopClock();
openPage(tablePage(MOVES));
answerRequests(() => Response.json({}));
const { afterRender, onRender, render } = await import("#scripts/board/rendering.js");
await settle();

const LOG = 0; // the parts of the page
const DOCK = 1;

test("updates are shown in the order they came", async () => {
  render({ parts: { [LOG]: [0, "<li>second</li>"] } });
  render({ parts: { [LOG]: [0, 1, "<li>third</li>"] } });
  await passTime(200);
  assert.equal(get("#log").textContent, "firstsecondthird");
});

test("what is pressed is not replaced before it has been clicked", async () => {
  const button = getButton("#move-pass");
  point("pointerdown", button);
  render({ parts: { [DOCK]: [dock(MOVES, { prompt: "Later" })] } });
  await passTime(1000);
  assert.ok(button.isConnected, "the pressed button is gone");
  point("pointerup", button);
  await passTime(200);
  assert.equal(button.isConnected, false);
  assert.equal(get("#prompt").textContent, "Later");
});

test("a press that never ends holds updates up for three seconds at most", async () => {
  point("pointerdown", getButton("#move-pass"));
  render({ parts: { [DOCK]: [dock(MOVES, { prompt: "Much later" })] } });
  await passTime(2900);
  assert.equal(get("#prompt").textContent, "Later");
  await passTime(100);
  await passTime(200);
  assert.equal(get("#prompt").textContent, "Much later");
});

test("a press beside all controls holds nothing up", async () => {
  point("pointerdown", get("#log"));
  render({ parts: { [DOCK]: [dock(MOVES, { prompt: "At once" })] } });
  await passTime(200);
  assert.equal(get("#prompt").textContent, "At once");
});

test("the focus of a move that is gone goes to the next question's first move", async () => {
  getButton("#move-sell-1").focus();
  render({ parts: { [DOCK]: [dock([moveItem("load 3", { key: "x" })], { version: 5 })] } });
  await passTime(200);
  assert.equal(document.activeElement, get("#move-load-3"));
});

test("without a next move, the focus goes to the question", async () => {
  render({ parts: { [DOCK]: [dock([], { version: 6, prompt: "Ana is thinking" })] } });
  await passTime(200);
  assert.equal(document.activeElement, get("#prompt"));
});

test("typed text survives an update of the dock", async () => {
  getInput("#typed").value = "dri";
  getInput("#typed").focus();
  render({ parts: { [DOCK]: [dock(MOVES, { version: 7 })] } });
  await passTime(200);
  assert.equal(getInput("#typed").value, "dri");
  assert.equal(document.activeElement, get("#typed"));
});

test("the next question begins at its beginning, the same one stays where it is", async () => {
  get("#dock").scrollTop = 40;
  render({ parts: { [DOCK]: [dock([...MOVES, moveItem("more")], { version: 7 })] } });
  await passTime(200);
  assert.equal(get("#dock").scrollTop, 40);
  render({ parts: { [DOCK]: [dock(MOVES, { version: 8 })] } });
  await passTime(200);
  assert.equal(get("#dock").scrollTop, 0);
});

test("listeners are called after every update, and tabs say which is chosen", async () => {
  let calls = 0;
  onRender(() => calls++);
  get("#table").dataset.tab = "seats";
  afterRender();
  assert.equal(calls, 1);
  assert.equal(get(".tabs [data-tab=seats]").getAttribute("aria-pressed"), "true");
  assert.equal(get(".tabs [data-tab=board]").getAttribute("aria-pressed"), "false");
  render({ parts: { [LOG]: ["<li>news</li>"] } });
  await passTime(200);
  assert.equal(calls, 2);
});

test("the log is scrolled to its end", async () => {
  Object.defineProperty(get("#log"), "scrollHeight", { configurable: true, value: 900 });
  get("#log").scrollTop = 0;
  render({ parts: { [LOG]: [0, "<li>newer</li>"] } });
  await passTime(200);
  assert.equal(get("#log").scrollTop, 900);
});

test("an element that keeps the focus by keys is explained again", async () => {
  press("Tab");
  getButton("#move-sell-1").focus();
  get("#preview-sell-1").textContent = "You get 3 pesos.";
  render({ parts: { [LOG]: ["<li>x</li>"] } });
  await passTime(200);
  assert.equal(get(".tip").hidden, false);
  assert.equal(get(".tip").textContent, "You get 3 pesos.");
  getButton("#move-sell-1").blur();
});
