// pages/table.js: a whole table, with its live connection, its moves, its hints and its keys.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import {
  announced,
  answerRequests,
  click,
  forgetNotes,
  get,
  getAll,
  getButton,
  getForm,
  getInput,
  lastSocket,
  openPage,
  passTime,
  press,
  requests,
  settle,
  sockets,
  stopClock,
  submit,
  toasts,
  type,
  unreachable,
  useFakeSockets,
} from "./page.js";
import { dock, moveItem, tablePage } from "./table-page.js";

const MOVES = [
  moveItem("sell 1", { label: "Sell one", places: "market", key: "1", preview: "You get 2 pesos." }),
  moveItem("end", { label: "End the turn", key: "2", preview: "Ana is next.", final: true }),
];
const TEXTS = {
  notSent: "There is no connection.",
  confirm: "Confirm",
  cancel: "Cancel",
  final: "You cannot undo it.",
  hint: "A strong player",
  ask: "Ask about a move",
  copied: "Copied",
  which: "Choose the move you want to know about.",
};
stopClock();
const INVITATION =
  '<div id="invitation"><input value="/join/abc"><button data-copy><b>Copy</b></button></div><button data-copy-table>Link</button>';
openPage(tablePage(MOVES) + INVITATION, { path: "/tables/a1", data: { texts: TEXTS } });
useFakeSockets();
answerRequests(() => Response.json({}));
await import("#scripts/pages/table.js");

/** @type {string[]} */
const copied = [];
Object.defineProperty(navigator, "clipboard", {
  value: { writeText: async (/** @type {string} */ text) => copied.push(text) },
});

const table = get("#table");
const DOCK = 1; // the part of the page
/** Keeps the version different from test to test: a move is sent once in a version. */
let version = 100;

/**
 * Returns a message of the server.
 * @param {object} [changes]
 */
const message = (changes = {}) => ({
  version: 1,
  moves: Number(table.dataset.moves),
  shown: table.dataset.shown,
  title: "Cuba",
  announce: [],
  notices: [],
  yourTurn: false,
  flights: [],
  parts: {},
  ...changes,
});

/** @param {object} changes */
async function receive(changes) {
  lastSocket().deliver(message(changes));
  await passTime(200);
}

before(() => lastSocket().accept());
beforeEach(async () => {
  await receive({ parts: { [DOCK]: [dock(MOVES, { version: ++version })] } });
  answerRequests(() => Response.json({}));
  forgetNotes();
  table.dataset.confirm = "";
});

// --- the connection

test("the page says what it shows, so that the server sends only the rest", async () => {
  const { pathname, searchParams } = sockets[0].address;
  assert.equal(pathname, "/tables/a1/live");
  assert.deepEqual(Object.fromEntries(searchParams), { layout: "wide", moves: "4", waits: "1", shown: "s0" });
});

test("after messages were missed, it asks for what has changed since the last one it showed", async () => {
  await receive({ shown: "s7", moves: 9 });
  lastSocket().end();
  await passTime(500);
  assert.equal(lastSocket().address.searchParams.get("shown"), "s7");
  assert.equal(lastSocket().address.searchParams.get("moves"), "9");
  lastSocket().accept();
});

test("if the other board is needed now, it asks for all of it", async () => {
  const count = sockets.length;
  document.documentElement.style.setProperty("--board-layout", "tall");
  dispatchEvent(new Event("resize"));
  assert.equal(sockets.length, count + 1);
  assert.equal(lastSocket().address.searchParams.get("layout"), "tall");
  assert.equal(lastSocket().address.searchParams.has("shown"), false);
  await receive({ shown: "s8" });
  document.documentElement.style.setProperty("--board-layout", "wide");
  dispatchEvent(new Event("resize"));
  await receive({ shown: "s9" });
  dispatchEvent(new Event("resize"));
  assert.equal(sockets.length, count + 2, "a resize that changes nothing opens no connection");
});

test("a message is shown, announced, and told in the title", async () => {
  await receive({
    version: 55,
    title: "● Cuba",
    announce: ["Ana sells.", "Your turn."],
    notices: ["You get 2 pesos."],
    parts: { 0: ["<li>Ana sells.</li>"] },
  });
  assert.equal(document.title, "● Cuba");
  assert.equal(get("#log").textContent, "Ana sells.");
  assert.equal(announced(), "Ana sells. Your turn.");
  assert.deepEqual(toasts(), ["You get 2 pesos."]);
  assert.equal(table.dataset.ready, "55");
});

test("how many games wait is shown in the title", async () => {
  await receive({ title: "Cuba" });
  lastSocket().deliver({ waits: 2 });
  assert.equal(document.title, "(2) Cuba");
  lastSocket().deliver({ waits: 0 });
  assert.equal(document.title, "Cuba");
});

