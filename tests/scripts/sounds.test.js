// table/sounds.js: sounds and notifications, as the reader's settings have them.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { get, openPage } from "./page.js";
import { tablePage } from "./table-page.js";

openPage(tablePage([]), { data: { texts: { turn: "Your turn" } } });
const { notifyTurn, playMoveSound } = await import("#scripts/table/sounds.js");

const table = get("#table");
/** @type {number[]} */
let tones = [];
/** @type {string[]} */
let notes = [];
const activation = { hasBeenActive: true };
Object.defineProperty(navigator, "userActivation", { value: activation });
const parameter = { linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
class FakeNode {
  gain = parameter;
  /** @param {unknown} _ @param {{ frequency?: number }} options */
  constructor(_, { frequency }) {
    if (frequency) tones.push(frequency);
  }
  /** @param {unknown} node */
  connect(node) {
    return node;
  }
  start() {}
  stop() {}
}
class FakeNotification {
  static permission = "granted";
  /** @param {string} title @param {NotificationOptions} options */
  constructor(title, { body, tag }) {
    notes.push(`${title}: ${body} (${tag})`);
  }
}
const AudioContext = class {
  currentTime = 0;
};
Object.assign(globalThis, {
  AudioContext,
  OscillatorNode: FakeNode,
  GainNode: FakeNode,
  Notification: FakeNotification,
});
/** @param {boolean} hidden */
const setHidden = (hidden) => Object.defineProperty(document, "hidden", { configurable: true, value: hidden });

beforeEach(() => {
  tones = [];
  notes = [];
  activation.hasBeenActive = true;
  Object.assign(table.dataset, { sound: "on", sounds: "on", notify: "on" });
  setHidden(false);
});

test("a move sounds higher if something was gained", () => {
  playMoveSound(true);
  playMoveSound(false);
  assert.deepEqual(tones, [880, 196]);
});

test("it is silent if the reader has switched sounds off, or has not touched the page", () => {
  activation.hasBeenActive = false;
  playMoveSound(true);
  notifyTurn();
  activation.hasBeenActive = true;
  Object.assign(table.dataset, { sound: "", sounds: "" });
  playMoveSound(true);
  notifyTurn();
  assert.deepEqual(tones, []);
});

test("the reader's turn has a sound of its own, and a notification while the page is hidden", () => {
  notifyTurn();
  assert.deepEqual(tones, [523, 659]);
  assert.deepEqual(notes, []);
  setHidden(true);
  notifyTurn();
  assert.deepEqual(notes, ["Malecón: Your turn (a1)"]);
});

test("there is no notification without the reader's setting and the browser's permission", () => {
  setHidden(true);
  table.dataset.notify = "";
  notifyTurn();
  table.dataset.notify = "on";
  FakeNotification.permission = "default";
  notifyTurn();
  FakeNotification.permission = "granted";
  assert.deepEqual(notes, []);
});
