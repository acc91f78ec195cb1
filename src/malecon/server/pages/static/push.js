// Messages to this device: the button under Settings that switches them on and off.

const box = document.getElementById("push");
const button = document.getElementById("push-device");
const status = document.getElementById("push-status");
const say = (key) => box.dataset["say" + key];

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const post = (path, told) => fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(told) });

function show(subscription) {
  const denied = Notification.permission === "denied";
  button.hidden = denied && !subscription;
  button.textContent = say(subscription ? "Off" : "On");
  status.textContent = say(denied ? "Denied" : subscription ? "IsOn" : "IsOff");
}

async function switchOn(manager) {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { key } = await (await fetch("/push/key")).json();
  const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint, keys } = subscription.toJSON();
  if ((await post("/push/device", { endpoint, keys })).ok) return subscription;
  await subscription.unsubscribe();
  return null;
}

async function switchOff(subscription) {
  await post("/push/forget", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
  return null;
}

async function begin() {
  if (!navigator.serviceWorker || !globalThis.PushManager || !globalThis.Notification) {
    status.textContent = say("Missing");
    return;
  }
  const manager = (await navigator.serviceWorker.ready).pushManager;
  show(await manager.getSubscription());
  button.addEventListener("click", async () => {
    button.disabled = true;
    const known = await manager.getSubscription();
    const now = await (known ? switchOff(known) : switchOn(manager)).catch(() => undefined);
    button.disabled = false;
    show(now === undefined ? await manager.getSubscription() : now);
    if (now === undefined) status.textContent = say("Missing"); // the browser has no push service, or cannot reach it
  });
}

if (box) begin();
