// board/close-up.js: a large view in a dialog, kept up to date, which gives the focus back.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { answerRequests, click, get, getAll, openPage, press, requests, settle, unreachable } from "./page.js";
import { tablePage } from "./table-page.js";

openPage(`${tablePage([])}<div class="tip">tip</div>`, { data: { texts: { close: "Close" } } });
await import("#scripts/board/close-up.js");

const link = get("[data-look]");
const dialogs = () => /** @type {HTMLDialogElement[]} */ (getAll("dialog.closer"));
let title = "In front of Ana";
const answer = () => Response.json({ title, html: "<svg></svg>", announce: ["Ana has", "two rum."] });

afterEach(async () => {
  for (const dialog of dialogs()) dialog.close();
  await settle();
});

async function open() {
  answerRequests(answer);
  click(link);
  await settle();
}

test("a link opens the view instead of a page, with the focus on its title", async () => {
  answerRequests(answer);
  assert.equal(click(link).defaultPrevented, true);
  await settle();
  assert.deepEqual(
    requests.map(({ path }) => path),
    ["/tables/a1/seats/0"],
  );
  assert.equal(dialogs().length, 1);
  assert.equal(dialogs()[0].open, true);
  assert.equal(get("#closer-title").textContent, "In front of Ana");
  assert.equal(get(".close-up").innerHTML, "<svg></svg>");
  assert.equal(get(".closer .said").textContent, "Ana has two rum.");
  assert.equal(get(".closer button").textContent, "Close");
  assert.equal(document.activeElement, get("#closer-title"));
});

test("a click into a player's panel opens it, one on what can be chosen there does not", async () => {
  answerRequests(answer);
  get(".panel").classList.add("target");
  click(get(".panel b"));
  await settle();
  assert.equal(dialogs().length, 0);
  get(".panel").classList.remove("target");
  click(get(".panel b"));
  await settle();
  assert.equal(dialogs().length, 1);
});

test("a click with Ctrl opens the page in a tab, as the browser does it", async () => {
  answerRequests(answer);
  assert.equal(click(link, { ctrlKey: true }).defaultPrevented, false);
  await settle();
  assert.equal(requests.length, 0);
});

test("at a shared screen, the seat that plays sees its own side", async () => {
  get("#table").dataset.as = "2";
  await open();
  assert.equal(requests[0].path, "/tables/a1/seats/0?as=2");
  delete get("#table").dataset.as;
});

test("a second click before the answer opens nothing more", async () => {
  answerRequests(answer);
  click(link);
  click(link);
  await settle();
  assert.equal(dialogs().length, 1);
  assert.equal(requests.length, 1);
});

test("if the server is out of reach, nothing opens", async () => {
  answerRequests(unreachable);
  click(link);
  await settle();
  assert.equal(dialogs().length, 0);
});

test("it is loaded again whenever the table has changed", async () => {
  await open();
  title = "In front of Ana, later";
  get("#table").dataset.ready = "8";
  await settle();
  assert.equal(get("#closer-title").textContent, "In front of Ana, later");
  assert.equal(requests.length, 2);
});

test("while it is open, keys and clicks do nothing at the table", async () => {
  await open();
  let count = 0;
  const add = () => count++;
  document.addEventListener("keydown", add);
  document.addEventListener("click", add);
  press("1", get("#closer-title"));
  click(get(".close-up"));
  document.removeEventListener("keydown", add);
  document.removeEventListener("click", add);
  assert.equal(count, 0);
  assert.equal(dialogs().length, 1);
});

test("its button closes it; the link gets the focus back, and tooltips are shown by the page again", async () => {
  await open();
  assert.equal(get(".tip").parentElement, dialogs()[0]);
  click(get(".closer button"));
  assert.equal(dialogs().length, 0);
  assert.equal(document.activeElement, link);
  assert.equal(get(".tip").parentElement, document.body);
});

test("a click beside the dialog closes it", async () => {
  await open();
  click(dialogs()[0]);
  assert.equal(dialogs().length, 0);
});
