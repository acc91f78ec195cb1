// table/chat.js: messages and who is here, over a socket of their own.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import {
  answerRequests,
  click,
  forgetNotes,
  get,
  getAll,
  getButton,
  getDetails,
  getForm,
  getInput,
  lastSocket,
  openPage,
  press,
  requests,
  settle,
  sockets,
  stopClock,
  submit,
  toasts,
  useFakeSockets,
} from "./page.js";

/** @param {number} number @param {string} text */
const line = (number, text) => `<li id="said-${number}"><span class="said-text">  ${text}\n </span></li>`;

stopClock(); // notes would go after some seconds
openPage(
  `<details id="talk" data-chat="/tables/a1/chat"><summary>Chat <span id="talk-unread" hidden></span></summary>
     <div id="talk-here"></div><ul id="talk-lines"></ul><div id="talk-stop"></div>
     <form id="ready" data-talk action="/tables/a1/talk"><button name="phrase" value="3">Thanks</button></form>
     <form id="say" data-talk action="/tables/a1/talk"><input name="text" value=""><button id="send">Send</button></form>
   </details>`,
  { data: { texts: { notSent: "There is no connection." } } },
);
useFakeSockets();
await import("#scripts/table/chat.js");

const box = getDetails("#talk");
const texts = () => getAll(".said-text").map((text) => text.textContent?.trim());
const unread = () => (get("#talk-unread").hidden ? 0 : Number(get("#talk-unread").textContent));

before(() => lastSocket().accept());
beforeEach(() => {
  box.open = true; // which makes everything read
  box.open = false;
  forgetNotes();
  lastSocket().deliver({ here: "Ana", lines: [line(1, "hello")], all: true });
});

test("it connects where the page says", () => {
  assert.equal(sockets[0].address.href, "wss://malecon.test/tables/a1/chat");
});

test("all messages replace those before and count for nothing", () => {
  lastSocket().deliver({ here: "Ana, Ben", lines: [line(1, "hello"), line(2, "you")], all: true });
  assert.deepEqual(texts(), ["hello", "you"]);
  assert.equal(get("#talk-here").textContent, "Ana, Ben");
  assert.equal(unread(), 0);
  assert.deepEqual(toasts(), []);
});

test("a new message is added, counted and shown while the chat is closed", () => {
  lastSocket().deliver({ lines: [line(2, "your  turn")], unread: 1 });
  lastSocket().deliver({ lines: [line(3, "and again")], unread: 1 });
  assert.deepEqual(texts(), ["hello", "your  turn", "and again"]);
  assert.equal(unread(), 2);
  assert.deepEqual(toasts(), ["your turn", "and again"]);
});

test("one's own message is not counted", () => {
  lastSocket().deliver({ lines: [line(2, "mine")], unread: 0 });
  assert.equal(unread(), 0);
  assert.deepEqual(toasts(), []);
});

test("an open chat has nothing unread", () => {
  lastSocket().deliver({ lines: [line(2, "a")], unread: 1 });
  box.open = true;
  assert.equal(unread(), 0);
  lastSocket().deliver({ lines: [line(3, "b")], unread: 1 });
  assert.equal(unread(), 0);
  assert.deepEqual(toasts(), ["a"]);
});

test("what was taken back goes", () => {
  lastSocket().deliver({ lines: [line(2, "rude")], unread: 1 });
  lastSocket().deliver({ gone: [2, 77] });
  assert.deepEqual(texts(), ["hello"]);
});

test("text is sent and the field emptied", async () => {
  answerRequests(() => Response.json({ notice: null, reconnect: false }));
  getInput("[name=text]").value = "hi there";
  assert.equal(submit(getForm("#say"), getButton("#send")).defaultPrevented, true);
  await settle();
  assert.deepEqual(requests, [{ path: "/tables/a1/talk", method: "POST", body: "text=hi+there" }]);
  assert.equal(getInput("[name=text]").value, "");
});

test("a phrase is sent alone, and what was being written stays", async () => {
  answerRequests(() => Response.json({ notice: null, reconnect: false }));
  getInput("[name=text]").value = "unfinished";
  submit(getForm("#ready"), getButton("[name=phrase]"));
  await settle();
  assert.equal(requests[0].body, "phrase=3");
  assert.equal(getInput("[name=text]").value, "unfinished");
});

test("what the server answers is shown, and everything is asked for again if it says so", async () => {
  const count = sockets.length;
  answerRequests(() => Response.json({ notice: "Ben is muted.", reconnect: true }));
  submit(getForm("#say"), getButton("#send"));
  await settle();
  assert.deepEqual(toasts(), ["Ben is muted."]);
  assert.equal(sockets.length, count + 1);
});

test("a refusal is shown, and the text stays", async () => {
  answerRequests(() => Response.json({ error: "Not so fast." }, { status: 429 }));
  getInput("[name=text]").value = "spam";
  submit(getForm("#say"), getButton("#send"));
  await settle();
  assert.deepEqual(toasts(), ["Not so fast."]);
  assert.equal(getInput("[name=text]").value, "spam");
});

test("keys in the chat choose no moves; Escape closes it", () => {
  let keys = 0;
  document.addEventListener("keydown", () => keys++);
  box.open = true;
  press("1", get("[name=text]"));
  press("Escape", get("[name=text]"));
  assert.equal(keys, 0);
  assert.equal(box.open, false);
  assert.equal(document.activeElement, get("summary"));
});

test("other forms in the box are sent by the browser", () => {
  get("#talk-stop").innerHTML = '<form id="stop"><button>Stop</button></form>';
  assert.equal(submit(getForm("#stop")).defaultPrevented, false);
  click(get("summary"));
});
