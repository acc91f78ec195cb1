// Choosing among many moves: by a place on the board and then another, by dragging, by typing, by stepping.

import { root } from "../board/root.js";
import { buttonsAt, labelOf, previewOf } from "../board/tooltip.js";
import { closest, closestAny, createElement, find, findAll, focus, toast } from "../shared/elements.js";
import { say } from "../shared/page-data.js";
import { placesOf } from "../shared/places.js";

/** @type {(button: HTMLButtonElement) => void} */
let choose = () => {};

/**
 * Says what makes a move: actions.js does, so that the two do not import each other.
 * @param {(button: HTMLButtonElement) => void} chooser
 */
export function useChooser(chooser) {
  choose = chooser;
}

const moveButtons = () => findAll(root, ".moves button[name=move]", HTMLButtonElement);
const groups = () => findAll(root, ".moves .group", HTMLElement);
const showAllButton = () => find(root, "[data-all]", HTMLElement);

/** @param {Element} button */
const isListed = (button) => !button.closest("li")?.hidden;

/**
 * Opens or closes the list of a group.
 * @param {HTMLElement} group
 * @param {boolean} isOpen
 */
function setOpen(group, isOpen) {
  const details = group.firstElementChild;
  if (details instanceof HTMLDetailsElement) details.open = isOpen;
}

/**
 * Lists these moves alone, and marks the places that tell them apart.
 * @param {HTMLButtonElement[]} buttons
 */
function showOnly(buttons) {
  const kept = new Set(buttons);
  root.querySelector(".moves")?.classList.add("narrowed"); // first: groups that are opened here change nothing more
  for (const button of moveButtons()) {
    const item = button.closest("li");
    if (item) item.hidden = !kept.has(button);
  }
  for (const group of groups()) {
    group.hidden = !buttons.some((button) => group.contains(button));
    setOpen(group, !group.hidden);
  }
  const allButton = showAllButton();
  if (allButton) allButton.hidden = false;
  const places = new Set(buttons.flatMap(placesOf));
  for (const target of root.querySelectorAll(".target.step")) target.classList.toggle("ready", places.has(target.id));
}

/** Lists all moves again. */
export function showAll() {
  const allButton = showAllButton();
  if (!allButton || allButton.hidden) return;
  allButton.hidden = true;
  root.querySelector(".moves")?.classList.remove("narrowed");
  for (const item of findAll(root, ".moves li", HTMLElement)) item.hidden = false;
  for (const group of groups()) setOpen(group, false);
  for (const target of root.querySelectorAll(".target.step")) target.classList.remove("ready");
}

/**
 * Returns the moves at a place among those that are listed; if there is none, all moves at the place.
 * @param {string} place
 */
function matchingMoves(place) {
  const moves = buttonsAt(place);
  const listed = root.querySelector(".moves.narrowed") ? moves.filter(isListed) : moves;
  return listed.length ? listed : moves;
}

/**
 * Makes the only move at a place, or lists the moves there.
 * @param {string} place
 */
export function clickPlace(place) {
  const buttons = matchingMoves(place);
  if (buttons.length === 1) return choose(buttons[0]);
  if (!buttons.length) return;
  showOnly(buttons);
  toast(say("several"));
  focus(buttons[0]);
}

// A group that is opened is listed alone.
root.addEventListener(
  "toggle",
  ({ target }) => {
    const group = closest(target, ".moves .group", HTMLElement);
    if (!group || !(target instanceof HTMLDetailsElement && target.open)) return;
    if (root.querySelector(".moves.narrowed")) return;
    const buttons = findAll(group, "button[name=move]", HTMLButtonElement);
    showOnly(buttons);
    focus(buttons[0]);
  },
  true,
);

// --- typing

/**
 * Returns a text in lower case and without accents.
 * @param {string} text
 */
const normalise = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/**
 * Returns the moves whose label or notation has all words of a text.
 * @param {string} text
 */
function movesWith(text) {
  const words = normalise(text).split(/\s+/).filter(Boolean);
  return moveButtons().filter((button) => {
    const label = normalise(`${button.textContent} ${button.value}`);
    return words.every((word) => label.includes(word));
  });
}

/**
 * Lists the moves that fit what was typed.
 * @param {string} text
 */
export function filterMoves(text) {
  if (!text.trim()) return showAll();
  const buttons = movesWith(text);
  if (buttons.length) showOnly(buttons);
}

/**
 * Returns the only move that was typed, by its notation or because no other fits; else null.
 * @param {string} text
 */
export function typedMove(text) {
  const exact = moveButtons().find((button) => button.value === text.trim().toLowerCase());
  const buttons = exact ? [exact] : movesWith(text);
  return buttons.length === 1 ? buttons[0] : null;
}

// --- amounts: a stepper that shows what is left over

let amountIndex = 0;
let amountVersion = "";

/** Renders the stepper if the moves differ only by an amount. */
export function updateAmounts() {
  const box = root.querySelector("[data-amounts]");
  const moves = findAll(root, ".moves li:not(.out) > button[name=move]", HTMLButtonElement);
  const version = find(root, ".moves [name=version]", HTMLInputElement)?.value ?? "";
  if (!box || !moves.length) return;
  if (version !== amountVersion) [amountIndex, amountVersion] = [0, version];
  amountIndex = Math.max(0, Math.min(amountIndex, moves.length - 1));
  const move = moves[amountIndex];
  const less = createElement("button", "small", "−", { type: "button", "aria-label": say("less"), "data-less": "" });
  const more = createElement("button", "small", "+", { type: "button", "aria-label": say("more"), "data-more": "" });
  const confirm = createElement("button", "primary", labelOf(move), { type: "button", "data-amount": "" });
  less.disabled = amountIndex === 0;
  more.disabled = amountIndex === moves.length - 1;
  less.onclick = () => stepAmount(-1, "[data-less]");
  more.onclick = () => stepAmount(1, "[data-more]");
  confirm.onclick = () => choose(move);
  box.replaceChildren(less, confirm, more, createElement("p", "kind", previewOf(move), { "aria-live": "polite" }));
}

/**
 * Changes the amount and keeps the focus on the button.
 * @param {number} by
 * @param {string} selector
 */
function stepAmount(by, selector) {
  amountIndex += by;
  updateAmounts();
  const button =
    find(root, `[data-amounts] ${selector}:not(:disabled)`, HTMLElement) ?? find(root, "[data-amount]", HTMLElement);
  button?.focus();
}

// --- dragging from a place to another: the moves that belong to both

/** @type {Element | null} */
let dragStart = null;
root.addEventListener("pointerdown", ({ target }) => {
  dragStart = closestAny(target, ".board .target");
});
document.addEventListener("pointerup", ({ clientX, clientY }) => {
  const start = dragStart;
  dragStart = null;
  if (!start?.isConnected) return;
  const end = document.elementFromPoint(clientX, clientY)?.closest(".board .target");
  if (!end || start.contains(end) || end.contains(start)) return;
  const endMoves = buttonsAt(end.id);
  const moves = buttonsAt(start.id).filter((button) => endMoves.includes(button));
  if (moves.length === 1) choose(moves[0]);
  else if (moves.length) showOnly(moves);
});
