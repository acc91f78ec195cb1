// What clicks, keys and forms do at a table.
// Everything it shows was rendered by the server; without this script the same forms and links still work.

import { CLICKS, onKeys } from "../board/controls.js";
import { root } from "../board/root.js";
import { placeBeside } from "../board/tooltip.js";
import {
  announce,
  closest,
  closestAny,
  find,
  findAll,
  isPress,
  isPressOfControl,
  onClicks,
  toast,
} from "../shared/elements.js";
import { say } from "../shared/page-data.js";
import { getJson, RequestError } from "../shared/requests.js";
import { askButton, explainMove, requestHint, toggleAsk } from "./hints.js";
import { showSeat } from "./live.js";
import { clickPlace, filterMoves, showAll, typedMove, useChooser } from "./move-chooser.js";
import { closeConfirmation, makeMove, send } from "./moves.js";

/**
 * Makes a move; while the reader asks about a move, explains it instead.
 * @param {HTMLButtonElement} button
 */
function choose(button) {
  const asking = askButton();
  if (asking) explainMove(button, asking);
  else makeMove(button);
}
useChooser(choose);

/**
 * Makes the move that was typed: the only one that fits the words, or what the server reads.
 * @param {HTMLFormElement} form
 */
async function sendTyped(form) {
  const button = typedMove(find(form, "[data-filter]", HTMLInputElement)?.value ?? "");
  if (button) return choose(button);
  if (await send(form)) form.reset();
}

/**
 * Returns why no move can be made at a place, or why that cannot be said.
 * @param {string} id
 */
async function reasonAt(id) {
  try {
    /** @type {{ why: string }} */
    const { why } = await getJson(`/tables/${root.dataset.table}/why?place=${encodeURIComponent(id)}`);
    return why;
  } catch (error) {
    return error instanceof RequestError ? error.message : "";
  }
}

/**
 * Says beside a place why no move can be made there.
 * @param {string} id
 */
async function explainPlace(id) {
  const text = await reasonAt(id);
  document.querySelector(".toast.placed")?.remove();
  const note = toast(text, "placed");
  const place = document.getElementById(id);
  if (note && place) placeBeside(note, [place]);
  announce([text]);
}

/**
 * Copies a text and says so.
 * @param {string} text
 */
const copy = (text) => navigator.clipboard?.writeText(text).then(() => toast(say("copied")));

/**
 * Copies the field beside a button.
 * @param {HTMLElement} button
 */
function copyField(button) {
  const field = find(button.parentElement, "input", HTMLInputElement);
  if (!field) return;
  copy(field.value);
  field.select();
}

document.addEventListener("submit", (event) => {
  const form = closest(event.target, "[data-act]", HTMLFormElement);
  if (!form) return;
  event.preventDefault();
  if (form.matches(".moves") && event.submitter instanceof HTMLButtonElement) choose(event.submitter);
  else if (form.matches(".typed")) sendTyped(form);
  else send(form, event.submitter);
});

document.addEventListener("input", ({ target }) => {
  if (target instanceof HTMLInputElement && target.matches("[data-filter]")) filterMoves(target.value);
});

onClicks([
  [
    ".cover [data-as]",
    (link, event) => {
      event.preventDefault();
      showSeat(link.dataset.as ?? "");
    },
  ],
  ...CLICKS,
  ["[data-copy]", copyField],
  ["[data-copy-table]", () => copy(location.origin + location.pathname)],
  ["[data-hint]", requestHint],
  ["[data-ask]", toggleAsk],
  ["[data-all]", showAll],
  [".target", (place) => clickPlace(place.id)],
  [
    ".board svg [role=img][id]",
    (thing) => {
      showAll();
      explainPlace(thing.id);
    },
  ],
]);

document.addEventListener("click", () => {
  if (root.dataset.notify && globalThis.Notification?.permission === "default") Notification.requestPermission();
});

/**
 * Handles the keys of the table; returns whether it has.
 * @param {KeyboardEvent} event
 */
function handleKey(event) {
  const place = closestAny(event.target, ".target");
  if (place && isPress(event)) {
    clickPlace(place.id);
    return true;
  }
  if (event.key === "/") {
    document.getElementById("typed")?.focus();
    return true;
  }
  if (event.key !== "Enter" || isPressOfControl(event) || root.querySelector(".question, .cover")) return false;
  const onward = findAll(root, ".moves li:not(.out) > button", HTMLButtonElement);
  if (onward.length !== 1) return false;
  choose(onward[0]); // there is only this way on
  return true;
}

onKeys(() => {
  closeConfirmation();
  showAll();
}, handleKey);
