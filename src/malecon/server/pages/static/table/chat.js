// The chat of a table: over a socket of its own, so that no message ever keeps a move waiting.

import { byId, closest, find, toast } from "../shared/elements.js";
import { LiveSocket } from "../shared/live-socket.js";
import { fieldsOf, postForm, RequestError } from "../shared/requests.js";

/**
 * @typedef {object} ChatMessage
 * @property {string} [here]
 * @property {string} [stop]
 * @property {number[]} [gone]
 * @property {string[]} [lines]
 * @property {boolean} [all]
 * @property {number} [unread]
 */

const box = byId("talk", HTMLDetailsElement);
const counter = byId("talk-unread", HTMLElement);
const lines = document.getElementById("talk-lines"); // a reader who has switched conversations off has none
let unread = 0;

/**
 * Adds to the number of unread messages; an open chat has none.
 * @param {number} more
 */
function countUnread(more) {
  unread = box.open ? 0 : unread + more;
  counter.hidden = !unread;
  counter.textContent = unread ? String(unread) : "";
}

/** Scrolls to the newest message. */
function scrollToEnd() {
  if (lines) lines.scrollTop = lines.scrollHeight;
}

/**
 * Shows what the server sent. Its HTML is rendered there, with all text of others escaped.
 * @param {ChatMessage} message
 */
function show(message) {
  if (message.here !== undefined) byId("talk-here", HTMLElement).innerHTML = message.here;
  if (message.stop !== undefined) byId("talk-stop", HTMLElement).innerHTML = message.stop;
  for (const number of message.gone ?? []) document.getElementById(`said-${number}`)?.remove();
  if (message.lines && lines) {
    if (message.all) lines.replaceChildren();
    lines.insertAdjacentHTML("beforeend", message.lines.join(""));
    scrollToEnd();
    if (!message.all) {
      countUnread(message.unread ?? 0);
      const text = lines.lastElementChild?.querySelector(".said-text")?.textContent;
      if (message.unread && !box.open && text) toast(text.trim().replace(/\s+/g, " "));
    }
  }
  box.dataset.ready = "yes";
}

/** @type {LiveSocket<ChatMessage>} */
const socket = new LiveSocket({ path: () => box.dataset.chat ?? "", onMessage: show });

box.addEventListener("submit", async (event) => {
  const form = closest(event.target, "[data-talk]", HTMLFormElement);
  if (!form) return;
  event.preventDefault();
  const body = fieldsOf(form, event.submitter);
  try {
    /** @type {{ notice: string | null, reconnect: boolean }} */
    const answer = await postForm(form.getAttribute("action") ?? "", body);
    if (body.has("text")) form.reset();
    if (answer.notice) toast(answer.notice);
    if (answer.reconnect) socket.reopen(); // the server then sends everything
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    toast(error.message, "error");
  }
});
box.addEventListener("toggle", () => {
  countUnread(0);
  scrollToEnd();
});
box.addEventListener("keydown", (event) => {
  event.stopPropagation(); // the keys of the table choose moves
  if (event.key !== "Escape") return;
  box.open = false;
  find(box, "summary", HTMLElement)?.focus();
});
