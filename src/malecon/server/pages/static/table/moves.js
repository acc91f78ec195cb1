// Making moves: a form is sent, once; a move that cannot be taken back is confirmed first if the reader wants that.

import { root } from "../board/root.js";
import { labelOf, previewOf } from "../board/tooltip.js";
import { createElement } from "../shared/elements.js";
import { say } from "../shared/page-data.js";
import { fieldsOf } from "../shared/requests.js";
import { post } from "./live.js";

/** @type {string | null} */
let sentVersion = null; // a second click before the response would make the same move again

/**
 * Sends a form; returns the answer, or null if there is none.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [button]
 */
export async function send(form, button) {
  closeConfirmation();
  const data = fieldsOf(form, button);
  const version = form.matches(".moves:not(.early)") ? data.get("version") : null;
  if (version !== null && version === sentVersion) return null;
  sentVersion = version;
  const action = button?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  const answer = await post(action, data);
  if (answer === null && sentVersion === version) sentVersion = null; // refused: it can be tried again
  return answer;
}

/** Takes the question whether to make a move away. */
export function closeConfirmation() {
  root.querySelector(".question")?.remove();
  root.querySelector("#dock")?.classList.remove("asking");
}

/**
 * Asks the reader to confirm a move that cannot be taken back.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 */
function confirmMove(form, button) {
  closeConfirmation();
  const box = createElement("div", "question", "", { role: "alertdialog", "aria-label": say("confirm") });
  const yes = createElement("button", "primary", `${say("confirm")}: ${labelOf(button)}`, { type: "button" });
  const no = createElement("button", "", say("cancel"), { type: "button", "data-cancel": "" });
  yes.onclick = () => send(form, button);
  no.onclick = () => {
    closeConfirmation();
    button.focus();
  };
  box.append(createElement("p", "", `${previewOf(button)} ${say("final")}`), yes, no);
  const dock = root.querySelector("#dock");
  dock?.classList.add("asking");
  dock?.append(box);
  yes.focus();
}

/**
 * Makes a move, or first asks to confirm it.
 * @param {HTMLButtonElement} button
 */
export function makeMove(button) {
  const { form } = button;
  if (!form) return;
  if (root.dataset.confirm && "final" in button.dataset) confirmMove(form, button);
  else send(form, button);
}
