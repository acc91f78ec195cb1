// Choosing among many moves: by a place on the board and then another, by dragging, by typing, by stepping.

import { createElement, root, say, table, toast } from "./page.js";
import { movesAt, previewOf } from "./tooltip.js";

let choose = () => {}; // makes a move; main.js passes it, so that the two do not import each other
export const useChooser = (chooser) => (choose = chooser);

const moveButtons = () => [...root.querySelectorAll(".moves button[name=move]")];
const listedButtons = () => moveButtons().filter((button) => !button.closest("li").hidden);

/** Lists these moves alone, and marks the places that tell them apart. */
function showOnly(buttons) {
  const kept = new Set(buttons);
  for (const button of moveButtons()) button.closest("li").hidden = !kept.has(button);
  for (const group of root.querySelectorAll(".moves .group")) {
    group.hidden = !buttons.some((button) => group.contains(button));
    group.firstElementChild.open = !group.hidden;
  }
  const showAllButton = root.querySelector("[data-all]");
  if (showAllButton) showAllButton.hidden = false;
  root.querySelector(".moves")?.classList.add("narrowed");
  const places = new Set(buttons.flatMap((button) => button.dataset.places.split(" ")));
  for (const target of root.querySelectorAll(".target.step")) target.classList.toggle("ready", places.has(target.id));
}

/** Lists all moves again. */
export function showAll() {
  const showAllButton = root.querySelector("[data-all]");
  if (!showAllButton || showAllButton.hidden) return;
  showAllButton.hidden = true;
  root.querySelector(".moves").classList.remove("narrowed");
  for (const item of root.querySelectorAll(".moves li")) item.hidden = false;
  for (const group of root.querySelectorAll(".moves .group")) group.firstElementChild.open = false;
  for (const target of root.querySelectorAll(".target.step")) target.classList.remove("ready");
}

/** Returns the moves at a place among those that are listed; if there is none, all moves at the place. */
function matchingMoves(place) {
  const moves = movesAt(place);
  const narrowed = root.querySelector(".moves")?.classList.contains("narrowed");
  const listed = narrowed ? moves.filter((button) => listedButtons().includes(button)) : moves;
  return listed.length ? listed : moves;
}

/** Makes the only move at a place, or lists the moves there. */
export function clickPlace(target) {
  const buttons = matchingMoves(target.id);
  if (buttons.length === 1) return choose(buttons[0]);
  if (!buttons.length) return;
  showOnly(buttons);
  toast(say("Several"));
  buttons[0].focus({ preventScroll: true });
}

// A group that is opened is listed alone.
root?.addEventListener(
  "toggle",
  (event) => {
    const group = event.target.closest?.(".moves .group");
    if (!group || !event.target.open || root.querySelector(".moves.narrowed")) return;
    showOnly([...group.querySelectorAll("button[name=move]")]);
    group.querySelector("button[name=move]").focus({ preventScroll: true });
  },
  true,
);

// --- typing

/** Returns a text in lower case and without accents. */
const normalise = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** Returns the moves whose label or notation has all words of a text. */
function movesWith(text) {
  const words = normalise(text).split(/\s+/).filter(Boolean);
  return moveButtons().filter((button) => {
    const label = normalise(`${button.textContent} ${button.value}`);
    return words.every((word) => label.includes(word));
  });
}

/** Lists the moves that fit what was typed. */
export function filterMoves(text) {
  if (!text.trim()) return showAll();
  const buttons = movesWith(text);
  if (buttons.length) showOnly(buttons);
}

/** Returns the only move that was typed, by its notation or because no other fits; else null. */
export function typedMove(text) {
  const exact = moveButtons().find((button) => button.value === text.trim().toLowerCase());
  const buttons = exact ? [exact] : movesWith(text);
  return buttons.length === 1 ? buttons[0] : null;
}

// --- amounts: a stepper that shows what is left over

let amountIndex = 0;
let amountVersion = null;

/** Renders the stepper if the moves differ only by an amount. */
export function updateAmounts() {
  const box = root.querySelector("[data-amounts]");
  if (!box) return;
  const moves = [...root.querySelectorAll(".moves li:not(.out) > button[name=move]")];
  const version = root.querySelector(".moves [name=version]").value;
  if (version !== amountVersion) [amountIndex, amountVersion] = [0, version];
  amountIndex = Math.max(0, Math.min(amountIndex, moves.length - 1));
  const move = moves[amountIndex];
  const button = (classes, text, attributes) =>
    createElement("button", classes, text, { type: "button", ...attributes });
  const less = button("small", "−", { "aria-label": box.dataset.sayLess, "data-less": "" });
  const more = button("small", "+", { "aria-label": box.dataset.sayMore, "data-more": "" });
  const confirm = button("primary", move.querySelector("span").textContent, { "data-amount": "" });
  less.disabled = amountIndex === 0;
  more.disabled = amountIndex === moves.length - 1;
  less.onclick = () => stepAmount(-1, "[data-less]");
  more.onclick = () => stepAmount(1, "[data-more]");
  confirm.onclick = () => choose(move);
  box.replaceChildren(less, confirm, more, createElement("p", "kind", previewOf(move), { "aria-live": "polite" }));
}

/** Changes the amount and keeps the focus on the button. */
function stepAmount(by, selector) {
  amountIndex += by;
  updateAmounts();
  const button = root.querySelector(`[data-amounts] ${selector}:not(:disabled)`) ?? root.querySelector("[data-amount]");
  button?.focus();
}

// --- dragging from a place to another: the moves that belong to both

let dragStart = null;
if (table) {
  table.addEventListener("pointerdown", (event) => {
    dragStart = event.target.closest?.(".board .target") ?? null;
  });
  document.addEventListener("pointerup", (event) => {
    const start = dragStart;
    dragStart = null;
    if (!start?.isConnected) return;
    const end = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".board .target");
    if (!end || end === start || start.contains(end) || end.contains(start)) return;
    const endMoves = movesAt(end.id);
    const moves = movesAt(start.id).filter((button) => endMoves.includes(button));
    if (moves.length === 1) choose(moves[0]);
    else if (moves.length) showOnly(moves);
  });
}
