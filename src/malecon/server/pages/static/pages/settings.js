// Push messages to this device: the button under Settings that switches them on and off.

import { byId } from "../shared/elements.js";
import { say } from "../shared/page-data.js";
import { getJson, postJson } from "../shared/requests.js";

const button = byId("push-device", HTMLButtonElement);
const status = byId("push-status", HTMLElement);

/**
 * Decodes base64url.
 * @param {string} text
 */
function decode(text) {
  const base64 = text.replace(/-/g, "+").replace(/_/g, "/");
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/**
 * Shows whether messages are on.
 * @param {PushSubscription | null} subscription
 */
function show(subscription) {
  const denied = Notification.permission === "denied";
  button.hidden = denied && !subscription;
  button.textContent = say(subscription ? "pushOff" : "pushOn");
  status.textContent = say(denied ? "pushDenied" : subscription ? "pushIsOn" : "pushIsOff");
}

/**
 * Subscribes this device; returns the subscription, or null if the reader refuses.
 * @param {PushManager} manager
 */
async function switchOn(manager) {
  if ((await Notification.requestPermission()) !== "granted") return null;
  /** @type {{ key: string }} */
  const { key } = await getJson("/push/key");
  const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: decode(key) });
  const { endpoint, keys } = subscription.toJSON();
  try {
    await postJson("/push/device", { endpoint, keys });
    return subscription;
  } catch {
    await subscription.unsubscribe();
    return null;
  }
}

/**
 * Ends a subscription; returns null.
 * @param {PushSubscription} subscription
 */
async function switchOff(subscription) {
  await postJson("/push/forget", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
  return null;
}

/** Shows the button if the browser has push messages. */
async function start() {
  if (!navigator.serviceWorker || !globalThis.PushManager || !globalThis.Notification) {
    status.textContent = say("pushMissing");
    return;
  }
  const manager = (await navigator.serviceWorker.ready).pushManager;
  show(await manager.getSubscription());
  button.addEventListener("click", async () => {
    button.disabled = true;
    const before = await manager.getSubscription();
    const after = await (before ? switchOff(before) : switchOn(manager)).catch(() => undefined);
    button.disabled = false;
    show(after === undefined ? await manager.getSubscription() : after);
    // the browser has no push service, or cannot reach it
    if (after === undefined) status.textContent = say("pushMissing");
  });
}

start();