test("a note is there while the connection cannot be made", async () => {
  lastSocket().end();
  assert.equal(get("#connection").hidden, true);
  await passTime(500);
  lastSocket().end();
  assert.equal(get("#connection").hidden, false);
  await passTime(1000);
  lastSocket().accept();
  assert.equal(get("#connection").hidden, true);
});

test("at a shared screen, another seat's side is shown after a click", async () => {
  get("#dock").insertAdjacentHTML("beforeend", '<div class="cover"><a href="?as=2" data-as="2">me</a></div>');
  assert.equal(click(get("[data-as]")).defaultPrevented, true);
  assert.equal(lastSocket().address.searchParams.get("as"), "2");
  lastSocket().accept();
});

// --- moves

test("a click sends the move with the position it was made in", async () => {
  click(get("#move-sell-1"));
  await settle();
  assert.deepEqual(requests, [{ path: "/tables/a1/move", method: "POST", body: `version=${version}&move=sell+1` }]);
});

test("a second click before the answer sends nothing", async () => {
  click(get("#move-sell-1"));
  click(get("#move-sell-1"));
  click(get("#move-end"));
  await settle();
  assert.equal(requests.length, 1);
});

test("a move that was refused is explained, and can be tried again", async () => {
  answerRequests(() => Response.json({ error: "You have no rum." }, { status: 400 }));
  click(get("#move-sell-1"));
  await settle();
  assert.deepEqual(toasts(), ["You have no rum."]);
  assert.equal(announced(), "You have no rum.");
  click(get("#move-sell-1"));
  await settle();
  assert.equal(requests.length, 2);
});

test("a move in an old position brings the new one", async () => {
  const count = sockets.length;
  answerRequests(() => Response.json({ error: "Too late." }, { status: 409 }));
  click(get("#move-sell-1"));
  await settle();
  assert.equal(sockets.length, count + 1);
  lastSocket().accept();
});

test("a server out of reach is shown and announced", async () => {
  answerRequests(unreachable);
  click(get("#move-sell-1"));
  await settle();
  assert.deepEqual(toasts(), ["There is no connection."]);
  assert.equal(announced(), "There is no connection.");
});

test("a place makes its move, by click and by Enter", async () => {
  click(get("#market circle"));
  await settle();
  assert.equal(requests.length, 1);
  await receive({ parts: { [DOCK]: [dock(MOVES, { version: ++version })] } });
  press("Enter", get("#market"));
  await settle();
  assert.equal(requests.length, 2);
});

test("a thing without moves says why", async () => {
  answerRequests(() => Response.json({ why: "The house is taken." }));
  click(get("#casa circle"));
  await settle();
  assert.equal(requests[0].path, "/tables/a1/why?place=casa");
  assert.deepEqual(toasts(), ["The house is taken."]);
  assert.equal(announced(), "The house is taken.");
});

test("Enter makes the only move there is, and no other", async () => {
  press("Enter");
  await settle();
  assert.equal(requests.length, 0);
  await receive({ parts: { [DOCK]: [dock([MOVES[0]], { version: ++version })] } });
  press("Enter");
  await settle();
  assert.equal(requests.length, 1);
});

test("a typed move is made, if it is among the moves; else the server reads it", async () => {
  type(getInput("#typed"), "sell");
  assert.equal(get("#move-end").closest("li")?.hidden, true);
  assert.equal(submit(getForm(".typed")).defaultPrevented, true);
  await settle();
  assert.equal(requests[0].body, `version=${version}&move=sell+1`);
  getInput("#typed").value = "verkaufe";
  submit(getForm(".typed"));
  await settle();
  assert.equal(requests[1].body, `version=${version}&move=verkaufe`);
  assert.equal(getInput("#typed").value, "", "the server has read it");
});

test("a typed move that was refused stays in the field", async () => {
  answerRequests(() => Response.json({ error: "No such move." }, { status: 400 }));
  getInput("#typed").value = "xyz";
  submit(getForm(".typed"));
  await settle();
  assert.equal(getInput("#typed").value, "xyz");
});

test("/ goes to the field, and Escape lists all moves again", () => {
  press("/");
  assert.equal(document.activeElement, get("#typed"));
  type(getInput("#typed"), "sell");
  press("Escape", get("#typed"));
  assert.equal(get("#move-end").closest("li")?.hidden, false);
});

