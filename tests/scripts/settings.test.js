// pages/settings.js: the button that switches push messages to this device on and off.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answerRequests, click, get, getButton, openPage, requests, settle } from "./page.js";

const TEXTS = {
  pushOn: "Switch on",
  pushOff: "Switch off",
  pushIsOn: "It is on.",
  pushIsOff: "It is off.",
  pushDenied: "The browser forbids it.",
  pushMissing: "This browser cannot.",
};
openPage('<button id="push-device" hidden></button><span id="push-status"></span>', { data: { texts: TEXTS } });

/** A browser's push manager. */
const manager = {
  /** @type {object | null} */
  subscription: null,
  /** @type {PushSubscriptionOptionsInit | null} */
  options: null,
  isBroken: false,
  async getSubscription() {
    return this.subscription;
  },
  /** @param {PushSubscriptionOptionsInit} options */
  async subscribe(options) {
    if (this.isBroken) throw new Error("no push service");
    this.options = options;
    this.subscription = {
      endpoint: "https://push.test/1",
      toJSON: () => ({ endpoint: "https://push.test/1", keys: { auth: "a" } }),
      unsubscribe: async () => {
        this.subscription = null;
      },
    };
    return this.subscription;
  },
};
const permission = { current: "default", answer: "granted" };
Object.defineProperty(navigator, "serviceWorker", { value: { ready: Promise.resolve({ pushManager: manager }) } });
Object.assign(globalThis, {
  PushManager: class {},
  Notification: {
    get permission() {
      return permission.current;
    },
    requestPermission: async () => {
      permission.current = permission.answer;
      return permission.answer;
    },
  },
});
await import("#scripts/pages/settings.js");
await settle();

const button = getButton("#push-device");
const status = () => get("#push-status").textContent;
const answer = () =>
  answerRequests(({ path }) =>
    path === "/push/key" ? Response.json({ key: "-_8" }) : new Response(null, { status: 204 }),
  );

async function pressButton() {
  click(button);
  assert.equal(button.disabled, true);
  await settle();
  assert.equal(button.disabled, false);
}

beforeEach(() => {
  manager.subscription = null;
  manager.isBroken = false;
  Object.assign(permission, { current: "default", answer: "granted" });
  answer();
});

test("it says whether this device receives messages", () => {
  assert.equal(button.hidden, false);
  assert.equal(button.textContent, "Switch on");
  assert.equal(status(), "It is off.");
});

test("switching on subscribes with the server's key, and tells the server", async () => {
  await pressButton();
  assert.deepEqual(
    requests.map(({ path }) => path),
    ["/push/key", "/push/device"],
  );
  assert.equal(requests[1].body, '{"endpoint":"https://push.test/1","keys":{"auth":"a"}}');
  assert.deepEqual(manager.options?.applicationServerKey, Uint8Array.of(0xfb, 0xff));
  assert.equal(manager.options?.userVisibleOnly, true);
  assert.equal(button.textContent, "Switch off");
  assert.equal(status(), "It is on.");
});

test("switching off tells the server and ends the subscription", async () => {
  await pressButton();
  answer();
  await pressButton();
  assert.deepEqual(requests, [{ path: "/push/forget", method: "POST", body: '{"endpoint":"https://push.test/1"}' }]);
  assert.equal(manager.subscription, null);
  assert.equal(status(), "It is off.");
});

test("a reader who refuses is told how to change that", async () => {
  permission.answer = "denied";
  await pressButton();
  assert.deepEqual(requests, []);
  assert.equal(button.hidden, true);
  assert.equal(status(), "The browser forbids it.");
});

test("a device that the server refuses is not left subscribed", async () => {
  answerRequests(({ path }) =>
    path === "/push/key" ? Response.json({ key: "-_8" }) : Response.json({ error: "no" }, { status: 403 }),
  );
  await pressButton();
  assert.equal(manager.subscription, null);
  assert.equal(status(), "It is off.");
});

test("without a push service it says so", async () => {
  manager.isBroken = true;
  await pressButton();
  assert.equal(status(), "This browser cannot.");
});
