// Hints: which moves a strong player would make, why, and why another move is not as good.

import { root } from "../board/root.js";
import { announce, createElement, find, toast } from "../shared/elements.js";
import { say } from "../shared/page-data.js";
import { post } from "./live.js";
import { showAll } from "./move-chooser.js";

/** @typedef {{ moves: { move: string, label: string, chance: string }[], why: string[] }} Hint */

/**
 * Asks for a hint, marks the advised moves and puts them first.
 * @param {HTMLElement} button
 */
export async function requestHint(button) {
  if (!(button instanceof HTMLButtonElement)) return;
  button.disabled = true;
  button.classList.add("busy");
  /** @type {Hint | null} */
  const hint = await post(button.dataset.hint ?? "", new URLSearchParams());
  button.disabled = false;
  button.classList.remove("busy");
  if (!hint || !button.isConnected) return;
  for (const [rank, { move, chance }] of hint.moves.entries()) {
    const advised = root.querySelector(`.moves button[value="${CSS.escape(move)}"]`);
    if (!advised || advised.querySelector(".chance")) continue;
    advised.classList.add("advised");
    advised.append(createElement("span", "chance", chance));
    const item = advised.closest("li");
    if (item) item.style.order = String(rank - hint.moves.length);
  }
  showReasons(hint.why);
  announce([`${say("hint")}:`, ...hint.moves.map(({ label, chance }) => `${label}: ${chance}`), ...hint.why]);
}

/**
 * Lists reasons below the moves, with a button to ask about another move.
 * @param {string[]} sentences
 */
function showReasons(sentences) {
  root.querySelector(".hint-why")?.remove();
  const list = createElement("ul", "reasons hint-why", "");
  const attributes = { type: "button", "data-ask": "", "aria-pressed": "false" };
  const last = createElement("li", "", "");
  last.append(createElement("button", "small", say("ask"), attributes));
  list.append(...sentences.map((sentence) => createElement("li", "", sentence)), last);
  root.querySelector(".moves")?.after(list); // the moves stay in sight
  const dock = root.querySelector("#dock");
  dock?.classList.add("guided"); // as high as with a tip
  showAll();
  dock?.scrollTo(0, 0);
}

/** Returns the pressed button: then the next move that is chosen is not made, but explained. */
export const askButton = () => find(root, "[data-ask][aria-pressed=true]", HTMLButtonElement);

/**
 * Presses or releases the button that asks about a move.
 * @param {HTMLElement} button
 */
export function toggleAsk(button) {
  const isPressed = !askButton();
  button.setAttribute("aria-pressed", String(isPressed));
  if (isPressed) toast(say("which"));
}

/**
 * Shows why a move is not the best one.
 * @param {HTMLButtonElement} move
 * @param {HTMLButtonElement} button the pressed one
 */
export async function explainMove(move, button) {
  button.disabled = true;
  const body = new URLSearchParams({ move: move.value });
  /** @type {{ why: string[] } | null} */
  const explanation = await post(`/tables/${root.dataset.table}/explain`, body);
  if (!button.isConnected) return;
  if (explanation) {
    showReasons(explanation.why);
    announce(explanation.why);
  } else {
    button.disabled = false;
    button.setAttribute("aria-pressed", "false");
  }
}