test("a link is copied, and the reader is told", async () => {
  getInput("#invitation input").value = "https://malecon.test/join/abc";
  click(get("#invitation b"));
  click(get("[data-copy-table]"));
  await settle();
  assert.deepEqual(copied, ["https://malecon.test/join/abc", "https://malecon.test/tables/a1"]);
  assert.deepEqual(toasts(), ["Copied", "Copied"]);
});

// --- confirming

test("a move that ends the turn is confirmed first, if the reader wants that", async () => {
  table.dataset.confirm = "on";
  press("2");
  await settle();
  assert.equal(requests.length, 0);
  const question = get(".question");
  assert.equal(question.getAttribute("role"), "alertdialog");
  assert.equal(question.querySelector("p")?.textContent, "Ana is next. You cannot undo it.");
  assert.equal(document.activeElement?.textContent, "Confirm: End the turn");
  click(get(".question .primary"));
  await settle();
  assert.equal(requests[0].body, `version=${version}&move=end`);
  assert.equal(getAll(".question").length, 0);
});

test("a question can be cancelled, by its button and by Escape", async () => {
  table.dataset.confirm = "on";
  press("2");
  click(get("[data-cancel]"));
  assert.equal(getAll(".question").length, 0);
  assert.equal(document.activeElement, get("#move-end"));
  press("2");
  press("Escape");
  assert.equal(getAll(".question").length, 0);
  await settle();
  assert.equal(requests.length, 0);
});

test("other moves are made at once", async () => {
  table.dataset.confirm = "on";
  press("1");
  await settle();
  assert.equal(requests.length, 1);
});

// --- hints

const HINT = { moves: [{ move: "end", label: "End the turn", chance: "61%" }], why: ["Rum is cheap."] };

test("a hint marks the moves, puts them first, and says why", async () => {
  answerRequests(() => Response.json(HINT));
  const button = getButton("[data-hint]");
  click(button);
  assert.equal(button.disabled, true);
  assert.equal(button.classList.contains("busy"), true);
  await settle();
  assert.equal(button.disabled, false);
  assert.equal(requests[0].path, "/tables/a1/hint");
  assert.equal(get(".advised").id, "move-end");
  assert.equal(get(".advised .chance").textContent, "61%");
  assert.equal(get(".advised").closest("li")?.style.order, "-1");
  assert.equal(get(".hint-why li").textContent, "Rum is cheap.");
  assert.equal(announced(), "A strong player: End the turn: 61% Rum is cheap.");
});

test("a second hint marks nothing twice", async () => {
  answerRequests(() => Response.json(HINT));
  click(get("[data-hint]"));
  await settle();
  click(get("[data-hint]"));
  await settle();
  assert.equal(getAll(".chance").length, 1);
  assert.equal(getAll(".hint-why").length, 1);
});

test("a hint that comes after the position has changed is not shown", async () => {
  /** @type {(response: Response) => void} */
  let respond = () => {};
  answerRequests(
    () =>
      new Promise((done) => {
        respond = done;
      }),
  );
  click(get("[data-hint]"));
  await receive({ parts: { [DOCK]: [dock(MOVES, { version: ++version })] } });
  respond(Response.json(HINT));
  await settle();
  assert.equal(getAll(".advised, .hint-why").length, 0);
});

test("a hint that is refused gives the button back", async () => {
  answerRequests(() => Response.json({ error: "No hints here." }, { status: 403 }));
  click(get("[data-hint]"));
  await settle();
  assert.equal(getButton("[data-hint]").disabled, false);
  assert.deepEqual(toasts(), ["No hints here."]);
});

test("while the reader asks about a move, it is explained and not made", async () => {
  answerRequests(({ path }) => Response.json(path.endsWith("/hint") ? HINT : { why: ["It gives Ana the port."] }));
  click(get("[data-hint]"));
  await settle();
  click(get("[data-ask]"));
  assert.equal(get("[data-ask]").getAttribute("aria-pressed"), "true");
  assert.deepEqual(toasts(), ["Choose the move you want to know about."]);
  click(get("#move-sell-1"));
  await settle();
  assert.deepEqual(
    requests.map(({ path, body }) => `${path} ${body}`),
    ["/tables/a1/hint ", "/tables/a1/explain move=sell+1"],
  );
  assert.equal(get(".hint-why li").textContent, "It gives Ana the port.");
  assert.equal(announced(), "It gives Ana the port.");
  click(get("#move-sell-1"));
  await settle();
  assert.equal(requests[2].path, "/tables/a1/move");
});

test("a button that asks is released by a second press", async () => {
  answerRequests(() => Response.json(HINT));
  click(get("[data-hint]"));
  await settle();
  click(get("[data-ask]"));
  click(get("[data-ask]"));
  assert.equal(get("[data-ask]").getAttribute("aria-pressed"), "false");
});
