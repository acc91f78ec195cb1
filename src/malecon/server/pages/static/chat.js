// The chat of a table: over a socket of its own, so that no message ever keeps a move waiting.

import { say, toast } from "./page.js";

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

const box = document.getElementById("talk");
const lines = document.getElementById("talk-lines");
const counter = document.getElementById("talk-unread");
let retryMs = FIRST_RETRY_MS;
let unread = 0;
let socket = null;

/** Adds to the number of unread messages; an open chat has none. */
function countUnread(more) {
  unread = box.open ? 0 : unread + more;
  counter.hidden = !unread;
  counter.textContent = unread || "";
}

/** Scrolls to the newest message. */
function scrollToEnd() {
  if (lines) lines.scrollTop = lines.scrollHeight;
}

/** Shows what the server sent. Its HTML is rendered there, with all text of others escaped. */
function show(message) {
  if (message.here !== undefined) document.getElementById("talk-here").innerHTML = message.here;
  if (message.stop !== undefined) document.getElementById("talk-stop").innerHTML = message.stop;
  for (const number of message.gone ?? []) document.getElementById(`said-${number}`)?.remove();
  if (message.lines && lines) {
    if (message.all) lines.replaceChildren();
    lines.insertAdjacentHTML("beforeend", message.lines.join(""));
    scrollToEnd();
    if (!message.all) {
      countUnread(message.unread);
      const text = lines.lastElementChild?.querySelector(".said-text");
      if (message.unread && !box.open && text) toast(text.textContent.trim().replace(/\s+/g, " "));
    }
  }
  box.dataset.ready = "yes";
}

/** Opens the socket, and opens it again whenever it closes. */
function connect() {
  const address = new URL(box.dataset.company, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const current = (socket = new WebSocket(address));
  current.onopen = () => (retryMs = FIRST_RETRY_MS);
  current.onmessage = ({ data }) => show(JSON.parse(data));
  current.onclose = () => {
    if (current !== socket) return;
    setTimeout(connect, retryMs);
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  };
}

/** Closes the socket and opens another one: the server then sends everything. */
function reconnect() {
  const old = socket;
  socket = null;
  old?.close();
  connect();
}

box?.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-talk]");
  if (!form) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter ?? undefined));
  if (body.has("phrase")) body.delete("text");
  try {
    const headers = { accept: "application/json" };
    const response = await fetch(form.getAttribute("action"), { method: "POST", body, headers });
    const answer = await response.json();
    if (!response.ok) return void toast(answer.error, "error");
    if (body.has("text")) form.reset();
    if (answer.told) toast(answer.told);
    if (answer.again) reconnect();
  } catch {
    toast(say("Lost"), "error");
  }
});
box?.addEventListener("toggle", () => {
  countUnread(0);
  scrollToEnd();
});
box?.addEventListener("keydown", (event) => {
  event.stopPropagation(); // the keys of the table choose moves
  if (event.key === "Escape") {
    box.open = false;
    box.querySelector("summary").focus();
  }
});

if (box) connect();
