// shared/live-socket.js: a connection that is opened again, each time after a longer pause.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { lastSocket, openPage, sockets, stopClock, useFakeSockets } from "./page.js";

openPage("", { path: "/tables/a1" });
useFakeSockets();
const { LiveSocket } = await import("#scripts/shared/live-socket.js");

/** @type {string[]} */
let events = [];
let version = 0;

function connect() {
  return new LiveSocket({
    path: () => `/tables/a1/live?shown=${version}`,
    onMessage: (message) => events.push(`message ${message}`),
    onOpen: () => events.push("open"),
    onLost: () => events.push("lost"),
  });
}

beforeEach(() => {
  stopClock();
  sockets.length = 0;
  events = [];
  version = 0;
});

test("it connects with the page's own server", () => {
  connect();
  assert.equal(lastSocket().address.href, "wss://malecon.test/tables/a1/live?shown=0");
});

test("messages are read as JSON, in order", () => {
  connect();
  lastSocket().accept();
  lastSocket().deliver("a");
  lastSocket().deliver("b");
  assert.deepEqual(events, ["open", "message a", "message b"]);
});

test("pauses between attempts double, up to ten seconds", () => {
  connect();
  for (const pauseMs of [500, 1000, 2000, 4000, 8000, 10_000, 10_000]) {
    const attempts = sockets.length;
    lastSocket().end();
    mock.timers.tick(pauseMs - 1);
    assert.equal(sockets.length, attempts, `it connected before ${pauseMs} ms`);
    mock.timers.tick(1);
    assert.equal(sockets.length, attempts + 1, `it did not connect after ${pauseMs} ms`);
  }
});

test("a connection that was made begins with the short pause again", () => {
  connect();
  lastSocket().end();
  mock.timers.tick(500);
  lastSocket().end();
  mock.timers.tick(1000);
  lastSocket().accept();
  lastSocket().end();
  mock.timers.tick(500);
  assert.equal(sockets.length, 4);
});

test("a loss is reported if the first attempt to connect again fails, not before", () => {
  connect();
  lastSocket().accept();
  lastSocket().end();
  assert.deepEqual(events, ["open"]);
  mock.timers.tick(500);
  lastSocket().end();
  assert.deepEqual(events, ["open", "lost"]);
});

test("each attempt says what the page shows by then, so that the server sends what was missed", () => {
  connect();
  version = 7;
  lastSocket().end();
  mock.timers.tick(500);
  assert.equal(lastSocket().address.searchParams.get("shown"), "7");
});

test("reopening closes the connection and opens another one at once", () => {
  const socket = connect();
  lastSocket().accept();
  socket.reopen();
  assert.deepEqual(
    sockets.map(({ isClosed }) => isClosed),
    [true, false],
  );
});

test("what a connection sends after it was replaced is ignored: the next one sends it again", () => {
  const socket = connect();
  const [old] = sockets;
  old.accept();
  socket.reopen();
  old.deliver("late");
  lastSocket().deliver("again");
  assert.deepEqual(events, ["open", "message again"]);
});

test("a replaced connection that closes is not opened again", () => {
  const socket = connect();
  const [old] = sockets;
  socket.reopen();
  old.end();
  mock.timers.tick(60_000);
  assert.equal(sockets.length, 2);
});

test("a replaced connection that closes is no loss, and makes no pause longer", () => {
  const socket = connect();
  lastSocket().end();
  mock.timers.tick(500);
  const old = lastSocket();
  socket.reopen();
  old.end();
  assert.deepEqual(events, []);
  lastSocket().end();
  mock.timers.tick(1000);
  assert.equal(sockets.length, 4);
});

test("a connection that was reopened while it paused is opened once", () => {
  const socket = connect();
  lastSocket().end();
  socket.reopen();
  mock.timers.tick(60_000);
  assert.equal(sockets.length, 2);
});

test("messages to the server are sent while the connection is open, and dropped while it is not", () => {
  const socket = connect();
  socket.send({ number: 1 });
  assert.equal(socket.isOpen, false);
  lastSocket().accept();
  socket.send({ number: 2 });
  assert.equal(socket.isOpen, true);
  assert.deepEqual(lastSocket().sent, [{ number: 2 }]);
  lastSocket().end();
  socket.send({ number: 3 });
  assert.deepEqual(lastSocket().sent, [{ number: 2 }]);
});
