// Push messages to this device: the button under Settings that switches them on and off.

const box = document.getElementById("push");
const button = document.getElementById("push-device");
const status = document.getElementById("push-status");
const say = (key) => box.dataset["say" + key];

/** Decodes base64url. */
function decode(text) {
  const base64 = text.replace(/-/g, "+").replace(/_/g, "/");
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

const postJson = (path, data) =>
  fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) });

/** Shows whether messages are on. */
function show(subscription) {
  const denied = Notification.permission === "denied";
  button.hidden = denied && !subscription;
  button.textContent = say(subscription ? "Off" : "On");
  status.textContent = say(denied ? "Denied" : subscription ? "IsOn" : "IsOff");
}

/** Subscribes this device; returns the subscription, or null if the reader or the server refuses. */
async function switchOn(manager) {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { key } = await (await fetch("/push/key")).json();
  const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: decode(key) });
  const { endpoint, keys } = subscription.toJSON();
  if ((await postJson("/push/device", { endpoint, keys })).ok) return subscription;
  await subscription.unsubscribe();
  return null;
}

/** Ends a subscription; returns null. */
async function switchOff(subscription) {
  await postJson("/push/forget", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
  return null;
}

/** Shows the button if the browser has push messages. */
async function start() {
  if (!navigator.serviceWorker || !globalThis.PushManager || !globalThis.Notification) {
    status.textContent = say("Missing");
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
    if (after === undefined) status.textContent = say("Missing"); // the browser has no push service, or cannot reach it
  });
}

if (box) start();
