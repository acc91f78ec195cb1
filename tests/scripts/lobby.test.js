// pages/lobby.js and shared/waiting-count.js: the live lobby, and how many games wait.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { get, getDetails, lastSocket, openPage, sockets, useFakeSockets } from "./page.js";

const CARDS = '<details id="card" data-keep><summary>Ana</summary></details>';
openPage(`<div data-lobby="/lobby/live"></div><div id="lobby">${CARDS}</div>`, { data: { waits: 1 } });
document.title = "Malecón";
useFakeSockets();
/** @type {(number | null)[]} */
const badges = [];
Object.defineProperties(navigator, {
  setAppBadge: { value: async (/** @type {number} */ count) => badges.push(count) },
  clearAppBadge: { value: async () => badges.push(null) },
});
await import("#scripts/pages/lobby.js");
const { setTitle } = await import("#scripts/shared/waiting-count.js");

const lobby = get("#lobby");

beforeEach(() => {
  badges.length = 0;
  setTitle("Malecón");
  lastSocket().deliver({ waits: 0 });
});

test("the page's number is shown before the server sends any", () => {
  assert.equal(sockets[0].address.href, "wss://malecon.test/lobby/live?waits=1");
});

test("how many games wait is in the title and on the app's icon", () => {
  badges.length = 0;
  lastSocket().deliver({ waits: 3 });
  assert.equal(document.title, "(3) Malecón");
  lastSocket().deliver({ waits: 0 });
  assert.equal(document.title, "Malecón");
  assert.deepEqual(badges, [3, null]);
});

test("a title that says that it is the reader's turn counts that game already", () => {
  setTitle("● Cuba");
  lastSocket().deliver({ waits: 1 });
  assert.equal(document.title, "● Cuba");
  lastSocket().deliver({ waits: 2 });
  assert.equal(document.title, "(2) ● Cuba");
});

test("the lobby is shown again, and open cards stay open", () => {
  getDetails("#card").open = true;
  lastSocket().deliver({ html: `<p>Ben</p>${CARDS}` });
  assert.equal(get("#lobby p").textContent, "Ben");
  assert.equal(getDetails("#card").open, true);
  assert.equal(lobby.dataset.ready, "yes");
});

test("the same lobby is left alone", () => {
  lobby.innerHTML = "<p>same</p>";
  const { firstChild } = lobby;
  lastSocket().deliver({ html: "<p>same</p>" });
  assert.equal(lobby.firstChild, firstChild);
});

test("when a game starts, the page goes to its table", () => {
  const assign = mock.method(location, "assign", () => {});
  lastSocket().deliver({ go: "/tables/a1" });
  assert.deepEqual(assign.mock.calls[0].arguments, ["/tables/a1"]);
});
